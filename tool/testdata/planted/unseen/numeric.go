package unseen

import (
	"crypto/sha256"
	"math/rand"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Rank is what RankHalves does, in one sort made for numbers.
func Rank(scores, out []int) int {
	copy(out, scores)
	slices.Sort(out)
	h := 0
	for _, s := range slices.Backward(out) {
		h = h*31 + s
	}
	return h
}

// A Matrix is square.
type Matrix [][]int

func NewMatrix(n, seed int) Matrix {
	m := make(Matrix, n)
	for i := range m {
		m[i] = make([]int, n)
		for j := range m[i] {
			m[i][j] = (i*j + seed) % 11
		}
	}
	return m
}

func (m Matrix) trace() (t int) {
	for i := range m {
		t += m[i][i] + m[i][0]
	}
	return t
}

func cellOf(a, b Matrix, i, j int) (sum int) {
	for k := range b {
		sum += a[i][k] * b[k][j]
	}
	return sum
}

func Multiply(a, b, c Matrix) int {
	for i := range a {
		for j := range b {
			c[i][j] = cellOf(a, b, i, j)
		}
	}
	return c.trace()
}

// MultiplyCells has a goroutine for each of the cells, of 40 products.
func MultiplyCells(a, b, c Matrix) int {
	var wg sync.WaitGroup
	for i := range a {
		for j := range b {
			wg.Add(1)
			go func(i, j int) {
				defer wg.Done()
				c[i][j] = cellOf(a, b, i, j)
			}(i, j)
		}
	}
	wg.Wait()
	return c.trace()
}

// An Image is 8-bit grey.
type Image struct {
	w, h int
	pix  []byte
}

func NewImage(w, h int) *Image {
	m := &Image{w, h, make([]byte, w*h)}
	for i := range m.pix {
		m.pix[i] = byte(i * 31 >> 3)
	}
	return m
}

// blurRow averages over 15 neighbours in the row.
func blurRow(dst, src *Image, y int) {
	in, out := src.pix[y*src.w:(y+1)*src.w], dst.pix[y*src.w:(y+1)*src.w]
	for x := range out {
		sum, n := 0, 0
		for k := max(0, x-7); k < min(len(in), x+8); k++ {
			sum += int(in[k])
			n++
		}
		out[x] = byte(sum / n)
	}
}

func (m *Image) checksum() (n int) {
	for i := 0; i < len(m.pix); i += 97 {
		n = n*31 + int(m.pix[i])
	}
	return n
}

func Blur(dst, src *Image) int {
	for y := 0; y < src.h; y++ {
		blurRow(dst, src, y)
	}
	return dst.checksum()
}

// BlurRows has a goroutine per row, and a row is long.
func BlurRows(dst, src *Image) int {
	var wg sync.WaitGroup
	wg.Add(src.h)
	for y := 0; y < src.h; y++ {
		go func() {
			blurRow(dst, src, y)
			wg.Done()
		}()
	}
	wg.Wait()
	return dst.checksum()
}

// fractal draws rows [lo, hi) of a picture whose lower part is all black, which
// is what takes longest.
func fractal(lo, hi int) (n int) {
	for y := lo; y < hi; y++ {
		for x := 0; x < 64; x++ {
			cr, ci := float64(x)/400-0.2, 1.7-float64(y)/40
			zr, zi := 0.0, 0.0
			for i := 0; i < 1500 && zr*zr+zi*zi < 4; i++ {
				zr, zi = zr*zr-zi*zi+cr, 2*zr*zi+ci
				n++
			}
		}
	}
	return n
}

func Fractal() int { return fractal(0, 72) }

func FractalSplit() int {
	top := make(chan int)
	go func() { top <- fractal(0, 36) }()
	bottom := fractal(36, 72)
	return <-top + bottom
}

func primesIn(lo, hi int) (n int) {
next:
	for i := max(lo, 2); i < hi; i++ {
		for d := 2; d*d <= i; d++ {
			if i%d == 0 {
				continue next
			}
		}
		n++
	}
	return n
}

func CountPrimes() int { return primesIn(0, 40_000) }

// CountPrimesByLength has a goroutine for the numbers of each length.
func CountPrimesByLength() int {
	var wg sync.WaitGroup
	bounds := []int{0, 10, 100, 1000, 40_000}
	counts := make([]int, len(bounds)-1)
	for i := range counts {
		wg.Add(1)
		go func() {
			defer wg.Done()
			counts[i] = primesIn(bounds[i], bounds[i+1])
		}()
	}
	wg.Wait()
	return counts[0] + counts[1] + counts[2] + counts[3]
}

// lockedRand is one seeded source for everyone.
type lockedRand struct {
	mu sync.Mutex
	r  *rand.Rand
}

func (l *lockedRand) Intn(n int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.r.Intn(n)
}

// sample adds up n squares of random numbers: the order does not matter.
func sample(l *lockedRand, n int) (sum int) {
	for i := 0; i < n; i++ {
		x := l.Intn(1000)
		sum += x * x
	}
	return sum
}

func MonteCarlo(l *lockedRand) int {
	l.r.Seed(42)
	return sample(l, 100_000)
}

func MonteCarloWorkers(l *lockedRand) int {
	l.r.Seed(42)
	sums := make(chan int)
	for w := 0; w < 20; w++ {
		go func() { sums <- sample(l, 5_000) }()
	}
	sum := 0
	for w := 0; w < 20; w++ {
		sum += <-sums
	}
	return sum
}

func Hash(data []byte, size int) int {
	n := 0
	for len(data) >= size {
		s := sha256.Sum256(data[:size])
		n += int(s[0])<<8 + int(s[1])
		data = data[size:]
	}
	return n
}

// HashEach has a goroutine per block: much for large blocks, little for small.
func HashEach(data []byte, size int) int {
	var wg sync.WaitGroup
	out := make([]int, len(data)/size)
	for i := range out {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s := sha256.Sum256(data[i*size : (i+1)*size])
			out[i] = int(s[0])<<8 + int(s[1])
		}()
	}
	wg.Wait()
	n := 0
	for _, v := range out {
		n += v
	}
	return n
}

