package unseen

import (
	"bytes"
	"context"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var result int

// compare times the serial function and the other one.
func compare(b *testing.B, serial func() int, name string, other func() int) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			result = serial()
		}
	})
	b.Run("variant="+name, func(b *testing.B) {
		for b.Loop() {
			result = other()
		}
	})
}

// compareN is compare with a counted loop.
func compareN(b *testing.B, serial func() int, name string, other func() int) {
	b.Run("variant=serial", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			result = serial()
		}
	})
	b.Run("variant="+name, func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			result = other()
		}
	})
}

func same(t *testing.T, serial, other func() int) {
	t.Helper()
	want := serial()
	for range 3 {
		if got := other(); got != want {
			t.Errorf("got %d, want %d as serial", got, want)
		}
	}
}

func text(n int) []string {
	return strings.Fields(strings.Repeat("the quick brown fox jumps over the lazy dog and the hen ", n/12+1))[:n]
}

func logLines(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = logLine(i)
	}
	return lines
}

func values(n int) []int {
	r := rand.New(rand.NewSource(7))
	vs := make([]int, n)
	for i := range vs {
		vs[i] = r.Intn(1 << 20)
	}
	return vs
}

func logFile(tb testing.TB, n int) (*os.File, []int64) {
	var buf bytes.Buffer
	offsets := []int64{0}
	for _, l := range logLines(n) {
		buf.WriteString(l + "\n")
		offsets = append(offsets, int64(buf.Len()))
	}
	name := filepath.Join(tb.TempDir(), "access.log")
	if err := os.WriteFile(name, buf.Bytes(), 0o600); err != nil {
		tb.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { f.Close() })
	return f, offsets
}

type pair struct {
	serial func() int
	name   string
	other  func() int
}

func wordCount() pair {
	ws := text(60_000)
	return pair{func() int { return CountWords(ws) }, "shared", func() int { return CountWordsConcurrently(ws) }}
}

func logPipeline() pair {
	ls := logLines(3000)
	return pair{func() int { return SumLog(ls) }, "pipeline", func() int { return SumLogPipeline(ls) }}
}

func logPool() pair {
	ls := logLines(3000)
	return pair{func() int { return SumLog(ls) }, "pool", func() int { return SumLogPool(ls) }}
}

func logClock() pair {
	ls := logLines(20_000)
	return pair{func() int { return SumLog(ls) }, "stamped", func() int { return SumLogStamped(ls) }}
}

func cancellable() pair {
	data := make([]byte, 100_000)
	for i := range data {
		data[i] = byte(i)
	}
	ctx, cancel := context.WithCancel(context.Background())
	_ = cancel // never called: the loop runs to its end
	return pair{func() int { return SumBytes(data) }, "context", func() int { return SumBytesContext(ctx, data) }}
}

func grep() pair {
	ls := logLines(8000)
	return pair{func() int { return Grep(ls) }, "parts", func() int { return GrepParallel(ls) }}
}

func decode() pair {
	rs := records(60)
	return pair{func() int { return Decode(rs) }, "each", func() int { return DecodeEach(rs) }}
}

func csv() pair {
	rs := rows(2000)
	return pair{func() int { return WriteCSV(rs) }, "generic", func() int { return WriteCSVGeneric(rs) }}
}

func render() pair {
	return pair{func() int { return Render(1000) }, "fresh", func() int { return RenderFresh(1000) }}
}

func renderPool() pair {
	return pair{func() int { return Render(1000) }, "pooled", func() int { return RenderPooled(1000) }}
}

func rank() pair {
	ps, out := values(30_000), make([]int, 30_000)
	return pair{func() int { return Rank(ps, out) }, "halves", func() int { return RankHalves(ps, out) }}
}

func multiply() pair {
	x, y, z := NewMatrix(40, 1), NewMatrix(40, 2), NewMatrix(40, 0)
	return pair{func() int { return Multiply(x, y, z) }, "cells", func() int { return MultiplyCells(x, y, z) }}
}

