package main

import (
	"errors"
	"fmt"
	"sort"
	"sync"
	"sync/atomic"
)

// A table ends by a channel of its own, and is waited for. Its goroutine has all keys.
type table struct {
	asks  chan ask
	quit  chan struct{}
	ended sync.WaitGroup
	total int
}

type ask struct {
	op    string
	key   int
	reply chan []int
}

var errClosed = errors.New("closed")

func newTable(keys ...int) *table {
	t := &table{asks: make(chan ask), quit: make(chan struct{})}
	t.ended.Add(1)
	go t.serve(keys, len(keys))
	return t
}

func (t *table) serve(keys []int, n int) {
	defer t.ended.Done()
	sums := make(map[int]int)
	for {
		select {
		case <-t.quit:
			return
		case a := <-t.asks:
			t.total++
			switch a.op {
			case "add":
				keys = append(keys, a.key)
				sums[a.key%3] += a.key
				n++
				a.reply <- []int{n}
			case "sums":
				if len(sums) == 0 {
					a.reply <- nil
					continue
				}
				a.reply <- []int{sums[0], sums[1], sums[2]}
			default:
				all := append([]int{}, keys...)
				sort.Ints(all)
				a.reply <- all
			}
		}
	}
}

func (t *table) ask(a ask) ([]int, error) {
	a.reply = make(chan []int, 1)
	select {
	case t.asks <- a: // want "a goroutine answers what comes through asks"
		return <-a.reply, nil
	case <-t.quit:
		return nil, errClosed
	}
}

func (t *table) close() int {
	close(t.quit)
	t.ended.Wait()
	return t.total
}

// A log is closed by the channel that it is asked through.
type log struct {
	lines chan line
	once  sync.Once
	gone  chan struct{}
}

type line struct {
	text string
	done chan struct{}
}

func newLog(to *[]string) *log {
	l := &log{lines: make(chan line, 4), gone: make(chan struct{})}
	go l.write(to)
	return l
}

func (l *log) write(to *[]string) {
	defer close(l.gone)
	for x := range l.lines {
		*to = append(*to, x.text)
		close(x.done)
	}
}

func (l *log) say(text string) {
	x := line{text, make(chan struct{})}
	l.lines <- x // want "a goroutine answers what comes through lines"
	<-x.done
}

func (l *log) close() {
	close(l.lines)
	<-l.gone
}

// A ticket counts for ever.
type ticket struct{ next chan number }

type number struct{ n chan int }

func newTicket() *ticket {
	t := &ticket{next: make(chan number)}
	go func() {
		n := 1
		for r := range t.next {
			n *= 3
			r.n <- n
		}
	}()
	return t
}

func (t *ticket) take(count int) (all []int) {
	n := make(chan int)
	for range count {
		t.next <- number{n} // want "a goroutine answers what comes through next"
		v := <-n
		all = append(all, v)
	}
	return all
}

// A hall has several channels, and what waits for its end waits once.
type hall struct {
	seats chan seat
	notes chan string
	all   chan chan []string
	once  sync.Once
	quit  chan struct{}
	gone  chan struct{}
}

type seat struct {
	n  int
	ok chan<- bool
}

func newHall() *hall {
	h := &hall{seats: make(chan seat), notes: make(chan string), all: make(chan chan []string), quit: make(chan struct{}), gone: make(chan struct{})}
	taken := map[int]bool{}
	var notes []string
	go func() {
		defer close(h.gone)
		for {
			select {
			case s := <-h.seats:
				if taken[s.n] {
					s.ok <- false
					continue
				}
				s.ok <- true
				taken[s.n] = true
			case n := <-h.notes:
				notes = append(notes, n)
			case to := <-h.all:
				all := append([]string{fmt.Sprint(len(taken))}, notes...)
				sort.Strings(all)
				to <- all
			case <-h.quit:
				return
			}
		}
	}()
	return h
}

func (h *hall) take(n int) (bool, error) {
	ok := make(chan bool, 1)
	select {
	case h.seats <- seat{n, ok}: // want "a goroutine answers what comes through seats"
	case <-h.gone:
		return false, errClosed
	}
	return <-ok, nil
}

func (h *hall) note(s string) { h.notes <- s }

func (h *hall) list() []string {
	c := make(chan []string)
	h.all <- c
	all := <-c
	return all
}

func (h *hall) close() {
	h.once.Do(func() { close(h.quit) })
	<-h.gone
}

func main() {
	h := newHall()
	var sold atomic.Int64
	var clerks sync.WaitGroup
	for range 8 {
		clerks.Go(func() {
			for n := range 40 {
				if ok, err := h.take(n); ok && err == nil {
					sold.Add(1)
					h.note(fmt.Sprint("seat ", n))
				}
			}
		})
	}
	clerks.Wait()
	fmt.Println(sold.Load(), h.list())
	h.close()
	h.close()
	fmt.Println(h.take(1))

	t := newTable(3, 1, 2)
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			for _, op := range []string{"add", "sums", ""} {
				if _, err := t.ask(ask{op: op, key: i}); err != nil {
					panic(err)
				}
			}
		})
	}
	wg.Wait()
	fmt.Println(t.ask(ask{}))
	fmt.Println(t.ask(ask{op: "sums"}))
	fmt.Println(t.close())
	fmt.Println(t.ask(ask{op: "sums"}))

	// What was answered before it was closed is counted, and nothing else.
	for range 50 {
		t := newTable()
		var answered atomic.Int64
		for range 4 {
			wg.Go(func() {
				for range 100 {
					if _, err := t.ask(ask{op: "add"}); err != nil {
						return
					}
					answered.Add(1)
				}
			})
		}
		n := t.close()
		wg.Wait()
		if int64(n) != answered.Load() || n != t.total {
			fmt.Println("lost", n, answered.Load(), t.total)
		}
	}

	var lines []string
	l := newLog(&lines)
	for i := range 20 {
		wg.Go(func() { l.say(fmt.Sprint(i)) })
	}
	wg.Wait()
	l.close()
	sort.Strings(lines)
	fmt.Println(lines)
	func() {
		defer func() { fmt.Println(len(lines)) }()
		fmt.Println(newTicket().take(5))
	}()
}
