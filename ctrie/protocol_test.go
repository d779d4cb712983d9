package ctrie_test

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/gopayoff/payoff/ctrie"
	"github.com/gopayoff/payoff/internal/stress"
)

// What is between the two steps of a write, and who decides.
func TestInterrupted(t *testing.T) {
	eachHash(t, func(t *testing.T) {
		begin := func() (*ctrie.Map[int, int], ctrie.Interrupted[int, int]) {
			m := new(ctrie.Map[int, int])
			for k := range 500 { // so that none is in the root's node
				m.Store(k, 0)
			}
			return m, ctrie.Interrupt(m, 7, 1)
		}
		load := func(what string, load func(int) (int, bool), want int) {
			t.Helper()
			if v, ok := load(7); v != want || !ok {
				t.Errorf("%s: Load = %d, %t, want %d, true", what, v, ok, want)
			}
		}

		m, w := begin()
		load("before it is committed", m.Load, 0)
		if !w.Undecided() {
			t.Error("a Load has decided, and no generation was over")
		}
		if !w.End() {
			t.Error("nobody was in the way, and the write is not committed")
		}
		load("committed", m.Load, 1)

		m, w = begin()
		if v, _ := m.Swap(7, 2); v != 1 || w.Undecided() || !w.End() {
			t.Errorf("a writer that comes by has not committed: Swap = %d", v)
		}

		// A snapshot ends the generation: who comes by decides that it is not to be.
		m, w = begin()
		v := m.Snapshot()
		load("live, after a snapshot", m.Load, 0)
		if w.Undecided() {
			t.Error("a Load after a snapshot leaves a write undecided: the view may have it later")
		}
		if w.EndLate() || w.End() {
			t.Error("committed after it was decided that it is not")
		}
		load("view", v.Load, 0)
		load("live", m.Load, 0)

		m, w = begin()
		v = m.Snapshot()
		load("view, first", v.Load, 0)
		if w.EndLate() || w.End() {
			t.Error("committed after a view was read")
		}
		load("view, again", v.Load, 0)

		m, w = begin()
		v = m.Snapshot()
		if w.End() {
			t.Error("committed though the root is another")
		}
		load("view", v.Load, 0)
		load("Map of the view", v.Map().Load, 0)

		// One who has read the root before may still commit, if nobody has decided:
		// then the view has it, too.
		m, w = begin()
		v = m.Snapshot()
		if !w.EndLate() {
			t.Error("nobody has decided, and it is too late")
		}
		load("view of a late one", v.Load, 1)
		load("live, late", m.Load, 1)
	})
}

// What a Delete leaves that is interrupted before it has removed a tomb: others find
// its entry, go on without it, and nothing is left over.
func TestTombs(t *testing.T) {
	eachHash(t, func(t *testing.T) {
		for _, snapshot := range []bool{false, true} {
			var m ctrie.Map[int, int]
			n := 0
			for n = range 2000 {
				m.Store(n, n)
			}
			buried := 0
			for k := range n {
				if ctrie.Bury(&m, k) {
					buried++
				}
			}
			if buried == 0 {
				t.Fatal("no tomb")
			}
			shape, err := ctrie.Check(&m)
			if err != nil || shape.Tombs == 0 {
				t.Fatalf("%d tombs, %v", shape.Tombs, err)
			}
			if snapshot {
				m.Snapshot()
			}
			left := 0
			for k := range n + 1 {
				v, ok := m.Load(k)
				if ok && v != k {
					t.Fatalf("Load(%d) = %d", k, v)
				}
				if ok {
					left++
				}
			}
			if left != m.Len() || left != shape.Entries {
				t.Fatalf("%d entries are found of %d; Len() = %d", left, shape.Entries, m.Len())
			}
			for k := range n + 1 {
				if k%3 == 0 {
					m.Store(k, k+1)
				}
			}
			for k := range n + 1 {
				m.Delete(k)
			}
			if shape, err := ctrie.Check(&m); err != nil || shape.Nodes != 1 || shape.Tombs != 0 {
				t.Errorf("empty: %+v, %v", shape, err)
			}
		}
	})
}

