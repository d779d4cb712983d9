package par

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
)

// A visit is called with an element by what a loop calls for it.
type visit func(i int) error

// A looping is a function of the package, called so that each element is
// visited. It returns an error where the result is wrong, as if of the function.
type looping struct {
	name string
	// times is how often one element may be visited.
	times int32
	// fails says that errors and contexts come through.
	fails bool
	call  func(ctx context.Context, n int, at visit) error
}

var errWrong = errors.New("wrong result")

// right returns errWrong where a result is wrong.
func right(ok bool) error {
	if ok {
		return nil
	}
	return errWrong
}

var loopings = []looping{
	{"For", 1, false, func(_ context.Context, n int, at visit) error {
		For(n, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				at(i)
			}
		})
		return nil
	}},
	{"ForContext", 1, true, func(ctx context.Context, n int, at visit) error {
		return ForContext(ctx, n, func(_ context.Context, lo, hi int) error {
			for i := lo; i < hi; i++ {
				if err := at(i); err != nil {
					return err
				}
			}
			return nil
		})
	}},
	{"ForEach", 1, false, func(_ context.Context, n int, at visit) error {
		ForEach(upTo(n), func(i int, v *int) { at(*v) })
		return nil
	}},
	{"ForEachContext", 1, true, func(ctx context.Context, n int, at visit) error {
		return ForEachContext(ctx, upTo(n), func(_ context.Context, i int, v *int) error { return at(*v) })
	}},
	{"Map", 1, false, func(_ context.Context, n int, at visit) error {
		return right(len(Map(upTo(n), func(i int) error { return at(i) })) == n)
	}},
	{"MapContext", 1, true, func(ctx context.Context, n int, at visit) error {
		got, err := MapContext(ctx, upTo(n), func(_ context.Context, i int) (int, error) { return -i, at(i) })
		if err == nil {
			err = right(len(got) == n && (n == 0 || got[n-1] == 1-n))
		}
		return err
	}},
	{"MapN", 1, false, func(_ context.Context, n int, at visit) error {
		return right(len(MapN(n, func(i int) error { return at(i) })) == n)
	}},
	{"MapNContext", 1, true, func(ctx context.Context, n int, at visit) error {
		got, err := MapNContext(ctx, n, func(_ context.Context, i int) (int, error) { return -i, at(i) })
		if err == nil {
			err = right(len(got) == n && (n == 0 || got[n-1] == 1-n))
		}
		return err
	}},
	{"MapIndexed", 1, false, func(_ context.Context, n int, at visit) error {
		got := MapIndexed(units(n), func(i int, v interval) bool { at(i); return v == interval{i, i + 1} })
		return right(len(got) == n && !slices.Contains(got, false))
	}},
	{"MapIndexedContext", 1, true, func(ctx context.Context, n int, at visit) error {
		got, err := MapIndexedContext(ctx, units(n), func(_ context.Context, i int, v interval) (bool, error) {
			return v == interval{i, i + 1}, at(i)
		})
		if err == nil {
			err = right(len(got) == n && !slices.Contains(got, false))
		}
		return err
	}},
	{"Fold", 1, false, func(_ context.Context, n int, at visit) error {
		got := Fold(upTo(n), empty, func(v interval, i int) interval { at(i); return v.then(i) }, interval.glue)
		return right(got == interval{0, n})
	}},
	{"FoldContext", 1, true, func(ctx context.Context, n int, at visit) error {
		got, err := FoldContext(ctx, upTo(n), empty, func(_ context.Context, v interval, i int) (interval, error) { return v.then(i), at(i) }, interval.glue)
		if err == nil {
			err = right(got == interval{0, n})
		}
		return err
	}},
	{"ReduceNContext", 1, true, func(ctx context.Context, n int, at visit) error {
		all := units(n)
		got, err := ReduceNContext(ctx, n, func(_ context.Context, lo, hi int) (interval, error) { return visitAll(all[lo:hi], at) }, glue)
		if err == nil {
			err = right(got == interval{0, n})
		}
		return err
	}},
	{"FindNContext", 1, true, func(ctx context.Context, n int, at visit) error {
		got, err := FindNContext(ctx, n, func(_ context.Context, i int) (bool, error) { return false, at(i) })
		if got != -1 {
			err = errWrong
		}
		return err
	}},
	{"AnyContext", 1, true, func(ctx context.Context, n int, at visit) error {
		got, err := AnyContext(ctx, upTo(n), func(_ context.Context, i int) (bool, error) { return false, at(i) })
		if got {
			err = errWrong
		}
		return err
	}},
	{"Map of at most 2", 1, false, func(_ context.Context, n int, at visit) error {
		var now, most atomic.Int32
		Map(upTo(n), func(i int) int {
			if n := now.Add(1); n > most.Load() {
				most.Store(n)
			}
			defer now.Add(-1)
			at(i)
			return 0
		}, Limit(2))
		return right(most.Load() <= 2)
	}},
	{"For of 1", 1, false, func(_ context.Context, n int, at visit) error {
		busy := false // written by whoever runs; the detector finds two
		For(n, func(lo, hi int) {
			busy = !busy
			for i := lo; i < hi; i++ {
				at(i)
			}
		}, Limit(1))
		return nil
	}},
	{"ForSeq", 1, false, func(_ context.Context, n int, at visit) error {
		ForSeq(slices.Values(upTo(n)), func(i int) { at(i) })
		return nil
	}},
	{"ForSeq2", 1, false, func(_ context.Context, n int, at visit) error {
		ForSeq2(slices.All(upTo(n)), func(i, v int) { at(i + v - i) })
		return nil
	}},
	{"ForSeqContext", 1, true, func(ctx context.Context, n int, at visit) error {
		return ForSeqContext(ctx, slices.Values(upTo(n)), func(_ context.Context, i int) error { return at(i) })
	}},
	{"ForSeq2Context", 1, true, func(ctx context.Context, n int, at visit) error {
		return ForSeq2Context(ctx, slices.All(upTo(n)), func(_ context.Context, i, v int) error { return at(i) })
	}},
	{"MapSeq", 1, false, func(_ context.Context, n int, at visit) error {
		next := 0
		for v := range MapSeq(slices.Values(upTo(n)), func(i int) int { at(i); return -i }) {
			if v != -next {
				return errWrong
			}
			next++
		}
		return right(next == n)
	}},
	{"MapSeq2", 1, false, func(_ context.Context, n int, at visit) error {
		next := 0
		for k, v := range MapSeq2(slices.All(upTo(n)), func(k, v int) int { at(v); return -k }) {
			if v != -next || k != next {
				return errWrong
			}
			next++
		}
		return right(next == n)
	}},
	{"MapSeqContext", 1, true, func(ctx context.Context, n int, at visit) error {
		next := 0
		for v, err := range MapSeqContext(ctx, slices.Values(upTo(n)), func(_ context.Context, i int) (int, error) { return -i, at(i) }) {
			if err != nil {
				return err
			}
			if v != -next {
				return errWrong
			}
			next++
		}
		return right(next == n)
	}},
	{"Reduce", 1, false, func(_ context.Context, n int, at visit) error {
		got := Reduce(units(n), func(part []interval) interval {
			r, _ := visitAll(part, func(i int) error { at(i); return nil })
			return r
		}, glue)
		return right(got == interval{0, n})
	}},
	{"ReduceContext", 1, true, func(ctx context.Context, n int, at visit) error {
		got, err := ReduceContext(ctx, units(n), func(_ context.Context, part []interval) (interval, error) { return visitAll(part, at) }, glue)
		if err == nil {
			err = right(got == interval{0, n})
		}
		return err
	}},
	{"join of ReduceN", 1, false, func(_ context.Context, n int, at visit) error {
		got := ReduceN(n, func(lo, hi int) interval { return interval{lo, hi} }, func(a, b interval) interval {
			at(b.lo)
			return glue(a, b)
		})
		return right(got == interval{0, n})
	}},
	{"Filter", 1, false, func(_ context.Context, n int, at visit) error {
		return right(len(Filter(upTo(n), func(i int) bool { at(i); return i%2 == 0 })) == (n+1)/2)
	}},
	{"FilterContext", 1, true, func(ctx context.Context, n int, at visit) error {
		got, err := FilterContext(ctx, upTo(n), func(_ context.Context, i int) (bool, error) { return i%2 == 0, at(i) })
		if err == nil {
			err = right(len(got) == (n+1)/2)
		}
		return err
	}},
	{"Scan", 2, false, func(_ context.Context, n int, at visit) error {
		return right(runs(Scan(units(n), func(a, b interval) interval {
			at(b.hi - 1)
			return glue(a, b)
		})))
	}},
	{"ScanContext", 2, false, func(ctx context.Context, n int, at visit) error {
		got, err := ScanContext(ctx, units(n), func(a, b interval) interval {
			at(b.hi - 1)
			return glue(a, b)
		})
		if err == nil {
			err = right(len(got) == n && runs(got))
		}
		return err
	}},
	{"Find", 1, false, func(_ context.Context, n int, at visit) error {
		return right(Find(upTo(n), func(i int) bool { at(i); return false }) == -1)
	}},
	{"FindN", 1, false, func(_ context.Context, n int, at visit) error {
		return right(FindN(n, func(i int) bool { at(i); return false }) == -1)
	}},
	{"FindContext", 1, true, func(ctx context.Context, n int, at visit) error {
		got, err := FindContext(ctx, upTo(n), func(_ context.Context, i int) (bool, error) { return false, at(i) })
		if got != -1 {
			err = errWrong
		}
		return err
	}},
	{"Any", 1, false, func(_ context.Context, n int, at visit) error {
		return right(!Any(upTo(n), func(i int) bool { at(i); return false }))
	}},
	{"Tiles", 1, false, func(_ context.Context, n int, at visit) error {
		Tiles(1, n, func(_, _, c0, c1 int) {
			for i := c0; i < c1; i++ {
				at(i)
			}
		})
		return nil
	}},
	{"TilesContext", 1, true, func(ctx context.Context, n int, at visit) error {
		return TilesContext(ctx, n, 1, func(_ context.Context, r0, r1, _, _ int) error {
			for i := r0; i < r1; i++ {
				if err := at(i); err != nil {
					return err
				}
			}
			return nil
		})
	}},
	{"DoContext", 1, true, func(ctx context.Context, n int, at visit) error {
		fs := make([]func(context.Context) error, n%1000)
		for i := range fs {
			fs[i] = func(context.Context) error { return at(i) }
		}
		return DoContext(ctx, fs...)
	}},
}

