package explain

import (
	"fmt"

	"github.com/gopayoff/payoff/tool/internal/stack"
)

// bandwidth claims what running at once adds to code that reads and copies
// memory, where what it moves is beyond the caches and near to what this
// machine's memory can deliver.
func bandwidth(f *facts) claim {
	slower := f.slowerMemory()
	if slower <= 0 || f.runsAlone() || f.movesData() || f.beyondBandwidth() || !f.streams() {
		return claim{}
	}
	limit := cacheLine / f.prices.MemoryAll.NS
	moved, _ := f.moved()
	c := claim{ns: f.book.take(slower, at(reaching, AtOnce)...)}
	c.evidence = f.memoryEvidence(fmt.Sprintf("one operation moves %.3g MB and the last cache holds %.3g: at least %.3g GB/s, where all processors of this machine together read %.3g GB/s, and one %.3g",
		moved/1e6, float64(f.s.Cache)/1e6, moved/f.new.Wall, limit, cacheLine/f.prices.Memory.NS))
	return c
}

const cacheLine = 64 // bytes

// moved is how many bytes an operation moves to or from memory: those of the
// cache misses, where they are counted, or else the pages it reaches, once.
func (f *facts) moved() (bytes float64, counted bool) {
	if c := f.new.Set.Counters; c != nil && c.CacheMisses > 0 {
		return c.CacheMisses * cacheLine, true
	}
	return f.new.Set.Touched, false
}

// streams reports whether an operation moves more than the last cache holds,
// and that at no less than a third of the rate that memory can deliver: pages
// that it goes over twice count once.
//
// Pages that it only looks at here and there count whole. They would have come
// faster than one processor can read them.
func (f *facts) streams() bool {
	p := f.prices
	moved, counted := f.moved()
	if p.Memory.NS <= 0 || p.MemoryAll.NS <= 0 || f.s.Cache <= 0 || moved < float64(f.s.Cache) {
		return false
	}
	if !counted && f.one.by(stack.Copy) < f.one.by(stack.User) && moved/cacheLine*p.Memory.NS > 1.25*f.one.Wall {
		return false
	}
	return moved/cacheLine*p.MemoryAll.NS > f.new.Wall/3
}
