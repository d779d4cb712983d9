package byvalue

import (
	"fmt"
	"testing"
	"unsafe"
)

var variants = []struct {
	name string
	sum  func(s *structs, bytes int) uint64
}{
	{"baseline", Pointer},
	{"value", Value},
}

// newStructs returns n structs of each size. Both ends of each hold its index;
// the smallest has one end.
func newStructs(n int) *structs {
	s := &structs{make([]words1, n), make([]words8, n), make([]words12, n), make([]words32, n)}
	for i := range n {
		x := uint64(i)
		s.of8[i].First = x
		s.of64[i].First, s.of64[i].Last = x, x
		s.of96[i].First, s.of96[i].Last = x, x
		s.of256[i].Front.First, s.of256[i].Back.Last = x, x
	}
	return s
}

func TestVariants(t *testing.T) {
	for _, v := range variants {
		for _, bytes := range []int{8, 64, 96, 256} {
			for _, n := range []int{0, 1, 2, 100} {
				want := uint64(n * (n - 1))
				if bytes == 8 {
					want /= 2
				}
				if got := v.sum(newStructs(n), bytes); got != want {
					t.Errorf("%s of %d structs of %d bytes = %d, want %d", v.name, n, bytes, got, want)
				}
			}
		}
	}
}

// The structs are as large as the benchmarks say.
func TestSizes(t *testing.T) {
	got := [4]uintptr{unsafe.Sizeof(words1{}), unsafe.Sizeof(words8{}), unsafe.Sizeof(words12{}), unsafe.Sizeof(words32{})}
	if want := [4]uintptr{8, 64, 96, 256}; got != want {
		t.Errorf("the structs have %d bytes, want %d", got, want)
	}
}

var sink uint64

// A hundred structs fit the first cache of the processor at any size.
func BenchmarkPass(b *testing.B) {
	s := newStructs(100)
	for _, bytes := range []int{8, 64, 96, 256} {
		for _, v := range variants {
			b.Run(fmt.Sprintf("variant=%s/bytes=%d", v.name, bytes), func(b *testing.B) {
				for b.Loop() {
					sink = v.sum(s, bytes)
				}
			})
		}
	}
}
