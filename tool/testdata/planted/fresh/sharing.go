package fresh

import (
	"sync"
	"sync/atomic"
)

// Requests are counted as hits or misses of a cache, in a slot per worker.

var cacheKeys = numbers(200_000, 1000)

type hitRate struct{ hits, misses int }

func hitRateSerial() int {
	hits, misses := 0, 0
	for _, k := range cacheKeys {
		if k < 990 {
			hits++
		} else {
			misses++
		}
	}
	return hits - 3*misses
}

func hitRateSlots() int {
	slots := make([]hitRate, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for _, k := range cut(cacheKeys, w) {
				if k < 990 {
					slots[w].hits++
				} else {
					slots[w].misses++
				}
			}
		})
	}
	wg.Wait()
	sum := 0
	for _, s := range slots {
		sum += s.hits - 3*s.misses
	}
	return sum
}

// An importer notes its progress beside the limit that a filter reads.

var readings = numbers(20_000, 1000)

type importState struct {
	limit    atomic.Int64
	imported atomic.Int64
}

func (s *importState) filter(rs []int) int {
	n := 0
	for _, r := range rs {
		if int64(r) < s.limit.Load() {
			n += r
		}
	}
	return n
}

func (s *importState) filterTwice(rs []int) int { return s.filter(rs) + s.filter(rs) }

func (s *importState) load(rs []int) int {
	n := 0
	for i, r := range rs {
		n ^= r
		s.imported.Store(int64(i))
	}
	return n
}

func importSerial() int {
	s := new(importState)
	s.limit.Store(900)
	return s.load(readings[:8_000]) + s.filterTwice(readings) + s.filterTwice(readings)
}

func importMeter() int {
	s := new(importState)
	s.limit.Store(900)
	var loaded, filtered int
	var wg sync.WaitGroup
	wg.Go(func() { loaded = s.load(readings[:8_000]) })
	wg.Go(func() { filtered = s.filterTwice(readings) + s.filterTwice(readings) })
	wg.Wait()
	return loaded + filtered
}

// Random walks, each with a generator of its own.

const walkSteps = 12_000

func walk(state *uint64) int {
	at := 0
	for range walkSteps {
		*state ^= *state << 13
		*state ^= *state >> 7
		*state ^= *state << 17
		at += int(*state&2) - 1
	}
	return at
}

func walksSerial() int {
	states := []uint64{3, 5, 7, 11}
	sum := 0
	for w := range states {
		sum += walk(&states[w])
	}
	return sum
}

func walksStates() int {
	states := []uint64{3, 5, 7, 11}
	ends := make([]int, len(states))
	var wg sync.WaitGroup
	for w := range states {
		wg.Go(func() { ends[w] = walk(&states[w]) })
	}
	wg.Wait()
	sum := 0
	for _, e := range ends {
		sum += e
	}
	return sum
}

// A registry of metrics, of which each handler has its own.

type endpoint struct {
	served atomic.Int64
	bytes  atomic.Int64
}

func (e *endpoint) serve(requests []int) {
	for _, r := range requests {
		e.served.Add(1)
		e.bytes.Add(int64(r))
	}
}

var requests = numbers(12_000, 4096)

func endpointsSerial() int {
	var es [workers]endpoint
	for w := range es {
		es[w].serve(cut(requests, w))
	}
	return endpointTotal(es[:])
}

func endpointsHandlers() int {
	var es [workers]endpoint
	var wg sync.WaitGroup
	for w := range es {
		wg.Go(func() { es[w].serve(cut(requests, w)) })
	}
	wg.Wait()
	return endpointTotal(es[:])
}

func endpointTotal(es []endpoint) int {
	n := 0
	for i := range es {
		n += int(es[i].served.Load() * es[i].bytes.Load() % 1009)
	}
	return n
}

// Rows get an identifier each, from a generator all share.

type idGen struct{ last atomic.Uint64 }

func (g *idGen) next() uint64 { return g.last.Add(1) }

const rowCount = 16_000

func rowsSerial() int {
	var g idGen
	sum := uint64(0)
	for range rowCount {
		sum += mix(g.next())
	}
	return int(sum >> 8)
}

func rowsGenerator() int {
	var g idGen
	var sums [workers]uint64
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			sum := uint64(0)
			for range rowCount / workers {
				sum += mix(g.next())
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	return int((sums[0] + sums[1] + sums[2] + sums[3]) >> 8)
}

// Entries expire by a logical clock that one goroutine moves.

var expiries = numbers(30_000, 1000)

func tickAll(clock *atomic.Int64, n int) {
	for i := range n {
		clock.Store(int64(i % 1000))
	}
}

func alive(clock *atomic.Int64, es []int) int {
	n := 0
	for _, e := range es {
		if int64(e)+1000 > clock.Load() {
			n += e
		}
	}
	return n
}

func expirySerial() int {
	var clock atomic.Int64
	tickAll(&clock, len(expiries)/4)
	return alive(&clock, expiries) + alive(&clock, expiries) + alive(&clock, expiries)
}

func expiryClock() int {
	var clock atomic.Int64
	n := 0
	var wg sync.WaitGroup
	wg.Go(func() { tickAll(&clock, len(expiries)/4) })
	wg.Go(func() { n = alive(&clock, expiries) + alive(&clock, expiries) + alive(&clock, expiries) })
	wg.Wait()
	return n
}

// A budget of tokens is spent by all workers.

type budget struct{ left atomic.Int64 }

func (b *budget) take(n int64) bool {
	for {
		have := b.left.Load()
		if have < n {
			return false
		}
		if b.left.CompareAndSwap(have, have-n) {
			return true
		}
	}
}

const spending = 12_000

func budgetSerial() int {
	var b budget
	b.left.Store(spending + 100)
	done := 0
	for range spending {
		if b.take(1) {
			done++
		}
	}
	return done + int(b.left.Load())
}

func budgetShared() int {
	var b budget
	b.left.Store(spending + 100)
	var done [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			n := 0
			for range spending / workers {
				if b.take(1) {
					n++
				}
			}
			done[w] = n
		})
	}
	wg.Wait()
	return done[0] + done[1] + done[2] + done[3] + int(b.left.Load())
}

