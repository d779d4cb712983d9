package strangers

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/gob"
	"io"
	"math/rand"
	"runtime"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
)

// choose counts the ways to choose left more of vs, the first of them from
// vs[lo:hi], so that all add up to a multiple of 32.
func choose(vs []int, lo, hi, left, sum int) (n int) {
	for i := lo; i < hi; i++ {
		if s := sum + vs[i]; left > 1 {
			n += choose(vs, i+1, len(vs), left-1, s)
		} else if s&31 == 0 {
			n++
		}
	}
	return n
}

// Triples counts the triples of vs whose sum is a multiple of 32.
func Triples(vs []int) int { return choose(vs, 0, len(vs), 3, 0) }

// TriplesHalves is Triples with a goroutine for each half of the first ones.
func TriplesHalves(vs []int) int {
	var n [2]int
	inParts(len(vs), 2, func(p, lo, hi int) { n[p] = choose(vs, lo, hi, 3, 0) })
	return n[0] + n[1]
}

// An event of a tenant.
type event struct {
	tenant, payload int
}

func (e event) handle() int {
	x := e.payload
	for range 20_000 {
		x = (x*69069 + 5) & (1<<32 - 1)
	}
	return x & 255
}

// newEvents has one event in twelve that is not of tenant 0.
func newEvents(n int) []event {
	es := make([]event, n)
	for i := range es {
		es[i].payload = i
		if i%12 == 5 {
			es[i].tenant = i
		}
	}
	return es
}

// Tenants handles all events.
func Tenants(es []event) (sum int) {
	for _, e := range es {
		sum += e.handle()
	}
	return sum
}

// TenantsSharded has two workers, each for its tenants.
func TenantsSharded(es []event) (sum int) {
	var queues [2]chan event
	results := make(chan int, 2)
	for i := range queues {
		queues[i] = make(chan event, len(es))
		go func() {
			sum := 0
			for e := range queues[i] {
				sum += e.handle()
			}
			results <- sum
		}()
	}
	for _, e := range es {
		queues[e.tenant%2] <- e
	}
	for _, q := range queues {
		close(q)
	}
	for range queues {
		sum += <-results
	}
	return sum
}

// A roadMap has the distances between places.
type roadMap [][]int

func newRoadMap(n int) roadMap {
	m := make(roadMap, n)
	for i := range m {
		m[i] = make([]int, n)
		for j := range m[i] {
			m[i][j] = (i*j*37+i+j)%53 + 10
		}
	}
	return m
}

func (m roadMap) length(stops []int) (sum int) {
	at := 0
	for _, s := range stops {
		sum += m[at][s]
		at = s
	}
	return sum + m[at][0]
}

// stops are all places but the first one, where each tour begins and ends.
func (m roadMap) stops() []int {
	stops := make([]int, len(m)-1)
	for i := range stops {
		stops[i] = i + 1
	}
	return stops
}

// Tour is the length of the shortest way through all places and back.
func (m roadMap) Tour() int { return m.best(m.stops(), 0) }

func (m roadMap) best(stops []int, fixed int) int {
	if fixed == len(stops) {
		return m.length(stops)
	}
	shortest := 1 << 40
	for i := fixed; i < len(stops); i++ {
		stops[fixed], stops[i] = stops[i], stops[fixed]
		shortest = min(shortest, m.best(stops, fixed+1))
		stops[fixed], stops[i] = stops[i], stops[fixed]
	}
	return shortest
}

// permutations yields all of the orders of stops.
func permutations(stops []int) (orders [][]int) {
	if len(stops) == 0 {
		return [][]int{{}}
	}
	for i, s := range stops {
		others := append(append([]int{}, stops[:i]...), stops[i+1:]...)
		for _, order := range permutations(others) {
			orders = append(orders, append([]int{s}, order...))
		}
	}
	return orders
}

// TourOfOrders is Tour with two workers that take the first stops in turn.
func (m roadMap) TourOfOrders() int {
	stops := m.stops()
	firsts := make(chan int, len(stops))
	for i := range stops {
		firsts <- i
	}
	close(firsts)
	results := make(chan int, 2)
	for range 2 {
		go func() {
			shortest := 1 << 40
			for i := range firsts {
				others := append(append([]int{}, stops[:i]...), stops[i+1:]...)
				for _, order := range permutations(others) {
					shortest = min(shortest, m.length(append([]int{stops[i]}, order...)))
				}
			}
			results <- shortest
		}()
	}
	return min(<-results, <-results)
}