// visitAll visits the elements of a part of units until one fails.
func visitAll(part []interval, at visit) (interval, error) {
	for _, v := range part {
		if err := at(v.lo); err != nil {
			return interval{}, err
		}
	}
	return interval{part[0].lo, part[len(part)-1].hi}, nil
}

// runs reports whether s is a scan of units.
func runs(s []interval) bool {
	for i, v := range s {
		if v != (interval{0, i + 1}) {
			return false
		}
	}
	return true
}

// An event is what happens to one element.
type event int

const (
	nothing event = iota
	panics
	exits
	fails
	cancels
	events
)

func (e event) String() string {
	return [...]string{"nothing", "a panic", "Goexit", "an error", "the end of the context"}[e]
}

// try calls a function with n elements, lets something happen to one of them,
// and returns what is wrong.
func (l *looping) try(n, at int, e event) error {
	var (
		visited = make([]atomic.Int32, max(n, 1))
		over    atomic.Bool  // the call has ended
		late    atomic.Int32 // visits after that
		thrown  = new(int)
		failed  = errors.New("failed")
		cause   = errors.New("cause")
	)
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	hit := func(i int) error {
		if over.Load() {
			late.Add(1)
		}
		first := visited[i].Add(1) == 1
		if i != at || !first {
			return nil
		}
		switch e {
		case panics:
			panic(thrown)
		case exits:
			runtime.Goexit()
		case fails:
			return failed
		case cancels:
			cancel(cause)
		}
		return nil
	}
	var (
		err       error
		recovered any
		returned  bool
		done      = make(chan bool)
	)
	go func() {
		defer close(done)
		defer over.Store(true)
		defer func() { recovered = raw(recover()) }()
		err = l.call(ctx, n, hit)
		returned = true
	}()
	<-done

	all := true // elements were visited
	for i := range visited[:n] {
		v := visited[i].Load()
		if v > l.times {
			return fmt.Errorf("element %d is visited %d times", i, v)
		}
		all = all && v > 0
	}
	if l := late.Load(); l > 0 {
		return fmt.Errorf("%d visits after the end", l)
	}
	if visited[at].Load() == 0 {
		e = nothing // it was not visited, as none may be: of a join, or n is 0
	}
	switch e {
	case panics:
		if recovered != any(thrown) {
			return fmt.Errorf("recovered %v, returned %t, want the value of the panic", recovered, returned)
		}
		return nil
	case exits:
		if returned || recovered != nil {
			return fmt.Errorf("returned %t, recovered %v, want Goexit", returned, recovered)
		}
		return nil
	}
	if !returned || recovered != nil {
		return fmt.Errorf("returned %t, recovered %v", returned, recovered)
	}
	switch {
	case e == fails && l.fails:
		if err != failed {
			return fmt.Errorf("the error is %v, want %v", err, failed)
		}
	case e == cancels && err == cause:
		// This may come too late to be seen: then all ran.
	case err != nil:
		return fmt.Errorf("the error is %v", err)
	case !all && l.times == 1 && l.name != "join of ReduceN" && l.name != "DoContext":
		return errors.New("not all elements are visited, and there is no error")
	}
	return nil
}

func TestEvents(t *testing.T) {
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	stress.Procs(t, func(t *testing.T) {
		for _, l := range loopings {
			t.Run(l.name, func(t *testing.T) {
				stress.NoneLeft(t)
				stress.Within(t, time.Minute, l.name, func() {
					for range rounds(100) {
						n := 1 + rnd.IntN(1<<rnd.IntN(17))
						at, e := rnd.IntN(n), event(rnd.IntN(int(events)))
						if err := l.try(n, at, e); err != nil {
							t.Fatalf("n = %d, %v at %d: %v", n, e, at, err)
						}
					}
				})
			})
		}
	})
}

func FuzzLoops(f *testing.F) {
	for i := range loopings {
		for e := range events {
			f.Add(uint8(i), uint16(1000), uint16(500), uint8(e), uint8(1+i%4))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, n, at uint16, e, procs uint8) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1 + int(procs)%8))
		stress.NoneLeft(t)
		l := &loopings[int(which)%len(loopings)]
		at = min(at, max(n, 1)-1)
		if err := l.try(int(n), int(at), event(e%uint8(events))); err != nil {
			t.Fatalf("%s: n = %d, %v at %d: %v", l.name, n, event(e%uint8(events)), at, err)
		}
	})
}
