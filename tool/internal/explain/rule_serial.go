package explain

import (
	"cmp"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/exectrace"
)

// serialSection claims the processors idle while the one goroutine runs that
// others are started by or wait for nothing, or the only one that an operation
// starts.
func serialSection(f *facts) claim {
	if f.procs < 2 || f.trace == nil {
		return claim{}
	}
	c := claim{ns: f.book.take(f.lost, bucket{kind: IdleSerial}), sites: ran(f.away.SerialSites, f.trace.Idle.Serial, nil)}
	who, alone := "the goroutine that all others start from", f.away.Serial
	switch {
	case f.running:
		who = "one goroutine, for which others wait,"
	case f.lone():
		c.ns += f.book.take(f.lost, bucket{kind: IdleImbalance})
		c.sites = append(c.sites, ran(f.away.ImbalanceSites, f.trace.Idle.Imbalance, f.trace.SpawnSites)...)
		slices.SortStableFunc(c.sites, func(a, b exectrace.SiteTime) int { return cmp.Compare(b.Time, a.Time) })
		who, alone = "one goroutine, or the one that it starts,", alone+f.away.Imbalance
	}
	if c.ns <= 0 {
		return claim{}
	}
	c.evidence = f.soloEvidence(alone, c.sites, who)
	switch {
	case f.trace.Goroutines == 0 && f.trace.Parallelism() < 1.05:
		c.evidence = append(c.evidence, say("no other goroutine has work"))
		c.do = divide
	case f.lone():
		c.do = "Divide the work of the one that runs, or call it directly: there is hardly anything that it could run beside"
	}
	return c
}
