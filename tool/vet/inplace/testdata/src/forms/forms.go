// Package forms has goroutines that are written in many ways.
package forms

import (
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"
)

type loader struct{ dir string }

func (l loader) load() error { return errors.New(l.dir) }

type myErr struct{}

func (*myErr) Error() string { return "" }

func (l loader) own() *myErr { return nil }

func composites(fs []string) error {
	var g errgroup.Group
	for _, f := range fs {
		g.Go(func() error { return loader{f}.load() }) // want "a goroutine"
		g.Go(func() error {                            // with a comment
			return fmt.Errorf("x %s", f) // and another
		})
	}
	return g.Wait()
}

func method(fs []string) error {
	var g errgroup.Group
	for _, f := range fs {
		g.Go(loader{f}.load) // want "a goroutine" // refuse "serial: a literal cannot stand there"
	}
	return g.Wait()
}

// typed returns an error that is not nil, whatever own returns.
func typed(l loader) error {
	var g errgroup.Group
	g.Go(func() error { return l.own() }) // want "a goroutine"
	return g.Wait()
}

func generic[T any](xs []T, f func(T)) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	n := 0
	for range 2 {
		wg.Go(func() { // want "a goroutine"
			for {
				mu.Lock()
				i := n
				n++
				mu.Unlock()
				if i >= len(xs) {
					return
				}
				f(xs[i])
			}
		})
	}
	wg.Wait()
}

func inSwitch(k int, f func()) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	switch k {
	case 1:
		wg.Add(1)
		go func() { // want "a goroutine"
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			f()
		}()
	default:
		wg.Go(f)
	}
	if x := k; x > 2 {
		wg.Go(func() { f() })
	}
	wg.Wait()
}

func params(xs []int, f func(int) int) (sum int) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, x := range xs[:1] {
		wg.Add(1)
		go func(x, n int) {
			defer wg.Done()
			v := f(x + n)
			mu.Lock()
			sum += v
			mu.Unlock()
		}(x, len(xs))
	}
	wg.Wait()
	return sum
}

func parens(f func()) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { // want "a goroutine"
		defer (wg.Done)()
		f()
	}()
	(wg.Wait)()
}

func labelled(xs []int, f func(int)) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	wg.Go(func() { // want "a goroutine"
	outer:
		for _, x := range xs {
			for {
				mu.Lock()
				f(x)
				mu.Unlock()
				continue outer
			}
		}
	})
	wg.Wait()
}

func panics(f func()) {
	var wg sync.WaitGroup
	wg.Go(func() { // want "a goroutine"
		var mu sync.Mutex
		mu.Lock()
		f()
		panic("end")
	})
	wg.Wait()
}

// A team is waited for by others, too.
type team struct {
	wg   sync.WaitGroup
	mu   sync.Mutex
	seen map[string]int
}

func (t *team) note(names []string, ok func(string) bool) {
	t.wg.Add(1)
	go func() { // want "a goroutine"
		defer t.wg.Done()
		if len(names) == 0 {
			return
		}
		t.mu.Lock()
		t.seen[names[0]]++
		t.mu.Unlock()
	}()
	t.wg.Go(func() {
		if !ok("") {
			return
		}
		t.mu.Lock()
		t.seen[""]++
		t.mu.Unlock()
	})
	t.wg.Go(func() {
	all:
		for _, n := range names {
			for ok(n) {
				continue all
			}
		}
	})
	t.wg.Wait()
}

// after waits for what another one has begun.
func after(begun *sync.WaitGroup, f func()) {
	var wg sync.WaitGroup
	wg.Go(func() { // want "a goroutine" // refuse "serial: the goroutine waits"
		begun.Wait()
		f()
	})
	wg.Wait()
}

// offered is not started where the group is full.
func offered(l loader) error {
	var g errgroup.Group
	g.SetLimit(1)
	g.TryGo(func() error { return l.load() }) // want "a goroutine" // refuse "serial: the group may take no more"
	return g.Wait()
}

// counted gives back what the goroutine takes.
func counted(mu *sync.Mutex, f func()) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { // want "a goroutine"
		defer func() { wg.Done() }()
		mu.Lock()
		f()
	}()
	wg.Wait()
	mu.Unlock()
}

// prices has a part for each clerk.
func prices(clerks int, xs []int, rate func(int) int) []int {
	out := make([]int, len(xs))
	var wg sync.WaitGroup
	for c := range clerks {
		lo, hi := c*len(xs)/clerks, (c+1)*len(xs)/clerks
		wg.Go(func() { // want "a goroutine is started here"
			// each has its own
			for i := lo; i < hi; i++ {
				out[i] = rate(xs[i])
			}
		})
	}
	wg.Wait()
	return out
}

// totals goes over elements.
func totals(clerks int, xs []*int, rate func(int) int) {
	var wg sync.WaitGroup
	for c := 0; c < clerks; c++ {
		wg.Add(1)
		go func() { // want "a goroutine is started here"
			defer wg.Done()
			for _, x := range xs[len(xs)*c/clerks : len(xs)*(c+1)/clerks] {
				*x = rate(*x)
			}
		}()
	}
	wg.Wait()
}

// named knows which part it is.
func named(clerks int, xs []int, rate func(int) int) []int {
	sums := make([]int, clerks)
	var wg sync.WaitGroup
	for c := range clerks {
		wg.Go(func() { // want "a goroutine is started here"
			for i := c * len(xs) / clerks; i < (c+1)*len(xs)/clerks; i++ {
				sums[c] += rate(xs[i])
			}
		})
	}
	wg.Wait()
	return sums
}

