package a

import (
	"runtime"
	"sync"
)

// Methods of slots.

func halves(n int, f func(w, lo, hi int)) {
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() { f(w, w*n/2, (w+1)*n/2) })
	}
	wg.Wait()
}

type sum struct{ n int }

var last *sum

func (s *sum) keep(x int) {
	s.n += x
	last = s
}

func keeps(xs []int) int {
	sums := make([]sum, 2)
	halves(len(xs), func(w, lo, hi int) {
		for _, x := range xs[lo:hi] {
			sums[w].keep(x) // want `sums\[w\].keep updates the slot` // refuse `local: keep may have to do with more than what it is called on`
		}
	})
	return sums[0].n
}

func (s *sum) part(x int) *int {
	s.n += x
	return &s.n
}

func parts(xs []int) int {
	sums := make([]sum, 2)
	halves(len(xs), func(w, lo, hi int) {
		for _, x := range xs[lo:hi] {
			sums[w].part(x) // want `sums\[w\].part updates the slot` // refuse `local: part may have to do with more than what it is called on`
		}
	})
	return sums[0].n
}

func (s *sum) later(x int) func() {
	return func() { s.n += x }
}

func laters(xs []int) int {
	sums := make([]sum, 2)
	halves(len(xs), func(w, lo, hi int) {
		for _, x := range xs[lo:hi] {
			sums[w].later(x)() // no finding: it is not known what the literal does
		}
	})
	return sums[0].n
}

func (s *sum) add(x int) { s.n += x }

func (s *sum) addAll(xs []int) {
	for _, x := range xs {
		s.add(x) // want `s.add updates the slot`
	}
}

func seen(s []sum, xs []int) {
	halves(len(xs), func(w, lo, hi int) { s[w].addAll(xs[lo:hi]) })
}

func (s *sum) addStop(x int) { s.n += x }

func (s *sum) stop(xs []int) {
	for _, x := range xs {
		s.addStop(x) // want `s.addStop updates the slot`
	}
	if s.n < 0 {
		runtime.Goexit()
	}
}

func stops(xs []int) int {
	sums := make([]sum, 2)
	halves(len(xs), func(w, lo, hi int) { sums[w].stop(xs[lo:hi]) })
	return sums[0].n
}

func (s *sum) addLast(x int) { s.n += x }

func (s *sum) last(xs []int) {
	for _, x := range xs {
		s.addLast(x) // want `s.addLast updates the slot` // refuse `local: a deferred call may stop a panic and look at s`
	}
}

func lasts(xs []int) int {
	sums := make([]sum, 2)
	halves(len(xs), func(w, lo, hi int) { defer sums[w].last(xs[lo:hi]) })
	return sums[0].n
}

// Who stops a panic would see what the method did before it.
func (s *sum) addDivide(x int) { s.n += x }

func (s *sum) divide(xs []int) {
	for _, x := range xs {
		s.addDivide(100 / x) // want `s.addDivide updates the slot` // refuse `local: a deferred call may stop a panic and look at s`
	}
}

func divides(xs []int) int {
	sums := make([]sum, 2)
	halves(len(xs), func(w, lo, hi int) {
		defer func() { recover() }()
		sums[w].divide(xs[lo:hi])
	})
	return sums[0].n
}

// Somebody looks while the goroutines run.
func (s *sum) addWatch(x int) { s.n += x }

func (s *sum) watch(xs []int) {
	for _, x := range xs {
		s.addWatch(x) // want `s.addWatch updates the slot`
	}
}

func watches(xs []int) int {
	sums := make([]sum, 2)
	first := &sums[0]
	halves(len(xs), func(w, lo, hi int) { sums[w].watch(xs[lo:hi]) })
	return first.n
}

func (s *sum) plus(x int) { s.n += x }

func defers(xs []int) int {
	sums := make([]sum, 2)
	halves(len(xs), func(w, lo, hi int) {
		for _, x := range xs[lo:hi] {
			defer sums[w].plus(x) // want `sums\[w\].plus updates the slot` // refuse `local: the loop has a defer`
		}
	})
	return sums[0].n
}

// All of it is looked at in the loop.
func looks(xs []int) int {
	sums := make([]sum, 2)
	halves(len(xs), func(w, lo, hi int) {
		for _, x := range xs[lo:hi] {
			sums[w].n += x + sums[0].n // want `sums\[w\].n is updated` // refuse `local: sums\[0\].n may be the same memory as sums\[w\].n`
		}
	})
	return sums[0].n
}

// Another function moves the index.
func moves(xs []int) int {
	sums := make([]sum, 2)
	halves(len(xs), func(w, lo, hi int) {
		next := func() { w = 1 - w }
		for _, x := range xs[lo:hi] {
			sums[w].n += x // no finding: it is another one each time
			next()
		}
	})
	return sums[0].n
}

type locked struct {
	sync.Mutex
	n int
}

func (l *locked) add(x int) { l.n += x }

func locking(xs []int) int {
	ls := make([]locked, 2)
	halves(len(xs), func(w, lo, hi int) {
		for _, x := range xs[lo:hi] {
			ls[w].add(x) // want `ls\[w\].add updates the slot` // refuse `local: a locked has more than numbers, and lists of them`
		}
	})
	return ls[0].n
}

type wide struct{ n [17]int }

func (w *wide) add(x int) { w.n[x&15]++ }

func wides(xs []int) int {
	ws := make([]wide, 2)
	halves(len(xs), func(w, lo, hi int) {
		for _, x := range xs[lo:hi] {
			ws[w].add(x) // want `ws\[w\].add updates the slot` // refuse `local: add may have to do with more than what it is called on`
		}
	})
	return ws[0].n[0]
}

type lists struct{ all []int }

func (l *lists) add(x int) { l.all = append(l.all, x) }

func listing(xs []int) int {
	ls := make([]lists, 2)
	halves(len(xs), func(w, lo, hi int) {
		for _, x := range xs[lo:hi] {
			ls[w].add(x) // want `ls\[w\].add updates the slot`
		}
	})
	return len(ls[0].all)
}
