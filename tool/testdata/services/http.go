package main

import (
	"fmt"
	"net/http"
	"os"
	"sync"
	"time"
)

func init() {
	services["cache"] = service{"lock", 16, startCache}
	services["fill"] = service{"lock", 16, startFill}
	services["hub"] = service{"serial", 16, startHub}
	services["fanout"] = service{"grain", 4, startFanout}
	services["skew"] = service{"imbalance", 1, startSkew}
	services["audit"] = service{"syscalls", 8, startAudit}
	services["render"] = service{"alloc", 8, startRender}
	services["plain"] = service{"", 8, startPlain}
	services["quiet"] = service{"", 2, startQuiet}
}

// startCache renders with the lock held that the cache is behind.
func startCache(cured bool) (func(), func()) {
	var mu sync.Mutex
	cache := map[string]uint64{}
	return serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := r.FormValue("id")
		if cured {
			v := work(150)
			mu.Lock()
			cache[key] = v
			mu.Unlock()
		} else {
			mu.Lock()
			cache[key] = work(150)
			mu.Unlock()
		}
		fmt.Fprint(w, key)
	}))
}

// startFill asks another service with the lock held.
func startFill(cured bool) (func(), func()) {
	var mu sync.Mutex
	n := 0
	return serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if cured {
			time.Sleep(time.Millisecond)
			mu.Lock()
			n++
			mu.Unlock()
		} else {
			mu.Lock()
			time.Sleep(time.Millisecond)
			n++
			mu.Unlock()
		}
		fmt.Fprint(w, "ok")
	}))
}

type message struct{ reply chan uint64 }

// startHub has one goroutine that does the work of all requests.
func startHub(cured bool) (func(), func()) {
	hub := make(chan message)
	go func() {
		seen := 0
		for m := range hub {
			seen++
			if cured {
				m.reply <- uint64(seen)
			} else {
				m.reply <- work(150)
			}
		}
	}()
	return serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if cured {
			work(150)
		}
		m := message{make(chan uint64)}
		hub <- m
		fmt.Fprint(w, <-m.reply)
	}))
}

// startFanout starts a goroutine for each element of a request.
func startFanout(cured bool) (func(), func()) {
	return serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sums := make([]uint64, 400)
		if cured {
			for i := range sums {
				sums[i] = uint64(i) * 7
			}
		} else {
			var wg sync.WaitGroup
			for i := range sums {
				wg.Go(func() { sums[i] = uint64(i) * 7 })
			}
			wg.Wait()
		}
		fmt.Fprint(w, sums[3])
	}))
}

// startSkew gives one of the parts of a request nearly all of its work.
func startSkew(cured bool) (func(), func()) {
	return serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		parts := []int{3600, 400, 0, 0}
		if cured {
			parts = []int{1000, 1000, 1000, 1000}
		}
		var wg sync.WaitGroup
		for _, n := range parts {
			wg.Go(func() { work(n) })
		}
		wg.Wait()
		fmt.Fprint(w, "ok")
	}))
}

// startAudit writes a file line by line.
func startAudit(cured bool) (func(), func()) {
	f, err := os.CreateTemp("", "services-*")
	if err != nil {
		panic(err)
	}
	os.Remove(f.Name())
	var mu sync.Mutex
	var held []byte
	operation, done := serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		line := []byte("a request came\n")
		for range 100 {
			if !cured {
				f.WriteAt(line, 0)
				continue
			}
			mu.Lock()
			if held = append(held, line...); len(held) > 1<<16 {
				f.WriteAt(held, 0)
				held = held[:0]
			}
			mu.Unlock()
		}
		fmt.Fprint(w, "ok")
	}))
	return operation, func() { done(); f.Close() }
}

type row struct {
	id   int
	next *row
}

// startRender makes many small things and drops them.
func startRender(cured bool) (func(), func()) {
	buffers := sync.Pool{New: func() any { return new([2000]row) }}
	return serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var first *row
		if cured {
			rows := buffers.Get().(*[2000]row)
			for i := range rows {
				rows[i].id, rows[i].next, first = i, first, &rows[i]
			}
			defer buffers.Put(rows)
		} else {
			for n := range 2000 {
				first = &row{n, first}
			}
		}
		n := 0
		for x := first; x != nil; x = x.next {
			n += x.id
		}
		fmt.Fprint(w, n)
	}))
}

// startPlain computes, and has nothing to mend.
func startPlain(bool) (func(), func()) {
	return serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, work(150))
	}))
}

// startQuiet is hardly asked for anything.
func startQuiet(bool) (func(), func()) {
	operation, done := serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, work(100))
	}))
	return func() { operation(); time.Sleep(5 * time.Millisecond) }, done
}
