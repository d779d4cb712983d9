package main

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/internal/world/shim"
	"github.com/gopayoff/payoff/par"
)

// orders are calls that are run in many orders of their steps. Each returns what
// is wrong.
var orders = map[string]func() string{
	"fork":        func() string { return forks(4, nil) },
	"forkPanic1":  func() string { return forks(4, ends(0, boom)) },
	"forkPanic2":  func() string { return forks(4, ends(3, boom)) },
	"forkPanics":  func() string { return forks(2, func(int) { panic(errBoom) }) },
	"forkGoexit1": func() string { return forks(4, ends(0, runtime.Goexit)) },
	"forkGoexit2": func() string { return forks(4, ends(2, runtime.Goexit)) },
	"loop":        func() string { return parts(4, nil) },
	"loopPanic":   func() string { return parts(4, ends(1, boom)) },
	"loopPanics":  func() string { return parts(3, func(int) { panic(errBoom) }) },
	"loopGoexit":  func() string { return parts(4, ends(2, runtime.Goexit)) },
	"two":         two,
}

var errBoom = errors.New("boom")

func boom() { panic(errBoom) }

// ends returns what ends body i.
func ends(i int, how func()) func(int) {
	return func(j int) {
		if i == j {
			how()
		}
	}
}

// A tally counts what bodies did, in words that are no atomics: a race between a
// body and what comes before or after the call shows.
type tally struct {
	began []int
	over  bool
	slow  byte
}

// body is the i'th. Others may come while it runs.
func (t *tally) body(i int, how func(int)) {
	if t.over {
		panic("a body runs after the call")
	}
	t.began[i]++
	world.Step(&t.slow)
	if how != nil {
		how(i)
	}
	world.Step(&t.slow)
}

// check runs call, of which how may end bodies, and says what is wrong then.
func (t *tally) check(call func(), how func(int)) string {
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
	for i, n := range t.began {
		if n > 1 || n == 0 && how == nil {
			return fmt.Sprintf("body %d ran %d times", i, n)
		}
	}
	switch {
	case !out:
		return "the call is not over"
	case how == nil && (!returned || value != nil):
		return fmt.Sprintf("the call did not return: %v", value)
	case how != nil && returned:
		return "a body did not return, and the call did"
	case how != nil && value != nil && !isBoom(value):
		return fmt.Sprintf("%v came out", value)
	}
	return ""
}

func isBoom(v any) bool {
	err, ok := v.(error)
	return ok && errors.Is(err, errBoom)
}

// forks is a call of a Func with so many leaves.
func forks(leaves int, how func(int)) string {
	t := &tally{began: make([]int, leaves)}
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
	wrong := t.check(func() { sum = f.Call(span{0, leaves}) }, how)
	if wrong == "" && how == nil && sum != 1<<leaves-1 {
		return fmt.Sprintf("the sum is %#x", sum)
	}
	return wrong
}

// parts is a Do of so many functions.
func parts(n int, how func(int)) string {
	t := &tally{began: make([]int, n)}
	var fs []func()
	for i := range n {
		fs = append(fs, func() { t.body(i, how) })
	}
	return t.check(func() { par.Do(fs...) }, how)
}

// two are calls at once.
func two() string {
	var wg shim.WaitGroup
	wrong := make([]string, 2)
	for i := range 2 {
		wg.Go(func() {
			wrong[i] = parts(2, nil)
		})
	}
	wg.Wait()
	return wrong[0] + wrong[1]
}
