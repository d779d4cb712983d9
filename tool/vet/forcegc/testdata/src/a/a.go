// Package a tidies up.
package a

import "runtime"

func batches(xs []int) (n int) {
	for _, x := range xs {
		n += len(make([]int, x&0xff))
		runtime.GC() // want "a collection is forced"
	}
	return n
}

func last(xs []int) int {
	defer runtime.GC() // want "a collection is forced"
	return len(xs)
}

func background() {
	go runtime.GC() // want "a collection is forced" // refuse "drop: the call is no statement of its own"
}

func value() func() {
	return runtime.GC
}

// It is there to collect.
func collect() error {
	runtime.GC() // want "a collection is forced" // refuse "drop: it is all that the function does"
	return nil
}

var collects bool

// hooked collects where a test asks for it.
func hooked(xs []int) (n int) {
	if collects {
		runtime.GC() // want "a collection is forced" // refuse "drop: a condition is there for it"
	}
	return len(xs)
}
