// Package maptest has tests of maps with snapshots, for the packages that have one: whether
// what goroutines were told by a map can have happened one call after the other, and how
// often the functions run that a map is given.
package maptest

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// linearKeys is how many keys histories are about.
const linearKeys = 3

// A state is what a map has: the value of each key, 0: none.
type state [linearKeys]int8

// A View is what a map had at one moment.
type View interface {
	Load(int) (int, bool)
	All() iter.Seq2[int, int]
}

// A Map is what histories are made of.
type Map[V View] interface {
	Load(int) (int, bool)
	Store(int, int)
	Swap(int, int) (int, bool)
	LoadOrStore(int, int) (int, bool)
	LoadAndDelete(int) (int, bool)
	CompareAndSwap(int, int, int) bool
	CompareAndDelete(int, int) bool
	Compute(int, func(int, bool) (int, bool)) (int, bool)
	Delete(int)
	Len() int
	Clear() V
	Snapshot() V
}

// A Grower is a map that can be told to change how it is divided.
type Grower interface{ Grow() }

// An op is one call, with what it was told and what it returned.
type op struct {
	name           string
	key            int
	value, old     int8
	got            int8 // a value or a number
	ok             bool
	all            state // of a snapshot
	call, returned int64
}

// step returns what is the state after o, in that state, and whether o returned what
// it should have.
func (s state) step(o op) (state, bool) {
	v := s[o.key]
	was := v != 0
	right := true
	switch o.name {
	case "Load":
		right = o.got == v && o.ok == was
	case "Store":
		s[o.key] = o.value
	case "Swap":
		right = o.got == v && o.ok == was
		s[o.key] = o.value
	case "LoadOrStore":
		if !was {
			s[o.key] = o.value
		}
		right = o.got == s[o.key] && o.ok == was
	case "LoadAndDelete":
		right = o.got == v && o.ok == was
		s[o.key] = 0
	case "CompareAndSwap":
		swap := was && v == o.old
		right = o.ok == swap
		if swap {
			s[o.key] = o.value
		}
	case "CompareAndDelete":
		remove := was && v == o.old
		right = o.ok == remove
		if remove {
			s[o.key] = 0
		}
	case "Compute":
		s[o.key] = (v + 1) % 4 // 0: deleted
		right = o.got == s[o.key] && o.ok == (s[o.key] != 0)
	case "Len":
		n := int8(0)
		for _, v := range s {
			if v != 0 {
				n++
			}
		}
		right = o.got == n
	case "Clear":
		right = o.all == s
		s = state{}
	case "Snapshot":
		right = o.all == s
	case "Grow":
	}
	return s, right
}

// linearizable reports whether the operations can have acted one after the other,
// each between its call and its return (Wing and Gong, 1993; Lowe's memory of what
// was tried).
func linearizable(history []op) bool {
	type tried struct {
		done uint64
		s    state
	}
	seen := map[tried]bool{}
	var from func(done uint64, s state) bool
	from = func(done uint64, s state) bool {
		if done == 1<<len(history)-1 {
			return true
		}
		if seen[tried{done, s}] {
			return false
		}
		seen[tried{done, s}] = true
		first := int64(1 << 62) // return of those that are left
		for i, o := range history {
			if done>>i&1 == 0 {
				first = min(first, o.returned)
			}
		}
		for i, o := range history {
			if done>>i&1 == 0 && o.call < first {
				if next, ok := s.step(o); ok && from(done|1<<i, next) {
					return true
				}
			}
		}
		return false
	}
	return from(0, state{})
}

// play returns a history of m: of so many players, with so many operations each.
func play[V View](m Map[V], rnd *rand.Rand, players, n int) []op {
	var clock atomic.Int64
	var ready atomic.Int32
	histories := make([][]op, players)
	var done sync.WaitGroup
	for p := range players {
		rnd := rand.New(rand.NewPCG(rnd.Uint64(), 0))
		done.Go(func() {
			ready.Add(1)
			for i := 0; ready.Load() < int32(players) && i < 1000; i++ {
				runtime.Gosched()
			}
			for range n {
				for rnd.IntN(4) == 0 {
					runtime.Gosched()
				}
				histories[p] = append(histories[p], playOne(m, rnd, &clock))
			}
		})
	}
	done.Wait()
	return slices.Concat(histories...)
}

