package par

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	pargo "github.com/exascience/pargo/sort"
	"github.com/gopayoff/payoff/par"
	"github.com/jfcg/sorty/v2"
	"github.com/twotwotwo/sorts"
	"github.com/twotwotwo/sorts/sortutil"
)

// orders fill what is to be sorted. The last two are hard for somebody.
var orders = []struct {
	name string
	most int // the largest n; 0: any
	fill func(r *rand.Rand, x []int64)
}{
	{"random", 0, random},
	{"sorted", 0, func(r *rand.Rand, x []int64) {
		random(r, x)
		slices.Sort(x)
	}},
	{"reversed", 0, func(r *rand.Rand, x []int64) {
		random(r, x)
		slices.Sort(x)
		slices.Reverse(x)
	}},
	{"distinct16", 0, func(r *rand.Rand, x []int64) {
		for i := range x {
			x[i] = r.Int64N(16)
		}
	}},
	{"organpipe", 0, func(_ *rand.Rand, x []int64) {
		for i := range x {
			x[i] = int64(min(i, len(x)-1-i))
		}
	}},
	{"killer", 1_000_000, func(_ *rand.Rand, x []int64) { killer(x) }}, // it takes a sort at its worst to make
	{"outliers", 0, outliers},
}

func random(r *rand.Rand, x []int64) {
	for i := range x {
		x[i] = int64(r.Uint64())
	}
}

// killer makes x what slices.Sort is worst at, by answering it so that every
// pivot turns out to be small: McIlroy, "A killer adversary for quicksort",
// Software: Practice and Experience 29, 1999. Of two that are unsettled the left
// one becomes the smaller, unless the right one is the pivot: the other way round
// slices.Sort would take x for sorted.
func killer(x []int64) {
	const gas = math.MaxInt64 // not settled yet, and greater than all that is
	at := make([]int, len(x))
	for i := range x {
		at[i], x[i] = i, gas
	}
	next, pivot := int64(0), 0
	settle := func(i int) {
		x[i] = next
		next++
	}
	slices.SortFunc(at, func(i, j int) int {
		if x[i] == gas && x[j] == gas {
			if j == pivot {
				settle(j)
			} else {
				settle(i)
			}
		}
		if x[i] == gas {
			pivot = i
		} else if x[j] == gas {
			pivot = j
		}
		return cmp.Compare(x[i], x[j])
	})
	for i := range x {
		if x[i] == gas {
			settle(i)
		}
	}
}

// outliers fills x with numbers of 16 bits but for one in a thousand, which has
// any number of bits: sorts that look at the upper bits first find nearly all of
// them equal, digit after digit, and those that look whether a digit is equal in
// all find that it is not.
func outliers(r *rand.Rand, x []int64) {
	for i := range x {
		x[i] = r.Int64N(1 << 16)
		if r.IntN(1000) == 0 {
			x[i] = int64(r.Uint64() >> r.IntN(64))
		}
	}
}

// pargoSlice gives pargo what it asks for, as its IntSlice does. Its serial part
// may be any sort.
type pargoSlice[T cmp.Ordered] []T

func (s pargoSlice[T]) SequentialSort(i, j int) { slices.Sort(s[i:j]) }
func (s pargoSlice[T]) Len() int                { return len(s) }
func (s pargoSlice[T]) Less(i, j int) bool      { return s[i] < s[j] }
func (s pargoSlice[T]) Swap(i, j int)           { s[i], s[j] = s[j], s[i] }

// withSorty lets sorty use as many goroutines as there are processors, the caller
// included: it does not look for itself.
func withSorty[T any](f func(x []T)) func(x []T) {
	return func(x []T) {
		sorty.MaxGor = uint64(procs())
		f(x)
	}
}

// racy marks pargo.Sort: once it has found that the input is not sorted, it
// begins to sort while others of its goroutines still read, for an answer that
// nobody waits for.
func racy[T any](v variant[*input[T], []T]) variant[*input[T], []T] {
	v.racy = true
	return v
}

// sortVariants are sorts of a slice by its own order. Copy sorts nothing: it
// shows how much of everybody's time is the copy of the input.
func sortVariants[T cmp.Ordered](twotwotwo func(x []T)) []variant[*input[T], []T] {
	return []variant[*input[T], []T]{
		sorting("serial", slices.Sort[[]T]),
		sorting("payoff", func(x []T) { par.Sort(x) }),
		sorting("sorty", withSorty(func(x []T) { sorty.SortSlice(x) })),
		sorting("twotwotwo", twotwotwo),
		racy(sorting("pargo", func(x []T) { pargo.Sort(pargoSlice[T](x)) })),
	}
}

func copying[T any]() variant[*input[T], []T] { return sorting("copy", func([]T) {}) }

