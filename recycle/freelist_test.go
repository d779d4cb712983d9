package recycle

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
	"weak"

	"github.com/gopayoff/payoff/internal/cacheline"
	"github.com/gopayoff/payoff/internal/stress"
)

// A twin is a FreeList as anyone would write it, to hold FreeList to.
type twin struct {
	mu       sync.Mutex
	values   []int
	capacity int
}

func (l *twin) Put(v int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.values) == l.capacity {
		return false
	}
	l.values = append(l.values, v)
	return true
}

// get takes v, or whichever was put last if v is not there.
func (l *twin) get(v int) (int, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.Index(l.values, v)
	if i < 0 {
		i = len(l.values) - 1
	}
	if i < 0 {
		return 0, false
	}
	v = l.values[i]
	l.values = slices.Delete(l.values, i, i+1)
	return v, true
}

// check runs a sequence of calls and holds each to the twin's. The stripe it
// starts with is another each time, as if from other goroutines. With one
// stripe, the order has to be that of the twin, too.
func check(t *testing.T, capacity, stripes int, ops []byte) {
	t.Helper()
	f := newFreeList[int](capacity, stripes)
	l := &twin{capacity: capacity}
	for i, op := range ops {
		f.factor = uint32(op)*0x9e3779b9 | 1
		if op%2 == 0 {
			if got, want := f.Put(i+1), l.Put(i+1); got != want {
				t.Fatalf("capacity %d, %d stripes, op %d: Put(%d) = %t, want %t", capacity, stripes, i, i+1, got, want)
			}
			continue
		}
		got, ok := f.Get()
		ask := got
		if stripes == 1 {
			ask = 0 // whichever was put last
		}
		want, wantOK := l.get(ask)
		if got != want || ok != wantOK {
			t.Fatalf("capacity %d, %d stripes, op %d: Get() = %d, %t, want %d, %t", capacity, stripes, i, got, ok, want, wantOK)
		}
	}
	for i := range f.stripes {
		s := &f.stripes[i]
		if s.state > uint32(len(s.slots)) {
			t.Fatalf("capacity %d, %d stripes: state of stripe %d = %#x at rest", capacity, stripes, i, s.state)
		}
		for j, v := range s.slots[s.state:] {
			if v != 0 {
				t.Errorf("capacity %d, %d stripes: free slot %d of stripe %d has %d, want 0", capacity, stripes, j, i, v)
			}
		}
	}
}

func FuzzFreeList(f *testing.F) {
	for _, capacity := range []int{1, 2, 3, 7, 8, 40} {
		for logStripes := range 4 {
			ops := make([]byte, 500)
			for i := range ops {
				ops[i] = byte(rand.Int())
				if i/50%2 == 0 { // run full, then empty
					ops[i] |= byte(i / 100 % 2)
				} else {
					ops[i] &^= byte(i / 100 % 2)
				}
			}
			f.Add(uint8(capacity), uint8(logStripes), ops)
		}
	}
	f.Fuzz(func(t *testing.T, capacity, logStripes uint8, ops []byte) {
		check(t, max(1, int(capacity)), 1<<(logStripes%5), ops)
	})
}

// drain returns what f has, which must be no more than its capacity.
func drain[T any](t *testing.T, f *FreeList[T], capacity int) (values []T) {
	t.Helper()
	for v, ok := f.Get(); ok; v, ok = f.Get() {
		if values = append(values, v); len(values) > capacity {
			t.Fatalf("more than %d values in a list for as many", capacity)
		}
	}
	return values
}

