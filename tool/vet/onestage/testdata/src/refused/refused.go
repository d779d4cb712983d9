package refused

import (
	"bufio"
	"fmt"
	"os"
	"sync"
	"time"
)

func work(seed int) int {
	x := uint64(seed)*2 + 1
	for range 1000 {
		x ^= x << 13
	}
	return int(x >> 33)
}

func add(in <-chan int) (total int) {
	for v := range in {
		total += v
	}
	return total
}

// The list has the items in their order.
func list(in <-chan int) (all []int) {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the order of what out brings may matter: what takes them changes all"
			out <- work(v)
		}
		close(out)
	}()
	for v := range out {
		all = append(all, v)
	}
	return all
}

// The last one wins.
func last(in <-chan int) (v int) {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the order of what out brings may matter: the last item is kept"
			out <- work(v)
		}
		close(out)
	}()
	for v = range out {
	}
	return v
}

type pair struct{ i, v int }

// Two may have the same index.
func stored(in <-chan pair, n int) []int {
	out, all := make(chan pair), make([]int, n)
	go func() {
		for p := range in { // want "one goroutine" // refuse "workers: the order of what out brings may matter: what takes them changes all.p.i."
			out <- pair{p.i, work(p.v)}
		}
		close(out)
	}()
	for p := range out {
		all[p.i] = p.v
	}
	return all
}

// The last digits of a sum of floating point numbers depend on the order.
func mean(in <-chan int) (sum float64) {
	out := make(chan float64)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the order of what out brings may matter: what takes them changes sum"
			out <- float64(work(v))
		}
		close(out)
	}()
	for v := range out {
		sum += v
	}
	return sum
}

func running(in <-chan int) (peak int) {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the order of what out brings may matter: what takes them looks at sum, which it changes"
			out <- work(v)
		}
		close(out)
	}()
	sum := 0
	for v := range out {
		sum += v
		peak |= sum
	}
	return peak
}

var seen int

func soFar() int { return seen }

func behind(in <-chan int) (peak int) {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the order of what out brings may matter: what takes them looks at seen, which it changes"
			out <- work(v)
		}
		close(out)
	}()
	for v := range out {
		seen += v
		peak |= soFar()
	}
	return peak
}

func both(in <-chan int) (x int) {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the order of what out brings may matter: what takes them changes x"
			out <- work(v)
		}
		close(out)
	}()
	for v := range out {
		x += v
		x *= v
	}
	return x
}

func stopped(in <-chan int) (total int) {
	out := make(chan int, 100)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the order of what out brings may matter: what takes them may stop"
			out <- work(v)
		}
		close(out)
	}()
	for v := range out {
		if total += v; total > 100 {
			break
		}
	}
	return total
}

func printed(in <-chan int) {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the order of what out brings may matter: what takes them calls fmt.Println"
			out <- work(v)
		}
		close(out)
	}()
	for v := range out {
		fmt.Println(v)
	}
}

// Squares has the channel returned, to anybody.
func Squares(in <-chan int) <-chan int {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the order of what out brings may matter: others may have it"
			out <- work(v)
		}
		close(out)
	}()
	return out
}

// next hands it on, and there the order counts.
func next(in <-chan int) (all []int) {
	out, more := make(chan int), make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the order of what out brings may matter: what takes them changes all"
			out <- work(v)
		}
		close(out)
	}()
	go func() {
		for v := range out {
			more <- v
		}
		close(more)
	}()
	for v := range more {
		all = append(all, v)
	}
	return all
}

type pipe struct{ out chan int }

func (p *pipe) run(in <-chan int) {
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the order of what p.out brings may matter: others may have it"
			p.out <- work(v)
		}
		close(p.out)
	}()
}

func first(in <-chan int) int {
	out := make(chan int, 10)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the order of what out brings may matter: what takes so many of them takes the first"
			out <- work(v)
		}
		close(out)
	}()
	return <-out
}

// The stage keeps something from one item to the next.
func state(in <-chan int) int {
	out := make(chan int)
	go func() {
		before := 0
		for v := range in { // want "one goroutine" // refuse "workers: the stage changes before"
			before = work(v + before)
			out <- before
		}
		close(out)
	}()
	return add(out)
}

