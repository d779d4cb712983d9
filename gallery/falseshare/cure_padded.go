package falseshare

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// lineSize is the distance at which two words never share a cache line: 128
// bytes is the line of Apple's arm64 cores, and the pair of 64-byte lines that
// x86 cores prefetch together.
const lineSize = 128

// A paddedAtomic is an atomic sum with room after it, so that in a slice the
// sums lie lineSize bytes apart.
type paddedAtomic struct {
	n atomic.Int64
	_ [lineSize - 8]byte
}

var _ [0]struct{} = [unsafe.Sizeof(paddedAtomic{}) - lineSize]struct{}{}

// Padded is PackedAtomic with the elements moved apart, and nothing else
// changed: what it gains is what false sharing cost.
func Padded(limit, workers int) int64 {
	sums := make([]paddedAtomic, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			lo, hi := chunk(limit, workers, w)
			for i := lo; i < hi; i++ {
				sums[w].n.Add(int64(i))
			}
		})
	}
	wg.Wait()

	var sum int64
	for w := range sums {
		sum += sums[w].n.Load()
	}
	return sum
}

// PaddedPlain is Packed with the elements moved apart: only the index differs,
// the loop is the same instructions. What it still loses to Channel is the load
// and store of every addition.
func PaddedPlain(limit, workers int) int64 {
	const stride = lineSize / 8
	sums := make([]int64, workers*stride)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			at := w * stride
			lo, hi := chunk(limit, workers, w)
			for i := lo; i < hi; i++ {
				sums[at] += int64(i)
			}
		})
	}
	wg.Wait()

	var sum int64
	for w := range workers {
		sum += sums[w*stride]
	}
	return sum
}
