// Package profile writes what is alive.
package profile

import (
	"io"
	"runtime"
	"runtime/pprof"
)

func write(w io.Writer) error {
	runtime.GC() // want "a collection is forced" // refuse "drop: .*"
	return pprof.WriteHeapProfile(w)
}
