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

// A desk is polled by its workers and by flush.
type desk struct {
	mu    sync.Mutex
	items []int
	busy  int
	shut  bool
	sum   int
}

func (d *desk) take() (x int, ok, end bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.items) == 0 {
		return 0, false, d.shut
	}
	x, d.items = d.items[0], d.items[1:]
	d.busy++
	return x, true, false
}

func (d *desk) work() {
	for {
		x, ok := d.next()
		if !ok {
			return
		}
		d.mu.Lock()
		d.sum += x
		d.busy--
		d.mu.Unlock()
	}
}

func (d *desk) next() (int, bool) {
	for {
		x, ok, end := d.take()
		if ok || end {
			return x, ok
		}
		time.Sleep(time.Microsecond)
	}
}

func (d *desk) idle() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.busy == 0 && len(d.items) == 0
}

func served(n int) int {
	var d desk
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(d.work)
	}
	for i := range n {
		d.mu.Lock()
		d.items = append(d.items, i)
		d.mu.Unlock()
		if i%3 == 0 {
			for !d.idle() {
				time.Sleep(time.Microsecond)
			}
		}
	}
	for !d.idle() {
		time.Sleep(time.Microsecond)
	}
	d.mu.Lock()
	d.shut = true
	d.mu.Unlock()
	wg.Wait()
	return d.sum
}

// A ring has room for two: put waits for take, and the other way round.
type ring struct {
	mu sync.Mutex
	xs []int
}

func (r *ring) put(x int) {
	for pause := time.Microsecond; ; pause *= 2 {
		r.mu.Lock()
		if len(r.xs) < 2 {
			r.xs = append(r.xs, x)
			r.mu.Unlock()
			return
		}
		r.mu.Unlock()
		time.Sleep(min(pause, time.Millisecond))
	}
}

func (r *ring) get() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.xs) == 0 {
		r.mu.Unlock()
		time.Sleep(time.Microsecond)
		r.mu.Lock()
	}
	x := r.xs[0]
	r.xs = r.xs[1:]
	return x
}

func passed(n int) (sum int) {
	var r ring
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			for i := range n {
				r.put(i + w)
			}
		})
	}
	for range 2 * n {
		sum += r.get()
	}
	wg.Wait()
	return sum
}

// Parties meet; the last one lets all go.
type meeting struct {
	there, phase atomic.Int64
}

func (m *meeting) meet(n int64) {
	phase := m.phase.Load()
	m.there.Add(1)
	if m.there.CompareAndSwap(n, 0) {
		m.phase.Add(1)
		return
	}
	for m.phase.Load() == phase {
		runtime.Gosched()
	}
}

func met(n int) int {
	var m meeting
	var sum atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range n {
				sum.Add(int64(i))
				m.meet(4)
			}
		})
	}
	wg.Wait()
	return int(sum.Load())
}

func main() {
	for _, n := range []int{0, 1, 5, 30} {
		fmt.Println(turns(n) >= 0, counted(n), polled(n), served(n), passed(n), met(n))
	}
}
