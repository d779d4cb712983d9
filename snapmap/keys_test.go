package snapmap_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/snapmap"
)

// roundTrip stores, replaces and deletes keys, with snapshots in between.
func roundTrip[K, V comparable](t *testing.T, name string, key func(int) K, value func(int) V) {
	t.Run(name, func(t *testing.T) {
		const n = 160
		var m snapmap.Map[K, V]
		var before snapmap.View[K, V]
		for round := range 4 {
			for i := range n {
				if i%4 < round {
					m.Delete(key(i))
				} else {
					m.Store(key(i), value(i+round))
				}
			}
			if err := snapmap.Check(&m); err != nil {
				t.Fatal(err)
			}
			v := m.Snapshot()
			for i := range n {
				m.Store(key(i), value(0))
			}
			changes := 0
			for c := range v.Diff(before) {
				changes++
				if now, _ := v.Load(c.Key); now != c.New {
					t.Fatalf("Diff has %+v, and the value is %v", c, now)
				}
				if was, _ := before.Load(c.Key); was != c.Old {
					t.Fatalf("Diff has %+v, and the value was %v", c, was)
				}
			}
			least := 0 // what was stored as it was may count as changed
			for i := range n {
				if round == 0 || i%4 < round || value(i+round) != value(0) {
					least++
				}
			}
			if changes < least || changes > n {
				t.Fatalf("round %d: Diff has %d changes, want %d to %d", round, changes, least, n)
			}
			for i := range n {
				got, ok := v.Load(key(i))
				var want V
				if i%4 >= round {
					want = value(i + round)
				}
				if got != want || ok != (i%4 >= round) {
					t.Fatalf("round %d: Load(%v) = %v, %t, want %v", round, key(i), got, ok, want)
				}
			}
			if v.Len() != n*(4-round)/4 {
				t.Fatalf("Len() = %d", v.Len())
			}
			before = m.Snapshot()
		}
	})
}

func TestTypes(t *testing.T) {
	type pair struct {
		a int
		b string
	}
	type small struct{ a, b uint8 }
	pointers := make([]int, 1000)
	eachHash(t, func(t *testing.T) {
		number := func(i int) int { return i }
		text := func(i int) string { return fmt.Sprint(i) }
		roundTrip(t, "int,int", number, number)
		roundTrip(t, "string,string", text, text)
		roundTrip(t, "string,int", text, number)
		roundTrip(t, "int16,int32", func(i int) int16 { return int16(i) }, func(i int) int32 { return int32(i) })
		roundTrip(t, "uint32,uint8", func(i int) uint32 { return uint32(i) << 20 }, func(i int) uint8 { return uint8(i) })
		roundTrip(t, "*int,*int", func(i int) *int { return &pointers[i] }, func(i int) *int { return &pointers[i] })
		roundTrip(t, "float64,float32", func(i int) float64 { return float64(i) / 3 }, func(i int) float32 { return float32(i) })
		roundTrip(t, "any,any", func(i int) any {
			if i%2 == 0 {
				return i
			}
			return text(i)
		}, func(i int) any { return i })
		roundTrip(t, "struct,struct", func(i int) pair { return pair{i, text(i)} }, func(i int) pair { return pair{i, ""} })
		roundTrip(t, "array,small", func(i int) [2]int8 { return [2]int8{int8(i), int8(i >> 8)} }, func(i int) small { return small{uint8(i), uint8(i >> 8)} })
		roundTrip(t, "int,struct{}", number, func(i int) struct{} { return struct{}{} })
		roundTrip(t, "uint8,uint16", func(i int) uint8 { return uint8(i) }, func(i int) uint16 { return uint16(i) })
		roundTrip(t, "int32,bool", func(i int) int32 { return int32(-i) }, func(i int) bool { return i%2 == 1 })
		roundTrip(t, "uint64,float64", func(i int) uint64 { return uint64(i) << 40 }, func(i int) float64 { return -float64(i) / 3 })
		roundTrip(t, "uintptr,int8", func(i int) uintptr { return uintptr(i) }, func(i int) int8 { return int8(-i) })
		roundTrip(t, "int64,uint64", func(i int) int64 { return int64(i) << 50 }, func(i int) uint64 { return uint64(i) << 40 })
		roundTrip(t, "string,chan", text, func(i int) chan int { return nil })
	})
}

// Strings of all lengths are keys of their own.
func TestStrings(t *testing.T) {
	var m snapmap.Map[string, int]
	want := map[string]int{}
	add := func(s string) {
		want[s] = len(want)
		m.Store(s, want[s])
	}
	for n := range 70 {
		s := strings.Repeat("x", n)
		add(s)
		for i := range n {
			add(s[:i] + "y" + s[i+1:])
		}
	}
	for s, n := range want {
		if got, ok := m.Load(s); !ok || got != n {
			t.Errorf("Load(%q) = %d, %t, want %d", s, got, ok, n)
		}
	}
	if m.Len() != len(want) {
		t.Errorf("Len() = %d, want %d", m.Len(), len(want))
	}
}

