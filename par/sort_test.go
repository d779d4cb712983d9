package par

import (
	"cmp"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
)

func TestMergePanics(t *testing.T) {
	x := make([]int, 10)
	for _, test := range []struct {
		name, want string
		dst, a, b  []int
	}{
		{"too short", "par.Merge: len(dst) is not len(a)+len(b)", x[:3], []int{1, 2}, []int{3, 4}},
		{"too long", "par.Merge: len(dst) is not len(a)+len(b)", x[:5], []int{1, 2}, []int{3, 4}},
		{"dst is a", "par.Merge: dst overlaps a or b; make another slice for it", x[:2], x[:2], nil},
		{"dst ends in a", "par.Merge: dst overlaps a or b; make another slice for it", x[:4], x[3:5], []int{3, 4}},
		{"dst begins in b", "par.Merge: dst overlaps a or b; make another slice for it", x[4:8], []int{3, 4}, x[3:5]},
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

// A nil function is told where it is given, whatever there is to sort.
func TestSortNil(t *testing.T) {
	for _, x := range [][]int{nil, {1}, {2, 1}} {
		for want, call := range map[string]func(){
			"par.SortFunc: cmp is nil; use Sort for the natural order":              func() { SortFunc(x, nil) },
			"par.SortStableFunc: cmp is nil; use Sort for the natural order":        func() { SortStableFunc(x, nil) },
			"par.SortBy: key is nil; use Sort for elements that are their own keys": func() { SortBy(x, (func(int) int)(nil)) },
			"par.Merge: cmp is nil; use cmp.Compare for the natural order":          func() { Merge(x, x[:0:0], x[:0:0], nil) },
		} {
			func() {
				defer func() {
					if got := recover(); got != want {
						t.Errorf("panic(%v), want %q", got, want)
					}
				}()
				call()
			}()
		}
	}
}

// Whichever goroutine it was on, a panic comes out as a *Panic.
func TestSortPanic(t *testing.T) {
	boom := errors.New("boom")
	for _, n := range []int{2, 100, 1000, 50_000} {
		x, half := make([]float64, n), make([]float64, n/2)
		for i := range x {
			x[i] = float64(i * 7919 % n)
			half[i/2] = float64(i)
		}
		var calls atomic.Int64
		fail := func(a, b float64) int {
			if calls.Add(1) > int64(n/8) {
				panic(boom)
			}
			return cmp.Compare(a*a*a, b*b*b)
		}
		for name, sort := range map[string]func(){
			"SortFunc":       func() { SortFunc(x, fail) },
			"SortStableFunc": func() { SortStableFunc(x, fail) },
			"SortBy":         func() { SortBy(x, func(v float64) int { return fail(v, v) }) },
			"Merge":          func() { Merge(x, half, half, fail) },
		} {
			calls.Store(0)
			func() {
				defer func() {
					v := recover()
					if p, ok := v.(*Panic); !ok || !errors.Is(p, boom) {
						t.Errorf("%s, n = %d: panic(%v), want a *Panic with boom", name, n, v)
					}
				}()
				sort()
			}()
		}
	}
}
