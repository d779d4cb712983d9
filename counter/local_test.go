package counter_test

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/gopayoff/payoff/counter"
	"github.com/gopayoff/payoff/internal/cacheline"
)

func TestLocalApart(t *testing.T) {
	apart[byte](t, "byte")
	apart[int64](t, "int64")
	apart[[3]byte](t, "[3]byte")
	apart[[8]atomic.Int64](t, "[8]atomic.Int64")
	apart[[1000]int32](t, "[1000]int32")
	apart[map[string]int](t, "map[string]int")
	apart[struct {
		n int
		s string
	}](t, "struct")
}

// apart checks that between any two values, and between a value and what else
// is allocated, there are more bytes than a line has.
func apart[T any](t *testing.T, name string) {
	var l counter.Local[T]
	var others []*[cacheline.Size]byte
	for range 100 {
		l.New()
		others = append(others, new([cacheline.Size]byte))
	}
	type span struct {
		from, to uintptr
		value    bool
	}
	var spans []span
	for v := range l.All() {
		from := uintptr(unsafe.Pointer(v))
		if from%8 != 0 {
			t.Errorf("%s: value at %#x, want a multiple of 8", name, from)
		}
		spans = append(spans, span{from, from + unsafe.Sizeof(*v), true})
	}
	for _, o := range others {
		from := uintptr(unsafe.Pointer(o))
		spans = append(spans, span{from, from + unsafe.Sizeof(*o), false})
	}
	slices.SortFunc(spans, func(a, b span) int { return int(a.from) - int(b.from) })
	for i := range spans[1:] {
		a, b := spans[i], spans[i+1]
		if (a.value || b.value) && b.from < a.to+cacheline.Size {
			t.Errorf("%s: value ends at %#x, and the next thing begins at %#x", name, a.to, b.from)
		}
	}
}

// TestLocalPadded looks at what New allocates: there is a line's worth of it on
// either side of the value.
func TestLocalPadded(t *testing.T) {
	if before, after := counter.Padding[byte](); before < cacheline.Size || after < cacheline.Size {
		t.Errorf("padding of %d and %d bytes, want >= %d", before, after, cacheline.Size)
	}
	if before, after := counter.Padding[[100]string](); before < cacheline.Size || after < cacheline.Size {
		t.Errorf("padding of %d and %d bytes, want >= %d", before, after, cacheline.Size)
	}
}

func TestLocalOrder(t *testing.T) {
	var l counter.Local[int]
	for i := range 10 {
		*l.New() = i
	}
	appendInts := func() (order []int) {
		l.Merge(func(_, v *int) { order = append(order, *v) })
		return order
	}
	want := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	if got := appendInts(); !slices.Equal(got, want) {
		t.Errorf("Merge's order is %v, want %v", got, want)
	}
	var got []int
	for v := range l.All() {
		if *v == 5 {
			break
		}
		*l.New() = 100 // not part of this iteration, and no deadlock
		got = append(got, *v)
	}
	if !slices.Equal(got, want[:5]) {
		t.Errorf("All's order is %v, want %v", got, want[:5])
	}
	if got := appendInts(); len(got) != 15 {
		t.Errorf("%d values, want 15", len(got))
	}
}

func TestLocalInit(t *testing.T) {
	l := counter.Local[map[string]int]{
		Init: func() map[string]int { return make(map[string]int) },
	}
	merge := func() map[string]int {
		return l.Merge(func(into, v *map[string]int) {
			for k, n := range *v {
				(*into)[k] += n
			}
		})
	}
	if got := merge(); got == nil || len(got) != 0 {
		t.Errorf("Merge of no values = %#v, want an empty map", got)
	}
	a, b := *l.New(), *l.New()
	a["x"], a["y"], b["x"] = 1, 2, 3
	want := map[string]int{"x": 4, "y": 2}
	for range 2 { // the first must not change the values
		if got := merge(); !maps.Equal(got, want) {
			t.Errorf("Merge = %v, want %v", got, want)
		}
	}
}

// TestLocalOracle: many goroutines that call New at once, against one atomic.
func TestLocalOracle(t *testing.T) {
	var l counter.Local[[4]int64]
	var want [4]atomic.Int64
	var wg sync.WaitGroup
	workers := size(200, 20)
	for w := range workers {
		wg.Go(func() {
			own := l.New()
			for i := range 1000 {
				own[(i*w)%4] += int64(i)
				want[(i*w)%4].Add(int64(i))
			}
		})
	}
	wg.Wait()
	got := l.Merge(func(into, v *[4]int64) {
		for i, n := range v {
			into[i] += n
		}
	})
	for i := range want {
		if want := want[i].Load(); got[i] != want {
			t.Errorf("sum %d is %d, want %d", i, got[i], want)
		}
	}
	n := 0
	for range l.All() {
		n++
	}
	if n != workers {
		t.Errorf("All has %d values, want %d", n, workers)
	}
}

// TestLocalWatch: values made of atomics may be watched while they change, and
// workers may come while others watch.
func TestLocalWatch(t *testing.T) {
	var l counter.Local[atomic.Int64]
	sum := func() (sum int64) {
		for v := range l.All() {
			sum += v.Load()
		}
		return sum
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			own := l.New()
			for range 1000 {
				own.Add(1)
			}
		})
	}
	for last := int64(0); last < 8000; {
		now := sum()
		if now < last {
			t.Errorf("sum fell from %d to %d", last, now)
		}
		last = now
	}
	wg.Wait()
	if got := sum(); got != 8000 {
		t.Errorf("sum = %d, want 8000", got)
	}
}

func TestMergeNil(t *testing.T) {
	defer func() {
		if got := fmt.Sprint(recover()); got != "counter.Local.Merge: merge is nil" {
			t.Errorf("panics with %q", got)
		}
	}()
	new(counter.Local[int]).Merge(nil)
}
