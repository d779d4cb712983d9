// Scenes runs package topic in many orders of its steps, or for a time beside a model of
// another index, and prints what came of it. It is built by its tests; see package world.
package main

import (
	"fmt"

	"github.com/gopayoff/payoff/internal/world/shim"
	"github.com/gopayoff/payoff/internal/world/stage"
	"github.com/gopayoff/payoff/topic"
)

func main() { stage.Main(stage.Program{Scenes: scenes, Procs: 3, Timed: runTimed}) }

// scenes are run in many orders. Each returns what is wrong.
var scenes = map[string]func() string{
	"comes":    func() string { return comes("a.*", 0) },
	"joins":    func() string { return comes("a.b", 1) },
	"grows":    func() string { return comes("a.*", 6) },
	"goes":     func() string { return goes("a.*", 0) },
	"leaves":   func() string { return goes("a.b", 1) },
	"first":    first,
	"turns":    turns,
	"snapshot": snapshot,
	"two":      two,
	"returns":  returns,
}

// subject is what all Matches are for.
const subject = "a.b"

// full returns an Index in which the subject matches one pattern, and was
// looked for as often as it takes to keep the result.
func full(others int) *topic.Index[int] {
	ix := topic.New[int](topic.NATS)
	subscribe(ix, "a.b", 1)
	for i := range others {
		subscribe(ix, fmt.Sprint("x.", i), 1)
	}
	for range 3 {
		ix.Has(subject)
	}
	return ix
}

func subscribe(ix *topic.Index[int], pattern string, v int) *topic.Sub[int] {
	s, err := ix.Subscribe(pattern, v)
	if err != nil {
		panic(err)
	}
	return s
}

// sees reports whether a Match yields v.
func sees(ix *topic.Index[int], v int) bool {
	for got := range ix.Match(subject) {
		if got == v {
			return true
		}
	}
	return false
}

// watch looks three times while others run, and returns whether it saw v.
func watch(ix *topic.Index[int], seen *[3]bool) func() {
	return func() {
		for i := range seen {
			seen[i] = sees(ix, 2)
		}
	}
}

// comes is a subscription that comes while two look, beside others. With others
// of the pattern, its node is replaced; with six more, the table is made anew.
func comes(pattern string, others int) string {
	ix := full(others)
	var seen [2][3]bool
	var wg shim.WaitGroup
	for i := range seen {
		wg.Go(watch(ix, &seen[i]))
	}
	subscribe(ix, pattern, 2)
	own := sees(ix, 2)
	wg.Wait()
	for _, s := range seen {
		if s[0] && !s[1] || s[1] && !s[2] {
			return fmt.Sprintf("it was seen, and not any more: %v", s)
		}
	}
	if !own || !sees(ix, 2) || !sees(ix, 1) {
		return "it was not seen after Subscribe"
	}
	return ""
}

// returns is one pattern that is given up and subscribed to again, each time with a
// greater value, while one looks: once it has returned, it is not gone until the next
// Unsubscribe begins.
func returns() string {
	ix := full(0)
	s := subscribe(ix, "a.*", 2)
	var begun shim.Int32 // Unsubscribes
	var wg shim.WaitGroup
	wg.Go(func() {
		for v := range 2 {
			begun.Add(1)
			s.Unsubscribe()
			s = subscribe(ix, "a.*", 3+v)
		}
	})
	last := 0
	for range 4 {
		now := 0
		for v := range ix.Match(subject) {
			now = max(now, v)
		}
		switch gone := int(begun.Load()); {
		case now < 2 && last > gone+1:
			return fmt.Sprintf("%d was seen, and is gone after %d Unsubscribes", last, gone)
		case now >= 2 && now < last:
			return fmt.Sprintf("%d was seen, and then %d", last, now)
		case now >= 2:
			last = now
		}
	}
	wg.Wait()
	return ""
}

