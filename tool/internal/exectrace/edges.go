package exectrace

// Edges of the path between goroutines: who comes after whom.

// wake joins the paths of a waker and of whom it wakes.
func (e *engine) wake(by, g *gor, at *place) {
	e.settle(by)
	receives := g.isSend || g.kind == Select && at.recv
	// Who reports to its creator has waited for its own children. To take
	// work from the creator is no report.
	if c, _ := by.live(); c == g && !receives {
		by.joints.join(&by.path, 0, false, 0)
	}
	length, burdened := by.path.length, by.path.burdened+e.opt.Handoff
	// A receiver that finds a sender waiting comes after it as well.
	if receives {
		by.path.after(g.path.length, g.path.burdened, func() *node { return g.path.seal(g.step()) })
	}
	g.path.after(length, burdened, func() *node { return by.path.seal(by.step()) })

	switch owner, depth := e.line(by, g); {
	case owner == nil:
	case joins(g.kind):
		// The last to finish wakes; the others have left their paths.
		owner.joints.join(&g.path, depth, true, e.opt.Handoff)
	case owner == g && (g.kind == ChanReceive || g.kind == Select):
		owner.joints.join(&g.path, depth, false, 0)
	}
}

// line returns the goroutine that created by and its like: g, if by descends
// from it, else by's creator; and how deep in its stack it did.
func (e *engine) line(by, g *gor) (*gor, int) {
	child := by
	for range generations {
		c, depth := child.live()
		if c == g {
			return g, depth
		}
		if c == nil {
			break
		}
		child = c
	}
	c, depth := by.live()
	if c != nil {
		e.fresh(c)
	}
	return c, depth
}

// report hands the path of g to those who may wait for it: its creator, and
// the nearest ancestor that is in WaitGroup.Wait.
func (e *engine) report(g *gor, idle bool) {
	if !e.open || g.sys || g.path.length == 0 {
		return
	}
	child := g
	for i := range generations {
		c, depth := child.live()
		if c == nil {
			return
		}
		if i == 0 || c.state == waiting && joins(c.kind) {
			e.fresh(c)
			c.joints.add(depth, idle, &g.path, g.step())
			if i > 0 {
				return
			}
		}
		child = c
	}
}

// generations is how far up the line of creators is looked: it bounds the work
// for an event. Who waits for later descendants misses those that do not wake it.
const generations = 8

// joins reports whether waits of kind k are for several others.
func joins(k Kind) bool { return k == WaitGroup || k == Sync }

// live returns the nearest ancestor of g that is not gone, and how deep in
// its stack g's line began. It may be the root. Jumping over those gone lets
// them be dropped.
func (g *gor) live() (*gor, int) {
	for g.creator != nil && g.creator.state == gone {
		g.creator, g.depth = g.creator.creator, g.creator.depth
	}
	return g.creator, g.depth
}
