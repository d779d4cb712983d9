package planted

import (
	"encoding/json"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// withCures makes each benchmark run its cure as well, as variant=cure: what an
// edit reaches is measured beside what an expert writes by hand.
var withCures = os.Getenv("PAYOFF_CURES") == "1"

// cures are the variants without their disease, and nothing else changed, as far
// as an edit of the function that has it can take it away: it keeps the result,
// the algorithm and who talks to whom. The programs here are serial code and
// cure. incurable.json says of each other disease why it has none.
var cures = map[string]func(testing.TB) program{
	"Stats":      of("Stats", statsLocal),
	"Tally":      of("Tally", tallyLocal),
	"Pump":       of("Pump", pumpLocal),
	"TallyApart": of("TallyApart", tallyLocal),
	"Squares":    of("Squares", func() int { return squaresBatches(handed) }),
	"Pooled":     of("Pooled", func() int { return poolBatches(handed) }),
	"Offered":    of("Offered", func() int { return doneBatches(handed) }),
	"Queued":     of("Queued", func() int { return queueBatches(handed) }),
	"Balances":   of("Balances", func() int { return balancesLocked(handed) }),
	"Counts":     of("Counts", countsOwn),
	"Ledger":     of("Ledger", ledgerLocal),
	"Buffers":    of("Buffers", buffersPool),
	"Tasks":      of("Tasks", balancedHalves),
	"Restack":    of("Tasks", balancedHalves),
	"Pyramid":    of("Pyramid", pyramidInterleaved),
	"Refine":     of("Refine", refineTwo),
	"Fetch":      of("Fetch", fetchAtOnce),
	"Poll":       of("Poll", pollWoken),
	"Phases":     of("Phases", phasesTwo),
	"Turns":      of("Turns", turnsParked),
	"Drain":      of("Drain", drainParked),

	"Parity":     ofOn("Parity", func(xs, _ []int) int { return parityLocal(xs) }),
	"Lookup":     ofOn("Lookup", func(xs, _ []int) int { return lookupBlocks(xs) }),
	"Accumulate": ofOn("Accumulate", func(xs, _ []int) int { return accumulateLocal(xs) }),
	"Publish":    ofOn("Publish", func(xs, _ []int) int { return publishSeldom(xs) }),
	"Scale":      ofOn("Scale", scaleHalves),
	"Tree":       ofOn("Tree", func(xs, _ []int) int { return treeSumThreshold(xs) }),
	"Relax":      ofOn("Relax", func(xs, _ []int) int { return relaxHalves(xs) }),
	"Check":      ofOn("Check", checkHalves),
	"Frames":     ofOn("Frames", func(xs, _ []int) int { return framesAgain(xs) }),
	"Stack":      ofOn("Stack", func(xs, _ []int) int { return stackSlices(xs) }),
	"Labels":     ofOn("Labels", func(xs, _ []int) int { return labelsAppended(xs) }),
	"Sorted":     ofOn("Sorted", sortedTyped),
	"Settings": func(testing.TB) program {
		s, c, xs := &settings{scale: 3, bias: 5}, newSettingsCopied(3, 5), numbers(on["Settings"].n)
		return program{func() int { return s.serial(xs) }, "cure", func() int { return c.read(xs) }}
	},

	"Refs": func(testing.TB) program {
		o := newObject()
		return program{func() int { return refsSerial(o) }, "cure", func() int { return refsOnce(o) }}
	},
	"Directory": func(testing.TB) program {
		d, c := newDirectory(), newDirectoryCopied()
		return program{func() int { return d.read(0, 40_000) }, "cure", c.readers}
	},
	"Write": func(tb testing.TB) program {
		fs, data := nulls(tb), make([]byte, written)
		return program{func() int { return writeOnce(fs, data) }, "cure", func() int { return writeHalves(fs, data) }}
	},
	"Read": func(tb testing.TB) program {
		f, buf := scratch(tb)
		return program{func() int { return readOnce(f, buf) }, "cure", func() int { return readHalves(f, buf) }}
	},
}

// of is a cure of what plain has.
func of(name string, cure func() int) func(testing.TB) program {
	return func(testing.TB) program { return program{plain[name].serial, "cure", cure} }
}

// ofOn is a cure of what on has.
func ofOn(name string, cure func(xs, out []int) int) func(testing.TB) program {
	return func(testing.TB) program {
		c := on[name]
		xs, out := numbers(c.n), make([]int, c.n)
		return program{c.make(xs, out).serial, "cure", func() int { return cure(xs, out) }}
	}
}

// benchCure runs the cure of a benchmark, if it has one and cures are asked for.
func benchCure(b *testing.B) {
	b.Helper()
	if c, ok := cures[strings.TrimPrefix(b.Name(), "Benchmark")]; ok && withCures {
		cure := c(b).concurrent
		b.Run("variant=cure", func(b *testing.B) {
			for b.Loop() {
				sink = cure()
			}
		})
	}
}

// The cures give the answers of the serial code.
func TestCures(t *testing.T) {
	for name, c := range cures {
		t.Run(name, func(t *testing.T) { c(t).test(t) })
	}
}

// Each disease has a cure, or there is a word on why it has none.
func TestIncurable(t *testing.T) {
	var wants []struct{ Benchmark, First string }
	read(t, "want.json", &wants)
	incurable := map[string]string{}
	read(t, "incurable.json", &incurable)
	ill := map[string]bool{}
	for _, w := range wants {
		if !strings.HasPrefix(w.First, "none") {
			ill[w.Benchmark] = true
		}
	}
	for bench := range ill {
		name := strings.TrimPrefix(bench, "Benchmark")
		if _, ok := cures[name]; ok == (incurable[bench] != "") {
			t.Errorf("%s: a cure: %t, why it has none: %q; want one of them", name, ok, incurable[bench])
		}
	}
	for name := range cures {
		if !ill["Benchmark"+name] {
			t.Errorf("%s has a cure and no disease", name)
		}
	}
	for bench := range incurable {
		if !ill[bench] {
			t.Errorf("%s is said to be incurable and has no disease", bench)
		}
	}
}

func read(t *testing.T, file string, to any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func statsLocal() int {
	s := new(stats)
	each(2, func(w int) {
		c, n := &s.hits, int64(1)
		if w == 1 {
			c, n = &s.misses, 2
		}
		own := int64(0)
		for range adds {
			own += n
		}
		c.Add(own)
	})
	return int(s.hits.Load() + s.misses.Load())
}

func tallyLocal() int {
	slots := make([]slot, workers)
	halves(adds, func(w, lo, hi int) {
		own := int64(0)
		for i := lo; i < hi; i++ {
			own += int64(i & 7)
		}
		slots[w].total.Add(own)
	})
	total := 0
	for w := range slots {
		total += int(slots[w].total.Load())
	}
	return total
}

// pumped is a pump of its own: what the cure does is nobody's business.
var pumped struct {
	read, written uint64
}

func pumpLocal() int {
	atomic.StoreUint64(&pumped.read, 0)
	atomic.StoreUint64(&pumped.written, 0)
	each(2, func(w int) {
		own := uint64(0)
		if w == 0 {
			for i := range adds {
				own += uint64(i & 15)
			}
			atomic.AddUint64(&pumped.read, own)
			return
		}
		for i := range adds {
			own += uint64(i & 31)
		}
		atomic.AddUint64(&pumped.written, own)
	})
	return int(pumped.read + pumped.written)
}

func parityLocal(xs []int) int {
	var left, right int64
	halves(len(xs), func(w, lo, hi int) {
		own := int64(0)
		for _, x := range xs[lo:hi] {
			own += int64(x & 1)
		}
		if w == 0 {
			atomic.AddInt64(&left, own)
			return
		}
		atomic.AddInt64(&right, own)
	})
	return int(left<<32 + right)
}

// lookupBlocks hands out a thousand indices at a time.
func lookupBlocks(xs []int) int {
	const some = 1000
	var next atomic.Int64
	sums := make([]int, workers)
	each(workers, func(w int) {
		total := 0
		for lo := next.Add(some) - some; lo < int64(len(xs)); lo = next.Add(some) - some {
			for _, x := range xs[lo:min(lo+some, int64(len(xs)))] {
				total += x & 0xff
			}
		}
		sums[w] = total
	})
	return sum(sums)
}

func accumulateLocal(xs []int) int {
	var mu sync.Mutex
	var total float64
	halves(len(xs), func(_, lo, hi int) {
		var own float64
		for _, x := range xs[lo:hi] {
			own += float64(x & 0xff)
		}
		mu.Lock()
		total += own
		mu.Unlock()
	})
	return int(total)
}

func refsOnce(o *object) int {
	sums := make([]int, workers)
	halves(adds, func(w, lo, hi int) {
		o.refs.Add(1)
		total := 0
		for i := lo; i < hi; i++ {
			total += o.uses[i&63]
		}
		o.refs.Add(-1)
		sums[w] = total
	})
	return sum(sums)
}

func publishSeldom(xs []int) int {
	var progress [workers]apart
	best := make([]int, workers)
	halves(len(xs), func(w, lo, hi int) {
		high := 0
		for i := lo; i < hi; i++ {
			high = max(high, xs[i]^i)
			if i&1023 == 0 {
				progress[w].total.Store(int64(i))
			}
		}
		progress[w].total.Store(int64(hi - 1))
		best[w] = high
	})
	return max(best[0], best[1])
}

// perBatch is how many values cross a channel at once.
const perBatch = 100

func squaresBatches(n int) int {
	in, out := make(chan []int), make(chan []int)
	go func() {
		for lo := 0; lo < n; lo += perBatch {
			batch := make([]int, 0, perBatch)
			for i := lo; i < min(lo+perBatch, n); i++ {
				batch = append(batch, i)
			}
			in <- batch
		}
		close(in)
	}()
	go func() {
		for batch := range in {
			for k, i := range batch {
				batch[k] = square(i)
			}
			out <- batch
		}
		close(out)
	}()
	total := 0
	for batch := range out {
		total += sum(batch)
	}
	return total
}

func poolBatches(n int) int {
	jobs, results := make(chan []int, 64), make(chan []int, 64)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for batch := range jobs {
				for k, i := range batch {
					batch[k] = square(i)
				}
				results <- batch
			}
		})
	}
	go func() {
		for lo := 0; lo < n; lo += perBatch {
			batch := make([]int, 0, perBatch)
			for i := lo; i < min(lo+perBatch, n); i++ {
				batch = append(batch, i)
			}
			jobs <- batch
		}
		close(jobs)
		wg.Wait()
		close(results)
	}()
	total := 0
	for batch := range results {
		total += sum(batch)
	}
	return total
}

