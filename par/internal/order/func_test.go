package order

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/outcome"
	"github.com/gopayoff/payoff/internal/stress"
)

// A record is sorted by key; id tells where it was, and p is for the collector.
type record struct {
	key int64
	id  int
	p   *int
}

func byKey(a, b record) int { return cmp.Compare(a.key, b.key) }

func records(r *rand.Rand, n int, make_ func(r *rand.Rand, x []int64)) []record {
	keys := make([]int64, n)
	if n > 0 {
		make_(r, keys)
	}
	x := make([]record, n)
	ids := make([]int, n)
	for i := range x {
		ids[i] = i
		x[i] = record{keys[i], i, &ids[i]}
	}
	return x
}

// checkAll fails t where x does not have each of its records once, and whole.
func checkAll(t *testing.T, what string, x []record) {
	t.Helper()
	seen := make([]bool, len(x))
	for _, v := range x {
		if v.p == nil || *v.p != v.id || seen[v.id] {
			t.Fatalf("%s, n = %d: %+v is there twice or not whole", what, len(x), v)
		}
		seen[v.id] = true
	}
}

// funcSorts are the sorts of records by key.
var funcSorts = []struct {
	name   string
	stable bool
	sort   func(x []record, cmp func(a, b record) int)
}{
	{"SortFunc", false, func(x []record, cmp func(a, b record) int) { SortFunc(x, cmp) }},
	{"SortStableFunc", true, func(x []record, cmp func(a, b record) int) { SortStableFunc(x, cmp) }},
	// These are for many processors, or few, but must hold anywhere.
	{"sampler", true, func(x []record, cmp func(a, b record) int) {
		s := &sampler[record]{cmp, func(x, buf []record) { mergeSort(x, buf, cmp) }}
		s.sort(x, make([]record, len(x)), make([]uint16, len(x)))
	}},
	{"mergeSort", true, func(x []record, cmp func(a, b record) int) {
		mergeSort(x, make([]record, (len(x)+1)/2), cmp)
	}},
	{"mergeSortWide", true, func(x []record, cmp func(a, b record) int) {
		if len(x) < 1000 {
			mergeSort(x, make([]record, (len(x)+1)/2), cmp)
			return
		}
		mergeSortWide(x, make([]record, len(x)), cmp)
	}},
	{"quicksort", false, func(x []record, cmp func(a, b record) int) { quicksort[record]{cmp, 40, 4}.sort(x) }},
}

func TestSortFunc(t *testing.T) {
	stress.NoneLeft(t)
	stress.Procs(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(stress.Seed(t), 0))
		short := !stress.Long()
		ns := []int{0, 1, 2, 3, 5, 9, 10, 11, 19, 29, 30, 31, 100, 159, 160, 500, 1000, 3000, sampled - 1, sampled, 20_000, parallel + 1}
		if !short {
			ns = append(ns, 100_000)
		}
		for _, n := range ns {
			for _, p := range patterns {
				for _, f := range funcSorts {
					if n > 3000 && r.IntN(3) > 0 || short && r.IntN(6) > 0 || n > 30_000 && p.name == "killer" {
						continue
					}
					x := records(r, n, p.make)
					what := f.name + " " + p.name
					f.sort(x, byKey)
					if !slices.IsSortedFunc(x, func(a, b record) int {
						if c := byKey(a, b); c != 0 || !f.stable {
							return c
						}
						return cmp.Compare(a.id, b.id)
					}) {
						t.Fatalf("%s, n = %d: not sorted, or not stable", what, n)
					}
					checkAll(t, what, x)
				}
			}
		}
	})
}

