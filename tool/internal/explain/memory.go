package explain

import (
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/instr"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// reaching are the categories whose time may be that of reaching memory.
var reaching = []stack.Category{stack.Copy, stack.User}

// beyondBandwidth reports whether code gets slower than sharing the memory's
// bandwidth can make it: a processor that has it alone gets at most all of it,
// one of P together at least a Pth.
func (f *facts) beyondBandwidth() bool {
	cats := []stack.Category{stack.User, stack.Copy}
	return f.new.by(cats...) > 1.25*float64(f.procs)*f.one.by(cats...)
}

// slowerMemory is what running at once adds to code that waits for memory,
// and to copies, other than on lines that goroutines share.
func (f *facts) slowerMemory() float64 {
	if f.one == nil || f.one == f.new {
		return 0
	}
	total := 0.0
	if infl := f.inflation(stack.Copy); infl > inflated*f.one.by(stack.Copy) {
		total += infl
	}
	if f.locked() {
		return total // the data that a lock protects
	}
	if f.memoryBound() {
		falsely, truly := f.shared()
		total += max(0, f.inflation(stack.User)-falsely-truly)
	}
	return total
}

// memory are the instructions that can wait for it.
var memory = []instr.Kind{instr.Locked, instr.RMW, instr.Store, instr.Load, instr.Stream}

// memoryBound reports whether what running at once adds to the user's code is
// time behind instructions that reach memory. Other code gets slower for
// reasons of the machine: a sibling thread on its core, a lower clock.
func (f *facts) memoryBound() bool {
	infl := f.inflation(stack.User)
	return f.slower() && f.new.kind(memory...)-f.one.kind(memory...) > 0.4*infl
}

// slower reports whether running at once adds to the user's code more than
// machines do to any.
func (f *facts) slower() bool {
	return f.one != nil && f.inflation(stack.User) > inflated*f.one.by(stack.User)
}

func (f *facts) memoryEvidence(why string) []Line {
	cats := []stack.Category{stack.User, stack.Copy}
	out := []Line{say("the same code takes %s of processor time on one processor and %s on %d", ns(f.one.by(cats...)), ns(f.new.by(cats...)), f.v.New.Procs)}
	if h := f.hottest(memory...); h != nil {
		out = append(out, say("%s of the time is behind %s", percent(h.Where.Share), h.What.Text).at(userSite(*h)))
	} else {
		out[0] = out[0].at(f.lineOf(stack.Copy))
	}
	return append(append(out, f.counted()...), Line{Text: why})
}

// movesData reports whether goroutines resume often enough for that to matter:
// a cache that must be filled again costs a processor from some hundred
// nanoseconds, for a few lines, to some hundred microseconds, for all of it.
func (f *facts) movesData() bool {
	if f.trace == nil {
		return false
	}
	moves := f.blocks(exectrace.ChanReceive, exectrace.ChanSend, exectrace.Select)
	slower := f.slowerMemory()
	return moves >= 1 && slower/moves > 200 && slower/moves < 500e3
}

// rmwBound reports whether the user's code on one processor spends its time
// behind read-modify-writes, and the base does not.
func (f *facts) rmwBound() bool {
	return f.one != nil && f.one.updates()-f.base.updates() >= 0.3*f.overhead(stack.User)
}

// smallHeap is the heap, in bytes, under which collections come as often as
// under any: their number then is the price of allocating.
const smallHeap = 4 << 20

// marksMuch reports whether what lives in the heap decides how much the
// collector has to do.
func (f *facts) marksMuch() bool { return f.new.Live > smallHeap && f.new.Cycles > 0 }
