// Command record writes the traces beside its directory, each of a program
// whose parallelism is known. From the directory above:
//
//	for p in 1 2; do
//		for prog in forkjoin callerhalf results pipeline amdahl30 amdahl60 imbalance; do
//			GOMAXPROCS=$p go run -trimpath record/main.go $prog $prog.p$p.trace
//		done
//	done
//	for v in 1.22.12 1.25.4 1.27.3; do
//		GO111MODULE=off GOTOOLCHAIN=go$v GOMAXPROCS=2 go run -trimpath record/main.go mix mix.go$v.trace
//	done
//	gzip -9n *.trace
//
// Do so on a quiet machine: time that other processes take counts as running.
package main

import (
	"context"
	"log"
	"os"
	"runtime"
	"runtime/trace"
	"sync"
	"time"
)

var programs = map[string]func(){
	"forkjoin":   func() { forkjoin(4) },
	"callerhalf": func() { callerhalf(4) },
	"results":    func() { results(4) },
	"pipeline":   func() { pipeline(4, 100) },
	"amdahl30":   func() { split(30, evenly(70)) },
	"amdahl60":   func() { split(60, evenly(40)) },
	"imbalance":  func() { split(0, []int{90, 10}) },
	"mix":        mix,
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 || programs[os.Args[1]] == nil {
		log.Fatal("usage: record program file")
	}
	f, err := os.Create(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	work(2000) // warm
	runtime.GC()
	if err := trace.Start(f); err != nil {
		log.Fatal(err)
	}
	done := make(chan bool)
	go func() { // a goroutine of its own opens the window, as in a benchmark
		defer close(done)
		trace.Log(context.Background(), "payoff", "start")
		programs[os.Args[1]]()
		trace.Log(context.Background(), "payoff", "stop")
	}()
	<-done
	trace.Stop()
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
}

var sink [128]uint64

// work runs for about n times 10 µs.
func work(n int) {
	x := uint64(n)
	for range n * 5000 {
		x = x*6364136223846793005 + 1442695040888963407
	}
	if x == 0 {
		sink[0]++
	}
}

// forkjoin is a binary tree of goroutines with work in the leaves.
func forkjoin(depth int) {
	if depth == 0 {
		work(200)
		return
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			forkjoin(depth - 1)
		}()
	}
	wg.Wait()
}

// callerhalf runs one half itself and works on what both return, like a
// merge sort.
func callerhalf(depth int) {
	if depth == 0 {
		work(100)
		return
	}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		callerhalf(depth - 1)
	}()
	callerhalf(depth - 1)
	wg.Wait()
	work(100 << depth / 16)
}

// results is forkjoin with results over channels.
func results(depth int) int {
	if depth == 0 {
		work(200)
		return 1
	}
	c := make(chan int, depth%2) // some buffered, some not
	for range 2 {
		go func() { c <- results(depth - 1) }()
	}
	return <-c + <-c
}

func pipeline(stages, items int) {
	in := make(chan int)
	out := in
	for range stages {
		from, to := out, make(chan int)
		go func() {
			for v := range from {
				work(10)
				to <- v
			}
			close(to)
		}()
		out = to
	}
	go func() {
		for i := range items {
			in <- i
		}
		close(in)
	}()
	for range out {
	}
}

func evenly(total int) (parts []int) {
	for range 8 {
		parts = append(parts, (total+7)/8)
	}
	return parts
}

func split(serial int, parts []int) {
	work(serial * 10)
	var wg sync.WaitGroup
	for _, n := range parts {
		wg.Add(1)
		go func() {
			defer wg.Done()
			work(n * 10)
		}()
	}
	wg.Wait()
}

// mix waits for each kind of thing.
func mix() {
	var (
		wg sync.WaitGroup
		mu sync.Mutex
		rw sync.RWMutex
		c  [3]chan int
	)
	for i := range c {
		c[i] = make(chan int)
	}
	mu.Lock()
	rw.Lock()
	wg.Add(5)
	go func() { defer wg.Done(); mu.Lock(); work(5); mu.Unlock() }()
	go func() { defer wg.Done(); rw.RLock(); work(5); rw.RUnlock() }()
	go func() { defer wg.Done(); <-c[0] }()
	go func() { defer wg.Done(); c[1] <- 1 }()
	go func() {
		defer wg.Done()
		select {
		case c[2] <- 2:
		case <-time.After(time.Hour):
		}
	}()
	time.Sleep(2 * time.Millisecond) // all have blocked
	c[0] <- 0
	<-c[1]
	<-c[2]
	mu.Unlock()
	rw.Unlock()
	wg.Wait()

	var once sync.Once
	wg.Add(2)
	for range 2 {
		go func() {
			defer wg.Done()
			once.Do(func() { time.Sleep(time.Millisecond) })
		}()
	}
	wg.Wait()

	cond := sync.NewCond(&mu)
	ready := false
	wg.Add(1)
	go func() {
		defer wg.Done()
		mu.Lock()
		for !ready {
			cond.Wait()
		}
		mu.Unlock()
	}()
	time.Sleep(time.Millisecond)
	mu.Lock()
	ready = true
	mu.Unlock()
	cond.Signal()
	wg.Wait()
	for range 3 {
		runtime.Gosched()
	}
	runtime.GC()
}
