package usual

import (
	"fmt"
	"testing"
)

// A variant is one way to do something: do does it n times, and returns a sum that is the
// same for all variants.
type variant struct {
	name  string
	do    func(n int) int
	begin func() // makes ready what do needs, each time anew; nil: nothing
}

// A load is what is done in several ways.
type load struct {
	name     string // of the benchmark
	keys     string // "" or as in "/work=1"
	variants func() []variant
	n        int // how many times tests do it
}

// loads are all of them.
func loads() (all []load) {
	for _, some := range [][]load{sorts(), pools(), queues(), pipes(), maps(), slicesLoads()} {
		all = append(all, some...)
	}
	return all
}

// TestSame: all variants of a load give the same answer.
func TestSame(t *testing.T) {
	for _, l := range loads() {
		t.Run(l.name+l.keys, func(t *testing.T) {
			vs := l.variants()
			var want int
			for i, v := range vs {
				if v.begin != nil {
					v.begin()
				}
				if got := v.do(l.n); i == 0 {
					want = got
				} else if got != want {
					t.Errorf("%s = %d, %s = %d", v.name, got, vs[0].name, want)
				}
			}
		})
	}
}

var sink int

func bench(b *testing.B, name string) {
	for _, l := range loads() {
		if l.name != name {
			continue
		}
		for _, v := range l.variants() {
			b.Run(fmt.Sprintf("variant=%s%s", v.name, l.keys), func(b *testing.B) {
				if v.begin != nil {
					v.begin()
					b.ResetTimer()
				}
				sink += v.do(b.N)
			})
		}
	}
}

func BenchmarkSort(b *testing.B)         { bench(b, "Sort") }
func BenchmarkSortPointers(b *testing.B) { bench(b, "SortPointers") }
func BenchmarkGroup(b *testing.B)        { bench(b, "Group") }
func BenchmarkDo(b *testing.B)           { bench(b, "Do") }
func BenchmarkTen(b *testing.B)          { bench(b, "Ten") }
func BenchmarkTry(b *testing.B)          { bench(b, "Try") }
func BenchmarkWorking(b *testing.B)      { bench(b, "Working") }
func BenchmarkFour(b *testing.B)         { bench(b, "Four") }
func BenchmarkItems(b *testing.B)        { bench(b, "Items") }
func BenchmarkCSV(b *testing.B)          { bench(b, "CSV") }
func BenchmarkChanges(b *testing.B)      { bench(b, "Changes") }
func BenchmarkReads(b *testing.B)        { bench(b, "Reads") }
func BenchmarkSlices(b *testing.B)       { bench(b, "Slices") }
