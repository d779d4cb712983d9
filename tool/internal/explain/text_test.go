package explain

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// The text of a line is what the file says there, if it says anything.
func TestText(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f.go")
	if err := os.WriteFile(file, []byte("package p\n\tx++\t// one\n"+strings.Repeat("é", longText)+"\n\xff\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	at := func(file string, line int) source.Place { return source.Place{File: file, Line: line} }
	set := &evidence.Set{CPU: &cpuprof.Digest{}}
	for _, p := range []source.Place{at(file, 2), at(file, 99), at(file, 0), at(file+"x", 1), at(file, 3), at(file, 4)} {
		set.CPU.Lines = append(set.CPU.Lines, cpuprof.Line{Place: p})
	}
	set.Source = text(set)
	want := []evidence.Text{{Place: at(file, 2), Text: "x++ // one"}, {Place: at(file, 3), Text: strings.Repeat("é", longText/2) + "…"}, {Place: at(file, 4), Text: "�"}}
	if !slices.Equal(set.Source, want) {
		t.Errorf("%q, want %q", set.Source, want)
	}
	if got := set.Written(source.Place{File: file, Line: 2, Func: "p.f"}); got != "x++ // one" {
		t.Errorf("line 2 is %q", got)
	}
	if got := set.Written(at(file, 1)); got != "" {
		t.Errorf("a line that is not hot is %q", got)
	}
	for range 2 * mostText {
		set.CPU.Lines = append(set.CPU.Lines, cpuprof.Line{Place: at(file, 1)})
	}
	if got := text(set); len(got) > mostText {
		t.Errorf("%d lines", len(got))
	}
}

// A timeline is of the middle, and never longer than what there is.
func TestMiddle(t *testing.T) {
	for _, c := range []struct {
		n                  int64
		wall, from, length float64
	}{{1, 5e6, 0, 5e6}, {3, 5e6, 0, 15e6}, {103, 1e6, 50e6, 3e6}, {100, 1e3, 0, 100e3}, {1000, 1e3, 400e3, 200e3}} {
		if from, length := middle(&evidence.Run{N: c.n, Wall: c.wall}); from != c.from || length != c.length {
			t.Errorf("of %d operations of %v ns: %v ns from %v on, want %v from %v", c.n, c.wall, length, from, c.length, c.from)
		}
	}
}
