package main

import (
	"fmt"

	"github.com/gopayoff/payoff/ctrie"
	"github.com/gopayoff/payoff/internal/world/maps"
	"github.com/gopayoff/payoff/internal/world/shim"
	"github.com/gopayoff/payoff/internal/world/stage"
)

var words = maps.Kind[int, ctrie.View[int, int]]{
	Empty: func() maps.Map[int, ctrie.View[int, int]] { return new(ctrie.Map[int, int]) }, Value: maps.Word}

// scenes are maps that goroutines write, and take snapshots of. Each returns what is wrong.
// Keys 2i and 2i+1 are in one node.
var scenes = map[string]func() string{
	"first":   words.First,
	"store":   words.Stores,
	"add":     func() string { return words.Adds(0) },
	"addIn":   func() string { return words.Adds(2) },
	"swap":    words.Swap,
	"again":   func() string { return words.Again(0) },
	"againIn": func() string { return words.Again(2) },
	"return":  words.Returns,
	"view":    func() string { return views(1) },
	"views":   func() string { return views(2) },
	"len":     words.Lens,
	"clear":   words.Clears,
	"gone":    words.Gone,
}

// views is one that stores to a key and then to another of the same node, again and
// again, beside some that take snapshots: each is the map at one moment, no earlier than
// the one before, and does not change.
func views(takers int) string {
	m := words.Filled(3)
	const most = 3
	fs := []func() string{func() string {
		for n := range most {
			m.Store(0, n+2)
			m.Store(1, n+2)
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
	return maps.Has(m, map[int]int{0: most + 1, 1: most + 1, 2: 1})
}
