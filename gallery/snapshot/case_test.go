package snapshot

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var variants = []struct {
	name string
	make func() Table
	run  func(n int, f func(i int)) // what stands for goroutines
}{
	{"serial", NewSerial, inTurn},
	{"locked", NewLocked, atOnce},
	{"ctrie", NewCtrie, atOnce},
	{"snapmap", NewSnapmap, atOnce},
}

// inTurn calls f for each of n in this goroutine.
func inTurn(n int, f func(i int)) {
	for i := range n {
		f(i)
	}
}

// atOnce calls f for each of n in a goroutine of its own, and waits for all.
func atOnce(n int, f func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

// crowd is how many goroutines the article has.
const crowd = 100

// fill stores n keys.
func fill(t Table, n int) Table {
	for i := range n {
		t.Store(i, 0)
	}
	return t
}

// ready is fill for a benchmark: what is left of it is collected.
func ready(t Table, n int) Table {
	fill(t, n)
	runtime.GC()
	return t
}

// sum adds up the values of a View.
func sum(v View) (s int) {
	for _, value := range v.All() {
		s += value
	}
	return s
}

// share stores value to each of the keys g, g+crowd, g+2*crowd … below n, and takes a
// snapshot when it is halfway. It tells how long that took.
func share(t Table, n, g, value int) (v View, took time.Duration) {
	for key := g; key < n; key += crowd {
		if v == nil && key >= n/2 {
			start := time.Now()
			v = t.Snapshot()
			took = time.Since(start)
		}
		t.Store(key, value)
	}
	return v, took
}

// A snapshot has what was stored before, nothing of what is stored later, and each key
// once.
func TestVariants(t *testing.T) {
	for _, v := range variants {
		for _, n := range []int{0, 1, 2, 7, 100, 1000, 3001} {
			table := v.make()
			var views []View
			const rounds = 5
			for round := range rounds {
				for key := range n {
					table.Store(key, key*rounds+round)
				}
				views = append(views, table.Snapshot())
			}
			for round, view := range views {
				seen := make(map[int]bool)
				for key, got := range view.All() {
					if want := key*rounds + round; got != want || seen[key] {
						t.Fatalf("%s, n=%d: view %d has %d: %d, want %d, once", v.name, n, round, key, got, want)
					}
					seen[key] = true
				}
				if len(seen) != n {
					t.Errorf("%s, n=%d: view %d has %d keys", v.name, n, round, len(seen))
				}
				for _, key := range []int{-1, 0, n - 1, n} {
					got, ok := view.Load(key)
					if want := 0 <= key && key < n; ok != want || ok && got != key*rounds+round {
						t.Errorf("%s, n=%d: view %d: Load(%d) = %d, %t, want %d, %t", v.name, n, round, key, got, ok, key*rounds+round, want)
					}
				}
			}
		}
	}
}

// A snapshot is of one moment, whoever stores meanwhile: of two keys that a goroutine
// stores to in turn, the first is never behind the second nor ahead by more than one.
func TestOneMoment(t *testing.T) {
	const rounds = 60
	for _, v := range variants {
		for _, workers := range []int{1, 2, 3, 8, 17} {
			table := v.make()
			fill(table, 2*workers)
			v.run(workers, func(w int) {
				last := make([]int, 2*workers)
				for round := 1; round <= rounds; round++ {
					table.Store(2*w, round)
					view := table.Snapshot()
					table.Store(2*w+1, round)
					if own, _ := view.Load(2 * w); own != round {
						t.Errorf("%s: a snapshot has %d after Store(%d, %d)", v.name, own, 2*w, round)
					}
					now := make([]int, 2*workers)
					for key, value := range view.All() {
						now[key] = value
					}
					for i := 0; i < len(now); i += 2 {
						if d := now[i] - now[i+1]; d < 0 || d > 1 || now[i] < last[i] || now[i+1] < last[i+1] {
							t.Errorf("%s: %d and %d are stored in turn; a snapshot has %d and %d after %d and %d", v.name, i, i+1, now[i], now[i+1], last[i], last[i+1])
						}
					}
					last = now
				}
			})
			if got, want := sum(table.Snapshot()), 2*workers*rounds; got != want {
				t.Errorf("%s: in the end the sum is %d, want %d", v.name, got, want)
			}
		}
	}
}

// The goroutines of the benchmarks do all that they are said to do.
func TestShare(t *testing.T) {
	for _, v := range variants {
		for _, n := range []int{2 * crowd, 1000} {
			table := fill(v.make(), n)
			var own atomic.Int64
			v.run(crowd, func(g int) {
				view, _ := share(table, n, g, 7)
				if first, _ := view.Load(g); first == 7 {
					own.Add(1)
				}
			})
			if got := sum(table.Snapshot()); got != 7*n {
				t.Errorf("%s: the sum is %d, want %d", v.name, got, 7*n)
			}
			if got := own.Load(); got != crowd {
				t.Errorf("%s: %d of %d snapshots have what their goroutine stored", v.name, got, crowd)
			}
		}
	}
}

// Alone is a snapshot that nobody disturbs. One op is a store, since what did not
// change since the last snapshot need not be taken again, and a snapshot. The store is
// to the same key each time: many keys in turn would measure caches as well.
func BenchmarkAlone(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		for _, v := range variants {
			b.Run(fmt.Sprintf("variant=%s/n=%d", v.name, n), func(b *testing.B) {
				t := ready(v.make(), n)
				i := 0
				for b.Loop() {
					t.Store(0, i)
					runtime.KeepAlive(t.Snapshot())
					i++
				}
			})
		}
	}
}

