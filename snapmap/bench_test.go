package snapmap_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/snapmap"
)

// A bench is a map from K to int, as its users would have it.
type bench[K comparable] interface {
	Load(K) (int, bool)
	Store(K, int)
	Range(func(K, int) bool)
}

type benchSnapmap[K comparable] struct{ snapmap.Map[K, int] }

func (m *benchSnapmap[K]) Range(f func(K, int) bool) { m.All()(f) }

type benchSyncMap[K comparable] struct{ m sync.Map }

func (m *benchSyncMap[K]) Load(k K) (int, bool) {
	v, ok := m.m.Load(k)
	if !ok {
		return 0, false
	}
	return v.(int), true
}
func (m *benchSyncMap[K]) Store(k K, v int) { m.m.Store(k, v) }
func (m *benchSyncMap[K]) Range(f func(K, int) bool) {
	m.m.Range(func(k, v any) bool { return f(k.(K), v.(int)) })
}

type benchMutex[K comparable] struct {
	mu sync.Mutex
	m  map[K]int
}

func (m *benchMutex[K]) Load(k K) (int, bool) {
	m.mu.Lock()
	v, ok := m.m[k]
	m.mu.Unlock()
	return v, ok
}
func (m *benchMutex[K]) Store(k K, v int) {
	m.mu.Lock()
	if m.m == nil {
		m.m = make(map[K]int)
	}
	m.m[k] = v
	m.mu.Unlock()
}
func (m *benchMutex[K]) Range(f func(K, int) bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for k, v := range m.m {
		if !f(k, v) {
			return
		}
	}
}

type benchRWMutex[K comparable] struct {
	mu sync.RWMutex
	m  map[K]int
}

func (m *benchRWMutex[K]) Load(k K) (int, bool) {
	m.mu.RLock()
	v, ok := m.m[k]
	m.mu.RUnlock()
	return v, ok
}
func (m *benchRWMutex[K]) Store(k K, v int) {
	m.mu.Lock()
	if m.m == nil {
		m.m = make(map[K]int)
	}
	m.m[k] = v
	m.mu.Unlock()
}
func (m *benchRWMutex[K]) Range(f func(K, int) bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for k, v := range m.m {
		if !f(k, v) {
			return
		}
	}
}

func variants[K comparable]() []struct {
	name string
	make func() bench[K]
} {
	return []struct {
		name string
		make func() bench[K]
	}{
		{"snapmap", func() bench[K] { return new(benchSnapmap[K]) }},
		{"syncmap", func() bench[K] { return new(benchSyncMap[K]) }},
		{"mutex", func() bench[K] { return new(benchMutex[K]) }},
		{"rwmutex", func() bench[K] { return new(benchRWMutex[K]) }},
	}
}

func ints(n int) []int {
	keys := make([]int, n)
	for i := range keys {
		keys[i] = rand.Int()
	}
	return keys
}

func strings16(n int) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf("key:%012x", rand.Uint64()>>16)
	}
	return keys
}

// BenchmarkMix is Loads and Stores of keys that are there, by as many goroutines as
// there are processors.
func BenchmarkMix(b *testing.B) {
	for _, n := range []int{100, 10_000, 1_000_000} {
		mixes(b, "int", ints(n))
		mixes(b, "string", strings16(n))
	}
}

func mixes[K comparable](b *testing.B, kind string, keys []K) {
	for _, reads := range []int{100, 99, 90, 50, 0} {
		for _, v := range variants[K]() {
			b.Run(fmt.Sprintf("variant=%s/key=%s/n=%d/reads=%d", v.name, kind, len(keys), reads), func(b *testing.B) {
				m := v.make()
				for i, k := range keys {
					m.Store(k, i)
				}
				runtime.GC()
				var id atomic.Uint64
				b.ResetTimer()
				b.RunParallel(func(pb *testing.PB) {
					r := rand.NewPCG(id.Add(1), 0)
					sum := 0
					for pb.Next() {
						x := r.Uint64()
						k := keys[uint64(uint32(x))*uint64(len(keys))>>32]
						if int(x>>32%100) < reads {
							v, _ := m.Load(k)
							sum += v
						} else {
							m.Store(k, sum)
						}
					}
				})
			})
		}
	}
}

// BenchmarkFill makes a map of n new keys.
func BenchmarkFill(b *testing.B) {
	for _, n := range []int{100, 10_000, 1_000_000} {
		keys := ints(n)
		for _, v := range variants[int]() {
			b.Run(fmt.Sprintf("variant=%s/n=%d", v.name, n), func(b *testing.B) {
				var m bench[int]
				for b.Loop() {
					m = v.make()
					for i, k := range keys {
						m.Store(k, i)
					}
				}
				b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(n), "ns/key")
				m = nil
				b.ReportMetric(float64(heapOf(func() any {
					m := v.make()
					for i, k := range keys {
						m.Store(k, i)
					}
					return m
				}))/float64(n), "B/key")
			})
		}
	}
}

// heapOf returns what f's result takes.
func heapOf(f func() any) uint64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	x := f()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(x)
	return after.HeapAlloc - before.HeapAlloc
}

// BenchmarkRange goes through all entries.
func BenchmarkRange(b *testing.B) {
	for _, n := range []int{100, 10_000, 1_000_000} {
		for _, v := range variants[int]() {
			b.Run(fmt.Sprintf("variant=%s/n=%d", v.name, n), func(b *testing.B) {
				m := v.make()
				for i, k := range ints(n) {
					m.Store(k, i)
				}
				sum := 0
				for b.Loop() {
					m.Range(func(_, v int) bool {
						sum += v
						return true
					})
				}
				b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(n), "ns/key")
			})
		}
	}
}

