// Package a has what is no slot (none.go), slots of which an edit would change
// what the code does (refused.go), and what an edit of text would stumble on.
package a

import (
	"net/http"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
)

// rowSlices: each goroutine has a row, which lies in memory of its own.
func rowSlices(rows [][]int) {
	var wg sync.WaitGroup
	for w := range rows {
		wg.Go(func() {
			row := rows[w]
			for i := range row {
				row[i]++
			}
			for range row {
				rows[w][0]++
			}
		})
	}
	wg.Wait()
}

// distinct: the arrays are not side by side.
func distinct(n int) {
	var wg sync.WaitGroup
	for range n {
		own := make([]int, 8)
		p := new(int)
		wg.Go(func() {
			for i := range 1000 {
				own[0] += i
				*p += i
			}
		})
	}
	wg.Wait()
}

// oneWrite is one write a goroutine.
func oneWrite(xs []int, n int) []int {
	sums := make([]int, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			sum := 0
			for _, x := range xs[w:] {
				sum += x
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	return sums
}

// moving: the index follows the loop.
func moving(xs, out []int, n int) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for i := w * len(xs) / n; i < (w+1)*len(xs)/n; i++ {
				out[i] = xs[i] * 2
				out[i]++
			}
		})
	}
	wg.Wait()
}

// heavyBody: much is done between two updates.
func heavyBody(urls [][]string, texts [][]string) {
	failed := make([]int, len(urls))
	words := make([]int, len(texts))
	var wg sync.WaitGroup
	for w := range urls {
		wg.Go(func() {
			for _, u := range urls[w] {
				if _, err := http.Get(u); err != nil {
					failed[w]++
				}
			}
			for _, t := range texts[w] {
				words[w] += len(strings.Fields(t))
			}
			for _, t := range texts[w] {
				words[w] += slow(t)
			}
		})
	}
	wg.Wait()
}

func slow(t string) (n int) {
	b := []byte(t)
	sort.Slice(b, func(i, j int) bool { return b[i] < b[j] })
	for range b {
		n++
	}
	return n
}

// once: the goroutine is no worker of a loop.
func once(xs []int) int {
	sums := make([]int, 2)
	done := make(chan bool)
	go func() {
		for _, x := range xs {
			sums[0] += x
		}
		close(done)
	}()
	<-done
	return sums[0]
}

// readOnly: slots are only read.
func readOnly(limits []int, xs []int) int64 {
	var n atomic.Int64
	var wg sync.WaitGroup
	for w := range limits {
		wg.Go(func() {
			own := int64(0)
			for _, x := range xs {
				if x < limits[w] {
					own++
				}
			}
			n.Add(own)
		})
	}
	wg.Wait()
	return n.Load()
}

// Maps are not memory side by side.
func maps(counts []map[string]int, words []string) {
	for w := range counts {
		go func() {
			for _, x := range words {
				counts[w][x]++
			}
		}()
	}
}
