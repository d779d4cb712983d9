package fresh

import (
	"sync"
	"time"
)

// An expression is lexed and evaluated.

var source = func() []byte {
	var s []byte
	for _, x := range numbers(1500, 900) {
		s = append(s, byte('1'+x%9), byte('0'+x/100), ' ', "+-"[x%2], ' ')
	}
	return append(s, '0')
}()

type token struct {
	op    byte
	value int
}

func lex(src []byte, emit func(token)) {
	for i := 0; i < len(src); {
		switch c := src[i]; {
		case c >= '0' && c <= '9':
			v := 0
			for ; i < len(src) && src[i] >= '0' && src[i] <= '9'; i++ {
				v = v*10 + int(src[i]-'0')
			}
			emit(token{value: v})
		case c == '+' || c == '-':
			emit(token{op: c})
			i++
		default:
			i++
		}
	}
}

type evaluator struct{ total, sign int }

func (e *evaluator) take(t token) {
	switch t.op {
	case 0:
		e.total += e.sign * int(grind(uint64(t.value), 40)&0xff)
	case '+':
		e.sign = 1
	case '-':
		e.sign = -1
	}
}

func lexerSerial() int {
	e := evaluator{sign: 1}
	for range 2 {
		lex(source, e.take)
	}
	return e.total
}

func lexerChannel() int {
	e := evaluator{sign: 1}
	tokens := make(chan token)
	go func() {
		defer close(tokens)
		for range 2 {
			lex(source, func(t token) { tokens <- t })
		}
	}()
	for t := range tokens {
		e.take(t)
	}
	return e.total
}

// A bounded mailbox under a condition variable.

type mailbox[T any] struct {
	mu    sync.Mutex
	moved sync.Cond
	buf   []T
	limit int
	shut  bool
}

func newMailbox[T any](limit int) *mailbox[T] {
	m := &mailbox[T]{limit: limit}
	m.moved.L = &m.mu
	return m
}

func (m *mailbox[T]) put(v T) {
	m.mu.Lock()
	for len(m.buf) == m.limit {
		m.moved.Wait()
	}
	m.buf = append(m.buf, v)
	m.mu.Unlock()
	m.moved.Signal()
}

func (m *mailbox[T]) get() (v T, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for len(m.buf) == 0 && !m.shut {
		m.moved.Wait()
	}
	if len(m.buf) == 0 {
		return v, false
	}
	v = m.buf[0]
	m.buf = m.buf[:copy(m.buf, m.buf[1:])]
	m.moved.Signal()
	return v, true
}

func (m *mailbox[T]) close() {
	m.mu.Lock()
	m.shut = true
	m.mu.Unlock()
	m.moved.Broadcast()
}

var letters = numbers(2_000, 1<<20)

func read(letter int) int { return int(grind(uint64(letter), 20) & 0xffff) }

func mailSerial() int {
	sum := 0
	for _, l := range letters {
		sum += read(l)
	}
	return sum
}

func mailBox() int {
	m := newMailbox[int](2)
	go func() {
		for _, l := range letters {
			m.put(l)
		}
		m.close()
	}()
	sum := 0
	for {
		l, ok := m.get()
		if !ok {
			return sum
		}
		sum += read(l)
	}
}

// Samples pass three filters, each in a goroutine.

var samples = numbers(4_000, 1000)

func scale(x int) int  { return x * 3 }
func offset(x int) int { return x - 500 }
func clip(x int) int   { return int(grind(uint64(min(max(x, 0), 2000)), 10) & 1023) }

func filtersSerial() int {
	sum := 0
	for _, x := range samples {
		sum += clip(offset(scale(x)))
	}
	return sum
}

func stage(in <-chan int, f func(int) int) <-chan int {
	out := make(chan int, 64)
	go func() {
		defer close(out)
		for x := range in {
			out <- f(x)
		}
	}()
	return out
}

func filtersStaged() int {
	in := make(chan int, 64)
	go func() {
		defer close(in)
		for _, x := range samples {
			in <- x
		}
	}()
	sum := 0
	for x := range stage(stage(stage(in, scale), offset), clip) {
		sum += x
	}
	return sum
}

// A bus publishes events to subscribers that acknowledge each.

type subscriber struct {
	events chan int
	acks   chan struct{}
	total  int
}

func (s *subscriber) handle(e int) { s.total += int(grind(uint64(e), 60) & 255) }

var busEvents = numbers(700, 1<<16)

func busSerial() int {
	subs := make([]subscriber, 3)
	for _, e := range busEvents {
		for i := range subs {
			subs[i].handle(e)
		}
	}
	return subs[0].total + subs[1].total + subs[2].total
}

func busAcknowledged() int {
	subs := make([]subscriber, 3)
	for i := range subs {
		s := &subs[i]
		s.events, s.acks = make(chan int), make(chan struct{})
		go func() {
			for e := range s.events {
				s.handle(e)
				s.acks <- struct{}{}
			}
			close(s.acks)
		}()
	}
	for _, e := range busEvents {
		for i := range subs {
			subs[i].events <- e
		}
		for i := range subs {
			<-subs[i].acks
		}
	}
	total := 0
	for i := range subs {
		close(subs[i].events)
		<-subs[i].acks
		total += subs[i].total
	}
	return total
}