// A Visit is a line of a log.
type Visit struct {
	ID, Page, Millis int
	OK               bool
}

func newVisits(n int) []Visit {
	vs := make([]Visit, n)
	for i := range vs {
		vs[i] = Visit{i, i * 7 % 100, i * 31 % 1000, i%9 != 0}
	}
	return vs
}

func millis(vs []Visit) (sum int) {
	for _, v := range vs {
		if v.OK {
			sum += v.Millis
		}
	}
	return sum
}

// Archive encodes the visits and decodes them again.
func Archive(vs []Visit) int {
	var buf []byte
	for _, v := range vs {
		buf = binary.AppendVarint(buf, int64(v.ID))
		buf = binary.AppendVarint(buf, int64(v.Page))
		buf = binary.AppendVarint(buf, int64(v.Millis))
		ok := byte(0)
		if v.OK {
			ok = 1
		}
		buf = append(buf, ok)
	}
	read := make([]Visit, 0, len(vs))
	next := func() int {
		x, n := binary.Varint(buf)
		buf = buf[n:]
		return int(x)
	}
	for len(buf) > 0 {
		v := Visit{ID: next(), Page: next(), Millis: next(), OK: buf[0] == 1}
		buf = buf[1:]
		read = append(read, v)
	}
	return millis(read)
}

// ArchiveGob is Archive with a package for all types, in two parts.
func ArchiveGob(vs []Visit) int {
	var sums [2]int
	inParts(len(vs), 2, func(p, lo, hi int) {
		var buf bytes.Buffer
		e := gob.NewEncoder(&buf)
		for i := range vs[lo:hi] {
			if err := e.Encode(&vs[lo+i]); err != nil {
				panic(err)
			}
		}
		d := gob.NewDecoder(&buf)
		read := make([]Visit, hi-lo)
		for i := range read {
			if err := d.Decode(&read[i]); err != nil {
				panic(err)
			}
		}
		sums[p] = millis(read)
	})
	return sums[0] + sums[1]
}

// Scores sorts a copy of vs and hashes it.
func Scores(vs, buf []int) int {
	xs := buf[:len(vs)]
	copy(xs, vs)
	slices.Sort(xs)
	return digest(xs)
}

// ScoresHalves is Scores with a goroutine for each half.
func ScoresHalves(vs, buf []int) int {
	xs, out := buf[:len(vs)], buf[len(vs):]
	copy(xs, vs)
	m := len(xs) / 2
	inParts(len(xs), 2, func(_, lo, hi int) {
		half := xs[lo:hi]
		sort.Slice(half, func(i, j int) bool { return half[i] < half[j] })
	})
	merge(out, xs[:m], xs[m:])
	return digest(out)
}

func digest(xs []int) int {
	h := 0
	for _, x := range xs {
		h = (h*31 + x) & (1<<32 - 1)
	}
	return h
}

//go:noinline
func invert(pixels []uint64) {
	for i := range pixels {
		pixels[i] = ^pixels[i]
	}
}

// Invert inverts the picture.
func Invert(pixels []uint64) int {
	invert(pixels)
	return len(pixels)
}

// InvertHalves inverts both halves of the picture at once.
func InvertHalves(pixels []uint64) int {
	inParts(len(pixels), 2, func(_, lo, hi int) { invert(pixels[lo:hi]) })
	return len(pixels)
}

// A Sheep knows which one comes next in its herd.
type Sheep struct {
	next *Sheep
	age  int
	_    [48]byte
}

// NewHerd has n sheep, in no order of memory.
func NewHerd(n int) *Sheep {
	sheep := make([]Sheep, n)
	order := rand.New(rand.NewSource(3)).Perm(n)
	for i, o := range order[1:] {
		sheep[order[i]].next = &sheep[o]
	}
	return &sheep[order[0]]
}

func (s *Sheep) birthday() {
	for ; s != nil; s = s.next {
		s.age++
	}
}

// Herds lets two herds grow old, rounds times.
func Herds(herds [2]*Sheep, rounds int) int {
	start := herds[0].age
	for range rounds {
		for _, h := range herds {
			h.birthday()
		}
	}
	return herds[1].age - start
}