func buffer(in <-chan int) int {
	out := make(chan int)
	go func() {
		buf := make([]int, 1)
		for v := range in { // want "one goroutine" // refuse "workers: the stage changes buf.0."
			buf[0] = work(v)
			out <- buf[0]
		}
		close(out)
	}()
	return add(out)
}

func numbered(in <-chan int) int {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the stage calls note, which changes seen"
			out <- note(work(v))
		}
		close(out)
	}()
	return add(out)
}

func note(v int) int {
	seen++
	return v
}

type box struct{ v int }

func pointers(in <-chan *box) (total int) {
	out := make(chan *box)
	go func() {
		for b := range in { // want "one goroutine" // refuse "workers: the stage changes b.v"
			b.v = work(b.v)
			out <- b
		}
		close(out)
	}()
	for b := range out {
		total += b.v
	}
	return total
}

func locked(in <-chan int, mu *sync.Mutex) int {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the stage takes a lock"
			mu.Lock()
			v = work(v)
			mu.Unlock()
			out <- v
		}
		close(out)
	}()
	return add(out)
}

func given(in <-chan int, f func(int) int) int {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the stage calls f, which may not be meant for several goroutines at once"
			out <- f(v)
		}
		close(out)
	}()
	return add(out)
}

func lines(in <-chan int, r *bufio.Reader) int {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the stage calls r.ReadByte"
			b, _ := r.ReadByte()
			out <- work(v) + int(b)
		}
		close(out)
	}()
	return add(out)
}

func removed(in <-chan string) int {
	out := make(chan int)
	go func() {
		for name := range in { // want "one goroutine" // refuse "workers: the stage calls os.Remove"
			os.Remove(name)
			out <- 1
		}
		close(out)
	}()
	return add(out)
}

func early(in <-chan int) int {
	out := make(chan int)
	go func() {
		defer close(out)
		for v := range in { // want "one goroutine" // refuse "workers: the stage ends early, by return"
			if v < 0 {
				return
			}
			out <- work(v)
		}
	}()
	return add(out)
}

func broken(in <-chan int) int {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the stage ends early, by break"
			if v < 0 {
				break
			}
			out <- work(v)
		}
		close(out)
	}()
	return add(out)
}

func paced(in <-chan int) int {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the stage sets the pace"
			time.Sleep(time.Millisecond)
			out <- v
		}
		close(out)
	}()
	return add(out)
}

func cancelled(in <-chan int, done <-chan struct{}) int {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the stage waits for other goroutines"
			select {
			case out <- work(v):
			case <-done:
			}
		}
		close(out)
	}()
	return add(out)
}

func caught(in <-chan int) int {
	out := make(chan int)
	go func() {
		defer close(out)
		defer func() { recover() }()
		for v := range in { // want "one goroutine" // refuse "workers: the stage may end its goroutine, or stops panics"
			out <- work(v)
		}
	}()
	return add(out)
}

// What an item is copied to is shared, and so is what is cleared.
func landed(in <-chan int, place []int) int {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the stage changes place"
			copy(place, []int{v, v})
			out <- work(v)
		}
		close(out)
	}()
	return add(out)
}

func cleared(in <-chan int, place []int) int {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the stage changes place"
			clear(place)
			out <- work(v)
		}
		close(out)
	}()
	return add(out)
}

func deleted(in <-chan int, seen map[int]bool) int {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the stage changes seen"
			delete(seen, v)
			out <- work(v)
		}
		close(out)
	}()
	return add(out)
}

func appended(in <-chan int, all *[]int) int {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the stage changes ..all..:0."
			_ = append((*all)[:0], v)
			out <- work(v)
		}
		close(out)
	}()
	return add(out)
}

// Of more items the first ten are added up.
func ten(in <-chan int) (total int) {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the order of what out brings may matter: what takes so many"
			out <- work(v)
		}
		close(out)
	}()
	for range 10 {
		total += <-out
	}
	return total
}

// Each item goes with one of another channel.
func pairs(in, weights <-chan int) (total int) {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the order of what out brings may matter: what takes them waits for"
			out <- work(v)
		}
		close(out)
	}()
	for v := range out {
		total += v * <-weights
	}
	return total
}
