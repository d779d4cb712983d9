package exectrace

// Edges of the path between goroutines: who comes after whom.

// reach notes the path of g if none was longer.
func (a *accounts) reach(g *gor) {
	if !a.open || g.sys || a.ops != nil {
		return
	}
	w, path := &a.win, &g.acct.path
	if path.length > w.best.length {
		w.best, w.bestStep = *path, g.step()
	}
	w.burdened = max(w.burdened, path.burdened)
}

// wake joins the paths of a waker and of whom it wakes.
func (a *accounts) wake(by, g *gor, at *stance) {
	if a.ops != nil { // a program that runs has no path from its begin to its end
		return
	}
	a.settle(by)
	receives := g.kind == ChanSend || g.kind == Select && at.recv
	// Who reports to its creator has waited for its own children. To take
	// work from the creator is no report.
	if c, _ := by.live(); c == g && !receives {
		by.acct.joints.join(&by.acct.path, 0, false, 0)
	}
	length, burdened := by.acct.path.length, by.acct.path.burdened+a.opt.Handoff
	// A receiver that finds a sender waiting comes after it as well.
	if receives {
		by.acct.path.after(g.acct.path.length, g.acct.path.burdened, func() *node { return g.acct.path.seal(g.step()) })
	}
	g.acct.path.after(length, burdened, func() *node { return by.acct.path.seal(by.step()) })

	switch owner, depth := a.line(by, g); {
	case owner == nil:
	case joins(g.kind):
		// The last to finish wakes; the others have left their paths.
		owner.acct.joints.join(&g.acct.path, depth, true, a.opt.Handoff)
	case owner == g && (g.kind == ChanReceive || g.kind == Select):
		owner.acct.joints.join(&g.acct.path, depth, false, 0)
	}
}

// line returns the goroutine that created by and its like: g, if by descends
// from it, else by's creator; and how deep in its stack it did.
func (a *accounts) line(by, g *gor) (*gor, int) {
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
		a.fresh(c)
	}
	return c, depth
}

// report hands the path of g to those who may wait for it: its creator, and
// the nearest ancestor that is in WaitGroup.Wait.
func (a *accounts) report(g *gor, idle bool) {
	if !a.open || g.sys || g.acct.path.length == 0 || a.ops != nil {
		return
	}
	child := g
	for i := range generations {
		c, depth := child.live()
		if c == nil {
			return
		}
		if i == 0 || c.state == waiting && joins(c.kind) {
			a.fresh(c)
			c.acct.joints.add(depth, idle, &g.acct.path, g.step())
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
