// Package m07 starts as many goroutines as there are documents, each with a
// buffer of its own.
package m07

import (
	"hash/crc32"
	"sync"
	"sync/atomic"
)

const room = 16 << 10

// digest expands a document into buf.
func digest(doc []byte, buf []byte) uint32 {
	n := 0
	for n+len(doc) <= len(buf) {
		n += copy(buf[n:], doc)
	}
	return crc32.ChecksumIEEE(buf[:n])
}

func digests(docs [][]byte) (sum uint32) {
	buf := make([]byte, room)
	for _, doc := range docs {
		sum += digest(doc, buf)
	}
	return sum
}

func digestsAtOnce(docs [][]byte) uint32 {
	var sum atomic.Uint32
	var wg sync.WaitGroup
	for _, doc := range docs {
		wg.Go(func() { // mistake: unbounded goperelem
			buf := make([]byte, room)
			sum.Add(digest(doc, buf))
		})
	}
	wg.Wait()
	return sum.Load()
}