// Hashes of keys that are alike are not: nearly as many pages have room for them as
// for others.
func TestSpread(t *testing.T) {
	const n = 20_000
	var random snapmap.Map[uint64, int]
	for range n {
		random.Store(rand.Uint64(), 0)
	}
	want, _ := snapmap.Pages(&random)
	check := func(name string, pages int) {
		if pages > want*5/4 || pages < want*4/5 {
			t.Errorf("%s: %d pages; for random numbers %d", name, pages, want)
		}
	}
	for _, shift := range []int{0, 1, 2, 3, 5, 8, 12, 16, 24, 32, 40, 48} {
		var m snapmap.Map[uint64, int]
		for i := range uint64(n) {
			m.Store(i<<shift, 0)
		}
		if shift == 48 {
			m.Clear()
			for i := range uint64(n) {
				m.Store(i<<48|i>>16<<3, 0)
			}
		}
		pages, _ := snapmap.Pages(&m)
		check(fmt.Sprintf("multiples of 1<<%d", shift), pages)
	}
	for _, format := range []string{"%d", "%05d", "user:%d", "%08d-%[1]d", "%020d", "%032d", "%040d", "%d00000000", "%d0000000000000000"} {
		var m snapmap.Map[string, int]
		for i := range n {
			m.Store(fmt.Sprintf(format, i), 0)
		}
		pages, _ := snapmap.Pages(&m)
		check(format, pages)
	}
	var floats snapmap.Map[float64, int]
	for i := range n {
		floats.Store(float64(i), 0)
	}
	pages, _ := snapmap.Pages(&floats)
	check("floats", pages)
}

// A NaN can be stored, and never found, as in the built-in map.
func TestNaN(t *testing.T) {
	eachHash(t, func(t *testing.T) {
		var m snapmap.Map[float64, int]
		nan := math.NaN()
		for i := range 500 {
			m.Store(nan, i)
			m.Store(float64(i), i)
		}
		if _, ok := m.Load(nan); ok {
			t.Error("Load finds a NaN")
		}
		m.Delete(nan)
		if _, ok := m.LoadOrStore(nan, 500); ok {
			t.Error("LoadOrStore finds a NaN")
		}
		if m.Len() != 1001 {
			t.Errorf("Len() = %d, want 1001", m.Len())
		}
		if err := snapmap.Check(&m); err != nil {
			t.Error(err)
		}
		before := m.Snapshot()
		for i := range 200 {
			m.Store(float64(1000+i), 0) // pages are copied and split
		}
		m.Store(nan, 501)
		count := func(v snapmap.View[float64, int]) (n int) {
			for k := range v.All() {
				if k != k {
					n++
				}
			}
			return n
		}
		if n := count(m.Snapshot()); n != 502 {
			t.Errorf("%d NaNs, want 502", n)
		}
		snapmap.Grow(&m)
		after := m.Snapshot()
		if n := count(after); n != 502 {
			t.Errorf("%d NaNs with more shards, want 502", n)
		}
		nans, others := 0, 0
		for c := range after.Diff(before) {
			if c.Kind != snapmap.Added {
				t.Fatalf("Diff has %+v", c)
			}
			if c.Key != c.Key {
				nans++
			} else {
				others++
			}
		}
		if nans != 1 || others != 200 {
			t.Errorf("Diff has %d NaNs and %d others, want 1 and 200", nans, others)
		}
		var small snapmap.Map[float64, int]
		for i := range 30 {
			small.Store(nan, i)
		}
		for range 2 {
			snapmap.Grow(&small) // divides pages
			if n := count(small.Snapshot()); n != 30 || small.Len() != 30 {
				t.Fatalf("%d NaNs and Len() = %d with more shards, want 30", n, small.Len())
			}
		}
		m.Clear()
		if m.Len() != 0 || count(m.Snapshot()) != 0 {
			t.Error("Clear leaves NaNs")
		}
	})
}

