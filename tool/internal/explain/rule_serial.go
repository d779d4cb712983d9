package explain

import "github.com/gopayoff/payoff/tool/internal/exectrace"

// serialSection claims the processors idle while the one goroutine runs that
// others are started by or wait for nothing.
func serialSection(f *facts) claim {
	if f.procs < 2 {
		return claim{}
	}
	c := claim{ns: f.book.take(f.lost, bucket{kind: IdleSerial})}
	if c.ns <= 0 {
		return claim{}
	}
	c.evidence = f.soloEvidence(f.away.Serial, f.away.SerialSites, "the goroutine that all others start from")
	if f.trace.Goroutines == 0 && f.trace.Parallelism() < 1.05 {
		c.evidence = append(c.evidence, say("no other goroutine has work"))
	}
	return c
}

// soloEvidence says who ran alone, how long, and what that allows.
func (f *facts) soloEvidence(idle float64, sites []exectrace.SiteTime, who string) []Line {
	t := f.trace
	full := 0.0
	if len(t.Running) > f.procs {
		full = t.Running[f.procs]
	}
	out := []Line{say("%s runs while other processors are idle: %s of the idle processor time; all %d run together %s of the time", who, percent(idle/f.away.Total), f.procs, percent(full)).at(mine(sites))}
	if p := t.Parallelism(); p > 0 {
		out = append(out, say("work %s, span %s per operation: parallelism %.3g, no machine can make it faster than that many times one processor", ns(t.Work/f.n), ns(t.Span/f.n), p))
	}
	if len(t.Path) > 0 && own(t.Path[0].Site) {
		out = append(out, say("%s of the span is spent up to here", percent(t.Path[0].Time/max(t.Span, 1))).at(t.Path[0].Site))
	}
	return out
}
