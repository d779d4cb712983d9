package main

import (
	"fmt"
	"time"
)

func work(seed int) int {
	x := uint64(seed)*2 + 1
	for range 100 {
		x ^= x << 13
		x ^= x >> 7
	}
	return int(x >> 33)
}

func stages(n, room int) int {
	a, b := make(chan int, room), make(chan int, room)
	go func() {
		for i := range n {
			a <- i
		}
		close(a)
	}()
	go func() {
		for v := range a {
			if v%7 == 0 {
				continue
			}
			b <- work(v)
		}
		close(b)
	}()
	total, most := 0, 0
	for v := range b {
		total += v
		most = max(most, v)
	}
	return total ^ most
}

func slow(v int) int {
	time.Sleep(10 * time.Microsecond)
	return work(v)
}

func answered(n int) (total int) {
	in, out := make(chan int), make(chan int)
	go func() {
		for i := range n {
			in <- i
		}
		close(in)
	}()
	go func() {
		defer close(out)
		for v := range in {
			out <- slow(v)
		}
	}()
	for v := range out {
		total += v
	}
	return total
}

func main() {
	for _, n := range []int{0, 1, 2, 100} {
		fmt.Println(stages(n, 0), stages(n, 4), answered(n))
	}
}