func playOne[V View](m Map[V], rnd *rand.Rand, clock *atomic.Int64) op {
	o := op{key: rnd.IntN(linearKeys), value: int8(1 + rnd.IntN(3)), old: int8(1 + rnd.IntN(3))}
	if rnd.IntN(2) == 0 {
		o.key = 0
	}
	k, v := o.key, int(o.value)
	var got int
	var view V
	viewed := false
	o.call = clock.Add(1)
	switch rnd.IntN(16) {
	case 0, 1, 2:
		o.name = "Load"
		got, o.ok = m.Load(k)
	case 3, 4:
		o.name = "Store"
		m.Store(k, v)
	case 5:
		o.name = "Swap"
		got, o.ok = m.Swap(k, v)
	case 6:
		o.name = "LoadOrStore"
		got, o.ok = m.LoadOrStore(k, v)
	case 7:
		o.name = "LoadAndDelete"
		got, o.ok = m.LoadAndDelete(k)
	case 8:
		o.name = "CompareAndSwap"
		o.ok = m.CompareAndSwap(k, int(o.old), v)
	case 9:
		o.name = "CompareAndDelete"
		o.ok = m.CompareAndDelete(k, int(o.old))
	case 10:
		o.name = "Compute"
		got, o.ok = m.Compute(k, func(v int, _ bool) (int, bool) { return v + 1, v+1 < 4 })
	case 11:
		o.name = "Len"
		got = m.Len()
	case 12, 13, 14:
		o.name = "Snapshot"
		view, viewed = m.Snapshot(), true
	case 15:
		if g, ok := m.(Grower); ok && rnd.IntN(2) == 0 {
			o.name = "Grow"
			g.Grow()
			break
		}
		o.name = "Clear"
		view, viewed = m.Clear(), true
	}
	o.returned = clock.Add(1)
	o.got = int8(got)
	if viewed {
		for k, v := range view.All() {
			if k < linearKeys {
				o.all[k] = int8(v)
			}
		}
	}
	return o
}

func describe(history []op) string {
	slices.SortFunc(history, func(a, b op) int { return int(a.call - b.call) })
	var s strings.Builder
	for _, o := range history {
		fmt.Fprintf(&s, "[%d, %d] %s(%d, value %d, old %d) = %d, %t, %v\n", o.call, o.returned, o.name, o.key, o.value, o.old, o.got, o.ok, o.all)
	}
	return s.String()
}

// Linearizable holds so many histories of maps that make returns to those that a map could
// have that does one thing after the other.
func Linearizable[V View](t *testing.T, rnd *rand.Rand, histories int, make func() Map[V]) {
	t.Helper()
	for range histories {
		m := make()
		if rnd.IntN(2) == 0 {
			// Other keys, so that what has entries is full, divided and copied.
			for i := range rnd.IntN(120) {
				m.Store(linearKeys+i, 0)
			}
			for i := range 120 {
				m.Delete(linearKeys + i)
			}
		}
		if rnd.IntN(3) == 0 {
			m.Snapshot()
		}
		if h := play(m, rnd, 2+rnd.IntN(3), 6); !linearizable(h) {
			t.Fatalf("not linearizable:\n%s", describe(h))
		}
	}
}

// Broken fails unless histories of a map that passes most calls on to one that make
// returns, and has a fault, are found not to be linearizable, for each fault.
func Broken[V View](t *testing.T, make func() Map[V]) {
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	for _, fault := range []string{"reads an old view", "drops a Store", "computes in two steps", "takes a snapshot key by key"} {
		found := false
		for round := 0; round < 20_000 && !found; round++ {
			m := make()
			found = !linearizable(play[V](&broken[V]{Map: m, make: make, fault: fault, last: m.Snapshot()}, rnd, 3, 6))
		}
		if !found {
			t.Errorf("a map that %s passes", fault)
		}
	}
}

// A broken map passes most calls on to a sound one.
type broken[V View] struct {
	Map[V]
	make  func() Map[V]
	fault string
	n     atomic.Int32
	last  V
	mu    sync.Mutex
}

func (b *broken[V]) turn() bool { return b.n.Add(1)%3 == 0 }

func (b *broken[V]) Load(k int) (int, bool) {
	if b.fault == "reads an old view" && b.turn() {
		b.mu.Lock()
		defer b.mu.Unlock()
		v := b.last
		b.last = b.Map.Snapshot()
		return v.Load(k)
	}
	return b.Map.Load(k)
}

func (b *broken[V]) Store(k, v int) {
	if b.fault == "drops a Store" && b.turn() {
		return
	}
	b.Map.Store(k, v)
}

func (b *broken[V]) Compute(k int, f func(int, bool) (int, bool)) (int, bool) {
	if b.fault == "computes in two steps" {
		v, ok := b.Map.Load(k)
		runtime.Gosched()
		if v, ok = f(v, ok); ok {
			b.Map.Store(k, v)
		} else {
			b.Map.LoadAndDelete(k)
			v = 0
		}
		return v, ok
	}
	return b.Map.Compute(k, f)
}

func (b *broken[V]) Snapshot() V {
	if b.fault == "takes a snapshot key by key" {
		m := b.make()
		for k := range linearKeys {
			if v, ok := b.Map.Load(k); ok {
				m.Store(k, v)
			}
			runtime.Gosched()
		}
		return m.Snapshot()
	}
	return b.Map.Snapshot()
}
