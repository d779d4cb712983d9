package snapmap_test

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/snapmap"
)

// Bugs that other maps had or have, as tests of this one.

// Remove, of keys whose hashes collide, says that there is nothing to remove if
// another goroutine changed their list meanwhile: Workiva/go-datastructures,
// trie/ctrie, iremove returns true, nil where its GCAS has failed.
func TestRemoveUnderCollisionsDoesNothing(t *testing.T) {
	stress.Procs(t, func(t *testing.T) {
		eachHash(t, func(t *testing.T) {
			var m snapmap.Map[int, int]
			var done sync.WaitGroup
			for g := range 4 {
				done.Go(func() {
					for i := range rounds(400) {
						k := 4*(i%5) + g // nobody else's
						m.Store(k, i)
						if v, ok := m.LoadAndDelete(k); !ok || v != i {
							t.Errorf("LoadAndDelete(%d) = %d, %t, want %d", k, v, ok, i)
							return
						}
						if v, ok := m.Load(k); ok {
							t.Errorf("%d is deleted, and Load has %d", k, v)
							return
						}
						if i%32 == 0 {
							runtime.Gosched()
						}
					}
				})
			}
			done.Wait()
			if n := m.Len(); n != 0 {
				t.Errorf("Len() = %d, want 0", n)
			}
		})
	})
}

// While a map grows and shrinks, entries that nobody touches are lost, or found with
// an old value, or not found by the goroutine that has just stored them, or are back
// after they were deleted: alphadose/haxmap#23 and #32, cornelk/hashmap (it silently
// fails to store: ssvlabs/ssv#1683), klauspost's fork of xsync#109, and in
// zhangyunhao116/skipmap a Store of a key whose node is not yet linked, and then a
// Load by the same goroutine.
func TestResizeLosesKeys(t *testing.T) {
	stress.Procs(t, func(t *testing.T) {
		eachHash(t, func(t *testing.T) {
			const cold = 100
			keys := 1000
			if name := t.Name()[len(t.Name())-4:]; name != "real" && name != "flat" {
				keys = 150 // they collide
			}
			var m snapmap.Map[int, int]
			for i := range cold {
				m.Store(-1-i, i)
			}
			var stop atomic.Bool
			var readers, writers sync.WaitGroup
			readers.Go(func() {
				for n := 0; !stop.Load(); n++ {
					if v, ok := m.Load(-1 - n%cold); !ok || v != n%cold {
						t.Errorf("nobody touches %d, and Load has %d, %t", -1-n%cold, v, ok)
						return
					}
					if n%64 == 0 {
						runtime.Gosched()
					}
				}
			})
			for g := range 3 {
				writers.Go(func() {
					for round := range rounds(2) {
						for i := range keys {
							k := 3*i + g
							m.Store(k, round)
							if v, ok := m.Load(k); !ok || v != round {
								t.Errorf("after Store(%d, %d) Load has %d, %t", k, round, v, ok)
								return
							}
						}
						for i := range keys {
							k := 3*i + g
							if i%2 == 0 {
								m.Delete(k)
							} else if v, ok := m.LoadAndDelete(k); !ok || v != round {
								t.Errorf("LoadAndDelete(%d) = %d, %t, want %d", k, v, ok, round)
								return
							}
							if v, ok := m.Load(k); ok {
								t.Errorf("%d is deleted, and Load has %d", k, v)
								return
							}
						}
					}
				})
			}
			writers.Wait()
			stop.Store(true)
			readers.Wait()
			if n := m.Len(); n != cold {
				t.Errorf("Len() = %d, want %d", n, cold)
			}
			if err := snapmap.Check(&m); err != nil {
				t.Error(err)
			}
		})
	})
}

