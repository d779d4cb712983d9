package a

import (
	"bytes"
	"sync"
	"sync/atomic"
)

func digests(docs [][]byte) uint32 {
	var sum atomic.Uint32
	var wg sync.WaitGroup
	for _, doc := range docs {
		wg.Go(func() { // want "goroutines start for all elements at once"
			buf := make([]byte, 1<<20)
			n := copy(buf, doc)
			sum.Add(uint32(bytes.Count(buf[:n], doc[:1])))
		})
	}
	wg.Wait()
	return sum.Load()
}

// By index, with a name again, and a body that returns.
func sorted(rows [][]int) {
	var wg sync.WaitGroup
	for i := range rows {
		i := i
		wg.Add(1)
		go func() { // want "goroutines start"
			defer wg.Done()
			if len(rows[i]) == 0 {
				return
			}
			for j := range rows[i] {
				rows[i][j] *= 2
			}
		}()
	}
	wg.Wait()
}
