package explain

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/instr"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/judge/judgetest"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/sharing"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

const ms = judgetest.MS

type (
	shares = judgetest.Shares
	world  = judgetest.World
)

var (
	prices   = judgetest.Prices
	measured = judgetest.Measured
	line     = judgetest.Line
	blocks   = judgetest.Blocks
)

// A program is what was measured of a variant: per operation, on one
// processor and on two. The base computes for 10ms.
type program struct {
	wall1, cpu1, wall2, cpu2 float64
	goroutines               float64
	one, two                 shares
	base                     shares // {user: 1} if nil
	hot1, hot2               []evidence.Hot
	trace                    exectrace.Facts // of one operation
	sharing                  *evidence.Sharing
	own, common              float64
	got                      float32
	given                    float64
	more                     func(*measure.Series) // changes what was measured; nil for nothing
}

func hot(kind instr.Kind, share float64) []evidence.Hot {
	return []evidence.Hot{{
		Where: cpuprof.Hot{Category: stack.User, Share: share, User: source.Place{File: "/m/x.go", Line: 7}},
		What:  instr.Hot{Kind: kind, Text: "OP"},
	}}
}

// series is what a run measured of a program.
func (p program) series(t *testing.T) (*measure.Series, judge.Result) {
	t.Helper()
	names := []string{"BenchmarkX/variant=serial", "BenchmarkX/variant=new"}
	s := &measure.Series{Package: "p", Procs: []int{1, 2}, Usable: 2, Families: discover.Families(names, discover.Hints{}), Evidence: map[measure.Cell]*evidence.Set{}}
	if p.given > 0 {
		s.Given = map[int]float64{1: 1, 2: p.given}
	}
	if p.got == 0 {
		p.got = 1
	}
	add := func(bench string, procs int, wall, cpu, goroutines float64, by shares, hot []evidence.Hot) *evidence.Set {
		c := measure.Cell{Bench: bench, Procs: procs}
		for round := range 12 {
			ripple := 1 + 0.002*math.Sin(float64(round*procs))
			s.Add(c, measure.Sample{Round: int32(round + 1), Layout: int32(round), N: 100, Wall: wall * ripple, CPU: cpu, Goroutines: float32(goroutines), Got: p.got, Others: float32(math.NaN())})
		}
		set := &evidence.Set{Bench: bench, Procs: procs, Profiled: &evidence.Run{N: 100, Wall: wall, CPU: cpu}, CPU: &cpuprof.Digest{Samples: 200, Share: by}, Hot: hot}
		s.Evidence[c] = set
		return set
	}
	base := p.base
	if base == nil {
		base = shares{stack.User: 1}
	}
	for _, procs := range s.Procs {
		add(names[0], procs, 10*ms, 10*ms, 0, base, nil)
	}
	add(names[1], 1, p.wall1, p.cpu1, p.goroutines, p.one, p.hot1)
	two := add(names[1], 2, p.wall2, p.cpu2, p.goroutines, p.two, p.hot2)
	trace := p.trace
	trace.Window = p.wall2
	trace.Procs = 2
	if trace.Running == nil {
		trace.Running = []float64{0, 0.2, 0.8}
	}
	two.CPU.Own, two.CPU.Common = p.own, p.common
	two.Trace, two.Traced, two.Sharing = &trace, &evidence.Run{N: 1, Wall: p.wall2}, p.sharing
	one := trace
	one.Procs, one.Window, one.Idle, one.Running = 1, p.wall1, exectrace.Idle{}, []float64{0, 1}
	if p.cpu1 < p.wall1/2 {
		one.Idle = exectrace.Idle{Total: p.wall1 - p.cpu1, Waiting: p.wall1 - p.cpu1, Sleep: p.wall1 - p.cpu1}
	}
	set := s.Evidence[measure.Cell{Bench: names[1], Procs: 1}]
	set.Trace, set.Traced = &one, &evidence.Run{N: 1, Wall: p.wall1}
	if p.more != nil {
		p.more(s)
	}
	return s, judge.Judge(s, stats.DefaultRule, stats.DefaultBounds)
}

// findings explains a program as a run would.
func (p program) findings(t *testing.T) []Finding {
	t.Helper()
	s, r := p.series(t)
	return Explain(s, r, prices, true)
}

// slugs are the causes of the variant at procs.
func slugs(t *testing.T, all []Finding, procs int) []string {
	t.Helper()
	i := slices.IndexFunc(all, func(f Finding) bool {
		return f.Verdict.Kind == measure.Variant && f.Verdict.New.Procs == procs
	})
	if i < 0 {
		t.Fatalf("no finding at %d", procs)
	}
	out := []string{}
	placed := map[string]float64{}
	for _, l := range all[i].Losses {
		placed[l.Slug] += l.NS
	}
	for _, c := range all[i].Causes {
		out = append(out, c.Slug)
		if math.Abs(placed[c.Slug]-c.NS) > 1e-9*c.NS {
			t.Errorf("%s took %v, at all places together %v", c.Slug, c.NS, placed[c.Slug])
		}
		if c.Share <= 0 || c.Share > 1 || c.Title == "" || c.Do == "" || len(c.Evidence) == 0 {
			t.Errorf("%+v: want a share, a title, advice and evidence", c)
		}
		for _, e := range c.Evidence {
			if e.Text == "" || strings.Contains(e.Text, "%!") || strings.Contains(e.Text, "NaN") {
				t.Errorf("%s: evidence %q", c.Slug, e.Text)
			}
		}
		if strings.Contains(c.Price, "NaN") || strings.Contains(c.Price, "%!") || strings.Contains(c.Price, "Inf") {
			t.Errorf("%s: price %q", c.Slug, c.Price)
		}
	}
	return out
}

// healthy is twice as fast on two processors.
func healthy() program {
	return program{wall1: 10 * ms, cpu1: 10 * ms, wall2: 5 * ms, cpu2: 10 * ms, goroutines: 2,
		one: shares{stack.User: 1}, two: shares{stack.User: 1}}
}

