package par

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/force"
	"github.com/gopayoff/payoff/par/internal/loop"
)

// elementwise are those loopings whose functions are called for each element.
func elementwise(t *testing.T) (all []looping) {
	names := []string{"ForEach", "ForEachContext", "Map", "MapContext", "MapN", "MapNContext", "MapIndexed", "MapIndexedContext",
		"Fold", "FoldContext", "Filter", "FilterContext", "Find", "FindN", "FindContext", "FindNContext", "Any", "AnyContext", "DoContext"}
	for _, l := range loopings {
		if slices.Contains(names, l.name) {
			all = append(all, l)
		}
	}
	if len(all) != len(names) {
		t.Fatalf("%d loopings, want %d", len(all), len(names))
	}
	return all
}

// TestWrapper: one function for all loops of a program keeps none of them serial. Of few
// long elements between many short ones most are offered.
func TestWrapper(t *testing.T) {
	defer force.Set(force.Set(force.Auto))
	for _, l := range elementwise(t) {
		if strings.HasPrefix(l.name, "Find") || strings.HasPrefix(l.name, "Any") {
			continue // which try few at a time: that they end early is expected
		}
		w := newWorld(t)
		w.idle = true
		loop.Forget()
		elem := time.Duration(0)
		at := func(int) error { w.now += elem; return nil }
		for round := range 20 {
			elem = 1
			for range 1000 {
				l.call(context.Background(), 8, at)
			}
			elem = 10 * time.Millisecond
			before := w.wakes
			if l.call(context.Background(), 8, at); w.wakes == before {
				t.Errorf("%s, round %d: 8 elements of %v got no help", l.name, round, elem)
			}
		}
	}
}

// TestLooks: a call ends soon after its context has ended within a part, also where all
// elements are taken to be short.
func TestLooks(t *testing.T) {
	defer force.Set(force.Set(force.Auto))
	for _, l := range elementwise(t) {
		if !l.fails {
			continue
		}
		for _, c := range []struct{ n, at, most int }{{8, 0, 1}, {900, 3, 16}} {
			w := newWorld(t)
			short := func(int) error { w.now++; return nil }
			cause := errors.New("cause")
			for range 20 {
				loop.Forget()
				for range 100 {
					l.call(context.Background(), 8, short)
				}
				ctx, cancel := context.WithCancelCause(context.Background())
				visits := 0
				err := l.call(ctx, c.n, func(i int) error {
					if visits++; i == c.at {
						cancel(cause)
					}
					return short(i)
				})
				cancel(nil)
				if err != cause || visits > c.most {
					t.Errorf("%s of %d, whose context ends in element %d: %v after %d elements, want %v after %d at most", l.name, c.n, c.at, err, visits, cause, c.most)
					break
				}
			}
		}
	}
}
