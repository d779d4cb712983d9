package order

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/gopayoff/payoff/internal/stress"
)

type (
	ident int32
	score float64
	label string
)

// lengths are lengths to sort: many short ones and some that are shared.
func lengths(r *rand.Rand) (n []int) {
	step, most := 3, 200_000
	if !stress.Long() {
		step, most = 250, parallel+1000
	}
	for i := 0; i < 3000; i += 1 + r.IntN(step+i/20) {
		n = append(n, i)
	}
	return append(n, 1+r.IntN(cached), cached+1+r.IntN(most-cached), parallel+r.IntN(most-parallel))
}

// bitsOf returns the bits of x in an order of their own.
func bitsOf[E cmp.Ordered](x []E) []string {
	b := make([]string, len(x))
	for i := range x {
		if s, ok := any(x[i]).(string); ok {
			b[i] = s
		} else {
			b[i] = string(unsafe.Slice((*byte)(unsafe.Pointer(&x[i])), unsafe.Sizeof(x[i])))
		}
	}
	slices.Sort(b)
	return b
}

// checkSorted fails t where got is not sorted as want is, or does not have the
// very same elements.
func checkSorted[E cmp.Ordered](t *testing.T, name string, got, want []E) {
	t.Helper()
	for i := range want {
		if cmp.Compare(got[i], want[i]) != 0 {
			t.Fatalf("%s, n = %d: element %d is %v, want %v", name, len(want), i, got[i], want[i])
		}
	}
	var e E
	if isFloat(e) { // others are equal only if their bits are
		if !slices.Equal(bitsOf(got), bitsOf(want)) {
			t.Fatalf("%s, n = %d: the elements are not those there were", name, len(want))
		}
	}
}

func isFloat[E any](e E) bool {
	switch any(e).(type) {
	case float32, float64, score:
		return true
	}
	return false
}

// testSort sorts all patterns, made E by of.
func testSort[E cmp.Ordered](t *testing.T, of func(v int64) E) {
	r := rand.New(rand.NewPCG(stress.Seed(t), 0))
	for _, n := range lengths(r) {
		for _, p := range patterns {
			if n > 300 && r.IntN(4) > 0 || p.name == "killer" && n > 20_000 {
				continue
			}
			v := make([]int64, n)
			if n > 0 {
				p.make(r, v)
			}
			got := make([]E, n)
			for i := range got {
				got[i] = of(v[i])
			}
			want := slices.Clone(got)
			slices.Sort(want)
			Sort(got)
			checkSorted(t, p.name, got, want)
		}
	}
}

func TestSort(t *testing.T) {
	t.Run("int", func(t *testing.T) { testSort(t, func(v int64) int { return int(v) }) })
	t.Run("int8", func(t *testing.T) { testSort(t, func(v int64) int8 { return int8(v) }) })
	t.Run("int16", func(t *testing.T) { testSort(t, func(v int64) int16 { return int16(v) }) })
	t.Run("int32", func(t *testing.T) { testSort(t, func(v int64) int32 { return int32(v) }) })
	t.Run("int64", func(t *testing.T) { testSort(t, func(v int64) int64 { return v }) })
	t.Run("uint", func(t *testing.T) { testSort(t, func(v int64) uint { return uint(v) }) })
	t.Run("uint8", func(t *testing.T) { testSort(t, func(v int64) uint8 { return uint8(v) }) })
	t.Run("uint16", func(t *testing.T) { testSort(t, func(v int64) uint16 { return uint16(v) }) })
	t.Run("uint32", func(t *testing.T) { testSort(t, func(v int64) uint32 { return uint32(v) }) })
	t.Run("uint64", func(t *testing.T) { testSort(t, func(v int64) uint64 { return uint64(v) }) })
	t.Run("uintptr", func(t *testing.T) { testSort(t, func(v int64) uintptr { return uintptr(v) }) })
	t.Run("float32", func(t *testing.T) { testSort(t, func(v int64) float32 { return float32(v) }) })
	t.Run("float64", func(t *testing.T) { testSort(t, func(v int64) float64 { return float64(v) / 7 }) })
	t.Run("float32 bits", func(t *testing.T) {
		testSort(t, func(v int64) float32 { return math.Float32frombits(uint32(v)) })
	})
	t.Run("float64 bits", func(t *testing.T) {
		testSort(t, func(v int64) float64 { return math.Float64frombits(uint64(v)) })
	})
	t.Run("string", func(t *testing.T) { testSort(t, func(v int64) string { return fmt.Sprintf("%x", v) }) })
	t.Run("ident", func(t *testing.T) { testSort(t, func(v int64) ident { return ident(v) }) })
	t.Run("score", func(t *testing.T) { testSort(t, func(v int64) score { return score(v) }) })
	t.Run("label", func(t *testing.T) { testSort(t, func(v int64) label { return label(fmt.Sprint(v)) }) })
}

