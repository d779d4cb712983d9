package main

import (
	"fmt"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/internal/world/shim"
	"github.com/gopayoff/payoff/snapmap"
)

// scenes are runs that are made in many orders of their steps. Each returns what is
// wrong. Words are values that are stored in place, pairs those that have entries of
// their own.
var scenes = map[string]func() string{
	"store":    func() string { return stores2(words) },
	"pairs":    func() string { return stores2(pairs) },
	"split":    func() string { return splits(words, 0) },
	"splits":   func() string { return splits(pairs, 1) },
	"merge":    func() string { return merges(words) },
	"merges":   func() string { return merges(pairs) },
	"view":     func() string { return views2(words) },
	"views":    func() string { return views2(pairs) },
	"grow":     func() string { return grows(words, 4) },
	"growOne":  func() string { return grows(words, 1) },
	"resize":   resizes,
	"moment":   moment,
	"locks":    func() string { return locks(2, 2) },
	"lockOne":  func() string { return locks(1, 0) },
	"add":      func() string { return adds(words) },
	"adds":     func() string { return adds(pairs) },
	"swap":     swap,
	"first":    first,
	"clear":    clears,
	"len":      length,
	"again":    func() string { return again(words) },
	"agains":   func() string { return again(pairs) },
	"continue": goesOn,
	"return":   func() string { return returns(words) },
	"returns":  func() string { return returns(pairs) },
	"reuse":    reuse,
}

type pair [2]int

func words(n int) int  { return n }
func pairs(n int) pair { return pair{n, n} }
func number(v any) int {
	switch v := v.(type) {
	case int:
		return v
	case pair:
		return v[0]
	}
	panic("no value")
}

// grower is a Map in the program that tests build.
type grower interface {
	MoreShards()
	Resize()
	Home(key int) int
	LockOne(hash uint64, f func(shard any, now bool))
	LockAll(f func())
}

// filled returns a Map that has keys below n, with the value 1.
func filled[V any](n int, value func(int) V) *snapmap.Map[int, V] {
	m := new(snapmap.Map[int, V])
	for k := range n {
		m.Store(k, value(1))
	}
	return m
}

// A watch is what all who look for keys have seen, or know to be stored: values go up.
type watch[V any] struct {
	m     *snapmap.Map[int, V]
	floor [16]int
	wrong string
}

func watched[V any](m *snapmap.Map[int, V]) *watch[V] { return &watch[V]{m: m} }

// The detector of races is not to see that those who look tell each other.
//
//go:norace
func (w *watch[V]) known(k int) int { return w.floor[k] }

//go:norace
func (w *watch[V]) saw(k, n, known int) {
	if n < known && w.wrong == "" {
		w.wrong = fmt.Sprintf("key %d has %d, and had %d", k, n, known)
	}
	w.floor[k] = max(w.floor[k], n)
}