func blur() pair {
	src, dst := NewImage(4096, 40), NewImage(4096, 40)
	return pair{func() int { return Blur(dst, src) }, "rows", func() int { return BlurRows(dst, src) }}
}

func monteCarlo() pair {
	l := &lockedRand{r: rand.New(rand.NewSource(42))}
	return pair{func() int { return MonteCarlo(l) }, "workers", func() int { return MonteCarloWorkers(l) }}
}

func hashBlocks(size, n int) pair {
	data := bytes.Repeat([]byte("0123456789abcdef"), size*n/16)
	return pair{func() int { return Hash(data, size) }, "each", func() int { return HashEach(data, size) }}
}

func histogram() pair {
	vs := values(400_000)
	return pair{func() int { return Observe(vs) }, "shared", func() int { return ObserveShared(vs) }}
}

func odd() pair {
	vs := values(100_000)
	return pair{func() int { return CountOdd(vs) }, "padded", func() int { return CountOddPadded(vs) }}
}

func vectorAdd() pair {
	x, y, z := make([]int, 3<<20), make([]int, 3<<20), make([]int, 3<<20)
	for i := range x {
		x[i], y[i], z[i] = i, 2*i, 1
	}
	return pair{func() int { return VectorAdd(x, y, z) }, "parallel", func() int { return VectorAddParallel(x, y, z) }}
}

func usage() pair {
	tree := NewTree(5, 6, 1)
	return pair{tree.Usage, "concurrent", tree.UsageConcurrent}
}

func ledger() pair {
	es := values(1000)
	return pair{func() int { return Apply(es) }, "verified", func() int { return ApplyVerified(es) }}
}

func cache() pair {
	c := NewCache(500)
	return pair{func() int { return c.lookups(0, 60_000) }, "concurrent", func() int { return c.Concurrently(60_000) }}
}

func bus() pair {
	b := NewBus()
	return pair{func() int { return b.publish(0, 40_000) }, "publishers", func() int { return b.publishers(40_000) }}
}

func reprice() pair {
	x, y := newBook(5), newBook(77)
	return pair{func() int { return Reprice(x, y) }, "desks", func() int { return RepriceDesks(x, y) }}
}

func n1(serial func(int) int, name string, other func(int) int, n int) pair {
	return pair{func() int { return serial(n) }, name, func() int { return other(n) }}
}

func fractals() pair    { return pair{Fractal, "split", FractalSplit} }
func countPrimes() pair { return pair{CountPrimes, "lengths", CountPrimesByLength} }
func metrics() pair     { return n1(Serve, "sides", ServeBothSides, 30_000) }
func sequence() pair    { return n1(Number, "concurrent", NumberConcurrently, 80_000) }
func fanOut() pair      { return n1(FanOut, "channels", FanOutChannels, 300) }
func transfers() pair   { return n1(Transfers, "concurrent", TransfersConcurrently, 80_000) }
func limited() pair     { return n1(Handle, "limited", HandleLimited, 8) }
func batched() pair     { return n1(Handle, "batched", HandleBatched, 12) }
func handlePool() pair  { return n1(Handle, "pool", HandlePool, 64) }
func polling() pair     { return n1(ScoreAll, "polling", ScoreAllPolling, 2000) }
func smallBlocks() pair { return hashBlocks(64, 2000) }
func largeBlocks() pair { return hashBlocks(64<<10, 16) }

func (p pair) loop(b *testing.B)    { compare(b, p.serial, p.name, p.other) }
func (p pair) counted(b *testing.B) { compareN(b, p.serial, p.name, p.other) }

