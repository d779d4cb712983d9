package counter_test

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/gopayoff/payoff/counter"
)

func ExampleInt() {
	var hits, bytes counter.Int // usually fields of a server
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() {
			hits.Inc()
			bytes.Add(512)
		})
	}
	wg.Wait()
	fmt.Println(hits.Value(), bytes.Value())
	// Output: 100 51200
}

// A reporter takes what has come since the last time; nothing is lost between.
func ExampleInt_Take() {
	var events counter.Int
	events.Add(3)
	fmt.Println("first period:", events.Take())
	events.Add(4)
	fmt.Println("second period:", events.Take())
	// Output:
	// first period: 3
	// second period: 4
}

// Each worker counts in a histogram of its own.
func ExampleLocal() {
	text := []byte("the quick brown fox jumps over the lazy dog")
	var hist counter.Local[[256]int]
	var wg sync.WaitGroup
	for part := range slices.Chunk(text, 11) {
		h := hist.New()
		wg.Go(func() {
			for _, b := range part {
				h[b]++
			}
		})
	}
	wg.Wait()
	all := hist.Merge(func(into, h *[256]int) {
		for b, n := range h {
			into[b] += n
		}
	})
	fmt.Println(all['o'], all['e'], all['z'])
	// Output: 4 3 1
}

// A sum fits in a register: add up in a local variable and store it once. New is
// called before the workers start, so that the parts are merged in order and
// the sum of the floats is the same each time.
func ExampleLocal_sum() {
	xs := []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6}
	var sums counter.Local[float64]
	var wg sync.WaitGroup
	for part := range slices.Chunk(xs, 2) {
		own := sums.New()
		wg.Go(func() {
			sum := 0.0
			for _, x := range part {
				sum += x
			}
			*own = sum
		})
	}
	wg.Wait()
	fmt.Printf("%.1f\n", sums.Merge(func(into, sum *float64) { *into += *sum }))
	// Output: 2.1
}

// Init says what a minimum begins as.
func ExampleLocal_min() {
	xs := []int{31, 41, 59, 26, 53, 58}
	mins := counter.Local[int]{Init: func() int { return math.MaxInt }}
	var wg sync.WaitGroup
	for part := range slices.Chunk(xs, 2) {
		own := mins.New()
		wg.Go(func() { *own = slices.Min(part) })
	}
	wg.Wait()
	fmt.Println(mins.Merge(func(into, m *int) { *into = min(*into, *m) }))
	// Output: 26
}