// A loop over all entries has one twice, or passes over one that was there all the
// time: twice where hashes collide (Workiva/go-datastructures#194), or where a key
// goes and comes back during the loop; not at all beside those that were deleted
// (projectcalico/typha#28).
func TestRangeHasDuplicates(t *testing.T) {
	stress.Procs(t, func(t *testing.T) {
		eachHash(t, func(t *testing.T) {
			const cold, hot = 60, 20
			seed := stress.Seed(t)
			var m snapmap.Map[int, int]
			for i := range cold {
				m.Store(-1-i, i)
			}
			var stop atomic.Bool
			var done sync.WaitGroup
			for g := range 2 {
				rnd := rand.New(rand.NewPCG(seed, uint64(g)))
				done.Go(func() {
					for n := 0; !stop.Load(); n++ {
						k := 2*rnd.IntN(hot) + g
						m.Delete(k)
						m.Store(k, n)
						if n%16 == 0 {
							runtime.Gosched()
						}
					}
				})
			}
			for range rounds(30) {
				seen := map[int]bool{}
				old := 0
				for k := range m.All() {
					if seen[k] {
						t.Errorf("a loop has %d twice", k)
					}
					seen[k] = true
					if k < 0 {
						old++
					}
				}
				if old != cold {
					t.Errorf("a loop has %d of %d entries that nobody touches", old, cold)
				}
			}
			stop.Store(true)
			done.Wait()
		})
	})
}

// A snapshot that nobody may write to changes all the same, when the map it was taken
// of does, or a snapshot of the snapshot (projectcalico/typha#68,
// Workiva/go-datastructures#180 to #182).
func TestSnapshotChanges(t *testing.T) {
	eachHash(t, func(t *testing.T) {
		var m snapmap.Map[int, int]
		want := map[int]int{}
		for i := range 200 {
			m.Store(i, i)
			want[i] = i
		}
		v := m.Snapshot()
		forks := []*snapmap.Map[int, int]{&m, v.Map(), v.Map().Snapshot().Map()}
		for n, f := range forks {
			for i := range 200 {
				switch i % 3 {
				case 0:
					f.Delete(i)
				case 1:
					f.Store(i, -n)
				}
				f.Store(1000+i, n)
			}
			f.Snapshot()
		}
		equal(t, "the snapshot", v, want)
		for n, f := range forks {
			if x, ok := f.Load(1); !ok || x != -n {
				t.Errorf("fork %d: Load(1) = %d, %t, want %d", n, x, ok, -n)
			}
		}
	})
}

// The body of a loop over a map cannot use that map: it deadlocks
// (orcaman/concurrent-map#42, #51).
func TestLoopBodyDeadlocks(t *testing.T) {
	eachHash(t, func(t *testing.T) {
		var m snapmap.Map[int, int]
		for i := range 100 {
			m.Store(i, i)
		}
		n := 0
		for k, v := range m.All() {
			m.Delete(k)
			m.Store(k+1000, v)
			for range m.Snapshot().All() {
				break
			}
			n++
		}
		if n != 100 || m.Len() != 100 {
			t.Errorf("a loop of %d, and Len() = %d, want 100", n, m.Len())
		}
	})
}

// Deleting what was once seen to be unwanted deletes a new value that is wanted
// (scala/bug#12443); and a swap of an equal value is not one step (golang/go#70970).
func TestDeletesWhatIsNew(t *testing.T) {
	stress.Procs(t, func(t *testing.T) {
		eachHash(t, func(t *testing.T) {
			const keys = 20
			var m snapmap.Map[int, int]
			var done sync.WaitGroup
			var stop atomic.Bool
			done.Go(func() { // odd values go
				for !stop.Load() {
					for k, v := range m.All() {
						if v%2 == 1 {
							m.CompareAndDelete(k, v)
						}
					}
					runtime.Gosched()
				}
			})
			for n := range rounds(100) {
				for k := range keys {
					m.Store(k, 2*n+1)
					m.Store(k, 2*n+2)
				}
				for k := range keys {
					if v, ok := m.Load(k); !ok || v != 2*n+2 {
						t.Fatalf("Load(%d) = %d, %t, want %d", k, v, ok, 2*n+2)
					}
				}
			}
			stop.Store(true)
			done.Wait()
		})
	})
}
