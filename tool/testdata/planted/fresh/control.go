package fresh

import (
	"encoding/json"
	"hash/crc32"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// The programs of this file are healthy. What serial and variant have in common is
// not inlined, so that it is the same code in both.

// Entries are hashed, a quarter by each worker.

var entries = numbers(6_000, 1<<30)

//go:noinline
func hashed(es []int) int {
	sum := 0
	for _, e := range es {
		sum += int(grind(uint64(e), 40) & 0xffff)
	}
	return sum
}

func entriesSerial() int { return hashed(entries) }

func entriesWorkers() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { sums[w] = hashed(cut(entries, w)) })
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// A product of matrices, by rows.

const side = 100

var left, right = numbers(side*side, 100), numbers(side*side, 50)

//go:noinline
func productRows(to []int, from, until int) {
	for i := from; i < until; i++ {
		row := to[i*side : (i+1)*side]
		for k, a := range left[i*side : (i+1)*side] {
			for j, b := range right[k*side : (k+1)*side] {
				row[j] += a * b
			}
		}
	}
}

func productSerial() int {
	to := make([]int, side*side)
	productRows(to, 0, side)
	return digest(to)
}

func productWorkers() int {
	to := make([]int, side*side)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { productRows(to, side*w/workers, side*(w+1)/workers) })
	}
	wg.Wait()
	return digest(to)
}

// A fractal of uneven rows, which workers draw from a cursor.

//go:noinline
func juliaRow(y int) int {
	n := 0
	for x := range 120 {
		zr, zi := float64(x)/40-1.5, float64(y)/40-1.5
		for range 100 {
			if zr*zr+zi*zi > 4 {
				break
			}
			zr, zi = zr*zr-zi*zi-0.7, 2*zr*zi+0.27
			n++
		}
	}
	return n
}

func juliaSerial() int {
	n := 0
	for y := range 120 {
		n += juliaRow(y)
	}
	return n
}

func juliaCursor() int {
	var next, sum atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			n := 0
			for y := next.Add(1) - 1; y < 120; y = next.Add(1) - 1 {
				n += juliaRow(int(y))
			}
			sum.Add(int64(n))
		})
	}
	wg.Wait()
	return int(sum.Load())
}

// Blocks of a backup are checked by a pool.

var backup = func() [][]byte {
	data := make([]byte, 2<<20)
	for i := range data {
		data[i] = byte(i * i >> 3)
	}
	return slices.Collect(slices.Chunk(data, 64<<10))
}()

func checked(block []byte) int { return int(crc32.Update(0, crc32.MakeTable(crc32.Koopman), block)) }

func backupSerial() int {
	sum := 0
	for _, b := range backup[:16] {
		sum += checked(b)
	}
	return sum
}

func backupPool() int {
	blocks := make(chan []byte, 16)
	for _, b := range backup[:16] {
		blocks <- b
	}
	close(blocks)
	var sum atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for b := range blocks {
				sum.Add(int64(checked(b)))
			}
		})
	}
	wg.Wait()
	return int(sum.Load())
}

// Terms are counted in maps of the workers' own.

var terms = names("term", 24_000, 40)

//go:noinline
func tally(ts []string) map[string]int {
	m := make(map[string]int, 64)
	for _, t := range ts {
		m[t]++
	}
	return m
}

func termsSerial() int { return countDigest(tally(terms)) }

func termsMerged() int {
	var tallies [workers]map[string]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { tallies[w] = tally(cut(terms, w)) })
	}
	wg.Wait()
	for _, t := range tallies[1:] {
		for k, n := range t {
			tallies[0][k] += n
		}
	}
	return countDigest(tallies[0])
}

// An image is blurred, in bands.

const blurWidth, blurHeight = 320, 240

var photo = func() []byte {
	p := make([]byte, blurWidth*blurHeight)
	for i := range p {
		p[i] = byte(mix(uint64(i)) >> 30)
	}
	return p
}()

//go:noinline
func blurRows(to []byte, from, until int) {
	for y := max(from, 1); y < min(until, blurHeight-1); y++ {
		for x := 1; x < blurWidth-1; x++ {
			sum := 0
			for dy := -1; dy <= 1; dy++ {
				row := photo[(y+dy)*blurWidth+x-1:]
				sum += int(row[0]) + int(row[1]) + int(row[2])
			}
			to[y*blurWidth+x] = byte(sum / 9)
		}
	}
}

