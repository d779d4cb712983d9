// Package a has merges that are well as they are, and some whose order or end
// counts.
package a

import (
	"net/http"
	"sync"
)

var lookups int

func churn(x int) int {
	for range 20 {
		x = x*1103515245 + 12345
	}
	return x
}

func counted(x int) int {
	for range 20 {
		x++
		lookups++
	}
	return x
}

// The request is what takes time.
func pages(urls []string, n int) (all []*http.Response) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, u := range urls[w:] {
				p, err := http.Get(u)
				if err != nil {
					continue
				}
				mu.Lock()
				all = append(all, p)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return all
}

// Once a goroutine, and more than one.
func chunks(xs []int, n int) (all []int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			own := []int{}
			for _, x := range xs[w:] {
				own = append(own, churn(x))
			}
			mu.Lock()
			all = append(all, own...)
			mu.Unlock()
		})
	}
	wg.Wait()
	return all
}

// Not all have a result.
func some(xs []int) []int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var out []int
	var odd []int
	for _, x := range xs {
		wg.Go(func() {
			if x < 0 {
				return
			}
			mu.Lock()
			out = append(out, x)
			mu.Unlock()
		})
		wg.Go(func() {
			if x%2 != 0 {
				mu.Lock()
				odd = append(odd, x)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return append(out, odd...)
}

// Somebody looks at how far it is.
func watched(xs []int) []int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var out []int
	for _, x := range xs {
		wg.Go(func() {
			mu.Lock()
			out = append(out, x)
			mu.Unlock()
		})
		mu.Lock()
		println(len(out))
		mu.Unlock()
	}
	wg.Wait()
	return out
}

// The index means something else, and the slice is not empty.
func names(xs []int, n int) ([]int, []int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var out []int
	for i, x := range xs {
		wg.Go(func() {
			i := churn(i)
			mu.Lock()
			out = append(out, x+i)
			mu.Unlock()
		})
	}
	more := []int{n}
	for _, x := range xs {
		wg.Go(func() {
			mu.Lock()
			more = append(more, x)
			mu.Unlock()
		})
	}
	wg.Wait()
	return out, more
}

func send(xs []int, ch chan int, wg *sync.WaitGroup) {
	for _, x := range xs {
		wg.Go(func() { ch <- x })
	}
	go func() { wg.Wait(); close(ch) }()
}

// What is done with the values has a state, or is done with some of them.
func states(xs []int) (total int) {
	ch := make(chan int)
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Go(func() { ch <- x })
	}
	go func() { wg.Wait(); close(ch) }()
	for x := range ch {
		total += counted(x)
	}
	return total
}

func positive(xs []int) (total int) {
	ch := make(chan int)
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Go(func() { ch <- x })
	}
	go func() { wg.Wait(); close(ch) }()
	for x := range ch {
		if x > 0 {
			total += churn(x)
		}
	}
	return total
}

// Adding up is no work.
func adds(xs []int) (total int) {
	ch := make(chan int)
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Go(func() { ch <- x })
	}
	go func() { wg.Wait(); close(ch) }()
	for x := range ch {
		total += x
	}
	return total
}

// Only some start a goroutine.
func started(xs []int) []int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var out []int
	for i, x := range xs {
		if x < 0 {
			continue
		}
		wg.Go(func() {
			mu.Lock()
			out = append(out, x*i)
			mu.Unlock()
		})
	}
	wg.Wait()
	return out
}