// liars are comparison functions that are none.
var liars = []struct {
	name string
	cmp  func(r func() uint32) func(a, b record) int
}{
	{"-1", func(func() uint32) func(a, b record) int { return func(a, b record) int { return -1 } }},
	{"0", func(func() uint32) func(a, b record) int { return func(a, b record) int { return 0 } }},
	{"1", func(func() uint32) func(a, b record) int { return func(a, b record) int { return 1 } }},
	{"random", func(r func() uint32) func(a, b record) int {
		return func(a, b record) int { return int(r()%3) - 1 }
	}},
	{"extremes", func(r func() uint32) func(a, b record) int {
		return func(a, b record) int { return []int{math.MinInt, 0, math.MaxInt}[r()%3] }
	}},
	{"mostly right", func(r func() uint32) func(a, b record) int {
		return func(a, b record) int {
			if r()%100 == 0 {
				return byKey(b, a)
			}
			return byKey(a, b)
		}
	}},
	{"circle", func(func() uint32) func(a, b record) int {
		return func(a, b record) int { return int((a.key%3-b.key%3+4)%3) - 1 }
	}},
	{"right half the time", func(r func() uint32) func(a, b record) int {
		var calls atomic.Int64
		return func(a, b record) int {
			if calls.Add(1) > 50_000 {
				return 1
			}
			return byKey(a, b)
		}
	}},
}

// noise returns a source of random numbers that may be used by many at once.
func noise(seed uint64) func() uint32 {
	var state atomic.Uint64
	state.Store(seed)
	return func() uint32 {
		z := state.Add(0x9e3779b97f4a7c15)
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		return uint32(z >> 32)
	}
}

// A function that is no order gives no order, but no element may be lost.
func TestSortLiars(t *testing.T) {
	stress.Procs(t, func(t *testing.T) {
		seed := stress.Seed(t)
		r := rand.New(rand.NewPCG(seed, 0))
		for _, n := range []int{2, 12, 100, 1000, sampled + 1, parallel + 1000} {
			for _, l := range liars {
				for _, f := range funcSorts {
					if !stress.Long() && n > 1000 && r.IntN(3) > 0 {
						continue
					}
					what := fmt.Sprintf("%s, %s, n = %d", f.name, l.name, n)
					x := records(r, n, patterns[r.IntN(4)].make)
					stress.Within(t, time.Minute, what, func() { f.sort(x, l.cmp(noise(seed))) })
					checkAll(t, what, x)
				}
			}
		}
	})
}

// If the function panics or ends its goroutine, that comes out, and x has its
// elements.
func TestSortPanics(t *testing.T) {
	stress.NoneLeft(t)
	boom := errors.New("boom")
	stress.Procs(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(stress.Seed(t), 0))
		ns := []int{2, 12, 100, 1000, sampled + 1}
		if !stress.Race {
			ns = append(ns, parallel+1000)
		}
		for _, n := range ns {
			for _, p := range []string{"random", "swaps", "distinct16", "runs8"} {
				p := patterns[slices.IndexFunc(patterns, func(q pattern) bool { return q.name == p })]
				for _, f := range funcSorts {
					if !stress.Long() && n > 1000 && r.IntN(3) > 0 {
						continue
					}
					var calls, last atomic.Int64
					f.sort(records(r, n, p.make), func(a, b record) int { calls.Add(1); return byKey(a, b) })
					for range 3 {
						last.Store(r.Int64N(calls.Load()*9/10+1) + 1)
						exit := r.IntN(3) == 0
						what := fmt.Sprintf("%s, %s, n = %d, call %d, exit %v", f.name, p.name, n, last.Load(), exit)
						x := records(r, n, p.make)
						var got any
						ended := make(chan bool)
						returned := false
						go func() {
							defer close(ended)
							defer func() { got = raw(recover()) }()
							f.sort(x, func(a, b record) int {
								if last.Add(-1) == 0 {
									if exit {
										runtime.Goexit()
									}
									panic(boom)
								}
								return byKey(a, b)
							})
							returned = true
						}()
						<-ended
						switch {
						case last.Load() > 0:
							// Not so many calls this time.
						case returned:
							t.Fatalf("%s: returned", what)
						case !exit && !isBoom(got, boom):
							t.Fatalf("%s: panic(%v), want boom", what, got)
						case exit && got != nil:
							t.Fatalf("%s: panic(%v), want Goexit", what, got)
						}
						checkAll(t, what, x)
					}
				}
			}
		}
	})
}

// raw returns what a function panicked with, wherever it ran.
func raw(v any) any {
	if o, ok := v.(*outcome.Outcome); ok {
		return o.Value
	}
	return v
}

