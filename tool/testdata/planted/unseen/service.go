package unseen

import (
	"container/list"
	"math/rand"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// A Cache of the least recently used, behind one mutex, for a read moves an
// element as well.
type Cache struct {
	mu    sync.Mutex
	size  int
	order *list.List
	elems map[int]*list.Element
}

type cacheEntry struct{ key, value int }

func NewCache(size int) *Cache {
	c := &Cache{size: size, order: list.New(), elems: map[int]*list.Element{}}
	for k := 0; k < size; k++ {
		c.elems[k] = c.order.PushFront(cacheEntry{k, k * k})
	}
	return c
}

func (c *Cache) Get(key int) (int, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.elems[key]
	if !ok {
		return 0, false
	}
	c.order.MoveToFront(e)
	return e.Value.(cacheEntry).value, true
}

func (c *Cache) lookups(lo, hi int) (n int) {
	for i := lo; i < hi; i++ {
		if v, ok := c.Get(i * 7 % c.size); ok {
			n += v
		}
	}
	return n
}

func (c *Cache) Concurrently(total int) int {
	sums := make(chan int)
	const clients = 20
	for g := 0; g < clients; g++ {
		go func() { sums <- c.lookups(g*total/clients, (g+1)*total/clients) }()
	}
	n := 0
	for g := 0; g < clients; g++ {
		n += <-sums
	}
	return n
}

// Metrics of a server: the two sides of it count different things.
type Metrics struct {
	Requests atomic.Int64
	BytesIn  atomic.Int64
	Replies  atomic.Int64
	BytesOut atomic.Int64
}

func (m *Metrics) in(n int) {
	for i := 0; i < n; i++ {
		m.Requests.Add(1)
		m.BytesIn.Add(int64(i & 63))
	}
}

func (m *Metrics) out(n int) {
	for i := 0; i < n; i++ {
		m.Replies.Add(1)
		m.BytesOut.Add(int64(i & 127))
	}
}

func (m *Metrics) sum() int {
	return int(m.Requests.Load() + m.BytesIn.Load() + m.Replies.Load()*2 + m.BytesOut.Load())
}

func Serve(n int) int {
	m := &Metrics{}
	m.in(n)
	m.out(n)
	return m.sum()
}

func ServeBothSides(n int) int {
	m := &Metrics{}
	done := make(chan bool)
	go func() { m.in(n); done <- true }()
	go func() { m.out(n); done <- true }()
	<-done
	<-done
	return m.sum()
}

// A Sequence numbers what passes by.
type Sequence struct{ last atomic.Uint64 }

func (s *Sequence) Next() uint64 { return s.last.Add(1) }

func number(s *Sequence, n int) (top uint64) {
	for i := 0; i < n; i++ {
		top = max(top, s.Next())
	}
	return top
}

func Number(n int) int { return int(number(new(Sequence), n)) }

func NumberConcurrently(n int) int {
	s := new(Sequence)
	tops := make(chan uint64)
	for g := 0; g < 4; g++ {
		go func() { tops <- number(s, n/4) }()
	}
	return int(max(<-tops, <-tops, <-tops, <-tops))
}

// A Bus calls the handlers of a topic.
type Bus struct {
	mu       sync.RWMutex
	handlers map[string][]func(int) int
}

func NewBus() *Bus {
	b := &Bus{handlers: map[string][]func(int) int{}}
	b.handlers["created"] = []func(int) int{func(n int) int { return n + 1 }, func(n int) int { return n * 2 }}
	return b
}

func (b *Bus) Publish(topic string, n int) (sum int) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for _, h := range b.handlers[topic] {
		sum += h(n)
	}
	return sum
}

func (b *Bus) publish(lo, hi int) (sum int) {
	for i := lo; i < hi; i++ {
		sum += b.Publish("created", i)
	}
	return sum
}

func (b *Bus) publishers(n int) int {
	sums := make(chan int)
	for g := 0; g < 4; g++ {
		go func() { sums <- b.publish(g*n/4, (g+1)*n/4) }()
	}
	return <-sums + <-sums + <-sums + <-sums
}

// FanOut gives every message to eight subscribers.
const subscribers = 8

func FanOut(n int) (sum int) {
	for i := 0; i < n; i++ {
		for s := 0; s < subscribers; s++ {
			sum += score(i, s)
		}
	}
	return sum
}

// score takes tens of nanoseconds.
func score(msg, s int) int {
	x := uint32(msg*31 + s)
	for i := 0; i < 12; i++ {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
	}
	return int(x & 0xff)
}

func FanOutChannels(n int) (sum int) {
	var wg sync.WaitGroup
	var subs [subscribers]chan int
	var sums [subscribers]int
	for s := range subs {
		subs[s] = make(chan int, 1)
		wg.Add(1)
		go func() {
			defer wg.Done()
			total := 0
			for m := range subs[s] {
				total += score(m, s)
			}
			sums[s] = total
		}()
	}
	for i := 0; i < n; i++ {
		for _, ch := range subs {
			ch <- i
		}
	}
	for _, ch := range subs {
		close(ch)
	}
	wg.Wait()
	for _, s := range sums {
		sum += s
	}
	return sum
}

// An Account is locked for a transfer, in the order of ids.
type Account struct {
	mu      sync.Mutex
	id      int
	balance int
}

type Bank [3]Account

func NewBank() *Bank {
	var b Bank
	for i := range b {
		b[i].id, b[i].balance = i, 1000
	}
	return &b
}

func (b *Bank) Transfer(from, to, amount int) {
	x, y := &b[min(from, to)], &b[max(from, to)]
	x.mu.Lock()
	y.mu.Lock()
	b[from].balance -= amount
	b[to].balance += amount
	y.mu.Unlock()
	x.mu.Unlock()
}

