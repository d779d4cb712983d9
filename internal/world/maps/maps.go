// Package maps has the scenes of maps with snapshots that any of them can play: what
// several goroutines do to one map at the same time, and what is wrong with it then. It is
// for programs of package stage.
package maps

import (
	"fmt"
	"iter"

	"github.com/gopayoff/payoff/internal/world/shim"
	"github.com/gopayoff/payoff/internal/world/stage"
)

// A Map is the map that scenes use, and W its views.
type Map[V any, W View[V]] interface {
	Load(key int) (V, bool)
	Store(key int, value V)
	Swap(key int, value V) (V, bool)
	LoadOrStore(key int, value V) (V, bool)
	LoadAndDelete(key int) (V, bool)
	Delete(key int)
	CompareAndSwap(key int, old, new V) bool
	Compute(key int, f func(V, bool) (V, bool)) (V, bool)
	Len() int
	All() iter.Seq2[int, V]
	Snapshot() W
	Clear() W
}

// A View is what a map was.
type View[V any] interface {
	Load(key int) (V, bool)
	Len() int
	All() iter.Seq2[int, V]
}

// A Kind is maps of one type, and how values are made of numbers.
type Kind[V any, W View[V]] struct {
	Empty func() Map[V, W]
	Value func(n int) V
}

// A Pair is a value of two words.
type Pair [2]int

// Word and PairOf make values.
func Word(n int) int    { return n }
func PairOf(n int) Pair { return Pair{n, n} }

func number(v any) int {
	switch v := v.(type) {
	case int:
		return v
	case Pair:
		return v[0]
	}
	panic("no value")
}

// more has the map have more shards, if it has any.
func more(m any) {
	if g, ok := m.(interface{ MoreShards() }); ok {
		g.MoreShards()
	}
}

// Filled returns a map that has keys below n, with the value 1.
func (x Kind[V, W]) Filled(n int) Map[V, W] {
	m := x.Empty()
	for i := range n {
		m.Store(i, x.Value(1))
	}
	return m
}

// A Watch is what goroutines that look for keys have seen, or know to be stored: values go
// up.
type Watch[V any, W View[V]] struct {
	m     Map[V, W]
	floor [16]int
	Wrong string
}

// Watched returns a Watch of m.
func Watched[V any, W View[V]](m Map[V, W]) *Watch[V, W] { return &Watch[V, W]{m: m} }

// The detector of races is not to see that they tell each other.
//
//go:norace
func (w *Watch[V, W]) known(k int) int { return w.floor[k] }

//go:norace
func (w *Watch[V, W]) saw(k, n, known int) {
	if n < known && w.Wrong == "" {
		w.Wrong = fmt.Sprintf("key %d has %d, and had %d", k, n, known)
	}
	w.floor[k] = max(w.floor[k], n)
}

// Look looks for keys. What was seen before is seen again.
func (w *Watch[V, W]) Look(times int, keys ...int) {
	for range times {
		for _, k := range keys {
			known, n := w.known(k), 0
			if v, ok := w.m.Load(k); ok {
				n = number(v)
			}
			w.saw(k, n, known)
		}
	}
}

// View takes a view, which has what was seen before.
func (w *Watch[V, W]) View() W {
	before := [len(w.floor)]int{}
	for k := range before {
		before[k] = w.known(k)
	}
	v := w.m.Snapshot()
	has := [len(w.floor)]int{}
	for k, value := range v.All() {
		has[k] = number(value)
	}
	for k, n := range has {
		w.saw(k, n, before[k])
	}
	return v
}

// Store stores, and knows that it has.
func (w *Watch[V, W]) Store(k int, value func(int) V, n int) {
	w.m.Store(k, value(n))
	w.saw(k, n, 0)
}

