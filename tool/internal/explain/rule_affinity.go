package explain

import "github.com/gopayoff/payoff/tool/internal/exectrace"

// affinity claims what running at once adds to code that reads and copies
// memory, where goroutines hand their data over or move: what they work on
// lies in another processor's cache.
func affinity(f *facts) claim {
	slower := f.slowerMemory()
	if slower <= 0 || !f.movesData() && !f.beyondBandwidth() {
		return claim{}
	}
	t := f.trace
	c := claim{ns: f.book.take(slower, at(reaching, AtOnce)...), evidence: f.memoryEvidence("what it reads was written or read on another processor before")}
	if f.beyondBandwidth() {
		c.evidence = append(c.evidence, say("it takes more than %d times the processor time: sharing the memory's bandwidth cannot do that, fetching from other processors' caches can", f.procs))
	}
	if t == nil || t.Resumptions == 0 {
		return c
	}
	c.evidence = append(c.evidence, say("goroutines go on after a wait %s, %s of them on another processor than before", often(float64(t.Resumptions)/f.n), percent(1-t.SameProc)).at(f.mostBlocked(exectrace.ChanReceive, exectrace.ChanSend, exectrace.Select)))
	return c
}
