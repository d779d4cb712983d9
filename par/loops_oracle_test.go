package par

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// An affine maps x to a*x + b, mod p. One after another is again one: an
// operation that is associative and not commutative.
type affine struct{ a, b uint64 }

const prime = 1<<31 - 1

func randomAffine(rnd *rand.Rand) affine {
	return affine{1 + rnd.Uint64N(prime-1), rnd.Uint64N(prime)}
}

// then is f, then g.
func (f affine) then(g affine) affine {
	return affine{f.a * g.a % prime, (g.a*f.b + g.b) % prime}
}

// An interval is of elements lo to hi-1 of what is reduced or scanned.
type interval struct{ lo, hi int }

// glue panics unless b comes right after a.
func glue(a, b interval) interval {
	if a.hi != b.lo {
		panic(fmt.Sprintf("[%d,%d) is put before [%d,%d)", a.lo, a.hi, b.lo, b.hi))
	}
	return interval{a.lo, b.hi}
}

// empty is neutral: what is folded begins with it.
func empty() interval { return interval{} }

// then is v with element i behind it.
func (v interval) then(i int) interval { return v.glue(interval{i, i + 1}) }

// glue is [glue] where one may be empty.
func (a interval) glue(b interval) interval {
	switch empty() {
	case a:
		return b
	case b:
		return a
	}
	return glue(a, b)
}

// units returns the n intervals of one element.
func units(n int) []interval {
	s := make([]interval, n)
	for i := range s {
		s[i] = interval{i, i + 1}
	}
	return s
}