func blurSerial() int {
	to := make([]byte, len(photo))
	blurRows(to, 0, blurHeight)
	return adler(to)
}

func blurBands() int {
	to := make([]byte, len(photo))
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { blurRows(to, blurHeight*w/workers, blurHeight*(w+1)/workers) })
	}
	wg.Wait()
	return adler(to)
}

// Runs are sorted and merged.

var unsorted = numbers(16_000, 1<<40)

func mergeRuns(a, b []int) []int {
	out := make([]int, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0] <= b[0] {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}

func runsSerial() int {
	xs := slices.Clone(unsorted)
	h := len(xs) / 2
	slices.Sort(xs[:h])
	slices.Sort(xs[h:])
	return digest(mergeRuns(xs[:h], xs[h:]))
}

func runsHalves() int {
	xs := slices.Clone(unsorted)
	h := len(xs) / 2
	var wg sync.WaitGroup
	wg.Go(func() { slices.Sort(xs[:h]) })
	slices.Sort(xs[h:])
	wg.Wait()
	return digest(mergeRuns(xs[:h], xs[h:]))
}

// Primes are counted by trial division, in runs drawn from a cursor.

//go:noinline
func primesIn(from, until int) int {
	count := 0
next:
	for n := max(from, 2); n < until; n++ {
		for d := 2; d*d <= n; d++ {
			if n%d == 0 {
				continue next
			}
		}
		count++
	}
	return count
}

func primesSerial() int { return primesIn(0, 16_384) }

func primesRuns() int {
	var next, sum atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for from := next.Add(256) - 256; from < 16_384; from = next.Add(256) - 256 {
				sum.Add(int64(primesIn(int(from), int(from)+256)))
			}
		})
	}
	wg.Wait()
	return int(sum.Load())
}

// Batches pass a pipeline with workers enough in its slow stage.

func flowSerial() int {
	sum := 0
	for _, b := range batches {
		sum += len(b) + int(grind(uint64(b[0]), 50_000)&0xff)
	}
	return sum
}

func flowPipeline() int {
	in, out := make(chan []int, 4), make(chan int, 4)
	go func() {
		defer close(in)
		for _, b := range batches {
			in <- b
		}
	}()
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for b := range in {
				out <- len(b) + int(grind(uint64(b[0]), 50_000)&0xff)
			}
		})
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	sum := 0
	for n := range out {
		sum += n
	}
	return sum
}

// Reports are encoded, by reflection in both variants.

//go:noinline
func encode(ts []trade) int {
	n := 0
	for i := 0; i+50 <= len(ts); i += 50 {
		buf, err := json.Marshal(ts[i : i+50])
		if err != nil {
			panic(err)
		}
		n += len(buf)
	}
	return n
}

func encodeSerial() int {
	sum := 0
	for range workers {
		sum += encode(trades)
	}
	return sum
}

func encodeWorkers() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { sums[w] = encode(trades) })
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// The nearest of many points are found for each query.

func nearest(query point, k int) int {
	best := make([]float64, 0, k+1)
	for i := range points[:1_500] {
		dx, dy := points[i].x-query.x, points[i].y-query.y
		d := dx*dx + dy*dy
		if len(best) < k || d < best[k-1] {
			at, _ := slices.BinarySearch(best, d)
			best = slices.Insert(best, at, d)
			best = best[:min(k, len(best))]
		}
	}
	return int(best[0] + best[k-1])
}

const nearestQueries = 64

func nearestSerial() int {
	sum := 0
	for q := range nearestQueries {
		sum += nearest(points[q*97], 8)
	}
	return sum
}

func nearestWorkers() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			sum := 0
			for q := w; q < nearestQueries; q += workers {
				sum += nearest(points[q*97], 8)
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// Generations of the game of life, in bands.

const lifeSide = 192

var lifeSeed = func() []uint8 {
	g := make([]uint8, lifeSide*lifeSide)
	for i, x := range numbers(len(g), 4) {
		g[i] = uint8(x / 3)
	}
	return g
}()

//go:noinline
func lifeBand(to, from []uint8, band, bands int) {
	for y := max(lifeSide*band/bands, 1); y < min(lifeSide*(band+1)/bands, lifeSide-1); y++ {
		above, row, below := from[(y-1)*lifeSide:], from[y*lifeSide:], from[(y+1)*lifeSide:]
		for x := 1; x < lifeSide-1; x++ {
			n := above[x-1] + above[x] + above[x+1] + row[x-1] + row[x+1] + below[x-1] + below[x] + below[x+1]
			alive := uint8(0)
			if n == 3 || n == 2 && row[x] == 1 {
				alive = 1
			}
			to[y*lifeSide+x] = alive
		}
	}
}

const generations = 4

func lifeSerial() int {
	a, b := slices.Clone(lifeSeed), make([]uint8, len(lifeSeed))
	for range generations {
		lifeBand(b, a, 0, 1)
		a, b = b, a
	}
	return adler(a)
}

func lifeBands() int {
	a, b := slices.Clone(lifeSeed), make([]uint8, len(lifeSeed))
	for range generations {
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() { lifeBand(b, a, w, workers) })
		}
		wg.Wait()
		a, b = b, a
	}
	return adler(a)
}

