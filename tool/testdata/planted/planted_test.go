package planted

import (
	"net"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
)

// A program is a serial function and one variant of it, which must give the
// same answer.
type program struct {
	serial     func() int
	name       string
	concurrent func() int
}

// bench runs the serial function and the variant as sub-benchmarks.
func (p program) bench(b *testing.B) {
	b.Helper()
	loop := func(f func() int) func(b *testing.B) {
		return func(b *testing.B) {
			for b.Loop() {
				sink = f()
			}
		}
	}
	b.Run("variant=serial", loop(p.serial))
	b.Run("variant="+p.name, loop(p.concurrent))
	benchCure(b)
}

func (p program) test(t *testing.T) {
	t.Helper()
	want := p.serial()
	for range 3 {
		if got := p.concurrent(); got != want {
			t.Errorf("%s = %d, want %d as serial", p.name, got, want)
		}
	}
}

// plain are the programs whose benchmark is bench and nothing more.
var plain = map[string]program{
	"Stats":      {statsSerial, "owners", statsOwners},
	"Tally":      {tally, "slots", tallySlots},
	"Pump":       {pumpSerial, "globals", pumpGlobals},
	"TallyApart": {tally, "apart", tallyApart},
	"Squares":    {func() int { return squares(handed) }, "stages", func() int { return squaresStages(handed) }},
	"Pooled":     {func() int { return squares(handed) }, "pool", func() int { return squaresPool(handed) }},
	"Offered":    {func() int { return squares(handed) }, "done", func() int { return squaresDone(handed) }},
	"Queued":     {func() int { return squares(handed) }, "queue", func() int { return squaresQueue(handed) }},
	"Primes":     {primesSerial, "sieve", primesSieve},
	"Balances":   {func() int { return balances(handed) }, "owner", func() int { return balancesOwner(handed) }},
	"Counts":     {countsSerial, "hundred", countsHundred},
	"Ledger":     {ledgerSerial, "locked", ledgerLocked},
	"Buffers":    {buffersSerial, "list", buffersList},
	"Tasks":      {tasksSerial, "split", tasksSplit},
	"Pyramid":    {pyramidSerial, "halves", pyramidHalves},
	"Refine":     {refineSerial, "stages", refineStages},
	"Prefix":     {prefixSerial, "halves", prefixHalves},
	"Fold":       {foldSerial, "parts", foldParallelParts},
	"Produce":    {produceSerial, "pool", producePool},
	"Fetch":      {fetchBatch, "two", fetchTwoWorkers},
	"Poll":       {pollSerial, "sleeping", pollSleeping},
	"Phases":     {phasesSerial, "yielding", phasesYielding},
	"Turns":      {turnsSerial, "spinning", turnsSpinning},
	"Drain":      {drainSerial, "idlers", drainIdlers},
	"Even":       {balancedSerial, "halves", balancedHalves},
	"Batches":    {batchesSerial, "pool", batchesPool},
	"Seldom":     {batchesSerial, "locked", seldomLocked},
	"Coarse":     {batchesSerial, "goroutines", coarseGoroutines},
}

func BenchmarkStats(b *testing.B)      { plain["Stats"].bench(b) }
func BenchmarkTally(b *testing.B)      { plain["Tally"].bench(b) }
func BenchmarkPump(b *testing.B)       { plain["Pump"].bench(b) }
func BenchmarkTallyApart(b *testing.B) { plain["TallyApart"].bench(b) }
func BenchmarkSquares(b *testing.B)    { plain["Squares"].bench(b) }
func BenchmarkPooled(b *testing.B)     { plain["Pooled"].bench(b) }
func BenchmarkOffered(b *testing.B)    { plain["Offered"].bench(b) }
func BenchmarkQueued(b *testing.B)     { plain["Queued"].bench(b) }
func BenchmarkPrimes(b *testing.B)     { plain["Primes"].bench(b) }
func BenchmarkBalances(b *testing.B)   { plain["Balances"].bench(b) }
func BenchmarkCounts(b *testing.B)     { plain["Counts"].bench(b) }
func BenchmarkLedger(b *testing.B)     { plain["Ledger"].bench(b) }
func BenchmarkBuffers(b *testing.B)    { plain["Buffers"].bench(b) }
func BenchmarkTasks(b *testing.B)      { plain["Tasks"].bench(b) }
func BenchmarkPyramid(b *testing.B)    { plain["Pyramid"].bench(b) }
func BenchmarkRefine(b *testing.B)     { plain["Refine"].bench(b) }
func BenchmarkPrefix(b *testing.B)     { plain["Prefix"].bench(b) }
func BenchmarkFold(b *testing.B)       { plain["Fold"].bench(b) }
func BenchmarkProduce(b *testing.B)    { plain["Produce"].bench(b) }
func BenchmarkFetch(b *testing.B)      { plain["Fetch"].bench(b) }
func BenchmarkPoll(b *testing.B)       { plain["Poll"].bench(b) }
func BenchmarkPhases(b *testing.B)     { plain["Phases"].bench(b) }
func BenchmarkTurns(b *testing.B)      { plain["Turns"].bench(b) }
func BenchmarkDrain(b *testing.B)      { plain["Drain"].bench(b) }
func BenchmarkEven(b *testing.B)       { plain["Even"].bench(b) }
func BenchmarkBatches(b *testing.B)    { plain["Batches"].bench(b) }
func BenchmarkSeldom(b *testing.B)     { plain["Seldom"].bench(b) }
func BenchmarkCoarse(b *testing.B)     { plain["Coarse"].bench(b) }

