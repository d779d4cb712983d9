package explain

import (
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// manyCases claims the part of selects that their many cases make: a select
// locks every one of its channels, and where it waits it waits in every one of
// their queues. With two cases that is the price of a hand-off.
func manyCases(f *facts) claim {
	part, cases, site := f.cases()
	direct := part * f.excess(stack.Select)
	if direct <= 0 {
		return claim{}
	}
	c := claim{ns: f.book.take(direct, at([]stack.Category{stack.Select}, AtOne, AtOnce)...)}
	c.ns += f.pay(f.idleBeside(direct))
	for _, s := range f.new.Set.Selects {
		if many(s) {
			c.lines = append(c.lines, s.Place)
		}
	}
	what := say("select over %d channels takes %s of processor time per operation, %s of all", cases, ns(f.new.by(stack.Select)), percent(f.new.by(stack.Select)/f.new.CPU))
	if cases == 0 {
		what = say("reflect.Select takes %s of processor time per operation, %s of all: it makes its list of channels anew each time", ns(f.new.by(stack.Select)), percent(f.new.by(stack.Select)/f.new.CPU))
	}
	c.evidence = append(c.evidence, what.at(site), say("each time every one of the channels is locked, and where none is ready it is waited for at every one"))
	return c
}

// many reports whether a select has so many cases that they make it dear;
// reflect.Select may have any number.
func many(s evidence.Select) bool { return s.Cases == 0 || s.Cases > 3 }

// cases is the part of the time in selects that goes to cases beyond two, and
// the one with most of it: its cases, 0 for reflect.Select, and its line.
func (f *facts) cases() (part float64, cases int, site source.Place) {
	if f.new.Set == nil || f.new.Set.CPU == nil {
		return 0, 0, site
	}
	all, most := 0.0, 0.0
	for _, l := range f.new.Set.CPU.Lines {
		share := l.By[stack.Select]
		all += share
		for _, s := range f.new.Set.Selects {
			if !s.OnLine(l.Place) || !many(s) {
				continue
			}
			if s.Cases > 0 {
				share *= float64(s.Cases-2) / float64(s.Cases)
			}
			part += share
			if share > most {
				most, cases, site = share, s.Cases, l.Place
			}
			break
		}
	}
	if all <= 0 {
		return 0, 0, site
	}
	return part / all, cases, site
}