// HerdsInTurns has two shepherds that swap herds after each round, when both
// are done.
func HerdsInTurns(herds [2]*Sheep, rounds int) int {
	start := herds[0].age
	var done atomic.Int64
	inParts(2, 2, func(p, _, _ int) {
		for r := range rounds {
			herds[(p+r)%2].birthday()
			done.Add(1)
			for done.Load() < int64(2*r+2) {
				runtime.Gosched()
			}
		}
	})
	return herds[1].age - start
}

// spelling is how many letters one must change, insert or leave out.
func spelling(a, b string, row []int) int {
	row = row[:len(b)+1]
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := diagonal
			if a[i] != b[j] {
				d = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], d
		}
	}
	return row[len(b)]
}

func spellingRecursive(a, b string) int {
	if a == "" || b == "" {
		return len(a) + len(b)
	}
	if a[0] == b[0] {
		return spellingRecursive(a[1:], b[1:])
	}
	return 1 + min(spellingRecursive(a[1:], b), spellingRecursive(a, b[1:]), spellingRecursive(a[1:], b[1:]))
}

// Spelling compares each word with the next one.
func Spelling(words []string) (sum int) {
	row := make([]int, 32)
	for i, w := range words[1:] {
		sum += spelling(words[i], w, row)
	}
	return sum
}

// SpellingRecursive is Spelling in two halves.
func SpellingRecursive(words []string) int {
	var sums [2]int
	inParts(len(words)-1, 2, func(p, lo, hi int) {
		sum := 0
		for i := lo; i < hi; i++ {
			sum += spellingRecursive(words[i], words[i+1])
		}
		sums[p] = sum
	})
	return sums[0] + sums[1]
}

func queens(n int, columns, left, right uint) (found int) {
	if n == 0 {
		return 1
	}
	for free := boardMask &^ (columns | left | right); free != 0; free &= free - 1 {
		q := free & -free
		found += queens(n-1, columns|q, (left|q)<<1, (right|q)>>1)
	}
	return found
}

const (
	board     = 10
	boardMask = 1<<board - 1
)

// Queens counts the ways to put ten queens on a board.
func Queens() int { return queens(board, 0, 0, 0) }

// QueensColumns has two workers that take columns for the first queen.
func QueensColumns() int {
	var next, found atomic.Int64
	inParts(2, 2, func(_, _, _ int) {
		for c := next.Add(1) - 1; c < board; c = next.Add(1) - 1 {
			q := uint(1) << c
			found.Add(int64(queens(board-1, q, q<<1, q>>1)))
		}
	})
	return int(found.Load())
}

// A countingWriter counts what is written.
type countingWriter int

func (w *countingWriter) Write(p []byte) (int, error) {
	*w += countingWriter(len(p))
	return len(p), nil
}

// A Compressor has a writer for each worker.
type Compressor struct {
	writers [2]*flate.Writer
	blocks  [][]byte
}

// NewCompressor has n blocks of 8 KiB.
func NewCompressor(n int) *Compressor {
	c := new(Compressor)
	for i := range c.writers {
		c.writers[i], _ = flate.NewWriter(io.Discard, flate.BestSpeed)
	}
	x := uint32(1)
	for range n {
		block := make([]byte, 8<<10)
		for i := range block {
			x = x*1664525 + 1013904223
			block[i] = "etaoin shrdlu"[x>>16%13]
		}
		c.blocks = append(c.blocks, block)
	}
	return c
}

func (c *Compressor) compress(worker, lo, hi int) int {
	var n countingWriter
	w := c.writers[worker]
	for _, b := range c.blocks[lo:hi] {
		w.Reset(&n)
		if _, err := w.Write(b); err != nil {
			panic(err)
		}
		if err := w.Close(); err != nil {
			panic(err)
		}
	}
	return int(n)
}

// Compress is the size of all blocks compressed.
func (c *Compressor) Compress() int { return c.compress(0, 0, len(c.blocks)) }

// CompressBlocks is Compress in two halves.
func (c *Compressor) CompressBlocks() int {
	var n [2]int
	inParts(len(c.blocks), 2, func(p, lo, hi int) { n[p] = c.compress(p, lo, hi) })
	return n[0] + n[1]
}

var (
	holidayOnce  sync.Once
	holidayTable []bool
)