// Tombs in which nodes have nothing else.
func TestTombsInChains(t *testing.T) {
	defer ctrie.SetHash(0)()
	for _, snapshot := range []bool{false, true} {
		var m ctrie.Map[int, int]
		m.Store(1, 1)
		m.Store(2, 2)
		if !ctrie.Bury(&m, 1) {
			t.Fatal("no tomb")
		}
		if snapshot {
			m.Snapshot()
		}
		if v, ok := m.Load(1); v != 1 || !ok || m.Len() != 1 {
			t.Errorf("Load = %d, %t, Len() = %d", v, ok, m.Len())
		}
		if v, ok := m.LoadAndDelete(1); v != 1 || !ok {
			t.Errorf("LoadAndDelete = %d, %t", v, ok)
		}
		if shape, err := ctrie.Check(&m); err != nil || shape.Nodes != 1 {
			t.Errorf("empty: %+v, %v", shape, err)
		}
	}
}

// After a snapshot each I-node is renewed once, by the first write below it, and by no
// Load.
func TestRenewsOnce(t *testing.T) {
	var m ctrie.Map[int, int]
	for k := range 20_000 {
		m.Store(k, k)
	}
	v := m.Snapshot()
	all := ctrie.Shared(&m)
	for k := range 20_000 {
		m.Load(k)
	}
	if n := ctrie.Shared(&m); n != all {
		t.Errorf("%d I-nodes of the view, and %d after Loads", all, n)
	}
	if w := m.Snapshot(); w != v {
		t.Error("nothing was written, and there is another view")
	}
	for k := range 20_000 {
		m.Store(k, k)
	}
	if n := ctrie.Shared(&m); n != 0 {
		t.Errorf("%d I-nodes of the view after Stores to all keys", n)
	}
	if w := m.Snapshot(); w == v {
		t.Error("all was written, and the view is the same")
	}
}

// A write forgets what the map had at the snapshot before it.
func TestRootForgets(t *testing.T) {
	var m ctrie.Map[int, int]
	for k := range 1000 {
		m.Store(k, k)
		m.Snapshot()
		m.Store(k, k+1)
		if ctrie.Remembers(&m) {
			t.Fatal("the root keeps what it had at first")
		}
	}
}

// What was deleted after a snapshot is let go with the view.
func TestLetsGo(t *testing.T) {
	for _, others := range []int{0, 3, 100, 5000} {
		for _, fork := range []bool{false, true} {
			m := new(ctrie.Map[int, *[100]int])
			for k := range others {
				m.Store(k, nil)
			}
			gone := make(chan struct{})
			p := new([100]int)
			runtime.AddCleanup(p, func(c chan struct{}) { close(c) }, gone)
			m.Store(-1, p)
			p = nil
			v := m.Snapshot()
			if fork {
				m = v.Map()
			}
			v = ctrie.View[int, *[100]int]{}
			m.Delete(-1)
			stress.Within(t, time.Minute, "what a map had before a snapshot is let go", func() {
				for {
					runtime.GC()
					select {
					case <-gone:
						return
					default:
						runtime.Gosched()
					}
				}
			})
			runtime.KeepAlive(m)
		}
	}
}

// A view does not have what is stored after it, at once.
func TestViewOfAStore(t *testing.T) {
	var m ctrie.Map[int, int]
	for i := range 1000 {
		m.Store(1, i)
		v := m.Snapshot()
		m.Store(1, -1)
		if x, _ := v.Load(1); x != i {
			t.Fatalf("the view has %d, want %d", x, i)
		}
	}
}