// Results are kept in a map of shards, with work in between.

type shardedMap [16]struct {
	mu sync.Mutex
	m  map[int]int
	_  [48]byte
}

func (s *shardedMap) put(k, v int) {
	p := &s[mix(uint64(k))>>40%16]
	p.mu.Lock()
	p.m[k] = v
	p.mu.Unlock()
}

func (s *shardedMap) fill(ks []int) {
	for _, k := range ks {
		s.put(k%500, int(grind(uint64(k%500), 700)&0xff))
	}
}

func newSharded() *shardedMap {
	s := new(shardedMap)
	for i := range s {
		s[i].m = make(map[int]int, 64)
	}
	return s
}

func (s *shardedMap) sum() int {
	n := 0
	for i := range s {
		for k, v := range s[i].m {
			n += k * v
		}
	}
	return n
}

func shardedSerial() int {
	s := newSharded()
	s.fill(jobs[:600])
	return s.sum()
}

func shardedWorkers() int {
	s := newSharded()
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { s.fill(cut(jobs[:600], w)) })
	}
	wg.Wait()
	return s.sum()
}

// Prices are looked up in a snapshot that a pointer publishes.

var snapshot = func() *atomic.Pointer[[256]int] {
	t, p := new([256]int), new(atomic.Pointer[[256]int])
	for i := range t {
		t[i] = i * 7
	}
	p.Store(t)
	return p
}()

//go:noinline
func looked(es []int) int {
	sum := 0
	for _, e := range es {
		sum += snapshot.Load()[grind(uint64(e), 30)&255]
	}
	return sum
}

func snapshotSerial() int { return looked(entries) }

func snapshotReaders() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { sums[w] = looked(cut(entries, w)) })
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// Records are fetched from a service, all at once.

func fetchAllSerial() int {
	sum := 0
	for id := range fetches {
		sum += fetch(id)
	}
	return sum
}

func fetchAllAtOnce() int {
	var sums [fetches]int
	var wg sync.WaitGroup
	for id := range fetches {
		wg.Go(func() { sums[id] = fetch(id) })
	}
	wg.Wait()
	return sums[0] + sums[1]
}

// Totals are kept under a lock, taken once per run of items.

func totalsSerial() int {
	sum := 0
	for run := range slices.Chunk(entries, 250) {
		sum += hashed(run)
	}
	return sum
}

func totalsLocked() int {
	var mu sync.Mutex
	sum := 0
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for run := range slices.Chunk(cut(entries, w), 250) {
				h := hashed(run)
				mu.Lock()
				sum += h
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return sum
}

// The same serial code, called in two ways.

type hasher struct{ sum int }

func (h *hasher) take(es []int) { h.sum += hashed(es) }

func spelledSerial() int { return hashed(entries) }

func spelledMethod() int {
	var h hasher
	h.take(entries)
	return h.sum
}

// A goroutine does it all, and the caller waits with a time limit.

func limitSerial() int { return hashed(entries) }

func limitWaited() int {
	done := make(chan int, 1)
	go func() { done <- hashed(entries) }()
	select {
	case n := <-done:
		return n
	case <-time.After(time.Minute):
		return -1
	}
}

// Requests are handled by the benchmark's own workers.

func handleOne() int { return hashed(entries[:1_500]) }

// A catalogue is asked by them, under a lock for readers.

type catalogue struct {
	mu    sync.RWMutex
	price [64]int
}

var goods = func() *catalogue {
	c := new(catalogue)
	for i := range c.price {
		c.price[i] = i * 11
	}
	return c
}()

func (c *catalogue) at(i int) int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.price[i]
}

func catalogueLookups() int {
	sum := 0
	for _, t := range tenants[:4_000] {
		sum += goods.at(t)
	}
	return sum
}
