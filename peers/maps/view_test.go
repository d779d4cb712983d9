package maps

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// views makes a sub-benchmark for each variant of which one can take a view.
func (x bench[K, V]) views(b *testing.B, f func(b *testing.B, m taker[K, V])) {
	x.run(b, func(b *testing.B, name string, v variant[K, V], filled func() table[K, V]) {
		if _, ok := v.make(new(load[K, V])).(taker[K, V]); ok {
			b.Run(name, func(b *testing.B) { f(b, filled().(taker[K, V])) })
		}
	})
}

// A spell is how long something took, several times.
type spell []time.Duration

func (s spell) report(b *testing.B, part float64, unit string) {
	if len(s) > 0 {
		slices.Sort(s)
		b.ReportMetric(float64(s[min(len(s)-1, int(part*float64(len(s))))]), unit)
	}
}

// clockPrice returns what a look at the clock takes: the least of some means, since
// whatever disturbs one of them makes it longer.
func clockPrice() time.Duration {
	least := time.Hour
	for range 50 {
		from := time.Now()
		to := from
		for range 100 {
			to = time.Now()
		}
		least = min(least, to.Sub(from)/100)
	}
	return least
}

// take measures what a view costs when it is taken, in the first store after it and
// in the hundred after that: medians over all ops.
func (x bench[K, V]) take(b *testing.B) {
	x.views(b, func(b *testing.B, m taker[K, V]) {
		var take, first, next spell
		look := clockPrice()
		i := 0
		store := func() {
			i++
			m.store(i * 7919 % x.n)
		}
		for b.Loop() {
			t0 := time.Now()
			v := m.take()
			t1 := time.Now()
			store()
			t2 := time.Now()
			for range 100 {
				store()
			}
			t3 := time.Now()
			runtime.KeepAlive(v)
			take = append(take, t1.Sub(t0)-look)
			first = append(first, t2.Sub(t1)-look)
			next = append(next, (t3.Sub(t2)-look)/100)
		}
		take.report(b, 0.5, "take-ns")
		first.report(b, 0.5, "first-ns")
		next.report(b, 0.5, "next-ns")
	})
}

func BenchmarkTake(b *testing.B) {
	for _, n := range sizes {
		newBench("int", "int", n, intOf, intOf).take(b)
	}
}

// Between two spells in which a hundred goroutines do nothing but store, one takes
// views meanwhile and goes through each of them.
const (
	writers = 100
	alone   = 200 * time.Millisecond
	viewed  = 500 * time.Millisecond
)

// article is the experiment of the article. One op is all three spells.
func (x bench[K, V]) article(b *testing.B) {
	x.views(b, func(b *testing.B, m taker[K, V]) {
		l := x.load()
		for b.Loop() {
			var stop atomic.Bool
			var done sync.WaitGroup
			stores := make([]struct {
				n atomic.Int64
				_ [120]byte
			}, writers)
			for i := range writers {
				done.Go(func() {
					w := newWorker(l, uint64(i))
					for !stop.Load() {
						m.mix(w, 0)
						stores[i].n.Add(ops)
					}
				})
			}
			// during returns how many stores there were in a second while f ran.
			during := func(f func()) float64 {
				sum := func() (n int64) {
					for i := range stores {
						n += stores[i].n.Load()
					}
					return n
				}
				from, before := time.Now(), sum()
				f()
				return float64(sum()-before) / time.Since(from).Seconds()
			}
			var takes spell
			var perSecond float64
			sleep := func() { time.Sleep(alone) }
			without := during(sleep)
			with := during(func() {
				from := time.Now()
				for time.Since(from) < viewed {
					t := time.Now()
					v := m.take()
					takes = append(takes, time.Since(t))
					if n, _ := count(v); n != x.n {
						b.Errorf("a view of %d entries, want %d", n, x.n)
					}
				}
				perSecond = float64(len(takes)) / time.Since(from).Seconds()
			})
			without = (without + during(sleep)) / 2
			stop.Store(true)
			done.Wait()
			b.ReportMetric(perSecond, "views/s")
			b.ReportMetric(with/1e6, "Mstores/s")
			b.ReportMetric(without/1e6, "alone-Mstores/s")
			b.ReportMetric(with/without, "kept")
			takes.report(b, 0.5, "take-p50-ns")
			takes.report(b, 0.999, "take-p99.9-ns")
			takes.report(b, 1, "take-max-ns")
		}
	})
}

func BenchmarkArticle(b *testing.B) {
	for _, n := range sizes {
		newBench("int", "int", n, intOf, intOf).article(b)
	}
}

// hundred is what the article's own benchmark measures: a hundred goroutines take a
// view each, while nobody writes. One op is all hundred.
func (x bench[K, V]) hundred(b *testing.B) {
	x.views(b, func(b *testing.B, m taker[K, V]) {
		for b.Loop() {
			m.store(0) // or there would be a view already
			var done sync.WaitGroup
			for range 100 {
				done.Go(func() { runtime.KeepAlive(m.take()) })
			}
			done.Wait()
		}
	})
}

func BenchmarkHundred(b *testing.B) {
	for _, n := range sizes[:2] {
		newBench("int", "int", n, intOf, intOf).hundred(b)
	}
}

// changes returns how many keys are not in one view as they are in another.
func changes(newer, older view[int, int]) (n int) {
	switch newer := newer.(type) {
	case snapView[int, int]:
		for range newer.v.Diff(older.(snapView[int, int]).v) {
			n++
		}
	case clone[int, int]:
		// Nobody deletes here, so that one loop is enough.
		older := older.(clone[int, int])
		for k, v := range newer {
			if was, ok := older[k]; !ok || was != v {
				n++
			}
		}
	}
	return n
}

// differ returns two views of a table, between which some keys are stored to.
func differ(m taker[int, int], l *load[int, int], stored int) (older, newer view[int, int]) {
	for i := range l.stored {
		m.store(i)
	}
	older = m.take()
	for i := range l.values {
		l.values[i]++
	}
	for i := range stored {
		m.store(i)
	}
	return older, m.take()
}

// Between two views of 1,000,000 keys, 100 are stored to. One op is all changes.
func BenchmarkDiff(b *testing.B) {
	const stored = 100
	x := newBench("int", "int", 1_000_000, intOf, intOf)
	x.views(b, func(b *testing.B, m taker[int, int]) {
		older, newer := differ(m, x.load(), stored)
		if changes(newer, older) == 0 {
			b.Skip("does not tell changes")
		}
		for b.Loop() {
			if got := changes(newer, older); got != stored {
				b.Fatalf("%d changes, want %d", got, stored)
			}
		}
	})
}

func TestDiff(t *testing.T) {
	l := newLoad(1000, intOf, intOf)
	for _, v := range variants[int, int]() {
		if m, ok := v.make(l).(taker[int, int]); ok {
			older, newer := differ(m, l, 10)
			tells := slices.Contains([]string{"mutex", "rwmutex", "snapmap"}, v.name)
			if got := changes(newer, older); got != 10 && tells || got != 0 && !tells {
				t.Errorf("%s: %d changes, want 10, or 0 of those that do not tell", v.name, got)
			}
		}
	}
}
