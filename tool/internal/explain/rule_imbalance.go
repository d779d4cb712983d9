package explain

import "github.com/gopayoff/payoff/tool/internal/figure"

// imbalance claims the processors idle while some workers run on and the
// others have nothing left to do.
func imbalance(f *facts) claim {
	if f.procs < 2 && f.away.Unrun == 0 || f.lone() { // what waits outside needs no processor
		return claim{}
	}
	if f.book.left[bucket{kind: IdleImbalance}] < least*f.avail {
		return claim{} // equal parts do not end at one instant either
	}
	c := claim{ns: f.book.take(f.lost, bucket{kind: IdleImbalance}), sites: ran(f.away.ImbalanceSites, f.trace.Idle.Imbalance, f.trace.SpawnSites)}
	c.evidence = f.soloEvidence(f.away.Imbalance, f.away.ImbalanceSites, "a worker")
	if f.away.Unrun > f.away.Imbalance/2 {
		c.evidence = []Line{say("a worker waits for something outside, operations wait for this worker, and others like it have nothing to do: %s of the idle processor time", percent(f.away.Unrun/f.away.Total)).at(mine(f.away.ImbalanceSites))}
		c.do = "Give what waits to the workers that are idle: one queue for all of them, or a key that divides more evenly"
	}
	if l := f.trace.Life; l.N > 1 && l.P90 > 1.5*l.Median {
		c.evidence = append(c.evidence, say("of %s goroutines the median runs %s, one in ten %s or more", figure.Count(float64(l.N)), ns(l.Median), ns(l.P90)))
	}
	return c
}
