package derived

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/gopayoff/payoff/internal/stress"
)

type keyType struct{}

var errStop, errParent = errors.New("stopped"), errors.New("cause of the parent")

// An answer is what a context says when it is asked.
type answer struct {
	closed     bool // Done is, or the function of AfterFunc has begun
	err, cause error
	value      any
	deadline   time.Time
}

func closed(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// questions ask a context, and return what asks for the same once more at the end.
var questions = []struct {
	name string
	ask  func(ctx context.Context) (again func() answer)
}{
	{"Done", func(ctx context.Context) func() answer {
		done := ctx.Done()
		return func() answer {
			if now := ctx.Done(); now != done {
				panic("Done returns another channel")
			}
			return answer{closed: closed(done)}
		}
	}},
	{"Err", func(ctx context.Context) func() answer {
		return func() answer { return answer{err: ctx.Err()} }
	}},
	{"Cause", func(ctx context.Context) func() answer {
		return func() answer { return answer{cause: context.Cause(ctx)} }
	}},
	{"Value", func(ctx context.Context) func() answer {
		return func() answer { return answer{value: ctx.Value(keyType{})} }
	}},
	{"Deadline", func(ctx context.Context) func() answer {
		return func() answer {
			at, ok := ctx.Deadline()
			return answer{deadline: at, closed: ok}
		}
	}},
	{"AfterFunc", func(ctx context.Context) func() answer {
		stop := context.AfterFunc(ctx, func() {})
		return func() answer { return answer{closed: ctx.Err() != nil && !stop()} }
	}},
	{"WithCancel", func(ctx context.Context) func() answer {
		child, cancel := context.WithCancel(ctx)
		_ = cancel // each ends with ctx
		return func() answer {
			return answer{closed: closed(child.Done()), err: child.Err(), cause: context.Cause(child), value: child.Value(keyType{})}
		}
	}},
}

// A strange is a context that package context does not know.
type strange struct{ context.Context }

func (s strange) Value(key any) any {
	if key == causeKey {
		return nil
	}
	return s.Context.Value(key)
}

// parents are contexts to derive from; end ends one.
var parents = map[string]func() (ctx context.Context, end func()){
	"canceled": func() (context.Context, func()) {
		ctx, cancel := context.WithCancelCause(context.WithValue(context.Background(), keyType{}, 7))
		return ctx, func() { cancel(errParent) }
	},
	"late": func() (context.Context, func()) {
		ctx, cancel := context.WithTimeoutCause(context.WithValue(context.Background(), keyType{}, 7), time.Second, errParent)
		_ = cancel
		return ctx, func() {
			time.Sleep(time.Second)
			synctest.Wait()
		}
	},
	"with a value": func() (context.Context, func()) {
		ctx, cancel := context.WithCancelCause(context.Background())
		return context.WithValue(ctx, keyType{}, 7), func() { cancel(errParent) }
	},
	"endless": func() (context.Context, func()) {
		return context.WithValue(context.Background(), keyType{}, 7), func() {}
	},
	"derived": func() (context.Context, func()) {
		ctx, cancel := context.WithCancelCause(context.WithValue(context.Background(), keyType{}, 7))
		c := new(Context)
		c.Derive(ctx, new(Source))
		return c, func() { cancel(errParent) }
	},
	"strange": func() (context.Context, func()) {
		ctx, cancel := context.WithCancelCause(context.WithValue(context.Background(), keyType{}, 7))
		return strange{ctx}, func() {
			cancel(errParent)
			synctest.Wait() // a goroutine waits for it
		}
	},
}

// TestContract: whatever is asked in whatever order, before and after the end, the answer
// is that of a context of the standard library.
func TestContract(t *testing.T) {
	for name, parent := range parents {
		for _, ends := range [][]string{{}, {"stop"}, {"parent"}, {"parent", "stop"}, {"stop", "parent"}} {
			synctest.Test(t, func(t *testing.T) {
				var order []int
				for end := range len(questions) + 1 {
					walk(order, func(order []int) {
						made := slices.ContainsFunc(order[:end], func(i int) bool {
							return slices.Contains([]string{"Done", "AfterFunc", "WithCancel"}, questions[i].name)
						})
						if len(ends) == 2 && ends[0] == "stop" && !made {
							return // then the parent's end counts
						}
						what := fmt.Sprintf("%s, %v as question %d", name, ends, end)
						contract(t, what, parent, ends, end, order)
					})
				}
			})
		}
	}
}

// walk calls f with each order of the questions that begins with the given ones. In the
// short form, those beyond the third are asked in their own order.
func walk(order []int, f func(order []int)) {
	depth := 3
	if stress.Long() {
		depth = len(questions)
	}
	rest := []int{}
	for i := range questions {
		if !slices.Contains(order, i) {
			rest = append(rest, i)
		}
	}
	if len(order) == depth {
		f(slices.Concat(order, rest))
		return
	}
	for _, i := range rest {
		walk(append(slices.Clone(order), i), f)
	}
}

// contract asks in an order, and has the context end before question end.
func contract(t *testing.T, what string, parent func() (context.Context, func()), ends []string, end int, order []int) {
	from, endParent := parent()
	var s Source
	c := new(Context)
	c.Derive(from, &s)
	wantFrom, endWant := from, endParent
	if from.Done() != nil {
		endWant = func() {}
	}
	want, cancel := context.WithCancelCause(wantFrom)
	defer cancel(nil)
	defer s.Stop(nil)
	defer endParent()

	var gots, wants []func() answer
	finish := func() {
		for _, e := range ends {
			if e == "stop" {
				s.Stop(errStop)
				cancel(errStop)
			} else {
				endParent()
				endWant()
			}
		}
	}
	for i, q := range order {
		if i == end {
			finish()
		}
		gots = append(gots, questions[q].ask(c))
		wants = append(wants, questions[q].ask(want))
		if questions[q].name != "AfterFunc" { // to ask that again is to stop it
			if got, want := gots[i](), wants[i](); got != want {
				t.Fatalf("%s: %s, asked %d.: %+v, want %+v (order %v)", what, questions[q].name, i, got, want, order)
			}
		}
	}
	if end == len(order) {
		finish()
	}
	for i, q := range order {
		if got, want := gots[i](), wants[i](); got != want {
			t.Fatalf("%s: %s, in the end: %+v, want %+v (order %v)", what, questions[q].name, got, want, order)
		}
	}
}

// TestAtOnce: when Done is closed, Err and Cause say why, all the same and for good,
// whoever ends the context meanwhile.
func TestAtOnce(t *testing.T) {
	for round := range 200 {
		parent, cancel := context.WithCancelCause(context.Background())
		var s Source
		cs := make([]Context, 2)
		for i := range cs {
			cs[i].Derive(parent, &s)
		}
		var wg sync.WaitGroup
		wg.Go(func() { s.Stop(errStop) })
		wg.Go(func() { cancel(errParent) })
		for i := range 4 {
			wg.Go(func() {
				c := &cs[i%2]
				if (round+i)%3 == 0 {
					for c.Err() == nil {
						runtime.Gosched()
					}
				} else {
					<-c.Done()
				}
				err, cause := c.Err(), context.Cause(c)
				if !closed(c.Done()) || err != context.Canceled || cause != errStop && cause != errParent {
					t.Errorf("done: %t, %v, %v", closed(c.Done()), err, cause)
				}
				ctx, cancel := context.WithTimeout(c, time.Hour) // panics where Err is nil
				defer cancel()
				if again := context.Cause(c); again != cause || context.Cause(ctx) != cause {
					t.Errorf("the cause is %v, then %v, that of a child %v", cause, again, context.Cause(ctx))
				}
			})
		}
		wg.Wait()
	}
}

// TestKept: a source keeps one context for all that ends at the same time, and none that
// is done.
func TestKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		parent, cancel := context.WithCancel(context.Background())
		var s Source
		for i := range 100 {
			for _, from := range []context.Context{parent, context.Background()} {
				c := new(Context)
				c.Derive(context.WithValue(from, keyType{}, i), &s)
				c.Done()
				d := new(Context)
				d.Derive(c, &s)
				d.Done()
				if c.Value(keyType{}) != i || d.Value(keyType{}) != i {
					t.Fatalf("the value is %v and %v, want %d", c.Value(keyType{}), d.Value(keyType{}), i)
				}
			}
		}
		if n := s.Kept(); n != 4 {
			t.Errorf("%d contexts are kept for two parents and what is derived from those, want 4", n)
		}
		cancel()
		synctest.Wait()
		if n := s.Kept(); n != 2 {
			t.Errorf("%d contexts are kept for a parent that has no end, want 2", n)
		}
		s.Stop(nil)
		if n := s.Kept(); n != 0 {
			t.Errorf("%d contexts are kept after Stop, want 0", n)
		}
	})
}

// TestFirstAsker: what is kept hangs on what ends it, and not on the values of the
// context that was asked first.
func TestFirstAsker(t *testing.T) {
	parent, cancel := context.WithCancel(context.Background())
	defer cancel()
	var s Source
	for _, from := range []context.Context{parent, context.Background()} {
		value := new([1000]byte)
		w := weak.Make(value)
		c := new(Context)
		c.Derive(context.WithValue(from, keyType{}, value), &s)
		c.Done()
		c, value = nil, nil
		runtime.GC()
		if w.Value() != nil {
			t.Errorf("a value is kept under %v, when the context is not held any more", from)
		}
	}
	runtime.KeepAlive(&s)
}

// TestCauseKey: package context asks as it is believed to.
func TestCauseKey(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if got, ok := ctx.Value(causeKey).(context.Context); !ok || got != ctx {
		t.Errorf("a context of package context is %T under the key, want itself: Go has changed how it finds its own, see causeKey", ctx.Value(causeKey))
	}
}
