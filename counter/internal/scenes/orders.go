package main

import (
	"fmt"

	"github.com/gopayoff/payoff/counter"
	"github.com/gopayoff/payoff/internal/world/shim"
)

// scenes are numbers with those who add, take and read. Each returns what is wrong.
var scenes = map[string]func() string{
	"adds":  func() string { return adds(3, 2, 0, 0) },
	"takes": func() string { return adds(2, 2, 1, 0) },
	"take2": func() string { return adds(1, 2, 2, 0) },
	"reads": func() string { return adds(2, 2, 0, 2) },
}

// adds is a number to which adders add each many, while takers take twice, and readers
// read as often. Nothing is lost, nothing counts twice, and where nobody takes what is
// read does not fall, nor is it less than what was added before, or more than what will
// be after.
func adds(adders, each, takers, readers int) (wrong string) {
	var c counter.Int
	var wg shim.WaitGroup
	begun, returned, taken := int64(0), int64(0), int64(0)
	for range adders {
		wg.Go(func() {
			for range each {
				begun++
				c.Inc()
				returned++
			}
		})
	}
	for range takers {
		wg.Go(func() {
			for range 2 {
				n := c.Take()
				if taken += n; n < 0 || taken > begun {
					wrong = fmt.Sprintf("Take() = %d, the last of %d that were taken of %d", n, taken, begun)
				}
			}
		})
	}
	for range readers {
		wg.Go(func() {
			last := int64(0)
			for range 2 {
				low := returned
				v := c.Value()
				if v < low || v > begun || v < last {
					wrong = fmt.Sprintf("Value() = %d, want between %d and %d and not below %d", v, low, begun, last)
				}
				last = v
			}
		})
	}
	wg.Wait()
	if wrong != "" {
		return wrong
	}
	if got, want := taken+c.Value(), int64(adders*each); got != want {
		return fmt.Sprintf("%d was taken, and Value() = %d, want %d in all", taken, c.Value(), want)
	}
	if taken += c.Take(); taken != begun || c.Value() != 0 {
		return fmt.Sprintf("%d was taken in the end, of %d, and Value() = %d", taken, begun, c.Value())
	}
	return ""
}