func TestPlain(t *testing.T) {
	for name, p := range plain {
		t.Run(name, p.test)
	}
}

// on are the programs that work on data prepared before.
var on = map[string]struct {
	n    int
	make func(xs, out []int) program
}{
	"Parity": {100_000, func(xs, _ []int) program {
		return program{func() int { return paritySerial(xs) }, "escaped", func() int { return parityEscaped(xs) }}
	}},
	"Lookup": {200_000, func(xs, _ []int) program {
		return program{func() int { return lookup(xs) }, "dispenser", func() int { return lookupDispenser(xs) }}
	}},
	"Accumulate": {50_000, func(xs, _ []int) program {
		return program{func() int { return accumulate(xs) }, "swap", func() int { return accumulateSwap(xs) }}
	}},
	"Publish": {100_000, func(xs, _ []int) program {
		return program{func() int { return publish(xs) }, "stores", func() int { return publishStores(xs) }}
	}},
	"Scale": {6_000, func(xs, out []int) program {
		return program{func() int { return scale(xs, out) }, "peritem", func() int { return scalePerItem(xs, out) }}
	}},
	"Tree": {4096, func(xs, _ []int) program {
		return program{func() int { return treeSum(xs) }, "left", func() int { return treeSumLeft(xs) }}
	}},
	"Relax": {64 * 512, func(xs, _ []int) program {
		return program{func() int { return relax(xs) }, "rows", func() int { return relaxPerRow(xs) }}
	}},
	"Check": {4000, func(xs, out []int) program {
		return program{func() int { return check(xs, out) }, "group", func() int { return checkGroup(xs, out) }}
	}},
	"Settings": {50_000, func(xs, _ []int) program {
		s := &settings{scale: 3, bias: 5}
		return program{func() int { return s.serial(xs) }, "readlocked", func() int { return s.readLocked(xs) }}
	}},
	"Frames": {10_000, func(xs, _ []int) program {
		return program{func() int { return frames(xs) }, "fresh", func() int { return framesFresh(xs) }}
	}},
	"Stack": {20_000, func(xs, _ []int) program {
		return program{func() int { return stack(xs) }, "boxed", func() int { return stackBoxed(xs) }}
	}},
	"Labels": {5000, func(xs, _ []int) program {
		return program{func() int { return labels(xs) }, "printed", func() int { return labelsPrinted(xs) }}
	}},
	"Sorted": {50_000, func(xs, out []int) program {
		return program{func() int { return sorted(xs, out) }, "halves", func() int { return sortedHalves(xs, out) }}
	}},
	"Running": {64 * 200, func(xs, out []int) program {
		return program{func() int { return running(xs, out) }, "blocks", func() int { return runningBlocks(xs, out) }}
	}},
	"Find": {400_000, func(xs, _ []int) program {
		needle := xs[len(xs)/10]
		return program{func() int { return find(xs, needle) }, "all", func() int { return findAll(xs, needle) }}
	}},
}

func benchOn(b *testing.B, name string) {
	c := on[name]
	c.make(numbers(c.n), make([]int, c.n)).bench(b)
}

func BenchmarkParity(b *testing.B)     { benchOn(b, "Parity") }
func BenchmarkLookup(b *testing.B)     { benchOn(b, "Lookup") }
func BenchmarkAccumulate(b *testing.B) { benchOn(b, "Accumulate") }
func BenchmarkPublish(b *testing.B)    { benchOn(b, "Publish") }
func BenchmarkScale(b *testing.B)      { benchOn(b, "Scale") }
func BenchmarkTree(b *testing.B)       { benchOn(b, "Tree") }
func BenchmarkRelax(b *testing.B)      { benchOn(b, "Relax") }
func BenchmarkCheck(b *testing.B)      { benchOn(b, "Check") }
func BenchmarkSettings(b *testing.B)   { benchOn(b, "Settings") }
func BenchmarkFrames(b *testing.B)     { benchOn(b, "Frames") }
func BenchmarkStack(b *testing.B)      { benchOn(b, "Stack") }
func BenchmarkLabels(b *testing.B)     { benchOn(b, "Labels") }
func BenchmarkSorted(b *testing.B)     { benchOn(b, "Sorted") }
func BenchmarkRunning(b *testing.B)    { benchOn(b, "Running") }
func BenchmarkFind(b *testing.B)       { benchOn(b, "Find") }