// A Histogram of latencies; nearly all of them fall into the first bucket.
type Histogram struct {
	buckets [8]atomic.Int64
}

func (h *Histogram) Observe(v int) { h.buckets[bucket(v)].Add(1) }

func bucket(v int) int {
	if v%32 != 0 {
		return 0
	}
	return v / 32 % 8
}

func Observe(vs []int) int {
	var buckets [8]int
	for _, v := range vs {
		buckets[bucket(v)]++
	}
	return buckets[0]*3 + buckets[5]
}

func ObserveShared(vs []int) int {
	var h Histogram
	var wg sync.WaitGroup
	for w := 0; w < 2; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, v := range vs[w*len(vs)/2 : (w+1)*len(vs)/2] {
				h.Observe(v)
			}
		}()
	}
	wg.Wait()
	return int(h.buckets[0].Load()*3 + h.buckets[5].Load())
}

// paddedCount was moved away from its neighbours, and is atomic all the same.
type paddedCount struct {
	_ [64]byte
	n atomic.Uint64
	_ [64]byte
}

func CountOdd(vs []int) (n int) {
	for _, v := range vs {
		n += v & 1
	}
	return n
}

func CountOddPadded(vs []int) int {
	counts := make([]paddedCount, 2)
	var wg sync.WaitGroup
	for w := range counts {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, v := range vs[w*len(vs)/2 : (w+1)*len(vs)/2] {
				counts[w].n.Add(uint64(v & 1))
			}
		}()
	}
	wg.Wait()
	return int(counts[0].n.Load() + counts[1].n.Load())
}

// VectorAdd goes through 72 MB, with hardly a thing to do on the way.
func VectorAdd(a, b, c []int) int {
	for i := range a {
		c[i] = a[i] + b[i]
	}
	return c[len(c)/3]
}

func VectorAddParallel(a, b, c []int) int {
	var wg sync.WaitGroup
	n := runtime.GOMAXPROCS(0)
	for w := 0; w < n; w++ {
		lo, hi := w*len(a)/n, (w+1)*len(a)/n
		wg.Add(1)
		go func() {
			defer wg.Done()
			VectorAdd(a[lo:hi], b[lo:hi], c[lo:hi])
		}()
	}
	wg.Wait()
	return c[len(c)/3]
}

// A Node of a tree like that of a file system.
type Node struct {
	size     int
	children []*Node
}

func NewTree(depth, width, size int) *Node {
	n := &Node{size: size}
	if depth > 0 {
		for i := 0; i < width; i++ {
			n.children = append(n.children, NewTree(depth-1, width, size*3%101+i))
		}
	}
	return n
}

func (n *Node) Usage() int {
	total := n.size
	for _, c := range n.children {
		total += c.Usage()
	}
	return total
}

// UsageConcurrent visits every child in a goroutine.
func (n *Node) UsageConcurrent() int {
	var total atomic.Int64
	total.Store(int64(n.size))
	var wg sync.WaitGroup
	for _, c := range n.children {
		wg.Add(1)
		go func() {
			defer wg.Done()
			total.Add(int64(c.UsageConcurrent()))
		}()
	}
	wg.Wait()
	return int(total.Load())
}

// Ledger applies entries in order, after checking them: checks are a fifth of
// the work and independent, applying is the rest and is not.
func Apply(entries []int) int {
	state := [32]byte{}
	for _, e := range entries {
		state = apply(state, verify(e))
	}
	return int(state[0])<<8 + int(state[5])
}

func verify(e int) byte {
	s := sha256.Sum256([]byte{byte(e), byte(e >> 8)})
	return s[3]
}

func apply(state [32]byte, e byte) [32]byte {
	for i := 0; i < 8; i++ {
		state[i] ^= e
		state = sha256.Sum256(state[:])
	}
	return state
}

func ApplyVerified(entries []int) int {
	checked := make([]byte, len(entries))
	var wg sync.WaitGroup
	for w := 0; w < 2; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := w * len(entries) / 2; i < (w+1)*len(entries)/2; i++ {
				checked[i] = verify(entries[i])
			}
		}()
	}
	wg.Wait()
	state := [32]byte{}
	for _, e := range checked {
		state = apply(state, e)
	}
	return int(state[0])<<8 + int(state[5])
}
