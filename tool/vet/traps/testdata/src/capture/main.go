// Package main has closures that share variables, functions as values, and
// loops over all there is.
package main

import (
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// outer counts in a variable of the function around, which the loop changes.
func outer(xs []int) (out []int) {
	out = make([]int, len(xs))
	var i int
	var wg sync.WaitGroup
	for i = 0; i < len(xs); i++ {
		k := i
		wg.Add(1)
		go func() {
			defer wg.Done()
			out[k] = xs[k] * xs[k]
		}()
	}
	wg.Wait()
	out[0] = i
	return out
}

// skips changes its variable in the body.
func skips(xs []int) []int {
	out := make([]int, len(xs))
	var wg sync.WaitGroup
	for i := 0; i < len(xs); i++ {
		if xs[i]%3 == 0 {
			i++
			continue
		}
		wg.Go(func() { out[i] = xs[i] + 1 })
	}
	wg.Wait()
	return out
}

// grown goes over a slice that the goroutines do not see grow.
func grown(xs []int) (n int64) {
	var sum atomic.Int64
	var wg sync.WaitGroup
	for i, x := range xs {
		if i < 3 {
			xs = append(xs, 100)
			xs[i] = -1
		}
		wg.Go(func() { sum.Add(int64(x)) })
	}
	wg.Wait()
	return sum.Load() + int64(len(xs))
}

// array goes over a copy.
func array() (n int64) {
	a := [8]int{1, 2, 3, 4, 5, 6, 7, 8}
	var sum atomic.Int64
	var wg sync.WaitGroup
	for i, x := range a {
		a[7-i] = 0
		wg.Add(1)
		go func() { defer wg.Done(); sum.Add(int64(x)) }()
	}
	wg.Wait()
	return sum.Load()
}

func numbers(n int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for i := range n {
			if !yield(i, i*i) {
				return
			}
		}
	}
}

// sequence goes over a function.
func sequence(n int) []int {
	out := make([]int, n)
	var wg sync.WaitGroup
	for i, x := range numbers(n) {
		wg.Go(func() { out[i] = x })
	}
	wg.Wait()
	for i, x := range numbers(n) {
		defer func() { out[i] += x }()
	}
	return slices.Clone(out)
}

// handed starts what a variable holds, which changes.
func handed(xs []int) int64 {
	var n atomic.Int64
	f := func(x int) { n.Add(int64(x)) }
	var wg sync.WaitGroup
	for i, x := range xs {
		wg.Add(1)
		g := f
		go func() {
			defer wg.Done()
			g(x)
		}()
		if i == 5 {
			f = func(x int) { n.Add(int64(-x)) }
		}
	}
	wg.Wait()
	return n.Load()
}

type summer struct{ n atomic.Int64 }

func (s *summer) add(xs ...int) {
	for _, x := range xs {
		s.n.Add(int64(x))
	}
}

// methods starts method values and variadic calls.
func methods(xs []int) int64 {
	s := &summer{}
	var wg sync.WaitGroup
	for i := range xs {
		wg.Add(1)
		add := s.add
		go func(part []int) {
			defer wg.Done()
			add(part...)
		}(xs[i:])
		if i == 2 {
			s = &summer{}
		}
	}
	wg.Wait()
	return s.n.Load()
}

// results come back by name, and one is changed after the wait.
func results(xs []int) (first, second int, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, x := range xs {
			first += x
		}
	}()
	for _, x := range xs {
		second -= x
	}
	<-done
	defer func() { first++ }()
	return first, second, err
}

// late looks at the slice after the loop that goroutines fill.
func late(xs []int) (n int) {
	out := make([]int, 0, len(xs))
	ch := make(chan int, len(xs))
	for _, x := range xs {
		go func() { ch <- x * 2 }()
	}
	for range xs {
		out = append(out, <-ch)
	}
	slices.Sort(out)
	for i, x := range out {
		n += i * x
	}
	return n
}

// stages passes values through two goroutines; a value is changed on the way.
func stages(n int) (got []string) {
	type item struct {
		id   int
		tags []string
	}
	a, b := make(chan *item), make(chan *item, 4)
	go func() {
		defer close(a)
		it := &item{}
		for i := range n {
			it = &item{id: i, tags: append(it.tags, fmt.Sprint(i))}
			a <- it
		}
	}()
	go func() {
		for it := range a {
			it.id *= 10
			b <- it
		}
		close(b)
	}()
	for it := range b {
		got = append(got, fmt.Sprint(it.id, len(it.tags)))
	}
	return got
}

// asks answers each request before the next one.
func asks(n int) (sum int) {
	type ask struct {
		x     int
		reply chan int
	}
	reqs := make(chan ask)
	state := 0
	go func() {
		for r := range reqs {
			state += r.x
			r.reply <- state
		}
	}()
	for i := range n {
		r := ask{i, make(chan int)}
		reqs <- r
		sum += <-r.reply
	}
	close(reqs)
	return sum
}

// workers numbers what it starts by the machine, and tells nobody.
func workers(xs []int) (sum int) {
	n := runtime.NumCPU()
	parts := make([]int, n)
	var wg sync.WaitGroup
	for w := 0; w < n; w++ {
		wg.Add(1)
		go func(w int) {
			defer wg.Done()
			lo, hi := w*len(xs)/n, (w+1)*len(xs)/n
			for _, x := range xs[lo:hi] {
				parts[w] += x
			}
		}(w)
	}
	wg.Wait()
	for _, p := range parts {
		sum += p
	}
	return sum
}

// timed waits for the values of a channel, each for a while.
func timed(n int) (sum, late int) {
	ch := make(chan int, n)
	for i := range n {
		ch <- i
	}
	close(ch)
	limit := time.Minute
	for {
		select {
		case v, ok := <-ch:
			if !ok {
				return sum, late
			}
			sum += v
			limit += time.Duration(v)
		case <-time.After(limit):
			late++
			return sum, late
		}
	}
}

// polled looks until there is something.
func polled(n int) (sum int) {
	ch := make(chan int)
	go func() {
		for i := range n {
			ch <- i
		}
		close(ch)
	}()
	for {
		select {
		case v, ok := <-ch:
			if !ok {
				return sum
			}
			sum += v
		default:
			runtime.Gosched()
		}
	}
}

func main() {
	xs := make([]int, 20)
	for i := range xs {
		xs[i] = i
	}
	fmt.Println(outer(xs), skips(xs), grown(slices.Clone(xs)), array(), sequence(6))
	fmt.Println(handed(xs), methods(xs))
	fmt.Println(results(xs))
	fmt.Println(late(xs), stages(5), asks(10), workers(xs))
	fmt.Println(timed(10))
	fmt.Println(polled(10))
}