// A Snapshot of a map that all others write to all the time ends nevertheless, and
// each has what was written before it.
func TestSnapshotsDoNotStarve(t *testing.T) {
	stress.Procs(t, func(t *testing.T) {
		var m ctrie.Map[int, int]
		var done sync.WaitGroup
		quit := make(chan struct{})
		for w := range 8 {
			done.Go(func() {
				for n := 0; ; n++ {
					m.Store(w, n)
					select {
					case <-quit:
						return
					default:
					}
				}
			})
		}
		for i := range rounds(200) {
			m.Store(100, i)
			if x, _ := m.Snapshot().Load(100); x != i {
				t.Errorf("the view has %d, want %d", x, i)
			}
		}
		close(quit)
		done.Wait()
	})
}

// Writes go on while others take one snapshot after the other: none ends a generation
// in which nothing was written.
func TestWritersDoNotStarve(t *testing.T) {
	stress.Procs(t, func(t *testing.T) {
		var m ctrie.Map[int, int]
		for k := range 100 {
			m.Store(k, k)
		}
		var done sync.WaitGroup
		quit := make(chan struct{})
		for range 4 {
			done.Go(func() {
				for {
					m.Snapshot()
					select {
					case <-quit:
						return
					default:
					}
				}
			})
		}
		rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
		for range rounds(2000) {
			k := rnd.IntN(100)
			if rnd.IntN(2) == 0 {
				m.Delete(k)
			} else {
				m.Store(k, k)
			}
		}
		close(quit)
		done.Wait()
	})
}

// The bugs of others, by name.

// TestLost: a write that finds its node replaced by another's is tried again. In
// Workiva's Ctrie a Remove whose GCAS fails in a list of collisions says that it is
// done; in tylertreat's topic tree a contraction is put in the place of a node read
// anew, with what others have added to it.
func TestLost(t *testing.T) {
	stress.Procs(t, func(t *testing.T) {
		eachHash(t, func(t *testing.T) {
			const writers, keys = 4, 16
			for range rounds(20) {
				var m ctrie.Map[int, int]
				var done sync.WaitGroup
				for w := range writers {
					for k := range keys {
						m.Store(w*keys+k, 1)
					}
				}
				for w := range writers {
					done.Go(func() {
						for k := range keys {
							key := w*keys + k
							if w%2 == 0 {
								if _, ok := m.LoadAndDelete(key); !ok {
									t.Errorf("key %d was there, and is not removed", key)
								}
							} else {
								m.Store(key+1000, 1)
							}
						}
					})
				}
				done.Wait()
				for w := range writers {
					for k := range keys {
						key := w*keys + k
						_, there := m.Load(key)
						_, new := m.Load(key + 1000)
						if there != (w%2 == 1) || new != (w%2 == 1) {
							t.Fatalf("key %d: there %t, the new one %t", key, there, new)
						}
					}
				}
				if _, err := ctrie.Check(&m); err != nil {
					t.Fatal(err)
				}
			}
		})
	})
}

// TestZeroSizeTokens is the article's bug in a copy of the root alone: where tokens
// have no size, all may have one address, and a write to what a view has is taken for
// one of this generation.
func TestZeroSizeTokens(t *testing.T) {
	if !viewStays[struct{ _ byte }]() {
		t.Error("a view changes, and tokens have a size")
	}
	if viewStays[struct{}]() {
		t.Skip("tokens without size have addresses of their own here: the language lets them")
	}
}

// A tokenRoot is the root of a map of one key, and I-node at the same time.
type tokenRoot[T any] struct {
	gen  *T
	main *int
}

// viewStays reports whether a view stays what it was after a write.
func viewStays[T any]() bool {
	first := 1
	root := &tokenRoot[T]{new(T), &first}
	late := root // a writer that has found its I-node before the snapshot

	view := root
	root = &tokenRoot[T]{new(T), root.main} // a snapshot
	tokens = append(tokens, root.gen)       // both are in the heap

	if late.gen == root.gen { // as gcas
		second := 2
		late.main = &second
	}
	return *view.main == 1
}

var tokens []any