func TestSortProcs(t *testing.T) {
	stress.NoneLeft(t)
	stress.Procs(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(stress.Seed(t), 0))
		for _, n := range []int{parallel - 1, parallel, 3*parallel + 1, 150_000} {
			if n > parallel && (!stress.Long()) {
				break
			}
			for _, p := range patterns {
				if p.name == "killer" {
					continue
				}
				got := make([]int64, n)
				p.make(r, got)
				want := slices.Clone(got)
				slices.Sort(want)
				Sort(got)
				checkSorted(t, p.name, got, want)
			}
			for _, p := range textPatterns {
				got := make([]string, n)
				p.make(r, got)
				want := slices.Clone(got)
				slices.Sort(want)
				Sort(got)
				checkSorted(t, p.name, got, want)
			}
		}
	})
}

// Zeros of both signs, infinities, and NaNs of both signs and many payloads.
func TestSortFloats(t *testing.T) {
	r := rand.New(rand.NewPCG(stress.Seed(t), 0))
	odd := []uint64{0, 1, 1 << 63, 1<<63 | 1, 0x7ff << 52, 0xfff << 52, 0x7ff<<52 - 1, 0xfff<<52 - 1,
		0x7ff<<52 + 1, 0xfff<<52 + 1, 1<<63 - 1, 1<<64 - 1, 0x7ff8 << 48, 0xfff8 << 48}
	odd32 := []uint32{0, 1, 1 << 31, 1<<31 | 1, 0xff << 23, 0x1ff << 23, 0xff<<23 - 1, 0x1ff<<23 - 1,
		0xff<<23 + 1, 0x1ff<<23 + 1, 1<<31 - 1, 1<<32 - 1}
	for _, n := range []int{14, 200, 1000, 20_000, 50_000} {
		x := make([]float64, n)
		y := make([]float32, n)
		for i := range x {
			x[i] = math.Float64frombits(odd[r.IntN(len(odd))])
			y[i] = math.Float32frombits(odd32[r.IntN(len(odd32))])
			if i%3 == 0 {
				x[i], y[i] = r.NormFloat64(), float32(r.NormFloat64())
			}
		}
		for range 2 { // the second time sorted but for the order among equals
			want, want32 := slices.Clone(x), slices.Clone(y)
			slices.Sort(want)
			slices.Sort(want32)
			Sort(x)
			Sort(y)
			checkSorted(t, "float64", x, want)
			checkSorted(t, "float32", y, want32)
		}
	}
	// All NaNs first, then what ascends: that is sorted, whatever the NaNs are.
	x := make([]float64, 500)
	for i := range x {
		x[i] = float64(i)
	}
	x[0], x[1] = math.NaN(), math.Float64frombits(1<<64-1)
	Sort(x)
	if x[0] == x[0] || x[1] == x[1] || !slices.IsSorted(x) {
		t.Fatalf("Sort puts NaN, NaN, 2, 3, … into %v, …", x[:4])
	}
}

// textPatterns are strings that a sort by prefixes may trip over.
var textPatterns = []struct {
	name string
	make func(r *rand.Rand, x []string)
}{
	{"random", func(r *rand.Rand, x []string) {
		for i := range x {
			x[i] = randomText(r, 16, 256)
		}
	}},
	{"zeros", func(r *rand.Rand, x []string) {
		// Strings that differ in how many zeros are at their end.
		for i := range x {
			x[i] = "aaaaaaaaa"[:r.IntN(10)] + strings.Repeat("\x00", r.IntN(20))
		}
	}},
	{"few letters", func(r *rand.Rand, x []string) {
		for i := range x {
			x[i] = randomText(r, 30, 2)
		}
	}},
	{"shared", func(r *rand.Rand, x []string) {
		head := randomText(r, 100, 256)
		for i := range x {
			x[i] = head + randomText(r, 9, 256)
		}
	}},
	{"groups", func(r *rand.Rand, x []string) {
		heads := []string{"", "host.example/", "host.example/a/b/c/d/e/f/", strings.Repeat("long", 40)}
		for i := range x {
			x[i] = heads[r.IntN(len(heads))] + randomText(r, 5, 3) + heads[r.IntN(len(heads))]
		}
	}},
	{"stairs", func(r *rand.Rand, x []string) {
		s := strings.Repeat("s", 300)
		for i := range x {
			x[i] = s[:r.IntN(300)]
		}
	}},
	{"equal", func(r *rand.Rand, x []string) {
		for i := range x {
			x[i] = "the very same text"
		}
	}},
	{"two", func(r *rand.Rand, x []string) {
		for i := range x {
			x[i] = "the very same text"[r.IntN(2):]
		}
	}},
	{"empty", func(r *rand.Rand, x []string) { clear(x) }},
	{"organ", func(r *rand.Rand, x []string) {
		for i := range x {
			x[i] = fmt.Sprintf("%09d", min(i, len(x)-i))
		}
	}},
	{"reversed", func(r *rand.Rand, x []string) {
		for i := range x {
			x[i] = fmt.Sprintf("%09d", len(x)-i)
		}
	}},
}

