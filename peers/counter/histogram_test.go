package counter

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gopayoff/payoff/counter"
	"github.com/gopayoff/payoff/internal/cacheline"
)

// bins are few, so that the histograms of several workers fit on one line.
const bins = 8

type histogram [bins]int64

// sample is what is counted, by the low bits.
var sample = func() []byte {
	s := make([]byte, 1<<16)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range s {
		s[i] = byte(r.Uint32())
	}
	return s
}()

// count is one loop for all variants with plain words, not inlined: copies of it
// differ in speed by where they lie in the binary.
//
//go:noinline
func (h *histogram) count(xs []byte) {
	for _, x := range xs {
		h[x%bins]++
	}
}

func (h *histogram) merge(other *histogram) {
	for i, n := range other {
		h[i] += n
	}
}

// histograms are the variants: each counts the bytes of xs with some workers.
var histograms = []struct {
	name  string
	count func(xs []byte, workers int) histogram
}{
	{"serial", func(xs []byte, _ int) (h histogram) {
		h.count(xs)
		return h
	}},
	// neighbours is what is written without thinking of lines.
	{"neighbours", func(xs []byte, workers int) (sum histogram) {
		hs := make([]histogram, workers)
		split(len(xs), workers, func(w, from, to int) {
			hs[w].count(xs[from:to])
		})
		for w := range hs {
			sum.merge(&hs[w])
		}
		return sum
	}},
	// payoff is the same with the values from a Local.
	{"payoff", func(xs []byte, workers int) histogram {
		var hs counter.Local[histogram]
		split(len(xs), workers, func(_, from, to int) {
			hs.New().count(xs[from:to])
		})
		return hs.Merge((*histogram).merge)
	}},
	{"padded", func(xs []byte, workers int) (sum histogram) {
		hs := make([]struct {
			histogram
			_ cacheline.Pad
		}, workers)
		split(len(xs), workers, func(w, from, to int) {
			hs[w].histogram.count(xs[from:to])
		})
		for w := range hs {
			sum.merge(&hs[w].histogram)
		}
		return sum
	}},
	// local has each worker's histogram on its stack.
	{"local", func(xs []byte, workers int) histogram {
		hs := make([]histogram, workers)
		split(len(xs), workers, func(w, from, to int) {
			var h histogram
			h.count(xs[from:to])
			hs[w] = h
		})
		for w := range hs[1:] {
			hs[0].merge(&hs[w+1])
		}
		return hs[0]
	}},
	{"atomic", func(xs []byte, workers int) (sum histogram) {
		var h [bins]atomic.Int64
		split(len(xs), workers, func(_, from, to int) {
			for _, x := range xs[from:to] {
				h[x%bins].Add(1)
			}
		})
		for i := range h {
			sum[i] = h[i].Load()
		}
		return sum
	}},
	// ints is atomic with an Int for each bin: what one would write if others
	// are to watch, though the eight of them are made anew each time here.
	{"ints", func(xs []byte, workers int) (sum histogram) {
		var h [bins]counter.Int
		split(len(xs), workers, func(_, from, to int) {
			for _, x := range xs[from:to] {
				h[x%bins].Inc()
			}
		})
		for i := range h {
			sum[i] = h[i].Value()
		}
		return sum
	}},
	{"mutex", func(xs []byte, workers int) (sum histogram) {
		var mu sync.Mutex
		split(len(xs), workers, func(_, from, to int) {
			for _, x := range xs[from:to] {
				mu.Lock()
				sum[x%bins]++
				mu.Unlock()
			}
		})
		return sum
	}},
}

func TestHistograms(t *testing.T) {
	want := histograms[0].count(sample, 1)
	for _, v := range histograms {
		for _, workers := range []int{1, 2, 7} {
			if got := v.count(sample, workers); got != want {
				t.Errorf("%s, %d workers: %v, want %v", v.name, workers, got, want)
			}
		}
	}
}

// BenchmarkHistogram is the time to count the sample, with the start of the
// workers and the merge.
func BenchmarkHistogram(b *testing.B) {
	for _, v := range histograms {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("variant=%s/workers=%d", v.name, workers), func(b *testing.B) {
				for b.Loop() {
					v.count(sample, workers)
				}
				b.SetBytes(int64(len(sample)))
			})
		}
	}
}
