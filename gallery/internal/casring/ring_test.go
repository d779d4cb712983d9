package casring

import (
	"sync"
	"testing"
	"unsafe"
)

// A ring is what both layouts do.
type ring interface {
	Put(v uint64)
	Get() uint64
}

var layouts = []struct {
	name string
	make func(capacity, looks int) ring
}{
	{"packed", func(capacity, looks int) ring { return New(capacity, looks) }},
	{"padded", func(capacity, looks int) ring { return NewPadded(capacity, looks) }},
}

// What one goroutine puts, another gets in the same order. With one slot this
// would not end.
func TestOrder(t *testing.T) {
	const n = 2000
	for _, l := range layouts {
		for _, capacity := range []int{1, 2, 3, 8, n} {
			r := l.make(capacity, 50)
			go func() {
				for v := range uint64(n) {
					r.Put(v)
				}
			}()
			for want := range uint64(n) {
				if got := r.Get(); got != want {
					t.Fatalf("%s, capacity %d: Get() = %d, want %d", l.name, capacity, got, want)
				}
			}
		}
	}
}

// Of many goroutines on both sides, each value is got once.
func TestOnce(t *testing.T) {
	const sides, each = 8, 300
	for _, l := range layouts {
		r := l.make(4, 1)
		for p := range uint64(sides) {
			go func() {
				for v := range uint64(each) {
					r.Put(p*each + v)
				}
			}()
		}
		var mu sync.Mutex
		times := make(map[uint64]int)
		var wg sync.WaitGroup
		for range sides {
			wg.Go(func() {
				for range each {
					v := r.Get()
					mu.Lock()
					times[v]++
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		for v := range uint64(sides * each) {
			if times[v] != 1 {
				t.Errorf("%s: %d was got %d times, want once", l.name, v, times[v])
			}
		}
	}
}

// The two differ as their comments say.
func TestLayout(t *testing.T) {
	var r Ring
	if d := unsafe.Offsetof(r.get) - unsafe.Offsetof(r.put); d != 8 {
		t.Errorf("put and get of a Ring are %d bytes apart, want 8", d)
	}
	var p Padded
	if d := unsafe.Offsetof(p.get) - unsafe.Offsetof(p.put); d < lineSize {
		t.Errorf("put and get of a Padded are %d bytes apart, want %d", d, lineSize)
	}
	if d := unsafe.Offsetof(p.mask) - unsafe.Offsetof(p.get); d < lineSize {
		t.Errorf("get and mask of a Padded are %d bytes apart, want %d", d, lineSize)
	}
}
