package snapmap_test

import (
	"maps"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/snapmap"
)

// Pages of numbers are flat, and no others.
func TestFlat(t *testing.T) {
	type id uint32
	type pair struct{ _, _ int8 }
	words := unsafe.Sizeof(uintptr(0)) == 8
	flat(t, words, new(snapmap.Map[int, int]))
	flat(t, words, new(snapmap.Map[id, float32]))
	flat(t, words, new(snapmap.Map[bool, uint8]))
	flat(t, words, new(snapmap.Map[uint64, struct{}]))
	flat(t, false, new(snapmap.Map[int, *int]))
	flat(t, false, new(snapmap.Map[*int, int]))
	flat(t, false, new(snapmap.Map[chan int, int]))
	flat(t, false, new(snapmap.Map[unsafe.Pointer, int]))
	flat(t, false, new(snapmap.Map[float64, int]))
	flat(t, false, new(snapmap.Map[string, int]))
	flat(t, false, new(snapmap.Map[int, string]))
	flat(t, false, new(snapmap.Map[int, pair]))
	flat(t, false, new(snapmap.Map[int, complex64]))
	flat(t, false, new(snapmap.Map[int, any]))
}

func flat[K comparable, V any](t *testing.T, want bool, m *snapmap.Map[K, V]) {
	if got := snapmap.Flat(m); got != want {
		t.Errorf("%T has flat pages: %t, want %t", m, got, want)
	}
}

// The collector looks at no page of numbers: what it scans of a map of these is less
// than a tenth of what it takes.
func TestScanned(t *testing.T) {
	if !snapmap.Flat(new(snapmap.Map[int, int])) {
		t.Skip("words of this machine are too short")
	}
	const n = 100_000
	scan := func() uint64 {
		runtime.GC()
		s := []metrics.Sample{{Name: "/gc/scan/heap:bytes"}}
		metrics.Read(s)
		if s[0].Value.Kind() != metrics.KindUint64 {
			t.Skip("the runtime does not say what it scans")
		}
		return s[0].Value.Uint64()
	}
	before := scan()
	var m snapmap.Map[int, int]
	for i := range n {
		m.Store(i, i)
	}
	if got := int64(scan()-before) / (n / 1000); got > 3300 {
		t.Errorf("%d bytes are scanned for 1000 entries, want at most 3300", got)
	}
	runtime.KeepAlive(&m)
}

// A slot is used for one key after the other: keys that come and go make no new pages,
// and have their own values.
func TestReuse(t *testing.T) {
	if !snapmap.Flat(new(snapmap.Map[int, int])) {
		t.Skip("words of this machine are too short")
	}
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	var m snapmap.Map[int, int]
	want := map[int]int{}
	for i := range 20 {
		m.Store(i, -i)
		want[i] = -i
	}
	v := m.Snapshot()
	m.Store(0, 0) // copies the page
	allocated := testing.AllocsPerRun(1000, func() {
		k := 100 + rnd.IntN(1<<30)
		m.Store(k, 3*k)
		if got, ok := m.Load(k); !ok || got != 3*k {
			t.Fatalf("Load(%d) = %d, %t, want %d, true", k, got, ok, 3*k)
		}
		m.Delete(k)
		if got, ok := m.Load(k); ok {
			t.Fatalf("Load(%d) = %d, %t after Delete", k, got, ok)
		}
	})
	if allocated > 0 {
		t.Errorf("%v values are allocated for each key that comes and goes, want none", allocated)
	}
	if pages, _ := snapmap.Pages(&m); pages != 1 || m.Len() != 20 {
		t.Errorf("%d pages of %d entries, want 1 of 20", pages, m.Len())
	}
	if err := snapmap.Check(&m); err != nil {
		t.Error(err)
	}
	equal(t, "the Map", m.Snapshot(), want)
	equal(t, "a view", v, want)
}

// Keys that come and go in a few slots have their own values, whoever looks meanwhile.
func TestReuseWhileOthersLook(t *testing.T) {
	stress.Procs(t, func(t *testing.T) {
		const keys = 200
		var m snapmap.Map[int, int]
		var writers, readers sync.WaitGroup
		var done atomic.Bool
		for w := range 2 {
			writers.Go(func() {
				for i := range rounds(20_000) {
					k := w + 2*(i%(keys/2))
					m.Store(k, k+keys*i)
					m.Delete(k)
				}
			})
		}
		for range 2 {
			readers.Go(func() {
				for k := 0; !done.Load(); k = (k + 1) % keys {
					if v, ok := m.Load(k); ok && v%keys != k {
						t.Errorf("Load(%d) = %d, the value of %d", k, v, v%keys)
						return
					}
				}
			})
		}
		writers.Wait()
		done.Store(true)
		readers.Wait()
		if m.Len() != 0 {
			t.Errorf("Len() = %d after all keys were deleted", m.Len())
		}
	})
}

// A View of a View's Map has its own keys in the slots that both maps have free.
func TestTwoMapsOfAView(t *testing.T) {
	var m snapmap.Map[int, int]
	for i := range 10 {
		m.Store(i, i)
	}
	v := m.Snapshot()
	a, b := v.Map(), v.Map()
	for i := range 10 {
		a.Store(100+i, 1)
		b.Store(200+i, 2)
		a.Delete(i)
		b.Store(i, -1)
	}
	for i := range 10 {
		x, inA := a.Load(100 + i)
		y, inB := b.Load(200 + i)
		_, gone := a.Load(i)
		z, _ := b.Load(i)
		w, _ := v.Load(i)
		if !inA || !inB || gone || x != 1 || y != 2 || z != -1 || w != i || a.Len() != 10 || b.Len() != 20 {
			t.Fatalf("key %d: %d, %t, and %d, %t; %t, %d, %d", i, x, inA, y, inB, gone, z, w)
		}
	}
}

// Of numbers, only other values count as changed.
func TestFlatDiff(t *testing.T) {
	var m snapmap.Map[int, int]
	for i := range 100 {
		m.Store(i, i)
	}
	before := m.Snapshot()
	for i := range 100 {
		m.Store(i, i)
	}
	m.Delete(7)
	m.Store(7, 7)
	m.Store(8, -8)
	m.Delete(9)
	m.Store(100, 100)
	if !snapmap.Flat(&m) {
		t.Skip("words of this machine are too short")
	}
	got := map[int]snapmap.Change[int, int]{}
	for c := range m.Snapshot().Diff(before) {
		got[c.Key] = c
	}
	want := map[int]snapmap.Change[int, int]{
		8:   {Kind: snapmap.Changed, Key: 8, Old: 8, New: -8},
		9:   {Kind: snapmap.Removed, Key: 9, Old: 9},
		100: {Kind: snapmap.Added, Key: 100, New: 100},
	}
	if !maps.Equal(got, want) {
		t.Errorf("Diff has %v, want %v", got, want)
	}
}
