// Program counts prints what was counted.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

var counts sync.Map

func count(words []string) {
	for _, w := range words {
		for {
			old, loaded := counts.LoadOrStore(w, 1)
			if !loaded || counts.CompareAndSwap(w, old, old.(int)+1) {
				break
			}
		}
	}
}

// Counters are counted up apart.
type tally struct{ m sync.Map }

func (t *tally) all(words []string) {
	for _, w := range words {
		n, _ := t.m.LoadOrStore(w, new(atomic.Int64))
		n.(*atomic.Int64).Add(2)
	}
}

func tallies() {
	var t tally
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { t.all([]string{"x", "y", "x"}) })
	}
	wg.Wait()
	for _, k := range []string{"x", "y", "z"} {
		if n, ok := t.m.Load(k); ok {
			fmt.Println(k, n.(*atomic.Int64).Load())
		}
	}
}

func main() {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { count([]string{"a", "b", "a", "c"}) })
	}
	wg.Wait()
	sum := 0
	counts.Range(func(w, n any) bool {
		fmt.Print(w.(string) == "a" && n.(int) != 8)
		sum += n.(int) * int(w.(string)[0])
		return true
	})
	fmt.Println(sum)
	tallies()
}