// look looks for keys. What was seen before is seen again.
func (w *watch[V]) look(times int, keys ...int) {
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

// view takes a view, which has what was seen before.
func (w *watch[V]) view() snapmap.View[int, V] {
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

// store stores, and knows that it has.
func (w *watch[V]) store(k int, value func(int) V, n int) {
	w.m.Store(k, value(n))
	w.saw(k, n, 0)
}

// has says what is wrong if the values of keys are not these.
func has[V any](m *snapmap.Map[int, V], want map[int]int) string {
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

// stores2 is two that store to one page each their key, after a view, while one looks.
func stores2[V any](value func(int) V) string {
	m := filled(2, value)
	v := m.Snapshot()
	w := watched(m)
	var wg shim.WaitGroup
	for k := range 2 {
		wg.Go(func() {
			w.store(k, value, 2)
			w.look(1, 1-k)
			w.store(k, value, 3)
		})
	}
	w.look(3, 0, 1)
	wg.Wait()
	for k, was := range v.All() {
		if number(was) != 1 {
			return fmt.Sprintf("a view has %v of key %d", was, k)
		}
	}
	if w.wrong != "" {
		return w.wrong
	}
	return has(m, map[int]int{0: 3, 1: 3})
}

// splits is one that stores until pages are divided and the index is of another size,
// while two look, and the index is not always of use. With a view, pages are copied.
func splits[V any](value func(int) V, view int) string {
	const old, all = 3, 9
	m := filled(old, value)
	for range view {
		m.Snapshot()
	}
	var wg shim.WaitGroup
	w := watched(m)
	for range 2 {
		wg.Go(func() { w.look(3, 0, 1, old, all-1) })
	}
	wg.Go(func() {
		for n := 2; n < 6; n++ {
			w.store(0, value, n)
		}
	})
	want := map[int]int{0: 5}
	for k := old; k < all; k++ {
		w.store(k, value, 2)
		want[k] = 2
	}
	for k := 1; k < old; k++ {
		w.store(k, value, 3)
		want[k] = 3
	}
	wg.Wait()
	if w.wrong != "" {
		return w.wrong
	}
	return has(m, want)
}

// merges is one that deletes until pages become one, and stores to what is left, while
// two look.
func merges[V any](value func(int) V) string {
	const all = 9
	m := filled(all, value)
	var wg shim.WaitGroup
	w := watched(m)
	for range 2 {
		wg.Go(func() { w.look(3, 0, 1) })
	}
	want := map[int]int{}
	for k := 2; k < all; k++ {
		m.Delete(k)
		want[k] = 0
	}
	for k := range 2 {
		w.store(k, value, 2)
		want[k] = 2
	}
	wg.Wait()
	if w.wrong != "" {
		return w.wrong
	}
	return has(m, want)
}

// views2 is two writers, each of which stores to one key and then to another, while
// one takes views.
func views2[V any](value func(int) V) string {
	const n = 4
	m := filled(n, value)
	w := watched(m)
	var wg shim.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			for _, to := range []int{2, 3} {
				w.store(i, value, to)
				w.store(i+2, value, to)
			}
		})
	}
	wg.Go(func() { w.look(4, 0, 3) })
	var taken []snapmap.View[int, V]
	var had [][n]int
	values := func(v snapmap.View[int, V]) (of [n]int) {
		for k, value := range v.All() {
			of[k] = number(value)
		}
		return of
	}
	for range 3 {
		v := w.view()
		taken = append(taken, v)
		had = append(had, values(v))
		w.look(1, 0, 1, 2, 3)
	}
	wg.Wait()
	if w.wrong != "" {
		return w.wrong
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
	return has(m, map[int]int{0: 3, 1: 3, 2: 3, 3: 3})
}

// grows is the number of shards that grows, while one stores and one looks.
// With one key its page becomes several.
func grows[V any](value func(int) V, n int) string {
	m := filled(n, value)
	w := watched(m)
	var wg shim.WaitGroup
	wg.Go(func() {
		for k := range n {
			w.store(k, value, 2)
		}
		for k := range n {
			w.store(k, value, 3)
		}
	})
	wg.Go(func() { any(m).(grower).MoreShards() })
	wg.Go(func() { w.look(2, 0, n-1) })
	w.look(2, 0)
	w.view()
	wg.Wait()
	if w.wrong != "" {
		return w.wrong
	}
	want := map[int]int{}
	for k := range n {
		want[k] = 3
	}
	return has(m, want)
}

// resizes is an index that is replaced, while one stores to a page that a view has, and
// two look.
func resizes() string {
	m := filled(1, words)
	m.Snapshot()
	w := watched(m)
	var wg shim.WaitGroup
	wg.Go(func() { w.store(0, words, 2) })
	wg.Go(func() { any(m).(grower).Resize() })
	wg.Go(func() { w.look(2, 0) })
	w.look(2, 0)
	wg.Wait()
	if w.wrong != "" {
		return w.wrong
	}
	return has(m, map[int]int{0: 2})
}

// locks are some that lock a shard, and one that makes more shards after it has locked
// all some times.
func locks(some, times int) string {
	m := filled(1, words)
	g := any(m).(grower)
	g.MoreShards()
	ones, all, wrong, step := map[any]int{}, 0, "", byte(0)
	look := func() {
		n := 0
		for _, k := range ones {
			n = max(n, k)
		}
		if n > 1 || all > 1 || n > 0 && all > 0 {
			wrong = fmt.Sprintf("%d have a shard, and %d all", n, all)
		}
	}
	var wg shim.WaitGroup
	for i := range some {
		wg.Go(func() {
			for range 2 {
				g.LockOne(uint64(i)<<63, func(shard any, now bool) {
					if !now {
						wrong = "the shards are those that were"
					}
					ones[shard]++
					look()
					world.Step(&step)
					ones[shard]--
				})
			}
		})
	}
	for range times {
		g.LockAll(func() {
			all++
			look()
			world.Step(&step)
			all--
		})
	}
	g.MoreShards()
	wg.Wait()
	return wrong
}

// moment is one key that is stored after another in another shard, and a view of both.
func moment() string {
	const n = 12
	m := filled(n, words)
	any(m).(grower).MoreShards()
	var wg shim.WaitGroup
	wg.Go(func() {
		for k := range n {
			m.Store(k, 2)
		}
	})
	has := func(v snapmap.View[int, int]) (of [n]int) {
		for k, value := range v.All() {
			of[k] = value
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

// adds is two that add to one value by Compute, after a view.
func adds[V any](value func(int) V) string {
	m := filled(1, value)
	v := m.Snapshot()
	var wg shim.WaitGroup
	for range 2 {
		wg.Go(func() {
			for range 2 {
				m.Compute(0, func(old V, _ bool) (V, bool) { return value(number(old) + 1), true })
			}
		})
	}
	wg.Wait()
	if was, _ := v.Load(0); number(was) != 1 {
		return fmt.Sprintf("a view has %v", was)
	}
	return has(m, map[int]int{0: 5})
}

// swap is one value that goes from hand to hand.
func swap() string {
	m := filled(1, words)
	var wg shim.WaitGroup
	var got [2][2]int
	for i := range 2 {
		wg.Go(func() {
			got[i][0], _ = m.Swap(0, 10+i)
			if m.CompareAndSwap(0, 10+i, 20+i) {
				got[i][1] = 20 + i
			}
		})
	}
	wg.Wait()
	last, _ := m.Load(0)
	switch {
	case got[0][0] == 1 && (got[1][0] == 10 && got[0][1] == 0 || got[1][0] == 20 && got[0][1] == 20) && got[1][1] == 21 && last == 21:
	case got[1][0] == 1 && (got[0][0] == 11 && got[1][1] == 0 || got[0][0] == 21 && got[1][1] == 21) && got[0][1] == 20 && last == 20:
	default:
		return fmt.Sprintf("swapped %v, and %d is left", got, last)
	}
	return ""
}

// first is the first operations on a Map.
func first() string {
	m := new(snapmap.Map[int, int])
	var wg shim.WaitGroup
	wrong := make([]string, 2)
	for i := range 2 {
		wg.Go(func() {
			m.Store(i, 1)
			if v, ok := m.Load(i); !ok || v != 1 {
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
	return has(m, map[int]int{0: 1, 1: 1})
}

// clears is one that clears the Map, while another stores what stays, and one looks.
func clears() string {
	m := filled(3, words)
	v := m.Snapshot()
	var wg shim.WaitGroup
	wg.Go(func() { m.Clear() })
	wg.Go(func() {
		m.Store(0, 2)
		m.Store(1, 2)
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

// length is two keys, of which there is always one or two.
func length() string {
	const n = 8
	m := filled(n, words)
	any(m).(grower).MoreShards()
	var wg shim.WaitGroup
	wg.Go(func() {
		for k := range n {
			m.Store(n+k, 1)
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

// again is keys that come and go, beside one that stays.
func again[V any](value func(int) V) string {
	m := filled(3, value)
	w := watched(m)
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
				if _, loaded := m.LoadOrStore(k, value(2)); loaded {
					wrong[i] = "a deleted key is loaded"
				}
			}
		})
	}
	w.look(4, 0)
	wg.Wait()
	if w.wrong+wrong[0]+wrong[1] != "" {
		return w.wrong + wrong[0] + wrong[1]
	}
	return has(m, map[int]int{0: 1, 1: 2, 2: 2})
}

// returns is one key that is deleted and stored again, each time with a greater value,
// while one looks: once it has returned, it is not gone until the next Delete begins.
func returns[V any](value func(int) V) string {
	m := filled(1, value)
	var begun shim.Int32 // Deletes
	var wg shim.WaitGroup
	wg.Go(func() {
		for n := range 2 {
			begun.Add(1)
			m.Delete(0)
			m.Store(0, value(2+n))
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
	return has(m, map[int]int{0: 3})
}

// reuse is a key that goes, and another that comes in its place, while one looks: neither
// has the other's value.
func reuse() string {
	m := filled(1, words)
	next := 1
	for g := any(m).(grower); g.Home(next) != g.Home(0); next++ {
	}
	var wg shim.WaitGroup
	wg.Go(func() {
		m.Delete(0)
		m.Store(next, 1+next)
	})
	for _, k := range []int{0, next} {
		if v, ok := m.Load(k); ok && v != 1+k {
			return fmt.Sprintf("key %d has %d", k, v)
		}
	}
	wg.Wait()
	return has(m, map[int]int{0: 0, next: 1 + next})
}

// goesOn is a Map of a view that is written to while the first is.
func goesOn() string {
	m := filled(3, words)
	v := m.Snapshot()
	next := v.Map()
	var wg shim.WaitGroup
	wg.Go(func() {
		m.Store(0, 2)
		m.Delete(1)
		m.Store(3, 2)
	})
	wg.Go(func() {
		if n, _ := next.Load(1); n != 1 {
			panic("the Map of a view is not the view")
		}
		next.Store(2, 3)
	})
	next.Store(0, 3)
	wg.Wait()
	if wrong := has(m, map[int]int{0: 2, 1: 0, 2: 1, 3: 2}); wrong != "" {
		return wrong
	}
	if wrong := has(next, map[int]int{0: 3, 1: 1, 2: 3, 3: 0}); wrong != "" {
		return "the other Map: " + wrong
	}
	for k, n := range v.All() {
		if n != 1 {
			return fmt.Sprintf("a view has %d of key %d", n, k)
		}
	}
	return ""
}
