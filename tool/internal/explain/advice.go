package explain

import (
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// in is the time of user code on lines of a shape beyond that of the base.
func (f *facts) in(x *Side, kind evidence.ShapeKind) float64 {
	if x == nil || x.Set == nil || x.Set.CPU == nil {
		return 0
	}
	total := 0.0
	now, before := x.spent(stack.User), f.base.spent(stack.User)
	for _, s := range places(now) {
		for _, shape := range x.Set.Shapes {
			if shape.Kind == kind && shape.OnLine(s) {
				total += max(0, now[s]-before[s])
				break
			}
		}
	}
	return total
}

// mostIn is the line of a shape with most time.
func (f *facts) mostIn(kind evidence.ShapeKind) source.Place {
	for _, l := range f.new.Set.CPU.Lines { // most time first
		for _, shape := range f.new.Set.Shapes {
			if shape.Kind == kind && shape.OnLine(l.Place) {
				return l.Place
			}
		}
	}
	return source.Place{}
}

// shaped are the lines of a shape.
func (f *facts) shaped(kind evidence.ShapeKind) []source.Place {
	var out []source.Place
	for _, shape := range f.new.Set.Shapes {
		if shape.Kind == kind {
			out = append(out, shape.Place)
		}
	}
	return out
}

// shape is what the code mostly does with the words it shares; "" if the
// source does not say.
func (f *facts) shape(x *Side) evidence.ShapeKind {
	best, most := evidence.ShapeKind(""), 0.0
	for _, kind := range []evidence.ShapeKind{evidence.Spin, evidence.Retry, evidence.Claim, evidence.Sum, evidence.Publish} {
		if ns := f.in(x, kind); ns > most {
			best, most = kind, ns
		}
	}
	return best
}

// fit is advice that fits a shape where the catalogue's does not, which is for
// sums; "" for those.
func fit(kind evidence.ShapeKind) string {
	switch kind {
	case evidence.Claim:
		return "Take several at once: let one addition claim a block of numbers for a worker"
	case evidence.Retry:
		return "Give each worker a part to decide on alone, and go to the shared word when it is used up"
	case evidence.Publish:
		return "Publish less often: store once for a block of items"
	case evidence.Spin:
		return "Take a sync.Mutex, which parks waiting goroutines, and hold it less often"
	}
	return ""
}

// apart is advice on words that different goroutines use and that need not be
// neighbours.
const apart = "Keep the words of different goroutines on different cache lines"

// seldom is advice on a word that one goroutine writes and others read.
const seldom = "Write the word less often, or let its readers look once for many items"

// divide is what to do about code of one goroutine.
const divide = "One goroutine needs one processor: to use more, divide its work, where that is long enough"

// prepare is advice on a lock under which goroutines do what may not need it.
const prepare = "Do before taking the lock what does not need it, into memory of your own, and hold it for the update alone"

// spreadOut is advice on many locks, each of which all goroutines take.
const spreadOut = "Give each worker locks and data of its own, or let it collect on its own and take a lock once for many items"
