package par

import (
	"fmt"
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

func TestMergePanics(t *testing.T) {
	x := make([]int, 10)
	for _, test := range []struct {
		name, want string
		dst, a, b  []int
	}{
		{"too short", "par.Merge: len(dst) is not len(a)+len(b)", x[:3], []int{1, 2}, []int{3, 4}},
		{"too long", "par.Merge: len(dst) is not len(a)+len(b)", x[:5], []int{1, 2}, []int{3, 4}},
		{"dst is a", "par.Merge: dst overlaps a or b", x[:2], x[:2], nil},
		{"dst ends in a", "par.Merge: dst overlaps a or b", x[:4], x[3:5], []int{3, 4}},
		{"dst begins in b", "par.Merge: dst overlaps a or b", x[4:8], []int{3, 4}, x[3:5]},
		{"neighbours", "<nil>", x[4:8], x[2:4], x[8:10]},
		{"nothing", "<nil>", nil, nil, nil},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != test.want {
					t.Errorf("%s: panic(%s), want %s", test.name, got, test.want)
				}
			}()
			Merge(test.dst, test.a, test.b, func(a, b int) int { return a - b })
		}()
	}
	// Elements without size are all at one address.
	Merge(make([]struct{}, 3), make([]struct{}, 1), make([]struct{}, 2), func(a, b struct{}) int { return 0 })
}
