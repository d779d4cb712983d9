package refused

import (
	"sync"
	"sync/atomic"
)

type list struct {
	next  *list
	value int
	later []func(int)
	tick  chan int
}

// Keeps what it is given.
func (l *list) keep(f func(int)) {
	for ; l != nil; l = l.next {
		l.later = append(l.later, f)
		f(l.value)
	}
}

// Hands it to one that does.
func (l *list) through(f func(int)) {
	l.each(f)
	l.keep(f)
}

func (l *list) each(f func(int)) {
	for ; l != nil; l = l.next {
		f(l.value)
	}
}

// Calls it once.
func (l *list) once(f func(int)) { f(l.value) }

func (l *list) ticks(f func(int)) {
	for ; l != nil; l = l.next {
		f(l.get())
	}
}

func (l *list) get() int { return l.received() }

func (l *list) received() int { return <-l.tick }

func (l *list) ok(f func(int)) bool {
	l.each(f)
	return l != nil
}

func (l *list) keeps() (sum int) {
	c := make(chan int)
	go func() {
		defer close(c)
		l.keep(func(x int) { c <- x }) // want "each item crosses c" // refuse "batch: what sends on c may be called later" "direct: several goroutines use one end of c, or one"
	}()
	for x := range c {
		sum += x
	}
	return sum
}

func (l *list) hands() (sum int) {
	c := make(chan int)
	go func() {
		defer close(c)
		l.through(func(x int) { c <- x }) // want "each item crosses c" // refuse "batch: what sends on c may be called later" "direct: several goroutines use one end of c, or one"
	}()
	for x := range c {
		sum += x
	}
	return sum
}

// After the goroutine has come to its end.
func (l *list) deferred() (sum int) {
	c := make(chan int)
	go func() {
		defer close(c)
		defer l.each(func(x int) { c <- x }) // want "each item crosses c" // refuse "batch: what sends on c may be called later" "direct: several goroutines use one end of c, or one"
	}()
	for x := range c {
		sum += x
	}
	return sum
}

// One item.
func (l *list) first() (sum int) {
	c := make(chan int)
	go func() {
		defer close(c)
		l.once(func(x int) { c <- x })
	}()
	for x := range c {
		sum += x
	}
	return sum
}

// Each item waits for something, three calls further.
func (l *list) waiting() (sum int) {
	c := make(chan int)
	go func() {
		defer close(c)
		l.ticks(func(x int) { c <- x }) // want "each item crosses c" // refuse "direct: the task waits for" "batch: the goroutine that sends on c waits, or looks"
	}()
	for x := range c {
		sum += x
	}
	return sum
}

// The call is the last of the function.
func (l *list) told(sum *atomic.Int64) bool {
	c := make(chan int)
	var wg sync.WaitGroup
	wg.Go(func() {
		for x := range c {
			sum.Add(int64(x))
		}
	})
	defer wg.Wait()
	defer close(c)
	return l.ok(func(x int) { c <- x }) // want "each item crosses c" // refuse "direct: c is filled by the function itself" "batch: the goroutine that sends on c may end within the loop"
}

// The receiver writes to what the function walks.
func moved(l *list) (sum int) {
	c := make(chan int)
	at := l
	go func() {
		defer close(c)
		for range 2 {
			at.each(func(x int) { c <- x }) // want "each item crosses c" // refuse "batch: what receives from c may write to what" "buffer: what receives from c may write to what"
		}
	}()
	for x := range c {
		at = l
		sum += x
	}
	return sum
}

// The receiver does so in a literal, and writes to what is read two items later.
func inLiteral(xs []int) {
	c := make(chan int)
	go func() {
		defer close(c)
		for _, x := range xs[2:] {
			c <- x // want "each item crosses c" // refuse "direct: the loop over c runs several times" "batch: what receives from c may write to what" "buffer: what receives from c may write to what"
		}
	}()
	func() {
		i := 4
		for x := range c {
			if i < len(xs) {
				xs[i] = x
			}
			i++
		}
	}()
}