// Values move between goroutines; each is owned by one at a time and none is
// lost, and at rest the list has all that it should.
func TestFreeListConservation(t *testing.T) {
	rounds := 20000
	if !stress.Long() {
		rounds = 2000
	}
	for _, test := range []struct{ capacity, stripes, goroutines int }{
		{1, 1, 2}, {1, 1, 64}, {2, 2, 8}, {5, 4, 16}, {64, 8, 64}, {100, 1, 16},
	} {
		t.Run(fmt.Sprintf("capacity=%d/stripes=%d/goroutines=%d", test.capacity, test.stripes, test.goroutines), func(t *testing.T) {
			const perGoroutine = 4
			f := newFreeList[int](test.capacity, test.stripes)
			owners := make([]atomic.Int32, test.goroutines*perGoroutine) // of values: 0 for the list
			held := make([][]int, test.goroutines)
			var wg sync.WaitGroup
			for g := range test.goroutines {
				for i := range perGoroutine {
					v := g*perGoroutine + i
					owners[v].Store(int32(g + 1))
					held[g] = append(held[g], v)
				}
				wg.Go(func() {
					for range rounds * 8 / test.goroutines {
						if rand.IntN(2) == 0 {
							if v, ok := f.Get(); ok {
								if was := owners[v].Swap(int32(g + 1)); was != 0 {
									t.Errorf("goroutine %d got %d, which %d has", g, v, was-1)
									return
								}
								held[g] = append(held[g], v)
							}
						} else if n := len(held[g]); n > 0 {
							v := held[g][n-1]
							owners[v].Store(0)
							if f.Put(v) {
								held[g] = held[g][:n-1]
							} else {
								owners[v].Store(int32(g + 1))
							}
						}
					}
				})
			}
			wg.Wait()

			seen := make([]int, len(owners))
			total, listed := 0, 0
			for _, vs := range held {
				for _, v := range vs {
					seen[v]++
				}
				total += len(vs)
			}
			for _, v := range drain(t, f, test.capacity) {
				seen[v]++
				listed++
			}
			if total+listed != len(owners) {
				t.Errorf("%d values held and %d listed, want %d together", total, listed, len(owners))
			}
			for v, n := range seen {
				if n != 1 {
					t.Errorf("value %d is in %d places, want 1", v, n)
				}
			}
		})
	}
}

// A goroutine that was preempted while it had a stripe does not stop others.
func TestFreeListBusy(t *testing.T) {
	f := newFreeList[int](4, 2)
	f.stripes[0].put(1)
	n := f.stripes[0].state
	f.stripes[0].state = locked

	// Wherever they start, they find the other stripe's room and value.
	for factor := range uint32(8) {
		f.factor = factor<<29 | factor<<10 | 1
		if !f.Put(2) {
			t.Fatal("Put(2) = false beside a locked stripe, want true")
		}
		if v, ok := f.Get(); !ok || v != 2 {
			t.Fatalf("Get() = %d, %t beside a locked stripe, want 2, true", v, ok)
		}
	}
	// There, they give up.
	if v, ok := f.Get(); ok {
		t.Errorf("Get() = %d, true, want false", v)
	}
	f.Put(2)
	f.Put(3)
	if f.Put(4) {
		t.Error("Put(4) = true with all else full, want false")
	}
	f.stripes[0].state = n
	got := drain(t, f, 4)
	slices.Sort(got)
	if want := []int{1, 2, 3}; !slices.Equal(got, want) {
		t.Errorf("list had %v, want %v", got, want)
	}
}

// Who gives way to a goroutine that has a stripe finds what it leaves there, if the other
// stripes are of no use, wherever it looks first.
func TestFreeListYields(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, stripes := range []int{1, 4} {
		for at := range stripes {
			for factor := range uint32(8) {
				for _, puts := range []bool{false, true} {
					f := newFreeList[int](stripes, stripes)
					f.factor = factor<<29 | factor<<10 | 1
					for i := range f.stripes {
						if puts != (i == at) { // there is room, or a value, in one
							f.stripes[i].put(i + 1)
						}
					}
					s := &f.stripes[at]
					n := atomic.SwapUint32(&s.state, locked)
					go atomic.StoreUint32(&s.state, n)
					if puts {
						if !f.Put(9) || s.slots[0] != 9 {
							t.Errorf("%d stripes, of which %d is locked and has room: Put does not find it", stripes, at)
						}
					} else if v, ok := f.Get(); !ok || v != at+1 {
						t.Errorf("%d stripes, of which %d is locked: Get() = %d, %t, want %d, true", stripes, at, v, ok, at+1)
					}
				}
			}
		}
	}
}

