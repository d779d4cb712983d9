// Package m12 puts slices into a pool, which allocates for each.
package m12

import "sync"

const size = 256

var bufs = sync.Pool{New: func() any { return make([]byte, size) }}

func work(buf []byte, k int) int {
	buf[k%size] = byte(k)
	return int(buf[k%size])
}

func fill(keys []int) (total int) {
	buf := make([]byte, size)
	for _, k := range keys {
		total += work(buf, k)
	}
	return total
}

func fillPooled(keys []int) (total int) {
	for _, k := range keys {
		buf := bufs.Get().([]byte)
		total += work(buf, k)
		bufs.Put(buf) // mistake: poolvalue
	}
	return total
}
