// Package quiet uses channels as it should.
package quiet

import (
	"bufio"
	"net"
	"sync"
	"time"
)

// A signal is no item.
func signals(n int, f func()) {
	done := make(chan struct{})
	go func() {
		for range n {
			f()
			done <- struct{}{}
		}
		close(done)
	}()
	for range done {
	}
}

// Once.
func answer(f func() int) int {
	c := make(chan int)
	go func() {
		func() { c <- f() }()
	}()
	return <-c
}

// From the network.
func lines(conn net.Conn, f func(string)) {
	c := make(chan string)
	go func() {
		defer close(c)
		r := bufio.NewReader(conn)
		for {
			conn.SetDeadline(time.Now())
			s, err := r.ReadString('\n')
			if err != nil {
				return
			}
			c <- s
		}
	}()
	for s := range c {
		f(s)
	}
}

// In batches.
func batches(xs []int) (sum int) {
	c := make(chan []int)
	go func() {
		defer close(c)
		var batch []int
		for _, x := range xs {
			batch = append(batch, x)
			if len(batch) == 100 {
				c <- batch
				batch = nil
			}
		}
		c <- batch
	}()
	for b := range c {
		for _, x := range b {
			sum += x
		}
	}
	return sum
}

// One item, though the call is of a method.
type list struct{ value int }

func (l *list) first(f func(int)) { f(l.value) }

func (l *list) alone() (sum int) {
	c := make(chan int)
	go func() {
		defer close(c)
		l.first(func(x int) { c <- x })
	}()
	for x := range c {
		sum += x
	}
	return sum
}

// Each item comes from the network.
type remote struct {
	conn net.Conn
	r    *bufio.Reader
}

func (r remote) each(f func(string)) {
	for {
		r.conn.SetDeadline(time.Now())
		s, err := r.r.ReadString('\n')
		if err != nil {
			return
		}
		f(s)
	}
}

func (r remote) total() (n int) {
	c := make(chan string)
	go func() {
		defer close(c)
		r.each(func(s string) { c <- s })
	}()
	for s := range c {
		n += len(s)
	}
	return n
}

// A semaphore: the room is how many may work at once.
func slots(xs []int) {
	slots := make(chan int, 4)
	var wg sync.WaitGroup
	for i := range xs {
		slots <- 1
		wg.Go(func() {
			xs[i] *= 2
			<-slots
		})
	}
	wg.Wait()
}
