package explain

import (
	"fmt"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/instr"
)

// bandwidth claims what running at once adds to code that reads and copies
// memory, where what it moves is beyond the caches and near to what this
// machine's memory can deliver.
func bandwidth(f *facts) claim {
	slower := f.slowerMemory()
	if slower <= 0 || f.runsAlone() || f.movesData() || f.beyondBandwidth() || !f.streams() {
		return claim{}
	}
	limit := line / f.prices.MemoryAll.NS
	moved, _ := f.moved()
	c := claim{ns: f.book.take(slower, at(reaching, AtOnce)...)}
	c.evidence = f.memoryEvidence(fmt.Sprintf("one operation moves %.3g MB and the last cache holds %.3g: at least %.3g GB/s, where all processors of this machine together read %.3g GB/s, and one %.3g",
		moved/1e6, float64(f.s.Cache)/1e6, moved/f.new.Wall, limit, line/f.prices.Memory.NS))
	return c
}

const line = 64 // bytes

// moved is how many bytes an operation moves to or from memory: those of the
// cache misses, where they are counted, or else the pages it reaches, once.
func (f *facts) moved() (bytes float64, counted bool) {
	if c := f.new.Set.Counters; c != nil && c.CacheMisses > 0 {
		return c.CacheMisses * line, true
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
	if !counted && f.one.by(cpuprof.Copy) < f.one.by(cpuprof.User) && moved/line*p.Memory.NS > 1.25*f.one.Wall {
		return false
	}
	return moved/line*p.MemoryAll.NS > f.new.Wall/3
}

// reaching are the categories whose time may be that of reaching memory.
var reaching = []cpuprof.Category{cpuprof.Copy, cpuprof.User}

// beyondBandwidth reports whether code gets slower than sharing the memory's
// bandwidth can make it: a processor that has it alone gets at most all of it,
// one of P together at least a Pth.
func (f *facts) beyondBandwidth() bool {
	cats := []cpuprof.Category{cpuprof.User, cpuprof.Copy}
	return f.new.by(cats...) > 1.25*float64(f.procs)*f.one.by(cats...)
}

// slowerMemory is what running at once adds to code that waits for memory,
// and to copies, other than on lines that goroutines share.
func (f *facts) slowerMemory() float64 {
	if f.one == nil || f.one == f.new {
		return 0
	}
	total := 0.0
	if infl := f.inflation(cpuprof.Copy); infl > inflated*f.one.by(cpuprof.Copy) {
		total += infl
	}
	if f.locked() {
		return total // the data that a lock protects
	}
	if f.memoryBound() {
		falsely, truly := f.shared()
		total += max(0, f.inflation(cpuprof.User)-falsely-truly)
	}
	return total
}

// memory are the instructions that can wait for it.
var memory = []instr.Kind{instr.Locked, instr.RMW, instr.Store, instr.Load, instr.Stream}

// memoryBound reports whether what running at once adds to the user's code is
// time behind instructions that reach memory. Other code gets slower for
// reasons of the machine: a sibling thread on its core, a lower clock.
func (f *facts) memoryBound() bool {
	infl := f.inflation(cpuprof.User)
	return f.slower() && f.new.kind(memory...)-f.one.kind(memory...) > 0.4*infl
}

// slower reports whether running at once adds to the user's code more than
// machines do to any.
func (f *facts) slower() bool {
	return f.one != nil && f.inflation(cpuprof.User) > inflated*f.one.by(cpuprof.User)
}

func (f *facts) memoryEvidence(why string) []Line {
	cats := []cpuprof.Category{cpuprof.User, cpuprof.Copy}
	out := []Line{say("the same code takes %s of processor time on one processor and %s on %d", ns(f.one.by(cats...)), ns(f.new.by(cats...)), f.v.New.Procs)}
	if h := f.hottest(memory...); h != nil {
		out = append(out, say("%s of the time is behind %s", percent(h.Where.Share), h.What.Text).at(userSite(*h)))
	} else {
		out[0] = out[0].at(f.lineOf(cpuprof.Copy))
	}
	return append(append(out, f.counted()...), Line{Text: why})
}