// isBoom reports whether what was recovered is boom, maybe with more around it.
func isBoom(got any, boom error) bool {
	err, ok := got.(error)
	return ok && errors.Is(err, boom)
}

// sortByTwin is SortBy as it is meant.
func sortByTwin[E any, K cmp.Ordered](x []E, key func(E) K) {
	slices.SortStableFunc(x, func(a, b E) int { return cmp.Compare(key(a), key(b)) })
}

func testSortBy[K cmp.Ordered](t *testing.T, key func(v int64) K) {
	short := !stress.Long()
	stress.Procs(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(stress.Seed(t), 0))
		for _, n := range []int{0, 1, 2, 7, 16, 17, 24, 25, 100, 1000, 1025, 5000, cached, cached + 1, parallel + 100} {
			for _, p := range patterns {
				if n > 1000 && r.IntN(8) > 0 || short && r.IntN(12) > 0 || n > 20_000 && p.name == "killer" {
					continue
				}
				x := records(r, n, p.make)
				want := slices.Clone(x)
				sortByTwin(want, func(v record) K { return key(v.key) })
				var calls atomic.Int64
				SortBy(x, func(v record) K { calls.Add(1); return key(v.key) })
				if !slices.Equal(x, want) {
					t.Fatalf("%s, n = %d: not sorted, or not stable", p.name, n)
				}
				if c := int(calls.Load()); c != n && n > 1 {
					t.Fatalf("%s, n = %d: key was called %d times", p.name, n, c)
				}
			}
		}
	})
}

func TestSortBy(t *testing.T) {
	t.Run("int64", func(t *testing.T) { testSortBy(t, func(v int64) int64 { return v }) })
	t.Run("int", func(t *testing.T) { testSortBy(t, func(v int64) int { return int(v) }) })
	t.Run("uintptr", func(t *testing.T) { testSortBy(t, func(v int64) uintptr { return uintptr(v) }) })
	t.Run("int8", func(t *testing.T) { testSortBy(t, func(v int64) int8 { return int8(v) }) })
	t.Run("uint16", func(t *testing.T) { testSortBy(t, func(v int64) uint16 { return uint16(v) }) })
	t.Run("ident", func(t *testing.T) { testSortBy(t, func(v int64) ident { return ident(v) }) })
	t.Run("score", func(t *testing.T) { testSortBy(t, func(v int64) score { return score(v) }) })
	t.Run("label", func(t *testing.T) { testSortBy(t, func(v int64) label { return label(fmt.Sprint(v)) }) })
	t.Run("long", func(t *testing.T) {
		testSortBy(t, func(v int64) string { return fmt.Sprintf("a long text before a number: %020d", v%100) })
	})
	odd := []float64{0, math.Copysign(0, -1), math.NaN(), math.Float64frombits(1<<64 - 1), math.Inf(1), math.Inf(-1), 1, -1,
		math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, math.MaxFloat64, -math.MaxFloat64}
	t.Run("float64", func(t *testing.T) {
		testSortBy(t, func(v int64) float64 { return odd[uint64(v)%uint64(len(odd))] })
	})
	t.Run("float32", func(t *testing.T) {
		testSortBy(t, func(v int64) float32 { return float32(odd[uint64(v)%uint64(len(odd))]) })
	})
}

// If key panics, x is as it was.
func TestSortByPanics(t *testing.T) {
	boom := errors.New("boom")
	stress.Procs(t, func(t *testing.T) {
		for _, n := range []int{2, 16, 17, 2000, 50_000} {
			x := records(rand.New(rand.NewPCG(1, 2)), n, patterns[0].make)
			was := slices.Clone(x)
			for _, at := range []int{0, n / 2, n - 1} {
				func() {
					defer func() {
						if got := raw(recover()); !isBoom(got, boom) {
							t.Errorf("n = %d, at %d: panic(%v), want boom", n, at, got)
						}
					}()
					SortBy(x, func(v record) int64 {
						if v.id == at {
							panic(boom)
						}
						return v.key
					})
					t.Errorf("n = %d, at %d: returned", n, at)
				}()
				if !slices.Equal(x, was) {
					t.Fatalf("n = %d, at %d: x is changed", n, at)
				}
			}
		}
	})
}
