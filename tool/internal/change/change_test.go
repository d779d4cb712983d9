package change

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// series are points with noise of 3 %, and steps at some of them; of each 20 one is far
// off, as where others used the machine.
func series(r *rand.Rand, n int, steps map[int]float64) (xs []float64) {
	level := 0.0
	for i := range n {
		level += steps[i]
		x := level + 0.03*r.NormFloat64()
		if r.IntN(20) == 0 {
			x -= 0.3 * r.Float64()
		}
		xs = append(xs, x)
	}
	return xs
}

// Of series without a change few are told to have one.
func TestNone(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{5, 20, 100, 500} {
		const tries = 100
		false_ := 0
		for range tries {
			if len(Points(series(r, n, nil))) > 0 {
				false_++
			}
		}
		if false_ > 5 {
			t.Errorf("%d of %d series of %d points without a change are told to have one", false_, tries, n)
		}
	}
	for _, xs := range [][]float64{nil, {1}, make([]float64, 50)} {
		if p := Points(xs); len(p) > 0 {
			t.Errorf("%v: %v", xs, p)
		}
	}
}

// A step of a tenth is found where it is, soon after it, and so is its end.
func TestStep(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, c := range []struct{ n, at, back int }{{100, 50, 0}, {100, 30, 60}, {100, 95, 0}, {500, 250, 0}, {500, 494, 0}} {
		found := 0
		for range 50 {
			steps := map[int]float64{c.at: 0.1}
			if c.back > 0 {
				steps[c.back] = -0.1
			}
			p := Points(series(r, c.n, steps))
			near := func(want int) bool {
				for _, x := range p {
					if x-want <= 2 && want-x <= 2 {
						return true
					}
				}
				return false
			}
			if near(c.at) && (c.back == 0 || near(c.back)) {
				found++
			}
		}
		if found < 40 {
			t.Errorf("%+v: %d of 50 are found", c, found)
		}
	}
}

// The same points have the same changes, and none is at an end.
func TestSame(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for n := range 60 {
		xs := series(r, n, map[int]float64{n / 2: 0.5})
		p := Points(xs)
		if fmt.Sprint(p) != fmt.Sprint(Points(xs)) {
			t.Errorf("%d points: %v, then %v", n, p, Points(xs))
		}
		for i, x := range p {
			if x < shortest || x > n-shortest || i > 0 && x-p[i-1] < shortest {
				t.Errorf("%d points: a level shorter than %d in %v", n, shortest, p)
			}
		}
	}
}

// The best split has three points on each of its sides at least, at both ends.
func TestCusum(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		want int
	}{
		{[]float64{0, 0, 0, 1, 1, 1}, 3},
		{[]float64{0, 0, 0, 1, 1, 1, 1, 1}, 3},
		{[]float64{0, 0, 0, 0, 0, 1, 1, 1}, 5},
		{[]float64{1, 1, 1, 1, 0, 0, 0, 0}, 4},
		{[]float64{0, 1, 1, 1, 1, 1, 1, 1}, 3}, // not after one,
		{[]float64{0, 0, 0, 0, 0, 0, 0, 1}, 5}, // nor before the last
		{[]float64{0, 1, 2, 3, 4, 5, 6, 7}, 4},
		{[]float64{7, 7, 7, 7, 7, 7}, 0},
	} {
		at, best := cusum(c.xs)
		if at != c.want || (best > 0) != (c.want > 0) {
			t.Errorf("cusum(%v) = %d, %v, want %d", c.xs, at, best, c.want)
		}
	}
}

// A point that stands alone is drawn to its neighbours, at the ends as well, and up
// as well as down; a level of two is not.
func TestTamed(t *testing.T) {
	for _, c := range []struct{ xs, want []float64 }{
		{[]float64{0, 1, 0, 1, 0, 9}, []float64{0, 1, 0, 1, 0, 5}},
		{[]float64{0, 1, 0, 1, 0, -9}, []float64{0, 1, 0, 1, 0, -5}},
		{[]float64{9, 0, 1, 0, 1, 0}, []float64{5, 0, 1, 0, 1, 0}},
		{[]float64{-9, 0, 1, 0, 1, 0}, []float64{-5, 0, 1, 0, 1, 0}},
		{[]float64{0, 1, 0, 9, 1, 0, 1}, []float64{0, 1, 0, 6, 1, 0, 1}},
		{[]float64{0, 1, 0, -9, 1, 0, 1}, []float64{0, 1, 0, -5, 1, 0, 1}},
		{[]float64{0, 1, 0, 9, 9, 0, 1, 0, 1}, []float64{0, 1, 0, 9, 9, 0, 1, 0, 1}},
		{[]float64{0, 1, 0, 5, 0, 1}, []float64{0, 1, 0, 5, 0, 1}},
	} {
		if got := tamed(c.xs); !slices.Equal(got, c.want) {
			t.Errorf("tamed(%v) = %v, want %v", c.xs, got, c.want)
		}
	}
}

// Of a long series the last points count.
func TestLast(t *testing.T) {
	xs := make([]float64, 500+most)
	for i := range 500 {
		xs[i] = 1
	}
	if p := Points(xs); len(p) > 0 {
		t.Errorf("a change %d points before the end: %v, want none", most, p)
	}
	for i := range 600 {
		xs[i] = 1
	}
	if p := Points(xs); !slices.Equal(p, []int{600}) {
		t.Errorf("a change %d points before the end: %v, want it at 600", most-100, p)
	}
}

func BenchmarkPoints(b *testing.B) {
	xs := series(rand.New(rand.NewPCG(1, 1)), 500, map[int]float64{250: 0.1})
	for b.Loop() {
		Points(xs)
	}
}
