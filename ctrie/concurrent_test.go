package ctrie_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gopayoff/payoff/ctrie"
	"github.com/gopayoff/payoff/internal/stress"
)

// rounds is how often a test of several goroutines does its work.
func rounds(n int) int {
	if stress.Long() {
		return 20 * n
	}
	return n
}

// A view has what the map had at one moment: writers count up pairs of keys, the
// first before the second.
func TestViewIsOneMoment(t *testing.T) {
	stress.Procs(t, func(t *testing.T) {
		eachHash(t, func(t *testing.T) {
			const writers, pairs = 4, 20
			var m ctrie.Map[int, int]
			var done sync.WaitGroup
			var left atomic.Int32
			left.Store(writers)
			for w := range writers {
				done.Go(func() {
					defer left.Add(-1)
					for n := 1; n <= rounds(30); n++ {
						for p := range pairs {
							k := 2 * (w*pairs + p)
							m.Store(k, n)
							m.Store(k+1, n)
						}
						if n%8 == 0 {
							runtime.Gosched()
						}
					}
				})
			}
			last := map[int]int{}
			for left.Load() > 0 {
				v := m.Snapshot()
				entries := maps.Collect(v.All())
				if len(entries) != v.Len() {
					t.Fatalf("All has %d entries, Len() = %d", len(entries), v.Len())
				}
				ahead := 0
				for w := range writers {
					for p := range pairs {
						k := 2 * (w*pairs + p)
						a, b := entries[k], entries[k+1]
						if a-b != 0 && a-b != 1 {
							t.Fatalf("the first of a pair is at %d, the second at %d", a, b)
						}
						ahead += a - b
						if a < last[k] || b < last[k+1] {
							t.Fatalf("a value goes back")
						}
					}
					if ahead > w+1 {
						t.Fatal("a writer is between two pairs at once")
					}
				}
				last = entries
				runtime.Gosched()
			}
			done.Wait()
			if _, err := ctrie.Check(&m); err != nil {
				t.Fatal(err)
			}
		})
	})
}

// Views stay what they were while everything happens to the map.
func TestViewsAreFrozen(t *testing.T) {
	stress.Procs(t, func(t *testing.T) {
		eachHash(t, func(t *testing.T) {
			seed := stress.Seed(t)
			var m ctrie.Map[int, int]
			var done sync.WaitGroup
			var stop atomic.Bool
			for w := range 3 {
				rnd := rand.New(rand.NewPCG(seed, uint64(w)))
				done.Go(func() {
					for n := 0; !stop.Load(); n++ {
						act(&m, rnd, 200)
						if n%64 == 0 {
							runtime.Gosched()
						}
					}
				})
			}
			type kept struct {
				view ctrie.View[int, int]
				has  map[int]int
			}
			var views []kept
			for range rounds(12) {
				v := m.Snapshot()
				views = append(views, kept{v, maps.Collect(v.All())})
				runtime.Gosched()
			}
			stop.Store(true)
			done.Wait()
			for _, k := range views {
				equal(t, "a view", k.view, k.has)
				if _, err := ctrie.CheckView(k.view); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := ctrie.Check(&m); err != nil {
				t.Fatal(err)
			}
		})
	})
}

// act does something to the map.
func act(m *ctrie.Map[int, int], rnd *rand.Rand, keys int) {
	k, v := rnd.IntN(keys), rnd.IntN(1000)
	switch rnd.IntN(12) {
	case 0, 1, 2:
		m.Store(k, v)
	case 3:
		m.Swap(k, v)
	case 4:
		m.LoadOrStore(k, v)
	case 5, 6:
		m.Delete(k)
	case 7:
		m.LoadAndDelete(k)
	case 8:
		m.Compute(k, func(old int, ok bool) (int, bool) { return old + 1, old%2 == 0 })
	case 9:
		m.CompareAndSwap(k, v, v+1)
	case 10:
		m.Load(k)
	case 11:
		switch rnd.IntN(200) {
		case 0:
			m.Clear()
		case 1:
			m.Len()
		case 2:
			m.Snapshot().Map().Store(k, v)
		}
	}
}

// Adders of all kinds lose nothing.
func TestAdds(t *testing.T) {
	type boxed struct{ n, twice int }
	stress.Procs(t, func(t *testing.T) {
		eachHash(t, func(t *testing.T) {
			const adders, keys = 4, 7
			var words ctrie.Map[int, int]
			var boxes ctrie.Map[string, boxed]
			var first [keys]atomic.Int32
			var done sync.WaitGroup
			n := rounds(150)
			for a := range adders {
				done.Go(func() {
					for i := range n {
						k := i % keys
						if _, there := words.LoadOrStore(-1-k, a); !there {
							first[k].Add(1)
						}
						if i%2 == 0 {
							words.Compute(k, func(old int, _ bool) (int, bool) { return old + 1, true })
						} else {
							words.LoadOrStore(k, 0)
							for old, _ := words.Load(k); !words.CompareAndSwap(k, old, old+1); old, _ = words.Load(k) {
							}
						}
						boxes.Compute(fmt.Sprint(k), func(old boxed, _ bool) (boxed, bool) { return boxed{old.n + 1, old.twice + 2}, true })
						if i%50 == 0 {
							words.Snapshot()
							boxes.Snapshot()
							runtime.Gosched()
						}
					}
				})
			}
			done.Wait()
			sum, boxSum := 0, 0
			for k := range keys {
				v, _ := words.Load(k)
				b, _ := boxes.Load(fmt.Sprint(k))
				sum += v
				boxSum += b.n
				if b.twice != 2*b.n {
					t.Errorf("a value of two words is of two: %v", b)
				}
				if f := first[k].Load(); f != 1 {
					t.Errorf("LoadOrStore has stored %d times", f)
				}
			}
			if sum != adders*n || boxSum != adders*n {
				t.Errorf("%d and %d, want %d", sum, boxSum, adders*n)
			}
		})
	})
}

// What is taken out is taken out once, and readers find what stays.
func TestTakes(t *testing.T) {
	stress.Procs(t, func(t *testing.T) {
		eachHash(t, func(t *testing.T) {
			const keys, stay = 300, 40
			var m ctrie.Map[int, int]
			for i := range stay {
				m.Store(-1-i, i)
			}
			var taken [keys]atomic.Int32
			var done, readers sync.WaitGroup
			var stop atomic.Bool
			readers.Go(func() {
				for n := 0; !stop.Load(); n++ {
					if v, ok := m.Load(-1 - n%stay); !ok || v != n%stay {
						t.Errorf("Load(%d) = %d, %t", -1-n%stay, v, ok)
						return
					}
					if n%64 == 0 {
						runtime.Gosched()
					}
				}
			})
			for range rounds(2) {
				for i := range keys {
					m.Store(i, i)
					taken[i].Store(0)
				}
				for a := range 3 {
					done.Go(func() {
						for i := range keys {
							if a == 0 {
								i = keys - 1 - i
							}
							if v, ok := m.LoadAndDelete(i); ok {
								if v != i {
									t.Errorf("LoadAndDelete(%d) = %d", i, v)
								}
								taken[i].Add(1)
							}
						}
					})
				}
				done.Wait()
				for i := range taken {
					if n := taken[i].Load(); n != 1 {
						t.Fatalf("%d was taken %d times", i, n)
					}
				}
			}
			stop.Store(true)
			readers.Wait()
			if m.Len() != stay {
				t.Errorf("Len() = %d, want %d", m.Len(), stay)
			}
			if _, err := ctrie.Check(&m); err != nil {
				t.Fatal(err)
			}
		})
	})
}
