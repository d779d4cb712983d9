package explain

import (
	"fmt"
	"math"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stack"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// effort are the categories in which a serial program spends its time, too:
// the work itself, by whatever means. Time in the others buys concurrency.
var effort = []stack.Category{stack.User, stack.Copy, stack.Map, stack.MapGrow, stack.SyncMap, stack.Alloc, stack.AllocWait, stack.Pool, stack.PoolMiss, stack.GC, stack.Sweep,
	stack.Syscall, stack.Cgo, stack.Net, stack.Dial, stack.Reflect, stack.Sort, stack.Timer, stack.TimerMade, stack.Clock, stack.Defer, stack.Runtime}

// facts are what rules look at: one verdict and the evidence on its sides.
type facts struct {
	s      *measure.Series
	v      judge.Verdict
	prices machine.Prices
	procs  int // processors it could use

	new  *Side // at the processors of the verdict
	one  *Side // the same code on one processor; new itself there; nil if unknown
	base *Side // what it is compared with

	// Neither side starts a goroutine: one processor is all they are about.
	single bool
	// It does the job on one processor in less time than its base, so that run
	// is the base here: what is lost is what more processors lose.
	self bool
	// There is no benchmark but a program that runs, see Running.
	running bool

	avail, useful, lost float64 // see Finding
	idle                float64 // processor time nobody used, by the clock

	book  *ledger           // what was lost, and what the rules have left of it
	lines map[bucket]spread // processor time of the book by line, as far as it was asked for

	trace *exectrace.Facts // of new; nil if there is none
	n     float64          // operations in the trace
	away  exectrace.Idle   // of the trace, settled
}

// newFacts opens the account; nil without a profile of the new side.
func newFacts(s *measure.Series, v judge.Verdict, prices machine.Prices) *facts {
	f := &facts{s: s, v: v, prices: prices, procs: judge.Usable(s.Usable, v.New.Procs), new: NewSide(s, v.New)}
	if f.new == nil {
		return nil
	}
	if f.new.By == nil && unfit(f) == nil {
		return nil
	}
	if set := f.new.Set; set != nil && set.Trace != nil && set.Traced != nil && set.Trace.Window > 0 {
		f.trace, f.n = set.Trace, float64(set.Traced.N)
	}
	if f.single = f.singles(); f.single {
		f.procs = 1
	}
	f.one = f.new
	if v.New.Procs > 1 && !f.single {
		if f.one = NewSide(s, measure.Cell{Bench: v.New.Bench, Procs: 1}); f.one != nil && f.one.By == nil {
			f.one = nil
		}
	}
	if v.Kind == measure.Variant {
		// The base on one processor is free of what more of them add, such as
		// a collector beside it.
		for _, p := range []int{1, v.BaseCell.Procs} {
			x := NewSide(s, measure.Cell{Bench: v.BaseCell.Bench, Procs: p})
			if x != nil && (f.base == nil || f.base.By == nil && x.By != nil) {
				f.base = x
			}
		}
		if f.base == nil {
			return nil
		}
		if f.base.By == nil { // no profile: a serial program mostly works
			f.base.By = map[stack.Category]float64{stack.User: f.base.CPU}
		}
		f.useful = f.base.CPU
		f.self = f.one != nil && f.one != f.new && f.one.CPU < 0.9*f.base.CPU
	}
	if v.Kind != measure.Variant || f.self {
		// Without a base the work is what the code does on one processor, less
		// what it does for the sake of concurrency.
		if f.one == nil {
			return nil
		}
		only := *f.one
		only.By = map[stack.Category]float64{}
		for _, c := range effort {
			only.By[c] = f.one.By[c]
		}
		f.base = &only
		f.useful = f.one.by(effort...)
	}
	// What the system gave to others was not there to be used.
	f.avail = max(f.new.CPU, float64(f.procs)*f.new.Wall-f.new.Stolen)
	f.idle = max(0, f.avail-f.new.CPU)
	f.lost = max(0, f.avail-f.useful)
	if f.trace != nil && !f.single {
		f.away = held(bystood(f.trace, settle(f.new.Set)))
		// Who runs alone after it has started others, in the same functions,
		// does the largest share of a divided work.
		if p := f.new.Set.CPU; p != nil && p.Own > 0 {
			share := f.away.Forked * p.Common / p.Own
			f.away.Serial -= share
			f.away.Imbalance += share
		}
	}
	f.book, f.lines = f.open(), map[bucket]spread{}
	return f
}

// blind reports whether there is no trace, and few samples in the profile: what
// they show may be all by chance, and idle time nobody knows.
func (f *facts) blind() bool {
	set := f.new.Set
	return f.trace == nil && set != nil && set.CPU != nil && Few(set.CPU.Samples)
}

// Few reports whether what takes the least share worth a cause is in none of so
// many samples one time in twenty.
func Few(samples int) bool { return math.Pow(1-least, float64(samples)) > 0.05 }

// unseen says that.
func (f *facts) unseen() string {
	return fmt.Sprintf("there is no trace, and %s of processor time", figure.Plural(f.new.Set.CPU.Samples, "sample"))
}

// singles reports whether neither side of a comparison starts goroutines or
// waits for any.
func (f *facts) singles() bool {
	return f.v.Kind == measure.Variant && f.s.StartsNone(f.v.New) && f.s.StartsNone(f.v.BaseCell) &&
		(f.trace == nil || f.trace.Parallelism() < 1.05 && len(f.blockSites(waits...)) == 0)
}

// waits are the reasons to block that have to do with other goroutines.
var waits = []exectrace.Kind{exectrace.Mutex, exectrace.RWMutex, exectrace.Once, exectrace.WaitGroup, exectrace.Cond, exectrace.ChanSend, exectrace.ChanReceive, exectrace.Select, exectrace.Sleep, exectrace.Net}

// settle says where idle time went, over all traces. Beside goroutines that
// were ready it is charged to them only as far as they had work for it; the
// rest belongs to those who ran.
func settle(set *evidence.Set) exectrace.Idle {
	i, b, late := set.Trace.Idle, set.Trace.Beside, set.Trace.Late
	for n, x := range set.Idles {
		if n == 0 {
			i, b, late = x.Idle, x.Beside, x.Late
			continue
		}
		i = i.And(x.Idle)
		b.Lock, b.Handoff, b.Serial, b.Forked, b.Imbalance = b.Lock+x.Beside.Lock, b.Handoff+x.Beside.Handoff, b.Serial+x.Beside.Serial, b.Forked+x.Beside.Forked, b.Imbalance+x.Beside.Imbalance
		late += x.Late
	}
	i.SerialSites, i.ImbalanceSites = set.Trace.Idle.SerialSites, set.Trace.Idle.ImbalanceSites
	rest := i.Runnable - late
	sum := b.Lock + b.Handoff + b.Serial + b.Imbalance
	if rest <= 0 || sum <= 0 {
		return i
	}
	rest = min(rest, sum)
	i.Runnable -= rest
	i.Lock += rest * b.Lock / sum
	i.Handoff += rest * b.Handoff / sum
	i.Serial += rest * b.Serial / sum
	i.Forked += rest * b.Forked / sum
	i.Imbalance += rest * b.Imbalance / sum
	return i
}

// bystood gives a benchmark that does nearly all of the work in its own goroutine, and
// starts no others, the time in which one from before waited for its locks: that has no
// more to do than it did.
func bystood(t *exectrace.Facts, i exectrace.Idle) exectrace.Idle {
	if t.Goroutines > 0 || t.Opener == 0 || t.Opener < 0.9*t.Work { // 0: of an older record
		return i
	}
	rest := max(0, i.Lock-i.Total/max(t.Idle.Total, 1)*(t.Work-t.Opener))
	i.Lock -= rest
	i.Serial += rest
	return i
}

// held gives locks what they have of the time in which all goroutines wait: one that has
// a lock waits for something outside, and others for the lock.
func held(i exectrace.Idle) exectrace.Idle {
	if i.Held <= 0 {
		return i
	}
	rest := max(0, 1-i.Held/i.Waiting)
	i.Lock += i.Held
	i.Waiting, i.Sleep, i.Net, i.Syscall, i.Cgo = rest*i.Waiting, rest*i.Sleep, rest*i.Net, rest*i.Syscall, rest*i.Cgo
	return i
}

// excess is the time in categories beyond that of the base, 0 if it may come
// from the sampling of the profiles.
func (f *facts) excess(cs ...stack.Category) float64 {
	return sure(f.new, f.base, cs, math.Inf(1))
}

// sure is by of a less by of b, but no more than most; 0 unless that is more
// than two standard deviations.
func sure(a, b *Side, cs []stack.Category, most float64) float64 {
	d := min(a.by(cs...)-b.by(cs...), most)
	if d <= 2*math.Hypot(a.deviation(cs...), b.deviation(cs...)) {
		return 0
	}
	return d
}

// takes says what own and the categories take, and what the base spends on them.
func (f *facts) takes(own float64, cs ...stack.Category) string {
	own += f.new.by(cs...)
	text := ns(own) + " of processor time per operation, " + percent(own/f.new.CPU) + " of all"
	if there := f.base.by(cs...); there >= own/10 {
		text += fmt.Sprintf(" (%s in %s)", ns(there), f.baseName())
	}
	return text
}

// inflation is the part of the excess that running at once adds, overhead the
// part that is there on one processor. Without the figures of one processor
// they cannot be told apart, and neither is claimed.
func (f *facts) inflation(cs ...stack.Category) float64 {
	if f.one == nil || f.one == f.new {
		return 0
	}
	return max(0, f.new.by(cs...)-f.one.by(cs...))
}

func (f *facts) overhead(cs ...stack.Category) float64 {
	if f.one == nil {
		return 0
	}
	// No more than the whole: what a profile moves from one category to
	// another is no overhead.
	return sure(f.one, f.base, cs, max(0, f.one.CPU-f.base.CPU))
}

// blocks is how often goroutines block for such reasons, per operation.
func (f *facts) blocks(kinds ...exectrace.Kind) float64 {
	n := 0
	for _, b := range f.blockSites(kinds...) {
		n += b.N
	}
	if f.n == 0 {
		return 0
	}
	return float64(n) / f.n
}

func (f *facts) blockSites(kinds ...exectrace.Kind) []exectrace.Block {
	var out []exectrace.Block
	if f.trace != nil {
		for _, b := range f.trace.Blocks {
			if f.running && libraries(b) {
				continue
			}
			for _, k := range kinds {
				if b.Kind == k {
					out = append(out, b)
				}
			}
		}
	}
	return out
}

// libraries reports whether waits are those of a library's own goroutines, such as
// net/http's between two requests: nobody can edit them, and they are not for the
// work of operations. What they wait for outside is.
func libraries(b exectrace.Block) bool {
	return b.Kind != exectrace.Sleep && b.Kind != exectrace.Net && b.Site.Func != "" && !stack.IsUser(b.Site.Func, b.Site.File)
}

// spawned is how many goroutines start, per operation.
func (f *facts) spawned() float64 {
	if f.running {
		if f.trace == nil {
			return 0
		}
		total := 0.0
		for _, x := range f.trace.SpawnSites {
			if stack.IsUser(x.Site.Func, x.Site.File) { // net/http starts one for each request
				total += float64(x.N)
			}
		}
		return total / f.n
	}
	var n []float64
	for _, x := range f.s.Samples[f.v.New] {
		if g := float64(x.Goroutines); !math.IsNaN(g) {
			n = append(n, g)
		}
	}
	if len(n) > 0 {
		return stats.Median(n)
	}
	if f.trace != nil && f.n > 0 {
		return float64(f.trace.Goroutines) / f.n
	}
	return 0
}

// shows reports whether so much processor time is worth a line of evidence: a
// cause that takes less of it costs by other means.
func (f *facts) shows(ns float64) bool { return ns >= 0.01*f.new.CPU }

// bound takes work and span from the trace.
func (f *facts) bound() *Bound {
	if f.trace == nil || f.trace.Span <= 0 || f.single {
		return nil
	}
	t := f.trace
	// Older records have the probe's part in it; it ends the region.
	path := slices.DeleteFunc(slices.Clone(t.Path), func(s exectrace.Step) bool { return stack.Probe(s.Site) })
	return &Bound{Parallelism: t.Parallelism(), Burdened: t.BurdenedParallelism(), Work: t.Work / f.n, Span: t.Span / f.n, Procs: f.v.New.Procs, Path: path}
}

func (f *facts) missing() []string {
	var out []string
	add := func(m string) {
		if !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	for _, x := range []*Side{f.new, f.one, f.base} {
		if x == nil || x.Set == nil {
			continue
		}
		for _, m := range x.Set.Missing {
			add(m)
		}
		who := fmt.Sprintf("it at %d", x.Set.Procs)
		if x.Set.Bench != f.v.New.Bench {
			who = "its base"
		}
		if len(x.Set.Profiles) == 1 {
			add("how sure the causes are: there is one profile of " + who)
		}
		if n := len(x.Set.Disturbed); n > 0 {
			add(fmt.Sprintf("what an idle machine shows: others used the machine in %d evidence runs of %s", n, who))
		}
	}
	return out
}
