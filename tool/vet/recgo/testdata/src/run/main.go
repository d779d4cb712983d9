// Command run prints what recursions compute.
package main

import (
	"fmt"
	"sync"
)

// It stays when all groups are gone.
var once sync.Once

func main() {
	xs := make([]int, 3000)
	for i := range xs {
		xs[i] = i * 7919 % 3001
	}
	for _, n := range []int{0, 1, 2, 3, 255, 256, 257, 3000} {
		s := append([]int(nil), xs[:n]...)
		sortHalves(s)
		fmt.Println(n, s)
		if n > 0 {
			fmt.Println(largest(xs[:n]))
		}
		q := append([]int(nil), xs[:n]...)
		quick(q, 0, len(q)-1)
		fmt.Println(q)
	}
	for n := range 18 {
		fmt.Println(fib(n))
	}
	fmt.Println(between(3, 2000))
}

func sortHalves(s []int) {
	if len(s) < 2 {
		return
	}
	mid := len(s) / 2
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		sortHalves(s[:mid])
		wg.Done()
	}()
	go func() {
		sortHalves(s[mid:])
		wg.Done()
	}()
	wg.Wait()
	for i := range s {
		for j := i; j > 0 && s[j] < s[j-1]; j-- {
			s[j], s[j-1] = s[j-1], s[j]
		}
	}
}

func largest(xs []int) int {
	if len(xs) == 1 {
		return xs[0]
	}
	var left int
	var wg sync.WaitGroup
	wg.Go(func() { left = largest(xs[:len(xs)/2]) })
	right := largest(xs[len(xs)/2:])
	wg.Wait()
	return max(left, right)
}

func quick(xs []int, lo, hi int) {
	if lo >= hi {
		return
	}
	p := lo
	for i := lo; i < hi; i++ {
		if xs[i] < xs[hi] {
			xs[i], xs[p] = xs[p], xs[i]
			p++
		}
	}
	xs[p], xs[hi] = xs[hi], xs[p]
	done := make(chan struct{})
	go func() {
		defer close(done)
		quick(xs, lo, p-1)
	}()
	quick(xs, p+1, hi)
	<-done
}

func fib(n int) int {
	if n < 2 {
		return n
	}
	c := make(chan int, 1)
	go func() { c <- fib(n - 1) }()
	b := fib(n - 2)
	return <-c + b
}

func between(lo, hi int) int {
	if hi-lo == 1 {
		return lo * lo % 1001
	}
	mid := (lo + hi) / 2
	var a, b int
	var wg sync.WaitGroup
	wg.Go(func() { a = between(lo, mid) })
	wg.Go(func() { b = between(mid, hi) })
	wg.Wait()
	return a*31 + b
}
