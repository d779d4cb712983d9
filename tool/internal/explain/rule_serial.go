package explain

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
	c.sites = ran(f.away.SerialSites, f.trace.Idle.Serial, nil)
	c.evidence = f.soloEvidence(f.away.Serial, f.away.SerialSites, "the goroutine that all others start from")
	if f.trace.Goroutines == 0 && f.trace.Parallelism() < 1.05 {
		c.evidence = append(c.evidence, say("no other goroutine has work"))
	}
	return c
}