func doneBatches(n int) int {
	done := make(chan struct{})
	values := make(chan []int, 16)
	go func() {
		for i := 0; ; {
			batch := make([]int, perBatch)
			for k := range batch {
				batch[k] = square(i)
				i++
			}
			select {
			case values <- batch:
			case <-done:
				return
			}
		}
	}()
	total := 0
	for n > 0 {
		batch := <-values
		batch = batch[:min(n, len(batch))]
		total += sum(batch)
		n -= len(batch)
	}
	close(done)
	return total
}

func queueBatches(n int) int {
	q := make(chan []int, 4)
	go func() {
		for lo := 0; lo < n; lo += perBatch {
			batch := make([]int, 0, perBatch)
			for i := lo; i < min(lo+perBatch, n); i++ {
				batch = append(batch, square(i))
			}
			q <- batch
		}
		close(q)
	}()
	total := 0
	for batch := range q {
		total += sum(batch)
	}
	return total
}

func balancesLocked(n int) int {
	var mu sync.Mutex
	accounts := make([]int, 64)
	add := func(account, amount int) int {
		v := square(amount)
		mu.Lock()
		defer mu.Unlock()
		accounts[account] += v
		return accounts[account]
	}
	halves(n, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			add(i&63, i)
		}
	})
	return add(7, 0)
}