// Has says what is wrong if the values of keys are not these.
func Has[V any, W View[V]](m Map[V, W], want map[int]int) string {
	for k, n := range want {
		switch v, ok := m.Load(k); {
		case n == 0 && ok:
			return fmt.Sprintf("key %d is there", k)
		case n != 0 && !ok:
			return fmt.Sprintf("key %d is not there", k)
		case n != 0 && number(v) != n:
			return fmt.Sprintf("key %d has %v, want %d", k, v, n)
		}
	}
	n := 0
	for _, v := range want {
		if v != 0 {
			n++
		}
	}
	if m.Len() != n || m.Snapshot().Len() != n {
		return fmt.Sprintf("%d keys, and %d in a view, want %d", m.Len(), m.Snapshot().Len(), n)
	}
	all := 0
	for k, v := range m.All() {
		if all++; number(v) != want[k] && want[k] != 0 {
			return fmt.Sprintf("key %d has %v in a view, want %d", k, v, want[k])
		}
	}
	if all != n && n == len(want) {
		return fmt.Sprintf("%d keys come out of a view, want %d", all, n)
	}
	return ""
}

// Stores is two that store to one page each their key, after a view, while one looks.
func (x Kind[V, W]) Stores() string {
	m := x.Filled(2)
	v := m.Snapshot()
	w := Watched(m)
	var wg shim.WaitGroup
	for k := range 2 {
		wg.Go(func() {
			w.Store(k, x.Value, 2)
			w.Look(1, 1-k)
			w.Store(k, x.Value, 3)
		})
	}
	w.Look(3, 0, 1)
	wg.Wait()
	for k, was := range v.All() {
		if number(was) != 1 {
			return fmt.Sprintf("a view has %v of key %d", was, k)
		}
	}
	if w.Wrong != "" {
		return w.Wrong
	}
	return Has(m, map[int]int{0: 3, 1: 3})
}

// Splits is one that stores until pages are divided and the index is of another size,
// while two look, and the index is not always of use. With a view, pages are copied.
func (x Kind[V, W]) Splits(view int) string {
	const old, all = 3, 9
	m := x.Filled(old)
	for range view {
		m.Snapshot()
	}
	var wg shim.WaitGroup
	w := Watched(m)
	for range 2 {
		wg.Go(func() { w.Look(3, 0, 1, old, all-1) })
	}
	wg.Go(func() {
		for n := 2; n < 6; n++ {
			w.Store(0, x.Value, n)
		}
	})
	want := map[int]int{0: 5}
	for k := old; k < all; k++ {
		w.Store(k, x.Value, 2)
		want[k] = 2
	}
	for k := 1; k < old; k++ {
		w.Store(k, x.Value, 3)
		want[k] = 3
	}
	wg.Wait()
	if w.Wrong != "" {
		return w.Wrong
	}
	return Has(m, want)
}

// Merges is one that deletes until pages become one, and stores to what is left, while
// two look.
func (x Kind[V, W]) Merges() string {
	const all = 9
	m := x.Filled(all)
	var wg shim.WaitGroup
	w := Watched(m)
	for range 2 {
		wg.Go(func() { w.Look(3, 0, 1) })
	}
	want := map[int]int{}
	for k := 2; k < all; k++ {
		m.Delete(k)
		want[k] = 0
	}
	for k := range 2 {
		w.Store(k, x.Value, 2)
		want[k] = 2
	}
	wg.Wait()
	if w.Wrong != "" {
		return w.Wrong
	}
	return Has(m, want)
}

// Views is two writers, each of which stores to one key and then to another, while
// one takes views.
func (x Kind[V, W]) Views() string {
	const n = 4
	m := x.Filled(n)
	w := Watched(m)
	var wg shim.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			for _, to := range []int{2, 3} {
				w.Store(i, x.Value, to)
				w.Store(i+2, x.Value, to)
			}
		})
	}
	wg.Go(func() { w.Look(4, 0, 3) })
	var taken []W
	var had [][n]int
	values := func(v W) (of [n]int) {
		for k, value := range v.All() {
			of[k] = number(value)
		}
		return of
	}
	for range 3 {
		v := w.View()
		taken = append(taken, v)
		had = append(had, values(v))
		w.Look(1, 0, 1, 2, 3)
	}
	wg.Wait()
	if w.Wrong != "" {
		return w.Wrong
	}
	for j, v := range taken {
		h := had[j]
		if now := values(v); now != h {
			return fmt.Sprintf("a view had %v, and has %v", h, now)
		}
		for i := range 2 {
			if h[i] != h[i+2] && h[i] != h[i+2]+1 {
				return fmt.Sprintf("a view has %v", h)
			}
			if j > 0 && (h[i] < had[j-1][i] || h[i+2] < had[j-1][i+2]) {
				return fmt.Sprintf("a view has %v, and one before had %v", h, had[j-1])
			}
		}
	}
	return Has(m, map[int]int{0: 3, 1: 3, 2: 3, 3: 3})
}

