// Package owner finds goroutines that own data and answer requests one by one.
package owner

const doc = "find goroutines that own data and answer requests one by one\n\nA lock costs less than the hand-overs of a request."
