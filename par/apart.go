package par

import (
	"math"
	"math/rand/v2"

	"github.com/gopayoff/payoff/internal/force"
	"github.com/gopayoff/payoff/internal/goroutine"
	"github.com/gopayoff/payoff/internal/outcome"
)

// Where tests say where halves run (package force), Tasks have no beats. They come
// from no shelf either, since what is put there and taken by another goroutine
// orders the two for the race detector.

const (
	// The halves of the first levels of forks get goroutines of their own, and one in
	// so many of those below.
	spreadLevels = 5
	spreadSample = 32
)

// forced returns a Task instead of t, which has been begun.
func (t *Task[A, R]) forced() *Task[A, R] {
	if force.Current() == force.Serial {
		t.n, t.set = math.MaxInt, math.MaxInt
		return t
	}
	t = t.fn.newTask()
	t.n, t.set, t.owner = 0, 0, goroutine.ID()
	return t
}

// apart is fork in forced modes.
func (t *Task[A, R]) apart(a, b A) (ra, rb R) {
	t.n = 0
	if force.Current() == force.Serial || t.depth >= spreadLevels && rand.IntN(spreadSample) != 0 {
		return t.f(t, a), t.f(t, b)
	}
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		if out, ok := v.(*outcome.Outcome); ok {
			t.carried = out
			out.RaiseValue()
		}
		panic(v)
	}()
	force.RunEach(2, 0, func(lo, hi int) bool {
		own := t.fn.newTask()
		own.f, own.ctx, own.owner = t.f, t.ctx, goroutine.ID()
		own.depth = t.depth + 1
		defer func() {
			if v := recover(); v != nil {
				if own.carried != nil && own.carried.Holds(v) {
					v = own.carried // with the stack of where it began
				}
				panic(v)
			}
		}()
		if lo == 0 {
			ra = own.f(own, a)
		} else {
			rb = own.f(own, b)
		}
		own.owner = nobody
		return true
	})
	return ra, rb
}
