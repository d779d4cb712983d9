package a

import (
	"strings"
	"sync"
	"sync/atomic"
)

// Squares returns the squares of numbers.
func Squares(xs []int) []int {
	out := make([]int, len(xs))
	for i, x := range xs {
		out[i] = square(x)
	}
	return out
}

func square(x int) int { return x * x }

// SquaresParallel returns the squares, each by a goroutine of some workers.
func SquaresParallel(xs []int, workers int) []int { // want "SquaresParallel starts goroutines, and Squares is its serial form"
	out := make([]int, len(xs))
	var next atomic.Int64
	var t team
	for range max(workers, 1) {
		t.start(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(xs) {
					return
				}
				out[i] = square(xs[i])
			}
		})
	}
	t.wait()
	return out
}

// A team is of goroutines.
type team struct{ wg sync.WaitGroup }

func (t *team) start(f func()) { t.wg.Go(f) }

// wait waits for all.
func (t *team) wait() { t.wg.Wait() }

// A runner changes each element.
type runner interface {
	run(xs []int, f func(int) int)
}

type inTurn struct{}

func (inTurn) run(xs []int, f func(int) int) {
	for i, x := range xs {
		xs[i] = f(x)
	}
}

type atOnce struct{ workers int }

func (a atOnce) run(xs []int, f func(int) int) { // want "run starts goroutines, and inTurn.run is its serial form"
	room := make(chan struct{}, max(a.workers, 1))
	var wg sync.WaitGroup
	for i := range xs {
		room <- struct{}{}
		wg.Go(func() {
			xs[i] = f(xs[i])
			<-room
		})
	}
	wg.Wait()
}

func apply(xs []int, n int) []int {
	r := []runner{inTurn{}, atOnce{2}}[n&1]
	out := append([]int(nil), xs...)
	r.run(out, square)
	return out
}

// words are some.
type words struct{ all []string }

// joined joins them.
func (w *words) joined(sep string, upper ...bool) string {
	s := strings.Join(w.all, sep)
	if len(upper) > 0 && upper[0] {
		s = strings.ToUpper(s)
	}
	return s
}

const (
	few  = 2
	many = 4 // goroutines
)

var parts, lines = many, few

// counted has words, and a number of goroutines.
type counted struct {
	*words
	n int
}

func (c counted) joined(sep string, upper ...bool) string { // want "joined starts goroutines, and words.joined is its serial form"
	out := make([]string, len(c.all))
	var wg sync.WaitGroup
	for p := range parts + c.n&3 {
		wg.Go(func() {
			for i := p; i < len(c.all); i += parts + c.n&3 {
				out[i] = c.all[i]
				if len(upper) > 0 && upper[0] {
					out[i] = strings.ToUpper(out[i])
				}
			}
		})
	}
	wg.Wait()
	if len(upper) > 0 && upper[0] {
		sep = strings.ToUpper(sep)
	}
	return strings.Join(out, sep)
}

func join(xs []string, n int) string {
	w := &words{xs}
	if n < 0 {
		return w.joined(",")
	}
	return counted{w, n & 3}.joined(",", n&1 == 0)
}
