// Package main has slices with room behind them that others see.
package main

import (
	"fmt"
	"slices"
	"sort"
	"sync"
)

// shared appends to a slice of a backing array that the caller keeps looking at.
func shared(xs []int) ([]int, []int) {
	room := make([]int, 3, 100)
	head := room[:1]
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			head = append(head, x*x)
			mu.Unlock()
		}()
	}
	wg.Wait()
	sort.Ints(head[1:])
	seen := slices.Clone(room[:3])
	sort.Ints(seen)
	return head, seen[:1]
}

// given appends to what it was given, which has more behind it.
func given(out []int, xs []int) []int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range xs {
		wg.Go(func() {
			v := xs[i] + 1
			mu.Lock()
			defer mu.Unlock()
			out = append(out, v)
		})
	}
	wg.Wait()
	return out
}

// received appends what comes over a channel to a slice with room.
func received(back []int, xs []int) []int {
	ch := make(chan int)
	go func() {
		defer close(ch)
		for _, x := range xs {
			ch <- x
		}
	}()
	out := back[:0]
	for v := range ch {
		out = append(out, v*2)
	}
	return out
}

// twice has two slices on one array: the second append overwrites.
func twice(xs []int) (a, b []int) {
	base := make([]int, 0, 64)
	for _, x := range xs {
		a = append(base, x)
		b = append(base, -x)
	}
	return a, b
}

// grows returns a slice at each step that the next append may overwrite.
func grows(xs []int) (all [][]int) {
	var run []int
	for _, x := range xs {
		run = append(run, x)
		all = append(all, run)
	}
	for i := range all {
		if i > 0 {
			all[i][0]++
		}
	}
	return all
}

// kept keeps the buffer of each turn.
func kept(xs []int) (all [][]byte) {
	for _, x := range xs {
		buf := make([]byte, 0, 8)
		buf = append(buf, byte('a'+x%26))
		all = append(all, buf)
	}
	return all
}

// filtered filters in place.
func filtered(xs []int) []int {
	out := xs[:0]
	for _, x := range xs {
		if x%2 == 0 {
			out = append(out, x)
		}
	}
	return out
}

// isnil tells whether anything was appended.
func isnil(xs []int) bool {
	var out []int
	for _, x := range xs {
		if x > 1000 {
			out = append(out, x)
		}
	}
	return out == nil
}

// capped depends on the capacity.
func capped(xs []int) (n int) {
	var out []int
	for _, x := range xs {
		out = append(out, x)
		if cap(out) == len(out) {
			n++
		}
	}
	return n
}

// self appends a slice to itself while it goes over it.
func self(xs []int) []int {
	out := slices.Clone(xs)
	for _, x := range out {
		if x > 2 {
			out = append(out, x-2)
		}
	}
	return out
}

// sums adds what goroutines make, in slots that two share.
func sums(xs []int, n int) []int {
	slots := make([]int, n)
	views := slots[:n:n]
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for i := w; i < len(xs); i += n {
				slots[w] += xs[i]
				if views[w] > 10 {
					slots[w]--
				}
			}
		})
	}
	wg.Wait()
	return slots
}

func main() {
	xs := make([]int, 20)
	for i := range xs {
		xs[i] = i
	}
	fmt.Println(shared(xs))
	back := make([]int, 40)
	got := given(back[:2], xs)
	n := 0
	for _, x := range back {
		n += x
	}
	sort.Ints(got)
	fmt.Println(got, n)
	back = make([]int, 40)
	fmt.Println(received(back[3:], xs), back)
	fmt.Println(twice(xs))
	fmt.Println(grows(xs[:6]))
	fmt.Printf("%s\n", kept(xs))
	ys := slices.Clone(xs)
	fmt.Println(filtered(ys), ys)
	fmt.Println(isnil(xs), isnil(nil), capped(xs[:1]) > 0, self(xs))
	fmt.Println(sums(xs, 4))
}
