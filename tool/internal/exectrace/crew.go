package exectrace

// A gor is a goroutine as the engine has it: what it is and what it does. All
// but acct is the engine's to write.
type gor struct {
	id      int64
	creator *gor // never nil but for the root; jumps over those gone, see live
	depth   int  // of the go statement in creator's stack
	start   spot // start function
	last    site // where it last showed a stack
	sys     bool // it is the system's, not the user's
	alive   int  // children

	state   gstate
	since   int64 // when it entered state
	kind    Kind  // what it waits for, or why it was stopped
	at      site  // where it does
	blocked bool  // it has blocked since it last ran
	busy    bool  // on a processor: running, or briefly in a system call
	runner  int   // index in crew.runners while busy and the user's
	call    int   // number of its system call, see engine.calls
	proc    int64 // where it last ran
	thread  int64

	acct account
	task task
}

// live returns the nearest ancestor of g that is not gone, and how deep in
// its stack g's line began. It may be the root. Jumping over those gone lets
// them be dropped.
func (g *gor) live() (*gor, int) {
	for g.creator != nil && g.creator.state == gone {
		g.creator, g.depth = g.creator.creator, g.creator.depth
	}
	return g.creator, g.depth
}

func (g *gor) step() step { return step{g.start.at, g.last} }

// A crew is who does what at an instant. The engine keeps it, the accounts
// read it.
type crew struct {
	now      int64
	procs    int    // GOMAXPROCS, the best guess so far
	runnable int    // goroutines of the user
	running  int    // of the user, system calls not counted
	calling  int    // of the user, in system calls
	runners  []*gor // of the user, those that are busy
	sysBusy  int    // of the system, those that run
	marking  bool   // a GC cycle is in its mark phase
}

// enter takes g from its state to the next and keeps the numbers.
func (c *crew) enter(g *gor, to gstate) {
	c.count(g, -1)
	if g.busy && to != running && to != syscalling {
		c.unbusy(g)
	}
	g.state, g.since = to, c.now
	c.count(g, 1)
	if to == running && !g.busy {
		c.setBusy(g)
	}
}

// count counts g in or out of those in its state.
func (c *crew) count(g *gor, d int) {
	if g.sys {
		return
	}
	switch g.state {
	case runnable:
		c.runnable += d
	case running:
		c.running += d
	case syscalling:
		c.calling += d
	}
}

// setBusy puts g on a processor.
func (c *crew) setBusy(g *gor) {
	g.busy = true
	if g.sys {
		c.sysBusy++
		return
	}
	g.runner = len(c.runners)
	c.runners = append(c.runners, g)
}

// unbusy takes g off its processor.
func (c *crew) unbusy(g *gor) {
	g.busy = false
	if g.sys {
		c.sysBusy--
		return
	}
	n := len(c.runners) - 1
	moved := c.runners[n]
	c.runners[g.runner], moved.runner = moved, g.runner
	c.runners[n] = nil
	c.runners = c.runners[:n]
}
