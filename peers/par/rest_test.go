package par

import (
	"runtime"
	"slices"
	"testing"
	"time"
)

// rest works, does nothing for as long as wall, and returns what the process did
// in this time: processor time, negative if not known, and how many goroutines
// there are at its end, beyond those before the work.
func rest(work func(), wall time.Duration) (cpu time.Duration, goroutines int) {
	before := runtime.NumGoroutine()
	work()
	from := cpuTime()
	time.Sleep(wall)
	cpu = cpuTime() - from
	if from < 0 {
		cpu = -1
	}
	return cpu, runtime.NumGoroutine() - before
}

// restVariants are the names of variants of Tree and For that work before a rest.
var restVariants = []struct{ name, tree, loop string }{
	{"serial", "serial", "serial"},
	{"payoff", "payoff", "payoff"},
	{"goroutines", "goroutines-cut16384", "waitgroup"},
	{"pargo", "pargo-cut16384", "pargo"},
}

// A workload is a tree and a loop over items.
type workload struct {
	tree  tree
	items []item
}

// named returns the variant of that name.
func named[A, R any](vs []variant[A, R], name string) variant[A, R] {
	return vs[slices.IndexFunc(vs, func(v variant[A, R]) bool { return v.name == name })]
}

// times returns a function that does n times what a variant of Tree and one of
// For do.
func times(n int, tree, loop string) func(w workload) int {
	tv, lv := named(treeVariants, tree), named(forVariants, loop)
	return func(w workload) (sum int) {
		for range n {
			sum += tv.run(w.tree)
			lv.run(w.items)
		}
		return sum
	}
}

func newWorkload(nodes, items int) workload {
	return workload{tree{newTree(nodes), nodes}, newItems(items, 45)}
}

// One run is one second at rest, however large b.N is: only cpu-ns/wall-s and
// goroutines say something.
func BenchmarkRest(b *testing.B) {
	for _, v := range restVariants {
		b.Run("variant="+v.name, func(b *testing.B) {
			w, do := newWorkload(262143, 10_000), times(20, v.tree, v.loop)
			runtime.GC()
			cpu, goroutines := rest(func() { do(w) }, time.Second)
			if cpu >= 0 {
				b.ReportMetric(float64(cpu), "cpu-ns/wall-s")
			}
			b.ReportMetric(float64(goroutines), "goroutines")
		})
	}
}

// The work before a rest is the same for all.
func TestRest(t *testing.T) {
	want := 0
	for i, v := range restVariants {
		w, do := newWorkload(65535, 1000), times(3, v.tree, v.loop)
		got := 0
		cpu, _ := rest(func() { got = do(w) }, time.Millisecond)
		for _, it := range w.items {
			got += int(it.x)
		}
		if i == 0 {
			want = got
		}
		if got != want {
			t.Errorf("variant=%s computed %d, want %d", v.name, got, want)
		}
		if cpu < -1 {
			t.Errorf("variant=%s: %v of processor time", v.name, cpu)
		}
	}
	left := make(chan bool)
	defer close(left)
	n := 0
	for range 100 { // until those of the tests before are gone
		if _, n = rest(func() { go func() { <-left }() }, time.Millisecond); n == 1 {
			return
		}
	}
	t.Errorf("of a goroutine left behind, %d are counted, want 1", n)
}
