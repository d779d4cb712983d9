package explain

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
)

// lockContention claims what locks take: their code, the queues of goroutines
// behind them, and the caches of the data that they hand from one processor to
// the next.
func lockContention(f *facts) claim {
	m := f.locks()
	direct := f.excess(m.cats...)
	if direct <= 0 && m.events == 0 && m.own <= 0 {
		return claim{}
	}
	c := claim{ns: f.pay(f.wants(m)) + f.pay(f.guarded(m)), sites: f.waited(exectrace.Mutex, exectrace.RWMutex, exectrace.Once)}
	if c.ns <= 0 {
		return c
	}
	if f.shows(direct+m.own) || m.events == 0 {
		c.evidence = append(c.evidence, say("locking takes %s", f.takes(m.own, m.cats...)).at(f.lineOf(m.cats...)))
	}
	if m.own > 0 {
		c.do, c.lines = fit(evidence.Spin), f.shaped(evidence.Spin)
		c.evidence = append(c.evidence, say("a lock made of compare-and-swap: goroutines try it again and again for %s, and yield %s", ns(m.own), often(f.allYields().events)).at(f.mostIn(evidence.Spin)))
	}
	hold := f.holder()
	if m.events > 0 && m.own == 0 {
		kinds := []exectrace.Kind{exectrace.Mutex, exectrace.RWMutex, exectrace.Once}
		total, ready := 0.0, 0.0
		for _, b := range f.blockSites(kinds...) {
			total, ready = total+b.Total, ready+b.Ready
		}
		l := say("goroutines block on locks %s, %s each", often(m.events), ns(total/f.n/m.events))
		if ready > total {
			// Whoever runs takes it before they do.
			l.Text += say(", and are ready for another %s before they run and try again", ns(ready/f.n/m.events)).Text
		}
		c.evidence = append(c.evidence, l.at(f.mostBlocked(kinds...)))
		if i := f.away; i.Lock > 0 && f.procs > 1 {
			c.evidence = append(c.evidence, say("%s of the idle processor time passes while a goroutine waits for a lock", percent(i.Lock/i.Total)))
		}
	} else if f.trace != nil && hold == nil && m.own == 0 {
		c.title = "A lock taken again and again, though free"
		c.evidence = append(c.evidence, say("no goroutine waits for the lock: this is its price where it is free"))
	}
	if f.passing() {
		hold = nil
		c.title, c.do = "Locks taken again and again, though hardly ever waited for", "Take the lock less often, for several at once, or give each lock and what it protects cache lines of their own"
		c.evidence = append(c.evidence, say("goroutines use about %d locks and hardly wait for any: this is the price of taking them, which come from another core", f.sharing().Seen.Locks))
	}
	if i := f.away; i.Held > i.Lock/2 {
		c.do = "Wait outside of the lock: take what it protects, give it back, and wait then"
		c.evidence = append(c.evidence, say("no goroutine runs for %s of that: one waits here with the lock, and others wait for the lock", percent(i.Held/i.Lock)).at(f.mostBlocked(exectrace.Sleep, exectrace.Net, exectrace.ChanReceive, exectrace.Select)))
	}
	if work, what, at := f.prepared(); m.events > 0 && m.own == 0 && work > 0 && f.shows(work) {
		c.do = prepare
		c.evidence = append(c.evidence, say("with a lock held, %s of processor time per operation goes into %s", ns(work), what).at(at))
	}
	if f.running && f.trace != nil {
		hold = nil
		for i, h := range f.trace.Holders {
			if i < 2 && h.Time > least*f.trace.Holders[0].Time {
				c.evidence = append(c.evidence, say("given back here, it ended waits of %s per operation, %s each", ns(h.Time/f.n), ns(h.Time/float64(h.N))).at(h.Give))
			}
		}
	}
	if f.running {
		c.do = cmp.Or(c.do, prepare) // requests have nothing that could be merged
	}
	if hold != nil {
		c.evidence = append(c.evidence, say("the lock given back here made others wait longest: %s in %s of running", ns(hold.Delay), ns(float64(evidence.TraceTime))).at(hold.Site))
	}
	if m.events >= 1 && f.useful > 0 && direct < c.ns/2 { // else most of it is spent without a wait
		c.price = fmt.Sprintf("%s costs %s; the work between two of them takes %s", each(m.events, "wait"), ns(c.ns/m.events), ns(f.useful/m.events))
	}
	return c
}

// holder is the place in the user's code that made others wait longest, if
// that was a part of the run that counts.
func (f *facts) holder() *evidence.Lock {
	if f.new.Set == nil {
		return nil
	}
	for i, l := range f.new.Set.Locks {
		if l.Profile == "mutex" && strings.HasPrefix(l.Call, "sync.") && l.Delay > float64(evidence.TraceTime)/100 {
			return &f.new.Set.Locks[i]
		}
	}
	return nil
}
