package main

import (
	"fmt"
	"sync"
	"time"
)

func fetch(k int) int {
	time.Sleep(time.Duration(k%5) * 20 * time.Microsecond)
	return k*k + 1
}

func each(n int, f func(w int)) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() { f(w) })
	}
	wg.Wait()
}

func halves(n int, f func(w, lo, hi int)) {
	each(2, func(w int) { f(w, w*n/2, (w+1)*n/2) })
}

func main() {
	for _, n := range []int{0, 1, 2, 100} {
		words := make([]string, 2)
		halves(n, func(w, lo, hi int) {
			for k := lo; k < hi; k++ {
				v := fetch(k)
				if v%3 == 0 {
					continue
				}
				words[w] += fmt.Sprint(v, " ")
			}
		})
		fmt.Println(words)

		keys := make([]int, n)
		for i := range keys {
			keys[i] = 3 * i
		}
		sums := make([]int, 3)
		each(3, func(w int) {
			last := 0
			for _, k := range keys {
				last = fetch(k) - last
			}
			for i := -w; i < n; i++ {
				last = last*3 + fetch(i+3)
			}
			sums[w] = last
		})
		fmt.Println(sums)
	}
}
