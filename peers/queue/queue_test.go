package queue

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
)

// A flow is one queue with the loops that move items through it. The loops are
// written out for each queue, so that its calls are direct and may be inlined;
// only produce and consume as a whole are called indirectly.
type flow struct {
	produce func(lo, hi int) error // sends items lo to hi-1; of each producer
	consume func() tally           // receives until the end; of each consumer
	// close lets every consumer end once it has found the queue empty. The last
	// producer calls it.
	close func(consumers int)
	abort func() // ends loops that poll; nil where none does
}

// A tally is what was received.
type tally struct{ n, sum int64 }

var errAborted = errors.New("aborted")

// limit is how long a shape may take before it is said to hang.
const limit = 30 * time.Second

// move sends n items through f and reports whether it hangs, or the tally is
// not want.
func (f flow) move(n, producers, consumers int, want tally, limit time.Duration) error {
	type result struct {
		tally
		err error
	}
	results := make(chan result, producers+consumers)
	for range consumers {
		go func() { results <- result{tally: f.consume()} }()
	}
	var left atomic.Int64
	left.Store(int64(producers))
	for p := range producers {
		lo, hi := share(n, p, producers), share(n, p+1, producers)
		go func() {
			err := f.produce(lo, hi)
			if left.Add(-1) == 0 {
				f.close(consumers)
			}
			results <- result{err: err}
		}()
	}

	timer := time.NewTimer(limit)
	defer timer.Stop()
	var got tally
	for range producers + consumers {
		select {
		case r := <-results:
			if r.err != nil {
				return r.err
			}
			got.n += r.n
			got.sum += r.sum
		case <-timer.C:
			if f.abort != nil {
				f.abort()
			}
			return fmt.Errorf("hangs: %d producers and %d consumers did not move %d items in %v", producers, consumers, n, limit)
		}
	}
	if got != want {
		return fmt.Errorf("lost/duplicated: received %d items with sum %d, want %d with sum %d", got.n, got.sum, want.n, want.sum)
	}
	return nil
}

// share returns where the part of producer p begins.
func share(n, p, producers int) int { return int(int64(n) * int64(p) / int64(producers)) }

// sumTo returns the tally of items 0 to n-1.
func sumTo(n int) tally { return tally{int64(n), int64(n) * int64(n-1) / 2} }

// sides say of which goroutines a queue allows many.
type sides struct{ manyProducers, manyConsumers bool }

var (
	spsc = sides{}
	mpsc = sides{manyProducers: true}
	mpmc = sides{manyProducers: true, manyConsumers: true}
)

func (s sides) allow(producers, consumers int) bool {
	return (producers == 1 || s.manyProducers) && (consumers == 1 || s.manyConsumers)
}

// A flowVariant makes flows of one queue.
type flowVariant struct {
	name  string
	sides sides
	make  func() flow
}

// elems are the flows by element.
var elems = []struct {
	name          string
	singles, lscq []flowVariant // one item at a time, the channel first
	batches       []flowVariant
}{
	{"int64", singlesInt64, lscqInt64, batchesInt64},
	{"item64", singlesItem64, lscqItem64, batchesItem64},
}

// A shape is a benchmark that moves items through flows.
type shape struct {
	name                 string
	key                  string // what distinguishes it within its benchmark
	producers, consumers int
	batches              bool
}

var shapes = []shape{
	{name: "SPSC", producers: 1, consumers: 1},
	{name: "Batch", producers: 1, consumers: 1, batches: true},
	{name: "MPSC", key: "/producers=100/consumers=1", producers: 100, consumers: 1},
	{name: "MPMC", key: "/producers=2/consumers=2", producers: 2, consumers: 2},
	{name: "MPMC", key: "/producers=1/consumers=100", producers: 1, consumers: 100},
	{name: "MPMC", key: "/producers=100/consumers=1", producers: 100, consumers: 1},
	{name: "MPMC", key: "/producers=100/consumers=100", producers: 100, consumers: 100},
}

