package explain

import (
	"math"

	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// lean are the categories in which code does what nothing but other code of its own would
// save.
var lean = []stack.Category{stack.User, stack.Copy, stack.Map, stack.Net, stack.Cgo, stack.Runtime}

// Scales reports whether a verdict is that of concurrent code that gets faster with more
// processors, or than its base, as it should: no comparison says that it takes too long.
func Scales(s *measure.Series, r judge.Result, v judge.Verdict) bool {
	return v.New.Procs > 1 && v.Pairs > 0 && !v.Unlike() && (v.Kind == measure.Variant || !hasBase(s, v.New.Bench)) && !s.StartsNone(v.New) && !Wanted(s, r, v)
}

// Costs says what code that scales spends beside its own statements: in allocation, in
// reflection, in locks and the like. It may need that, so nothing is lost by what is known.
// What takes a fifth of the processors' time, or a quarter where it is memory, is worth the
// trial of an edit.
func Costs(s *measure.Series, r judge.Result, prices machine.Prices) (out []Finding) {
	for _, v := range r.Verdicts {
		if !Scales(s, r, v) {
			continue
		}
		if f := costs(s, v, prices); f != nil && len(f.Causes) > 0 {
			f.locate()
			out = append(out, *f)
		}
	}
	return out
}

func costs(s *measure.Series, v judge.Verdict, prices machine.Prices) *Finding {
	f := newFacts(s, v, prices)
	if f == nil || f.new.By == nil {
		return nil
	}
	only := *f.new
	only.By = map[stack.Category]float64{}
	for _, c := range lean {
		only.By[c] = f.new.By[c]
	}
	f.one, f.base, f.useful = f.new, &only, only.by(lean...)
	f.lost = max(0, f.avail-f.useful)
	f.book, f.lines = f.open(), map[bucket]spread{}
	out := &Finding{Verdict: v, Avail: f.avail, Useful: f.useful, Lost: f.lost, Page: Page{New: f.new, One: f.one, Base: f.base, Idle: f.away}, Costs: true}
	if f.lost > 0 {
		f.charge(out, func(slug string, ns float64) bool { return ns >= max(usual[slug], 2*least)*f.avail })
	}
	out.Unexplained = math.NaN()
	for i := range out.Causes {
		out.Causes[i].Low, out.Causes[i].High = math.NaN(), math.NaN()
	}
	return out
}
