// Package b is told what is collected.
package b

import "runtime"

type file struct{ fd int }

var closed = make(chan int, 8)

func open(fd int) *file {
	f := &file{fd}
	runtime.SetFinalizer(f, func(f *file) { closed <- f.fd })
	return f
}

func drop() int {
	open(3)
	runtime.GC() // want "a collection is forced" // refuse "drop: runtime.SetFinalizer sees or decides"
	return <-closed
}
