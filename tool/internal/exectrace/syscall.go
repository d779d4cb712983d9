package exectrace

// A goroutine in a system call keeps its processor until somebody retakes it.
// The call counts as running until then, for shortRun at most: the trace does
// not say whether the processor was wanted.

// A call is a system call that keeps a processor busy.
type call struct {
	g      *gor
	no     int // of the call, to tell it from a later one of g
	expiry int64
}

// holds reports whether the call still keeps its processor.
func (c call) holds() bool { return c.g.busy && c.g.state == syscalling && c.g.call == c.no }

// advance takes the engine to time t, by way of the calls that expire before.
func (e *engine) advance(t int64) {
	done := 0
	for ; done < len(e.calls); done++ {
		c := e.calls[done]
		if c.holds() {
			if c.expiry > t {
				break
			}
			e.elapse(c.expiry)
			e.expire(c.g)
		}
	}
	if done == len(e.calls) {
		e.calls = e.calls[:0]
	} else {
		e.calls = e.calls[done:]
	}
	e.elapse(t)
}

// elapse takes the engine to time t, until which nobody does anything else.
func (e *engine) elapse(t int64) {
	if d := t - e.now; d > 0 {
		e.now = t
		e.acct.pass(d)
	}
}

// expire: the call of g keeps its processor busy no longer. That ends a run,
// as a block would.
func (e *engine) expire(g *gor) {
	delete(e.onCall, g.proc)
	e.acct.runEnds(g)
	e.unbusy(g)
}