// A feed publishes quotes under a sequence lock, and a strategy reads them.

type quote struct {
	seq      atomic.Uint64
	bid, ask atomic.Int64
}

func (q *quote) publish(price int64) {
	q.seq.Add(1)
	q.bid.Store(price)
	q.ask.Store(price + 2)
	q.seq.Add(1)
}

func (q *quote) spread() int64 {
	for {
		s := q.seq.Load()
		bid, ask := q.bid.Load(), q.ask.Load()
		if s&1 == 0 && q.seq.Load() == s {
			return ask - bid
		}
	}
}

const quotes = 4_000

// follow reads the quote as often as given, and decides something each time.
func (q *quote) follow(times int) int {
	sum := 0
	for i := range times {
		sum += int(q.spread()) + int(grind(uint64(i), 12)&1)
	}
	return sum
}

func quotesSerial() int {
	var q quote
	q.publish(100)
	for i := range quotes {
		q.publish(int64(i))
	}
	return q.follow(2 * quotes)
}

func quotesFeed() int {
	var q quote
	q.publish(100)
	sum := 0
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range quotes {
			q.publish(int64(i))
		}
	})
	wg.Go(func() { sum = q.follow(2 * quotes) })
	wg.Wait()
	return sum
}

// Bytes transferred are counted per connection, for anybody to look at.

var packets = numbers(80_000, 1500)

type conn struct {
	bytes atomic.Int64
	_     [120]byte
}

func transferSerial() int {
	sum := 0
	for _, p := range packets {
		sum += p
	}
	return sum
}

func transferLive() int {
	conns := make([]conn, workers)
	var wg sync.WaitGroup
	for w := range conns {
		wg.Go(func() {
			for _, p := range cut(packets, w) {
				conns[w].bytes.Add(int64(p))
			}
		})
	}
	wg.Wait()
	sum := 0
	for w := range conns {
		sum += int(conns[w].bytes.Load())
	}
	return sum
}

// Documents are retained while somebody reads them.

type document struct {
	refs atomic.Int32
	size int
	_    [112]byte
}

var documents = func() []document {
	ds := make([]document, 512)
	for i := range ds {
		ds[i].size = i * 3
	}
	return ds
}()

func (d *document) words() int { return int(grind(uint64(d.size), 6) & 0xff) }
func (d *document) retain()    { d.refs.Add(1) }
func (d *document) release()   { d.refs.Add(-1) }

const readRounds = 16

func documentsSerial() int {
	sum := 0
	for range readRounds {
		for i := range documents {
			sum += documents[i].words()
		}
	}
	return sum
}

func documentsRetained() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			part := cut(documents, w)
			sum := 0
			for range readRounds {
				for i := range part {
					d := &part[i]
					d.retain()
					sum += d.words()
					d.release()
				}
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// Primes below a limit, by segments that mark composites in one bitmap.

const sieveLimit = 1 << 17

var smallPrimes = func() []int {
	var ps []int
next:
	for n := 2; n*n < sieveLimit; n++ {
		for _, p := range ps {
			if n%p == 0 {
				continue next
			}
		}
		ps = append(ps, n)
	}
	return ps
}()

func sieveSerial() int {
	bits := make([]uint32, sieveLimit/32)
	for _, p := range smallPrimes {
		for m := p * p; m < sieveLimit; m += p {
			bits[m/32] |= 1 << (m % 32)
		}
	}
	return countClear(bits)
}

func sieveAtomic() int {
	bits := make([]uint32, sieveLimit/32)
	var wg sync.WaitGroup
	for w := range workers {
		lo, hi := sieveLimit/workers*w, sieveLimit/workers*(w+1)
		wg.Go(func() {
			for _, p := range smallPrimes {
				for m := max(p*p, (lo+p-1)/p*p); m < hi; m += p {
					atomic.OrUint32(&bits[m/32], 1<<(m%32))
				}
			}
		})
	}
	wg.Wait()
	return countClear(bits)
}

func countClear(bits []uint32) int {
	n := 0
	for i := 2; i < 32*len(bits); i++ {
		if bits[i/32]&(1<<(i%32)) == 0 {
			n++
		}
	}
	return n
}

// Orders are claimed before they are shipped.

var orders = numbers(20_000, 100)

func freight(order int) int { return int(grind(uint64(order), 6) & 0xff) }

func shippingSerial() int {
	sum := 0
	for _, o := range orders {
		sum += freight(o)
	}
	return sum
}

func shippingClaimed() int {
	claimed := make([]atomic.Bool, len(orders))
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		lo := len(orders) * w / workers
		part := cut(orders, w)
		wg.Go(func() {
			sum := 0
			for i, o := range part {
				if claimed[lo+i].CompareAndSwap(false, true) {
					sum += freight(o)
				}
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}
