package main

import (
	"fmt"

	"github.com/gopayoff/payoff/ctrie"
	"github.com/gopayoff/payoff/internal/world/shim"
	"github.com/gopayoff/payoff/internal/world/stage"
)

// scenes are maps that goroutines write, and take snapshots of. Each returns what is wrong.
// Keys 2i and 2i+1 are in one node.
var scenes = map[string]func() string{
	"first":  func() string { return stores(new(ctrie.Map[int, int])) },
	"store":  func() string { return stores(filled(0, 1)) },
	"adds":   func() string { return adds(filled(0, 1), 0) },
	"addsIn": func() string { return adds(filled(0, 1), 2) },
	"grow":   func() string { return changes(filled(0), 0) },
	"growIn": func() string { return changes(filled(0), 2) },
	"view":   func() string { return views(1) },
	"views":  func() string { return views(2) },
	"clear":  clears,
}

// filled returns a Map in which keys have the value 0.
func filled(keys ...int) *ctrie.Map[int, int] {
	m := new(ctrie.Map[int, int])
	for _, k := range keys {
		m.Store(k, 0)
	}
	return m
}

// holds says what is wrong where m has not exactly these values, by key; -1: none.
func holds(m *ctrie.Map[int, int], want ...int) string {
	n := 0
	for k, v := range want {
		got, ok := m.Load(k)
		if ok != (v >= 0) || ok && got != v {
			return fmt.Sprintf("Load(%d) = %d, %t, want %d", k, got, ok, v)
		}
		if ok {
			n++
		}
	}
	if got := m.Len(); got != n {
		return fmt.Sprintf("Len() = %d, want %d", got, n)
	}
	return ""
}

// stores is three that store keys of their own, one of them beside a snapshot.
func stores(m *ctrie.Map[int, int]) string {
	store := func(keys ...int) func() string {
		return func() string {
			for _, k := range keys {
				m.Store(k, 10+k)
				if v, ok := m.Load(k); !ok || v != 10+k {
					return fmt.Sprintf("Load(%d) = %d, %t after Store", k, v, ok)
				}
			}
			return ""
		}
	}
	if wrong := stage.Together(store(0, 2), store(1), func() string { m.Snapshot(); return store(3)() }); wrong != "" {
		return wrong
	}
	return holds(m, 10, 11, 12, 13)
}

// adds is two that add to the same values, beside snapshots.
func adds(m *ctrie.Map[int, int], snapshots int) string {
	add := func() string {
		for _, k := range []int{0, 1} {
			m.Compute(k, func(old int, ok bool) (int, bool) { return old + 1, true })
		}
		return ""
	}
	if wrong := stage.Together(add, add, func() string {
		for range snapshots {
			m.Snapshot()
		}
		return ""
	}); wrong != "" {
		return wrong
	}
	return holds(m, 2, 2)
}

// changes is keys of one node that come and go, beside snapshots. One goroutine writes
// each key, so that each Delete finds what was stored.
func changes(m *ctrie.Map[int, int], snapshots int) string {
	change := func(k int) func() string {
		return func() string {
			m.Store(k, k)
			if v, ok := m.LoadAndDelete(k); !ok || v != k {
				return fmt.Sprintf("LoadAndDelete(%d) = %d, %t after Store", k, v, ok)
			}
			m.Store(k, 10+k)
			return ""
		}
	}
	if wrong := stage.Together(change(0), change(1), func() string {
		for range snapshots {
			m.Snapshot()
		}
		return ""
	}); wrong != "" {
		return wrong
	}
	return holds(m, 10, 11)
}

// views is one that stores to a key and then to another of the same node, again and
// again, beside some that take snapshots: each is the map at one moment, no earlier than
// the one before, and does not change.
func views(takers int) string {
	m := filled(0, 1, 2)
	const most = 3
	fs := []func() string{func() string {
		for n := range most {
			m.Store(0, n+1)
			m.Store(1, n+1)
		}
		return ""
	}}
	for range takers {
		fs = append(fs, func() string {
			var taken []ctrie.View[int, int]
			var values [][2]int
			for i := range 2 {
				v := m.Snapshot()
				a, _ := v.Load(0)
				b, _ := v.Load(1)
				if a < b || a > b+1 || v.Len() != 3 {
					return fmt.Sprintf("a view has %d and %d, and %d keys", a, b, v.Len())
				}
				taken, values = append(taken, v), append(values, [2]int{a, b})
				if i > 0 && (values[0][0] > a || values[0][1] > b) {
					return fmt.Sprintf("a view has %v, and a later one %v", values[0], values[1])
				}
			}
			shim.Gosched()
			for i, v := range taken {
				a, _ := v.Load(0)
				b, _ := v.Load(1)
				if values[i] != [2]int{a, b} {
					return fmt.Sprintf("a view had %v, and has %d, %d", values[i], a, b)
				}
			}
			return ""
		})
	}
	if wrong := stage.Together(fs...); wrong != "" {
		return wrong
	}
	return holds(m, most, most, 0)
}

// clears is one that stores while another clears, beside a snapshot: each entry is in
// what Clear returned, or still there, and none in both.
func clears() string {
	m := filled(0)
	var gone ctrie.View[int, int]
	if wrong := stage.Together(
		func() string { m.Store(1, 1); m.Store(2, 2); return "" },
		func() string { gone = m.Clear(); return "" },
		func() string { m.Snapshot(); m.Store(3, 3); return "" },
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
	if _, ok := m.Load(2); !ok {
		if _, ok := m.Load(1); ok {
			return "Clear has returned what was stored later, and not what was before"
		}
	}
	return ""
}