func scaleHalves(xs, out []int) int {
	halves(len(xs), func(_, lo, hi int) {
		for i, x := range xs[lo:hi] {
			out[lo+i] = churn(x, 2)
		}
	})
	return out[len(out)/2]
}

func treeSumThreshold(xs []int) int {
	if len(xs) <= 1024 {
		return treeSum(xs)
	}
	mid := len(xs) / 2
	left := 0
	var wg sync.WaitGroup
	wg.Go(func() { left = treeSumThreshold(xs[:mid]) })
	right := treeSumThreshold(xs[mid:])
	wg.Wait()
	return left + right
}

func relaxHalves(grid []int) int {
	var part [workers]int
	halves(len(grid)/rowLen, func(w, lo, hi int) {
		s := 0
		for _, x := range grid[lo*rowLen : hi*rowLen] {
			s += x & 0xfff
		}
		part[w] = s
	})
	return part[0] + part[1]
}

func checkHalves(xs, out []int) int {
	var g group
	for w := range workers {
		lo, hi := w*len(xs)/workers, (w+1)*len(xs)/workers
		g.Go(func() error {
			for i, x := range xs[lo:hi] {
				out[lo+i] = churn(x, 10)
			}
			return nil
		})
	}
	if g.Wait() != nil {
		return -1
	}
	return sum(out)
}

