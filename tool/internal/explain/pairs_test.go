package explain

import (
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// at gives what was found on the variant at procs.
func found(t *testing.T, all []Finding, procs int) Finding {
	t.Helper()
	i := slices.IndexFunc(all, func(f Finding) bool { return f.Verdict.Kind == measure.Variant && f.Verdict.New.Procs == procs })
	if i < 0 {
		t.Fatalf("no finding at %d", procs)
	}
	return all[i]
}

func (f Finding) words() string {
	var b strings.Builder
	for _, c := range f.Causes {
		b.WriteString(c.Title + "; " + c.Do + "; ")
		for _, e := range c.Evidence {
			b.WriteString(e.Text + "; ")
		}
	}
	for _, e := range f.Known {
		b.WriteString(e.Text + "; ")
	}
	return b.String()
}

// Two serial variants: the cause is in their code, and nothing is said of
// goroutines.
func TestSerialPair(t *testing.T) {
	p := healthy()
	p.wall1, p.cpu1, p.wall2, p.cpu2, p.goroutines = 30*ms, 30*ms, 30*ms, 31*ms, 0
	p.trace.Work, p.trace.Span = 30*ms, 30*ms
	p.trace.Idle = exectrace.Idle{Total: 30 * ms, Serial: 30 * ms}
	p.trace.Blocks = blocks(exectrace.Preempted, 1, 1000)
	all := p.findings(t)
	for _, procs := range []int{1, 2} {
		f := found(t, all, procs)
		if len(f.Causes) != 1 || f.Causes[0].Slug != "work" || f.Bound != nil {
			t.Errorf("at %d: %+v, bound %v; want its code alone", procs, f.Causes, f.Bound)
		}
		for _, word := range []string{"concurrent", "goroutine", "worker", "processors", "span"} {
			if w := f.words(); strings.Contains(w, word) {
				t.Errorf("at %d it speaks of a %s: %s", procs, word, w)
			}
		}
	}
	// One that waits for somebody is no serial one.
	p.trace.Blocks = blocks(exectrace.ChanReceive, 1, 1000)
	if f := found(t, p.findings(t), 2); len(f.Causes) == 0 || f.Causes[0].Slug == "work" {
		t.Errorf("%+v of a variant that waits for a channel", f.Causes)
	}
}

// A variant that beats its base and loses by running on more processors is
// explained against itself.
func TestOwnRun(t *testing.T) {
	p := healthy()
	p.wall1, p.cpu1, p.wall2, p.cpu2, p.goroutines = 2*ms, 2*ms, 5*ms, 9.8*ms, 4
	p.two = shares{stack.User: 0.2, stack.Lock: 0.8}
	p.trace.Blocks = blocks(exectrace.Mutex, 1000, 3000)
	f := found(t, p.findings(t), 2)
	if !f.Self || len(f.Causes) == 0 || f.Causes[0].Slug != "lock" || f.Useful > 2*ms {
		t.Errorf("self %t, causes %+v, needed %v; want the lock, against 2ms on one processor", f.Self, f.Causes, f.Useful)
	}
	if !strings.Contains(f.words(), "lock") {
		t.Errorf("%q says nothing of the lock", f.words())
	}
}

// A loss that no rule explains has what is known of it.
func TestKnown(t *testing.T) {
	p := healthy()
	p.wall2, p.cpu2 = 10*ms, 20*ms
	p.sharing = seenNone
	f := found(t, p.findings(t), 2)
	if len(f.Causes) != 0 || len(f.Known) == 0 || !strings.Contains(f.words(), "20.00ms") {
		t.Errorf("causes %+v, known %+v; want none, and the time it takes", f.Causes, f.Known)
	}
}

// TestLate: two goroutines of milliseconds are not too small where a processor
// comes late, and that it does is known.
func TestLate(t *testing.T) {
	p := healthy()
	p.wall2 = 10 * ms
	p.trace.RunnableWait = exectrace.Dist{N: 2, Mean: 3 * ms}
	p.trace.Idle = exectrace.Idle{Total: 10 * ms, Runnable: 9 * ms, Imbalance: 1 * ms}
	f := found(t, p.findings(t), 2)
	if len(f.Causes) != 0 || !strings.Contains(f.words(), "for 8.995ms of that a goroutine is ready") {
		t.Errorf("causes %+v, known %+v; want none, and that a processor comes late", f.Causes, f.Known)
	}
}

// A lock made of compare-and-swap is a lock, whether waiters yield or not, and
// has advice of its own.
func TestSpinLock(t *testing.T) {
	p := healthy()
	p.wall2, p.cpu2, p.goroutines = 40*ms, 79*ms, 4
	p.two = shares{stack.User: 0.5, stack.Yield: 0.3, stack.Switch: 0.2}
	p.trace.Yields = 20000
	p.trace.RunnableWait = exectrace.Dist{N: 20000, Mean: 3000}
	s, r := p.series(t)
	set := s.Evidence[measure.Cell{Bench: "BenchmarkX/variant=new", Procs: 2}]
	set.CPU.Lines = []cpuprof.Line{{Place: source.Place{Func: "m.(*lock).Lock", File: "/m/x.go", Line: 7}, Share: 0.4, By: shares{stack.User: 0.4}}}
	set.Shapes = []evidence.Shape{{Place: source.Place{File: "/m/x.go", Line: 7}, Kind: evidence.Spin}}
	f := found(t, Explain(s, r, prices, true), 2)
	if len(f.Causes) == 0 || f.Causes[0].Slug != "lock" || f.Causes[0].Share < 0.8 || f.Causes[0].Do != fit(evidence.Spin) {
		t.Errorf("%+v; want the lock, with advice on spinning", f.Causes)
	}
}