func (b *Bank) transfers(lo, hi int) {
	for i := lo; i < hi; i++ {
		b.Transfer(i%3, (i+1+i%2)%3, i%10)
	}
}

func Transfers(n int) int {
	b := NewBank()
	b.transfers(0, n)
	return b[0].balance*7 + b[1].balance
}

func TransfersConcurrently(n int) int {
	b := NewBank()
	var wg sync.WaitGroup
	for g := 0; g < 8; g++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			b.transfers(g*n/8, (g+1)*n/8)
		}()
	}
	wg.Wait()
	return b[0].balance*7 + b[1].balance
}

// handle is a request of some 20 µs.
func handle(i int) int {
	x := uint64(i) + 1
	for k := 0; k < 10_000; k++ {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return int(x & 0xffff)
}

func Handle(n int) (sum int) {
	for i := 0; i < n; i++ {
		sum += handle(i)
	}
	return sum
}

// A Limiter lets one request pass in a millisecond.
type Limiter struct {
	mu   sync.Mutex
	next time.Time
}

func (l *Limiter) Wait() {
	l.mu.Lock()
	now := time.Now()
	if l.next.Before(now) {
		l.next = now
	}
	wait := l.next.Sub(now)
	l.next = l.next.Add(time.Millisecond)
	l.mu.Unlock()
	time.Sleep(wait)
}

func HandleLimited(n int) (sum int) {
	var l Limiter
	sums := make(chan int)
	for i := 0; i < n; i++ {
		go func() {
			l.Wait()
			sums <- handle(i)
		}()
	}
	for i := 0; i < n; i++ {
		sum += <-sums
	}
	return sum
}

// HandleBatched collects requests until the next tick, as a writer to a slow
// disk would, and answers then.
func HandleBatched(n int) (sum int) {
	type call struct {
		arg   int
		reply chan int
	}
	calls := make(chan call, n)
	done := make(chan bool)
	go func() {
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		var batch []call
		for {
			select {
			case c := <-calls:
				batch = append(batch, c)
			case <-tick.C:
				for _, c := range batch {
					c.reply <- handle(c.arg)
				}
				batch = nil
			case <-done:
				return
			}
		}
	}()
	// Two clients with half of the calls each, in two rounds.
	sums := make(chan int)
	for w := 0; w < 2; w++ {
		go func() {
			total := 0
			for r := 0; r < 2; r++ {
				replies := make(chan int, n)
				k := 0
				for i := r*2 + w; i < n; i += 4 {
					calls <- call{i, replies}
					k++
				}
				for ; k > 0; k-- {
					total += <-replies
				}
			}
			sums <- total
		}()
	}
	sum = <-sums + <-sums
	close(done)
	return sum
}

// HandlePool is a plain pool over requests that are worth it.
func HandlePool(n int) (sum int) {
	jobs := make(chan int, n)
	results := make(chan int, n)
	for w := 0; w < runtime.GOMAXPROCS(0); w++ {
		go func() {
			for i := range jobs {
				results <- handle(i)
			}
		}()
	}
	for i := 0; i < n; i++ {
		jobs <- i
	}
	close(jobs)
	for i := 0; i < n; i++ {
		sum += <-results
	}
	return sum
}

// A Board is where ten consumers look for something to do, all the time.
type Board struct{ slot atomic.Int64 }

func ScoreAll(n int) (sum int) {
	for i := 1; i <= n; i++ {
		sum += score(i, 0)
	}
	return sum
}

func ScoreAllPolling(n int) int {
	var b Board
	var sum, done atomic.Int64
	var wg sync.WaitGroup
	for g := 0; g < 10; g++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for done.Load() < int64(n) {
				i := b.slot.Load()
				if i == 0 || !b.slot.CompareAndSwap(i, 0) {
					runtime.Gosched()
					continue
				}
				sum.Add(int64(score(int(i), 0)))
				done.Add(1)
			}
		}()
	}
	for i := 1; i <= n; i++ {
		for !b.slot.CompareAndSwap(0, int64(i)) {
			runtime.Gosched()
		}
	}
	wg.Wait()
	return int(sum.Load())
}

// An Order lies somewhere in memory and knows the next one.
type Order struct {
	next *Order
	qty  int
	_    [48]byte
}

// newBook links 4096 orders of 64 bytes, which lie about in memory.
func newBook(seed int64) *Order {
	orders := make([]Order, 4096)
	var first *Order
	for _, i := range rand.New(rand.NewSource(seed)).Perm(len(orders)) {
		orders[i].next = first
		first = &orders[i]
	}
	return first
}

func (o *Order) price(by int) (sum int) {
	for ; o != nil; o = o.next {
		o.qty = (o.qty + by) & 0xffff
		sum += o.qty
	}
	return sum
}

func (o *Order) reset() {
	for ; o != nil; o = o.next {
		o.qty = 0
	}
}

const rounds = 12

// Reprice goes through two books by turns.
func Reprice(a, b *Order) (sum int) {
	a.reset()
	b.reset()
	for r := 0; r < rounds; r++ {
		sum += a.price(3)
		sum += b.price(3)
	}
	return sum
}

// RepriceDesks has two desks, which exchange their books after each round.
func RepriceDesks(a, b *Order) int {
	a.reset()
	b.reset()
	left, right := make(chan *Order, 1), make(chan *Order, 1)
	desk := func(book *Order, send, receive chan *Order, out chan int) {
		sum := 0
		for r := 0; r < rounds; r++ {
			sum += book.price(3)
			send <- book
			book = <-receive
		}
		out <- sum
	}
	out := make(chan int)
	go desk(a, left, right, out)
	go desk(b, right, left, out)
	return <-out + <-out
}