// holiday tells whether the day of the year is one.
func holiday(day int) bool {
	holidayOnce.Do(func() {
		holidayTable = make([]bool, 366)
		for _, d := range []int{0, 5, 120, 275, 358, 359} {
			holidayTable[d] = true
		}
	})
	return holidayTable[day]
}

func holidays(days []int) (n int) {
	for _, d := range days {
		if holiday(d % 366) {
			n++
		}
	}
	return n
}

// Holidays counts the days that are holidays.
func Holidays(days []int) int { return holidays(days) }

// HolidaysHalves is Holidays in two halves.
func HolidaysHalves(days []int) int {
	var n [2]int
	inParts(len(days), 2, func(p, lo, hi int) { n[p] = holidays(days[lo:hi]) })
	return n[0] + n[1]
}

// Knapsack is the greatest value that fits, with a row for each caller.
func Knapsack(row, items []int) int {
	clear(row)
	for _, size := range items {
		size = size%97 + 3
		value := size * size % 61
		for c := len(row) - 1; c >= size; c-- {
			row[c] = max(row[c], row[c-size]+value)
		}
	}
	return row[len(row)-1]
}

// A Catalogue is a map that is written once.
type Catalogue struct {
	articles sync.Map
	keys     []any
}

// NewCatalogue has n articles.
func NewCatalogue(n int) *Catalogue {
	c := new(Catalogue)
	for i := range n {
		c.keys = append(c.keys, i*i)
		c.articles.Store(c.keys[i], i%10)
	}
	return c
}

func (c *Catalogue) sum(lo, hi int) (sum int) {
	for i := lo; i < hi; i++ {
		if v, ok := c.articles.Load(c.keys[i%len(c.keys)]); ok {
			sum += v.(int)
		}
	}
	return sum
}

// Sum looks up n articles.
func (c *Catalogue) Sum(n int) int { return c.sum(0, n) }

// SumAtOnce is Sum in two goroutines.
func (c *Catalogue) SumAtOnce(n int) int {
	var sums [2]int
	inParts(n, 2, func(p, lo, hi int) { sums[p] = c.sum(lo, hi) })
	return sums[0] + sums[1]
}

// A group runs functions, no more than a few at a time, and keeps an error.
type group struct {
	wg   sync.WaitGroup
	sem  chan struct{}
	once sync.Once
	err  error
}

func newGroup(limit int) *group { return &group{sem: make(chan struct{}, limit)} }

// Go runs f as soon as there is room.
func (g *group) Go(f func() error) {
	g.sem <- struct{}{}
	g.wg.Go(func() {
		if err := f(); err != nil {
			g.once.Do(func() { g.err = err })
		}
		<-g.sem
	})
}

// Wait waits for all.
func (g *group) Wait() error {
	g.wg.Wait()
	return g.err
}

type matrix struct {
	m, lu [][]float64
}

func newMatrices(count, n int) []*matrix {
	ms := make([]*matrix, count)
	for k := range ms {
		ms[k] = &matrix{make([][]float64, n), make([][]float64, n)}
		for i := range n {
			ms[k].m[i], ms[k].lu[i] = make([]float64, n), make([]float64, n)
			for j := range n {
				ms[k].m[i][j] = float64((i*j+k)%7) / 7
			}
			ms[k].m[i][i] += 3
		}
	}
	return ms
}

// determinant is the sign of the determinant and the digits before the point.
func (m *matrix) determinant() int {
	for i, row := range m.m {
		copy(m.lu[i], row)
	}
	det := 1.0
	for k, pivot := range m.lu {
		det = det * pivot[k] / 3
		for _, row := range m.lu[k+1:] {
			f := row[k] / pivot[k]
			for j := k; j < len(row); j++ {
				row[j] -= float64(f * pivot[j])
			}
		}
	}
	return int(det * 1000)
}

// Determinants adds up the determinants.
func Determinants(ms []*matrix) (sum int) {
	for _, m := range ms {
		sum += m.determinant()
	}
	return sum
}

// DeterminantsGroup is Determinants with a group.
func DeterminantsGroup(ms []*matrix) (sum int) {
	dets := make([]int, len(ms))
	g := newGroup(2)
	for i, m := range ms {
		g.Go(func() error {
			dets[i] = m.determinant()
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		panic(err)
	}
	for _, d := range dets {
		sum += d
	}
	return sum
}
