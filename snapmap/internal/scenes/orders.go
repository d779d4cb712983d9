package main

import (
	"fmt"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/internal/world/maps"
	"github.com/gopayoff/payoff/internal/world/shim"
	"github.com/gopayoff/payoff/snapmap"
)

// scenes are runs that are made in many orders of their steps. Each returns what is
// wrong. Words are values that are stored in place, pairs those that have entries of
// their own.
var scenes = map[string]func() string{
	"store":    words.Stores,
	"stores":   pairs.Stores,
	"split":    func() string { return words.Splits(0) },
	"splits":   func() string { return pairs.Splits(1) },
	"merge":    words.Merges,
	"merges":   pairs.Merges,
	"view":     words.Views,
	"views":    pairs.Views,
	"grow":     func() string { return grows(4) },
	"growOne":  func() string { return grows(1) },
	"resize":   resizes,
	"moment":   words.Moment,
	"locks":    func() string { return locks(2, 2) },
	"lockOne":  func() string { return locks(1, 0) },
	"add":      func() string { return words.Adds(0) },
	"adds":     func() string { return pairs.Adds(0) },
	"swap":     words.Swap,
	"first":    words.First,
	"clear":    words.Clears,
	"gone":     words.Gone,
	"len":      words.Lens,
	"again":    func() string { return words.Again(0) },
	"agains":   func() string { return pairs.Again(0) },
	"continue": goesOn,
	"return":   words.Returns,
	"returns":  pairs.Returns,
	"reuse":    reuse,
}

var words = maps.Kind[int, snapmap.View[int, int]]{
	Empty: func() maps.Map[int, snapmap.View[int, int]] { return new(snapmap.Map[int, int]) }, Value: maps.Word}

var pairs = maps.Kind[maps.Pair, snapmap.View[int, maps.Pair]]{
	Empty: func() maps.Map[maps.Pair, snapmap.View[int, maps.Pair]] { return new(snapmap.Map[int, maps.Pair]) }, Value: maps.PairOf}

// grower is a Map in the program that tests build.
type grower interface {
	MoreShards()
	Resize()
	Home(key int) int
	LockOne(hash uint64, f func(shard any, now bool))
	LockAll(f func())
}

// grows is the number of shards that grows, while one stores and one looks.
// With one key its page becomes several.
func grows(n int) string {
	m := words.Filled(n)
	w := maps.Watched(m)
	var wg shim.WaitGroup
	wg.Go(func() {
		for k := range n {
			w.Store(k, maps.Word, 2)
		}
		for k := range n {
			w.Store(k, maps.Word, 3)
		}
	})
	wg.Go(func() { any(m).(grower).MoreShards() })
	wg.Go(func() { w.Look(2, 0, n-1) })
	w.Look(2, 0)
	w.View()
	wg.Wait()
	if w.Wrong != "" {
		return w.Wrong
	}
	want := map[int]int{}
	for k := range n {
		want[k] = 3
	}
	return maps.Has(m, want)
}

// resizes is an index that is replaced, while one stores to a page that a view has, and
// two look.
func resizes() string {
	m := words.Filled(1)
	m.Snapshot()
	w := maps.Watched(m)
	var wg shim.WaitGroup
	wg.Go(func() { w.Store(0, maps.Word, 2) })
	wg.Go(func() { any(m).(grower).Resize() })
	wg.Go(func() { w.Look(2, 0) })
	w.Look(2, 0)
	wg.Wait()
	if w.Wrong != "" {
		return w.Wrong
	}
	return maps.Has(m, map[int]int{0: 2})
}

// locks are some that lock a shard, and one that makes more shards after it has locked
// all some times.
func locks(some, times int) string {
	m := words.Filled(1)
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

// reuse is a key that goes, and another that comes in its place, while one looks: neither
// has the other's value.
func reuse() string {
	m := words.Filled(1)
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
	return maps.Has(m, map[int]int{0: 0, next: 1 + next})
}

// goesOn is a Map of a view that is written to while the first is.
func goesOn() string {
	m := words.Filled(3)
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
	if wrong := maps.Has(m, map[int]int{0: 2, 1: 0, 2: 1, 3: 2}); wrong != "" {
		return wrong
	}
	if wrong := maps.Has(next, map[int]int{0: 3, 1: 1, 2: 3, 3: 0}); wrong != "" {
		return "the other Map: " + wrong
	}
	for k, n := range v.All() {
		if n != 1 {
			return fmt.Sprintf("a view has %d of key %d", n, k)
		}
	}
	return ""
}