// ends does something when a part is done.
func ends(clerks int, xs []int, rate func(int)) {
	var wg sync.WaitGroup
	for c := range clerks {
		wg.Go(func() { // want "a goroutine is started here"
			for i := c * len(xs) / clerks; i < (c+1)*len(xs)/clerks; i++ {
				rate(xs[i])
			}
			rate(-1)
		})
	}
	wg.Wait()
}

// until ends a part early.
func until(clerks int, xs []int, rate func(int) bool) {
	var wg sync.WaitGroup
	for c := range clerks {
		wg.Go(func() { // want "a goroutine is started here"
			for i := c * len(xs) / clerks; i < (c+1)*len(xs)/clerks; i++ {
				if rate(xs[i]) {
					break
				}
			}
		})
	}
	wg.Wait()
}

// An account is written to by one clerk at a time.
type account struct {
	mu    sync.Mutex
	total int
}

func (a *account) book(xs []int) {
	for _, x := range xs {
		a.mu.Lock()
		a.total += x
		a.mu.Unlock()
	}
}

func (a *account) most(xs []int) {
	most := 0
	for _, x := range xs {
		most += x
	}
	a.mu.Lock()
	a.total = max(a.total, most)
	a.mu.Unlock()
}

func (a *account) weigh(xs []int) {
	for _, x := range xs {
		a.mu.Lock()
		a.total += x * len(xs)
		a.mu.Unlock()
	}
}

func each[T any](a *account, xs []T) {
	for _, x := range xs {
		use(a, x)
	}
}

func use(...any) {}

// strides hands out so many at a time.
func strides(a *account, xs []int) {
	var wg sync.WaitGroup
	for lo := 0; lo < len(xs); lo += 3 {
		part := xs[lo:min(lo+3, len(xs))]
		wg.Go(func() { a.book(part) }) // want "a goroutine is started here"
	}
	wg.Wait()
}

func stridesOf[T any](a *account, ts []T) {
	var wg sync.WaitGroup
	for lo := 0; lo < len(ts); lo += 3 {
		hi := min(len(ts), lo+3)
		wg.Add(1)
		go func(part []T) { // want "a goroutine is started here"
			defer wg.Done()
			each(a, part)
		}(ts[lo:hi])
	}
	wg.Wait()
}

// Parts of which something is known that is not known of a whole.

func largest(a *account, n int, xs []int) {
	var wg sync.WaitGroup
	for k := range n {
		wg.Go(func() { a.most(xs[k*len(xs)/n : (k+1)*len(xs)/n]) }) // want "a goroutine is started here"
	}
	wg.Wait()
}

func lengths(a *account, n int, xs []int) {
	var wg sync.WaitGroup
	for k := range n {
		wg.Go(func() { a.weigh(xs[k*len(xs)/n : (k+1)*len(xs)/n]) }) // want "a goroutine is started here"
	}
	wg.Wait()
}

func another(a *account, xs, ys []int) {
	var wg sync.WaitGroup
	for lo := 0; lo < len(ys); lo += 3 {
		wg.Go(func() { a.book(xs[lo:min(lo+3, len(ys))]) }) // want "a goroutine is started here"
	}
	wg.Wait()
}

func firsts(a *account, xs []int) {
	var wg sync.WaitGroup
	for lo := 0; lo < len(xs); lo += 3 {
		wg.Go(func() { a.book(xs[lo:min(lo+1, len(xs))]) }) // want "a goroutine is started here"
	}
	wg.Wait()
}

func halves(a *account, xs []int) {
	var wg sync.WaitGroup
	for lo := 0; lo < len(xs)/2; lo += 3 {
		wg.Go(func() { a.book(xs[lo:min(lo+3, len(xs)/2)]) }) // want "a goroutine is started here"
	}
	wg.Wait()
}

func letters(a *account, n int, s string) {
	var wg sync.WaitGroup
	for k := range n {
		wg.Go(func() { // want "a goroutine is started here"
			for _, r := range s[k*len(s)/n : (k+1)*len(s)/n] {
				use(a, r)
			}
		})
	}
	wg.Wait()
}

// Literals with parameters, of which some are not what they are called with.

func swapped(a *account, x, y int) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func(y, z int) { // want "a goroutine is started here"
		defer wg.Done()
		a.book([]int{y, z})
	}(x, y)
	wg.Wait()
}

func hidden(a *account, x int) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func(y int) { // want "a goroutine is started here"
		defer wg.Done()
		for x := range y {
			a.book([]int{x, y})
		}
	}(x)
	wg.Wait()
}

func before(a *account, total int) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func(before int) { // want "a goroutine is started here"
		defer wg.Done()
		total++
		a.book([]int{before, total})
	}(total)
	wg.Wait()
}

func wider(a *account, n int) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func(n any) { // want "a goroutine is started here"
		defer wg.Done()
		use(a, n)
	}(n)
	wg.Wait()
}

func some(a *account, n int) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func(n ...int) { // want "a goroutine is started here"
		defer wg.Done()
		a.book(n)
	}()
	wg.Wait()
}

func plainly(a *account, sum int) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func(x int) { // want "a goroutine is started here"
		defer wg.Done()
		a.book([]int{x, x + 1})
	}(sum)
	wg.Wait()
}
