package hotcode

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
	set.Source = new(Files).text(set)
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
	if got := new(Files).text(set); len(got) > mostText {
		t.Errorf("%d lines", len(got))
	}
}
