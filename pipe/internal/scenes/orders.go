package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"runtime"
	"time"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/internal/world/shim"
	"github.com/gopayoff/payoff/pipe"
)

// A scene is a run that is made in many orders of its steps. It returns what is wrong.
// Looks at the clock make items last so long.
type scene struct {
	run   func() string
	looks []time.Duration
}

// Helpers join items that are short; those that are long have a staff.
const short, long = 40 * time.Microsecond, 200 * time.Microsecond

var (
	either  = []time.Duration{short, long}
	staffed = []time.Duration{long}
)

var scenes = map[string]scene{
	"each":    {func() string { return flow(6, 6, false, fine) }, either},
	"slow":    {func() string { return flow(6, 6, false, slow(3)) }, either},
	"break":   {func() string { return flow(6, 3, false, fine) }, either},
	"fails":   {func() string { return flow(6, 4, true, func(i int) error { return ifIs(i, 4, errBoom) }) }, either},
	"panics":  {func() string { return flow(6, 3, true, func(i int) error { boom(i == 3); return nil }) }, either},
	"goexits": {func() string { return flow(5, 2, true, func(i int) error { quit(i == 2); return nil }) }, either},
	"two":     {two, either},
	"row":     {func() string { return row(2, 6) }, either},
	"row3":    {func() string { return row(3, 3) }, either},
	"atmost":  {atMost, staffed},
	"lent":    {lent, staffed},
}

var errBoom = errors.New("boom")

func fine(int) error { return nil }

// slow makes item i last for some time, at most until who waits for it has lost
// patience. The others give it time to begin elsewhere.
func slow(i int) func(int) error {
	return func(j int) error {
		n := 6
		if i == j {
			n = world.Choose(70)
		}
		for range n {
			shim.Gosched()
		}
		return nil
	}
}

func ifIs(i, at int, err error) error {
	if i == at {
		return err
	}
	return nil
}

func boom(now bool) {
	if now {
		panic(errBoom)
	}
}

func quit(now bool) {
	if now {
		runtime.Goexit()
	}
}

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
	for range 6 { // others go on, which should have nothing to do
		shim.Gosched()
	}
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
	case ends && returned && !errors.Is(err, errBoom):
		return fmt.Sprintf("the run returned %v", err)
	}
	return ""
}

// two are runs at once, of which one goes through the stage of the other's.
func two() string {
	var wg shim.WaitGroup
	wrong := make([]string, 2)
	for i := range 2 {
		wg.Go(func() { wrong[i] = flow(3, 3, false, fine) })
	}
	wg.Wait()
	return wrong[0] + wrong[1]
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

// explore runs the scene in many orders.
func explore(s scene) {
	for _, look := range s.looks {
		x := world.Explorer{Delays: *delays, Runs: *most, Walks: *walks, Look: look, Procs: 3, Seed: *seed}
		n, found := x.Explore(s.run)
		fmt.Printf("order=%s look=%v runs=%d\n", *order, look, n)
		if found != nil {
			fmt.Println(found)
			os.Exit(1)
		}
	}
}
