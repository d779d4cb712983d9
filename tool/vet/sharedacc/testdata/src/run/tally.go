package main

import "sync"

type tally struct {
	sync.Mutex
	n int
}

func (t *tally) add() {
	t.Lock()
	t.n++
	t.Unlock()
}

func tallied(xs []int, workers int) int {
	var t tally
	each(workers, func(w int) {
		for range part(xs, w, workers) {
			t.add() // want `t.add locks t in each iteration`
		}
	})
	return t.n
}
