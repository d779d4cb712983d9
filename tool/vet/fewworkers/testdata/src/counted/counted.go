// Package counted has workers that are counted in another place than where they
// start.
package counted

import (
	"runtime"
	"sync"
	"time"
)

// One end for each worker.
func sends(ch chan int) (t int) {
	done := make(chan int)
	for range runtime.NumCPU() { // want "the workers wait" // refuse "workers: the number stands in another place"
		go func() {
			t := 0
			for x := range ch {
				time.Sleep(time.Microsecond)
				t += x
			}
			done <- t
		}()
	}
	for range runtime.NumCPU() {
		t += <-done
	}
	return t
}

func adds(ch chan int) {
	var wg sync.WaitGroup
	wg.Add(runtime.NumCPU())
	for range runtime.NumCPU() { // want "the workers wait" // refuse "workers: the number stands in another place"
		go func() {
			defer wg.Done()
			for range ch {
				time.Sleep(time.Microsecond)
			}
		}()
	}
	wg.Wait()
}

// The same as a constant, with a name.
func constants(ch chan int) {
	const workers = 6
	var wg sync.WaitGroup
	wg.Add(workers)
	for range 6 { // want "the workers wait" // refuse "workers: the number stands in another place"
		go func() {
			defer wg.Done()
			for range ch {
				time.Sleep(time.Microsecond)
			}
		}()
	}
	wg.Wait()
}
