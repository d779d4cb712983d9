package stage

import (
	"errors"
	"runtime"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/internal/world/shim"
)

// Together runs all at once, and returns the first of what is wrong.
func Together(fs ...func() string) string {
	var wg shim.WaitGroup
	wrong := make([]string, len(fs))
	for i, f := range fs {
		wg.Go(func() { wrong[i] = f() })
	}
	wg.Wait()
	for _, w := range wrong {
		if w != "" {
			return w
		}
	}
	return ""
}

// ErrBoom is the error of items that fail, and what those panic with that panic.
var ErrBoom = errors.New("boom")

// Fails, Panics, Quits and Slow are what items do of which one ends in another way than
// the rest, by its place: it returns ErrBoom, panics with it, calls Goexit, or lasts for
// some time, at most until the one that waits for it has lost patience, where the others
// give it time to begin elsewhere.
func Fails(at int) func(i int) error {
	return func(i int) error {
		if i == at {
			return ErrBoom
		}
		return nil
	}
}

func Panics(at int) func(i int) error {
	return func(i int) error {
		if i == at {
			panic(ErrBoom)
		}
		return nil
	}
}

func Quits(at int) func(i int) error {
	return func(i int) error {
		if i == at {
			runtime.Goexit()
		}
		return nil
	}
}

func Slow(at int) func(i int) error {
	return func(i int) error {
		n := 6
		if i == at {
			n = world.Choose(70)
		}
		for range n {
			shim.Gosched()
		}
		return nil
	}
}

// LetGoOn lets other goroutines go on, which should have nothing to do.
func LetGoOn() {
	for range 6 {
		shim.Gosched()
	}
}
