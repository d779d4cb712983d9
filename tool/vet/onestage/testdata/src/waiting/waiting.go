package waiting

import (
	"io"
	"net/http"
	"time"
)

var pauses = [3]time.Duration{1, 2, 3}

func fetch(i int) uint64 {
	time.Sleep(pauses[i%len(pauses)])
	return uint64(i) * 3
}

func add(answers <-chan uint64) uint64 {
	var sum uint64
	for a := range answers {
		sum += a
	}
	return sum
}

func fetched(items <-chan int) uint64 {
	answers := make(chan uint64)
	go func() {
		defer close(answers)
		for i := range items { // want "one goroutine does what this stage does"
			answers <- fetch(i)
		}
	}()
	return add(answers)
}

func size(url string) int {
	resp, err := http.Get(url)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0
	}
	return len(body)
}

func sizes(urls <-chan string) (total int) {
	out := make(chan int)
	go func() {
		for u := range urls { // want "one goroutine does what this stage does"
			out <- size(u)
		}
		close(out)
	}()
	for n := range out {
		total += n
	}
	return total
}
