// Package goroutine tells goroutines apart, for a nanosecond and a half. It is for
// finding misuse: nothing may depend on it that is not a fault.
package goroutine
