// Package tags has a pool that a file which is not built uses as well.
package tags

import "sync"

var buffers = sync.Pool{New: func() any { return make([]byte, 0, 512) }}

func use(s string) int {
	b := buffers.Get().([]byte)[:0]
	b = append(b, s...)
	n := len(b)
	buffers.Put(b) // want "buffers.Put gets a value" // refuse "pointer: tags_never.go, which this build leaves out, uses buffers"
	return n
}
