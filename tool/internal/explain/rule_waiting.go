package explain

import "github.com/gopayoff/payoff/tool/internal/exectrace"

// waiting claims the processors idle because every goroutine waits for
// something outside: a timer, the network, a system call.
func waiting(f *facts) claim {
	if f.trace == nil || f.away.Waiting <= f.away.Cgo {
		return claim{}
	}
	c := claim{sites: f.waited(exectrace.Sleep, exectrace.Net)}
	if f.running { // of waits outside there are others, and of what is ready
		c.ns = f.book.take(f.lost, bucket{kind: IdleOutside})
		if f.trace.Doing != exectrace.Whole {
			c.sites = f.waited(exectrace.ChanSend, exectrace.ChanReceive, exectrace.Select)
		}
	} else {
		c.ns = f.pay(f.wants(f.sleeps()))
	}
	if c.sites == nil {
		c.sites = f.waited(exectrace.ChanReceive, exectrace.Select) // of a timer, or of a signal
	}
	i := f.away
	c.evidence = append(c.evidence, say("%s of the time no goroutine runs and none is ready", percent(f.trace.Running[0])))
	kind, most := exectrace.Sleep, i.Sleep
	if i.Net > most {
		kind, most = exectrace.Net, i.Net
	}
	if most > 0 {
		n := f.blocks(kind)
		total := 0.0
		for _, b := range f.blockSites(kind) {
			total += b.Total
		}
		c.evidence = append(c.evidence, say("goroutines wait %s (%s), %s each time an operation runs: on average %.3g of them at once", often(n), kind, ns(total/f.n), total/f.trace.Window).at(f.mostBlocked(kind)))
	}
	c.evidence = append(c.evidence, say("%.2f of %d processors are in use: more goroutines cost nothing but memory here", f.new.CPU/f.new.Wall, f.procs))
	return c
}
