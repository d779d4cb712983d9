package benchvet

import "github.com/gopayoff/payoff/tool/vet/shape"

// brief is the time of an operation, ns, below which stopping and starting the
// timer takes longer.
const brief = 10_000

// stopped finds loops that stop the timer in each iteration.
func (x *bench) stopped(t timing) (all []shape.Finding) {
	for _, l := range x.loops {
		stop := x.calls(l.body, "StopTimer")
		if stop == nil || x.calls(l.body, "StartTimer") == nil {
			continue
		}
		f := shape.Finding{
			Pos: stop.Pos(), End: stop.End(),
			Message: "the timer is stopped in each iteration, which takes microseconds and leaves the caches cold: a short operation is measured as it never runs",
			Causes:  own, Hot: []shape.Range{shape.Of(l.stmt)},
			Refused: []shape.Refusal{{Name: "loop", Why: "what is between the stop and the start has to stay out of the time: prepare for many operations at once", Pos: stop.Pos()}},
		}
		if t.ns > 0 && t.ns < brief {
			f.Seen = t.String()
		}
		all = append(all, f)
	}
	return all
}