var seenFalse = &evidence.Sharing{Seen: &sharing.Seen{Writes: 1000, False: 400, Pairs: []sharing.Pair{{Kind: "false", Count: 400, A: sharing.Site{Expr: "s[w]", Place: source.Place{File: "/m/x.go", Line: 7}}}}}}
var seenTrue = &evidence.Sharing{Seen: &sharing.Seen{Writes: 1000, True: 400, Pairs: []sharing.Pair{{Kind: "true", Count: 400, A: sharing.Site{Expr: "n", Place: source.Place{File: "/m/x.go", Line: 7}}}}}}
var seenReader = &evidence.Sharing{Seen: &sharing.Seen{Writes: 500, Reads: 500, False: 400, Pairs: []sharing.Pair{{Kind: "false", Count: 400,
	A: sharing.Site{Expr: "s.hits", Place: source.Place{File: "/m/x.go", Line: 7}}, B: sharing.Site{Expr: "s.open", Place: source.Place{File: "/m/x.go", Line: 9}, Read: true}}}}}
var seenPublished = &evidence.Sharing{Seen: &sharing.Seen{Writes: 500, Reads: 500, True: 400, Pairs: []sharing.Pair{{Kind: "true", Count: 400,
	A: sharing.Site{Expr: "p", Place: source.Place{File: "/m/x.go", Line: 9}, Read: true}, B: sharing.Site{Expr: "p", Place: source.Place{File: "/m/x.go", Line: 7}}}}}}
var seenNone = &evidence.Sharing{Seen: &sharing.Seen{Writes: 1000}}

// seenLocks are so many locks in use, that met so often as neighbours on a line and as
// themselves.
func seenLocks(n, falsely, truly int) *evidence.Sharing {
	mu := sharing.Site{Expr: "s.mu", Lock: true, Place: source.Place{File: "/m/x.go", Line: 7}}
	x := &sharing.Seen{Writes: 1000, Switches: 600, Locks: n, False: falsely, True: truly}
	for _, p := range []sharing.Pair{{A: mu, B: mu, Kind: "false", Count: falsely}, {A: mu, B: mu, Kind: "true", Count: truly}} {
		if p.Count > 0 {
			x.Pairs = append(x.Pairs, p)
		}
	}
	return &evidence.Sharing{Seen: x}
}

// locking takes locks for 3 ms on one processor and for far more on two, at which
// nobody waits.
func locking(cat stack.Category, x *evidence.Sharing) func(*program) {
	return func(p *program) {
		p.wall1, p.cpu1, p.wall2, p.cpu2 = 13*ms, 13*ms, 20*ms, 40*ms
		p.one = shares{stack.User: 10. / 13, cat: 3. / 13}
		p.two = shares{stack.User: 10. / 40, cat: 30. / 40}
		p.sharing = x
	}
}

// patient returns a program of which most is on a line that looks: it looks for
// long before it yields to others that are ready. It is then changed.
func patient(change func(*program)) func(*program) {
	return func(p *program) {
		p.wall1, p.cpu1, p.wall2, p.cpu2 = 60*ms, 60*ms, 40*ms, 79*ms
		p.trace.Yields = 9000
		p.trace.RunnableWait = exectrace.Dist{N: 10000, Mean: 6000}
		p.hot1, p.hot2 = hot(instr.Load, 0.9), hot(instr.Load, 0.9)
		p.sharing = seenNone
		p.more = func(s *measure.Series) {
			at := source.Place{File: "/m/x.go", Line: 7}
			for c, set := range s.Evidence {
				share := 0.95
				if strings.Contains(c.Bench, "serial") {
					share = 0
				}
				set.CPU.Lines = []cpuprof.Line{{Place: at, Share: share, By: shares{stack.User: share}}}
				set.Shapes = []evidence.Shape{{Place: at, Kind: evidence.Look}}
			}
		}
		if change != nil {
			change(p)
		}
		p.trace.UserRun = 60 * ms
	}
}