// upTo returns 0, 1, … n-1.
func upTo(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// eachSize runs f at sizes 0 to 300, and at larger ones, at several numbers of
// processors.
func eachSize(t *testing.T, f func(t *testing.T, rnd *rand.Rand, n int)) {
	larger := 12
	if !stress.Long() {
		larger = 3
	}
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	stress.Procs(t, func(t *testing.T) {
		stress.NoneLeft(t)
		for n := range 301 {
			f(t, rnd, n)
		}
		for i := range larger {
			f(t, rnd, 301+rnd.IntN(1000<<i))
		}
	})
}

// hostile does what run promises and nothing more: parts of any size in any
// order, several at a time, and none that begins once a body has returned
// false. Results of a real loop nearly come in order; what holds here holds
// whatever the processors do.
func hostile(rnd *rand.Rand, n int, body func(lo, hi int) bool) bool {
	var parts []interval
	most := 1 + rnd.IntN(1+n/(1+rnd.IntN(8)))
	for lo := 0; lo < n; {
		hi := min(n, lo+1+rnd.IntN(most))
		parts = append(parts, interval{lo, hi})
		lo = hi
	}
	switch rnd.IntN(4) {
	case 0: // in order
	case 1:
		slices.Reverse(parts)
	case 2:
		for i := range max(0, len(parts)-3) { // nearly in order
			j := i + rnd.IntN(3)
			parts[i], parts[j] = parts[j], parts[i]
		}
	case 3:
		rnd.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	}
	var (
		next    atomic.Int64
		stopped atomic.Bool
		workers sync.WaitGroup
	)
	for range 1 + rnd.IntN(4) {
		workers.Go(func() {
			for !stopped.Load() {
				i := int(next.Add(1)) - 1
				if i >= len(parts) {
					return
				}
				if i%5 == 0 {
					runtime.Gosched()
				}
				if !body(parts[i].lo, parts[i].hi) {
					stopped.Store(true)
				}
			}
		})
	}
	workers.Wait()
	return !stopped.Load()
}

// An oracle compares a function and its twin with a context to a plain loop
// over n elements.
type oracle struct {
	name  string
	check func(rnd *rand.Rand, n int) error
}

// oracles are all functions but those that run closures. They return what is
// wrong.
var oracles = []oracle{
	{"For", func(rnd *rand.Rand, n int) error {
		got, want := make([]int32, n), make([]int32, n)
		for i := range want {
			want[i] = 1
		}
		body := func(lo, hi int) error {
			if lo >= hi {
				return fmt.Errorf("part [%d,%d)", lo, hi)
			}
			for i := lo; i < hi; i++ {
				atomic.AddInt32(&got[i], 1)
			}
			return nil
		}
		err := ForContext(context.Background(), n, func(_ context.Context, lo, hi int) error { return body(lo, hi) })
		return differ(got, want, err)
	}},
	{"ForEach", func(rnd *rand.Rand, n int) error {
		got, want := make([]int, n), make([]int, n)
		for i := range want {
			got[i], want[i] = 7, i*i+7
		}
		ForEach(got, func(i int, v *int) { *v += i * i })
		if err := differ(got, want, nil); err != nil {
			return err
		}
		err := ForEachContext(context.Background(), got, func(_ context.Context, i int, v *int) error {
			*v -= i * i
			return nil
		})
		return differ(got, slices.Repeat([]int{7}, n), err)
	}},
	{"Map", func(rnd *rand.Rand, n int) error {
		s, want := make([]affine, n), make([]uint64, n)
		for i := range s {
			s[i] = randomAffine(rnd)
			want[i] = s[i].a ^ s[i].b
		}
		if err := differ(Map(s, func(f affine) uint64 { return f.a ^ f.b }), want, nil); err != nil {
			return err
		}
		got, err := MapContext(context.Background(), s, func(_ context.Context, f affine) (uint64, error) { return f.a ^ f.b, nil })
		return differ(got, want, err)
	}},
	{"MapN", func(rnd *rand.Rand, n int) error {
		want := make([]string, n)
		for i := range want {
			want[i] = fmt.Sprint(i)
		}
		return differ(MapN(n, func(i int) string { return fmt.Sprint(i) }), want, nil)
	}},
	{"Reduce", func(rnd *rand.Rand, n int) error {
		s, want := make([]affine, n, n+1), affine{}
		for i := range s {
			if s[i] = randomAffine(rnd); i == 0 {
				want = s[i]
			} else {
				want = want.then(s[i])
			}
		}
		part := func(part []affine) affine {
			f := part[0]
			for _, g := range part[1:] {
				f = f.then(g)
			}
			if cap(part) > len(part) {
				f.a++ // append would write into the next part
			}
			return f
		}
		if got := Reduce(s, part, affine.then); got != want {
			return fmt.Errorf("Reduce = %v, want %v", got, want)
		}
		if got := ReduceN(n, func(lo, hi int) affine { return part(s[lo:hi:hi]) }, affine.then); got != want {
			return fmt.Errorf("ReduceN = %v, want %v", got, want)
		}
		got, err := ReduceContext(context.Background(), s, func(_ context.Context, p []affine) (affine, error) { return part(p), nil }, affine.then)
		if got != want || err != nil {
			return fmt.Errorf("ReduceContext = %v, %v, want %v", got, err, want)
		}
		return nil
	}},
	{"Reduce of strings", func(rnd *rand.Rand, n int) error {
		s, want := randomLetters(rnd, n)
		got := Reduce(s, func(part []string) string { return strings.Join(part, "") }, func(a, b string) string { return a + b })
		return differ([]byte(got), []byte(want), nil)
	}},
	{"Filter", func(rnd *rand.Rand, n int) error {
		s, below := make([]uint8, n), uint8(rnd.IntN(256))
		var want []uint8
		for i := range s {
			if s[i] = uint8(rnd.Uint32()); s[i] < below {
				want = append(want, s[i])
			}
		}
		got := Filter(s, func(v uint8) bool { return v < below })
		if err := differ(got, want, nil); err != nil {
			return err
		}
		again, err := FilterContext(context.Background(), s, func(_ context.Context, v uint8) (bool, error) { return v < below, nil })
		return differ(again, want, err)
	}},
	{"Filter of few", func(rnd *rand.Rand, n int) error {
		// What is kept changes along the way, and so does what a piece has room for.
		keep := func(i int) bool { return i%97 == 0 || i > n-n/4 && i%2 == 0 }
		var want []int
		for i := range n {
			if keep(i) {
				want = append(want, i)
			}
		}
		return differ(Filter(upTo(n), keep), want, nil)
	}},
	{"Scan", func(rnd *rand.Rand, n int) error {
		s, want := make([]affine, n), make([]affine, n)
		for i := range s {
			if s[i] = randomAffine(rnd); i == 0 {
				want[i] = s[i]
			} else {
				want[i] = want[i-1].then(s[i])
			}
		}
		before := slices.Clone(s)
		if err := differ(Scan(s, affine.then), want, nil); err != nil {
			return err
		}
		if err := differ(s, before, nil); err != nil {
			return fmt.Errorf("the operands: %w", err)
		}
		got, err := ScanContext(context.Background(), s, affine.then)
		return differ(got, want, err)
	}},
	{"Scan of strings", func(rnd *rand.Rand, n int) error {
		n = min(n, 300) // the result is quadratic
		s, all := randomLetters(rnd, n)
		want := make([]string, n)
		for i := range want {
			want[i] = all[:i+1]
		}
		return differ(Scan(s, func(a, b string) string { return a + b }), want, nil)
	}},
	{"Find", func(rnd *rand.Rand, n int) error {
		want, hits := -1, make([]bool, n)
		for range rnd.IntN(4) {
			if n > 0 {
				hits[rnd.IntN(n)] = true
			}
		}
		want = slices.Index(hits, true)
		hit := func(b bool) bool { return b }
		if got := Find(hits, hit); got != want {
			return fmt.Errorf("Find = %d, want %d", got, want)
		}
		if got := FindN(n, func(i int) bool { return hits[i] }); got != want {
			return fmt.Errorf("FindN = %d, want %d", got, want)
		}
		if got := Any(hits, hit); got != (want >= 0) {
			return fmt.Errorf("Any = %t, the first is %d", got, want)
		}
		// The first of some failures and some hits.
		failed := fmt.Errorf("failed")
		s := make([]*error, n)
		for i := range s {
			switch {
			case hits[i] && rnd.IntN(2) == 0:
				s[i] = &failed
			case hits[i]:
				s[i] = new(error)
			}
		}
		wantErr := error(nil)
		if want >= 0 && *s[want] != nil {
			want, wantErr = -1, failed
		}
		got, err := FindContext(context.Background(), s, func(_ context.Context, e *error) (bool, error) {
			if e == nil {
				return false, nil
			}
			return *e == nil, *e
		})
		if got != want || err != wantErr {
			return fmt.Errorf("FindContext = %d, %v, want %d, %v", got, err, want, wantErr)
		}
		return nil
	}},
	{"Tiles", func(rnd *rand.Rand, n int) error {
		rows := 1 + rnd.IntN(n+1)
		cols := n / rows
		if rnd.IntN(2) == 0 {
			rows, cols = cols, rows
		}
		got, want := make([]int32, rows*cols), slices.Repeat([]int32{1}, rows*cols)
		body := func(r0, r1, c0, c1 int) error {
			if r0 >= r1 || c0 >= c1 {
				return fmt.Errorf("tile [%d,%d) x [%d,%d)", r0, r1, c0, c1)
			}
			for r := r0; r < r1; r++ {
				for c := c0; c < c1; c++ {
					atomic.AddInt32(&got[r*cols+c], 1)
				}
			}
			return nil
		}
		Tiles(rows, cols, func(r0, r1, c0, c1 int) { body(r0, r1, c0, c1) })
		if err := differ(got, want, nil); err != nil {
			return fmt.Errorf("%d x %d: %w", rows, cols, err)
		}
		clear(got)
		err := TilesContext(context.Background(), rows, cols, func(_ context.Context, r0, r1, c0, c1 int) error { return body(r0, r1, c0, c1) })
		return differ(got, want, err)
	}},
}

func TestOracle(t *testing.T) {
	for _, o := range oracles {
		t.Run(o.name, func(t *testing.T) {
			eachSize(t, func(t *testing.T, rnd *rand.Rand, n int) {
				if err := o.check(rnd, n); err != nil {
					t.Fatalf("n = %d: %v", n, err)
				}
			})
		})
	}
}

// differ returns err, or where two slices differ.
func differ[T comparable](got, want []T, err error) error {
	if err != nil {
		return err
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d elements, want %d", len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			return fmt.Errorf("element %d of %d is %v, want %v", i, len(got), got[i], want[i])
		}
	}
	return nil
}

// randomLetters returns n strings of a letter and all of them in one.
func randomLetters(rnd *rand.Rand, n int) (s []string, all string) {
	s = make([]string, n)
	for i := range s {
		s[i] = string(rune('a' + rnd.IntN(26)))
	}
	return s, strings.Join(s, "")
}