// each calls f for each variant of the shape.
func (s shape) each(f func(name string, v flowVariant)) {
	for _, e := range elems {
		vs := slices.Concat(e.singles, e.lscq)
		if s.batches {
			vs = slices.Concat(e.singles[:1], e.batches) // beside the channel
		}
		for _, v := range vs {
			if v.sides.allow(s.producers, s.consumers) {
				f("variant="+v.name+"/elem="+e.name+s.key, v)
			}
		}
	}
}

// bench measures the shapes of a name. One op is one item, end to end.
func bench(b *testing.B, name string, only ...string) {
	for _, s := range shapes {
		if s.name != name {
			continue
		}
		s.each(func(name string, v flowVariant) {
			if only != nil && !slices.Contains(only, v.name) {
				return
			}
			b.Run(name, func(b *testing.B) {
				f := v.make()
				b.ResetTimer()
				if err := f.move(b.N, s.producers, s.consumers, sumTo(b.N), limit); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}

func BenchmarkSPSC(b *testing.B)  { bench(b, "SPSC") }
func BenchmarkBatch(b *testing.B) { bench(b, "Batch") }
func BenchmarkMPSC(b *testing.B)  { bench(b, "MPSC") }
func BenchmarkMPMC(b *testing.B)  { bench(b, "MPMC") }

// failing are the rivals known to hang or to lose items, by shape and variant,
// with the reason. Nothing that is here now fails.
var failing = map[string]string{}

func TestFlows(t *testing.T) {
	for _, s := range shapes {
		s.each(func(name string, v flowVariant) {
			t.Run(s.name+"/"+name, func(t *testing.T) {
				if why, ok := failing[s.name+"/variant="+v.name]; ok {
					t.Skip(why)
				}
				for _, n := range testSizes() {
					if err := v.make().move(n, s.producers, s.consumers, sumTo(n), limit); err != nil {
						t.Fatalf("n=%d: %v", n, err)
					}
				}
			})
		})
	}
}

// testSizes: nothing, one, around a batch, around the capacity, more than once
// around it.
func testSizes() []int {
	sizes := []int{0, 1, batch - 1, batch + 1, capacity + 1}
	if stress.Long() {
		sizes = append(sizes, 5*capacity+7)
	}
	return sizes
}

// A queue that loses, repeats, tears or hangs is found out.
func TestMoveFindsFaults(t *testing.T) {
	// faulty is a channel that carries what fault makes of each item.
	faulty := func(fault func(i int64) []int64) flow {
		c := make(chan int64, capacity)
		return flow{
			produce: func(lo, hi int) error {
				for i := lo; i < hi; i++ {
					for _, v := range fault(int64(i)) {
						c <- v
					}
				}
				return nil
			},
			consume: func() (t tally) {
				for v := range c {
					t.n++
					t.sum += v
				}
				return t
			},
			close: func(int) { close(c) },
		}
	}
	const n = 100
	for _, test := range []struct {
		name  string
		fault func(i int64) []int64
		found bool
	}{
		{"no fault", func(i int64) []int64 { return []int64{i} }, false},
		{"item 0 lost", func(i int64) []int64 { return []int64{i}[:min(i, 1)] }, true},
		{"item 0 repeated", func(i int64) []int64 { return []int64{i, i}[min(i, 1):] }, true},
		{"item 7 in the place of 6", func(i int64) []int64 {
			if i == 6 {
				i = 7
			}
			return []int64{i}
		}, true},
	} {
		if err := faulty(test.fault).move(n, 2, 3, sumTo(n), limit); (err != nil) != test.found {
			t.Errorf("%s: move = %v, want an error: %v", test.name, err, test.found)
		}
	}

	hanging := chanInt64()
	aborted := make(chan bool, 1)
	hanging.close = func(int) {}
	hanging.abort = func() { aborted <- true }
	if err := hanging.move(n, 1, 1, sumTo(n), time.Millisecond); err == nil || len(aborted) != 1 {
		t.Errorf("move of a queue that is not closed = %v, aborted %d times; want it to hang and be aborted once", err, len(aborted))
	}

	torn := elemItem64{first: 3, last: 5}
	if got := valueItem64(&torn); got == 3 || got == 5 {
		t.Errorf("value of an item torn between 3 and 5 = %d, want neither", got)
	}
}
