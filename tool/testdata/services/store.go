package main

import (
	"fmt"
	"net/http"
	"sync"
	"time"
)

func init() {
	services["sessions"] = service{"lock", 16, startSessions}
	services["thumbnails"] = service{"serial", 8, startThumbnails}
	services["batcher"] = service{"lock", 16, startBatcher}
}

// A sessions is a store of signed sessions.
type sessions struct {
	mu   sync.RWMutex
	seen map[string]uint64
}

// startSessions signs a session under the lock of all.
func startSessions(cured bool) (func(), func()) {
	s := &sessions{seen: map[string]uint64{}}
	for i := range 64 {
		s.seen[fmt.Sprint(i)] = uint64(i)
	}
	return serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.URL.Query().Get("id")
		if cured {
			s.mu.RLock()
			old := s.seen[id]
			s.mu.RUnlock()
			signed := old ^ work(100)
			s.mu.Lock()
			s.seen[id] = signed
			s.mu.Unlock()
		} else {
			s.mu.Lock()
			s.seen[id] ^= work(100)
			s.mu.Unlock()
		}
		fmt.Fprintln(w, id)
	}))
}

// startThumbnails has one goroutine that scales all images; cured, each request scales
// its own.
func startThumbnails(cured bool) (func(), func()) {
	type image struct {
		width int
		out   chan uint64
	}
	images := make(chan image)
	go func() {
		for i := range images {
			i.out <- work(i.width)
		}
	}()
	scale := func(width int) uint64 {
		if cured {
			return work(width)
		}
		i := image{width, make(chan uint64, 1)}
		images <- i
		return <-i.out
	}
	return serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var sum uint64
		for _, width := range []int{50, 100, 150} {
			sum ^= scale(width)
		}
		fmt.Fprintln(w, sum)
	}))
}

// A batcher gathers lines and writes sixteen at a time to a store that takes a
// millisecond.
type batcher struct {
	mu    sync.Mutex
	lines []string
}

// startBatcher writes a batch with the lock held; cured, after it was given back.
func startBatcher(cured bool) (func(), func()) {
	b := &batcher{}
	store := func(lines []string) { time.Sleep(time.Millisecond); work(2 * len(lines)) }
	add := func(line string) {
		b.mu.Lock()
		b.lines = append(b.lines, line)
		var full []string
		if len(b.lines) == 16 {
			full, b.lines = b.lines, nil
		}
		if !cured && full != nil {
			store(full)
		}
		b.mu.Unlock()
		if cured && full != nil {
			store(full)
		}
	}
	return func() { work(20); add("a line") }, func() {}
}