// TestRules: each mechanism has its cause, first on two processors and first
// on one ("" where one processor shows nothing).
func TestRules(t *testing.T) {
	for _, tt := range []struct {
		name     string
		one, two string
		p        func(*program)
	}{
		{"healthy", "", "", func(p *program) {}},
		{"packed atomics", "rmw", "falseshare", func(p *program) {
			p.wall1, p.cpu1, p.wall2, p.cpu2 = 50*ms, 50*ms, 200*ms, 400*ms
			p.hot1, p.hot2 = hot(instr.Locked, 0.95), hot(instr.Locked, 0.95)
			p.sharing = seenFalse
		}},
		{"one atomic", "rmw", "trueshare", func(p *program) {
			p.wall1, p.cpu1, p.wall2, p.cpu2 = 50*ms, 50*ms, 200*ms, 400*ms
			p.hot1, p.hot2 = hot(instr.Locked, 0.95), hot(instr.Locked, 0.95)
			p.sharing = seenTrue
		}},
		{"locks of different owners on one line", "lock", "falseshare", locking(stack.Lock, seenLocks(2, 400, 0))},
		{"many locks, some on one line", "lock", "falseshare", locking(stack.Lock, seenLocks(32, 300, 100))},
		{"many locks, each by all in turns", "lock", "trueshare", locking(stack.Lock, seenLocks(32, 0, 400))},
		{"one lock by all in turns", "lock", "lock", locking(stack.Lock, seenLocks(1, 0, 400))},
		{"locks that nobody watched", "lock", "lock", locking(stack.Lock, nil)},
		{"locks, as records of before have them", "lock", "lock", locking(stack.Lock, seenTrue)},
		{"many locks that goroutines wait for", "lock", "lock", func(p *program) {
			locking(stack.Lock, seenLocks(32, 300, 100))(p)
			p.trace.Blocks = blocks(exectrace.Mutex, 10000, 15000)
		}},
		{"many locks, tried again and again", "lock", "lock", func(p *program) {
			locking(stack.Lock, seenLocks(32, 300, 100))(p)
			p.hot2 = []evidence.Hot{{Where: cpuprof.Hot{Category: stack.Lock, Share: 0.6, Place: source.Place{Func: "internal/sync.(*Mutex).lockSlow"}}}}
		}},
		{"readers of locks on one line", "rwmutex", "falseshare", locking(stack.RWMutex, seenLocks(32, 400, 0))},
		{"readers of one lock", "rwmutex", "rwmutex", locking(stack.RWMutex, seenLocks(1, 0, 400))},
		{"a lock that is no matter beside an atomic that is", "rmw", "trueshare", func(p *program) {
			p.wall1, p.cpu1, p.wall2, p.cpu2 = 50*ms, 50*ms, 200*ms, 400*ms
			p.hot1, p.hot2 = hot(instr.Locked, 0.95), hot(instr.Locked, 0.95)
			x := *seenLocks(1, 0, 500).Seen
			x.True, x.Pairs = 900, append(x.Pairs, seenTrue.Seen.Pairs...)
			p.sharing = &evidence.Sharing{Seen: &x}
		}},
		{"plain words, not watched", "rmw", "falseshare", func(p *program) {
			p.wall1, p.cpu1, p.wall2, p.cpu2 = 20*ms, 20*ms, 60*ms, 120*ms
			p.hot1, p.hot2 = hot(instr.RMW, 0.9), hot(instr.RMW, 0.9)
		}},
		{"padding cured it", "rmw", "falseshare", func(p *program) {
			p.wall1, p.cpu1, p.wall2, p.cpu2 = 20*ms, 20*ms, 60*ms, 120*ms
			p.hot1, p.hot2 = hot(instr.Locked, 0.9), hot(instr.Locked, 0.9)
			x := *seenTrue.Seen
			x.False = 300
			p.sharing = &evidence.Sharing{Seen: &x, Pad: &evidence.Trial{How: "padding", Ratio: 6, Low: 5, High: 7, Pairs: 8}}
		}},
		{"padding did nothing", "rmw", "trueshare", func(p *program) {
			p.wall1, p.cpu1, p.wall2, p.cpu2 = 20*ms, 20*ms, 60*ms, 120*ms
			p.hot1, p.hot2 = hot(instr.Locked, 0.9), hot(instr.Locked, 0.9)
			x := *seenFalse.Seen
			x.True = 300
			p.sharing = &evidence.Sharing{Seen: &x, Pad: &evidence.Trial{How: "padding", Ratio: 1, Low: 0.97, High: 1.03, Pairs: 8}}
		}},
		{"padding took a little of it", "rmw", "trueshare", func(p *program) {
			p.wall1, p.cpu1, p.wall2, p.cpu2 = 20*ms, 20*ms, 60*ms, 120*ms
			p.hot1, p.hot2 = hot(instr.Locked, 0.9), hot(instr.Locked, 0.9)
			p.sharing = &evidence.Sharing{Seen: &sharing.Seen{Writes: 1000, False: 300, True: 290}, Pad: &evidence.Trial{How: "padding", Ratio: 1.12, Low: 1.07, High: 1.2, Pairs: 8}}
		}},
		{"padding of a part took a little of it", "rmw", "falseshare", func(p *program) {
			p.wall1, p.cpu1, p.wall2, p.cpu2 = 20*ms, 20*ms, 60*ms, 120*ms
			p.hot1, p.hot2 = hot(instr.Locked, 0.9), hot(instr.Locked, 0.9)
			p.sharing = &evidence.Sharing{Seen: &sharing.Seen{Writes: 1000, False: 400, True: 290}, Pad: &evidence.Trial{How: "padding; x at /m/x.go:7:2 stays: it is a parameter", Ratio: 1.12, Low: 1.07, High: 1.2, Pairs: 8}}
		}},
		{"returns that padding shows not to matter", "", "", func(p *program) {
			p.wall1, p.cpu1, p.wall2, p.cpu2 = 10*ms, 10*ms, 9*ms, 18*ms
			p.hot1, p.hot2 = hot(instr.Load, 0.8), hot(instr.Load, 0.9)
			x := *seenReader.Seen
			p.sharing = &evidence.Sharing{Seen: &x, Pad: &evidence.Trial{How: "padding", Ratio: 1, Low: 0.97, High: 1.03, Pairs: 8}}
		}},
		{"a flag beside a counter", "", "falseshare", func(p *program) {
			p.wall1, p.cpu1, p.wall2, p.cpu2 = 10*ms, 10*ms, 18*ms, 35*ms
			p.hot1, p.hot2 = hot(instr.Load, 0.8), hot(instr.Load, 0.9)
			p.sharing = seenReader
		}},
		{"a word that is published", "", "trueshare", func(p *program) {
			p.wall1, p.cpu1, p.wall2, p.cpu2 = 10*ms, 10*ms, 18*ms, 35*ms
			p.hot1, p.hot2 = hot(instr.Load, 0.8), hot(instr.Load, 0.9)
			p.sharing = seenPublished
		}},
		{"a flag beside a counter, not watched", "", "trueshare", func(p *program) {
			p.wall1, p.cpu1, p.wall2, p.cpu2 = 10*ms, 10*ms, 18*ms, 35*ms
			p.hot1, p.hot2 = slices.Concat(hot(instr.Locked, 0.3), hot(instr.Load, 0.5)), slices.Concat(hot(instr.Locked, 0.3), hot(instr.Load, 0.6))
		}},
		{"read-modify-writes into lines apart", "rmw", "rmw", func(p *program) {
			p.wall1, p.cpu1, p.wall2, p.cpu2 = 50*ms, 50*ms, 25*ms, 50*ms
			p.hot1, p.hot2 = hot(instr.Locked, 0.95), hot(instr.Locked, 0.95)
			p.sharing = seenNone
		}},
		{"channels", "handoff", "handoff", func(p *program) {
			p.wall1, p.cpu1, p.wall2, p.cpu2 = 100*ms, 100*ms, 120*ms, 150*ms
			p.one = shares{stack.User: 0.1, stack.Chan: 0.7, stack.Switch: 0.2}
			p.two = shares{stack.User: 0.07, stack.Chan: 0.4, stack.Switch: 0.13, stack.Idle: 0.4}
			p.trace.Blocks = blocks(exectrace.ChanReceive, 100000, 500)
			p.trace.Run = exectrace.Dist{N: 100000, Median: 300}
			p.trace.Idle = exectrace.Idle{Total: 90 * ms, Handoff: 30 * ms, Runnable: 60 * ms}
		}},
		{"a goroutine for each item", "grain", "grain", func(p *program) {
			p.wall1, p.cpu1, p.wall2, p.cpu2, p.goroutines = 60*ms, 60*ms, 50*ms, 90*ms, 100000
			p.one = shares{stack.User: 0.17, stack.Spawn: 0.7, stack.WaitGroup: 0.13}
			p.two = shares{stack.User: 0.12, stack.Spawn: 0.7, stack.WaitGroup: 0.13, stack.Idle: 0.05}
			p.trace.Life = exectrace.Dist{N: 100000, Median: 130}
			p.trace.Idle = exectrace.Idle{Total: 10 * ms, Serial: 10 * ms}
		}},
		{"a mutex", "", "lock", func(p *program) {
			p.wall2, p.cpu2, p.goroutines = 60*ms, 115*ms, 100
			p.two = shares{stack.User: 0.1, stack.Lock: 0.65, stack.Idle: 0.15, stack.Map: 0.1}
			p.trace.Blocks = blocks(exectrace.Mutex, 1000, 15000)
			p.trace.Idle = exectrace.Idle{Total: 5 * ms, Lock: 5 * ms}
		}},
		{"a long critical section", "", "lock", func(p *program) {
			p.wall2, p.cpu2, p.goroutines = 10*ms, 10*ms, 4
			p.trace.Blocks = blocks(exectrace.Mutex, 50, 85000)
			p.trace.Idle = exectrace.Idle{Total: 9 * ms, Lock: 8 * ms, Runnable: 1 * ms}
		}},
		{"a queue with a condition", "handoff", "handoff", func(p *program) {
			p.wall1, p.cpu1, p.wall2, p.cpu2 = 60*ms, 60*ms, 60*ms, 100*ms
			p.one = shares{stack.User: 0.17, stack.Cond: 0.5, stack.Lock: 0.1, stack.Switch: 0.23}
			p.two = shares{stack.User: 0.1, stack.Cond: 0.4, stack.Lock: 0.3, stack.Idle: 0.2}
			p.trace.Blocks = append(blocks(exectrace.Cond, 4000, 5000), blocks(exectrace.Mutex, 1500, 2000)...)
			p.trace.Idle = exectrace.Idle{Total: 20 * ms, Lock: 15 * ms, Runnable: 5 * ms}
		}},
		{"a lock with a condition at its side", "", "lock", func(p *program) {
			p.wall2, p.cpu2, p.goroutines = 60*ms, 115*ms, 100
			p.two = shares{stack.User: 0.1, stack.Lock: 0.65, stack.Idle: 0.15, stack.Map: 0.1}
			p.trace.Blocks = append(blocks(exectrace.Mutex, 1000, 15000), blocks(exectrace.Cond, 10, 5000)...)
			p.trace.Idle = exectrace.Idle{Total: 5 * ms, Lock: 5 * ms}
		}},
		{"readers of a RWMutex", "", "rwmutex", func(p *program) {
			p.one = shares{stack.User: 0.9, stack.RWMutex: 0.1}
			p.wall2, p.cpu2 = 30*ms, 59*ms
			p.two = shares{stack.User: 0.2, stack.RWMutex: 0.8}
		}},
		{"writers of a RWMutex", "", "lock", func(p *program) {
			p.wall2, p.cpu2 = 30*ms, 59*ms
			p.two = shares{stack.User: 0.2, stack.RWMutex: 0.8}
			p.trace.Blocks = blocks(exectrace.RWMutex, 20000, 2000)
		}},
		{"nine tenths to one worker", "", "imbalance", func(p *program) {
			p.wall2 = 9 * ms
			p.trace.Work, p.trace.Span = 10*ms, 9*ms
			p.trace.Idle = exectrace.Idle{Total: 8 * ms, Imbalance: 7.8 * ms, Runnable: 0.2 * ms}
		}},
		{"a serial prefix", "", "serial", func(p *program) {
			p.wall2 = 8 * ms
			p.trace.Work, p.trace.Span = 10*ms, 8*ms
			p.trace.Idle = exectrace.Idle{Total: 6 * ms, Serial: 6 * ms}
		}},
		{"sleeps", "waiting", "waiting", func(p *program) {
			p.wall1, p.cpu1, p.wall2, p.cpu2 = 60*ms, 1*ms, 60*ms, 1*ms
			p.trace.Blocks = blocks(exectrace.Sleep, 60, 1e6)
			p.trace.Idle = exectrace.Idle{Total: 119 * ms, Waiting: 118 * ms, Sleep: 118 * ms, Runnable: 1 * ms}
			p.trace.Running = []float64{0.98, 0.02, 0}
		}},
		{"yielding", "", "oversubscription", func(p *program) {
			p.wall2, p.cpu2 = 40*ms, 79*ms
			p.two = shares{stack.User: 0.15, stack.Yield: 0.5, stack.Switch: 0.35}
			p.trace.Yields = 50000
			p.trace.RunnableWait = exectrace.Dist{N: 50000, Mean: 3000}
		}},
		{"yielding to nobody", "", "", func(p *program) {
			p.wall2, p.cpu2 = 40*ms, 79*ms
			p.two = shares{stack.User: 0.15, stack.Yield: 0.5, stack.Switch: 0.35}
			p.trace.Yields = 50000
		}},
		{"spinning out time slices", "", "oversubscription", func(p *program) {
			p.wall2, p.cpu2 = 40*ms, 79*ms
			p.trace.Preempted = 8
			p.trace.RunnableWait = exectrace.Dist{N: 8, Mean: 10 * ms}
			p.hot2 = hot(instr.Load, 0.9)
			p.sharing = seenNone
		}},
		{"looking before a yield", "oversubscription", "oversubscription", patient(nil)},
		{"looking until the time slice is over", "oversubscription", "oversubscription", patient(func(p *program) {
			p.trace.Yields, p.trace.Preempted = 0, 5
			p.trace.RunnableWait = exectrace.Dist{N: 10, Mean: 10 * ms}
		})},
		{"looking on one processor, updates on two", "oversubscription", "", patient(func(p *program) {
			p.wall2, p.cpu2 = 10*ms, 19*ms
			p.hot2 = hot(instr.Locked, 0.95)
		})},
		{"looking while nobody is ready", "work", "work", patient(func(p *program) { p.trace.RunnableWait.Mean = 10 })},
		{"looking, and turns that end otherwise", "work", "work", patient(func(p *program) { p.trace.Yields = 1000 })},
		{"looks among more work", "work", "work", patient(func(p *program) {
			looks := p.more
			p.more = func(s *measure.Series) {
				looks(s)
				for _, set := range s.Evidence {
					set.CPU.Lines[0].By = shares{stack.User: 0.4}
				}
			}
		})},
		{"looks that find, and updates", "rmw", "rmw", patient(func(p *program) { p.hot1, p.hot2 = hot(instr.Locked, 0.8), hot(instr.Locked, 0.8) })},
		{"a loop of loads that does not wait", "work", "work", patient(func(p *program) { p.more = nil })},
		{"allocation", "alloc", "alloc", func(p *program) {
			p.wall1, p.cpu1, p.wall2, p.cpu2 = 60*ms, 60*ms, 40*ms, 75*ms
			p.one = shares{stack.User: 0.17, stack.Alloc: 0.6, stack.GC: 0.23}
			p.two = shares{stack.User: 0.13, stack.Alloc: 0.6, stack.GC: 0.27}
		}},
		{"reflection", "reflection", "reflection", func(p *program) {
			p.wall1, p.cpu1, p.wall2, p.cpu2 = 60*ms, 60*ms, 31*ms, 61*ms
			p.one = shares{stack.User: 0.05, stack.Reflect: 0.95}
			p.two = p.one
		}},
		{"sort.Interface", "interfacesort", "interfacesort", func(p *program) {
			p.wall1, p.cpu1, p.wall2, p.cpu2 = 60*ms, 60*ms, 31*ms, 61*ms
			p.one = shares{stack.User: 0.1, stack.Sort: 0.9}
			p.two = p.one
		}},
		{"system calls", "syscalls", "syscalls", func(p *program) {
			p.wall1, p.cpu1, p.wall2, p.cpu2 = 60*ms, 60*ms, 40*ms, 70*ms
			p.one = shares{stack.User: 0.1, stack.Syscall: 0.9}
			p.two = shares{stack.User: 0.1, stack.Syscall: 0.6, stack.Idle: 0.3}
			p.trace.Syscalls, p.trace.Syscall = 50000, 40*ms
			p.trace.Blocks = blocks(exectrace.Syscall, 1000, 20000)
			p.trace.Idle = exectrace.Idle{Total: 30 * ms, Syscall: 10 * ms, Waiting: 10 * ms, Runnable: 20 * ms}
		}},
		{"memory bandwidth", "", "bandwidth", func(p *program) {
			p.wall2, p.cpu2 = 10*ms, 20*ms
			p.hot1, p.hot2 = hot(instr.Load, 0.8), hot(instr.Load, 0.9)
			p.sharing = seenNone
			p.more = moves(200e6)
		}},
		{"copies beyond the bandwidth", "", "bandwidth", func(p *program) {
			p.base, p.one, p.two = shares{stack.Copy: 1}, shares{stack.Copy: 1}, shares{stack.Copy: 1}
			p.wall2, p.cpu2 = 10*ms, 20*ms
			p.more = moves(400e6)
		}},
		{"far slower than bandwidth can make it", "", "affinity", func(p *program) {
			p.wall2, p.cpu2 = 25*ms, 48*ms
			p.hot1, p.hot2 = hot(instr.Load, 0.8), hot(instr.Load, 0.95)
			p.sharing = seenNone
		}},
		{"goroutines that return over a channel", "grain", "grain", func(p *program) {
			p.wall1, p.cpu1, p.wall2, p.cpu2, p.goroutines = 60*ms, 60*ms, 50*ms, 90*ms, 50000
			p.one = shares{stack.User: 0.17, stack.Spawn: 0.45, stack.Chan: 0.38} // 460ns of channel, three times the price of a hand-off
			p.two = p.one
			p.trace.Blocks = blocks(exectrace.ChanReceive, 50000, 500)
			p.trace.Idle = exectrace.Idle{Total: 10 * ms, Handoff: 10 * ms}
		}},
		{"items over a buffered channel, where goroutines block once", "handoff", "handoff", func(p *program) {
			p.wall1, p.cpu1, p.wall2, p.cpu2, p.goroutines = 60*ms, 60*ms, 50*ms, 90*ms, 3000
			p.one = shares{stack.User: 0.17, stack.Spawn: 0.25, stack.Chan: 0.58} // 11.6µs of channel per goroutine
			p.two = shares{stack.User: 0.12, stack.Spawn: 0.2, stack.Chan: 0.5, stack.Idle: 0.18}
			p.trace.Blocks = blocks(exectrace.ChanReceive, 3000, 500)
			p.trace.Idle = exectrace.Idle{Total: 10 * ms, Runnable: 10 * ms}
		}},
		{"jobs from a full buffer, where nobody blocks", "handoff", "handoff", func(p *program) {
			p.wall1, p.cpu1, p.wall2, p.cpu2, p.goroutines = 60*ms, 60*ms, 50*ms, 90*ms, 2
			p.one = shares{stack.User: 0.17, stack.Chan: 0.83}
			p.two = shares{stack.User: 0.12, stack.Chan: 0.7, stack.Idle: 0.18}
			p.trace.Blocks = blocks(exectrace.WaitGroup, 1, 50*ms)
			p.trace.Idle = exectrace.Idle{Total: 10 * ms, Runnable: 10 * ms}
		}},
		{"buffers passed on", "", "affinity", func(p *program) {
			p.wall2, p.cpu2 = 10*ms, 20*ms
			p.hot1, p.hot2 = hot(instr.Load, 0.8), hot(instr.Load, 0.9)
			p.sharing = seenNone
			p.trace.Blocks = blocks(exectrace.ChanReceive, 300, 20000)
			p.trace.Resumptions, p.trace.SameProc = 300, 0.4
		}},
		{"more work", "work", "work", func(p *program) {
			p.wall1, p.cpu1, p.wall2, p.cpu2 = 60*ms, 60*ms, 30*ms, 60*ms
		}},
		{"a little slower, as profiles differ", "", "", func(p *program) {
			p.wall1, p.cpu1 = 11.3*ms, 11.3*ms
			p.base, p.one, p.two = shares{stack.User: 0.5, stack.Alloc: 0.5}, shares{stack.User: 0.5, stack.Alloc: 0.5}, shares{stack.User: 0.5, stack.Alloc: 0.5}
		}},
		{"a look at a channel for each item", "work", "work", func(p *program) {
			p.wall1, p.cpu1, p.wall2, p.cpu2 = 60*ms, 60*ms, 30*ms, 60*ms
			p.one = shares{stack.User: 0.2, stack.Select: 0.8}
			p.two = p.one
			p.trace.Blocks = blocks(exectrace.ChanReceive, 2, 1000)
		}},
		{"the caller has the larger half", "", "imbalance", func(p *program) {
			p.wall2 = 9 * ms
			p.own, p.common = 0.9, 0.88
			p.trace.Work, p.trace.Span = 10*ms, 9*ms
			p.trace.Idle = exectrace.Idle{Total: 8 * ms, Serial: 8 * ms, Forked: 7.9 * ms}
		}},
		{"the caller goes on alone with something else", "", "serial", func(p *program) {
			p.wall2 = 9 * ms
			p.own, p.common = 0.9, 0.1
			p.trace.Work, p.trace.Span = 10*ms, 9*ms
			p.trace.Idle = exectrace.Idle{Total: 8 * ms, Serial: 8 * ms, Forked: 7.9 * ms}
		}},
		{"a slow stage beside short ones that are ready", "", "imbalance", func(p *program) {
			p.wall2 = 9.5 * ms
			p.trace.Work, p.trace.Span = 10*ms, 9*ms
			p.trace.Blocks = blocks(exectrace.ChanReceive, 40, 80000)
			p.trace.Idle = exectrace.Idle{Total: 9 * ms, Runnable: 8.5 * ms, Imbalance: 0.5 * ms}
			p.trace.Beside = exectrace.Beside{Imbalance: 8 * ms}
			p.trace.Late = 0.1 * ms
		}},
		{"slow for no reason that shows", "", "", func(p *program) {
			p.wall2, p.cpu2 = 10*ms, 20*ms
			p.sharing = seenNone
		}},
		{"a machine that did not give the processors", "", "machine", func(p *program) {
			p.given, p.wall2, p.cpu2 = 1.1, 50*ms, 60*ms
			p.two = shares{stack.Chan: 1}
		}},
		{"code that lies well or badly", "layout", "", func(p *program) {
			p.wall1, p.cpu1 = 11.3*ms, 11.3*ms
			p.more = layouts(0.15)
		}},
		{"time that others took", "", "", func(p *program) {
			p.wall2, p.got = 9.5*ms, 0.53
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := healthy()
			tt.p(&p)
			all := p.findings(t)
			for procs, want := range map[int]string{1: tt.one, 2: tt.two} {
				got := slugs(t, all, procs)
				if first := strings.Join(got[:min(1, len(got))], ""); first != want {
					t.Errorf("at %d: causes %q, want %q first", procs, got, want)
				}
			}
		})
	}
}