// sorted returns loads of so many elements of a kind.
func sorted[T any](kind string, fill func(r *rand.Rand, x []T), ns ...int) []load[*input[T]] {
	var loads []load[*input[T]]
	for _, n := range ns {
		loads = append(loads, load[*input[T]]{
			key: fmt.Sprintf("/%s/n=%d", kind, n),
			n:   n, make: func() *input[T] { return newInput(n, fill) },
		})
	}
	return loads
}

func int64Loads(ns ...int) (loads []load[*input[int64]]) {
	for _, n := range ns {
		for _, o := range orders {
			if o.most == 0 || n <= o.most {
				loads = append(loads, sorted("elem=int64/order="+o.name, o.fill, n)...)
			}
		}
	}
	return loads
}

func fillFloats(r *rand.Rand, x []float64) {
	for i := range x {
		x[i] = r.NormFloat64()
	}
}

// fillWords has 8 to 20 letters in a word.
func fillWords(r *rand.Rand, x []string) {
	var word [20]byte
	for i := range x {
		n := 8 + r.IntN(13)
		for k := range n {
			word[k] = byte('a' + r.IntN(26))
		}
		x[i] = string(word[:n])
	}
}

var (
	int64Variants  = sortVariants(sortutil.Int64s)
	floatVariants  = sortVariants(sortutil.Float64s)
	stringVariants = sortVariants(sortutil.Strings)
)

func floatLoads(ns ...int) []load[*input[float64]] {
	return sorted("elem=float64/order=random", fillFloats, ns...)
}

// stringLoads draw strings of common shapes.
func stringLoads(ns ...int) (loads []load[*input[string]]) {
	for _, n := range ns {
		loads = append(loads, sorted("elem=string/order=random", fillWords, n)...)
		loads = append(loads, sorted("elem=string/order=url", fillURLs, n)...)
		loads = append(loads, sorted("elem=string/order=path", fillPaths, n)...)
		loads = append(loads, sorted("elem=string/order=compound", fillCompounds, n)...)
	}
	return loads
}

// vocabulary returns n words of 3 to 10 letters, and a function that draws from
// them, the first ones most often, as words are in a text.
func vocabulary(r *rand.Rand, n int) func() string {
	words := make([]string, n)
	for i := range words {
		words[i] = letters(r, 3+r.IntN(8))
	}
	zipf := rand.NewZipf(r, 1.1, 4, uint64(n-1))
	return func() string { return words[zipf.Uint64()] }
}

func letters(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('a' + r.IntN(26))
	}
	return string(b)
}

// fillURLs has addresses of about 45 bytes, at some hundred hosts.
func fillURLs(r *rand.Rand, x []string) {
	host, word := vocabulary(r, 300), vocabulary(r, 1000)
	for i := range x {
		u := "https://www." + host() + ".example/"
		for range 1 + r.IntN(3) {
			u += word() + "/"
		}
		if r.IntN(2) == 0 {
			u += fmt.Sprintf("%s?id=%d", word(), r.IntN(1_000_000))
		} else {
			u += fmt.Sprintf("%s-%s.html", word(), letters(r, 6))
		}
		x[i] = u
	}
}

// fillPaths has the files of a tree: about 60 bytes, up to 10 directories deep.
func fillPaths(r *rand.Rand, x []string) {
	word := vocabulary(r, 500)
	dirs := []string{"/home/user/src/"}
	for range len(x)/20 + 1 {
		// Most directories are made in one of the last.
		d := dirs[len(dirs)-1-r.IntN(min(len(dirs), 1+r.IntN(1000)))]
		if strings.Count(d, "/") < 10 {
			dirs = append(dirs, d+word()+"/")
		} else {
			dirs = append(dirs, dirs[0]+word()+"/")
		}
	}
	for i := range x {
		x[i] = fmt.Sprintf("%s%s_%s.go", dirs[r.IntN(len(dirs))], word(), letters(r, 3))
	}
}

// fillCompounds has words made of two to four others: many begin in the same way,
// and the short ones come many times.
func fillCompounds(r *rand.Rand, x []string) {
	word := vocabulary(r, 1000)
	for i := range x {
		s := word()
		for range 1 + r.IntN(3) {
			s += word()
		}
		x[i] = s
	}
}

func BenchmarkSort(b *testing.B) {
	bench(b, int64Loads(10, 100, 10_000, 1_000_000, 10_000_000), append(slices.Clip(int64Variants), copying[int64]()))
	bench(b, floatLoads(10_000, 1_000_000), append(slices.Clip(floatVariants), copying[float64]()))
	bench(b, stringLoads(10_000, 1_000_000), append(slices.Clip(stringVariants), copying[string]()))
}

func TestSort(t *testing.T) {
	same(t, 100_000, 10_000, int64Loads(10, 100, 10_000, 100_000), int64Variants)
	same(t, 100_000, 10_000, floatLoads(10_000, 100_000), floatVariants)
	same(t, 100_000, 10_000, stringLoads(10_000, 100_000), stringVariants)
}

