// Goldens show the edit direct alone.

// Command run prints what streams compute.
package main

import (
	"fmt"
	"strings"
)

func main() {
	fmt.Println(squaresBelow(500), firstAbove(90))
	for _, n := range []int{0, 1, 2, 63, 64, 65, 500} {
		xs, words, items := make([]int, n), make([]string, n), make([]*item, n)
		for i := range xs {
			xs[i], words[i], items[i] = i*i%97-3, strings.Repeat("w", i%9+1), &item{at: i}
		}
		text, t := strings.Repeat("ab c ", n), grow(n, 0)
		fmt.Println(evens(xs), stages(n), first(words, n%11), lengths(text), pool(n), feed(xs), doubled(xs), both(xs, true))
		fmt.Println(listed(xs), deferred(xs), onward(xs))
		fmt.Println(t.hash(), t.ends(), longest(words), fresh(words), pointers(items))
	}
}

func listed(xs []int) []int {
	c := make(chan []int, 2)
	go func() {
		defer close(c)
		for i := range xs {
			c <- xs[i : i+1] // want "each item crosses c"
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
			c <- x // want "each item crosses c" // refuse "batch: what receives from c may write to what the sender reads"
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
			in <- x // want "each item crosses in and doubled and odd and twice"
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

// A stepper returns a stream, which a stage takes.
type stepper struct{ by int }

func (s stepper) upTo(n int) <-chan int {
	out := make(chan int, 3)
	go func() {
		defer close(out)
		for i := 0; i < n; i += s.by {
			out <- i // want "each item crosses out" // refuse "batch: out is used in another way"
		}
	}()
	return out
}

func squared(in <-chan int) <-chan int {
	out := make(chan int)
	go func() {
		for x := range in {
			if x%3 != 0 {
				out <- x * x // want "each item crosses out" // refuse "batch: out is used in another way"
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
