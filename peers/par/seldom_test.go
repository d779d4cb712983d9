package par

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/sourcegraph/conc/iter"

	"github.com/gopayoff/payoff/par"
)

// Calls that come seldom find nothing where they left it: caches hold what others
// did, and processors sleep.
type seldom struct {
	every time.Duration
	n     int // items of 100 ns
}

func (s seldom) String() string {
	return fmt.Sprintf("/every=%v/work=%v", s.every, time.Duration(s.n)*100)
}

var seldomLoads = []seldom{
	{200 * time.Microsecond, 200},
	{2 * time.Millisecond, 200},
	{20 * time.Millisecond, 200},
	{2 * time.Millisecond, 2000},
	{20 * time.Millisecond, 2000},
	{10 * time.Millisecond, 100_000},
}

var seldomVariants = []string{"serial", "payoff", "waitgroup", "errgroup", "pargo", "conc"}

// One op is a call and the pause after it; ns/op is the median of the calls alone.
func BenchmarkSeldom(b *testing.B) {
	for _, l := range seldomLoads {
		s := newItems(l.n, 45)
		for _, name := range seldomVariants {
			v := named(forVariants, name)
			b.Run("variant="+name+l.String(), func(b *testing.B) {
				runtime.GC()
				v.run(s)
				var all []time.Duration
				for b.Loop() {
					time.Sleep(l.every)
					from := time.Now()
					v.run(s)
					all = append(all, time.Since(from))
				}
				slices.Sort(all)
				b.ReportMetric(float64(all[len(all)/2]), "ns/op")
			})
		}
	}
}

// A mix is calls through one function, cheap ones of which each is n items of a
// nanosecond, and a dear one after so many of them, of n items of dear rounds.
type mix struct{ cheap, n, dear int }

var mixes = func() (loads []load[[][]item]) {
	for _, m := range []mix{{1, 1000, 45}, {10, 1000, 450}, {1000, 1000, 4500}} {
		loads = append(loads, load[[][]item]{
			key: fmt.Sprintf("/cheap=%d/dear=%dns", m.cheap, m.dear*22/10), n: m.cheap * m.n,
			make: func() [][]item {
				all := make([][]item, m.cheap+1)
				for i := range all {
					all[i] = newItems(m.n, 0)
				}
				all[m.cheap] = newItems(m.n, m.dear)
				return all
			},
		})
	}
	return loads
}()

func eachOf(name string, do func(s []item)) variant[[][]item, [][]item] {
	return variant[[][]item, [][]item]{name: name, run: func(all [][]item) [][]item {
		for _, s := range all {
			do(s)
		}
		return all
	}}
}

var mixVariants = []variant[[][]item, [][]item]{
	eachOf("serial", doItems),
	eachOf("payoff", func(s []item) { par.For(len(s), func(lo, hi int) { doItems(s[lo:hi]) }) }),
	eachOf("waitgroup", func(s []item) { eachPart(len(s), procs(), func(lo, hi int) { doItems(s[lo:hi]) }) }),
	eachOf("errgroup", func(s []item) { eachPartErr(len(s), procs(), func(lo, hi int) { doItems(s[lo:hi]) }) }),
	eachOf("conc", func(s []item) { iter.ForEachIdx(s, func(_ int, v *item) { v.do() }) }),
	// Who knows which calls are dear.
	eachOf("waitgroup-known", func(s []item) {
		if s[0].rounds == 0 {
			doItems(s)
			return
		}
		eachPart(len(s), procs(), func(lo, hi int) { doItems(s[lo:hi]) })
	}),
}

func BenchmarkMixedCalls(b *testing.B) { bench(b, mixes, mixVariants) }
func TestMixedCalls(t *testing.T)      { same(t, 100_000, 10_000, mixes, mixVariants) }
