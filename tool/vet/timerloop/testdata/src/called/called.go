// Package called has timers that are made in functions that loops call.
package called

import "time"

type queue struct{ c chan int }

func (q *queue) push(v int) bool {
	select {
	case q.c <- v:
		return true
	case <-time.After(time.Second):
		return false
	}
}

func (q *queue) fill(n int) {
	for i := range n {
		q.push(i) // want `q.push calls time.After, which makes a timer and a channel in each iteration` // refuse "reuse: the timer is made in a function that may be called elsewhere"
	}
}

func (q *queue) through(v int) bool { return q.push(v) || q.push(v+1) }

func (q *queue) deeper(n int) {
	for i := range n {
		if !q.through(i) { // want `q.through calls time.After`  // refuse "reuse: the timer"
			return
		}
	}
}

// The loop is in the function that is called, and found there.
func (q *queue) again(n int) {
	for range n {
		q.fill(n)
	}
}

// In another goroutine, which waits for itself.
func (q *queue) aside(n int) {
	for i := range n {
		go func() { q.push(i) }()
	}
}

// Once.
func (q *queue) once(n int) {
	if q.push(n) {
		for range n {
			q.c <- n
		}
	}
}