// What costs by waiting shows that first, and no processor time of 0%.
func TestEvidenceThatWaits(t *testing.T) {
	for _, tt := range []struct {
		slug, first string
		p           func(*program)
	}{
		{"grain", "2000 goroutines start per operation; 5.000ms are switches and idle processors", func(p *program) {
			p.wall2, p.goroutines = 9*ms, 2000
			p.trace.Idle = exectrace.Idle{Total: 8 * ms, Runnable: 8 * ms}
		}},
		{"lock", "goroutines block on locks 50 times per operation", func(p *program) {
			p.wall2, p.cpu2, p.goroutines = 10*ms, 10*ms, 4
			p.trace.Blocks = blocks(exectrace.Mutex, 50, 85000)
			p.trace.Idle = exectrace.Idle{Total: 9 * ms, Lock: 8 * ms, Runnable: 1 * ms}
		}},
	} {
		p := healthy()
		tt.p(&p)
		all := p.findings(t)
		i := slices.IndexFunc(all, func(f Finding) bool { return f.Verdict.Kind == measure.Variant && f.Verdict.New.Procs == 2 })
		j := slices.IndexFunc(all[i].Causes, func(c Cause) bool { return c.Slug == tt.slug })
		if j < 0 {
			t.Errorf("%s is no cause: %+v", tt.slug, all[i].Causes)
			continue
		}
		lines := all[i].Causes[j].Evidence
		if !strings.HasPrefix(lines[0].Text, tt.first) {
			t.Errorf("%s: %q, want %q first", tt.slug, lines, tt.first)
		}
		for _, l := range lines {
			if strings.Contains(l.Text, "0s of processor time") {
				t.Errorf("%s: %q is no evidence", tt.slug, l.Text)
			}
		}
	}
}