// Without this, the rows of killer would say nothing.
func TestKiller(t *testing.T) {
	const n = 10_000
	compares := func(x []int64) (count int) {
		slices.SortFunc(x, func(a, b int64) int {
			count++
			return cmp.Compare(a, b)
		})
		return count
	}
	easy, hard := make([]int64, n), make([]int64, n)
	random(newRand(), easy)
	killer(hard)
	if e, h := compares(easy), compares(hard); h < 2*e {
		t.Errorf("%d comparisons for a killer, %d for random numbers: want twice as many", h, e)
	}
}

// A struct32 is sorted by one of its fields.
type struct32 struct {
	key   int64
	index int64
	_     [2]int64
}

func byKey(a, b struct32) int { return cmp.Compare(a.key, b.key) }

// structs have what the comparing sorts of others ask for.
type structs []struct32

func (s structs) Len() int                { return len(s) }
func (s structs) Less(i, j int) bool      { return s[i].key < s[j].key }
func (s structs) Swap(i, j int)           { s[i], s[j] = s[j], s[i] }
func (s structs) Key(i int) int64         { return s[i].key }
func (s structs) SequentialSort(i, j int) { slices.SortFunc(s[i:j], byKey) }
func (s structs) lesswap(i, k, r, t int) bool {
	if s[i].key < s[k].key {
		if r != t {
			s[r], s[t] = s[t], s[r]
		}
		return true
	}
	return false
}

// A struct40 is sorted by its name.
type struct40 struct {
	name  string
	index int64
	_     [2]int64
}

func byName(a, b struct40) int { return strings.Compare(a.name, b.name) }

type structs40 []struct40

func (s structs40) Len() int                { return len(s) }
func (s structs40) Less(i, j int) bool      { return s[i].name < s[j].name }
func (s structs40) Swap(i, j int)           { s[i], s[j] = s[j], s[i] }
func (s structs40) Key(i int) string        { return s[i].name }
func (s structs40) SequentialSort(i, j int) { slices.SortFunc(s[i:j], byName) }
func (s structs40) lesswap(i, k, r, t int) bool {
	if s[i].name < s[k].name {
		if r != t {
			s[r], s[t] = s[t], s[r]
		}
		return true
	}
	return false
}

// A point is sorted by its distance from the middle, which is none of its fields.
type point struct {
	x, y  int64
	index int64
	_     int64
}

func (p point) distance() int64 { return p.x*p.x + p.y*p.y }

func byDistance(a, b point) int { return cmp.Compare(a.distance(), b.distance()) }

type points []point

func (s points) Len() int                { return len(s) }
func (s points) Less(i, j int) bool      { return s[i].distance() < s[j].distance() }
func (s points) Swap(i, j int)           { s[i], s[j] = s[j], s[i] }
func (s points) Key(i int) int64         { return s[i].distance() }
func (s points) SequentialSort(i, j int) { slices.SortFunc(s[i:j], byDistance) }
func (s points) lesswap(i, k, r, t int) bool {
	if s[i].distance() < s[k].distance() {
		if r != t {
			s[r], s[t] = s[t], s[r]
		}
		return true
	}
	return false
}

// stableStructs have what pargo's stable sort asks for.
type stableStructs []struct32

func (s stableStructs) Len() int                    { return len(s) }
func (s stableStructs) Less(i, j int) bool          { return s[i].key < s[j].key }
func (s stableStructs) NewTemp() pargo.StableSorter { return make(stableStructs, len(s)) }
func (s stableStructs) SequentialSort(i, j int)     { slices.SortStableFunc(s[i:j], byKey) }
func (s stableStructs) Assign(from pargo.StableSorter) func(i, j, n int) {
	src := from.(stableStructs)
	return func(i, j, n int) { copy(s[i:i+n], src[j:j+n]) }
}

