package explain

import (
	"maps"
	"math"
	"strings"

	"github.com/gopayoff/payoff/tool/catalog"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// labour are the categories in which a program that runs does what it is there
// for. It has no base that would tell how much of the others is needed: what
// they take is in the account, and a cause where it is more than usual.
var labour = []stack.Category{stack.User, stack.Copy, stack.Map, stack.SyncMap, stack.Net, stack.Reflect, stack.Sort, stack.Cgo, stack.Clock, stack.Defer, stack.Runtime, stack.Pool}

// usual is the share of the processors' time that some causes have in programs
// which nobody would call slow for it: requests are made of memory.
var usual = map[string]float64{catalog.Alloc.Slug: 0.25, catalog.GC.Slug: 0.25}

// Running explains what a program that runs loses. set has what a trace and
// profiles of it say: Traced.N is the number of operations, or of seconds where
// none are known, and Procs the processors. What is lost is the time of processors
// in concurrency's own mechanisms, in allocation and in collection, and of those
// that were idle though there was something to do. All figures are per operation.
// It is nil where there is neither a trace nor a profile.
func Running(set *evidence.Set, prices machine.Prices) *Finding {
	out := running(set, prices)
	if out == nil {
		return nil
	}
	n := max(len(set.Profiles), len(set.Idles))
	var shares []map[string]float64
	if n > 1 && out.Lost > 0 {
		for k := range n {
			if y := running(without(set, k), prices); y != nil && y.Lost > 0 {
				shares = append(shares, y.charged())
			}
		}
	}
	whole := out.charged()
	phi := dispersion(out.Page.New)
	for i := range out.Causes {
		c := &out.Causes[i]
		c.Low, c.High = math.NaN(), math.NaN()
		if len(shares) < 2 {
			continue
		}
		se := max(jackknife(shares, func(m map[string]float64) float64 { return m[c.Slug] }), out.sampling(c.Slug, "", phi))
		d := student(len(shares)-1) * se
		c.Low, c.High = max(0, whole[c.Slug]-d), min(1, whole[c.Slug]+d)
	}
	if set.Trace == nil || set.Trace.Doing == exectrace.Whole {
		out.each("second")
	}
	out.locate()
	return out
}

// each says in evidence what the figures are for.
func (x *Finding) each(what string) {
	r := strings.NewReplacer("per operation", "per "+what, "operations", what+"s", "an operation", "a "+what)
	for i := range x.Causes {
		c := &x.Causes[i]
		for k := range c.Evidence {
			c.Evidence[k].Text = r.Replace(c.Evidence[k].Text)
		}
		c.Price = r.Replace(c.Price)
	}
}

func running(set *evidence.Set, prices machine.Prices) *Finding {
	cell := measure.Cell{Bench: set.Bench, Procs: set.Procs}
	s := &measure.Series{Evidence: map[measure.Cell]*evidence.Set{cell: set}}
	f := &facts{s: s, prices: prices, procs: set.Procs, new: NewSide(s, cell), running: true}
	f.v.New, f.v.Kind, f.v.Word = cell, measure.Scaling, judge.CannotSay
	if f.new == nil {
		return nil
	}
	if f.new.By == nil { // without a profile all that runs is work
		f.new.By = map[stack.Category]float64{stack.User: f.new.CPU}
	} else if idle := f.new.By[stack.Idle]; idle < f.new.CPU {
		// A processor that looks for work is idle, by the trace.
		f.new.By = maps.Clone(f.new.By)
		delete(f.new.By, stack.Idle)
		for c := range f.new.By {
			f.new.By[c] *= f.new.CPU / (f.new.CPU - idle)
		}
	}
	f.one = f.new
	only := *f.new
	only.By = map[stack.Category]float64{}
	for _, c := range labour {
		only.By[c] = f.new.By[c]
	}
	if row := InARow(set.CPU, set.Trace); row > 0 {
		only.By[stack.Net] *= 1 - row/set.CPU.Share[stack.Net]
	}
	if p := Polling(set.CPU, set.Trace); p > 0 {
		only.By[stack.User] *= 1 - p/set.CPU.Share[stack.User]
	}
	f.base, f.useful = &only, only.by(labour...)
	if set.Trace != nil && set.Traced != nil && set.Traced.N > 0 {
		f.trace, f.n = set.Trace, float64(set.Traced.N)
		f.away = held(settle(set))
		f.idle = set.Trace.Idle.Total / f.n
		a, free := &f.away, 0.0
		switch all := f.n * float64(f.procs) * f.new.Wall; {
		case 2*set.Trace.Served.Calm > set.Trace.Window:
			free, *a = a.Total, exectrace.Idle{Total: a.Total}
		case !set.Trace.Queued():
			free = a.Waiting
			if 2*free > all { // then its idle processors lack nothing
				free, *a = a.Total, exectrace.Idle{Total: a.Total}
			}
			a.Waiting, a.Sleep, a.Net, a.Syscall, a.Cgo = 0, 0, 0, 0, 0
		}
		if !set.Trace.Asked() {
			free += a.Serial
			a.Serial, a.Forked = 0, 0
		}
		f.idle *= max(0, 1-free/max(a.Total, 1))
		a.Total -= free
	}
	f.avail = f.new.CPU + f.idle
	f.lost = max(0, f.avail-f.useful)
	f.book, f.lines = f.open(), map[bucket]spread{}
	out := &Finding{Verdict: f.v, Avail: f.avail, Useful: f.useful, Lost: f.lost, Page: Page{New: f.new, Base: f.base, Idle: f.away}, Unexplained: math.NaN()}
	if f.lost > 0 {
		all := max(f.avail, float64(f.procs)*f.new.Wall)
		f.charge(out, func(slug string, ns float64) bool {
			return ns >= max(usual[slug]*f.avail, least*all)
		})
	}
	return out
}
