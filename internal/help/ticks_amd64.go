//go:build gc

package help

// ticks reads the time-stamp counter, in a third of the time of a look at the clock.
func ticks() int64
