package order

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// mergeTwin is Merge as it is meant.
func mergeTwin(a, b []record) []record {
	dst := slices.Concat(a, b)
	slices.SortStableFunc(dst, byKey)
	return dst
}

func TestMerge(t *testing.T) {
	stress.NoneLeft(t)
	stress.Procs(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(stress.Seed(t), 0))
		for _, n := range []int{0, 1, 2, 3, 10, 100, 1000, parallel - 1, 2*parallel + 17} {
			for _, p := range patterns {
				if p.name == "killer" || !stress.Long() && n > 1000 && r.IntN(4) > 0 {
					continue
				}
				x := records(r, n, p.make)
				m := 0
				if n > 0 {
					m = []int{0, 1, r.IntN(n), n / 2, n}[r.IntN(5)]
				}
				a, b := x[:m:m], x[m:]
				slices.SortStableFunc(a, byKey)
				slices.SortStableFunc(b, byKey)
				dst := make([]record, n)
				Merge(dst, a, b, byKey)
				if !slices.Equal(dst, mergeTwin(a, b)) {
					t.Fatalf("%s, n = %d of which a has %d: not merged, or not stable", p.name, n, m)
				}
				checkAll(t, p.name, dst)
			}
		}
	})
}

// Whatever the function says, dst gets each element once.
func TestMergeLiars(t *testing.T) {
	stress.Procs(t, func(t *testing.T) {
		seed := stress.Seed(t)
		r := rand.New(rand.NewPCG(seed, 0))
		for _, n := range []int{2, 50, 1000, 2 * parallel} {
			for _, l := range liars {
				x := records(r, n, patterns[0].make)
				m := r.IntN(n)
				dst := make([]record, n)
				Merge(dst, x[:m], x[m:], l.cmp(noise(seed)))
				checkAll(t, l.name, dst)
			}
		}
	})
}

// mergeForward and mergeBackward do the same, with the lesser half aside.
func TestMergeInPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(stress.Seed(t), 0))
	for range 3000 {
		n := 2 + r.IntN(300)
		x := records(r, n, patterns[r.IntN(len(patterns)-1)].make)
		for i := range x {
			x[i].key >>= uint(r.IntN(2)) * 62 // sometimes few keys
		}
		m := 1 + r.IntN(n-1)
		slices.SortStableFunc(x[:m], byKey)
		slices.SortStableFunc(x[m:], byKey)
		want := mergeTwin(x[:m], x[m:])
		for name, merge := range map[string]func([]record, int, []record, func(a, b record) int){
			"mergeForward": mergeForward[record], "mergeBackward": mergeBackward[record],
			"mergeHalves": mergeHalves[record], "mergeHalvesWide": mergeHalvesWide[record],
		} {
			got := slices.Clone(x)
			merge(got, m, make([]record, n), byKey)
			if !slices.Equal(got, want) {
				t.Fatalf("%s, n = %d, m = %d: not merged, or not stable", name, n, m)
			}
		}
	}
}

func TestFar(t *testing.T) {
	for n := range 40 {
		for want := range n + 1 {
			looked := make([]bool, n)
			if got := far(n, func(i int) bool { looked[i] = true; return i >= want }); got != want {
				t.Errorf("far(%d) = %d, want %d", n, got, want)
			}
		}
	}
}
