// Package goroutine tells goroutines apart, for a nanosecond and a half. It is for
// finding misuse: nothing may depend on it that is not a fault. With the build tag
// goroutines_unknown, for tests, they are told apart nowhere.
package goroutine