// The probe has no place on the span's path: nobody has its file.
func TestPathWithoutProbe(t *testing.T) {
	p := healthy()
	p.wall2, p.trace.Work, p.trace.Span = 8*ms, 10*ms, 8*ms
	p.trace.Idle = exectrace.Idle{Total: 6 * ms, Serial: 6 * ms}
	own := exectrace.Step{Func: "testing.(*B).launch", Site: source.Place{File: "/m/x.go", Line: 7, Func: "m.F"}, Time: 7 * ms}
	p.trace.Path = []exectrace.Step{{Func: "testing.(*B).launch", Site: source.Place{File: "/go/src/testing/payoff_probe.go", Line: 155, Func: "testing.(*B).payoffStop"}, Time: ms}, own}
	seen := 0
	for _, f := range p.findings(t) {
		if f.Bound != nil {
			seen++
			if !slices.Equal(f.Bound.Path, []exectrace.Step{own}) {
				t.Errorf("path %+v, want the user's line alone", f.Bound.Path)
			}
		}
	}
	if seen == 0 {
		t.Error("no bounds")
	}
}

// The data behind a lock get slower with it: that is the lock's.
func TestLockedData(t *testing.T) {
	p := healthy()
	p.wall2, p.cpu2, p.goroutines = 60*ms, 115*ms, 100
	p.base, p.one = shares{stack.Map: 1}, shares{stack.Map: 1}
	p.two = shares{stack.Map: 0.6, stack.Lock: 0.4}
	p.trace.Blocks = blocks(exectrace.Mutex, 1000, 15000)
	for _, f := range p.findings(t) {
		if f.Verdict.New.Procs == 2 && (len(f.Causes) != 1 || f.Causes[0].Slug != "lock" || f.Unexplained > 0.1) {
			t.Errorf("%+v, %.2f unexplained; want the lock for all", f.Causes, f.Unexplained)
		}
	}
}

