package service

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// groups are what processors that run do, by the categories of a profile. What is
// in none is work.
var groups = []struct {
	what string
	sort Sort
	cats []stack.Category
}{
	{"network: package net with its system calls", Work, []stack.Category{stack.Net}},
	{"setting up connections", Overhead, []stack.Category{stack.Dial}},
	{"stopping the world", Overhead, []stack.Category{stack.World}},
	{"channels: send, receive, select, conditions", Overhead, []stack.Category{stack.Chan, stack.Select, stack.Cond}},
	{"locks", Overhead, []stack.Category{stack.Lock, stack.RWMutex, stack.Once}},
	{"starting, ending and awaiting goroutines", Overhead, []stack.Category{stack.Spawn, stack.WaitGroup, stack.Stack}},
	{"the scheduler", Overhead, []stack.Category{stack.Switch, stack.Yield}},
	{"allocation", Overhead, []stack.Category{stack.Alloc, stack.AllocWait, stack.PoolMiss, stack.Sweep}},
	{"collection", Overhead, []stack.Category{stack.GC}},
	{"system calls but for the network", Overhead, []stack.Category{stack.Syscall}},
	{"timers", Overhead, []stack.Category{stack.Timer, stack.TimerMade}},
}

const collection = "collection"

// account makes the document of what was read.
func (e *evidences) account(o Options) error {
	d := e.doc
	cpu, parts, err := e.cpu()
	if err != nil {
		return err
	}
	set := &evidence.Set{Bench: "operations", CPU: cpu, Profiles: parts, Locks: e.locks}
	t := e.trace
	busy := 0.0
	switch {
	case t != nil:
		d.Procs, d.Window, d.Windows, d.Counted, d.Timeline = t.Procs, t.Window, e.traces, t.Doing, t.Timeline
		for k, share := range t.Running {
			busy += float64(k) * share * t.Window
		}
		n := int64(0)
		for _, p := range t.Ops {
			n += int64(p.N)
		}
		if n == 0 || t.Doing == exectrace.Whole {
			n = max(1, int64(math.Round(t.Window/1e9)))
			switch {
			case t.Doing == exectrace.Calls && t.Unended == 0:
				d.Missing = append(d.Missing, fmt.Sprintf("calls of %s: no stack of the trace shows one; name the function as a stack does, with the path of its package, like example.com/shop.(*Cart).Add, and one that waits at times", o.Func))
			case t.Doing != exectrace.Whole:
				d.Missing = append(d.Missing, "whole operations: none began and ended in the trace; take a longer one")
			}
		}
		set.Procs, set.Trace, set.Traced = t.Procs, t, &evidence.Run{N: n, Wall: t.Window / float64(n)}
		set.Profiled = &evidence.Run{N: n, Wall: t.Window / float64(n), CPU: busy / float64(n)}
		for _, p := range t.Pieces {
			set.Idles = append(set.Idles, evidence.Idle{Window: p.Window, Idle: p.Idle, Beside: p.Beside, Late: p.Late})
		}
		e.operated()
	case cpu != nil:
		busy = cpu.Total
		d.Window, d.Windows, d.Procs = max(cpu.Duration, 1), len(parts), 1
		n := max(1, int64(math.Round(d.Window/1e9)))
		set.Procs, set.Profiled = 1, &evidence.Run{N: n, Wall: d.Window / float64(n), CPU: busy / float64(n)}
	}
	e.locksHeld()
	if set.Profiled != nil && busy > 0 {
		e.items(cpu, busy)
		x := explain.Running(set, machine.Prices{}) // there is a run, and so there is one
		e.causes(x, float64(set.Profiled.N), busy)
		e.delays(busy)
		if late(x) > 0.1*x.Avail {
			d.Missing = append(d.Missing, "why processors were idle beside goroutines that were ready: the trace does not say whether the system ran something else meanwhile; a limit on processor time below GOMAXPROCS, or other programs, look like this")
		}
	}
	if cpu == nil && t != nil {
		d.Missing = append(d.Missing, "what processors did while they ran: there is no profile, and no samples of one in the trace; take one meanwhile, as payoff trace -from does")
	} else if cpu != nil && explain.Few(cpu.Samples) {
		d.Missing = append(d.Missing, fmt.Sprintf("small shares of processor time: the profile has %s", figure.Plural(cpu.Samples, "sample")))
	}
	if cpu != nil && busy > 0 {
		d.Flame = cpu.Flame
		for _, l := range cpu.Lines[:min(len(cpu.Lines), 8)] {
			d.Lines = append(d.Lines, Line{l.Place, l.Share * busy / e.all(busy)})
		}
	}
	e.waits()
	d.summary(o)
	return nil
}

// mostWaits is how many places of waits are told.
const mostWaits = 4

