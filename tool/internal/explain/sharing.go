package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/instr"
	"github.com/gopayoff/payoff/tool/internal/sharing"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// writes are the instructions by which goroutines can disturb each other.
var writes = []instr.Kind{instr.Locked, instr.RMW, instr.Store}

// inflated is how much more processor time user code must take at once than
// alone, in shares, before that asks for a cause: neighbours on the machine
// and the clock's rate make some per cent.
const inflated = 0.15

// shared splits what running at once adds to the user's own code: the part on
// cache lines that goroutines share falsely, and the part on words that they
// share truly. The experiments decide; without them the instructions do.
func (f *facts) shared() (falsely, truly float64) {
	if f.one == nil || f.one == f.new {
		return 0, 0
	}
	infl := f.inflation(stack.User)
	if !f.mayShare() {
		return 0, 0
	}
	x := f.sharing()
	if x == nil || x.Seen == nil {
		if f.runsAlone() {
			return 0, 0
		}
		// No experiment: plain writes of several goroutines to one word would
		// be a race, so they are taken to go to different ones.
		locked := max(0, f.new.kind(instr.Locked)-f.one.kind(instr.Locked))
		plain := max(0, f.new.kind(instr.RMW, instr.Store)-f.one.kind(instr.RMW, instr.Store))
		if loads := max(0, f.new.kind(instr.Load)-f.one.kind(instr.Load)); loads > 0 && locked+plain > 0 && f.beyondBandwidth() && f.blocks(exectrace.ChanSend, exectrace.ChanReceive, exectrace.Select) < 1 {
			// Nor did memory come along a channel: the slow loads are the
			// other side of the slow writes.
			more := 1 + loads/(locked+plain)
			locked, plain = locked*more, plain*more
		}
		return min(plain, infl), min(locked, infl-min(plain, infl))
	}
	return f.divide(infl, stack.User)
}

// mutexes are the categories in which the words of locks are written: those are
// the user's variables, though package sync writes them.
var mutexes = []stack.Category{stack.Lock, stack.RWMutex}

// sharedLocks splits what running at once adds to the words of locks as shared
// does: the part on lines on which goroutines use other words, such as another
// lock, and the part on which they use the same. Only watching them tells.
func (f *facts) sharedLocks() (falsely, truly float64) {
	if x := f.sharing(); x == nil || x.Seen == nil || !f.slowerLocks() {
		return 0, 0
	}
	return f.divide(f.slowLocks(), mutexes...)
}

// slowerLocks reports whether running at once adds to the words of locks more than
// machines do to any code, and so that it counts.
func (f *facts) slowerLocks() bool {
	return f.slowLocks() > max(inflated*f.one.by(mutexes...), least*f.lost)
}

// slowLocks is what running at once adds to locking, waits left out.
func (f *facts) slowLocks() float64 {
	infl := f.inflation(mutexes...)
	if infl <= 0 {
		return 0
	}
	return max(0, infl-f.queued())
}

// divide splits infl, which running at once adds to the categories, by what
// goroutines were seen to share, and by what moving that apart brought.
func (f *facts) divide(infl float64, cats ...stack.Category) (falsely, truly float64) {
	x := f.sharing()
	if kind, _ := x.Seen.Verdict(); kind == "none" {
		return 0, 0
	}
	apart, same := returns(x.Seen, !slices.Contains(cats, stack.User))
	if apart+same == 0 {
		return 0, 0
	}
	part := float64(apart) / float64(apart+same)
	if p := x.Pad; p != nil {
		// What padding took away was falsely shared, and where all was moved
		// that was all of it.
		less := func(ratio float64) float64 {
			return max(0, min(1, (1-1/ratio)*f.new.by(cats...)/infl))
		}
		switch {
		case p.High < 1.1 && same > 0:
			part = 0 // apart, the words are as slow
		case p.High < 1.1 && p.Low > 0.9:
			return 0, 0 // the returns that were seen do not matter
		case same > 0 && x.Whole():
			part = max(less(p.Low), min(part, less(p.High)))
		default:
			part = max(part, less(p.Low))
		}
	}
	return infl * part, infl * (1 - part)
}

// returns are those of lines at which the user's code reads and writes, or at
// which it locks: false and true ones. Where no lock meets anything, as in
// records of before, all are of the user's code.
func returns(s *sharing.Seen, locks bool) (apart, same int) {
	any := false
	for _, p := range s.Pairs {
		any = any || p.A.Lock || p.B.Lock
		if locks && !p.A.Lock && !p.B.Lock || !locks && p.A.Lock && p.B.Lock {
			continue
		}
		if p.Kind == "false" {
			apart += p.Count
		} else {
			same += p.Count
		}
	}
	if !any && !locks {
		return s.False, s.True
	}
	return apart, same
}

