package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/internal/world/shim"
	"github.com/gopayoff/payoff/pipe"
)

// scenes are runs that are made in many orders of their steps. Each returns what is
// wrong.
var scenes = map[string]func() string{
	"each":    func() string { return flow(6, 6, false, fine) },
	"slow":    func() string { return flow(6, 6, false, slow(3)) },
	"break":   func() string { return flow(6, 3, false, fine) },
	"fails":   func() string { return flow(6, 4, true, func(i int) error { return ifIs(i, 4, errBoom) }) },
	"panics":  func() string { return flow(6, 3, true, func(i int) error { boom(i == 3); return nil }) },
	"goexits": func() string { return flow(5, 2, true, func(i int) error { quit(i == 2); return nil }) },
	"two":     two,
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

// explore runs f in many orders: with looks at the clock that make items short, which
// helpers join, and long, which have a staff.
func explore(f func() string) {
	for _, look := range []time.Duration{40 * time.Microsecond, 200 * time.Microsecond} {
		x := world.Explorer{Delays: *delays, Runs: *most, Walks: *walks, Look: look, Procs: 3, Seed: *seed}
		n, found := x.Explore(f)
		fmt.Printf("order=%s look=%v runs=%d\n", *order, look, n)
		if found != nil {
			fmt.Println(found)
			os.Exit(1)
		}
	}
}