// counted is counts of its own: what the cure does to them is nobody's business.
type counted struct {
	mu sync.Mutex
	m  map[int]int
}

func countsOwn() int {
	c := counted{m: make(map[int]int)}
	each(100, func(g int) {
		own := make(map[int]int, 128)
		for i := g * 400; i < (g+1)*400; i++ {
			own[i&127]++
		}
		c.mu.Lock()
		for k, n := range own {
			c.m[k] += n
		}
		c.mu.Unlock()
	})
	return c.m[5]
}

func ledgerLocal() int {
	var mu sync.Mutex
	total := 0
	each(4, func(g int) {
		own := 0
		for i := g * 20; i < (g+1)*20; i++ {
			own += churn(i, 10_000)
		}
		mu.Lock()
		total += own
		mu.Unlock()
	})
	return total
}

func buffersPool() int {
	free := sync.Pool{New: func() any { return new([64]byte) }}
	sums := make([]int, 8)
	each(8, func(g int) {
		total := 0
		for i := g * 2500; i < (g+1)*2500; i++ {
			b := free.Get().(*[64]byte)
			b[i&63] = byte(i)
			total += int(b[i&63])
			free.Put(b)
		}
		sums[g] = total
	})
	return sum(sums)
}

// directoryCopied is replaced as a whole when it changes.
type directoryCopied struct{ m atomic.Pointer[map[int]int] }

func newDirectoryCopied() *directoryCopied {
	d := new(directoryCopied)
	d.m.Store(&newDirectory().m)
	return d
}

func (d *directoryCopied) readers() int {
	sums := make([]int, 8)
	each(8, func(g int) {
		total := 0
		for i := g * 5000; i < (g+1)*5000; i++ {
			total += (*d.m.Load())[i&255]
		}
		sums[g] = total
	})
	return sum(sums)
}

// settingsCopied are replaced as a whole when one of them changes.
type settingsCopied struct {
	now atomic.Pointer[struct{ scale, bias int }]
}

func newSettingsCopied(scale, bias int) *settingsCopied {
	s := new(settingsCopied)
	s.now.Store(&struct{ scale, bias int }{scale, bias})
	return s
}

func (s *settingsCopied) read(xs []int) int {
	sums := make([]int, workers)
	halves(len(xs), func(w, lo, hi int) {
		total := 0
		for _, x := range xs[lo:hi] {
			now := s.now.Load()
			total += (x*now.scale + now.bias) & 0xff
		}
		sums[w] = total
	})
	return sum(sums)
}

func pyramidInterleaved() int {
	var sums [2]int
	each(2, func(w int) {
		for i := w; i < 72; i += 2 {
			sums[w] += pyramid(i, i+1)
		}
	})
	return sums[0] + sums[1]
}

// refineTwo has two goroutines for the middle stage.
func refineTwo() int {
	a, b := make(chan int, 4), make(chan int, 4)
	go func() {
		for i := range 40 {
			a <- churn(i, 400)
		}
		close(a)
	}()
	var middle sync.WaitGroup
	for range workers {
		middle.Go(func() {
			for v := range a {
				b <- churn(v, 40_000)
			}
		})
	}
	go func() {
		middle.Wait()
		close(b)
	}()
	total := 0
	for v := range b {
		total += churn(v, 400)
	}
	return total
}

