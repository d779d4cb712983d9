package explain

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// grain claims what starting, ending and awaiting goroutines takes, unless they
// carry ten times as much work: then they are large enough.
func grain(f *facts) claim {
	m := f.forks()
	direct := f.excess(m.cats...)
	n := f.spawned()
	if n < 1 {
		return claim{} // goroutines live longer than operations
	}
	if f.cost(m) < f.useful/10 {
		return claim{}
	}
	c := claim{ns: f.pay(f.wants(m)) + f.book.take(min(f.slowed(), n*f.prices.Spawn.NS), bucket{AtOne, stack.User})}
	if f.trace != nil {
		// Who starts late ends late.
		c.ns += f.book.take(float64(f.procs-1)*min(f.trace.RunnableWait.Mean, m.each), bucket{kind: IdleImbalance})
	}
	start, them, each := figure.Count(n)+" goroutines start", "them", "each of "+figure.Count(n)+" goroutines"
	if figure.Count(n) == "1" {
		start, them, each = "1 goroutine starts", "it", "the goroutine"
	}
	var site source.Place
	if f.trace != nil && len(f.trace.SpawnSites) > 0 {
		site = f.trace.SpawnSites[0].Site
		for _, s := range f.trace.SpawnSites {
			c.sites = append(c.sites, exectrace.SiteTime{Site: s.Site, Time: float64(s.N)})
		}
	}
	spent := say("starting, ending and awaiting %s takes %s of processor time, %s of all", them, ns(direct), percent(direct/f.new.CPU)).Text
	if direct >= c.ns/2 {
		c.evidence = append(c.evidence, say("%s per operation; %s", start, spent).at(site))
	} else {
		c.evidence = append(c.evidence, say("%s per operation; %s are switches and idle processors until goroutines that were started or woken run", start, ns(c.ns-direct)).at(site))
		if f.shows(direct) {
			c.evidence = append(c.evidence, say("%s", spent))
		}
	}
	if f.trace != nil && f.trace.Life.N > 0 {
		c.evidence = append(c.evidence, say("each runs %s (median of %s)", ns(f.trace.Life.Median), figure.Count(float64(f.trace.Life.N))))
	}
	if f.useful > 0 {
		work, price := f.useful/n, c.ns/n
		c.price = fmt.Sprintf("%s costs %s and carries %s of work", each, ns(price), ns(work))
		if k := batch(price, work); k > 1 {
			c.price += fmt.Sprintf("; with %s times the work each, that is a tenth", figure.Count(k))
		}
	}
	return c
}

// slowed is what functions that the base has, too, take longer on one
// processor: on a new stack they begin cold.
func (f *facts) slowed() float64 {
	if f.one == nil {
		return 0
	}
	functions := func(x *Side) map[string]float64 {
		out := map[string]float64{}
		spent := x.spent(stack.User)
		for _, s := range places(spent) {
			out[s.Func] += spent[s]
		}
		return out
	}
	total := 0.0
	before, now := functions(f.base), functions(f.one)
	for _, fn := range slices.Sorted(maps.Keys(now)) {
		if was := before[fn]; was > 0 {
			total += max(0, now[fn]-was)
		}
	}
	return min(total, f.overhead(stack.User))
}
