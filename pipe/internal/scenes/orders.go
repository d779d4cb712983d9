package main

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/internal/world/shim"
	"github.com/gopayoff/payoff/internal/world/stage"
	"github.com/gopayoff/payoff/pipe"
)

// scenes are runs that are made in many orders of their steps. Each returns what is wrong.
var scenes = map[string]func() string{
	"each":    func() string { return flow(6, 6, false, fine) },
	"slow":    func() string { return flow(6, 6, false, stage.Slow(3)) },
	"break":   func() string { return flow(6, 3, false, fine) },
	"fails":   func() string { return flow(6, 4, true, stage.Fails(4)) },
	"panics":  func() string { return flow(6, 3, true, stage.Panics(3)) },
	"goexits": func() string { return flow(5, 2, true, stage.Quits(2)) },
	"two":     two,
	"row":     func() string { return row(2, 6) },
	"row3":    func() string { return row(3, 3) },
	"atmost":  atMost,
	"lent":    lent,
}

func fine(int) error { return nil }

// flow runs n items through a stage, into a sink that wants the first of them up to
// upTo. Where how ends the run at an item, as ends says, upTo is the index of that. What functions and
// the sink write is no atomic: a race between an item and what comes before or after it
// shows.
func flow(n, upTo int, ends bool, how func(i int) error) string {
	began, came, over, late := make([]int, n), make([]int, 0, n), false, false
	step := byte(0)
	p := pipe.MapContext(pipe.Range(n), func(_ context.Context, i int) (int, error) {
		began[i]++
		world.Step(&step)
		late = late || over
		return i, how(i)
	})
	var err error
	var value any
	returned := false
	var wg shim.WaitGroup
	wg.Go(func() { // Goexit ends it
		defer func() { value = recover() }()
		for i, e := range p.All(context.Background()) {
			if err = e; e != nil {
				break
			}
			came = append(came, i)
			if !ends && len(came) == upTo && upTo < n {
				break
			}
		}
		returned = true
	})
	wg.Wait()
	over = true
	stage.LetGoOn()
	if late {
		return "a function runs after the run"
	}
	for i, v := range came {
		if v != i {
			return fmt.Sprintf("%v came, out of order", came)
		}
	}
	for i, k := range began {
		if k > 1 || k == 0 && i < len(came) {
			return fmt.Sprintf("item %d was worked on %d times", i, k)
		}
	}
	exact := returned // a panic or Goexit may take those before it in its batch along
	switch {
	case len(came) > upTo || exact && len(came) != upTo:
		return fmt.Sprintf("%v came, want %d", came, upTo)
	case !ends && (err != nil || value != nil || !returned):
		return fmt.Sprintf("the run ended with %v, %v", err, value)
	case ends && returned && !errors.Is(err, stage.ErrBoom):
		return fmt.Sprintf("the run returned %v", err)
	}
	return ""
}

// two are runs at once, of which one goes through the stage of the other's.
func two() string {
	run := func() string { return flow(3, 3, false, fine) }
	return stage.Together(run, run)
}

// A count is how many items have come to a point. The detector of races sees none of it.
type count struct{ n int }

//go:norace
func (c *count) add() { c.n++ }

//go:norace
func (c *count) get() int { return c.n }

// reaches waits until there are n, and reports whether that was soon.
func (c *count) reaches(n int) bool { return world.Soon(func() bool { return c.get() >= n }) }

// row runs n items through so many segments one behind the other, of which each has a
// stage. Functions wait, but not on the goroutine of the loop: each until the item before
// has come out of its segment, which is to be soon.
func row(segments, n int) string {
	caller, wrong := world.Self(), ""
	out := make([]count, segments)
	p := pipe.Range(n)
	for k := range segments {
		p = pipe.Map(p, func(i int) int {
			if world.Self() != caller && !out[k].reaches(i) {
				wrong = fmt.Sprintf("item %d waits in segment %d: the one before does not come out", i, k)
			}
			return i
		})
		if k == segments-1 {
			break
		}
		p = pipe.FlatMap(p, func(i int) iter.Seq[int] {
			return func(yield func(int) bool) {
				out[k].add()
				yield(i)
			}
		})
	}
	if came := all(p, n, &out[segments-1]); came != "" {
		return came
	}
	return wrong
}

// all counts what comes out of p, and says what is wrong where that is not the first n
// numbers.
func all(p pipe.Pipe[int], n int, out *count) string {
	next := 0
	for i, err := range p.All(context.Background()) {
		if err != nil || i != next {
			return fmt.Sprintf("%d, %v came, want %d", i, err, next)
		}
		next++
		out.add()
	}
	if next != n {
		return fmt.Sprintf("%d items came, want %d", next, n)
	}
	return ""
}

// atMost is a stage of which two run at a time. The second item waits until all others have
// begun, which is to be soon.
func atMost() string {
	const n = 4
	caller, wrong := world.Self(), ""
	began, out := new(count), new(count)
	p := pipe.Map(pipe.Seq(func(yield func(int) bool) {
		for i := range n {
			if i == n-1 { // somebody may have left, or be about to
				began.reaches(i)
			}
			if !yield(i) {
				break
			}
		}
	}), func(i int) int {
		began.add()
		if i == 1 && world.Self() != caller && !began.reaches(n) {
			wrong = "others do not begin meanwhile"
		}
		return i
	}).AtMost(2)
	if came := all(p, n, out); came != "" {
		return came
	}
	return wrong
}

// lent is a source that has nothing more for now: nobody but who waits in it, and one for
// the next item, stays.
func lent() string {
	const n = 4
	c := make(chan int, n)
	out, wrong := new(count), ""
	var m pipe.Meter
	shim.Go(func() {
		for i := range n {
			shim.Sending(c) <- i
			if i%2 == 0 {
				continue
			}
			world.Soon(func() bool { return false }) // until all rest
			if k := m.Stats().Stages[1].Workers; k > 2 || out.get() != i+1 {
				wrong = fmt.Sprintf("%d items were sent: %d came out, and %d goroutines are there", i+1, out.get(), k)
			}
		}
		close(shim.Closing(c))
	})
	p := pipe.Map(pipe.Chan(c), func(i int) int { shim.Gosched(); return i }).Meter(&m)
	if err := p.ForEach(context.Background(), func(int) error { out.add(); return nil }); err != nil {
		return err.Error()
	}
	return wrong
}
