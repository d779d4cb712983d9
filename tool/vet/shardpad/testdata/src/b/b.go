// Package b looks at where things lie.
package b

import (
	"sync/atomic"
	"unsafe"
)

type slot struct{ n atomic.Int64 }

var slots [4]slot // want `elements of slots` // refuse "pad: it is used beside package unsafe"

func _(i int) uintptr {
	slots[i%4].n.Add(1)
	return unsafe.Sizeof(slots[0])
}