// first is the first Matches of an Index, which may give it a cache, while a
// subscription comes.
func first() string {
	ix := topic.New[int](topic.NATS)
	subscribe(ix, "a.*", 1).Unsubscribe() // no new shape is to come below
	var seen [3]bool
	var wg shim.WaitGroup
	wg.Go(watch(ix, &seen))
	subscribe(ix, "a.*", 2)
	own := sees(ix, 2)
	wg.Wait()
	if seen[0] && !seen[1] || seen[1] && !seen[2] {
		return fmt.Sprintf("it was seen, and not any more: %v", seen)
	}
	if !own || !sees(ix, 2) {
		return "it was not seen after Subscribe"
	}
	return ""
}

// goes is a subscription that goes while two look.
func goes(pattern string, others int) string {
	ix := full(others)
	sub := subscribe(ix, pattern, 2)
	sees(ix, 2)
	var seen [2][3]bool
	var wg shim.WaitGroup
	for i := range seen {
		wg.Go(watch(ix, &seen[i]))
	}
	ended := sub.Unsubscribe()
	own := sees(ix, 2)
	wg.Wait()
	for _, s := range seen {
		if !s[0] && s[1] || !s[1] && s[2] {
			return fmt.Sprintf("it was not seen, and then it was: %v", s)
		}
	}
	if !ended || own || sees(ix, 2) || !sees(ix, 1) {
		return "it was seen after Unsubscribe"
	}
	return ""
}

// turns is two that come and go at once under one pattern, while one looks.
func turns() string {
	ix := full(0)
	var wg shim.WaitGroup
	wrong := make([]string, 3)
	for i := range 2 {
		wg.Go(func() {
			v := 2 + i
			s := subscribe(ix, "a.*", v)
			if !sees(ix, v) {
				wrong[i] = "it was not seen after Subscribe"
			}
			if !s.Unsubscribe() || s.Unsubscribe() || sees(ix, v) {
				wrong[i] = "it was seen after Unsubscribe"
			}
		})
	}
	wg.Go(func() {
		if !sees(ix, 1) {
			wrong[2] = "another was not seen"
		}
	})
	wg.Wait()
	return wrong[0] + wrong[1] + wrong[2]
}

// snapshot is one taken while a second subscription follows a first, the second of
// which may be found through marks, and while the first goes.
func snapshot() string {
	ix := full(0)
	var wg shim.WaitGroup
	wg.Go(func() {
		first := subscribe(ix, "a.*", 2)
		subscribe(ix, "*.b", 3)
		first.Unsubscribe()
		subscribe(ix, "*.*", 4)
	})
	photo := ix.Snapshot()
	look := func() (has [5]int) {
		for v := range photo.Match(subject) {
			has[v]++
		}
		return has
	}
	before := look()
	wg.Wait()
	after := look()
	all := 0
	for range photo.All() {
		all++
	}
	switch before {
	case [5]int{1: 1}, [5]int{1: 1, 2: 1}, [5]int{1: 1, 2: 1, 3: 1}, [5]int{1: 1, 3: 1}, [5]int{1: 1, 3: 1, 4: 1}:
	default:
		return fmt.Sprint("a snapshot has ", before)
	}
	sum := 0
	for _, n := range before {
		sum += n
	}
	if before != after || sum != all {
		return fmt.Sprintf("a snapshot had %v, and has %v, of %d", before, after, all)
	}
	return ""
}

// two shapes come at once, each with a pattern, and one of them goes and comes
// again with another.
func two() string {
	ix := topic.New[int](topic.NATS)
	var wg shim.WaitGroup
	wrong := make([]string, 2)
	for i, patterns := range [][2]string{{"a.*", "*.*"}, {"*.b", "a.>"}} {
		wg.Go(func() {
			v := i + 1
			s := subscribe(ix, patterns[0], v)
			if !sees(ix, v) {
				wrong[i] = "it was not seen after Subscribe"
			}
			s.Unsubscribe()
			subscribe(ix, patterns[1], v)
			if !sees(ix, v) {
				wrong[i] = "the second was not seen after Subscribe"
			}
		})
	}
	wg.Wait()
	if n := ix.Count(subject); n != 2 && wrong[0]+wrong[1] == "" {
		return fmt.Sprintf("%d are seen, want 2", n)
	}
	return wrong[0] + wrong[1]
}