// randomText returns less than n of the first so many letters, or bytes of any
// value where there are more.
func randomText(r *rand.Rand, n, letters int) string {
	b := make([]byte, r.IntN(n))
	for i := range b {
		b[i] = byte(r.IntN(letters))
		if letters < 100 {
			b[i] += 'a'
		}
	}
	return string(b)
}

func TestSortStrings(t *testing.T) {
	r := rand.New(rand.NewPCG(stress.Seed(t), 0))
	for _, n := range lengths(r) {
		for _, p := range textPatterns {
			if n > 300 && r.IntN(4) > 0 {
				continue
			}
			got := make([]string, n)
			p.make(r, got)
			want := slices.Clone(got)
			slices.Sort(want)
			Sort(got)
			checkSorted(t, p.name, got, want)
		}
	}
}

// Strings that differ in one bit are told apart by several processors, whichever
// of them is first.
func TestSortStringsWide(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	for _, first := range []string{"0", "1", "0123456", "0123457", "01234567x", "01234567z"} {
		other := first[:len(first)-1] + string(first[len(first)-1]^1)
		r := rand.New(rand.NewPCG(1, 2))
		got := make([]string, parallel+9)
		for i := range got {
			got[i] = []string{first, other}[r.IntN(2)]
		}
		got[0] = first
		want := slices.Sorted(slices.Values(got))
		if sortStrings(got); !slices.Equal(got, want) {
			t.Errorf("%q and %q: not sorted", first, other)
		}
	}
}

// The collector runs all the time, and must find each string.
func TestSortGC(t *testing.T) {
	r := rand.New(rand.NewPCG(stress.Seed(t), 0))
	stop, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	for range 2 {
		x := make([]string, 40_000)
		p := make([]*int, len(x))
		for i := range x {
			x[i] = strings.Clone(fmt.Sprintf("%d is a string of its own", r.IntN(1e6)))
			p[i] = new(int)
			*p[i] = r.IntN(1e6)
		}
		want := strings.Join(slices.Sorted(slices.Values(x)), "\n")
		Sort(x)
		if strings.Join(x, "\n") != want {
			t.Fatal("the strings are not those there were")
		}
		byValue := func(a, b *int) int { return cmp.Compare(*a, *b) }
		SortFunc(p, byValue)
		if !slices.IsSortedFunc(p, byValue) {
			t.Fatal("SortFunc did not sort")
		}
		rand.Shuffle(len(p), func(i, j int) { p[i], p[j] = p[j], p[i] })
		SortBy(p, func(p *int) int { return *p })
		if !slices.IsSortedFunc(p, byValue) {
			t.Fatal("SortBy did not sort")
		}
	}
	close(stop)
	<-done
}

// Whatever arranged does to x, it keeps the elements, and sorts where it says so.
func TestArranged(t *testing.T) {
	r := rand.New(rand.NewPCG(stress.Seed(t), 0))
	did := 0
	for i := range 20_000 {
		x := make([]int16, 2+r.IntN(100))
		for i := range x {
			x[i] = int16(i)
		}
		for range r.IntN(12) {
			lo := r.IntN(len(x))
			for j := lo; j < min(len(x), lo+r.IntN(12)); j++ {
				x[j] = int16(r.IntN(len(x)))
			}
		}
		was := slices.Clone(x)
		sorted := arranged(x)
		if sorted {
			did++
		}
		if sorted && !slices.IsSorted(x) {
			t.Fatalf("round %d: arranged(%v) = true, and makes it %v", i, was, x)
		}
		got := slices.Clone(x)
		slices.Sort(got)
		want := slices.Clone(was)
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Fatalf("round %d: arranged(%v) makes it %v, of other elements", i, was, x)
		}
	}
	if did < 100 {
		t.Errorf("arranged sorted %d times of 20000: this tests little", did)
	}
}