// Keys of a type that cannot be compared panic, whatever the map has.
func TestUncomparable(t *testing.T) {
	filled := new(snapmap.Map[any, int])
	filled.Store(1, 1)
	bad := any([]int{1})
	for name, f := range map[string]func(m *snapmap.Map[any, int]){
		"Load":             func(m *snapmap.Map[any, int]) { m.Load(bad) },
		"Store":            func(m *snapmap.Map[any, int]) { m.Store(bad, 1) },
		"Swap":             func(m *snapmap.Map[any, int]) { m.Swap(bad, 1) },
		"LoadOrStore":      func(m *snapmap.Map[any, int]) { m.LoadOrStore(bad, 1) },
		"LoadAndDelete":    func(m *snapmap.Map[any, int]) { m.LoadAndDelete(bad) },
		"Delete":           func(m *snapmap.Map[any, int]) { m.Delete(bad) },
		"CompareAndSwap":   func(m *snapmap.Map[any, int]) { m.CompareAndSwap(bad, 1, 2) },
		"CompareAndDelete": func(m *snapmap.Map[any, int]) { m.CompareAndDelete(bad, 1) },
		"Compute":          func(m *snapmap.Map[any, int]) { m.Compute(bad, func(int, bool) (int, bool) { return 0, true }) },
		"View.Load":        func(m *snapmap.Map[any, int]) { m.Snapshot().Load(bad) },
	} {
		for state, m := range map[string]*snapmap.Map[any, int]{"empty": new(snapmap.Map[any, int]), "filled": filled} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s of an %s map does not panic", name, state)
					}
				}()
				f(m)
			}()
		}
	}
	if v, ok := filled.Load(1); v != 1 || !ok || filled.Len() != 1 {
		t.Error("after the panics the map is not what it was") // or locked
	}
	defer func() {
		if recover() == nil {
			t.Error("CompareAndSwap of slices does not panic")
		}
	}()
	var m snapmap.Map[int, []int]
	m.Store(1, nil)
	m.CompareAndSwap(1, nil, nil)
}

// What entries keep is let go when they are deleted, and no longer in a view.
func TestGrowsAndShrinks(t *testing.T) {
	eachHash(t, func(t *testing.T) {
		n := 20_000
		if !strings.HasSuffix(t.Name(), "real") && !strings.HasSuffix(t.Name(), "flat") {
			n = 500
		}
		var m snapmap.Map[int, int]
		for i := range n {
			m.Store(i, i)
		}
		full, _ := snapmap.Pages(&m)
		if n > 1000 && (full < n/48 || full > n/24) {
			t.Errorf("%d pages for %d entries", full, n)
		}
		for round := range 3 {
			for i := range n {
				if i%100 != 0 {
					m.Delete(i)
				}
			}
			if err := snapmap.Check(&m); err != nil {
				t.Fatal(err)
			}
			if pages, _ := snapmap.Pages(&m); pages > max(n/100/4, 3) {
				t.Errorf("round %d: %d pages for %d entries", round, pages, n/100)
			}
			for i := range n {
				m.Store(i, i)
			}
			if pages, _ := snapmap.Pages(&m); pages > full*9/8 {
				t.Errorf("round %d: %d pages, at first %d", round, pages, full)
			}
		}
		snapmap.Grow(&m)
		for i := range n {
			m.Delete(i)
		}
		if pages, shards := snapmap.Pages(&m); pages != 1 || shards != 1 {
			t.Errorf("empty: %d pages in %d shards", pages, shards)
		}
	})
}

// After ten million operations a map takes what it took after a hundred thousand. That
// is more than at first, a quarter as a rule: pages that had too many entries at some
// moment are still two.
func TestChurn(t *testing.T) {
	n, steps := 10_000, 10_000_000
	if !stress.Long() {
		steps = 100_000
	}
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	var m snapmap.Map[int, int]
	keys := make([]int, n)
	for i := range keys {
		keys[i] = rnd.Int()
		m.Store(keys[i], i)
	}
	fresh, _ := snapmap.Pages(&m)
	var settled int
	for i := range steps + 100_000 {
		if i == 100_000 {
			settled, _ = snapmap.Pages(&m)
		}
		// Each key goes and another comes.
		j := rnd.IntN(n)
		m.Delete(keys[j])
		keys[j] = rnd.Int()
		m.Store(keys[j], i)
		if i%10_000 == 0 {
			m.Snapshot()
		}
	}
	if err := snapmap.Check(&m); err != nil {
		t.Fatal(err)
	}
	after, _ := snapmap.Pages(&m)
	if settled > fresh*3/2 || after > settled*6/5 || m.Len() != n {
		t.Errorf("%d pages for %d entries; at first %d, after 100,000 changes %d", after, m.Len(), fresh, settled)
	}
}

// NaNs stay within the hashes of their page when shards become fewer: a Diff would find
// those that had gone elsewhere.
func TestNaNShrink(t *testing.T) {
	eachHash(t, func(t *testing.T) {
		var m snapmap.Map[float64, int]
		for i := range 300 {
			m.Store(math.NaN(), i)
		}
		for range 3 {
			snapmap.Grow(&m)
		}
		before := m.Snapshot()
		snapmap.Shrink(&m)
		if _, shards := snapmap.Pages(&m); shards != 1 {
			t.Fatalf("%d shards", shards)
		}
		for c := range m.Snapshot().Diff(before) {
			t.Fatalf("Diff has %+v, and nothing was written", c)
		}
	})
}
