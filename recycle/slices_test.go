package recycle

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"unsafe"
	"weak"
)

func TestSlicesSizes(t *testing.T) {
	type big [1 << 19]byte
	tests := []struct {
		got, want int
		what      string
	}{
		{cap(new(Slices[byte]).Get(0)), 64, "byte, 0"},
		{cap(new(Slices[byte]).Get(64)), 64, "byte, 64"},
		{cap(new(Slices[byte]).Get(65)), 128, "byte, 65"},
		{cap(new(Slices[byte]).Get(1 << 20)), 1 << 20, "byte, 1 MiB"},
		{cap(new(Slices[byte]).Get(1<<20 + 1)), 1<<20 + 1, "byte, more than Max"},
		{cap((&Slices[byte]{Max: 1000}).Get(1001)), 1024, "byte, Max rounded up"},
		{cap((&Slices[byte]{Max: 1000}).Get(1025)), 1025, "byte, more than Max rounded up"},
		{cap((&Slices[byte]{Max: 1}).Get(1)), 1, "byte, Max below the least"},
		{cap(new(Slices[[3]int64]).Get(1)), 4, "24 bytes, 1"},
		{cap(new(Slices[[100]byte]).Get(1)), 1, "100 bytes, 1"},
		{cap(new(Slices[big]).Get(3)), 3, "512 KiB, more than 2"},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s: cap(Get) = %d, want %d", test.what, test.got, test.want)
		}
	}
	if got := cap(new(Slices[struct{}]).Get(10)); got < 10 {
		t.Errorf("struct{}, 10: cap(Get) = %d, want 10 at least", got)
	}
}

// kept returns the class of the only array that p keeps, or -1.
func kept[T any](p *Slices[T]) int {
	for c := range p.classes {
		if p.classes[c].Get() != nil {
			return c
		}
	}
	return -1
}

func TestSlicesKeep(t *testing.T) {
	tests := []struct {
		max, cap int
		class    int // -1: dropped
	}{
		{0, 0, -1}, {0, 1, -1}, {0, 63, -1},
		{0, 64, 6}, {0, 127, 6}, {0, 128, 7},
		{0, 1 << 20, 20}, {0, 1<<20 + 1, -1}, {0, 1 << 21, -1},
		{1000, 1000, 9}, {1000, 1024, 10}, {1000, 1025, -1}, {1000, 2048, -1},
		{1, 64, -1},
	}
	for _, test := range tests {
		got := -1
		for range tries {
			p := &Slices[byte]{Max: test.max}
			p.Put(make([]byte, test.cap))
			if got = kept(p); got != -1 {
				break
			}
		}
		if got != test.class {
			t.Errorf("Max %d: array of %d kept in class %d, want %d", test.max, test.cap, got, test.class)
		}
	}
}

// Put clears all of an array, be it used or not, and keeps nothing alive.
func TestSlicesClear(t *testing.T) {
	var p Slices[*node]
	s := p.Get(100)
	s = append(s, new(node), new(node))
	all := s[:cap(s)]
	all[cap(s)-1] = new(node)
	var alive []weak.Pointer[node]
	for _, i := range []int{0, 1, cap(s) - 1} {
		alive = append(alive, weak.Make(all[i]))
	}
	p.Put(s[:0])
	runtime.GC()
	for i, w := range alive {
		if w.Value() != nil {
			t.Errorf("element %d is alive after Put", i)
		}
	}
	runtime.KeepAlive(all)
}

func TestGrow(t *testing.T) {
	p := new(Slices[int])
	s := p.Get(0)
	steps := 0
	for i := range 10000 {
		before := unsafe.SliceData(s)
		s = p.Grow(s, 1)
		if unsafe.SliceData(s) != before {
			steps++
		}
		s = append(s, i)
	}
	for i, v := range s {
		if v != i {
			t.Fatalf("element %d = %d after Grow", i, v)
		}
	}
	if want := 14; steps > want {
		t.Errorf("10000 elements took %d arrays, want no more than %d", steps, want)
	}
	if got := cap(p.Grow(s, 10000)); got != 32768 {
		t.Errorf("Grow(a slice of 10000, 10000) has a capacity of %d, want 32768", got)
	}
	// What is too long to be kept grows by leaps as well.
	p, steps, s = &Slices[int]{Max: 64}, 0, nil
	for i := range 10000 {
		before := unsafe.SliceData(s)
		s = append(p.Grow(s, 1), i)
		if unsafe.SliceData(s) != before {
			steps++
		}
	}
	if want := 14; steps > want {
		t.Errorf("10000 elements took %d arrays with Max 64, want no more than %d", steps, want)
	}
	if got := p.Grow(nil, 0); got != nil {
		t.Errorf("Grow(nil, 0) = %v, want nil", got)
	}
}