// What lies beside a lock and is read under it comes back with it: none of it is left
// without a cause, and it is no word that goroutines share besides.
func TestBesideLock(t *testing.T) {
	p := healthy()
	locking(stack.RWMutex, seenLocks(1, 0, 300))(&p)
	x := p.sharing.Seen
	x.True, x.Reads = 524, 500
	x.Pairs = append(x.Pairs, sharing.Pair{A: sharing.Site{Expr: "h.m", Read: true, Place: source.Place{File: "/m/x.go", Line: 8}}, B: x.Pairs[0].A, Kind: "true", Count: 224})
	p.two = shares{stack.User: 0.6, stack.RWMutex: 0.4}
	p.hot1, p.hot2 = hot(instr.Load, 0.1), hot(instr.Load, 0.5)
	found := false
	for _, f := range p.findings(t) {
		if f.Verdict.New.Procs != 2 {
			continue
		}
		found = true
		if len(f.Causes) != 1 || f.Causes[0].Slug != "rwmutex" || f.Unexplained > 0.1 {
			t.Fatalf("%+v, %.2f unexplained; want rwmutex for all", f.Causes, f.Unexplained)
		}
		said := ""
		for _, l := range f.Causes[0].Evidence {
			said += l.Text + "\n"
		}
		if want := "h.m is on the cache line of s.mu, which every reader writes"; !strings.Contains(said, want) {
			t.Errorf("evidence %s, want %q", said, want)
		}
	}
	if !found {
		t.Error("no finding at 2")
	}
}

