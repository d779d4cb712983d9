package home

import (
	"sync"
	"testing"
)

// TestPage: goroutines that live at the same time have different pages, and each has
// the same from one call to the next.
func TestPage(t *testing.T) {
	const n = 100
	var began, over sync.WaitGroup
	var mu sync.Mutex
	pages := make(map[uintptr]int)
	gate := make(chan bool)
	began.Add(n)
	for range n {
		over.Go(func() {
			large(4) // what follows has room: a stack that grows moves
			page := Page()
			if again := Page(); again != page {
				t.Errorf("page %#x, then %#x", page, again)
			}
			mu.Lock()
			pages[page]++
			mu.Unlock()
			began.Done()
			<-gate
		})
	}
	began.Wait()
	close(gate)
	over.Wait()
	if len(pages) != n {
		t.Errorf("%d goroutines have %d pages", n, len(pages))
	}
}

// TestPageSmall: so have goroutines whose stacks are as small as stacks are.
func TestPageSmall(t *testing.T) {
	const n = 100
	var pages [n]uintptr
	ask, told, next := make(chan bool), make(chan bool), make(chan bool)
	var over sync.WaitGroup
	for i := range n {
		over.Go(func() {
			for range ask {
				pages[i] = Page()
				told <- true
				<-next // when all have told
			}
		})
	}
	// Stacks that grow have done so in the first turn.
	for range 2 {
		for range n {
			ask <- true
			<-told
		}
		for range n {
			next <- true
		}
	}
	close(ask)
	over.Wait()
	seen := make(map[uintptr]bool)
	for _, p := range pages {
		seen[p] = true
	}
	if len(seen) != n {
		t.Errorf("%d goroutines have %d pages", n, len(seen))
	}
}

//go:noinline
func large(deep int) byte {
	var room [4096]byte
	if deep > 0 {
		room[deep] = large(deep - 1)
	}
	return room[deep]
}