// Moment is one key that is stored after another in another shard, and a view of both.
func (x Kind[V, W]) Moment() string {
	const n = 12
	m := x.Filled(n)
	more(m)
	var wg shim.WaitGroup
	wg.Go(func() {
		for k := range n {
			m.Store(k, x.Value(2))
		}
	})
	has := func(v W) (of [n]int) {
		for k, value := range v.All() {
			of[k] = number(value)
		}
		return of
	}
	for range 2 {
		h := has(m.Snapshot())
		for k := range n - 1 {
			if h[k] < h[k+1] {
				return fmt.Sprintf("a view has %v", h)
			}
		}
	}
	wg.Wait()
	return ""
}

// Adds is two that add to one value by Compute, after a view and beside so many.
func (x Kind[V, W]) Adds(views int) string {
	m := x.Filled(1)
	v := m.Snapshot()
	var wg shim.WaitGroup
	for range 2 {
		wg.Go(func() {
			for range 2 {
				m.Compute(0, func(old V, _ bool) (V, bool) { return x.Value(number(old) + 1), true })
			}
		})
	}
	for range views {
		m.Snapshot()
	}
	wg.Wait()
	if was, _ := v.Load(0); number(was) != 1 {
		return fmt.Sprintf("a view has %v", was)
	}
	return Has(m, map[int]int{0: 5})
}

// Swap is one value that goes from hand to hand.
func (x Kind[V, W]) Swap() string {
	m := x.Filled(1)
	var wg shim.WaitGroup
	var got [2][2]int
	for i := range 2 {
		wg.Go(func() {
			was, _ := m.Swap(0, x.Value(10+i))
			got[i][0] = number(was)
			if m.CompareAndSwap(0, x.Value(10+i), x.Value(20+i)) {
				got[i][1] = 20 + i
			}
		})
	}
	wg.Wait()
	left, _ := m.Load(0)
	last := number(left)
	switch {
	case got[0][0] == 1 && (got[1][0] == 10 && got[0][1] == 0 || got[1][0] == 20 && got[0][1] == 20) && got[1][1] == 21 && last == 21:
	case got[1][0] == 1 && (got[0][0] == 11 && got[1][1] == 0 || got[0][0] == 21 && got[1][1] == 21) && got[0][1] == 20 && last == 20:
	default:
		return fmt.Sprintf("swapped %v, and %d is left", got, last)
	}
	return ""
}

// First is the first operations on a Map.
func (x Kind[V, W]) First() string {
	m := x.Empty()
	var wg shim.WaitGroup
	wrong := make([]string, 2)
	for i := range 2 {
		wg.Go(func() {
			m.Store(i, x.Value(1))
			if v, ok := m.Load(i); !ok || number(v) != 1 {
				wrong[i] = "what was stored is not there"
			}
		})
	}
	m.Load(0)
	before := m.Len()
	now := m.Snapshot().Len()
	wg.Wait()
	if before > now || now > 2 {
		return fmt.Sprintf("%d keys, and then %d in a view", before, now)
	}
	if wrong[0]+wrong[1] != "" {
		return wrong[0] + wrong[1]
	}
	return Has(m, map[int]int{0: 1, 1: 1})
}

