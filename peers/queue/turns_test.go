package queue

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gopayoff/payoff/peers/internal/ticker"
)

// longest lets producers send n items each to one consumer, through a small
// buffer, and returns how long each Send took.
func longest(m mailbox, producers, n int) ([]time.Duration, error) {
	took := make([]time.Duration, producers*n)
	var all sync.WaitGroup
	for p := range producers {
		own := took[p*n : (p+1)*n]
		all.Go(func() {
			for i := range own {
				from := time.Now()
				m.send(int64(i))
				own[i] = time.Since(from)
			}
		})
	}
	go func() {
		all.Wait()
		m.close(1)
	}()
	got := 0
	for _, ok := m.recv(); ok; _, ok = m.recv() {
		got++
	}
	if got != len(took) {
		return nil, fmt.Errorf("lost/duplicated: received %d items, want %d", got, len(took))
	}
	return took, nil
}

// How long may a sender have to wait where 100 send at once to a buffer of 16?
// One run is 100,000 items, however large b.N is: only p99-ns and longest-ns say
// something.
func BenchmarkLongest(b *testing.B) {
	const producers = 100
	for _, v := range anyMailbox(producers, 1) {
		b.Run(fmt.Sprintf("variant=%s/producers=%d/capacity=16", v.name, producers), func(b *testing.B) {
			took, err := longest(v.make(16), producers, 1000)
			if err != nil {
				b.Fatal(err)
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100]), "p99-ns")
			b.ReportMetric(float64(took[len(took)-1]), "longest-ns")
		})
	}
}

func TestLongest(t *testing.T) {
	for _, v := range anyMailbox(3, 1) {
		if _, err := longest(v.make(2), 3, 50); err != nil {
			t.Errorf("%s: %v", v.name, err)
		}
	}
}

// itemWork is what a receiver does with an item in a burst.
const itemWork = 300 * time.Microsecond

// burst sends an item to each of the goroutines that wait, n times, a period
// apart, and returns for each item how long after the first Send its receiver
// began, in order of time.
func burst(m mailbox, goroutines, n int, work time.Duration) (began [][]time.Duration, err error) {
	tick, err := ticker.New(10 * period)
	if err != nil {
		return nil, err
	}
	defer tick.Stop()
	times := make(chan time.Time, goroutines)
	done := make(chan bool)
	var all sync.WaitGroup
	for range goroutines {
		all.Go(func() {
			for _, ok := m.recv(); ok; _, ok = m.recv() {
				now := time.Now()
				times <- now
				for time.Since(now) < work {
				}
				done <- true
			}
		})
	}
	for range n {
		if err := tick.Wait(); err != nil { // until all wait
			return nil, err
		}
		from := time.Now()
		for range goroutines {
			m.send(1)
		}
		var b []time.Duration
		for range goroutines {
			<-done
			b = append(b, (<-times).Sub(from))
		}
		slices.Sort(b)
		began = append(began, b)
	}
	m.close(goroutines)
	all.Wait()
	return began, nil
}

// Two receivers wait, and two items come at once, of 300 µs each: when does the
// second begin? Queues that poll have nobody who waits, and are not here. ns/op
// is the period; see first-ns and second-ns.
func BenchmarkBurst(b *testing.B) {
	const goroutines = 2
	for _, v := range mailboxes {
		if !v.sides.allow(1, goroutines) {
			continue
		}
		b.Run("variant="+v.name, func(b *testing.B) {
			began, err := burst(v.make(capacity), goroutines, b.N, itemWork)
			if err != nil {
				b.Fatal(err)
			}
			for i, unit := range []string{"first-ns", "second-ns"} {
				var x []time.Duration
				for _, one := range began {
					x = append(x, one[i])
				}
				slices.Sort(x)
				b.ReportMetric(float64(x[len(x)/2]), unit)
			}
		})
	}
}

func TestBurst(t *testing.T) {
	for _, v := range mailboxes {
		if !v.sides.allow(1, 2) {
			continue
		}
		began, err := burst(v.make(4), 2, 3, time.Microsecond)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range began {
			if len(one) != 2 || one[0] < 0 {
				t.Errorf("%s: items began %v after the first was sent, want two, none before", v.name, one)
			}
		}
	}
}
