// Package n10 has padded shards, a pool of pointers that are reset, and a sort
// without reflection.
package n10

import (
	"bytes"
	"slices"
	"sync"
)

type shard struct {
	mu sync.Mutex
	n  int
	_  [112]byte
}

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func longest(words []string) (n int) {
	words = slices.Clone(words)
	slices.Sort(words)
	for _, w := range words {
		n = max(n, len(w))
	}
	return n
}

func longestSharded(words []string, workers int) (n int) {
	words = slices.Clone(words)
	slices.Sort(words)
	shards := make([]shard, workers)
	var wg sync.WaitGroup
	for w := range workers {
		part := words[len(words)*w/workers : len(words)*(w+1)/workers]
		wg.Go(func() {
			buf := bufs.Get().(*bytes.Buffer)
			own := 0
			for _, word := range part {
				buf.Reset()
				buf.WriteString(word)
				own = max(own, buf.Len())
			}
			buf.Reset()
			bufs.Put(buf)
			s := &shards[w]
			s.mu.Lock()
			s.n = own
			s.mu.Unlock()
		})
	}
	wg.Wait()
	for i := range shards {
		n = max(n, shards[i].n)
	}
	return n
}
