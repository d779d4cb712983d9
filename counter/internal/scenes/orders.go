package main

import (
	"fmt"

	"github.com/gopayoff/payoff/counter"
	"github.com/gopayoff/payoff/internal/world/shim"
)

// scenes are numbers that goroutines add to, take and read. Each returns what is wrong.
var scenes = map[string]func() string{
	"adds":  func() string { return adds(3, 2, 0, 0) },
	"takes": func() string { return adds(2, 2, 1, 0) },
	"take2": func() string { return adds(1, 2, 2, 0) },
	"reads": func() string { return adds(2, 2, 0, 2) },
}

// A tally is what was done, as the goroutines that do it tell. The race detector is not
// to see it: it would take it for theirs.
type tally struct {
	begun, returned, taken int64
	wrong                  string
}

//go:norace
func (t *tally) begin() { t.begun++ }

//go:norace
func (t *tally) end() { t.returned++ }

// low is what had returned when a Value begins.
//
//go:norace
func (t *tally) low() int64 { return t.returned }

//go:norace
func (t *tally) read(v, low, last int64) {
	if v < low || v > t.begun || v < last {
		t.wrong = fmt.Sprintf("Value() = %d, want between %d and %d and not below %d", v, low, t.begun, last)
	}
}

//go:norace
func (t *tally) take(n int64) {
	if t.taken += n; n < 0 || t.taken > t.begun {
		t.wrong = fmt.Sprintf("Take() = %d, the last of %d that were taken of %d", n, t.taken, t.begun)
	}
}

// adds is a number to which adders add each many, while takers take twice, and readers
// read as often. Nothing is lost, nothing counts twice, and where nothing takes what is
// read does not fall, nor is it less than what was added before, or more than what will
// be after.
func adds(adders, each, takers, readers int) string {
	var c counter.Int
	var t tally
	var wg shim.WaitGroup
	for range adders {
		wg.Go(func() {
			for range each {
				t.begin()
				c.Inc()
				t.end()
			}
		})
	}
	for range takers {
		wg.Go(func() {
			for range 2 {
				t.take(c.Take())
			}
		})
	}
	for range readers {
		wg.Go(func() {
			last := int64(0)
			for range 2 {
				low := t.low()
				v := c.Value()
				t.read(v, low, last)
				last = v
			}
		})
	}
	wg.Wait()
	return t.check(c.Value(), c.Take(), c.Value())
}

// check is called in the end, with what was left, what was then taken, and what is there
// after that.
//
//go:norace
func (t *tally) check(left, rest, after int64) string {
	switch {
	case t.wrong != "":
		return t.wrong
	case t.taken+left != t.begun || rest != left || after != 0:
		return fmt.Sprintf("of %d that were added %d were taken, then Value() = %d, Take() = %d and Value() = %d", t.begun, t.taken, left, rest, after)
	}
	return ""
}
