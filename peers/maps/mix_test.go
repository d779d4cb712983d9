package maps

import (
	"cmp"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// A bench measures all variants under a load. Keys are made when they are first asked
// for: a process measures one benchmark, and goes by all.
type bench[K cmp.Ordered, V any] struct {
	name string // follows variant=NAME
	n    int
	load func() *load[K, V]
}

func newBench[K cmp.Ordered, V any](keys, values string, n int, key func(uint64) K, value func(uint64) V) bench[K, V] {
	return bench[K, V]{
		name: fmt.Sprintf("/key=%s/value=%s/n=%d", keys, values, n),
		n:    n,
		load: sync.OnceValue(func() *load[K, V] { return newLoad(n, key, value) }),
	}
}

// run makes a sub-benchmark for each variant. Those that f makes of one variant share
// a table that is filled.
func (x bench[K, V]) run(b *testing.B, f func(b *testing.B, name string, v variant[K, V], filled func() table[K, V])) {
	for _, v := range variants[K, V]() {
		f(b, "variant="+v.name+x.name, v, sync.OnceValue(func() table[K, V] { return v.filled(x.load()) }))
	}
}

// mix measures reads among a hundred operations, by as many goroutines as there are
// processors. One op is 100 operations.
func (x bench[K, V]) mix(b *testing.B, reads ...uint64) {
	x.run(b, func(b *testing.B, name string, v variant[K, V], filled func() table[K, V]) {
		for _, reads := range reads {
			b.Run(fmt.Sprintf("%s/reads=%d", name, reads), func(b *testing.B) {
				m := filled()
				var id atomic.Uint64
				b.ResetTimer()
				b.RunParallel(func(pb *testing.PB) {
					w := newWorker(x.load(), id.Add(1))
					for pb.Next() {
						m.mix(w, reads)
					}
					runtime.KeepAlive(w)
				})
			})
		}
	})
}

var sizes = []int{100, 10_000, 1_000_000}

func BenchmarkMix(b *testing.B) {
	for _, n := range sizes {
		newBench("int", "int", n, intOf, intOf).mix(b, 100, 99, 90, 50, 0)
		newBench("string", "int", n, stringOf, intOf).mix(b, 100, 90, 0)
	}
	newBench("int", "pointer", 10_000, intOf, wordOf).mix(b, 0)
	newBench("int", "struct", 10_000, intOf, fourOf).mix(b, 50, 0)
}

// fill makes a new table and stores all keys. One op is a table.
func (x bench[K, V]) fill(b *testing.B) {
	x.run(b, func(b *testing.B, name string, v variant[K, V], _ func() table[K, V]) {
		b.Run(name, func(b *testing.B) {
			l := x.load()
			v.make(l) // prepares the load
			runtime.GC()
			for b.Loop() {
				m := v.make(l)
				for i := range x.n {
					m.store(i)
				}
			}
		})
	})
}

func BenchmarkFill(b *testing.B) {
	for _, n := range sizes {
		newBench("int", "int", n, intOf, intOf).fill(b)
		newBench("string", "int", n, stringOf, intOf).fill(b)
	}
}

// loop goes through all entries. One op is a table.
func (x bench[K, V]) loop(b *testing.B) {
	x.run(b, func(b *testing.B, name string, v variant[K, V], filled func() table[K, V]) {
		b.Run(name, func(b *testing.B) {
			m := filled()
			for b.Loop() {
				if n, _ := count(view[K, V](m)); n != x.n {
					b.Fatalf("%d entries, want %d", n, x.n)
				}
			}
		})
	})
}

// count goes through all entries, and returns how many there are and one value.
func count[K cmp.Ordered, V any](v view[K, V]) (n int, last V) {
	v.each(func(_ K, v V) bool {
		n++
		last = v
		return true
	})
	return n, last
}

func BenchmarkRange(b *testing.B) {
	for _, n := range sizes {
		newBench("int", "int", n, intOf, intOf).loop(b)
		newBench("string", "int", n, stringOf, intOf).loop(b)
	}
}

// memory says what an entry takes in a table, without what its key refers to.
func (x bench[K, V]) memory(b *testing.B) {
	x.run(b, func(b *testing.B, name string, v variant[K, V], _ func() table[K, V]) {
		b.Run(name, func(b *testing.B) {
			l := x.load()
			v.make(l)
			for b.Loop() {
				before := heap()
				m := v.make(l)
				for i := range x.n {
					m.store(i)
				}
				b.ReportMetric((heap()-before)/float64(x.n), "B/entry")
				runtime.KeepAlive(m)
			}
		})
	})
}

// heap returns how many bytes are in use.
func heap() float64 {
	var s runtime.MemStats
	runtime.GC()
	runtime.GC() // what the first one made free by finalizers and pools
	runtime.ReadMemStats(&s)
	return float64(s.HeapAlloc)
}

func BenchmarkMemory(b *testing.B) {
	for _, n := range sizes {
		newBench("int", "int", n, intOf, intOf).memory(b)
		newBench("string", "int", n, stringOf, intOf).memory(b)
	}
	newBench("int", "struct", 10_000, intOf, fourOf).memory(b)
}
