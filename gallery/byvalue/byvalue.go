package byvalue

import "fmt"

// The structs have no arrays: fields are what travels in registers, nine words
// of them on amd64.
type (
	words1  struct{ First uint64 }
	words8  struct{ First, B, C, D, E, F, G, Last uint64 }
	words12 struct{ First, B, C, D, E, F, G, H, I, J, K, Last uint64 }
	words32 struct{ Front, B, C, Back words8 }
)

// The functions that structs are passed to. They are not inlined, or nothing
// would be passed, and look at both ends of what they get.

//go:noinline
func value1(w words1) uint64 { return w.First }

//go:noinline
func pointer1(w *words1) uint64 { return w.First }

//go:noinline
func value8(w words8) uint64 { return w.First + w.Last }

//go:noinline
func pointer8(w *words8) uint64 { return w.First + w.Last }

//go:noinline
func value12(w words12) uint64 { return w.First + w.Last }

//go:noinline
func pointer12(w *words12) uint64 { return w.First + w.Last }

//go:noinline
func value32(w words32) uint64 { return w.Front.First + w.Back.Last }

//go:noinline
func pointer32(w *words32) uint64 { return w.Front.First + w.Back.Last }

// structs are as many of each size.
type structs struct {
	of8   []words1
	of64  []words8
	of96  []words12
	of256 []words32
}

// Pointer passes a pointer to each struct of a size and adds up the answers.
func Pointer(s *structs, bytes int) uint64 {
	switch bytes {
	case 8:
		return sumPointers(s.of8, pointer1)
	case 64:
		return sumPointers(s.of64, pointer8)
	case 96:
		return sumPointers(s.of96, pointer12)
	case 256:
		return sumPointers(s.of256, pointer32)
	}
	panic(fmt.Sprintf("no structs of %d bytes", bytes))
}

// Value passes the structs themselves.
func Value(s *structs, bytes int) uint64 {
	switch bytes {
	case 8:
		return sumValues(s.of8, value1)
	case 64:
		return sumValues(s.of64, value8)
	case 96:
		return sumValues(s.of96, value12)
	case 256:
		return sumValues(s.of256, value32)
	}
	panic(fmt.Sprintf("no structs of %d bytes", bytes))
}

func sumPointers[T any](items []T, look func(*T) uint64) (sum uint64) {
	for i := range items {
		sum += look(&items[i])
	}
	return sum
}

func sumValues[T any](items []T, look func(T) uint64) (sum uint64) {
	for i := range items {
		sum += look(items[i])
	}
	return sum
}