// twotwotwo-key and payoff's comparison are not the same promise: the first needs
// a number to sort by.
var (
	structVariants = []variant[*input[struct32], []struct32]{
		sorting("serial", func(x []struct32) { slices.SortFunc(x, byKey) }),
		sorting("sort.Sort", func(x []struct32) { sort.Sort(structs(x)) }),
		sorting("payoff", func(x []struct32) { par.SortFunc(x, byKey) }),
		sorting("payoff-key", func(x []struct32) { par.SortBy(x, func(v struct32) int64 { return v.key }) }),
		sorting("sorty", withSorty(func(x []struct32) { sorty.Sort(len(x), structs(x).lesswap) })),
		sorting("twotwotwo", func(x []struct32) { sorts.Quicksort(structs(x)) }),
		sorting("twotwotwo-key", func(x []struct32) { sorts.ByInt64(structs(x)) }),
		racy(sorting("pargo", func(x []struct32) { pargo.Sort(structs(x)) })),
	}
	struct40Variants = []variant[*input[struct40], []struct40]{
		sorting("serial", func(x []struct40) { slices.SortFunc(x, byName) }),
		sorting("sort.Sort", func(x []struct40) { sort.Sort(structs40(x)) }),
		sorting("payoff", func(x []struct40) { par.SortFunc(x, byName) }),
		sorting("payoff-key", func(x []struct40) { par.SortBy(x, func(v struct40) string { return v.name }) }),
		sorting("sorty", withSorty(func(x []struct40) { sorty.Sort(len(x), structs40(x).lesswap) })),
		sorting("twotwotwo", func(x []struct40) { sorts.Quicksort(structs40(x)) }),
		sorting("twotwotwo-key", func(x []struct40) { sorts.ByString(structs40(x)) }),
		racy(sorting("pargo", func(x []struct40) { pargo.Sort(structs40(x)) })),
	}
	pointVariants = []variant[*input[point], []point]{
		sorting("serial", func(x []point) { slices.SortFunc(x, byDistance) }),
		sorting("sort.Sort", func(x []point) { sort.Sort(points(x)) }),
		sorting("payoff", func(x []point) { par.SortFunc(x, byDistance) }),
		sorting("payoff-key", func(x []point) { par.SortBy(x, point.distance) }),
		sorting("sorty", withSorty(func(x []point) { sorty.Sort(len(x), points(x).lesswap) })),
		sorting("twotwotwo", func(x []point) { sorts.Quicksort(points(x)) }),
		sorting("twotwotwo-key", func(x []point) { sorts.ByInt64(points(x)) }),
		racy(sorting("pargo", func(x []point) { pargo.Sort(points(x)) })),
	}
	stableVariants = []variant[*input[struct32], []struct32]{
		sorting("serial", func(x []struct32) { slices.SortStableFunc(x, byKey) }),
		sorting("payoff", func(x []struct32) { par.SortStableFunc(x, byKey) }),
		sorting("pargo", func(x []struct32) { pargo.StableSort(stableStructs(x)) }),
	}
)

// structLoads draws keys that are all different, so that sorts that are not stable
// have one answer.
func structLoads(ns ...int) []load[*input[struct32]] {
	return sorted("elem=struct32/order=random", func(r *rand.Rand, x []struct32) {
		for i, p := range r.Perm(len(x)) {
			x[i] = struct32{key: int64(p) * 1_000_003, index: int64(i)}
		}
	}, ns...)
}

func struct40Loads(ns ...int) []load[*input[struct40]] {
	return sorted("elem=struct40/order=random", func(r *rand.Rand, x []struct40) {
		names := make([]string, len(x))
		fillWords(r, names)
		for i, name := range names {
			x[i] = struct40{name: name, index: int64(i)}
		}
	}, ns...)
}

// pointLoads have no two points at the same distance.
func pointLoads(ns ...int) []load[*input[point]] {
	return sorted("elem=point/order=random", func(r *rand.Rand, x []point) {
		seen := make(map[int64]bool, len(x))
		for i := range x {
			p := point{index: int64(i)}
			for p.x, p.y = r.Int64N(1<<31)-1<<30, r.Int64N(1<<31)-1<<30; seen[p.distance()]; p.x++ {
			}
			seen[p.distance()] = true
			x[i] = p
		}
	}, ns...)
}

// stableLoads draws keys of which some are equal.
func stableLoads(ns ...int) []load[*input[struct32]] {
	return sorted("elem=struct32/order=random", func(r *rand.Rand, x []struct32) {
		for i := range x {
			x[i] = struct32{key: r.Int64N(int64(len(x)) * 4), index: int64(i)}
		}
	}, ns...)
}

func BenchmarkSortFunc(b *testing.B) {
	bench(b, structLoads(10_000, 1_000_000), append(slices.Clip(structVariants), copying[struct32]()))
	bench(b, struct40Loads(10_000, 1_000_000), append(slices.Clip(struct40Variants), copying[struct40]()))
	bench(b, pointLoads(10_000, 1_000_000), append(slices.Clip(pointVariants), copying[point]()))
}

func BenchmarkSortStableFunc(b *testing.B) {
	bench(b, stableLoads(10_000, 1_000_000), append(slices.Clip(stableVariants), copying[struct32]()))
}

func TestSortFunc(t *testing.T) {
	same(t, 100_000, 10_000, structLoads(10_000, 100_000), structVariants)
	same(t, 100_000, 10_000, struct40Loads(10_000, 100_000), struct40Variants)
	same(t, 100_000, 10_000, pointLoads(10_000, 100_000), pointVariants)
}

func TestSortStableFunc(t *testing.T) {
	same(t, 100_000, 10_000, stableLoads(10_000, 100_000), stableVariants)
}
