package maps

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"runtime"
	"sync"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// A load is the keys and values that all variants are given.
type load[K cmp.Ordered, V any] struct {
	// stored are the keys that maps are filled with, asked the same keys in the same
	// order. Strings are of the same bytes, but not the same memory.
	stored, asked []K
	// storedBytes and askedBytes are the keys for those who take nothing but bytes.
	storedBytes, askedBytes [][]byte
	values                  []V // 256
}

// newLoad returns n keys and some values, the same in every process.
func newLoad[K cmp.Ordered, V any](n int, key func(uint64) K, value func(uint64) V) *load[K, V] {
	rnd := rand.New(rand.NewPCG(1, 2))
	l := new(load[K, V])
	seeds := make([]uint64, n)
	for i := range seeds {
		seeds[i] = rnd.Uint64()
	}
	// Each kind of key lies in memory by itself.
	for _, s := range seeds {
		l.stored = append(l.stored, key(s))
	}
	for _, s := range seeds {
		l.asked = append(l.asked, key(s))
	}
	for range 256 {
		l.values = append(l.values, value(rnd.Uint64()))
	}
	return l
}

// withBytes makes the keys as bytes.
func (l *load[K, V]) withBytes() *load[K, V] {
	if l.storedBytes == nil {
		for _, k := range l.stored {
			l.storedBytes = append(l.storedBytes, toBytes(k))
		}
		for _, k := range l.asked {
			l.askedBytes = append(l.askedBytes, toBytes(k))
		}
	}
	return l
}

func toBytes[K cmp.Ordered](k K) []byte {
	switch k := any(k).(type) {
	case int:
		return binary.LittleEndian.AppendUint64(nil, uint64(k))
	case string:
		return []byte(k)
	}
	panic("maps: a key of another type")
}

func fromBytes[K cmp.Ordered](b []byte) K {
	var k K
	switch p := any(&k).(type) {
	case *int:
		*p = int(binary.LittleEndian.Uint64(b))
	case *string:
		*p = string(b)
	}
	return k
}

func intOf(x uint64) int { return int(x) }

// stringOf returns a string of 16 bytes.
func stringOf(x uint64) string { return fmt.Sprintf("key:%012x", x>>16) }

// four is a value that does not fit a word.
type four [4]int

func fourOf(x uint64) four  { return four{int(x), int(x >> 1), int(x >> 2), int(x >> 3)} }
func wordOf(x uint64) *four { f := fourOf(x); return &f }

// ops is how many operations a call of mix does.
const ops = 100

// A worker is a goroutine that uses a map, with its random numbers.
type worker[K cmp.Ordered, V any] struct {
	*load[K, V]
	x    uint64
	last V // what it loaded last
}

func newWorker[K cmp.Ordered, V any](l *load[K, V], id uint64) *worker[K, V] {
	return &worker[K, V]{load: l, x: id * 0x9e3779b97f4a7c15}
}

// next, pick, roll and value draw a random number, and from it a key of n, a number
// below 100, and a value of 256.
func next(x uint64) uint64        { return x*6364136223846793005 + 1442695040888963407 }
func pick(x uint64, n int) uint64 { return (x >> 32) * uint64(n) >> 32 }
func roll(x uint64) uint64        { return uint64(uint32(x)) * 100 >> 32 }
func value(x uint64) uint8        { return uint8(x >> 24) }

// A table is a map as a benchmark uses it. Every loop of mix is written out, so that
// no call stands between it and the map but the map's own.
type table[K cmp.Ordered, V any] interface {
	// store stores a value for the i-th key.
	store(i int)
	// mix draws ops keys and loads their values, in so many of a hundred cases, or
	// stores one.
	mix(w *worker[K, V], reads uint64)
	// each calls f for all entries, as the map's own loop does.
	each(f func(K, V) bool)
}

// A taker is a table of which one can take a view.
type taker[K cmp.Ordered, V any] interface {
	table[K, V]
	take() view[K, V]
}

// A view is what a table was at one moment.
type view[K cmp.Ordered, V any] interface {
	each(f func(K, V) bool)
}

// A variant makes empty tables of one kind.
type variant[K cmp.Ordered, V any] struct {
	name string
	make func(*load[K, V]) table[K, V]
}

// variants are all of them; the base first.
func variants[K cmp.Ordered, V any]() []variant[K, V] {
	return []variant[K, V]{
		{"mutex", newMutex[K, V]},
		{"rwmutex", newRWMutex[K, V]},
		{"syncmap", newSyncMap[K, V]},
		{"xsync", newXsync[K, V]},
		{"orcaman", newOrcaman[K, V]},
		{"workiva", newWorkiva[K, V]},
		{"btree", newBtree[K, V]},
		{"hamt", newHAMT[K, V]},
		{"snapmap", newSnapmap[K, V]},
		{"ctrie", newCtrie[K, V]},
	}
}

// filled returns a table with all keys, after as many goroutines as processors have
// stored to it: some maps adapt to that.
func (v variant[K, V]) filled(l *load[K, V]) table[K, V] {
	m := v.make(l)
	for i := range l.stored {
		m.store(i)
	}
	var done sync.WaitGroup
	for id := range runtime.GOMAXPROCS(0) {
		done.Go(func() {
			w := newWorker(l, uint64(id))
			for range 200 {
				m.mix(w, 0)
			}
		})
	}
	done.Wait()
	runtime.GC() // what making the keys and the table left is not the variant's
	return m
}

func content[K cmp.Ordered, V any](m view[K, V]) map[K]V {
	got := map[K]V{}
	m.each(func(k K, v V) bool {
		got[k] = v
		return true
	})
	return got
}

// same tests that all variants hold, load and show what a built-in map would, and
// that views stay as they are.
func same[K cmp.Ordered, V comparable](t *testing.T, l *load[K, V]) {
	for _, v := range variants[K, V]() {
		m := v.make(l)
		want := map[K]V{}
		for i, k := range l.stored {
			m.store(i)
			want[k] = l.values[i%256]
		}
		w := newWorker(l, 1)
		var views []view[K, V]
		var wants []map[K]V
		for _, reads := range []uint64{0, 50, 90, 100} {
			x := w.x
			m.mix(w, reads)
			var last V
			for range ops {
				x = next(x)
				k := l.asked[pick(x, len(l.asked))]
				if roll(x) < reads {
					last = want[k]
				} else {
					want[k] = l.values[value(x)]
				}
			}
			if reads > 0 && w.last != last {
				t.Errorf("%s: last loaded of %d %% reads = %v, want %v", v.name, reads, w.last, last)
			}
			if got := content(view[K, V](m)); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %d entries after %d %% reads, want %d, or other values", v.name, len(got), reads, len(want))
			}
			if m, ok := m.(taker[K, V]); ok {
				views = append(views, m.take())
				wants = append(wants, maps.Clone(want))
			}
		}
		for i, view := range views {
			if got := content(view); !reflect.DeepEqual(got, wants[i]) {
				t.Errorf("%s: view %d has changed", v.name, i)
			}
		}
	}
}

func TestSame(t *testing.T) {
	sizes := []int{1, 10, 1000}
	if stress.Long() {
		sizes = append(sizes, 10_000)
	}
	for _, n := range sizes {
		same(t, newLoad(n, intOf, intOf))
		same(t, newLoad(n, intOf, fourOf))
		same(t, newLoad(n, intOf, wordOf))
		same(t, newLoad(n, stringOf, intOf))
	}
}