// BenchmarkSnapshot takes one, stores to one key, which copies what the view has, and
// to a hundred more.
func BenchmarkSnapshot(b *testing.B) {
	for _, n := range []int{100, 10_000, 1_000_000} {
		for _, shards := range []int{1, 16, 64} {
			b.Run(fmt.Sprintf("n=%d/shards=%d", n, shards), func(b *testing.B) {
				var m snapmap.Map[int, int]
				keys := ints(n)
				for i, k := range keys {
					m.Store(k, i)
				}
				for s := 1; s < shards; s *= 4 {
					snapmap.Grow(&m)
				}
				for _, k := range keys {
					m.Load(k)
				}
				var take, first, next time.Duration
				looks := lookPrice()
				i := 0
				key := func() int { i++; return keys[i*7919%n] }
				for b.Loop() {
					t0 := time.Now()
					v := m.Snapshot()
					t1 := time.Now()
					m.Store(key(), i)
					t2 := time.Now()
					for range 100 {
						m.Store(key(), i)
					}
					next += time.Since(t2)
					take += t1.Sub(t0) - looks
					first += t2.Sub(t1) - looks
					runtime.KeepAlive(v)
				}
				b.ReportMetric(float64(take)/float64(b.N), "ns/take")
				b.ReportMetric(float64(first)/float64(b.N), "ns/first")
				b.ReportMetric(float64(next)/float64(b.N)/100, "ns/next")
			})
		}
	}
}

// lookPrice returns what a look at the clock takes.
func lookPrice() time.Duration {
	from := time.Now()
	to := from
	for range 1000 {
		to = time.Now()
	}
	return to.Sub(from) / 1000
}

// BenchmarkWriters is the article's experiment: how often one goroutine can go through
// all entries of one moment, while a hundred others write.
func BenchmarkWriters(b *testing.B) {
	for _, n := range []int{100, 10_000, 1_000_000} {
		for _, views := range []bool{false, true} {
			b.Run(fmt.Sprintf("n=%d/views=%t", n, views), func(b *testing.B) {
				var m snapmap.Map[int, int]
				keys := ints(n)
				for i, k := range keys {
					m.Store(k, i)
				}
				var stop atomic.Bool
				var stores atomic.Int64
				var done sync.WaitGroup
				for w := range 100 {
					done.Go(func() {
						r := rand.NewPCG(uint64(w), 0)
						n := int64(0)
						for !stop.Load() {
							x := r.Uint64()
							m.Store(keys[uint64(uint32(x))*uint64(len(keys))>>32], int(x>>40))
							n++
						}
						stores.Add(n)
					})
				}
				var takes []time.Duration
				from := time.Now()
				for b.Loop() {
					if !views {
						time.Sleep(time.Millisecond)
						continue
					}
					t := time.Now()
					v := m.Snapshot()
					takes = append(takes, time.Since(t))
					sum := 0
					for _, x := range v.All() {
						sum += x
					}
				}
				took := time.Since(from)
				stop.Store(true)
				done.Wait()
				b.ReportMetric(float64(b.N)/took.Seconds(), "views/s")
				b.ReportMetric(float64(stores.Load())/took.Seconds()/1e6, "Mstores/s")
				if views {
					slices.Sort(takes)
					b.ReportMetric(float64(takes[len(takes)/2]), "ns-p50")
					b.ReportMetric(float64(takes[len(takes)*999/1000].Microseconds()), "µs-p999")
				}
			})
		}
	}
}

// BenchmarkDiff compares two views of n keys with changes between them.
func BenchmarkDiff(b *testing.B) {
	for _, n := range []int{10_000, 1_000_000} {
		for _, changes := range []int{1, 100} {
			b.Run(fmt.Sprintf("n=%d/changes=%d", n, changes), func(b *testing.B) {
				var m snapmap.Map[int, int]
				keys := ints(n)
				for i, k := range keys {
					m.Store(k, i)
				}
				before := m.Snapshot()
				for i := range changes {
					m.Store(keys[i], -1)
				}
				after := m.Snapshot()
				for b.Loop() {
					got := 0
					for range after.Diff(before) {
						got++
					}
					if got != changes {
						b.Fatalf("%d changes, want %d", got, changes)
					}
				}
			})
		}
	}
}

// BenchmarkCollect is a collection while there is a map of ints, flat or with entries,
// beside a built-in one.
func BenchmarkCollect(b *testing.B) {
	for _, n := range []int{100_000, 1_000_000, 10_000_000} {
		collect := func(name string, m any) {
			b.Run(fmt.Sprintf("map=%s/n=%d", name, n), func(b *testing.B) {
				for b.Loop() {
					runtime.GC()
				}
				runtime.KeepAlive(m)
			})
		}
		numbers := new(snapmap.Map[int, int])
		for i := range n {
			numbers.Store(i, i)
		}
		collect("flat", numbers)
		restore := snapmap.SetFlat(false)
		numbers = new(snapmap.Map[int, int])
		for i := range n {
			numbers.Store(i, i)
		}
		restore()
		collect("entries", numbers)
		numbers = nil
		builtin := map[int]int{}
		for i := range n {
			builtin[i] = i
		}
		collect("builtin", builtin)
	}
}
