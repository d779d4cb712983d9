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
	done := make(chan []int)
	go merged(xs, done)
	fmt.Println(<-done)
	fmt.Println(walk(700), lucky(700))
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

func merged(xs []int, done chan<- []int) {
	if len(xs) < 2 {
		done <- xs
		return
	}
	left := make(chan []int)
	right := make(chan []int)
	go merged(xs[:len(xs)/2], left)
	go merged(xs[len(xs)/2:], right)
	a, b := <-left, <-right
	var out []int
	for len(a) > 0 && len(b) > 0 {
		if a[0] <= b[0] {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	done <- append(append(out, a...), b...)
}

type visit struct {
	wg  sync.WaitGroup
	mu  sync.Mutex
	sum int
}

func (v *visit) node(n int) {
	defer v.wg.Done()
	v.mu.Lock()
	v.sum += n
	v.mu.Unlock()
	for _, k := range []int{2 * n, 2*n + 1} {
		if k < 700 {
			v.wg.Add(1)
			go v.node(k)
		}
	}
}

func walk(n int) int {
	var v visit
	v.wg.Add(1)
	go v.node(1)
	v.wg.Wait()
	return v.sum
}

func numbers(lo, hi int, found chan<- int, wg *sync.WaitGroup) {
	defer wg.Done()
	if hi-lo == 1 {
		if lo%7 == 0 {
			found <- lo
		}
		return
	}
	wg.Add(2)
	go numbers(lo, (lo+hi)/2, found, wg)
	go numbers((lo+hi)/2, hi, found, wg)
}

func lucky(n int) (sum int) {
	found := make(chan int)
	var wg sync.WaitGroup
	wg.Add(1)
	go numbers(0, n, found, &wg)
	go func() {
		wg.Wait()
		close(found)
	}()
	for x := range found {
		sum += x
	}
	return sum
}