func BenchmarkWordCount(b *testing.B)   { wordCount().loop(b) }
func BenchmarkLogPipeline(b *testing.B) { logPipeline().counted(b) }
func BenchmarkLogPool(b *testing.B)     { logPool().loop(b) }
func BenchmarkLogClock(b *testing.B)    { logClock().loop(b) }
func BenchmarkCancellable(b *testing.B) { cancellable().loop(b) }
func BenchmarkGrep(b *testing.B)        { grep().counted(b) }
func BenchmarkDecode(b *testing.B)      { decode().loop(b) }
func BenchmarkCSV(b *testing.B)         { csv().loop(b) }
func BenchmarkRender(b *testing.B)      { render().counted(b) }
func BenchmarkRenderPool(b *testing.B)  { renderPool().loop(b) }
func BenchmarkRank(b *testing.B)        { rank().loop(b) }
func BenchmarkMultiply(b *testing.B)    { multiply().counted(b) }
func BenchmarkBlur(b *testing.B)        { blur().loop(b) }
func BenchmarkFractal(b *testing.B)     { fractals().loop(b) }
func BenchmarkCountPrimes(b *testing.B) { countPrimes().counted(b) }
func BenchmarkMonteCarlo(b *testing.B)  { monteCarlo().loop(b) }
func BenchmarkHashSmall(b *testing.B)   { smallBlocks().loop(b) }
func BenchmarkHashLarge(b *testing.B)   { largeBlocks().counted(b) }
func BenchmarkHistogram(b *testing.B)   { histogram().loop(b) }
func BenchmarkOdd(b *testing.B)         { odd().counted(b) }
func BenchmarkVectorAdd(b *testing.B)   { vectorAdd().loop(b) }
func BenchmarkUsage(b *testing.B)       { usage().loop(b) }
func BenchmarkLedger(b *testing.B)      { ledger().counted(b) }
func BenchmarkCache(b *testing.B)       { cache().loop(b) }
func BenchmarkMetrics(b *testing.B)     { metrics().loop(b) }
func BenchmarkSequence(b *testing.B)    { sequence().counted(b) }
func BenchmarkBus(b *testing.B)         { bus().loop(b) }
func BenchmarkFanOut(b *testing.B)      { fanOut().loop(b) }
func BenchmarkTransfers(b *testing.B)   { transfers().counted(b) }
func BenchmarkLimited(b *testing.B)     { limited().loop(b) }
func BenchmarkBatched(b *testing.B)     { batched().counted(b) }
func BenchmarkHandlePool(b *testing.B)  { handlePool().loop(b) }
func BenchmarkPolling(b *testing.B)     { polling().loop(b) }
func BenchmarkReprice(b *testing.B)     { reprice().loop(b) }

// BenchmarkLineSizes opens its file for each sub-benchmark, before the timer.
func BenchmarkLineSizes(b *testing.B) {
	for _, v := range []struct {
		name string
		f    func(*os.File, []int64) int
	}{{"serial", LineSizes}, {"seeking", LineSizesAt}} {
		b.Run("variant="+v.name, func(b *testing.B) {
			f, offsets := logFile(b, 2000)
			b.ResetTimer()
			for i := 0; i < b.N; i++ {
				result = v.f(f, offsets)
			}
		})
	}
}

func TestSame(t *testing.T) {
	for name, make := range map[string]func() pair{
		"wordCount": wordCount, "logPipeline": logPipeline, "logPool": logPool, "logClock": logClock,
		"cancellable": cancellable, "grep": grep, "decode": decode, "csv": csv, "render": render,
		"renderPool": renderPool, "rank": rank, "multiply": multiply, "blur": blur, "fractals": fractals,
		"countPrimes": countPrimes, "monteCarlo": monteCarlo, "smallBlocks": smallBlocks,
		"largeBlocks": largeBlocks, "histogram": histogram, "odd": odd, "vectorAdd": vectorAdd,
		"usage": usage, "ledger": ledger, "cache": cache, "metrics": metrics, "sequence": sequence,
		"bus": bus, "fanOut": fanOut, "transfers": transfers, "limited": limited, "batched": batched,
		"handlePool": handlePool, "polling": polling, "reprice": reprice,
	} {
		t.Run(name, func(t *testing.T) {
			p := make()
			same(t, p.serial, p.other)
		})
	}
	t.Run("lineSizes", func(t *testing.T) {
		f, offsets := logFile(t, 500)
		same(t, func() int { return LineSizes(f, offsets) }, func() int { return LineSizesAt(f, offsets) })
	})
}