// Grow returns what has room as it is, also where that is just enough; and where it has
// none, what it was given is kept for others.
func TestGrowRoom(t *testing.T) {
	var p Slices[int]
	for range tries {
		s := p.Get(8)[:5]
		if got := p.Grow(s, cap(s)-5); unsafe.SliceData(got) != unsafe.SliceData(s) || len(got) != 5 {
			t.Fatalf("Grow(a slice of 5/%d, %d) = another one, of %d", cap(s), cap(s)-5, len(got))
		}
		got := p.Grow(s, cap(s)-4)
		if len(got) != 5 || cap(got) != 2*cap(s) {
			t.Fatalf("Grow(a slice of 5/%d, %d) = a slice of %d/%d, want 5/%d", cap(s), cap(s)-4, len(got), cap(got), 2*cap(s))
		}
		if unsafe.SliceData(p.Get(8)) == unsafe.SliceData(s) {
			return
		}
	}
	t.Errorf("none of %d arrays that were too short came back", tries)
}

// TestBound: arrays are kept up to a power of two, and none of more than 1<<30 elements.
func TestBound(t *testing.T) {
	for _, test := range []struct {
		max  int
		want uintptr
	}{
		{0, 1<<20 + 1}, {1, 2}, {2, 3}, {3, 5}, {1 << 29, 1<<29 + 1}, {1<<29 + 1, 1<<30 + 1},
		{1 << 30, 1<<30 + 1}, {1<<30 + 1, 1<<30 + 1}, {math.MaxInt, 1<<30 + 1},
	} {
		p := &Slices[byte]{Max: test.max}
		for range 2 {
			if got := p.bound(); got != test.want {
				t.Errorf("Max %d: arrays of %d are too long, want %d", test.max, got, test.want)
			}
		}
	}
}

// FuzzSlices runs a sequence of calls and holds what it gets to the contract:
// length, capacity, zeroes where promised, and no array is handed out twice.
func FuzzSlices(f *testing.F) {
	f.Add([]byte{10, 200, 11, 3, 130, 90, 255, 0, 1}, uint16(0))
	f.Add([]byte{250, 251, 252, 128, 129, 253, 128}, uint16(100))
	for range 20 {
		ops := make([]byte, 200)
		for i := range ops {
			ops[i] = byte(rand.Int())
		}
		f.Add(ops, uint16(rand.IntN(3000)))
	}
	f.Fuzz(func(t *testing.T, ops []byte, max uint16) {
		p := Slices[*int]{Max: int(max)}
		var held [][]*int
		for i, op := range ops {
			switch {
			case op < 128 || len(held) == 0:
				n := int(op) * int(op) / 4
				s := p.Get(n)
				if len(s) != 0 || cap(s) < n {
					t.Fatalf("op %d: Get(%d) = a slice of %d/%d", i, n, len(s), cap(s))
				}
				all := s[:cap(s)]
				for j := range all {
					if all[j] != nil {
						t.Fatalf("op %d: Get(%d) has a pointer at %d", i, n, j)
					}
					all[j] = new(int)
				}
				for _, h := range held {
					if cap(h) > 0 && cap(s) > 0 && unsafe.SliceData(h) == unsafe.SliceData(s) {
						t.Fatalf("op %d: Get(%d) returns an array that is in use", i, n)
					}
				}
				held = append(held, s[:n])
			case op < 160: // grow one
				j := int(op) % len(held)
				s := held[j]
				g := p.Grow(s, 3*int(op))
				if len(g) != len(s) || cap(g)-len(g) < 3*int(op) {
					t.Fatalf("op %d: Grow(%d/%d, %d) = a slice of %d/%d", i, len(s), cap(s), 3*int(op), len(g), cap(g))
				}
				for j, v := range g {
					if v == nil {
						t.Fatalf("op %d: Grow lost element %d", i, j)
					}
				}
				held[j] = g
			default:
				j := int(op) % len(held)
				p.Put(held[j][:len(held[j])/2])
				held[j] = held[len(held)-1]
				held = held[:len(held)-1]
			}
		}
	})
}
