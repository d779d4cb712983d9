//go:build race

package partest_test

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/par"
)

// racy are programs with a race between parts of one call, as small as they may
// be: each part is over before par would think of help.
var racy = map[string]func(){
	"Do": func() { n := 0; par.Do(func() { n++ }, func() { n++ }); sink.Store(n) },
	"DoContext": func() {
		n := 0
		f := func(context.Context) error { n++; return nil }
		par.DoContext(context.Background(), f, f)
		sink.Store(n)
	},
	"For": func() {
		n := 0
		par.For(10, func(lo, hi int) { n += hi - lo })
		sink.Store(n)
	},
	"ForContext": func() {
		n := 0
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		par.ForContext(ctx, 10, func(_ context.Context, lo, hi int) error { n += hi - lo; return nil })
		sink.Store(n)
	},
	// A neighbour: only parts that meet are a race.
	"ForEach": func() {
		s := make([]int, 100)
		par.ForEach(s, func(i int, v *int) {
			if *v = i; i > 0 {
				s[i-1]++
			}
		})
	},
	"Map":    func() { m := make(map[int]int); par.Map([]int{1, 2}, func(i int) int { m[i] = i; return i }) },
	"Filter": func() { n := 0; par.Filter(numbers, func(int) bool { n++; return true }); sink.Store(n) },
	"Reduce": func() {
		n := 0
		par.Reduce(numbers, func(part []int) int { n++; return 0 }, func(a, b int) int { return 0 })
		sink.Store(n)
	},
	"Scan": func() { n := 0; par.Scan(numbers, func(a, b int) int { n++; return 0 }); sink.Store(n) },
	"Find": func() { n := 0; par.Find(numbers, func(int) bool { n++; return false }); sink.Store(n) },
	"Any":  func() { n := 0; par.Any(numbers, func(int) bool { n++; return false }); sink.Store(n) },
	"Tiles": func() {
		n := 0
		par.Tiles(3, 3, func(_, _, _, _ int) { n++ })
		sink.Store(n)
	},
	"ForSeq": func() { n := 0; par.ForSeq(slices.Values(numbers), func(int) { n++ }); sink.Store(n) },
	"MapSeq": func() {
		n := 0
		for range par.MapSeq(slices.Values(numbers), func(int) int { n++; return 0 }) {
		}
		sink.Store(n)
	},
	"SortFunc": func() { n := 0; par.SortFunc(disordered(), func(a, b int) int { n++; return a - b }); sink.Store(n) },
	"SortStableFunc": func() {
		n := 0
		par.SortStableFunc(disordered(), func(a, b int) int { n++; return a - b })
		sink.Store(n)
	},
	"SortBy": func() { n := 0; par.SortBy(disordered(), func(v int) int { n++; return v }); sink.Store(n) },
	"Merge": func() {
		n := 0
		par.Merge(make([]int, 8), numbers, numbers, func(a, b int) int { n++; return a - b })
		sink.Store(n)
	},
	"Func": func() { two.Call(1); sink.Store(halves) },
	// After many calls it is known that this is nothing.
	"small": func() {
		n := 0
		for i := range 1000 {
			par.For(2, func(lo, hi int) {
				if i == 999 {
					n++
				}
			})
		}
		sink.Store(n)
	},
}

var (
	halves int
	two    = par.New(func(t *par.Task[int, int], i int) int {
		halves++
		if i == 0 {
			return 0
		}
		if t.Serial() {
			return 0
		}
		a, b := t.Fork(i-1, i-1)
		return a + b
	})
	numbers = []int{1, 2, 3, 4}
	sink    atomic.Value
)

func disordered() []int { return []int{3, 1, 4, 2} }

// TestRaceSeen: the detector reports races between parts, each time.
func TestRaceSeen(t *testing.T) {
	if name := os.Getenv("PARTEST_RACY"); name != "" {
		racy[name]()
		return
	}
	tries := 3
	if stress.Long() {
		tries = 20
	}
	for name := range racy {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen := 0
			for i := range tries {
				cmd := exec.Command(os.Args[0], "-test.run=^TestRaceSeen$", "-test.cpu="+[]string{"1", "2", "8"}[i%3])
				cmd.Env = append(os.Environ(), "PARTEST_RACY="+name)
				out, err := cmd.CombinedOutput()
				if err != nil && strings.Contains(string(out), "WARNING: DATA RACE") {
					seen++
				}
			}
			if seen < tries {
				t.Errorf("a race is reported %d times of %d", seen, tries)
			}
		})
	}
}
