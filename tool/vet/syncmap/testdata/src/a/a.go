// Package a has maps that one goroutine fills.
package a

import "sync"

// Written while others may read: when a goroutine runs, and by what runs last.
func late(words []string) {
	var early sync.Map
	var wg sync.WaitGroup
	wg.Go(func() { early.Load("a") }) // want `early is a sync.Map` // refuse "plain: nothing proves that only one goroutine has it while one writes"
	for i, w := range words {
		early.Store(w, i)
	}
	wg.Wait()
}

func turns(words []string) {
	var done sync.Map
	for i, w := range words {
		done.Store(w, i) // want `done is a sync.Map` // refuse "plain: nothing proves that only one goroutine has it while one writes"
		go done.Load(w)
	}
}

func jumps(words []string) {
	var last sync.Map
again:
	last.Store("last", len(words)) // want `last is a sync.Map` // refuse "plain: nothing proves that only one goroutine has it while one writes"
	go func() { last.Load("last") }()
	if words = words[1:]; len(words) > 0 {
		goto again
	}
}

func atLast(word string, done chan<- bool) {
	var seen sync.Map
	defer seen.Store(word, 2) // want `seen is a sync.Map` // refuse "plain: nothing proves that only one goroutine has it while one writes"
	go func() {
		_, ok := seen.Load(word)
		done <- ok || !ok
	}()
}

func within(word string) {
	var seen sync.Map
	go seen.Store(word, 1) // want `seen is a sync.Map` // refuse "plain: nothing proves that only one goroutine has it while one writes"
	var inner sync.Map
	func() { inner.Store(word, 1) }() // want `inner is a sync.Map` // refuse "plain: nothing proves that only one goroutine has it while one writes"
}

var filled sync.Map

func fill(word string) {
	filled.Store(word, 1) // want `filled is a sync.Map` // refuse "plain: nothing proves that only one goroutine has it while one writes"
}

var opened sync.Map

type door struct{}

func (door) init(key string) {
	opened.Store(key, 1) // want `opened is a sync.Map` // refuse "plain: nothing proves that only one goroutine has it while one writes"
}

// Written before others have it: by init, by what makes the struct, and before a goroutine.
var codes sync.Map

func init() {
	codes.Store("se", 46) // want `codes is a sync.Map`
}

type shelf struct {
	m     sync.Map
	loans sync.Map
	lent  sync.Map
}

func newShelf(titles []string) *shelf {
	s := &shelf{}
	for i, t := range titles {
		s.m.Store(t, i) // want `s.m is a sync.Map`
	}
	go func() { s.loans.Load("a") }() // want `s.loans is a sync.Map` // refuse "plain: nothing proves that only one goroutine has it while one writes"
	s.loans.Store("a", 1)
	return s
}

func newLoan(title string) *shelf {
	s := &shelf{}
	go s.lent.Store(title, 1) // want `s.lent is a sync.Map` // refuse "plain: nothing proves that only one goroutine has it while one writes"
	return s
}

func (s *shelf) find(title string) int {
	book, _ := s.m.Load(title)
	code, _ := codes.Load(title)
	return book.(int) + code.(int)
}

func ahead(words []string) int {
	var before sync.Map
	done := make(chan bool)
	for i, w := range words {
		before.Store(w, i) // want `before is a sync.Map`
	}
	for _, w := range words {
		go func() {
			_, ok := before.Load(w)
			done <- ok
		}()
	}
	before.Range(func(_, i any) bool { return i != 0 })
	type turn int
	n := 0
	var mine sync.Map
	for range words {
		mine.Store(turn(n), <-done) // want `mine is a sync.Map`
		n++
	}
	mine.Range(func(_, ok any) bool { return ok.(bool) })
	return n
}
