// Command run prints what streams compute.
package main

import (
	"fmt"
	"strings"
	"sync"
)

func main() {
	fmt.Println(squaresBelow(500), firstAbove(90))
	for _, n := range []int{0, 1, 2, 63, 64, 65, 500} {
		xs := make([]int, n)
		for i := range xs {
			xs[i] = i*i%97 - 3
		}
		fmt.Println(evens(xs), stages(n), first(xs), lengths(strings.Repeat("ab c ", n)), pool(n), feed(xs), listed(xs), deferred(xs), onward(xs), leaves(n), twoWalks(n), within(n), buffered(n, n%7))
	}
}

func evens(xs []int) (out []int) {
	c := make(chan int)
	go func() {
		defer close(c)
		for _, x := range xs {
			if x%2 == 0 {
				c <- x
			}
		}
	}()
	for x := range c {
		out = append(out, x)
	}
	return out
}

func stages(n int) (total int) {
	in, out := make(chan int), make(chan int, 3)
	go func() {
		in <- -1
		for i := range n {
			in <- i
		}
		close(in)
	}()
	go func() {
		for i := range in {
			out <- i * 3
		}
		close(out)
	}()
	for v := range out {
		total = total*7%10007 + v
	}
	return total
}

func first(xs []int) int {
	c := make(chan int)
	go func() {
		defer close(c)
		for _, x := range xs {
			c <- x
		}
	}()
	for x := range c {
		if x%5 != 0 {
			continue
		}
		if x > 60 {
			return x
		}
	}
	return -1
}

func words(s string, emit func(string)) {
	for w := range strings.FieldsSeq(s) {
		emit(w)
	}
}

func lengths(s string) (n int) {
	c := make(chan string)
	go func() {
		defer close(c)
		words(s, func(w string) { c <- w })
	}()
	for w := range c {
		n = n*2%1009 + len(w)
	}
	return n
}

func pool(n int) (total int) {
	jobs, results := make(chan int), make(chan int, 4)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for i := range jobs {
				results <- i * i
			}
		})
	}
	go func() {
		for i := range n {
			jobs <- i
		}
		close(jobs)
		wg.Wait()
		close(results)
	}()
	for v := range results {
		total += v
	}
	return total
}

func feed(xs []int) (total int) {
	jobs := make(chan int)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range jobs {
				mu.Lock()
				total += xs[i]
				mu.Unlock()
			}
		}()
	}
	for i := range xs {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
	return total
}

func listed(xs []int) []int {
	c := make(chan []int, 2)
	go func() {
		defer close(c)
		for i := range xs {
			c <- xs[i : i+1]
		}
	}()
	var out []int
	for x := range c {
		out = append(out, x...)
	}
	return out
}

func deferred(xs []int) (log []string) {
	c := make(chan int)
	go func() {
		defer close(c)
		for _, x := range xs {
			c <- x
		}
	}()
	defer func() { log = append(log, fmt.Sprint(len(log))) }()
	for x := range c {
		if x == 1 {
			defer func() { log = append(log, fmt.Sprint("one", x)) }()
		}
		if x == 33 {
			return
		}
	}
	return log
}

func onward(xs []int) (out []int) {
	in, doubled, odd, twice := make(chan int), make(chan int, 2), make(chan int), make(chan int)
	go func() {
		for _, x := range xs {
			in <- x
		}
		close(in)
	}()
	go func() {
		defer close(doubled)
		for x := range in {
			doubled <- 2 * x
		}
	}()
	go func() {
		defer close(odd)
		for x := range doubled {
			if x%3 == 0 {
				continue
			}
			odd <- x
		}
	}()
	go func() {
		defer close(twice)
		for x := range odd {
			twice <- x
			twice <- -x
		}
	}()
	for x := range twice {
		out = append(out, x)
	}
	return out
}

type tree struct {
	left, right *tree
	value       int
}

func grow(n, from int) *tree {
	if n <= 0 {
		return nil
	}
	return &tree{grow(n/2, from), grow(n-n/2-1, from+n/2+1), from + n/2}
}

func (t *tree) walk(yield func(int)) {
	if t == nil {
		return
	}
	t.left.walk(yield)
	yield(t.value)
	t.right.walk(yield)
}

func leaves(n int) (h int) {
	values := make(chan int)
	t := grow(n, 0)
	go func() {
		defer close(values)
		t.walk(func(v int) { values <- v })
	}()
	for v := range values {
		if v%11 == 3 {
			continue
		}
		h = (h*31 + v) % 10007
	}
	return h
}

func (t *tree) framed(between, yield func(int)) {
	between(-1)
	t.walk(yield)
	between(-2)
}

func twoWalks(n int) (h int) {
	values := make(chan int)
	t := grow(n, 0)
	go func() {
		defer close(values)
		t.walk(func(v int) { values <- v })
		values <- 5000
		t.framed(func(v int) { values <- v }, func(v int) { values <- v * 2 })
	}()
	for v := range values {
		h = (h*31 + v + 10007) % 10007
	}
	return h
}

// within receives as a part of what it computes.
func within(n int) (sum int) {
	values := make(chan int, 16)
	go func() {
		for i := range n {
			values <- i * 3
		}
	}()
	for range n {
		sum += min(<-values, 100)
	}
	return sum
}

// A buffer whose size is not a constant.
func buffered(n, room int) (total int) {
	c := make(chan int, room)
	go func() {
		for i := range n {
			c <- i * i
		}
	}()
	for range n {
		total += <-c
	}
	return total
}

// A stepper returns a stream, which a stage takes.
type stepper struct{ by int }

func (s stepper) upTo(n int) <-chan int {
	out := make(chan int, 3)
	go func() {
		defer close(out)
		for i := 0; i < n; i += s.by {
			out <- i
		}
	}()
	return out
}

func squared(in <-chan int) <-chan int {
	out := make(chan int)
	go func() {
		for x := range in {
			if x%3 != 0 {
				out <- x * x
			}
		}
		close(out)
	}()
	return out
}

func squaresBelow(n int) (all []int) {
	for x := range squared(stepper{7}.upTo(n)) {
		all = append(all, x)
	}
	return all
}

func firstAbove(n int) int {
	numbers := stepper{2}.upTo(1000)
	for x := range squared(numbers) {
		if x > n {
			return x
		}
	}
	return -1
}
