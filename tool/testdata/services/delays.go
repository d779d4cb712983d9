package main

import (
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

func init() {
	services["commits"] = service{"delay", 16, startCommits}
	services["exports"] = service{"delay", 16, startExports}
	services["basket"] = service{"delay", 16, startBasket}
	services["transfers"] = service{"imbalance", 1, startTransfers}
	services["usage"] = service{"stoptheworld", 8, startUsage}
	services["paced"] = service{"", 24, startPaced}
}

// startCommits has one goroutine that writes what came in when there is much of it, or
// after 10 ms.
func startCommits(cured bool) (func(), func()) {
	type commit struct{ done chan bool }
	commits, stop := make(chan commit), make(chan bool)
	go func() {
		var batch []commit
		flush := time.NewTimer(time.Hour)
		for {
			select {
			case c := <-commits:
				batch = append(batch, c)
				switch {
				case len(batch) == 1:
					flush.Reset(10 * time.Millisecond)
					if !cured {
						continue
					}
				case len(batch) < 64 && !cured:
					continue
				}
			case <-flush.C:
			case <-stop:
				return
			}
			work(30)
			for _, c := range batch {
				c.done <- true
			}
			batch = batch[:0]
		}
	}()
	return func() {
		c := commit{make(chan bool, 1)}
		commits <- c
		<-c.done
	}, func() { close(stop) }
}

// startExports has workers that take a while for an export, and clients that look for
// it every 3 ms.
func startExports(cured bool) (func(), func()) {
	type export struct {
		ready atomic.Bool
		done  chan bool
	}
	exports := make(chan *export, 64)
	for range 16 {
		go func() {
			for e := range exports {
				work(20)
				time.Sleep(9 * time.Millisecond)
				e.ready.Store(true)
				e.done <- true
			}
		}()
	}
	return func() {
		e := &export{done: make(chan bool, 1)}
		exports <- e
		if cured {
			<-e.done
			return
		}
		for !e.ready.Load() {
			time.Sleep(3 * time.Millisecond)
		}
	}, func() { close(exports) }
}

// startBasket asks a database for each of six prices.
func startBasket(cured bool) (func(), func()) {
	db := database(256)
	price := func() {
		if _, err := db.Exec("select"); err != nil {
			panic(err)
		}
	}
	operation, done := serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var wg sync.WaitGroup
		for range 6 {
			if cured {
				wg.Go(price)
			} else {
				price()
			}
		}
		wg.Wait()
		work(50)
		w.Write([]byte("ok"))
	}))
	return operation, func() { done(); db.Close() }
}

// startTransfers has eight transfers under way, and starts the next eight when all of
// them are done. One in eight takes long.
func startTransfers(cured bool) (func(), func()) {
	transfer := func(n int) {
		work(10)
		d := 2 * time.Millisecond
		if n%8 == 0 {
			d = 14 * time.Millisecond
		}
		time.Sleep(d)
	}
	slots := make(chan bool, 8)
	return func() {
		var wg sync.WaitGroup
		for n := range 8 {
			if cured {
				slots <- true
				go func() { transfer(n); <-slots }()
			} else {
				wg.Go(func() { transfer(n) })
			}
		}
		wg.Wait()
	}, func() {}
}

// startUsage measures for each request how much memory it takes.
func startUsage(cured bool) (func(), func()) {
	var used atomic.Uint64
	measure := func() uint64 {
		if cured {
			return 0
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.TotalAlloc
	}
	return serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		before := measure()
		work(20)
		used.Add(measure() - before)
		w.Write([]byte("ok"))
	}))
}

// startPaced has much that waits for timers as it should: sensors that report now and
// then, a limiter that hands out turns, a sweeper, a flush at each tick, and workers for
// what is asked for at a pace. Each report waits for one backend, and then for another one
// that needs its answer.
func startPaced(bool) (func(), func()) {
	db := database(64)
	turns, reports, stop := make(chan bool), make(chan int64, 64), make(chan bool)
	var mu sync.Mutex
	last := map[int64]time.Time{}
	every := func(d time.Duration, do func()) {
		go func() {
			t := time.NewTicker(d)
			defer t.Stop()
			for {
				select {
				case <-t.C:
					do()
				case <-stop:
					return
				}
			}
		}()
	}
	every(time.Millisecond, func() {
		select {
		case turns <- true:
		default:
		}
	})
	every(5*time.Millisecond, func() { // sweeps
		mu.Lock()
		defer mu.Unlock()
		for id, t := range last {
			if time.Since(t) > time.Hour {
				delete(last, id)
			}
		}
	})
	every(20*time.Millisecond, func() { work(50) }) // flushes
	for range 4 {
		go func() {
			for id := range reports {
				for range 2 {
					if _, err := db.Exec("insert"); err != nil {
						return // it is closed
					}
				}
				work(30)
				mu.Lock()
				last[id] = time.Now()
				mu.Unlock()
			}
		}()
	}
	var ids atomic.Int64
	return func() {
		time.Sleep(30 * time.Millisecond)
		<-turns
		reports <- ids.Add(1) % 100
	}, func() { close(stop); db.Close() }
}
