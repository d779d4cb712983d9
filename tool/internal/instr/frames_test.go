package instr

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// An instruction of a function that was inlined is at the line of that function,
// and at those of the calls.
func TestFrames(t *testing.T) {
	want := []string{"main.(*counted[...]).note", "main.noteBoth", "main.noteEach"}
	for _, on := range [][2]string{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "arm64"}, {"windows", "amd64"}} {
		t.Run(on[0]+"/"+on[1], func(t *testing.T) {
			if on[0] != "linux" && !stress.Long() {
				t.Skip("builds the runtime for another system")
			}
			b := openBuilt(t, on[0], on[1])
			start, end, _ := b.Func("main.noteEach")
			var lines []int // of the calls of note, where a number is changed atomically
			for _, in := range decoded(t, b, "noteEach") {
				if in.kind != Locked {
					continue
				}
				frames := b.Frames(in.addr)
				var funcs []string
				for _, f := range frames {
					funcs = append(funcs, f.Func)
				}
				if len(frames) != 4 || frames[0].Func != "sync/atomic.(*Int64).Add" || !slices.Equal(funcs[1:], want) {
					t.Fatalf("Frames(%#x) = %v, want sync/atomic.(*Int64).Add and %v", in.addr, frames, want)
				}
				for _, f := range frames[1:] {
					if filepath.Base(f.File) != "main.go" || f.Line == 0 {
						t.Errorf("Frames(%#x) = %v, want lines of main.go", in.addr, frames)
					}
				}
				lines = append(lines, frames[2].Line)
			}
			slices.Sort(lines)
			if lines = slices.Compact(lines); len(lines) != 2 || lines[1] != lines[0]+1 {
				t.Errorf("noteBoth calls at %v, want two lines one after the other", lines)
			}
			for addr := start; addr < end; addr++ {
				if f := b.Frames(addr); len(f) > 0 && f[len(f)-1].Func != "main.noteEach" {
					t.Errorf("Frames(%#x) = %v, want main.noteEach at the end", addr, f)
				}
			}
		})
	}
	if f := openBuilt(t, "linux", "amd64", "-ldflags=-s -w").Frames(0); f != nil {
		t.Errorf("%v without debug information", f)
	}
	if b := openBuilt(t, "linux", "amd64"); b.Frames(1) != nil {
		t.Errorf("%v at no instruction", b.Frames(1))
	}
}

// TestEntry: an inlined body is entered at its first instruction, or at the jump right
// after that, and nowhere else: what is slow there is the store that ends the loop.
func TestEntry(t *testing.T) {
	for _, goarch := range []string{"amd64", "arm64"} {
		t.Run(goarch, func(t *testing.T) {
			b := openBuilt(t, "linux", goarch)
			insts := decoded(t, b, "storeEach")
			var entries []uint64
			for i, in := range insts {
				first, ok := b.Entry(in.addr)
				if !ok {
					continue
				}
				if first != in.addr && (in.kind != Branch || first != insts[i-1].addr) {
					t.Errorf("Entry(%#x), %s = %#x, want the same, or the one before a jump", in.addr, in.text, first)
				}
				if f := b.Frames(first); len(f) != 2 || f[0].Func != "main.(*passes).next" {
					t.Errorf("Entry(%#x), %s: in %v, want next", in.addr, in.text, f)
				}
				if what, err := b.At(first); err != nil || what.Kind != Store || b.Frames(what.Addr)[0].Func != "main.storeEach" {
					t.Errorf("Entry(%#x), %s: %+v is slow, want the store in storeEach", in.addr, in.text, what)
				}
				entries = append(entries, first)
			}
			if len(entries) == 0 || len(slices.Compact(entries)) > 1 {
				t.Errorf("entries at %#x, want one place", entries)
			}
		})
	}
	b := openBuilt(t, "linux", "amd64")
	if first, ok := b.Entry(1); ok {
		t.Errorf("Entry(1) = %#x, want none", first)
	}
}
