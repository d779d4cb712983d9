package service

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gopayoff/payoff/tool/catalog"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// Of what is seen fewer times than these nothing is said: it may be the end of something.
const (
	fewRows   = 10
	fewRounds = 4
)

// A delay is one that the program makes itself. ns is the time that goroutines or
// operations spend in it.
type delay struct {
	cause    catalog.Cause
	title    string
	ns       float64
	at       source.Place
	do       string
	evidence string
	atMost   float64 // 0: what the processors can do
}

// delays names what keeps processors idle in a program that is idle for most of the time:
// no rule of benchmarks looks at time in which nothing is asked for. While a goroutine
// waits so, one processor has nothing to do.
func (e *evidences) delays(busy float64) {
	d, t := e.doc, e.trace
	if t == nil || d.share(Free) <= 0.5 {
		return
	}
	free := d.share(Free) * e.all(busy)
	told := map[source.Place]bool{}
	for _, x := range slices.Concat(rows(t), lingers(t), rounds(t), looks(t)) {
		ns := min(free, x.ns)
		if ns < e.all(busy)/4 || told[x.at] {
			continue
		}
		free -= ns
		told[x.at] = true
		most := e.all(busy) / max((1-tracing)*busy, e.all(busy)/1000)
		if x.atMost > 0 {
			most = min(most, x.atMost/(1-tracing))
		}
		d.Causes = append(d.Causes, Cause{
			Slug: x.cause.Slug, Title: x.title, NS: ns, Share: ns / e.all(busy), AtMost: most,
			Evidence: []Evidence{{x.evidence, x.at}}, Do: cmp.Or(x.do, x.cause.Do),
		})
	}
	slices.SortStableFunc(d.Causes, func(a, b Cause) int { return cmp.Compare(b.NS, a.NS) })
}

// looks are goroutines that look again and again for something between sleeps, a quarter
// of these in vain or more. Two in a row, each time, are two steps. One that does so alone
// may be a clock, or one that sweeps.
func looks(t *exectrace.Facts) (out []delay) {
	for _, x := range t.Delays.Looks {
		if x.Rows < fewRows || x.Time < 2*t.Window || 4*x.Vain < x.N || 2*x.Vain < 3*x.Rows && 10*(x.N-x.Vain-x.Rows) < x.N {
			continue
		}
		out = append(out, delay{
			cause: catalog.Delay, title: "Goroutines sleep until something is there", ns: x.Time, at: x.Site,
			do: "Let what brings it wake those that wait, by a channel or a condition; make calls at once that do not need each other's answers",
			evidence: fmt.Sprintf("goroutines wait here for a timer %.1f times in a row, %s each time, and do nothing in between that others see: they look whether something is there, or make one call after the other",
				1+float64(x.Vain)/float64(x.Rows), figure.Time(x.Time/float64(x.N))),
		})
	}
	return out
}

// lingers are timers that keep back what others wait for. One for which nothing else
// ends the wait stands for something outside.
func lingers(t *exectrace.Facts) (out []delay) {
	for _, x := range t.Delays.Lingers {
		if x.N < fewRows || 10*x.Handed < x.Fired {
			continue
		}
		out = append(out, delay{
			cause: catalog.Delay, title: "A timer keeps back what others wait for", ns: x.Time, at: x.Site,
			do:       "Send off what is there when nothing else comes, or when as much is there as ever comes at once; a shorter time bounds the wait",
			evidence: fmt.Sprintf("work comes in here, and a timer ends the wait for more of it: others waited for that %s, %s each", figure.Plural(x.N, "time"), figure.Time(x.Time/float64(x.N))),
		})
	}
	return out
}

// rounds are goroutines that are started together and awaited together, one round after
// the other, by one goroutine at a time.
func rounds(t *exectrace.Facts) (out []delay) {
	for _, x := range t.Delays.Rounds {
		unused := 1 - x.Used/x.Slots
		if x.N < fewRounds || unused < 0.3 || 4*x.Gap > x.Time || x.Time > 1.5*t.Window {
			continue
		}
		out = append(out, delay{
			cause: catalog.Imbalance, title: "Rounds that wait for their slowest", ns: x.Slots - x.Used, at: x.Site,
			do: "Start the next one when any ends, instead of the next round when all have: bound how many there are by a semaphore, or let workers take from one queue",
			evidence: fmt.Sprintf("goroutines started here are awaited together, %.0f in a round of %s; for %s of that time they have ended, and the next round has not begun",
				float64(x.Began)/float64(x.N), figure.Time(x.Time/float64(x.N)), percent(unused)),
			atMost: (1 + x.Gap/x.Time) / (1 - unused),
		})
	}
	return out
}

// rows are operations that wait outside several times, one after the other.
func rows(t *exectrace.Facts) (out []delay) {
	for _, p := range t.Ops {
		r := p.Row
		if p.N < fewRows || r.N < 2.5 || r.Time < 0.6*p.Mean || r.Longest > 0.6*r.Time {
			continue
		}
		out = append(out, delay{
			cause: catalog.Delay, title: "Waits one after the other", ns: (r.Time - r.Longest) * float64(p.N), at: r.Site,
			do: "Make calls at once that do not need each other's answers, or ask for all of it in one call",
			evidence: fmt.Sprintf("%s waits %.1f times for something outside, one after the other, %s of its %s; the longest wait is %s",
				named(p.Name), r.N, figure.Time(r.Time), figure.Time(p.Mean), figure.Time(r.Longest)),
			atMost: p.Mean / (p.Mean - r.Time + r.Longest),
		})
	}
	return out
}