func TestOn(t *testing.T) {
	for name, c := range on {
		t.Run(name, c.make(numbers(c.n), make([]int, c.n)).test)
	}
}

// BenchmarkRefs counts its rounds the old way.
func BenchmarkRefs(b *testing.B) {
	o := newObject()
	b.Run("variant=serial", func(b *testing.B) {
		for range b.N {
			sink = refsSerial(o)
		}
	})
	b.Run("variant=shared", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			sink = refsShared(o)
		}
	})
	benchCure(b)
}

func TestRefs(t *testing.T) {
	o := newObject()
	program{func() int { return refsSerial(o) }, "shared", func() int { return refsShared(o) }}.test(t)
}

// BenchmarkDirectory fills its map inside each sub-benchmark, before the loop.
func BenchmarkDirectory(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		d := newDirectory()
		b.ResetTimer()
		for range b.N {
			sink = d.read(0, 40_000)
		}
	})
	b.Run("variant=readers", func(b *testing.B) {
		d := newDirectory()
		b.ResetTimer()
		for range b.N {
			sink = d.readers()
		}
	})
	benchCure(b)
}

func TestDirectory(t *testing.T) {
	d := newDirectory()
	program{func() int { return d.read(0, 40_000) }, "readers", d.readers}.test(t)
}

// BenchmarkAsk keeps its server and its connections.
func BenchmarkAsk(b *testing.B) {
	cs := dial(b)
	for _, v := range []struct {
		name string
		f    func([]net.Conn) int
	}{{"serial", askSerial}, {"conns", askConns}} {
		b.Run("variant="+v.name, func(b *testing.B) {
			for b.Loop() {
				sink = v.f(cs)
			}
		})
	}
}

func dial(tb testing.TB) []net.Conn {
	s, err := startServer()
	if err != nil {
		tb.Skip(err)
	}
	tb.Cleanup(func() { s.l.Close() })
	var cs []net.Conn
	for range workers {
		c, err := net.Dial("tcp", s.l.Addr().String())
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() { c.Close() })
		cs = append(cs, c)
	}
	return cs
}

func TestAsk(t *testing.T) {
	cs := dial(t)
	program{func() int { return askSerial(cs) }, "conns", func() int { return askConns(cs) }}.test(t)
}

// BenchmarkPoints makes its input, which takes far longer than a round.
func BenchmarkPoints(b *testing.B) {
	lines := pointLines(200_000)[:1000]
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			sink = points(lines)
		}
	})
	b.Run("variant=decoded", func(b *testing.B) {
		for b.Loop() {
			sink = pointsDecoded(lines)
		}
	})
}

func TestPoints(t *testing.T) {
	lines := pointLines(500)
	program{func() int { return points(lines) }, "decoded", func() int { return pointsDecoded(lines) }}.test(t)
}

func nulls(tb testing.TB) []*os.File {
	var fs []*os.File
	for range workers {
		f, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() { f.Close() })
		fs = append(fs, f)
	}
	return fs
}

func BenchmarkWrite(b *testing.B) {
	fs, data := nulls(b), make([]byte, written)
	program{func() int { return writeOnce(fs, data) }, "bytes", func() int { return writeBytes(fs, data) }}.bench(b)
}

func TestWrite(t *testing.T) {
	fs, data := nulls(t), make([]byte, written)
	program{func() int { return writeOnce(fs, data) }, "bytes", func() int { return writeBytes(fs, data) }}.test(t)
}

func scratch(tb testing.TB) (*os.File, []byte) {
	data := make([]byte, 32<<10)
	for i := range data {
		data[i] = byte(i * 7)
	}
	name := filepath.Join(tb.TempDir(), "data")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		tb.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { f.Close() })
	return f, data
}

func BenchmarkRead(b *testing.B) {
	f, buf := scratch(b)
	program{func() int { return readOnce(f, buf) }, "pieces", func() int { return readPieces(f, buf) }}.bench(b)
}

func TestRead(t *testing.T) {
	f, buf := scratch(t)
	program{func() int { return readOnce(f, buf) }, "pieces", func() int { return readPieces(f, buf) }}.test(t)
}

