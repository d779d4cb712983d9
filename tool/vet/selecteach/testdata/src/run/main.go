// Command run receives from several channels, and stops in time.
package main

import "fmt"

// sums receives what several goroutines send.
func sums(n int) (sum, last int) {
	var in [3]chan int
	for k := range in {
		in[k] = make(chan int, 8)
		go func() {
			defer close(in[k])
			for i := range n {
				in[k] <- i<<2 | k
			}
		}()
	}
	open, before := len(in), [3]int{-1, -1, -1}
	take := func(k, v int, ok bool) {
		if !ok {
			in[k] = nil
			open--
			return
		}
		if v>>2 != before[k]+1 {
			fmt.Println("out of order")
		}
		before[k] = v >> 2
		sum += v
	}
	for open > 0 {
		select { // want "each value comes through a select"
		case v, ok := <-in[0]:
			take(0, v, ok)
		case v, ok := <-in[1]:
			take(1, v, ok)
		case v, ok := <-in[2]:
			take(2, v, ok)
		}
	}
	return sum, before[0]
}

// requests answers each, although there are always more.
func requests() (served, bytes int) {
	in, quit := make(chan string, 256), make(chan int)
	for range 200 {
		in <- "abc"
	}
	go func() {
		quit <- 5
		close(in)
	}()
	for {
		select { // want "each value comes through a select"
		case s, ok := <-in:
			if !ok {
				return served, bytes
			}
			bytes += len(s)
		case n := <-quit:
			served += n
		}
	}
}

func main() {
	fmt.Println(sums(1000))
	fmt.Println(sums(0))
	fmt.Println(requests())
}
