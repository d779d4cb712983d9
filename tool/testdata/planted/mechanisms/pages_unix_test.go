//go:build unix

package mechanisms

import (
	"os"
	"path/filepath"
	"testing"
)

func filled() (pair, pair) {
	const jobs = 4
	var kept [workers][]byte
	for w := range kept {
		kept[w] = make([]byte, arena)
		fill(kept[w], 1) // touched
	}
	serial := func() int { return fillKept(kept, jobs) }
	return pair{serial, "mapped", func() int { return fillMapped(jobs) }}, pair{serial, "halves", func() int { return fillHalves(kept, jobs) }}
}

func BenchmarkFill(b *testing.B) {
	mapped, _ := filled()
	mapped.bench(b)
}

func BenchmarkFillHalves(b *testing.B) {
	_, halves := filled()
	halves.bench(b)
}

func TestFill(t *testing.T) {
	mapped, halves := filled()
	mapped.test(t)
	halves.test(t)
}

func scanned(tb testing.TB) pair {
	const size = 4 << 20
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(i * 31 >> 5)
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
	return pair{func() int { return scanHalves(data) }, "mapped", func() int { return scanMapped(f, size) }}
}

func BenchmarkScan(b *testing.B) { scanned(b).bench(b) }
func TestScan(t *testing.T)      { scanned(t).test(t) }

func freed() pair {
	const n = 2 << 20
	table := make([]int, n)
	return pair{func() int { return batch(table) }, "freed", func() int { return batchFreed(n) }}
}

func BenchmarkBatch(b *testing.B) { freed().bench(b) }
func TestBatch(t *testing.T)      { freed().test(t) }