// lockOf reports whether the places that met most often in a way are a lock
// and something else, or a lock alone.
func (f *facts) lockOf(kind string) bool {
	p := f.met(kind)
	return p != nil && (p.A.Lock || p.B.Lock)
}

// unmet reports whether goroutines were watched, ran at once, and hardly ever came
// to a line that another one had taken.
func (f *facts) unmet() bool {
	x := f.sharing()
	if x == nil || x.Seen == nil || !x.Seen.AtOnce() {
		return false
	}
	kind, _ := x.Seen.Verdict()
	return kind == "none"
}

// besideLocks is the part of the true returns to the user's words that has to do
// with a lock on their line: who takes the lock takes them along.
func (f *facts) besideLocks() float64 {
	x := f.sharing()
	if x == nil || x.Seen == nil {
		return 0
	}
	beside, all := 0, 0
	for _, p := range x.Seen.Pairs {
		if p.Kind != "true" || p.A.Lock && p.B.Lock {
			continue
		}
		all += p.Count
		if p.A.Lock || p.B.Lock {
			beside += p.Count
		}
	}
	return float64(beside) / float64(max(all, 1))
}

// besideLock are a lock, first, and something else on its line that is lost and
// comes back with it most often; nil if there are none.
func (f *facts) besideLock() *sharing.Pair {
	x := f.sharing()
	if x == nil || x.Seen == nil {
		return nil
	}
	for _, p := range x.Seen.Pairs {
		if p.Kind == "true" && p.A.Lock != p.B.Lock {
			if p.B.Lock {
				p.A, p.B = p.B, p.A
			}
			return &p
		}
	}
	return nil
}

// manyLocks reports whether goroutines were seen to use several locks alike.
func (f *facts) manyLocks() bool {
	x := f.sharing()
	return x != nil && x.Seen != nil && x.Seen.Locks > 1
}

// mayShare reports whether what running at once adds may come from lines that
// goroutines share: it is behind instructions that reach memory, or there is
// no decoder to tell.
func (f *facts) mayShare() bool {
	return f.memoryBound() || f.slower() && len(f.new.Set.Hot) == 0
}

func (f *facts) sharing() *evidence.Sharing {
	if f.new.Set == nil {
		return nil
	}
	return f.new.Set.Sharing
}

// shareless reports that goroutines were watched and none writes where another
// reads or writes, or that nothing hints at it.
func (f *facts) shareless() bool {
	falsely, truly := f.shared()
	return falsely+truly == 0
}

// runsAlone reports that hardly ever two goroutines run at once: they cannot
// disturb each other's caches.
func (f *facts) runsAlone() bool {
	if f.trace == nil {
		return false
	}
	several := 0.0
	for k, share := range f.trace.Running {
		if k >= 2 {
			several += share
		}
	}
	return several < 0.05
}

// sharedEvidence is what falsely and truly shared lines have in common.
func (f *facts) sharedEvidence(kind string) []Line {
	cats := []stack.Category{stack.User}
	if f.lockOf(kind) {
		cats = append(cats, mutexes...)
	}
	one, now := f.one.by(cats...), f.new.by(cats...)
	out := []Line{say("the same code takes %s of processor time on one processor and %s on %d", ns(one), ns(now), f.v.New.Procs)}
	out = append(out, f.counted()...)
	slow := writes
	if f.read(kind) {
		slow = memory
	}
	if h := f.hottest(slow...); h != nil {
		out = append(out, say("%s of the time is behind the instruction %s", percent(h.Where.Share), h.What.Text).at(userSite(*h)))
	}
	x := f.sharing()
	if x == nil {
		return append(out, say("which words it reads and writes was not watched"))
	}
	if x.Seen == nil {
		for _, r := range x.Refused[:min(1, len(x.Refused))] {
			out = append(out, say("which words it reads and writes was not watched: %s", shorten(r)))
		}
		return out
	}
	if p := f.met(kind); p != nil {
		out = append(out, pairLine(*p))
	}
	switch p := x.Pad; {
	case p != nil:
		verdict := "it ran"
		if p.Low <= 1 && p.High >= 1 {
			verdict = "no difference shows:"
		}
		out = append(out, say("moved apart for a trial (%s), %s %sx as fast [%s, %s]", changes(x), verdict, figure.Ratio(p.Ratio), figure.Ratio(p.Low), figure.Ratio(p.High)))
	case kind != "false":
	case x.Why != "":
		out = append(out, say("moving them apart was not tried: %s", shorten(x.Why)))
	case len(x.Leaves) > 0:
		out = append(out, say("moving them apart was not tried: %s", changes(x)))
	}
	return out
}