// On one processor a loss whose interval holds 1 is none.
func TestNoLossAtOne(t *testing.T) {
	p := healthy()
	s, _ := p.series(t)
	one := measure.Cell{Bench: "BenchmarkX/variant=new", Procs: 1}
	for i := range s.Samples[one] {
		x := &s.Samples[one][i]
		x.Wall *= []float64{0.8, 1.9}[i%2]
		x.CPU = x.Wall
	}
	s.Evidence[one].CPU.Share = shares{stack.Chan: 1}
	for _, f := range Explain(s, judge.Judge(s, stats.DefaultRule, stats.DefaultBounds), machine.Prices{}, true) {
		if f.Verdict.New == one && f.Verdict.Kind == measure.Variant && (f.Verdict.High < 1 || len(f.Causes) > 0 || !math.IsNaN(f.Unexplained)) {
			t.Errorf("%s [%.2f, %.2f] at 1: causes %+v, want none", f.Verdict.Word, f.Verdict.Low, f.Verdict.High, f.Causes)
		}
	}
}

// Where the machine did not give the processors, that is the only cause.
func TestMachine(t *testing.T) {
	p := healthy()
	p.given = 1.1
	p.wall2, p.cpu2 = 50*ms, 60*ms
	p.two = shares{stack.Chan: 1}
	if got := slugs(t, p.findings(t), 2); !slices.Equal(got, []string{"machine"}) {
		t.Errorf("causes %q, want machine alone", got)
	}
}

// Without evidence there is no finding, and with half of it no panic.
func TestPartOfTheEvidence(t *testing.T) {
	p := healthy()
	p.wall2, p.cpu2 = 40*ms, 80*ms
	for _, drop := range []func(*evidence.Set){
		func(e *evidence.Set) { e.CPU, e.Profiled = nil, nil },
		func(e *evidence.Set) { e.Trace, e.Traced = nil, nil },
		func(e *evidence.Set) { e.Hot = nil },
		func(e *evidence.Set) { e.Trace = &exectrace.Facts{Damaged: true} },
		func(e *evidence.Set) { e.CPU = &cpuprof.Digest{} },
		func(e *evidence.Set) { *e = evidence.Set{Bench: e.Bench, Procs: e.Procs} },
	} {
		for mask := range 16 {
			s, r := p.series(t)
			i := 0
			for _, bench := range []string{"BenchmarkX/variant=serial", "BenchmarkX/variant=new"} {
				for _, procs := range s.Procs {
					if mask>>i&1 == 1 {
						drop(s.Evidence[measure.Cell{Bench: bench, Procs: procs}])
					}
					i++
				}
			}
			for _, f := range Explain(s, r, machine.Prices{}, true) {
				for _, c := range f.Causes {
					if c.Slug == "work" {
						t.Errorf("mask %b: more work, since evidence is missing", mask)
					}
					if math.IsNaN(c.Share) || c.Share <= 0 || c.Share > 1 {
						t.Errorf("mask %b: share %v of %s", mask, c.Share, c.Slug)
					}
				}
			}
		}
	}
}

