package shelf

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/gopayoff/payoff/internal/cacheline"
)

// TestShelf: what is put is got by one at most, and nothing else is got.
func TestShelf(t *testing.T) {
	var none Shelf[int]
	none.Put(new(int))
	if none.Get() != nil {
		t.Error("the zero shelf keeps a value")
	}

	for _, procs := range []int{1, 2, 8} {
		old := runtime.GOMAXPROCS(procs)
		s := New[atomic.Int32]()
		v := new(atomic.Int32)
		s.Put(v)
		if s.Get() != v || s.Get() != nil {
			t.Errorf("GOMAXPROCS %d: one value put alone is not got once", procs)
		}
		for range 2 * len(s.spaces) {
			s.Put(new(atomic.Int32))
		}
		kept := 0
		for s.Get() != nil {
			kept++
		}
		if want := min(reach, len(s.spaces)); kept != want {
			t.Errorf("GOMAXPROCS %d: %d values kept, want %d", procs, kept, want)
		}

		// One space for all, so that they meet.
		s = Shelf[atomic.Int32]{spaces: make([]space[atomic.Int32], 1), shift: 31}
		var wg sync.WaitGroup
		for range 4 * procs {
			wg.Go(func() {
				for i := range 20_000 {
					v := s.Get()
					if v == nil {
						v = new(atomic.Int32)
					}
					if v.Add(1) != 1 {
						t.Error("two have the same value")
						return
					}
					if i%8 == 0 {
						runtime.Gosched()
					}
					v.Add(-1)
					s.Put(v)
				}
			})
		}
		wg.Wait()
		runtime.GOMAXPROCS(old)
	}
}

// A space has a cache line to itself.
var _ [0]struct{} = [unsafe.Sizeof(space[int]{}) - cacheline.Size]struct{}{}