// changes says what was moved apart for a trial and what was not.
func changes(x *evidence.Sharing) string {
	if x.Pad != nil && x.Pad.How != "" {
		return shorten(x.Pad.How)
	}
	var said []string
	if x.Pad != nil {
		for _, n := range x.Pad.Does {
			said = append(said, fmt.Sprintf("%s at %s %s", n.What, n.At.Short(), n.Says))
		}
	}
	for _, n := range x.Leaves {
		says := n.Says
		if !n.Reason.IsZero() {
			says += " at " + n.Reason.Short()
		}
		said = append(said, fmt.Sprintf("%s at %s stays: %s", n.What, n.At.Short(), says))
	}
	return strings.Join(said, "; ")
}

// met are the places that met most often in a way, "false" or "true"; nil if
// none did.
func (f *facts) met(kind string) *sharing.Pair {
	if all := f.allMet(kind); len(all) > 0 {
		return &all[0]
	}
	return nil
}

// allMet are the places that met in a way, most often first. That goroutines come
// to one lock in turns is what locks are for, unless they only pass by.
func (f *facts) allMet(kind string) (out []sharing.Pair) {
	x := f.sharing()
	if x == nil || x.Seen == nil {
		return nil
	}
	for _, p := range x.Seen.Pairs { // most first
		if p.Kind == kind && (kind == "false" || !p.A.Lock && !p.B.Lock || f.passing()) {
			out = append(out, p)
		}
	}
	return out
}

// metAt are the lines that met in a way, "false" or "true".
func (f *facts) metAt(kind string) (out []source.Place) {
	for _, p := range f.allMet(kind) {
		out = append(out, p.A.Place, p.B.Place)
	}
	return out
}

// read reports whether the places that met most often in a way are a writer
// and a reader.
func (f *facts) read(kind string) bool {
	p := f.met(kind)
	return p != nil && p.A.Read != p.B.Read
}

// counted is what the processor's counters say of the same code alone and at
// once: as many instructions, each slower.
func (f *facts) counted() []Line {
	a, b := f.one.Set.Counters, f.new.Set.Counters
	if a == nil || b == nil {
		return nil
	}
	return []Line{say("hardware counters: %s instructions per operation on one processor and %s on %d, at %.2f and %.2f cycles each", figure.Count(a.Instructions), figure.Count(b.Instructions), f.v.New.Procs, a.Cycles/a.Instructions, b.Cycles/b.Instructions)}
}

// hottest is the instruction of such kinds with most time in user code.
func (f *facts) hottest(kinds ...instr.Kind) *evidence.Hot {
	return f.new.hottest(kinds...)
}

func (x *Side) hottest(kinds ...instr.Kind) *evidence.Hot {
	if x == nil || x.Set == nil {
		return nil
	}
	for i, h := range x.Set.Hot {
		if h.Where.Category != stack.User || h.What.Stack {
			continue
		}
		for _, k := range kinds {
			if h.What.Kind == k {
				return &x.Set.Hot[i]
			}
		}
	}
	return nil
}

func userSite(h evidence.Hot) source.Place {
	if h.Where.User.File != "" {
		return h.Where.User
	}
	return h.Where.Place
}

// pairLine says who met.
func pairLine(p sharing.Pair) Line {
	l := say("goroutines write %s in turns", p.A.Expr)
	if p.A.Lock {
		l = say("goroutines lock %s in turns", p.A.Expr)
	}
	switch a, b := p.A, p.B; {
	case a == b:
	case a.Read != b.Read:
		if a.Read {
			a, b = b, a
		}
		l = say("a goroutine writes %s where another reads %s (%s)", a.Expr, b.Expr, b.Place.Short())
		p.A = a
	default:
		l = say("goroutines write %s and %s (%s) in turns", a.Expr, b.Expr, b.Place.Short())
	}
	if p.Kind == "false" {
		l.Text += ": different words of one cache line"
	} else {
		l.Text += ": the same word"
	}
	return l.at(p.A.Place)
}
