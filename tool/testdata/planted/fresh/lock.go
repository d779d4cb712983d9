package fresh

import (
	"container/list"
	"runtime"
	"sync"
	"sync/atomic"
)

// Transfers between the accounts of a bank.

type transfer struct{ from, to, amount int }

var transfers = func() []transfer {
	ts := make([]transfer, 12_000)
	xs := numbers(3*len(ts), 64)
	for i := range ts {
		ts[i] = transfer{xs[3*i], xs[3*i+1], xs[3*i+2]}
	}
	return ts
}()

type bank struct {
	mu       sync.Mutex
	balances [64]int
}

func (b *bank) transfer(t transfer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.balances[t.from] -= t.amount
	b.balances[t.to] += t.amount
}

func (b *bank) digest() int {
	n := 0
	for i, x := range b.balances {
		n += i * x
	}
	return n
}

func bankSerial() int {
	var b bank
	for _, t := range transfers {
		b.transfer(t)
	}
	return b.digest()
}

func bankTellers() int {
	var b bank
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for _, t := range cut(transfers, w) {
				b.transfer(t)
			}
		})
	}
	wg.Wait()
	return b.digest()
}

// Pages are looked up in a cache that keeps the order of use.

type lru struct {
	mu    sync.Mutex
	order list.List
	pages map[int]*list.Element
}

func (c *lru) fill() *lru {
	c.pages = map[int]*list.Element{}
	for k := range 256 {
		c.pages[k] = c.order.PushFront(k * 5)
	}
	return c
}

func (c *lru) get(k int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.pages[k]
	c.order.MoveToFront(e)
	return e.Value.(int)
}

var (
	pageCache  = new(lru).fill()
	pageVisits = numbers(6_000, 256)
)

func pagesSerial() int {
	sum := 0
	for _, k := range pageVisits {
		sum += pageCache.get(k)
	}
	return sum
}

func pagesShared() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			sum := 0
			for _, k := range cut(pageVisits, w) {
				sum += pageCache.get(k)
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// Votes are counted under a spin lock.

type spinLock struct{ held atomic.Bool }

func (l *spinLock) lock() {
	for !l.held.CompareAndSwap(false, true) {
		for range 30 {
			if !l.held.Load() {
				break
			}
		}
		runtime.Gosched()
	}
}

func (l *spinLock) unlock() { l.held.Store(false) }

type ballotBox struct {
	spinLock
	votes [8]int
}

func (b *ballotBox) cast(v int) {
	b.lock()
	b.votes[v]++
	b.unlock()
}

func (b *ballotBox) result() int {
	n := 0
	for i, v := range b.votes {
		n = n*3 + v*i
	}
	return n
}

var ballots = numbers(12_000, 8)

func votesSerial() int {
	var b ballotBox
	for _, v := range ballots {
		b.cast(v)
	}
	return b.result()
}

func votesSpinning() int {
	var b ballotBox
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for _, v := range cut(ballots, w) {
				b.cast(v)
			}
		})
	}
	wg.Wait()
	return b.result()
}

// Suspicious events are collected in one journal.

type journal struct {
	mu     sync.Mutex
	events []int
}

func (j *journal) add(e int) {
	j.mu.Lock()
	j.events = append(j.events, e)
	j.mu.Unlock()
}

var events = numbers(16_000, 1000)

func journalSerial() int {
	j := journal{events: make([]int, 0, len(events))}
	for _, e := range events {
		if e%8 != 0 {
			j.add(e)
		}
	}
	return len(j.events)
}

func journalShared() int {
	j := journal{events: make([]int, 0, len(events))}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for _, e := range cut(events, w) {
				if e%8 != 0 {
					j.add(e)
				}
			}
		})
	}
	wg.Wait()
	return len(j.events)
}

// Settings are looked up for each request.

type settings struct {
	mu     sync.RWMutex
	limits map[int]int
}

var limitsOf = &settings{limits: func() map[int]int {
	m := map[int]int{}
	for i := range 64 {
		m[i] = i * i
	}
	return m
}()}

func (s *settings) limit(tenant int) int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.limits[tenant]
}

var tenants = numbers(10_000, 64)

func settingsSerial() int {
	sum := 0
	for _, t := range tenants {
		sum += limitsOf.limit(t)
	}
	return sum
}

func settingsReaders() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			sum := 0
			for _, t := range cut(tenants, w) {
				sum += limitsOf.limit(t)
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// Exchange rates, which the serial program reads without a lock.

type rates struct {
	mu sync.RWMutex
	to [32]int
}

var exchange = func() *rates {
	r := new(rates)
	for i := range r.to {
		r.to[i] = 90 + i
	}
	return r
}()

func (r *rates) convert(currency, amount int) int {
	r.mu.RLock()
	v := r.to[currency] * amount
	r.mu.RUnlock()
	return v
}

var payments = numbers(16_000, 32)

func fee(amount int) int { return int(grind(uint64(amount), 6) & 0xff) }

func ratesSerial() int {
	sum := 0
	for i, p := range payments {
		sum += fee(exchange.to[p] * i)
	}
	return sum
}

func ratesGuarded() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			lo := len(payments) * w / workers
			sum := 0
			for i, p := range cut(payments, w) {
				sum += fee(exchange.convert(p, lo+i))
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// Feature flags are checked per event, while an operator sets some now and then.

type flags struct {
	mu sync.RWMutex
	on [16]bool
}

func (f *flags) enabled(i int) bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.on[i]
}

func (f *flags) set(i int, v bool) {
	f.mu.Lock()
	f.on[i] = v
	f.mu.Unlock()
}

var flagged = numbers(16_000, 15)

func flagsSerial() int {
	f := flags{on: [16]bool{true, false, true, true, false, true}}
	n := 0
	for i, x := range flagged {
		if i%4000 == 0 {
			f.set(15, i%2 == 0)
		}
		if f.enabled(x) {
			n++
		}
	}
	return n
}

func flagsChecked() int {
	f := flags{on: [16]bool{true, false, true, true, false, true}}
	var ns [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			n := 0
			f.set(15, w%2 == 0)
			for _, x := range cut(flagged, w) {
				if f.enabled(x) {
					n++
				}
			}
			ns[w] = n
		})
	}
	wg.Wait()
	return ns[0] + ns[1] + ns[2] + ns[3]
}
