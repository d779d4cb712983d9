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