// waits says where goroutines wait, of a program that is idle and shows no cause: what they
// wait for may be what its owner would have sooner.
func (e *evidences) waits() {
	d, t := e.doc, e.trace
	if t == nil || len(d.Causes) > 0 || d.share(Free) <= 0.5 {
		return
	}
	for _, b := range t.Blocks {
		if len(d.Waits) < mostWaits && b.N > 0 && stack.IsUser(b.Site.Func, b.Site.File) && b.Total > t.Window/2 {
			d.Waits = append(d.Waits, Waited{Kind: string(b.Kind), At: b.Site, N: b.N, Mean: b.Total / float64(b.N)})
		}
	}
}

// share is that of the account's items of a sort.
func (d *Doc) share(k Sort) (sum float64) {
	for _, i := range d.Account {
		if i.Kind == k {
			sum += i.Share
		}
	}
	return sum
}

// all is the time of all processors: those that the trace knows of at each instant.
func (e *evidences) all(busy float64) float64 {
	if e.trace == nil {
		return busy
	}
	s := e.trace.Served
	return busy + e.trace.Idle.Total + s.Outside + s.Unasked
}

// items are the account. What the profile's samples are of makes up the time in which
// processors ran; looking for work is idle, by the trace.
func (e *evidences) items(cpu *cpuprof.Digest, busy float64) {
	all := e.all(busy)
	add := func(what string, sort Sort, ns float64) {
		if ns > 0 {
			e.doc.Account = append(e.doc.Account, Item{what, sort, ns, ns / all})
		}
	}
	served := exectrace.Served{}
	if e.trace != nil {
		served = e.trace.Served
	}
	rest := busy
	if cpu != nil {
		scale := busy
		if idle := cpu.Share[stack.Idle]; idle < 1 && e.trace != nil {
			scale /= 1 - idle
		}
		for _, g := range groups {
			ns := 0.0
			for _, c := range g.cats {
				ns += cpu.Share[c] * scale
			}
			rest -= ns
			if g.cats[0] == stack.Net {
				row := explain.InARow(cpu, e.trace) * scale
				add("network: system calls in a row at one line", Overhead, row)
				ns -= row
			}
			if g.what == collection {
				helped := min(served.Assist, ns)
				add("collection: assists of goroutines that allocate", Overhead, helped)
				ns -= helped
			}
			add(g.what, g.sort, ns)
		}
		if polled := explain.Polling(cpu, e.trace) * scale; polled > 0 {
			rest -= polled
			add("waiting by looking again and again", Overhead, polled)
		}
		if e.trace == nil {
			ns := cpu.Share[stack.Idle] * busy
			rest -= ns
			add("looking for work", Overhead, ns)
		}
	} else if e.trace != nil {
		add("collection: assists of goroutines that allocate", Overhead, min(served.Assist, rest))
		rest -= min(served.Assist, rest)
		system := min(e.trace.SystemRun, rest)
		add("goroutines of the runtime, the collector's for the most part", Overhead, system)
		rest -= system
	}
	if e.trace != nil && e.trace.Doing != exectrace.Whole && served.Run+served.Other > 0 {
		part := served.Run / (served.Run + served.Other)
		add("work for operations", Work, rest*part)
		add("work that no operation is known to ask for", Work, rest*(1-part))
	} else {
		add("work", Work, rest)
	}
	if e.trace != nil {
		e.idle(add)
	}
	slices.SortStableFunc(e.doc.Account, func(a, b Item) int {
		return cmp.Or(cmp.Compare(slices.Index(sorts, a.Kind), slices.Index(sorts, b.Kind)), cmp.Compare(b.NS, a.NS))
	})
}

var sorts = []Sort{Work, Overhead, Idle, Free}

// idle are the items of processors that were idle.
func (e *evidences) idle(add func(string, Sort, float64)) {
	i, s := e.trace.Idle, e.trace.Served
	add("idle: others wait for a lock", Idle, i.Lock)
	add("idle: work was ready", Idle, i.Runnable)
	add("idle: goroutines hand over to each other", Idle, i.Handoff)
	if e.trace.Asked() {
		add("idle: one goroutine has all the work", Idle, i.Serial)
	} else {
		add("idle: one goroutine runs, and no other has work", Free, i.Serial)
	}
	add("idle: some of several have no more to do", Idle, i.Imbalance)
	add("idle: the collector runs", Idle, i.GC)
	if e.trace.Doing == exectrace.Whole {
		add("idle: all wait, for a lock that one of them has", Idle, min(i.Held, i.Waiting))
		out, sort := max(0, i.Waiting-i.Held), Idle
		if !e.trace.Queued() {
			sort = Free
		}
		add("idle: all wait, for timers, the network or system calls", sort, out)
		return
	}
	add("idle: operations wait behind others, which wait outside", Idle, i.Waiting)
	add("idle: operations wait for timers, the network or system calls", Free, s.Outside)
	add("idle: nothing was asked for", Free, s.Unasked)
}

