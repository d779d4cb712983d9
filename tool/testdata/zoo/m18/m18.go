// Package m18 counts in one map behind one lock, word by word.
package m18

import "sync"

func count(words []string) int {
	n := map[string]int{}
	for _, w := range words {
		n[w]++
	}
	return len(n)
}

func countLocked(words []string, workers int) int {
	var mu sync.Mutex
	n := map[string]int{}
	var wg sync.WaitGroup
	for w := range workers {
		part := words[len(words)*w/workers : len(words)*(w+1)/workers]
		wg.Go(func() {
			for _, word := range part {
				mu.Lock() // mistake: sharedacc
				n[word]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return len(n)
}
