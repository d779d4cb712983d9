package planted

import "sync"

// Locks that several goroutines want at the same time.

// counts is a map behind a mutex. Serial locks as well: what is left to differ
// is that others want the lock.
type counts struct {
	mu sync.Mutex
	m  map[int]int
}

func (c *counts) add(k int) {
	c.mu.Lock()
	c.m[k]++
	c.mu.Unlock()
}

func countsSerial() int {
	c := counts{m: make(map[int]int)}
	for i := range 40_000 {
		c.add(i & 127)
	}
	return c.m[5]
}

func countsHundred() int {
	c := counts{m: make(map[int]int)}
	each(100, func(g int) {
		for i := g * 400; i < (g+1)*400; i++ {
			c.add(i & 127)
		}
	})
	return c.m[5]
}

// All of the work is done while holding the lock, 20 µs at a time.
func ledgerSerial() int {
	total := 0
	for i := range 80 {
		total += churn(i, 10_000)
	}
	return total
}

func ledgerLocked() int {
	var mu sync.Mutex
	total := 0
	each(4, func(g int) {
		for i := g * 20; i < (g+1)*20; i++ {
			mu.Lock()
			total += churn(i, 10_000)
			mu.Unlock()
		}
	})
	return total
}

// A free list of buffers: taking and returning one locks, using one is short.
type freeList struct {
	mu   sync.Mutex
	free []*[64]byte
}

func (f *freeList) get() *[64]byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n := len(f.free); n > 0 {
		b := f.free[n-1]
		f.free = f.free[:n-1]
		return b
	}
	return new([64]byte)
}

func (f *freeList) put(b *[64]byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.free = append(f.free, b)
}

func (f *freeList) work(lo, hi int) int {
	total := 0
	for i := lo; i < hi; i++ {
		b := f.get()
		b[i&63] = byte(i)
		total += int(b[i&63])
		f.put(b)
	}
	return total
}

func buffersSerial() int {
	return new(freeList).work(0, 20_000)
}

func buffersList() int {
	var f freeList
	sums := make([]int, 8)
	each(8, func(g int) { sums[g] = f.work(g*2500, (g+1)*2500) })
	return sum(sums)
}

// directory is read under a read lock, which readers share and yet all write to.
type directory struct {
	mu sync.RWMutex
	m  map[int]int
}

func newDirectory() *directory {
	d := &directory{m: make(map[int]int)}
	for i := range 256 {
		d.m[i] = i * 7
	}
	return d
}

func (d *directory) get(k int) int {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.m[k]
}

func (d *directory) read(lo, hi int) int {
	total := 0
	for i := lo; i < hi; i++ {
		total += d.get(i & 255)
	}
	return total
}

func (d *directory) readers() int {
	sums := make([]int, 8)
	each(8, func(g int) { sums[g] = d.read(g*5000, (g+1)*5000) })
	return sum(sums)
}

// settings are two words read under a read lock, item by item; the serial loop
// reads them without.
type settings struct {
	mu          sync.RWMutex
	scale, bias int
}

func (s *settings) serial(xs []int) int {
	total := 0
	for _, x := range xs {
		total += (x*s.scale + s.bias) & 0xff
	}
	return total
}

func (s *settings) readLocked(xs []int) int {
	sums := make([]int, workers)
	halves(len(xs), func(w, lo, hi int) {
		total := 0
		for _, x := range xs[lo:hi] {
			s.mu.RLock()
			total += (x*s.scale + s.bias) & 0xff
			s.mu.RUnlock()
		}
		sums[w] = total
	})
	return sum(sums)
}
