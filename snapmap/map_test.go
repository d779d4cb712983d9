package snapmap_test

import (
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/snapmap"
)

// hashes are the hash as it is, with flat pages for numbers and with entries for all, one
// for all keys, and few different ones: by the top bits, which choose pages, and by the
// lowest that count, which choose buckets.
var hashes = []struct {
	name string
	mask uint64
	flat bool
}{
	{"flat", ^uint64(0), true},
	{"real", ^uint64(0), false},
	{"constant", 0, false},
	{"top", 0xf << 60, false},
	{"low", 0xf << 20, false},
}

// eachHash runs f as a subtest with each of them.
func eachHash(t *testing.T, f func(t *testing.T)) {
	for _, h := range hashes {
		t.Run("hash="+h.name, func(t *testing.T) {
			defer snapmap.SetHash(h.mask)()
			defer snapmap.SetFlat(h.flat)()
			f(t)
		})
	}
}

type frozenPair struct {
	view snapmap.View[int, int]
	has  map[int]int
}

func equal(t *testing.T, what string, v snapmap.View[int, int], want map[int]int) {
	t.Helper()
	if v.Len() != len(want) {
		t.Fatalf("%s: Len() = %d, want %d", what, v.Len(), len(want))
	}
	n := 0
	for k, x := range v.All() {
		if y, ok := want[k]; !ok || x != y {
			t.Fatalf("%s: All has %d: %d, want %d, %t", what, k, x, y, ok)
		}
		n++
	}
	if n != len(want) {
		t.Fatalf("%s: All has %d entries, want %d", what, n, len(want))
	}
	for k, y := range want {
		if x, ok := v.Load(k); !ok || x != y {
			t.Fatalf("%s: Load(%d) = %d, %t, want %d, true", what, k, x, ok, y)
		}
	}
}

func differ(t *testing.T, a, b frozenPair) {
	t.Helper()
	got := maps.Clone(a.has)
	seen := map[int]bool{}
	for c := range b.view.Diff(a.view) {
		if seen[c.Key] {
			t.Fatalf("Diff has %d twice", c.Key)
		}
		seen[c.Key] = true
		old, was := a.has[c.Key]
		now, is := b.has[c.Key]
		if c.Old != old || c.New != now || (c.Kind != snapmap.Added) != was || (c.Kind != snapmap.Removed) != is {
			t.Fatalf("Diff has %+v, want %d, %t → %d, %t", c, old, was, now, is)
		}
		if is {
			got[c.Key] = now
		} else {
			delete(got, c.Key)
		}
	}
	if len(got) != len(b.has) {
		t.Fatalf("Diff leads to %d keys, want %d", len(got), len(b.has))
	}
	for k, v := range b.has {
		if got[k] != v {
			t.Fatalf("Diff leads to %d: %d, want %d", k, got[k], v)
		}
	}
}