// Clears is one that clears the Map, while another stores what stays, and one looks.
func (x Kind[V, W]) Clears() string {
	m := x.Filled(3)
	v := m.Snapshot()
	var wg shim.WaitGroup
	wg.Go(func() { m.Clear() })
	wg.Go(func() {
		m.Store(0, x.Value(2))
		m.Store(1, x.Value(2))
	})
	now := m.Snapshot()
	_, zero := now.Load(0)
	_, two := now.Load(2)
	wg.Wait()
	switch {
	case v.Len() != 3:
		return fmt.Sprintf("a view has %d keys", v.Len())
	case two && !zero:
		return "some keys are cleared, and others not"
	}
	if _, ok := m.Load(2); ok {
		return "a key is there after Clear"
	}
	_, a := m.Load(0)
	_, b := m.Load(1)
	if a && !b {
		return "the second key was cleared after the first was stored"
	}
	n := 0
	for range m.All() {
		n++
	}
	if n != m.Len() || a != (n == 2) && b != (n >= 1) {
		return fmt.Sprintf("%d keys, and Len is %d", n, m.Len())
	}
	return ""
}

// Gone is one that stores while another clears, beside a snapshot: each entry is in
// what Clear returned, or still there, and none in both.
func (x Kind[V, W]) Gone() string {
	m := x.Filled(1)
	var gone W
	if wrong := stage.Together(
		func() string { m.Store(1, x.Value(1)); m.Store(2, x.Value(1)); return "" },
		func() string { gone = m.Clear(); return "" },
		func() string { m.Snapshot(); m.Store(3, x.Value(1)); return "" },
	); wrong != "" {
		return wrong
	}
	for k := range 4 {
		_, was := gone.Load(k)
		_, is := m.Load(k)
		if was == is {
			return fmt.Sprintf("key %d: Clear has returned it: %t, and it is there: %t", k, was, is)
		}
	}
	_, one := m.Load(1)
	if _, two := m.Load(2); one && !two {
		return "Clear has returned what was stored later, and not what was before"
	}
	return ""
}

// Lens is two keys, of which there is always one or two.
func (x Kind[V, W]) Lens() string {
	const n = 8
	m := x.Filled(n)
	more(m)
	var wg shim.WaitGroup
	wg.Go(func() {
		for k := range n {
			m.Store(n+k, x.Value(1))
			m.Delete(k)
		}
	})
	for range 3 {
		if l := m.Len(); l != n && l != n+1 {
			return fmt.Sprintf("%d keys", l)
		}
		v := m.Snapshot()
		all := 0
		for range v.All() {
			all++
		}
		if all != v.Len() {
			return fmt.Sprintf("a view has %d keys, and %d", v.Len(), all)
		}
	}
	wg.Wait()
	return ""
}

// Again is keys that come and go, beside one that stays and so many views.
func (x Kind[V, W]) Again(views int) string {
	m := x.Filled(3)
	w := Watched(m)
	var wg shim.WaitGroup
	wrong := make([]string, 2)
	for i := range 2 {
		k := 1 + i
		wg.Go(func() {
			for range 2 {
				if _, ok := m.LoadAndDelete(k); !ok {
					wrong[i] = "a key is not there"
				}
				if _, ok := m.Load(k); ok {
					wrong[i] = "a deleted key is there"
				}
				if _, loaded := m.LoadOrStore(k, x.Value(2)); loaded {
					wrong[i] = "a deleted key is loaded"
				}
			}
		})
	}
	w.Look(4, 0)
	for range views {
		m.Snapshot()
	}
	wg.Wait()
	if w.Wrong+wrong[0]+wrong[1] != "" {
		return w.Wrong + wrong[0] + wrong[1]
	}
	return Has(m, map[int]int{0: 1, 1: 2, 2: 2})
}

// Returns is one key that is deleted and stored again, each time with a greater value,
// while one looks: once it has returned, it is not gone until the next Delete begins.
func (x Kind[V, W]) Returns() string {
	m := x.Filled(1)
	var begun shim.Int32 // Deletes
	var wg shim.WaitGroup
	wg.Go(func() {
		for n := range 2 {
			begun.Add(1)
			m.Delete(0)
			m.Store(0, x.Value(2+n))
		}
	})
	last := 0
	for range 4 {
		v, ok := m.Load(0)
		switch deletes := int(begun.Load()); {
		case !ok && last > deletes:
			return fmt.Sprintf("the key had %d, and is gone after %d deletes", last, deletes)
		case ok && number(v) < last:
			return fmt.Sprintf("the key has %v, and had %d", v, last)
		case ok:
			last = number(v)
		}
	}
	wg.Wait()
	return Has(m, map[int]int{0: 3})
}
