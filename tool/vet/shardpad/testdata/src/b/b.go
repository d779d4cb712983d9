// Package b looks at where things lie.
package b

import (
	"sync/atomic"
	"unsafe"
)

type slot struct{ n atomic.Int64 } // want `elements of slots` // refuse "pad: it is used beside package unsafe"

var slots [4]slot

func _(i int) uintptr {
	slots[i%4].n.Add(1)
	return unsafe.Sizeof(slots[0])
}
