//go:build go1.21

// Package old is of a Go whose timers keep what they sent.
package old

import "time"

func drain(in <-chan int) {
	for {
		select {
		case <-in:
		case <-time.After(time.Second): // want "time.After" // refuse "reuse: before Go 1.23 a timer"
			return
		}
	}
}
