// Package main leaves loops in all ways there are.
package main

import (
	"errors"
	"fmt"
	"os"
	"sort"
	"sync"
	"sync/atomic"
)

// early returns from a goroutine's loop.
func early(xs []int, n int) []int {
	slots := make([]int, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs {
				if x == w+3 {
					return
				}
				slots[w] += x
			}
		})
	}
	wg.Wait()
	return slots
}

// labelled breaks and continues by labels.
func labelled(xs []int, n int) []int {
	slots := make([]int, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
		outer:
			for _, x := range xs {
				for y := range x {
					if y == w {
						continue outer
					}
					if x+y > 20 {
						break outer
					}
					slots[w] += y
				}
			}
		}()
	}
	wg.Wait()
	return slots
}

// gone jumps.
func gone(xs []int, n int) []int {
	slots := make([]int, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			i := 0
		again:
			for ; i < len(xs); i++ {
				slots[w] += xs[i]
				if i == w {
					i += 2
					goto again
				}
			}
		})
	}
	wg.Wait()
	return slots
}

// rescued looks at the slots after a panic in the loop.
func rescued(xs []int, n int) []int {
	slots := make([]int, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer func() {
				if recover() != nil {
					slots[w] = -slots[w]
				}
			}()
			for i := range xs {
				slots[w] += 10 / (xs[i] - w - 5)
			}
		}()
	}
	wg.Wait()
	return slots
}

// rescuedBelow has the panic and the sum in another function.
type acc struct{ n, calls int }

func (a *acc) add(xs []int, k int) {
	for _, x := range xs {
		a.calls++
		a.n += 100 / (x - k)
	}
}

func rescuedBelow(xs []int, n int) []acc {
	slots := make([]acc, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			defer func() { recover() }()
			slots[w].add(xs, w+7)
		})
	}
	wg.Wait()
	return slots
}

// atomics are read by a deferred call, and after a panic.
func atomics(xs []int) (total, seen int64) {
	var sum atomic.Int64
	func() {
		defer func() {
			recover()
			seen = sum.Load()
		}()
		for _, x := range xs {
			sum.Add(int64(x))
			if x == 9 {
				panic("nine")
			}
		}
	}()
	return sum.Load(), seen
}

var errOdd = errors.New("odd")

// firstError starts goroutines that may fail; the loop ends early.
func firstError(xs []int) (n int, err error) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, x := range xs {
		if x == 15 {
			break
		}
		wg.Add(1)
		go func(x int) {
			defer wg.Done()
			if x%2 == 1 {
				mu.Lock()
				err = errOdd
				mu.Unlock()
				return
			}
			mu.Lock()
			n += x
			mu.Unlock()
		}(x)
	}
	wg.Wait()
	return n, err
}

// deferred defers in a loop, with arguments of the turn.
func deferred(names []string) (out []string) {
	var mu sync.Mutex
	func() {
		for i, name := range names {
			mu.Lock()
			mu.Unlock()
			defer func() { out = append(out, fmt.Sprint(i, name)) }()
			if name == "stop" {
				return
			}
		}
		out = append(out, "end")
	}()
	return out
}

// files opens and closes in a loop that may return.
func files(names []string) (n int, err error) {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return n, err
		}
		defer f.Close()
		n++
	}
	return n, nil
}

// halves recurses with goroutines and may panic below.
func halves(xs []int) (n int) {
	if len(xs) == 1 {
		return xs[0]
	}
	if len(xs) == 0 {
		return 0
	}
	m := len(xs) / 2
	var l, r int
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		l = halves(xs[:m])
	}()
	r = halves(xs[m:])
	wg.Wait()
	return l*2 - r
}

// failing recurses; errors come over a channel.
func failing(xs []int) error {
	if len(xs) == 0 {
		return nil
	}
	if len(xs) == 1 {
		if xs[0] == 13 {
			return errOdd
		}
		return nil
	}
	m := len(xs) / 2
	errs := make(chan error, 1)
	go func() { errs <- failing(xs[:m]) }()
	if err := failing(xs[m:]); err != nil {
		return err
	}
	return <-errs
}

// sends leaves the receiving loop early.
func sends(xs []int) (sum int) {
	ch := make(chan int, len(xs))
	go func() {
		for _, x := range xs {
			ch <- x * x
		}
		close(ch)
	}()
	for v := range ch {
		if v > 50 {
			return sum
		}
		sum += v
	}
	return -sum
}

// producer stops by itself, and says so.
func producer(xs []int) (sum int, last string) {
	ch := make(chan int)
	go func() {
		defer close(ch)
		for i, x := range xs {
			switch {
			case x == 3:
				continue
			case x > 11:
				last = fmt.Sprint("at ", i)
				return
			}
			ch <- x
		}
	}()
	for v := range ch {
		sum += v
	}
	return sum, last
}

func main() {
	xs := make([]int, 20)
	for i := range xs {
		xs[i] = i
	}
	fmt.Println(early(xs, 4), labelled(xs, 4), gone(xs, 4), rescued(xs, 4))
	fmt.Println(rescuedBelow(xs, 3))
	fmt.Println(atomics(xs))
	fmt.Println(firstError(xs))
	fmt.Println(deferred([]string{"a", "b", "stop", "c"}), deferred([]string{"a", "b"}))
	n, err := files([]string{os.DevNull, os.DevNull, "/none", os.DevNull})
	fmt.Println(n, err != nil)
	fmt.Println(halves(xs), failing(xs), failing(xs[:10]))
	fmt.Println(sends(xs))
	fmt.Println(producer(xs))
	by := []float64{2, 1}
	sort.Float64s(by)
	fmt.Println(by)
}
