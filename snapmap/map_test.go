package snapmap_test

import (
	"math/rand/v2"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/snapmap"
)

// hashes are the hash as it is, one for all keys, and few different ones: by the top
// bits, which choose pages, and by the lowest that count, which choose buckets.
var hashes = []struct {
	name string
	mask uint64
}{
	{"real", ^uint64(0)},
	{"constant", 0},
	{"top", 0xf << 60},
	{"low", 0xf << 20},
}

// eachHash runs f as a subtest with each of them.
func eachHash(t *testing.T, f func(t *testing.T)) {
	for _, h := range hashes {
		t.Run("hash="+h.name, func(t *testing.T) {
			defer snapmap.SetHash(h.mask)()
			f(t)
		})
	}
}

type frozenPair struct {
	view snapmap.View[int, int]
	has  map[int]int
}

func copyOf(m map[int]int) map[int]int {
	c := make(map[int]int, len(m))
	for k, v := range m {
		c[k] = v
	}
	return c
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
	got := copyOf(a.has)
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
		for _, keys := range []int{3, 100, 400} {
			m := new(snapmap.Map[int, int])
			want := map[int]int{}
			var views []frozenPair
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
					views = append(views, frozenPair{m.Snapshot(), copyOf(want)})
				case 2:
					if len(views) > 0 { // go on from one of the views
						p := views[rnd.IntN(len(views))]
						m, want = p.view.Map(), copyOf(p.has)
					}
				case 3:
					if rnd.IntN(5) == 0 {
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