// A Map does what a map does, with snapshots of snapshots.
func TestAgainstMap(t *testing.T) {
	eachHash(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
		for _, keys := range []int{3, 100, 400, 1100} {
			if keys > 1000 && !strings.HasSuffix(t.Name(), "real") && !strings.HasSuffix(t.Name(), "flat") {
				continue // as many as there are nodes below nodes
			}
			m := new(snapmap.Map[int, int])
			want := map[int]int{}
			var views []frozenPair
			for k := 0; keys > 1000 && k < keys; k++ {
				m.Store(k, k)
				want[k] = k
			}
			for step := range 6000 {
				k, v := rnd.IntN(keys), rnd.IntN(1000)
				old, was := want[k]
				mostly := rnd.IntN(4) // of deletes or inserts, by phases
				if step/1000%2 == 1 {
					mostly = rnd.IntN(14)
				}
				switch {
				case mostly < 3:
					switch rnd.IntN(5) {
					case 0:
						m.Store(k, v)
						want[k] = v
					case 1:
						if x, ok := m.Swap(k, v); x != old || ok != was {
							t.Fatalf("Swap(%d) = %d, %t, want %d, %t", k, x, ok, old, was)
						}
						want[k] = v
					case 2:
						x, ok := m.LoadOrStore(k, v)
						if !was {
							want[k] = v
						}
						if x != want[k] || ok != was {
							t.Fatalf("LoadOrStore(%d, %d) = %d, %t, want %d, %t", k, v, x, ok, want[k], was)
						}
					case 3:
						if ok := m.CompareAndSwap(k, old, v); ok != was {
							t.Fatalf("CompareAndSwap(%d) = %t, want %t", k, ok, was)
						}
						if was {
							want[k] = v
						}
						if m.CompareAndSwap(k, -1, v) {
							t.Fatalf("CompareAndSwap(%d, -1)", k)
						}
					case 4:
						x, ok := m.Compute(k, func(x int, ok bool) (int, bool) {
							if x != old || ok != was {
								t.Fatalf("Compute(%d): f(%d, %t), want %d, %t", k, x, ok, old, was)
							}
							return v, v%2 == 0
						})
						if ok != (v%2 == 0) || ok && x != v || !ok && x != 0 {
							t.Fatalf("Compute(%d) = %d, %t", k, x, ok)
						}
						if ok {
							want[k] = v
						} else {
							delete(want, k)
						}
					}
				case rnd.IntN(2) == 0:
					if x, ok := m.LoadAndDelete(k); x != old || ok != was {
						t.Fatalf("LoadAndDelete(%d) = %d, %t, want %d, %t", k, x, ok, old, was)
					}
					delete(want, k)
				default:
					if ok := m.CompareAndDelete(k, old); ok != was {
						t.Fatalf("CompareAndDelete(%d) = %t, want %t", k, ok, was)
					}
					delete(want, k)
				}
				if x, ok := m.Load(k); x != want[k] || ok != func() bool { _, ok := want[k]; return ok }() {
					t.Fatalf("step %d: Load(%d) = %d, %t, want %d", step, k, x, ok, want[k])
				}
				if m.Len() != len(want) {
					t.Fatalf("Len() = %d, want %d", m.Len(), len(want))
				}
				switch rnd.IntN(200) {
				case 0, 1:
					views = append(views, frozenPair{m.Snapshot(), maps.Clone(want)})
				case 2:
					if len(views) > 0 { // go on from one of the views
						p := views[rnd.IntN(len(views))]
						m, want = p.view.Map(), maps.Clone(p.has)
					}
				case 3:
					if rnd.IntN(5) == 0 && keys < 1000 {
						m.Clear()
						clear(want)
					}
				case 4:
					if len(views) > 1 {
						differ(t, views[rnd.IntN(len(views))], views[rnd.IntN(len(views))])
					}
				}
				switch rnd.IntN(300) {
				case 0:
					snapmap.Grow(m)
				case 1:
					snapmap.Shrink(m)
				}
				if len(views) > 12 {
					views = views[1:]
				}
				if step%100 == 0 {
					if err := snapmap.Check(m); err != nil {
						t.Fatal(err)
					}
					equal(t, "now", m.Snapshot(), want)
					for _, p := range views {
						equal(t, "a view", p.view, p.has)
						if err := snapmap.CheckView(p.view); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
		}
	})
}

// Compute, CompareAndSwap and CompareAndDelete see what happens to a value while they
// look at it.
func TestComputeSeesChanges(t *testing.T) {
	type box struct{ a, b int }
	var words snapmap.Map[string, int]
	var boxes snapmap.Map[string, box]
	words.Store("k", 1)
	boxes.Store("k", box{1, 1})
	for _, change := range []struct {
		name string
		word func()
		box  func()
	}{
		{"stored to", func() { words.Store("k", 7) }, func() { boxes.Store("k", box{7, 7}) }},
		{"deleted", func() { words.Delete("k") }, func() { boxes.Delete("k") }},
		{"in a snapshot, and stored to", func() { words.Snapshot(); words.Store("k", 8) }, func() { boxes.Snapshot(); boxes.Store("k", box{8, 8}) }},
	} {
		words.Store("k", 1)
		boxes.Store("k", box{1, 1})
		calls := 0
		words.Compute("k", func(old int, ok bool) (int, bool) {
			if calls++; calls == 1 {
				change.word()
			}
			return old + 1, true
		})
		if v, _ := words.Load("k"); v == 2 || calls != 2 {
			t.Errorf("a word %s: %d after %d calls", change.name, v, calls)
		}
		calls = 0
		boxes.Compute("k", func(old box, ok bool) (box, bool) {
			if calls++; calls == 1 {
				change.box()
			}
			return box{old.a + 1, old.b + 1}, true
		})
		if v, _ := boxes.Load("k"); v.a == 2 || calls != 2 {
			t.Errorf("a value of two words %s: %v after %d calls", change.name, v, calls)
		}
	}
	var numbers snapmap.Map[int, int]
	for i, change := range []func(){
		func() { numbers.Store(1, 7) },
		func() { numbers.Delete(1) },
		func() { numbers.Snapshot(); numbers.Store(1, 8) },
	} {
		numbers.Store(1, 1)
		calls := 0
		numbers.Compute(1, func(old int, ok bool) (int, bool) {
			if calls++; calls == 1 {
				change()
			}
			return old + 1, true
		})
		if v, _ := numbers.Load(1); v == 2 || calls != 2 {
			t.Errorf("a number, change %d: %d after %d calls", i, v, calls)
		}
	}
	// A function may use the map, for the same key too.
	n, ok := words.Compute("k", func(old int, ok bool) (int, bool) {
		for i := range 100 {
			words.LoadOrStore(string(rune('a'+i)), i)
		}
		return words.Len(), true
	})
	if !ok || n != 100 {
		t.Errorf("Compute = %d, %t, want 100, true", n, ok)
	}
}

// The zero Map, the zero View, and what can be done with them.
func TestZero(t *testing.T) {
	var m snapmap.Map[string, int]
	if _, ok := m.Load(""); ok || m.Len() != 0 {
		t.Error("the zero Map has something")
	}
	m.Delete("")
	m.Clear()
	if m.CompareAndSwap("", 0, 0) || m.CompareAndDelete("", 0) {
		t.Error("the zero Map has a zero value")
	}
	if _, ok := m.Compute("", func(int, bool) (int, bool) { return 1, false }); ok {
		t.Error("Compute keeps what it is not to keep")
	}
	for range m.All() {
		t.Error("All of the zero Map has something")
	}
	v := m.Snapshot()
	if v != (snapmap.View[string, int]{}) {
		t.Error("the view of the zero Map is not the zero View")
	}
	if _, ok := v.Load(""); ok || v.Len() != 0 {
		t.Error("the zero View has something")
	}
	for range v.Diff(v) {
		t.Error("the zero View differs from itself")
	}
	w := v.Map()
	w.Store("a", 1)
	if m.Len() != 0 || w.Len() != 1 {
		t.Error("the Map of a zero View is not one of its own")
	}
	if a, b := w.Snapshot(), w.Snapshot(); a != b {
		t.Error("two snapshots with nothing between them are not the same")
	}
}

// A loop may end early, and change the map.
func TestAllBreaks(t *testing.T) {
	eachHash(t, func(t *testing.T) {
		var m snapmap.Map[int, int]
		for i := range 200 {
			m.Store(i, i)
		}
		n := 0
		for k := range m.All() {
			m.Delete(k)
			m.Store(k+1000, 0)
			if n++; n == 100 {
				break
			}
		}
		if m.Len() != 200 {
			t.Errorf("Len() = %d, want 200", m.Len())
		}
		before := m.Snapshot()
		m.Clear()
		n = 0
		for range before.Diff(m.Snapshot()) {
			if n++; n == 3 {
				break
			}
		}
		for range m.Snapshot().Diff(before) {
			if n++; n == 6 {
				break
			}
		}
		if n != 6 {
			t.Errorf("%d changes before the breaks, want 6", n)
		}
	})
}

// A Map that was grown is empty, and has the pages that it would come to have, or some
// more.
func TestGrow(t *testing.T) {
	eachHash(t, func(t *testing.T) {
		spread := strings.HasSuffix(t.Name(), "real") || strings.HasSuffix(t.Name(), "flat")
		for _, n := range []int{-1, 0, 1, 38, 39, 300, 1000, 5000} {
			if n > 300 && !spread {
				continue
			}
			var m snapmap.Map[int, int]
			m.Grow(n)
			if m.Len() != 0 {
				t.Fatalf("Grow(%d): Len() = %d", n, m.Len())
			}
			if err := snapmap.Check(&m); err != nil {
				t.Fatalf("Grow(%d): %v", n, err)
			}
			before, _ := snapmap.Pages(&m)
			if before < n/38 || before > max(1, n/19) {
				t.Errorf("Grow(%d) makes %d pages", n, before)
			}
			want := map[int]int{}
			for i := range n {
				m.Store(i, -i)
				want[i] = -i
			}
			v := m.Snapshot()
			equal(t, "grown", v, want)
			if err := snapmap.Check(&m); err != nil {
				t.Fatalf("Grow(%d): %v", n, err)
			}
			m.Grow(10 * n)
			if after, _ := snapmap.Pages(&m); n > 0 && spread && after > 2*before+10 {
				t.Errorf("%d pages for %d keys after Grow had made %d", after, n, before)
			}
			snapmap.Grow(&m)
			m.Store(-1, 1)
			for i := range n {
				m.Delete(i)
			}
			m.Delete(-1)
			if pages, shards := snapmap.Pages(&m); spread && (pages > 1 || shards > 1) {
				t.Errorf("%d pages in %d shards after all %d keys are deleted", pages, shards, n)
			}
			equal(t, "a view", v, want)
		}
	})
}
