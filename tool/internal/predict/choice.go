package predict

import (
	"github.com/gopayoff/payoff/tool/internal/exectrace"
)

// A choice is what is taken of that which neither a trace nor a price tells. The zero
// choice is the trace as it is, at the prices as they were measured.
type choice struct {
	channels channels
	even     bool // workers divide their work evenly, whoever had it in the trace
	cost     cost
}

// A channels is what channels hold.
type channels uint8

const (
	held     channels = iota // what is computed between two operations that a trace shows
	handed                   // nothing: a sender waits until its receiver is there
	streamed                 // the same, and the receiver takes it while it comes
	traced                   // whoever received what in the trace does so again
)

// A cost is where wakes, sleeps and cache lines lie in their range.
type cost uint8

const (
	usual cost = iota
	cheap
	dear
	spun // threads that look for work find it before they sleep: a wake costs little
)

// Unknowns in words, as they stand in a prediction.
const (
	unknownMeets   = "how much channels hold"
	unknownEven    = "which worker takes how much"
	unknownCost    = "what wakes and cache lines cost there"
	unknownSlower  = "how much slower computing is where more processors share memory and caches"
	unknownTraces  = "the difference between the traces"
	unknownTold    = "what the program does where it is told of so many processors"
	unknownWorkers = "how many workers there are with more processors"
)

// choices are those that make a difference to g. Where nothing was measured at several
// processors, blind, not even that is known whether threads sleep between two wakes.
func choices(g *exectrace.Graph, blind bool) (all []choice) {
	costs := []cost{usual, cheap, dear}
	if blind {
		costs = append(costs, spun)
	}
	hold, evens := []channels{held}, []bool{false}
	for _, w := range g.Waits {
		if rendezvous(w.Kind) && w.Need > 0 {
			hold = []channels{held, handed}
			if newPlan(g, held).buffered() {
				hold = []channels{held, streamed}
			}
			break
		}
	}
	if uneven(g) {
		evens = []bool{false, true}
	}
	for _, h := range hold {
		for _, e := range evens {
			for _, c := range costs {
				all = append(all, choice{h, e, c})
			}
		}
	}
	return all
}