// Readings of many sensors come together.

const sensors, perSensor = 24, 60

func reading(sensor, i int) int { return int(grind(uint64(sensor*1000+i), 40) & 0xfff) }

func sensorsSerial() int {
	sum := 0
	for s := range sensors {
		for i := range perSensor {
			sum += reading(s, i)
		}
	}
	return sum
}

func sensorsSelect() int {
	var in [8]chan int
	for k := range in {
		in[k] = make(chan int, perSensor*sensors/len(in))
		go func() {
			defer close(in[k])
			for s := k; s < sensors; s += len(in) {
				for i := range perSensor {
					in[k] <- reading(s, i)
				}
			}
		}()
	}
	sum, open := 0, len(in)
	take := func(k, v int, ok bool) {
		if !ok {
			in[k] = nil
			open--
		}
		sum += v
	}
	for open > 0 {
		select {
		case v, ok := <-in[0]:
			take(0, v, ok)
		case v, ok := <-in[1]:
			take(1, v, ok)
		case v, ok := <-in[2]:
			take(2, v, ok)
		case v, ok := <-in[3]:
			take(3, v, ok)
		case v, ok := <-in[4]:
			take(4, v, ok)
		case v, ok := <-in[5]:
			take(5, v, ok)
		case v, ok := <-in[6]:
			take(6, v, ok)
		case v, ok := <-in[7]:
			take(7, v, ok)
		}
	}
	return sum
}

// A worker minds its jobs and six ways to be told something.

type control struct {
	quit, pause, resume, flush, reload, report chan struct{}
}

func newControl() *control {
	c := make([]chan struct{}, 6)
	for i := range c {
		c[i] = make(chan struct{})
	}
	return &control{c[0], c[1], c[2], c[3], c[4], c[5]}
}

var jobs = numbers(1_500, 1<<16)

func jobQueue() chan int {
	q := make(chan int, len(jobs))
	for _, j := range jobs {
		q <- j
	}
	close(q)
	return q
}

func controlSerial() int {
	sum := 0
	for j := range jobQueue() {
		sum += read(j)
	}
	return sum
}

func controlSelect() int {
	c, q := newControl(), jobQueue()
	var sums [2]int
	var wg sync.WaitGroup
	for w := range sums {
		wg.Go(func() {
			sum := 0
			defer func() { sums[w] = sum }()
			for {
				select {
				case <-c.quit:
					return
				case <-c.pause:
					<-c.resume
				case <-c.flush:
					sum = 0
				case <-c.reload:
				case <-c.report:
				case j, ok := <-q:
					if !ok {
						return
					}
					sum += read(j)
				}
			}
		})
	}
	wg.Wait()
	return sums[0] + sums[1]
}

// A search looks at the cancellation of all who asked before each candidate.

var candidates = numbers(4_000, 1<<16)

func searchSerial() int {
	best := 0
	for _, c := range candidates {
		best = max(best, read(c))
	}
	return best
}

func searchCancelled() int {
	var done [6]chan struct{}
	for i := range done {
		done[i] = make(chan struct{})
	}
	var bests [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			best := 0
			for _, c := range cut(candidates, w) {
				select {
				case <-done[0]:
					return
				case <-done[1]:
					return
				case <-done[2]:
					return
				case <-done[3]:
					return
				case <-done[4]:
					return
				case <-done[5]:
					return
				default:
				}
				best = max(best, read(c))
			}
			bests[w] = best
		})
	}
	wg.Wait()
	return max(bests[0], bests[1], bests[2], bests[3])
}

// Calls get a timeout each.

var calls = numbers(2_000, 1<<16)

func callsSerial() int {
	sum := 0
	for _, c := range calls {
		sum += read(c)
	}
	return sum
}

func callsTimeout() int {
	var sums, late [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for _, c := range cut(calls, w) {
				t := time.AfterFunc(time.Minute, func() { late[w]++ })
				sums[w] += read(c)
				t.Stop()
			}
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// A watchdog is put off at each frame.

var frames = numbers(4_000, 1<<16)

func frameSum(fs []int, alive func()) int {
	sum := 0
	for _, f := range fs {
		alive()
		sum += read(f)
	}
	return sum
}

func watchdogSerial() int { return frameSum(frames, func() {}) }

func watchdogReset() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			dog := time.AfterFunc(time.Minute, func() { panic("no frames") })
			defer dog.Stop()
			sums[w] = frameSum(cut(frames, w), func() { dog.Reset(time.Minute) })
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// Answers are awaited with a timeout for each.

func answersSerial() int {
	q := make(chan int, 1)
	sum := 0
	for _, c := range calls {
		q <- read(c)
		sum += <-q
	}
	return sum
}

func answersAfter() int {
	q := make(chan int, 1)
	sum := 0
	for _, c := range calls {
		q <- read(c)
		select {
		case v := <-q:
			sum += v
		case <-time.After(time.Minute):
			return -1
		}
	}
	return sum
}