// Walk is a snapshot that is used. One op is a hundred stores, a snapshot, and a loop
// over all of it.
func BenchmarkWalk(b *testing.B) {
	for _, n := range []int{10_000} {
		for _, v := range variants {
			b.Run(fmt.Sprintf("variant=%s/n=%d", v.name, n), func(b *testing.B) {
				t := ready(v.make(), n)
				next, total := 0, 0
				for b.Loop() {
					for range 100 {
						t.Store(next*7919%n, 1)
						next++
					}
					if total = sum(t.Snapshot()); total > n {
						b.Fatalf("the sum is %d", total)
					}
				}
				if want := min(next, n); total != want {
					b.Fatalf("the sum is %d, want %d", total, want)
				}
			})
		}
	}
}

// Hundred is the article's benchmark: one op is a snapshot by each of a hundred
// goroutines. Nobody stores meanwhile, but once before.
func BenchmarkHundred(b *testing.B) {
	for _, n := range []int{1000} {
		for _, v := range variants {
			b.Run(fmt.Sprintf("variant=%s/n=%d", v.name, n), func(b *testing.B) {
				t := ready(v.make(), n)
				i := 0
				for b.Loop() {
					t.Store(i%n, i)
					i++
					v.run(crowd, func(int) { runtime.KeepAlive(t.Snapshot()) })
				}
			})
		}
	}
}

// Writers is a snapshot among those who store. One op is a hundred goroutines, each of
// which stores to a hundredth of the keys and takes a snapshot halfway: the stores are
// in the time of the op, so that a snapshot that holds them up gains nothing.
func BenchmarkWriters(b *testing.B) {
	for _, n := range []int{10_000} {
		for _, v := range variants {
			b.Run(fmt.Sprintf("variant=%s/n=%d", v.name, n), func(b *testing.B) {
				t := ready(v.make(), n)
				var took [crowd]time.Duration
				value := 0
				from := time.Now()
				for b.Loop() {
					value++
					v.run(crowd, func(g int) {
						_, d := share(t, n, g, value)
						took[g] += d
					})
				}
				elapsed := time.Since(from)
				var taking time.Duration
				for _, d := range took {
					taking += d
				}
				if got := sum(t.Snapshot()); got != n*value {
					b.Fatalf("the sum is %d, want %d", got, n*value)
				}
				b.ReportMetric(float64(taking.Nanoseconds())/float64(value*crowd), "take-ns")
				b.ReportMetric(float64(n*value)/elapsed.Seconds(), "stores/s")
			})
		}
	}
}

// Insert is what the article says a trie is slower at. One op is a new table with n
// keys.
func BenchmarkInsert(b *testing.B) {
	for _, n := range []int{1000} {
		for _, v := range variants {
			b.Run(fmt.Sprintf("variant=%s/n=%d", v.name, n), func(b *testing.B) {
				for b.Loop() {
					fill(v.make(), n)
				}
			})
		}
	}
}
