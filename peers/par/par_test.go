package par

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// A load is what a benchmark works on.
type load[A any] struct {
	key  string // follows variant=NAME in the name of the benchmark
	n    int
	make func() A
}

// sizes returns a load for each n.
func sizes[A any](of func(n int) A, ns ...int) []load[A] {
	var loads []load[A]
	for _, n := range ns {
		loads = append(loads, load[A]{fmt.Sprintf("/n=%d", n), n, func() A { return of(n) }})
	}
	return loads
}

// A variant does the work in one way. The first of a list is the base.
type variant[A, R any] struct {
	name string
	run  func(a A) R
	most int // the largest n for which it is run; 0: any
	// racy: the race detector finds a race in it, which is not ours. It is not
	// run under the detector.
	racy bool
}

func (v variant[A, R]) takes(l load[A]) bool {
	return (v.most == 0 || l.n <= v.most) && !(race && v.racy)
}

// bench measures all variants under all loads. A load is made once for all of
// its variants, and only if one of them is run.
func bench[A, R any](b *testing.B, loads []load[A], variants []variant[A, R]) {
	for _, l := range loads {
		var a A
		made := false
		for _, v := range variants {
			if !v.takes(l) {
				continue
			}
			b.Run("variant="+v.name+l.key, func(b *testing.B) {
				if !made {
					a, made = l.make(), true
				}
				runtime.GC() // what making it left is not the variant's
				for b.Loop() {
					v.run(a)
				}
			})
		}
	}
}

// same tests that all variants compute what the first does under the loads up to
// size full, or short under -short. They do it five times over: what learns may
// change its ways.
func same[A, R any](t *testing.T, full, short int, loads []load[A], variants []variant[A, R]) {
	t.Helper()
	most := full
	if !stress.Long() {
		most = short
	}
	for _, l := range loads {
		if l.n > most {
			continue
		}
		base := l.make()
		var wants [5]R
		for i := range wants {
			wants[i] = variants[0].run(base)
		}
		want := wants[len(wants)-1]
		for _, v := range variants[1:] {
			if !v.takes(l) {
				continue
			}
			a := l.make()
			var got R
			for range wants {
				got = v.run(a)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("variant=%s%s = %s, want %s", v.name, l.key, cut(got), cut(want))
			}
		}
	}
}

// cut prints the beginning of v.
func cut(v any) string { return fmt.Sprintf("%.200s", fmt.Sprint(v)) }

// newRand returns the source of all random loads: the same in every process, so
// that all samples of a record are of one load.
func newRand() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }
