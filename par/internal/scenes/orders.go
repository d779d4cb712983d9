package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gopayoff/payoff/internal/shelf"
	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/internal/world/shim"
	"github.com/gopayoff/payoff/internal/world/stage"
	"github.com/gopayoff/payoff/par"
)

// explored are calls that are run in many orders of their steps. Each returns what
// is wrong.
var explored = map[string]func() string{
	"fork":        func() string { return forks(4, false, nil) },
	"forkPanic1":  func() string { return forks(4, true, stage.Panics(0)) },
	"forkPanic2":  func() string { return forks(4, true, stage.Panics(3)) },
	"forkPanics":  func() string { return forks(2, true, boom) },
	"forkGoexit1": func() string { return forks(4, true, stage.Quits(0)) },
	"forkGoexit2": func() string { return forks(4, true, stage.Quits(2)) },
	"forkSlow":    func() string { return forks(2, false, stage.Slow(1)) },
	"forkSlow4":   func() string { return forks(4, false, stage.Slow(3)) },
	"loopSlow":    func() string { return parts(2, false, stage.Slow(1)) },
	"loop":        func() string { return parts(4, false, nil) },
	"loopPanic":   func() string { return parts(4, true, stage.Panics(1)) },
	"loopPanics":  func() string { return parts(3, true, boom) },
	"loopGoexit":  func() string { return parts(4, true, stage.Quits(2)) },
	"loopCrowded": func() string { return parts(6, false, nil) },
	"forkCrowded": func() string { return forks(8, false, nil) },
	"bare":        func() string { return bare(4, false, nil) },
	"bareCrowded": func() string { return bare(6, false, nil) },
	"barePanic":   func() string { return bare(4, true, stage.Panics(1)) },
	"bareStops":   func() string { return bare(4, true, stage.Quits(2)) },
	"two":         two,
	"shelf":       shelves,
	"shelfRoom":   room,
	"lanes":       lanes,
	"flags":       flags,
	"posts":       posts,
	"asks":        asks,
	"fund":        fund,
}

// boom is a body that panics, as all do.
func boom(int) error { panic(stage.ErrBoom) }

// A tally counts what bodies did, in words that are no atomics: a race between a
// body and what comes before or after the call shows.
type tally struct {
	began []int
	over  bool
	late  bool // a body ran when the call was over
	step  byte
	quits bool // a body ends otherwise than by returning
}

// body is the i'th. Others may come while it runs.
func (t *tally) body(i int, how func(int) error) {
	t.began[i]++
	t.goesOn()
	if how != nil {
		how(i)
	}
	t.goesOn()
}

// goesOn is a step of a body. Nothing catches what a body throws after the call.
func (t *tally) goesOn() {
	world.Step(&t.step)
	if t.over {
		t.late = true
	}
}

// check runs call, of which how may end bodies, and says what is wrong then.
func (t *tally) check(call func()) string {
	var value any
	returned, out := false, false
	var wg shim.WaitGroup
	wg.Go(func() { // Goexit ends it
		defer func() {
			value = recover()
			out = true
		}()
		call()
		returned = true
	})
	wg.Wait()
	t.over = true
	if stage.LetGoOn(); t.late {
		return "a body runs after the call"
	}
	for i, n := range t.began {
		if n > 1 || n == 0 && !t.quits {
			return fmt.Sprintf("body %d ran %d times", i, n)
		}
	}
	switch {
	case !out:
		return "the call is not over"
	case !t.quits && (!returned || value != nil):
		return fmt.Sprintf("the call did not return: %v", value)
	case t.quits && returned:
		return "a body did not return, and the call did"
	case t.quits && value != nil && !isBoom(value):
		return fmt.Sprintf("%v came out", value)
	}
	return ""
}

func isBoom(v any) bool {
	err, ok := v.(error)
	return ok && (errors.Is(err, stage.ErrBoom) || err.Error() == stage.ErrBoom.Error())
}

// forks is a call of a Func with so many leaves.
func forks(leaves int, quits bool, how func(int) error) string {
	t := &tally{began: make([]int, leaves), quits: quits}
	type span struct{ lo, hi int }
	f := par.New(func(task *par.Task[span, int], s span) int {
		if s.hi-s.lo == 1 {
			t.body(s.lo, how)
			return 1 << s.lo
		}
		mid := (s.lo + s.hi) / 2
		a, b := task.Join(span{s.lo, mid}, span{mid, s.hi})
		return a + b
	})
	sum := 0
	wrong := t.check(func() { sum = f.Call(span{0, leaves}) })
	if wrong == "" && !quits && sum != 1<<leaves-1 {
		return fmt.Sprintf("the sum is %#x", sum)
	}
	return wrong
}

// parts is a Do of so many functions.
func parts(n int, quits bool, how func(int) error) string {
	t := &tally{began: make([]int, n), quits: quits}
	var fs []func()
	for i := range n {
		fs = append(fs, func() { t.body(i, how) })
	}
	return t.check(func() { par.Do(fs...) })
}

// bare is a loop with two helpers that come again and again: there is nothing but its
// own protocol.
func bare(n int, quits bool, how func(int) error) string {
	t := &tally{began: make([]int, n), quits: quits}
	return t.check(func() {
		call, help := shim.Given["loop"].(func(int, func(lo, hi int) bool) (func() bool, func()))(n, func(lo, hi int) bool {
			for i := lo; i < hi; i++ {
				t.body(i, how)
			}
			return true
		})
		for range 2 {
			shim.Go(func() {
				for range 3 {
					help()
					shim.Gosched()
				}
			})
		}
		call()
	})
}

// lanes is two helpers of a loop, each of which takes a lane that another has left, or
// that is new: no lane has two owners, and the loop knows both.
func lanes() string {
	for _, left := range []bool{false, true} {
		take, all := shim.Given["lanes"].(func(left bool) (func() any, func() []any))(left)
		var wg shim.WaitGroup
		got := make([]any, 2)
		for i := range got {
			wg.Go(func() { got[i] = take() })
		}
		wg.Wait()
		if got[0] == got[1] || !slices.Contains(all(), got[0]) || !slices.Contains(all(), got[1]) {
			return fmt.Sprintf("two have lanes %p and %p, left: %t; the loop knows %p and %p", got[0], got[1], left, all()[0], all()[1])
		}
	}
	return ""
}

// flags is a loop whose flags are set and cleared while a helper joins.
func flags() string {
	set, clear, join, is := shim.Given["flags"].(func() (set, clear, join func(), is func() (shut, parked bool, helpers int)))()
	var wg shim.WaitGroup
	wg.Go(set)
	wg.Go(clear)
	wg.Go(join)
	wg.Wait()
	if shut, parked, helpers := is(); !shut || parked || helpers != 1 {
		return fmt.Sprintf("shut is set: %t, parked: %t, and %d helpers are there, want true, false and 1", shut, parked, helpers)
	}
	return ""
}

// two are calls at once.
func two() string {
	call := func() string { return parts(2, false, nil) }
	return stage.Together(call, call)
}

// shelves is a shelf that three fill and empty at once. Where each begins to look on
// it is chance; but each reaches one half of it, so two of them meet.
func shelves() string {
	const reach = 8
	s := shelf.New[int]()
	var wg shim.WaitGroup
	got := make([][]*int, 3)
	for i := range got {
		wg.Go(func() {
			for range reach {
				s.Put(new(int))
			}
			for range reach {
				got[i] = append(got[i], s.Get())
			}
		})
	}
	wg.Wait()
	seen := make(map[*int]bool)
	for _, v := range slices.Concat(got...) {
		if v != nil && seen[v] {
			return "two have the same value"
		}
		seen[v] = true
	}
	return ""
}

// room is a shelf on which four put fewer values than it has room for within reach of
// each: all are there, for who looks where they did. The second and the fourth begin to
// look at the same place.
func room() string {
	const each = 2
	s := shelf.New[int]()
	var put, over shim.WaitGroup
	got := make([]int, 4)
	put.Add(len(got))
	for i := range got {
		over.Go(func() {
			for range each {
				s.Put(new(int))
			}
			put.Done()
			put.Wait()
			for s.Get() != nil {
				got[i]++
			}
		})
	}
	over.Wait()
	if n := got[0] + got[1] + got[2] + got[3]; n != len(got)*each {
		return fmt.Sprintf("%d values are on the shelf, of %d that were put", n, len(got)*each)
	}
	return ""
}