// tracing is how much of what runs in a window may be what the trace and the profile
// take of it.
const tracing = 0.1

// causes are those that the rules of benchmarks find. n is how many operations, or
// seconds, their figures are for.
func (e *evidences) causes(x *explain.Finding, n, busy float64) {
	all := e.all(busy)
	for _, c := range x.Causes {
		more := 0.0 // than it has, by its bounds
		if !math.IsNaN(c.High) {
			more = c.High*x.Lost - c.NS
		}
		out := Cause{Slug: c.Slug, Title: c.Title, NS: c.NS * n, Share: c.NS * n / all, AtMost: x.Avail / max((1-tracing)*stays(x, c.Slug)-more, x.Avail/1000), Price: c.Price, Do: c.Do}
		if !math.IsNaN(c.Low) && c.Share > 0 {
			out.Low, out.High = out.Share*c.Low/c.Share, min(1, out.Share*c.High/c.Share)
		}
		for _, l := range c.Evidence {
			out.Evidence = append(out.Evidence, Evidence{l.Text, l.Site})
		}
		for _, l := range x.Losses {
			if l.Slug == c.Slug && !l.Place.IsZero() && l.NS > 0.05*c.NS && len(out.Lines) < 5 {
				out.Lines = append(out.Lines, Line{Place: l.Place, Share: l.NS * n / all})
			}
		}
		e.doc.Causes = append(e.doc.Causes, out)
	}
}

// late is the time of processors that were idle beside goroutines that were ready, as
// far as no cause has it.
func late(x *explain.Finding) float64 {
	for _, a := range x.Accounts {
		if a.Kind == explain.IdleReady {
			ns := a.NS
			for _, taken := range a.Charged {
				ns -= taken
			}
			return ns
		}
	}
	return 0
}

// stays is the time that is needed without a cause: that of the work, and what other
// causes take elsewhere. What they take at its lines may go with it, as the allocation
// of goroutines goes with them.
func stays(x *explain.Finding, slug string) float64 {
	own := map[source.Place]bool{}
	for _, l := range x.Losses {
		if l.Slug == slug && !l.Place.IsZero() {
			own[l.Place.Spot()] = true
		}
	}
	ns := x.Useful
	for _, l := range x.Losses {
		if l.Slug != slug && !own[l.Place.Spot()] {
			ns += l.NS
		}
	}
	return ns
}

// operated are the operations.
func (e *evidences) operated() {
	d, t := e.doc, e.trace
	for _, p := range t.Ops {
		n := float64(p.N)
		x := Operation{Name: named(p.Name), Place: p.Place, N: p.N, Rate: n / t.Window * 1e9, Mean: p.Mean, P50: p.P50, P90: p.P90, P99: p.P99, Max: p.Max, Ran: p.Ran / n, Path: path(p.Usual)}
		for _, part := range exectrace.Parts {
			if ns := p.Parts[part] / n; ns > 0 {
				x.Parts = append(x.Parts, Part{part, ns})
			}
		}
		slices.SortStableFunc(x.Parts, func(a, b Part) int { return cmp.Compare(b.NS, a.NS) })
		if p.Fast != nil && p.Slow != nil {
			x.Slow = slow(p)
		}
		d.Operations = append(d.Operations, x)
		d.InFlight += n * p.Mean / t.Window
	}
	if len(d.Operations) > mostOperations {
		d.Missing = append(d.Missing, fmt.Sprintf("%d operations with the least time", len(d.Operations)-mostOperations))
		d.Operations = d.Operations[:mostOperations]
	}
}

const mostOperations = 32

// named is what an operation is called whose handler no stack showed: one that does
// nothing but compute between two samples.
func named(name string) string { return cmp.Or(name, "requests whose handler no stack shows") }

func slow(p exectrace.Op) *Slow {
	s := &Slow{N: p.Slow.N, Mean: p.Slow.Mean, Fast: p.Fast.Mean, Path: path(p.Tail)}
	for _, part := range exectrace.Parts {
		if more := p.Slow.Parts[part] - p.Fast.Parts[part]; more > 0.05*(s.Mean-s.Fast) {
			s.More = append(s.More, Part{part, more})
		}
	}
	slices.SortStableFunc(s.More, func(a, b Part) int { return cmp.Compare(b.NS, a.NS) })
	for _, w := range p.Slow.Waits {
		s.Waits = append(s.Waits, Waited{string(w.Kind), w.Site, w.By, w.N, w.Mean})
	}
	return s
}

