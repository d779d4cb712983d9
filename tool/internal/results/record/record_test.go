package record

import (
	"math"
	"runtime"
	"sync/atomic"
	"testing"
)

// A goroutine that runs may change what a call is given; one that waits may not.
func TestBusy(t *testing.T) {
	wait := make(chan bool)
	for range 3 {
		go func() { <-wait }()
	}
	for busy() { // until they wait
		runtime.Gosched()
	}
	var stop atomic.Bool
	ended := make(chan bool)
	go func() {
		for !stop.Load() {
			runtime.Gosched()
		}
		close(ended)
	}()
	if !busy() {
		t.Error("a goroutine runs, and none is busy")
	}
	stop.Store(true)
	<-ended
	close(wait)
}

type ring struct {
	next *ring
	n    int
}

// Values that are equal give the same numbers, and others do not; a bag does not mind the
// order.
func TestReader(t *testing.T) {
	self := func(n int) *ring {
		r := &ring{n: n}
		r.next = &ring{r, 1}
		return r
	}
	of := func(v any) (uint64, uint64) { return (&reader{}).all([]any{&v}) }
	nan := math.Float64frombits(0x7ff8000000000123)
	for _, tt := range []struct {
		a, b      any
		same, bag bool
	}{
		{1, 1, true, true}, {1, 2, false, false}, {1, int64(1), false, false}, {0.0, math.Copysign(0, -1), false, false}, {nan, math.NaN(), true, true},
		{[]int{1, 2}, []int{1, 2}, true, true}, {[]int{1, 2}, []int{2, 1}, false, true}, {[]int{1, 2}, []int{1, 2, 2}, false, false}, {[]int{}, []int(nil), false, false},
		{map[string]int{"a": 1, "b": 2}, map[string]int{"b": 2, "a": 1}, true, true}, {map[string]int{"a": 1}, map[string]int{"a": 2}, false, false},
		{[][]int{{1}, {2, 3}}, [][]int{{3, 2}, {1}}, false, true}, {self(1), self(1), true, true}, {self(1), self(2), false, false},
		{"ab", "ba", false, false}, {[2]any{1, "x"}, [2]any{1, "x"}, true, true}, {error(nil), error(nil), true, true}, {&[]int{1}, &[]int{1}, true, true},
	} {
		ao, ab := of(tt.a)
		bo, bb := of(tt.b)
		if (ao == bo) != tt.same || (ab == bb) != tt.bag {
			t.Errorf("%#v and %#v: the same %t, as a bag %t, want %t and %t", tt.a, tt.b, ao == bo, ab == bb, tt.same, tt.bag)
		}
	}
}
