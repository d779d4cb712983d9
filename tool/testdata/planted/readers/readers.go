// Package readers holds planted programs like those of the folder above, with
// lines of the cache that few goroutines write and others read.
package readers

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/gopayoff/payoff/tool/testdata/planted/readers/meter"
)

const (
	workers = 2
	rounds  = 100_000
	asks    = 800_000 // which take as long, as nobody writes
)

// sink keeps results alive.
var sink int

// each runs the functions at once and waits for them.
func each(fs ...func()) {
	var wg sync.WaitGroup
	for _, f := range fs {
		wg.Go(f)
	}
	wg.Wait()
}

// inTurn runs them one after the other.
func inTurn(fs ...func()) {
	for _, f := range fs {
		f()
	}
}

// A way runs functions: inTurn or each.
type way func(...func())

// numbers returns n numbers that look random, the same every time.
func numbers(n int) []int {
	s := make([]int, n)
	x := uint64(88172645463325252)
	for i := range s {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		s[i] = int(x >> 40)
	}
	return s
}

// A door is open or not, which is asked at every visit, and somebody counts
// parcels at the same address.
type door struct {
	open    atomic.Bool
	parcels atomic.Int64
}

func deliver(run way) int {
	d := new(door)
	d.open.Store(true)
	visits := 0
	run(func() {
		for range rounds {
			d.parcels.Add(1)
		}
	}, func() {
		n := 0
		for i := range asks {
			if d.open.Load() {
				n += i & 3
			}
		}
		visits = n
	})
	return visits + int(d.parcels.Load())
}

// An apartDoor is a door with a yard.
type apartDoor struct {
	open    atomic.Bool
	_       [128]byte
	parcels atomic.Int64
}

func deliverApart(run way) int {
	d := new(apartDoor)
	d.open.Store(true)
	visits := 0
	run(func() {
		for range rounds {
			d.parcels.Add(1)
		}
	}, func() {
		n := 0
		for i := range asks {
			if d.open.Load() {
				n += i & 3
			}
		}
		visits = n
	})
	return visits + int(d.parcels.Load())
}

// A config is replaced as a whole; workers ask for the current one each time.
type config struct{ scale, bias int }

var current atomic.Pointer[config]

func reload(run way) int {
	known := [2]config{{3, 1}, {3, 1}}
	current.Store(&known[0])
	total := 0
	run(func() {
		for i := range rounds {
			current.Store(&known[i&1])
		}
	}, func() {
		sum := 0
		for i := range asks {
			c := current.Load()
			sum += i*c.scale + c.bias
		}
		total = sum
	})
	return total
}

// A pair of words is read without a lock: whoever sees the number change
// meanwhile, or odd, reads again.
type versioned struct {
	version atomic.Uint64
	a, b    atomic.Int64
}

func (v *versioned) write(x int64) {
	v.version.Add(1)
	v.a.Store(x)
	v.b.Store(-x)
	v.version.Add(1)
}

func (v *versioned) read() (a, b int64) {
	for {
		before := v.version.Load()
		a, b = v.a.Load(), v.b.Load()
		if before&1 == 0 && v.version.Load() == before {
			return a, b
		}
		if before&1 == 1 {
			runtime.Gosched()
		}
	}
}

func quotes(run way) int {
	v := new(versioned)
	wrong := 0
	run(func() {
		for i := range rounds {
			v.write(int64(i))
		}
	}, func() {
		for range 4 * rounds {
			if a, b := v.read(); a != -b {
				wrong++
			}
		}
	})
	return wrong + int(v.a.Load())
}

// Somebody looks how far the work is, all the time.
func watched(run way) int {
	var done atomic.Int64
	last := int64(0)
	run(func() {
		for i := range rounds {
			done.Store(int64(i))
		}
	}, func() {
		seen := int64(0)
		for range asks {
			seen = max(seen, done.Load())
		}
		last = seen
	})
	return int(done.Load()) + int(last>>40)
}