// locksHeld lists the locks that others waited for. A mutex profile sees those of the
// whole life of the program, a trace those of its windows.
func (e *evidences) locksHeld() {
	if e.trace != nil {
		for _, h := range e.trace.Holders[:min(len(e.trace.Holders), 4)] {
			if h.Time > 0.01*e.trace.Window {
				e.doc.Holds = append(e.doc.Holds, held(h))
			}
		}
	}
	n := 0
	for _, l := range e.locks {
		if l.Profile == string(Mutex) && n < 4 {
			e.doc.Holds = append(e.doc.Holds, locked(l))
			n++
		}
	}
}

// summary says in three sentences what an owner has to know: what costs most, what
// becomes of operations, and where the processors' time goes.
func (d *Doc) summary(o Options) {
	command := o.Command
	if command == nil {
		command = func(args ...string) string { return strings.Join(append([]string{"payoff"}, args...), " ") }
	}
	of := fmt.Sprintf("of %s in %s", figure.Plural(d.Procs, "processor"), figure.Time(d.Window))
	if !d.Traced() {
		of = "that processors ran"
	}
	share := d.share
	say := func(format string, args ...any) { d.Summary = append(d.Summary, fmt.Sprintf(format, args...)) }
	switch {
	case len(d.Causes) > 0:
		c := d.Causes[0]
		at := ""
		if len(c.Lines) > 0 {
			at = " at " + c.Lines[0].Place.Short()
		} else if i := slices.IndexFunc(c.Evidence, func(x Evidence) bool { return !x.Place.IsZero() }); i >= 0 {
			at = " at " + c.Evidence[i].Place.Short()
		}
		say("%s%s: %s of the time %s; without it at most %s times the operations", c.Title, at, percent(c.Share), of, figure.Ratio(c.AtMost))
	case len(d.Account) > 0 && !d.Traced():
		say("Without an execution trace there is only what processors did while they ran: %s work, %s concurrency and memory", percent(share(Work)), percent(share(Overhead)))
	case len(d.Account) > 0 && share(Free) > 0.5:
		say("No cause stands out: processors are idle for %s of the time %s because nothing asks for them", percent(share(Free)), of)
	case len(d.Account) > 0:
		say("No cause stands out: processors work for %s of the time %s, and less than a tenth goes to any one cause", percent(share(Work)), of)
	case len(d.Leaks) > 0:
		say("%s for ever, most at %s", figure.Plural(d.Leaks[0].N, "goroutine")+" wait", d.Leaks[0].Waits.Short())
	case len(d.Holds) > 0:
		say("Goroutines waited %s for the lock given back at %s", figure.Time(d.Holds[0].NS), d.Holds[0].Give.Short())
	}
	if len(d.Operations) > 0 {
		p := d.Operations[0]
		text := fmt.Sprintf("%s: %s per second, p50 %s, p99 %s", p.Name, figure.Count(p.Rate), figure.Time(p.P50), figure.Time(p.P99))
		if s := p.Slow; s != nil && len(s.More) > 0 && s.Mean > 2*s.Fast {
			text += fmt.Sprintf("; the slow ones spend %s more on: %s", figure.Time(s.More[0].NS), s.More[0].What)
			if at := s.where(s.More[0].What); !at.IsZero() {
				text += " at " + at.Short()
			}
		}
		say("%s", text)
	}
	if d.Traced() {
		say("Processors: %s work, %s concurrency and memory, %s idle though there was something to do, %s idle for lack of it", percent(share(Work)), percent(share(Overhead)), percent(share(Idle)), percent(share(Free)))
	}
	bench := command(append([]string{"trace", "-bench", "op_test.go"}, o.Again...)...) + " writes a benchmark of the operation that loses most; payoff run counts them"
	d.Unseen = []Unseen{
		{"what locks cost that are free when they are taken, channels that are ready, and atomics", bench},
		{"cache lines that goroutines share, and memory that they wait for", bench},
	}
	switch {
	case !d.Traced():
		d.Next = command("trace", "-from", "http://HOST:PORT/debug/pprof")
	case len(d.Causes) > 0:
		d.Next = command("explain", d.Causes[0].Slug)
	case len(d.Operations) > 0:
		d.Next = command(append([]string{"trace", "-bench", "op_test.go"}, o.Again...)...)
	default:
		d.Next = command(append([]string{"trace", "-op", "PACKAGE.FUNCTION"}, o.Again...)...) + ", with the function that does one operation"
	}
}

// Traced reports whether there is a trace among the inputs.
func (d *Doc) Traced() bool {
	return slices.ContainsFunc(d.Inputs, func(in Input) bool { return in.Kind == Trace })
}

func percent(x float64) string {
	if x > 0 && x < 0.01 {
		return "under 1%"
	}
	return fmt.Sprintf("%.0f%%", 100*x)
}