// BenchmarkCopy moves 64 MB, more than the last cache of most machines.
func BenchmarkCopy(b *testing.B) {
	dst, src := make([]int, 8<<20), numbers(8<<20)
	copy(dst, src) // first touch
	b.SetBytes(int64(len(src)) * 8)
	program{func() int { return copySerial(dst, src) }, "halves", func() int { return copyHalves(dst, src) }}.bench(b)
}

func TestCopy(t *testing.T) {
	dst, src := make([]int, 1001), numbers(1001)
	program{func() int { return copySerial(dst, src) }, "halves", func() int { return copyHalves(dst, src) }}.test(t)
}

// BenchmarkToss works on two buffers of 256 KB.
func BenchmarkToss(b *testing.B) {
	x, y := lines(4096), lines(4096)
	program{func() int { return tossSerial(x, y) }, "swap", func() int { return tossSwap(x, y) }}.bench(b)
}

func TestToss(t *testing.T) {
	x, y := lines(4096), lines(4096)
	program{func() int { return tossSerial(x, y) }, "swap", func() int { return tossSwap(x, y) }}.test(t)
}

func BenchmarkFlagged(b *testing.B) {
	var stop atomic.Bool
	program{func() int { return flaggedSerial(&stop) }, "halves", func() int { return flaggedHalves(&stop) }}.bench(b)
}

func TestFlagged(t *testing.T) {
	var stop atomic.Bool
	program{func() int { return flaggedSerial(&stop) }, "halves", func() int { return flaggedHalves(&stop) }}.test(t)
}

// BenchmarkKept starts its workers before the timer and keeps them.
func BenchmarkKept(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for range b.N {
			sink = batchesSerial()
		}
	})
	b.Run("variant=pool", func(b *testing.B) {
		p := startPool()
		defer p.stop()
		b.ResetTimer()
		for range b.N {
			sink = p.do(40)
		}
		b.StopTimer()
	})
}

func TestKept(t *testing.T) {
	p := startPool()
	defer p.stop()
	program{batchesSerial, "pool", func() int { return p.do(40) }}.test(t)
}

// BenchmarkIndex takes much longer to make its text than to read it, allocates
// all the while, and does so alone.
func BenchmarkIndex(b *testing.B) {
	text := makeText(4 << 20)
	program{func() int { return parts(text) }, "halves", func() int { return partsHalves(text) }}.bench(b)
}

func TestIndex(t *testing.T) {
	text := makeText(100_000)
	program{func() int { return parts(text) }, "halves", func() int { return partsHalves(text) }}.test(t)
}

// BenchmarkRefill stops the timer in each round to allocate and
// collect, alone.
func BenchmarkRefill(b *testing.B) {
	src := numbers(1 << 20)
	for _, v := range []struct {
		name string
		f    func() int
	}{{"serial", balancedSerial}, {"halves", balancedHalves}} {
		b.Run("variant="+v.name, func(b *testing.B) {
			for range b.N {
				b.StopTimer()
				xs := append([]int(nil), src...)
				sink = checksum(xs)
				runtime.GC() // a collection must not reach into the timed part
				b.StartTimer()
				sink = v.f()
			}
		})
	}
}

// BenchmarkAdopt lets the testing package spread the rounds over processors.
func BenchmarkAdopt(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for range b.N {
			sink = churn(1, 20_000)
		}
	})
	b.Run("variant=runparallel", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			v := 0
			for pb.Next() {
				v = churn(1, 20_000)
			}
			_ = v
		})
	})
}

// BenchmarkStamp is spread likewise, and all rounds stamp one number.
func BenchmarkStamp(b *testing.B) {
	const stamps = 5000
	b.Run("variant=serial", func(b *testing.B) {
		var n atomic.Int64
		for range b.N {
			for range stamps {
				n.Add(1)
			}
		}
	})
	b.Run("variant=runparallel", func(b *testing.B) {
		var n atomic.Int64
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				for range stamps {
					n.Add(1)
				}
			}
		})
		if n.Load() != int64(b.N)*stamps {
			b.Fatalf("stamped %d times, want %d", n.Load(), int64(b.N)*stamps)
		}
	})
}

// BenchmarkRestack stops the timer in each round for a shuffle; what is timed
// is done by one of two workers.
func BenchmarkRestack(b *testing.B) {
	for _, v := range []struct {
		name string
		f    func() int
	}{{"serial", tasksSerial}, {"split", tasksSplit}} {
		b.Run("variant="+v.name, func(b *testing.B) {
			for range b.N {
				b.StopTimer()
				halves(2, func(w, _, _ int) { churn(w, 500_000) })
				b.StartTimer()
				sink = v.f()
			}
		})
	}
	benchCure(b)
}