// Two workers keep a mark each, and a third goes by them.
func rollCall(run way) int {
	marks := make([]atomic.Int64, workers)
	late := 0
	work := func(w int) func() {
		return func() {
			for i := range rounds {
				marks[w].Store(int64(i))
			}
		}
	}
	run(work(0), work(1), func() {
		for range asks / 4 {
			for w := range marks {
				if marks[w].Load() < 0 {
					late++
				}
			}
		}
	})
	return late + int(marks[0].Load()+marks[1].Load())
}

// A session's bounds are fixed; its one owner counts in it without atomics.
type session struct {
	low, high int
	steps     int
}

func clamp(run way, xs []int) int {
	s := &session{low: 10, high: 1000}
	total := 0
	run(func() {
		for range xs {
			s.steps++
		}
	}, func() {
		sum := 0
		for _, x := range xs {
			switch {
			case x < s.low:
				sum += s.low
			case x > s.high:
				sum += s.high
			default:
				sum += x
			}
		}
		total = sum
	})
	return total + s.steps
}

// The limit of a gauge lies in another package, beside its count.
func gauge(run way) int {
	g := meter.New(7)
	total := 0
	run(func() {
		for range rounds {
			g.Count()
		}
	}, func() {
		n := 0
		for i := range asks {
			if int64(i&15) < g.Limit() {
				n++
			}
		}
		total = n
	})
	return total + int(g.Counted())
}

// Both take from one ring: the index is what they want at once.
func ring(run way) int {
	buf := make([]int, 64)
	for i := range buf {
		buf[i] = 5
	}
	r := meter.NewRing(buf)
	sums := make([]int, 2)
	take := func(w int) func() {
		return func() {
			total := 0
			for range rounds {
				total += r.Take()
			}
			sums[w] = total
		}
	}
	run(take(0), take(1))
	return sums[0] + sums[1]
}

// A spin is a lock that is tried again until it is had.
type spin struct{ held atomic.Bool }

func (s *spin) lock() {
	for !s.held.CompareAndSwap(false, true) {
		for i := 0; s.held.Load(); i++ {
			if i == 100 {
				runtime.Gosched()
				i = 0
			}
		}
	}
}

func (s *spin) unlock() { s.held.Store(false) }

func spun(run way) int {
	var s spin
	total := 0
	add := func() {
		for i := range rounds {
			s.lock()
			total += i & 7
			s.unlock()
		}
	}
	run(add, add)
	return total
}

// A table that nobody writes.
func translate(run way, xs []int) int {
	table := make([]int, 256)
	for i := range table {
		table[i] = i * 7 % 256
	}
	sums := make([]int, 2)
	half := func(w int) func() {
		return func() {
			total := 0
			for _, x := range xs[w*len(xs)/2 : (w+1)*len(xs)/2] {
				for range 4 {
					x = table[x&255]
				}
				total += x
			}
			sums[w] = total
		}
	}
	run(half(0), half(1))
	return sums[0] + sums[1]
}

// A batch goes to the other and comes back.
type batch struct {
	in, out [4096]int
}

func (b *batch) fill(k int) {
	for i := range b.in {
		b.in[i] = mix(i ^ k)
	}
}

func (b *batch) work() {
	for i, x := range b.in {
		b.out[i] = mix(x)
	}
}

func (b *batch) sum() (total int) {
	for _, x := range b.out {
		total += x & 0xff
	}
	return total
}

func mix(x int) int {
	y := uint64(x) + 1
	for range 20 {
		y ^= y << 13
		y ^= y >> 7
		y ^= y << 17
	}
	return int(y >> 40)
}

const batches = 40

func batchesSerial() int {
	b := new(batch)
	total := 0
	for k := range batches {
		b.fill(k)
		b.work()
		total += b.sum()
	}
	return total
}

func batchesHanded() int {
	todo, done := make(chan *batch, 4), make(chan *batch, 4)
	go func() {
		for b := range todo {
			b.work()
			done <- b
		}
	}()
	free := []*batch{new(batch), new(batch), new(batch), new(batch)}
	total := 0
	for k := range batches {
		if len(free) == 0 {
			b := <-done
			total += b.sum()
			free = append(free, b)
		}
		b := free[len(free)-1]
		free = free[:len(free)-1]
		b.fill(k)
		todo <- b
	}
	close(todo)
	for len(free) < 4 {
		b := <-done
		total += b.sum()
		free = append(free, b)
	}
	return total
}
