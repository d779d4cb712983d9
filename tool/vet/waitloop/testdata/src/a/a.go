package a

import (
	"net/http"
	"os"
	"sync"
	"time"
)

const workers = 2

func fetch(keys ...int) int {
	time.Sleep(time.Millisecond)
	total := 0
	for _, k := range keys {
		total += k * k
	}
	return total
}

func each(n int, f func(w int)) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() { f(w) })
	}
	wg.Wait()
}

func halves(n int, f func(w, lo, hi int)) {
	each(workers, func(w int) { f(w, w*n/workers, (w+1)*n/workers) })
}

func sum(parts []int) (total int) {
	for _, p := range parts {
		total += p
	}
	return total
}

// In a literal that a function of the package is given to run.
func twoWorkers() int {
	sums := make([]int, workers)
	halves(12, func(w, lo, hi int) {
		// One after the other.
		for k := lo; k < hi; k++ { // want "each iteration waits before the next begins"
			sums[w] += fetch(k) // a millisecond
		}
	})
	return sum(sums)
}

func size(name string) int {
	data, err := os.ReadFile(name)
	if err != nil {
		return 0
	}
	return len(data)
}

// The answers may be looked at in their order, and in any way.
func longest(names [][]string) []string {
	all := make([]string, len(names))
	each(len(names), func(w int) {
		best, last := 0, 0
		for _, name := range names[w] { // want "each iteration waits before the next begins"
			n := size(name)
			if n < last {
				continue
			}
			last = n
			if n > best {
				best = n
				all[w] = name
			}
		}
	})
	return all
}

func status(url string) int {
	resp, err := http.Head(url)
	if err != nil {
		return 0
	}
	resp.Body.Close()
	return resp.StatusCode
}

// Indexes, a counter, and a loop in a goroutine that is alone.
func counted(urls []string, n int) (good, tries int) {
	done := make(chan bool)
	go func() {
		for i := range urls { // want "each iteration waits before the next begins"
			if status(urls[i]) == http.StatusOK {
				good++
			}
		}
		for range n { // want "each iteration waits before the next begins"
			tries += fetch(1)
		}
		for i := 2*n + 1; i < 4*n; i++ { // want "each iteration waits before the next begins"
			tries += fetch(i, n)
		}
		for i := range 3 { // want "each iteration waits before the next begins"
			tries += fetch(i) % (i + 1)
		}
		for i := 0; i < n; i++ { // want "each iteration waits before the next begins"
			tries -= fetch(i)
		}
		close(done)
	}()
	<-done
	return good, tries
}

type counter struct{ n int }

// The sum is where a call might find it.
func visible(c *counter, n int) {
	done := make(chan bool)
	go func() {
		for i := range n { // want "each iteration waits before the next begins"
			c.n += fetch(i)
		}
		close(done)
	}()
	<-done
}
