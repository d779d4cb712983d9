// Package articles sets what articles measured and concluded of the gallery's
// cases beside what a recorded run measures: then and now.
package articles

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/gopayoff/payoff/gallery"
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A Run is one case in a recorded run.
type Run struct {
	Name   string // of the run, for readers
	Dir    string // its folder, where profiles may be
	Rule   stats.Rule
	Bounds stats.Bounds
	Series *measure.Series
}

// A Page is all that is said of some cases. It is plain data.
type Page struct {
	Summary  string    `json:"summary"`
	Articles []Article `json:"articles"`           // those that have one of the cases
	Problems []string  `json:"problems,omitempty"` // what could not be measured, and what to do
	Record   string    `json:"record"`             // the folder of the run
	Next     string    `json:"next"`               // the next command
}

// An Article has its figures and its conclusions, by case and then in its order.
type Article struct {
	About       gallery.Article `json:"about"`
	Figures     []Figure        `json:"figures"`
	Conclusions []Conclusion    `json:"conclusions"`
}

// A Figure is a line of the article's tables beside today's figure of the same.
type Figure struct {
	Case string `json:"case"`
	gallery.Line
	Now *Now `json:"now,omitempty"` // nil where there is none, and Missing says why
	// Missing may also say that the article's line has no counterpart.
	Missing string `json:"missing,omitempty"`
}

// Now is a figure of today, in the unit of the article's.
type Now struct {
	Value float64 `json:"value"`
	Procs int     `json:"procs"`
	Run   string  `json:"run"`
}

// A Conclusion is one of the article's, and what has become of it. Speeds are
// of the variant relative to the base.
type Conclusion struct {
	Case    string         `json:"case"`
	Scale   string         `json:"scale,omitempty"` // of the case, where it does less than the article
	Says    string         `json:"says"`
	Variant string         `json:"variant"`
	Base    string         `json:"base"`
	Then    Then           `json:"then"`
	Now     *Today         `json:"now,omitempty"` // nil where nothing like it was measured
	Status  gallery.Status `json:"status"`
	// Why says why the status is what it is; "" if nobody said.
	Why string `json:"why,omitempty"`
}

// Then is what the article has. Figures that it does not have are 0.
type Then struct {
	Direction string  `json:"direction"` // pays, even or loses
	Speed     float64 `json:"speed,omitempty"`
	NS        float64 `json:"ns,omitempty"` // of an operation of the variant
	BaseNS    float64 `json:"baseNs,omitempty"`
	Procs     int     `json:"procs"`
	BaseProcs int     `json:"baseProcs"`
}

// Today is what was measured, with the interval of the speed. After too few
// pairs it has no upper end.
type Today struct {
	Benchmark string     `json:"benchmark"` // the family
	Verdict   judge.Word `json:"verdict"`
	Speed     Number     `json:"speed"`
	Low       Number     `json:"low"`
	High      Number     `json:"high"`
	NS        float64    `json:"ns"`
	BaseNS    float64    `json:"baseNs"`
	Procs     int        `json:"procs"`
	BaseProcs int        `json:"baseProcs"`
	Run       string     `json:"run"`
}

// A Number is null in JSON where it is infinite or not known.
type Number float64