func fetchAtOnce() int {
	sums := make([]int, workers)
	halves(12, func(w, lo, hi int) {
		var keys []int
		for k := lo; k < hi; k++ {
			keys = append(keys, k)
		}
		sums[w] = fetch(keys...)
	})
	return sum(sums)
}

func pollWoken() int {
	done := make(chan int)
	go func() { done <- churn(3, 100_000) }()
	return <-done
}

// phasesTwo has no more goroutines than meet without waiting for a processor:
// each does the work of four.
func phasesTwo() int {
	var arrived atomic.Int64
	sums := make([]int, members)
	each(workers, func(w int) {
		for p := range phases {
			for g := w; g < members; g += workers {
				sums[g] += churn(p+g, 20)
			}
			arrived.Add(1)
			for arrived.Load() < int64((p+1)*workers) {
				runtime.Gosched()
			}
		}
	})
	return sum(sums)
}

func turnsParked() int {
	var l sync.Mutex
	total := 0
	each(16, func(g int) {
		for i := g * 100; i < (g+1)*100; i++ {
			l.Lock()
			total += churn(i, 500)
			l.Unlock()
		}
	})
	return total
}

func drainParked() int {
	list := make(chan int, 64)
	var total atomic.Int64
	each(12, func(g int) {
		if g == 0 {
			for i := range 1000 {
				list <- i
			}
			close(list)
			return
		}
		for i := range list {
			total.Add(int64(churn(i, 50)))
		}
	})
	return int(total.Load())
}

// framesAgain makes a frame where the one before last of its place was.
func framesAgain(xs []int) int {
	sums := make([]int, workers)
	halves(len(xs), func(w, lo, hi int) {
		total := 0
		for k, x := range xs[lo:hi] {
			buf := kept[w][k&63]
			if buf == nil {
				buf = make([]byte, 512)
				kept[w][k&63] = buf
			}
			for i := 0; i < len(buf); i += 64 {
				buf[i] = byte(x + i)
			}
			total += int(buf[64])
		}
		sums[w] = total
	})
	return sum(sums)
}

func stackSlices(xs []int) int {
	sums := make([]int, workers)
	halves(len(xs), func(w, lo, hi int) {
		items := slices.Clone(xs[lo:hi])
		total := 0
		for _, v := range slices.Backward(items) {
			total += v & 0xff
		}
		sums[w] = total
	})
	return sum(sums)
}

func labelsAppended(xs []int) int {
	sums := make([]int, workers)
	halves(len(xs), func(w, lo, hi int) {
		var buf []byte
		total := 0
		for _, x := range xs[lo:hi] {
			buf = append(buf[:0], "&{Item:"...)
			buf = strconv.AppendInt(buf, int64(x), 10)
			buf = append(buf, " Of:"...)
			buf = strconv.AppendInt(buf, int64(x&0xff), 10)
			buf = append(buf, '}')
			total += len(buf) - 6
		}
		sums[w] = total
	})
	return sum(sums)
}

func sortedTyped(xs, tmp []int) int {
	copy(tmp, xs)
	mid := len(tmp) / workers
	halves(len(tmp), func(_, lo, hi int) { slices.Sort(tmp[lo:hi]) })
	h, a, b := 0, tmp[:mid], tmp[mid:]
	for len(a) > 0 || len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0] <= b[0] {
			h, a = h*31+a[0], a[1:]
		} else {
			h, b = h*31+b[0], b[1:]
		}
	}
	return h
}

func writeHalves(fs []*os.File, data []byte) int {
	sums := make([]int, len(fs))
	each(len(fs), func(w int) {
		part := data[w*len(data)/len(fs) : (w+1)*len(data)/len(fs)]
		for i := range part {
			part[i] = byte(churn(i, 5))
		}
		n, err := fs[w].Write(part)
		if err != nil {
			return
		}
		sums[w] = n
	})
	return sum(sums)
}

func readHalves(f *os.File, buf []byte) int {
	sums := make([]int, workers)
	halves(len(buf), func(w, lo, hi int) {
		part := buf[lo:hi]
		if _, err := f.ReadAt(part, int64(lo)); err != nil {
			return
		}
		total := 0
		for _, c := range part {
			total += int(c)
		}
		sums[w] = total
	})
	return sum(sums)
}
