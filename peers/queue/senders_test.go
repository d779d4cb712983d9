package queue

import (
	"fmt"
	"testing"
)

// Senders that compute for each item are what a queue of results is for. All
// queues are called through function values here, which costs each about 2 ns
// an item.

// senders are what a sender computes for an item; see works.
var senders = []struct{ ns, rounds int }{{30, 14}, {100, 46}}

// slowSenders compute for about as long as waking a goroutine takes.
var slowSenders = []struct{ ns, rounds int }{{1000, 460}, {2000, 920}}

// flow makes a flow of m whose producers compute for each item.
func (m mailbox) flow(rounds int) flow {
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				m.send(resultOf(i, rounds))
			}
			return nil
		},
		consume: func() (t tally) {
			for v, ok := m.recv(); ok; v, ok = m.recv() {
				t.n++
				t.sum += v
			}
			return t
		},
		close: m.close,
	}
}

// resultOf returns i, after some work: no item may be negative.
func resultOf(i, rounds int) int64 {
	_ = burnt(int64(i), rounds)
	return int64(i)
}

func BenchmarkSenders(b *testing.B) {
	for _, w := range senders {
		benchSenders(b, capacity, w.ns, w.rounds, "")
	}
}

// With a small buffer many of the senders wait, and while they do none of them
// computes.
func BenchmarkSmallBuffer(b *testing.B) {
	for _, capacity := range []int{16, 32} {
		for _, w := range slowSenders {
			benchSenders(b, capacity, w.ns, w.rounds, fmt.Sprintf("/capacity=%d", capacity))
		}
	}
}

func benchSenders(b *testing.B, capacity, ns, rounds int, params string) {
	const producers = 100
	name := func(variant string) string { return fmt.Sprintf("variant=%s/work=%d", variant, ns) + params }
	b.Run(name("serial"), func(b *testing.B) {
		var t tally
		for i := range b.N {
			t.n++
			t.sum += resultOf(i, rounds)
		}
		if want := sumTo(b.N); t != want {
			b.Fatalf("serial = %v, want %v", t, want)
		}
	})
	for _, v := range anyMailbox(producers, 1) {
		b.Run(name(v.name), func(b *testing.B) {
			f := v.make(capacity).flow(rounds)
			b.ResetTimer()
			if err := f.move(b.N, producers, 1, sumTo(b.N), limit); err != nil {
				b.Fatal(err)
			}
		})
	}
}

func TestSenders(t *testing.T) {
	for _, n := range testSizes() {
		for _, v := range anyMailbox(3, 1) {
			if err := v.make(capacity).flow(1).move(n, 3, 1, sumTo(n), limit); err != nil {
				t.Errorf("%s: n=%d: %v", v.name, n, err)
			}
		}
	}
}

// Three stages of 10 µs: with two processors one stage is always ready to run,
// and who waits must not keep it from running. The base is a channel; a serial
// loop is there as well.
const (
	stageWork   = 10_000
	stageRounds = 4500
)

// stages sends items 0 to n-1 through three stages, of which each computes.
func stages(v mailboxVariant, n, rounds int) tally {
	first, second := v.make(capacity), v.make(capacity)
	go func() {
		for i := range n {
			first.send(resultOf(i, rounds))
		}
		first.close(1)
	}()
	go func() {
		for i, ok := first.recv(); ok; i, ok = first.recv() {
			second.send(resultOf(int(i), rounds))
		}
		second.close(1)
	}()
	var t tally
	for i, ok := second.recv(); ok; i, ok = second.recv() {
		t.n++
		t.sum += resultOf(int(i), rounds)
	}
	return t
}

func BenchmarkStages(b *testing.B) {
	name := func(variant string) string { return fmt.Sprintf("variant=%s/work=%d", variant, stageWork) }
	b.Run(name("serial"), func(b *testing.B) {
		var t tally
		for i := range b.N {
			t.n++
			t.sum += resultOf(int(resultOf(int(resultOf(i, stageRounds)), stageRounds)), stageRounds)
		}
		if want := sumTo(b.N); t != want {
			b.Fatalf("serial = %v, want %v", t, want)
		}
	})
	for _, v := range anyMailbox(1, 1) {
		b.Run(name(v.name), func(b *testing.B) {
			if got, want := stages(v, b.N, stageRounds), sumTo(b.N); got != want {
				b.Fatalf("received %v, want %v", got, want)
			}
		})
	}
}

func TestStages(t *testing.T) {
	for _, n := range testSizes() {
		for _, v := range anyMailbox(1, 1) {
			if got, want := stages(v, n, 1), sumTo(n); got != want {
				t.Errorf("%s: received %v, want %v", v.name, got, want)
			}
		}
	}
}