// Goroutines that keep meeting part.
func TestFreeListMeet(t *testing.T) {
	f := newFreeList[int](8, 4)
	was := f.factor
	for range 63 {
		f.meet()
	}
	if f.factor != was {
		t.Error("stripes were chosen anew after 63 meetings, want 64")
	}
	f.meet()
	if f.factor == was || f.factor%2 == 0 {
		t.Errorf("factor = %#x after 64 meetings, was %#x; want another odd one", f.factor, was)
	}
	f.meetings, was = 3<<16-1, f.factor
	f.meet()
	if f.factor == was {
		t.Error("no new factor after 3<<16 meetings")
	}
	// One stripe has nowhere to part to; counting would only cost.
	f = newFreeList[int](8, 1)
	f.restore(&f.stripes[0], locked)
	if f.meetings != 0 {
		t.Errorf("%d meetings counted with one stripe, want 0", f.meetings)
	}
	f = newFreeList[int](8, 2)
	f.restore(&f.stripes[0], locked)
	if f.restore(&f.stripes[0], 0); f.meetings != 1 {
		t.Errorf("%d meetings counted with two stripes, want 1", f.meetings)
	}
}

func TestNewFreeList(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, procs := range []int{1, 2, 3, 8} {
		runtime.GOMAXPROCS(procs)
		for capacity := 1; capacity < 100; capacity++ {
			f := NewFreeList[string](capacity)
			if n := len(f.stripes); n&(n-1) != 0 || procs == 1 && n != 1 || n > capacity || procs == 8 && capacity == 99 && n != 32 {
				t.Fatalf("GOMAXPROCS %d, capacity %d: %d stripes", procs, capacity, n)
			}
			for i := range capacity {
				if !f.Put("x") {
					t.Fatalf("GOMAXPROCS %d, capacity %d: Put = false with %d in the list, want true", procs, capacity, i)
				}
			}
			if f.Put("x") {
				t.Fatalf("GOMAXPROCS %d, capacity %d: Put = true with the list full, want false", procs, capacity)
			}
		}
	}
}

// There are four stripes for each processor, but none where that is the only one, and no
// more than there are pairs of values.
func TestFreeListStripes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, test := range []struct{ procs, capacity, want int }{
		{1, 1000, 1}, {2, 1000, 8}, {3, 1000, 16}, {4, 1000, 16}, {5, 1000, 32}, {8, 1000, 32}, {64, 1000, 256},
		{8, 64, 32}, {8, 63, 16}, {2, 4, 2}, {2, 3, 1}, {2, 1, 1},
		{2, 1<<31 - 1, 8},
	} {
		runtime.GOMAXPROCS(test.procs)
		f := NewFreeList[struct{}](test.capacity)
		room := 0
		for i := range f.stripes {
			room += len(f.stripes[i].slots)
		}
		if len(f.stripes) != test.want || room != test.capacity {
			t.Errorf("GOMAXPROCS %d: %d stripes with room for %d, want %d for %d", test.procs, len(f.stripes), room, test.want, test.capacity)
		}
	}
}

// Slots of different stripes are on different cache lines.
func TestFreeListLines(t *testing.T) {
	f := newFreeList[int](64, 32)
	for i := range f.stripes {
		end := uintptr(unsafe.Pointer(&f.stripes[i].slots[1])) + unsafe.Sizeof(0)
		for j := range f.stripes {
			if begin := uintptr(unsafe.Pointer(&f.stripes[j].slots[0])); begin >= end && begin-end < cacheline.Size {
				t.Fatalf("%d bytes after the slots of stripe %d are those of stripe %d, want %d at least", begin-end, i, j, cacheline.Size)
			}
		}
	}
}

func TestFreeListAndCollections(t *testing.T) {
	for _, stripes := range []int{1, 4} {
		f := newFreeList[*node](16, stripes)
		for i := range 16 {
			f.Put(&node{id: i})
		}
		runtime.GC()
		runtime.GC()
		sum := 0
		var gone []weak.Pointer[node]
		for _, v := range drain(t, f, 16) {
			sum += v.id
			gone = append(gone, weak.Make(v))
		}
		if sum != 120 || len(gone) != 16 {
			t.Errorf("%d stripes: %d values with the sum %d after two collections, want 16 and 120", stripes, len(gone), sum)
		}
		runtime.GC()
		for i, w := range gone {
			if w.Value() != nil {
				t.Errorf("%d stripes: the list keeps value %d alive after Get", stripes, i)
			}
		}
		runtime.KeepAlive(f)
	}
}