// A handful of samples without a trace names no cause, and what is missing says
// so; more samples do, and so does a trace.
func TestHandful(t *testing.T) {
	for _, tt := range []struct {
		samples int
		trace   bool
		want    bool // a cause
	}{{0, false, false}, {2, false, false}, {28, false, false}, {29, false, true}, {2, true, true}} {
		p := healthy()
		p.wall2, p.cpu2, p.goroutines = 20*ms, 40*ms, 100
		p.two = shares{stack.User: 0.2, stack.Spawn: 0.8}
		p.more = func(s *measure.Series) {
			set := s.Evidence[measure.Cell{Bench: "BenchmarkX/variant=new", Procs: 2}]
			if set.CPU.Samples = tt.samples; !tt.trace {
				set.Trace, set.Traced = nil, nil
			}
		}
		all := p.findings(t)
		if got := len(slugs(t, all, 2)) > 0; got != tt.want {
			t.Errorf("%d samples, trace %t: causes %v", tt.samples, tt.trace, slugs(t, all, 2))
		}
		i := slices.IndexFunc(all, func(f Finding) bool { return f.Verdict.Kind == measure.Variant && f.Verdict.New.Procs == 2 })
		if said := strings.Contains(strings.Join(all[i].Missing, "; "), "causes: there is no trace, and "); said == tt.want {
			t.Errorf("%d samples, trace %t: missing %q", tt.samples, tt.trace, all[i].Missing)
		}
	}
}

// A benchmark without a base that starts no goroutine is explained by that,
// and no evidence is collected on it.
func TestOneGoroutine(t *testing.T) {
	series := func(goroutines, cores float64) *measure.Series {
		s := &measure.Series{Package: "p", Procs: []int{1, 2}, Usable: 2, Families: discover.Families([]string{"BenchmarkY"}, discover.Hints{})}
		for _, procs := range s.Procs {
			for round := range 12 {
				wall := 1e6 * (1 + 0.002*math.Sin(float64(round*procs)))
				s.Add(measure.Cell{Bench: "BenchmarkY", Procs: procs}, measure.Sample{Round: int32(round + 1), N: 50, Wall: wall, CPU: wall * cores, Goroutines: float32(goroutines), Got: 1})
			}
		}
		return s
	}
	for _, tt := range []struct {
		goroutines, cores float64
		one               bool
	}{{0, 1, true}, {0.04, 1, false}, {2, 1, false}, {0, 1.9, false}, {math.NaN(), 1, false}} {
		s := series(tt.goroutines, tt.cores)
		r := judge.Judge(s, stats.DefaultRule, stats.DefaultBounds)
		found := Explain(s, r, machine.Prices{}, false)
		if one := len(found) == 1 && found[0].Causes[0].Slug == "serial" && found[0].Lost == found[0].Useful; one != tt.one {
			t.Errorf("%v goroutines for each operation on %v processors: %+v, want a serial section: %t", tt.goroutines, tt.cores, found, tt.one)
		}
		if wanted := slices.ContainsFunc(r.Verdicts, func(v judge.Verdict) bool { return Wanted(s, r, v) }); wanted == tt.one {
			t.Errorf("%v goroutines for each operation on %v processors: evidence wanted: %t", tt.goroutines, tt.cores, wanted)
		}
	}
}

// What an allocation costs is told where most of them are more than the base's.
func TestPriceOfAllocation(t *testing.T) {
	for _, tt := range []struct {
		base  float32
		price bool
	}{{0, true}, {1000, true}, {99_990, false}} {
		p := healthy()
		p.wall1, p.cpu1, p.wall2, p.cpu2 = 60*ms, 60*ms, 40*ms, 75*ms
		p.one = shares{stack.User: 0.17, stack.Alloc: 0.6, stack.GC: 0.23}
		p.two = shares{stack.User: 0.13, stack.Alloc: 0.6, stack.GC: 0.27}
		p.more = func(s *measure.Series) {
			for c, xs := range s.Samples {
				for i := range xs {
					if xs[i].Allocs = tt.base; c.Bench == "BenchmarkX/variant=new" {
						xs[i].Allocs = 100_000
					}
				}
			}
		}
		all := p.findings(t)
		i := slices.IndexFunc(all, func(f Finding) bool { return f.Verdict.Kind == measure.Variant && f.Verdict.New.Procs == 2 })
		if c := all[i].Causes[0]; c.Slug != "alloc" || (c.Price != "") != tt.price {
			t.Errorf("base with %v allocations: %s, price %q; want alloc, price told: %t", tt.base, c.Slug, c.Price, tt.price)
		}
	}
}

// A line says who writes and who reads, in this order.
func TestPairLine(t *testing.T) {
	for _, tt := range []struct {
		pair sharing.Pair
		want string
		line int
	}{
		{sharing.Pair{Kind: "false", A: sharing.Site{Expr: "s.a", Place: source.Place{File: "/m/x.go", Line: 7}}, B: sharing.Site{Expr: "s.b", Place: source.Place{File: "/m/y.go", Line: 8}}}, "goroutines write s.a and s.b (y.go:8) in turns: different words of one cache line", 7},
		{sharing.Pair{Kind: "true", A: seenTrue.Seen.Pairs[0].A, B: seenTrue.Seen.Pairs[0].A}, "goroutines write n in turns: the same word", 7},
		{seenReader.Seen.Pairs[0], "a goroutine writes s.hits where another reads s.open (x.go:9): different words of one cache line", 7},
		{seenPublished.Seen.Pairs[0], "a goroutine writes p where another reads p (x.go:9): the same word", 7},
	} {
		if l := pairLine(tt.pair); l.Text != tt.want || l.Site.Line != tt.line {
			t.Errorf("pairLine(%+v) = %q at %d, want %q at %d", tt.pair, l.Text, l.Site.Line, tt.want, tt.line)
		}
	}
}
