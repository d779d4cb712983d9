// Command run prints what goroutines compute that wait for each other.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

type lock struct{ held atomic.Bool }

func (l *lock) lock() {
	for !l.held.CompareAndSwap(false, true) {
		runtime.Gosched()
	}
}

func (l *lock) unlock() { l.held.Store(false) }

func turns(n int) (sum int) {
	var l lock
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			for range 100 {
				l.lock()
				if sum += i; sum%7 == 0 {
					sum++
					l.unlock()
					continue
				}
				sum--
				l.unlock()
			}
		})
	}
	wg.Wait()
	return sum / 1000
}

func counted(n int) (sum int) {
	var turn int32
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			for atomic.SwapInt32(&turn, 1) != 0 {
				runtime.Gosched()
			}
			defer atomic.StoreInt32(&turn, 0)
			sum += i
		})
	}
	wg.Wait()
	return sum
}

func polled(n int) (sum int) {
	var open atomic.Bool
	var done atomic.Bool
	go func() {
		for !open.Load() {
			time.Sleep(time.Microsecond)
		}
		for i := range n {
			sum += i * i
		}
		done.Store(true)
	}()
	sum = 1
	open.Store(true)
	for !done.Load() {
		time.Sleep(time.Microsecond)
	}
	return sum
}

func main() {
	for _, n := range []int{0, 1, 5, 30} {
		fmt.Println(turns(n) >= 0, counted(n), polled(n))
	}
}
