package par

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
	var none shelf[int]
	none.put(new(int))
	if none.get() != nil {
		t.Error("the zero shelf keeps a value")
	}

	for _, procs := range []int{1, 2, 8} {
		old := runtime.GOMAXPROCS(procs)
		s := newShelf[atomic.Int32]()
		v := new(atomic.Int32)
		s.put(v)
		if s.get() != v || s.get() != nil {
			t.Errorf("GOMAXPROCS %d: one value put alone is not got once", procs)
		}
		for range 2 * len(s.spaces) {
			s.put(new(atomic.Int32))
		}
		kept := 0
		for s.get() != nil {
			kept++
		}
		if want := min(reach, len(s.spaces)); kept != want {
			t.Errorf("GOMAXPROCS %d: %d values kept, want %d", procs, kept, want)
		}

		var wg sync.WaitGroup
		for range 4 * procs {
			wg.Go(func() {
				for i := range 2000 {
					v := s.get()
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
					s.put(v)
				}
			})
		}
		wg.Wait()
		runtime.GOMAXPROCS(old)
	}
}

// TestTaskLayout: helpers that look for work read a Task's first word and its
// frames; what a call counts down at each fork lies on neither's lines.
func TestTaskLayout(t *testing.T) {
	var k Task[int, int]
	n, frames := unsafe.Offsetof(k.core)+unsafe.Offsetof(k.n), unsafe.Offsetof(k.frames)
	if n < 64 || frames < n+cacheline.Size {
		t.Errorf("n is at %d, frames at %d", n, frames)
	}
	if s := unsafe.Sizeof(space[int]{}); s != cacheline.Size {
		t.Errorf("a space has %d bytes, want %d", s, cacheline.Size)
	}
}
