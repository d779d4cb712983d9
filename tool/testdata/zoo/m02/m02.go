// Package m02 has two counters of two writers beside each other.
package m02

import (
	"sync"
	"sync/atomic"
)

type link struct {
	name     string
	sent     atomic.Int64 // mistake: adjatomic
	received atomic.Int64
}

func (l *link) send(n int) {
	for range n {
		l.sent.Add(1)
	}
}

func (l *link) receive(n int) {
	for range n {
		l.received.Add(1)
	}
}

func both(n int) int64 {
	l := &link{name: "a"}
	l.send(n)
	l.receive(n)
	return l.sent.Load() + l.received.Load()
}

func bothAtOnce(n int) int64 {
	l := &link{name: "a"}
	var wg sync.WaitGroup
	wg.Go(func() { l.send(n) })
	wg.Go(func() { l.receive(n) })
	wg.Wait()
	return l.sent.Load() + l.received.Load()
}
