package topic_test

import (
	"fmt"
	"sync"
	"testing"

	. "github.com/gopayoff/payoff/topic"
)

// The faults of the matchers of tylertreat/fast-topic-matching that were found, as tests.
// What a program beside a checkout printed is in topic-cstrie.txt of the record.

// TestEndlessRecursion: there, the lookup never ends, since the unsubscribe left behind
// what is empty below what is not.
func TestEndlessRecursion(t *testing.T) {
	ix := New[int](NATS)
	s := mustSubscribe(t, ix, "b.b.b", 1)
	mustSubscribe(t, ix, "b.b", 2)
	s.Unsubscribe()
	for subject, want := range map[string]int{"b.b.x": 0, "b.b.b": 0, "b.b": 1, "b": 0} {
		if n := ix.Count(subject); n != want {
			t.Errorf("Count(%q) = %d, want %d", subject, n, want)
		}
	}
}

// TestNilDereference: there, one of two goroutines that come and go crashes.
func TestNilDereference(t *testing.T) {
	ix := New[int](NATS)
	var wg sync.WaitGroup
	for g := range 2 {
		wg.Go(func() {
			pattern := fmt.Sprint(g, ".x")
			for range 20_000 {
				s, err := ix.Subscribe(pattern, g)
				if err != nil {
					t.Error(err)
					return
				}
				if n := ix.Count(pattern); n != 1 {
					t.Errorf("Count(%q) = %d after Subscribe, want 1", pattern, n)
					return
				}
				if !s.Unsubscribe() || ix.Has(pattern) {
					t.Errorf("%q is there after Unsubscribe", pattern)
					return
				}
			}
		})
	}
	wg.Wait()
}

// TestNothingElseIsLost: there, subscriptions that nobody ended are gone when another
// has come and gone often.
func TestNothingElseIsLost(t *testing.T) {
	ix := New[int](NATS)
	end := make(chan bool)
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-end:
				return
			default:
				s, err := ix.Subscribe("own.x", -1)
				if err != nil {
					t.Error(err)
					return
				}
				s.Unsubscribe()
			}
		}
	})
	const stay = 20_000
	subject := func(i int) string { return fmt.Sprintf("stay%d.%d", i%50, i) }
	for i := range stay {
		mustSubscribe(t, ix, subject(i), i)
	}
	close(end)
	wg.Wait()
	for i := range stay {
		if got := ix.AppendMatch(nil, subject(i)); len(got) != 1 || got[0] != i {
			t.Fatalf("%q has %v, want %d", subject(i), got, i)
		}
	}
}
