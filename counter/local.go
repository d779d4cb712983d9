package counter

import (
	"iter"
	"sync"

	"github.com/gopayoff/payoff/internal/cacheline"
)

// A Local is a value of type T for each of several workers, merged when they are done.
// T may be a histogram, a minimum, a sum of floats, or a struct of all of them. However
// small T is, no two workers' values share a cache line.
//
//	var hist counter.Local[[256]int]
//	var wg sync.WaitGroup
//	for part := range slices.Chunk(data, len(data)/workers+1) {
//		h := hist.New()
//		wg.Go(func() {
//			for _, b := range part {
//				h[b]++
//			}
//		})
//	}
//	wg.Wait()
//	all := hist.Merge(func(into, h *[256]int) {
//		for i, n := range h {
//			into[i] += n
//		}
//	})
//
// It is read when the workers are done, or by All if T is made of atomics. For a
// report per interval use a new Local for each.
//
// The zero Local is ready. A Local must not be copied after first use.
//
// Call New once for each worker, not for each item. It allocates at least two cache
// lines more than T, and the value lives as long as the Local. If T fits in a register,
// keep it in a local variable in the loop and store it to the worker's value after.
// Updating memory for each item costs more, even on a line of its own.
type Local[T any] struct {
	// Init, if not nil, returns what a worker's value and the result of Merge
	// begin as. That is what is neutral in the merge, such as the largest int for
	// a minimum, or an empty map. Without it that is the zero T. A map, slice or
	// pointer in it must be new on each call. Init may be called by
	// several goroutines at once and must be set before the first New.
	Init func() T

	mu     sync.Mutex
	values []*T // in the order of New, guarded by mu; elements are never replaced
}

// padded keeps what is before and behind it off the lines of v, wherever the
// allocator puts it.
type padded[T any] struct {
	_ cacheline.Pad
	v T
	_ cacheline.Pad
}

// New returns a new worker's value. Any goroutine may call it at any time. The value
// belongs to the caller, or to what that hands it to. Merge and All find it.
func (l *Local[T]) New() *T {
	p := new(padded[T])
	if l.Init != nil {
		p.v = l.Init()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.values = append(l.values, &p.v)
	return &p.v
}

// Merge returns the workers' values combined. It calls merge(into, v) for each value v
// in the order of the calls of New. into begins as Init says. If there is no value, it
// returns that beginning.
//
// The workers must be done, and Merge's caller must know by synchronization,
// such as sync.WaitGroup.Wait; otherwise it is a data race. Merge
// changes no worker's value if merge does not: they may go on and be merged
// again. If the order matters, as it does in a sum of floats, call New before
// the workers start, not in them.
func (l *Local[T]) Merge(merge func(into, v *T)) T {
	if merge == nil {
		panic("counter.Local.Merge: merge is nil")
	}
	var into T
	if l.Init != nil {
		into = l.Init()
	}
	for v := range l.All() {
		merge(&into, v)
	}
	return into
}

// All returns an iterator over the workers' values in the order of the calls of New, as
// many as there are when the iteration begins. All demands what Merge does, except if T
// is made of atomics: then the workers may still be at work.
func (l *Local[T]) All() iter.Seq[*T] {
	return func(yield func(*T) bool) {
		l.mu.Lock()
		values := l.values
		l.mu.Unlock() // New may be called in the loop
		for _, v := range values {
			if !yield(v) {
				return
			}
		}
	}
}