// MarshalJSON makes Number a [json.Marshaler].
func (n Number) MarshalJSON() ([]byte, error) {
	if x := float64(n); math.IsNaN(x) || math.IsInf(x, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// New sets cases beside their articles, each by the run of it. A case without a
// run was not measured.
func New(cases []gallery.Case, runs []Run) (*Page, error) {
	all, err := gallery.Articles()
	if err != nil {
		return nil, err
	}
	p := &Page{}
	for _, a := range all {
		x := Article{About: a}
		for _, name := range a.Cases {
			i := slices.IndexFunc(cases, func(c gallery.Case) bool { return c.Name == name })
			if i < 0 {
				continue
			}
			c, r := cases[i], Run{Series: &measure.Series{}}
			if j := slices.IndexFunc(runs, func(r Run) bool { return r.Series.Package == c.Package() }); j >= 0 {
				r = runs[j]
			}
			for _, l := range c.Then.Lines {
				x.Figures = append(x.Figures, r.figure(c, l))
			}
			for _, y := range c.Then.Conclusions {
				x.Conclusions = append(x.Conclusions, r.conclusion(c, y))
			}
		}
		if len(x.Figures)+len(x.Conclusions) > 0 {
			p.Articles = append(p.Articles, x)
		}
	}
	p.Summary = p.summary(len(cases))
	return p, nil
}

// summary answers: how much of what the articles concluded holds.
func (p *Page) summary(cases int) string {
	n, by := 0, map[gallery.Status]int{}
	for _, a := range p.Articles {
		for _, c := range a.Conclusions {
			n++
			by[c.Status]++
		}
	}
	if n == 0 {
		return fmt.Sprintf("of %s no article concludes anything", figure.Plural(cases, "case"))
	}
	s := fmt.Sprintf("of %s of %s", figure.Plural(n, "conclusion"), figure.Plural(len(p.Articles), "article"))
	sep := " "
	for _, x := range []struct {
		status gallery.Status
		one    string
		many   string
	}{{gallery.Holds, "holds", "hold"}, {gallery.Weaker, "holds weaker", "hold weaker"}, {gallery.NoLonger, "no longer holds", "no longer hold"}, {gallery.CannotSay, "cannot be told", "cannot be told"}} {
		if k := by[x.status]; k > 0 || x.status == gallery.Holds {
			verb := x.many
			if k == 1 {
				verb = x.one
			}
			s += fmt.Sprintf("%s%d %s", sep, k, verb)
			sep = ", "
		}
	}
	return s
}

// figure finds today's figure of a line.
func (r Run) figure(c gallery.Case, l gallery.Line) Figure {
	f := Figure{Case: c.Name, Line: l, Missing: l.Why}
	if l.Variant == "" {
		return f
	}
	cells := r.cells(l.At, l.Variant)
	procs := r.nearest(l.Procs)
	switch {
	case len(cells) == 0:
		f.Missing = "not measured"
		return f
	case len(cells) > 1:
		f.Missing = "several benchmarks are there" // then.json is to name one
		return f
	case procs == 0:
		f.Missing = fmt.Sprintf("not measured at %s or fewer", figure.Plural(l.Procs, "processor"))
		return f
	}
	cell := measure.Cell{Bench: cells[0].bench, Procs: procs}
	value, missing := r.value(cell, l)
	if missing != "" {
		f.Missing = missing
		return f
	}
	f.Now = &Now{Value: value, Procs: procs, Run: r.Name}
	return f
}

// value is today's figure of a line, in its unit.
func (r Run) value(cell measure.Cell, l gallery.Line) (value float64, missing string) {
	if l.Unit == "%" {
		return r.share(cell, l.Func)
	}
	of := func(s measure.Sample) float64 { return s.Wall / gallery.Units[l.Unit] }
	switch l.Unit {
	case "B/op":
		of = func(s measure.Sample) float64 { return float64(s.Bytes) }
	case "allocs/op":
		of = func(s measure.Sample) float64 { return float64(s.Allocs) }
	}
	var values []float64
	for _, s := range r.Series.Samples[cell] {
		values = append(values, of(s)/float64(max(1, l.Times)))
	}
	if len(values) == 0 {
		return 0, "not measured"
	}
	return stats.Median(values), ""
}

// A place is where a variant was measured.
type place struct {
	family, member int
	bench          string
}

// cells are the benchmarks of a variant at a place of the case.
func (r Run) cells(at, variant string) (all []place) {
	for f, fam := range r.Series.Families {
		if !gallery.At(at, fam.Name) {
			continue
		}
		for m, x := range fam.Members {
			if x.Variant == variant {
				all = append(all, place{f, m, x.Bench})
			}
		}
	}
	return all
}

// nearest is the largest number of processors that was measured and is not above
// n, nor above what the machine has; 0 if there is none.
func (r Run) nearest(n int) int {
	if r.Series.Usable > 0 {
		n = min(n, r.Series.Usable)
	}
	best := 0
	for _, p := range r.Series.Procs {
		if p <= n {
			best = max(best, p)
		}
	}
	return best
}

// conclusion finds what has become of a conclusion. Where it is about several
// benchmarks, the worst of them counts.
func (r Run) conclusion(c gallery.Case, x gallery.Conclusion) Conclusion {
	out := Conclusion{Case: c.Name, Scale: c.Then.Scale, Says: x.Says, Variant: x.Variant, Base: x.Base,
		Then: Then{Direction: c.Then.Toward(x), Speed: c.Then.Ratio(x), Procs: x.Procs, BaseProcs: x.BasedAt()}}
	out.Then.NS, out.Then.BaseNS = c.Then.Times(x)
	var missing string
	found := r.today(x, float64(c.Then.Ops(x)))
	for _, now := range found {
		status, why := Status(out.Then, now)
		if out.Now == nil || worse(status, out.Status) {
			out.Now, out.Status, missing = &now, status, why
		}
	}
	if len(found) == 0 {
		out.Status, missing = gallery.CannotSay, "not measured"
	}
	if out.Why = x.Why[out.Status]; out.Why == "" {
		out.Why = missing
	}
	return out
}

// today measures a conclusion in each family that has both sides of it. An
// operation there is so many of the article's.
func (r Run) today(x gallery.Conclusion, ops float64) (all []Today) {
	procs, based := r.nearest(x.Procs), r.nearest(x.BasedAt())
	if procs == 0 || based == 0 {
		return nil
	}
	for _, v := range r.cells(x.At, x.Variant) {
		fam := r.Series.Families[v.family]
		bases := r.cells(x.At, x.Base)
		b := slices.IndexFunc(bases, func(b place) bool { return b.family == v.family })
		if b < 0 {
			continue
		}
		c := measure.Comparison{Kind: measure.Variant, Family: v.family, Member: v.member,
			New: measure.Cell{Bench: v.bench, Procs: procs}, Base: measure.Cell{Bench: bases[b].bench, Procs: based}}
		if c.New.Bench == c.Base.Bench {
			c.Kind = measure.Scaling
		}
		now := Today{Benchmark: fam.Name, Procs: procs, BaseProcs: based, Run: r.Name, Verdict: judge.CannotSay, Speed: 1, Low: 1, High: 1}
		if c.New != c.Base {
			got := judge.Compare(r.Series, c, r.Rule, r.Bounds)
			if got.Pairs == 0 {
				continue
			}
			now.Verdict, now.Speed, now.Low, now.High = got.Word, Number(got.Ratio), Number(got.Low), Number(got.High)
			now.NS, now.BaseNS = got.Wall/ops, got.BaseWall/ops
		}
		all = append(all, now)
	}
	return all
}
