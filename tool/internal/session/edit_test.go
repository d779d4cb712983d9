package session

import (
	"errors"
	"slices"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// TestGiven: an edit is to make faster what spends time in the files that it changes;
// the rest are controls. Where nothing was seen there, all of it, and that is said.
func TestGiven(t *testing.T) {
	dir := t.TempDir()
	in := func(file string) *evidence.Set {
		return &evidence.Set{CPU: &cpuprof.Digest{Lines: []cpuprof.Line{{Place: source.Place{File: file, Line: 7}}}}}
	}
	for _, tt := range []struct {
		name string
		a, b *evidence.Set // of two benchmarks
		want []measure.Cell
		left int
	}{
		{"one of two", in("/src/m.go"), in("/src/n.go"), []measure.Cell{{Bench: "A", Procs: 2}, {Bench: "A", Procs: 1}}, 0},
		{"one, and one without evidence", in("/src/n.go"), nil, []measure.Cell{{Bench: "B", Procs: 2}, {Bench: "B", Procs: 1}}, 0},
		{"none", in("/src/n.go"), in("/src/n.go"), []measure.Cell{{Bench: "A", Procs: 2}, {Bench: "A", Procs: 1}, {Bench: "B", Procs: 2}, {Bench: "B", Procs: 1}}, 1},
	} {
		s := &measure.Series{Listed: []measure.Listed{{Name: "A"}, {Name: "B"}}, Procs: []int{1, 2}, Evidence: map[measure.Cell]*evidence.Set{}}
		for name, set := range map[string]*evidence.Set{"A": tt.a, "B": tt.b} {
			if set != nil {
				s.Evidence[measure.Cell{Bench: name, Procs: 2}] = set
			}
		}
		e := &Edit{Name: "x.patch", Changes: []patch.Change{{File: "/src/m.go", Before: "1\n2\n3\n", After: "1\n2\n4\n"}}}
		p := &pack{session: &session{plan: Plan{Cure: &Cure{Edit: e}}, tc: &gocmd.Toolchain{}}, target: discover.Target{Package: "p", Dir: dir}, series: s}
		pre := p.given()
		if fix := pre.Fixes[0]; !slices.Equal(fix.Cells, tt.want) || len(pre.Left) != tt.left || fix.Line != 3 {
			t.Errorf("%s: cells %v, left %q, at line %d, want %v, %d and 3", tt.name, fix.Cells, pre.Left, fix.Line, tt.want, tt.left)
		}
	}
}

// TestFormatted: only a file that was formatted has to be.
func TestFormatted(t *testing.T) {
	const good, bad, broken = "package p\n\nvar a int\n", "package p\nvar   a int\n", "package p\n\nvar\n"
	for _, tt := range []struct {
		name string
		c    patch.Change
		ok   bool
	}{
		{"formatted", patch.Change{File: "a.go", Before: good, After: good + "\nvar b int\n"}, true},
		{"no longer", patch.Change{File: "a.go", Before: good, After: bad}, false},
		{"never", patch.Change{File: "a.go", Before: bad, After: bad}, true},
		{"new", patch.Change{File: "a.go", After: bad, New: true}, false},
		{"gone", patch.Change{File: "a.go", Before: good, Gone: true}, true},
		{"does not parse", patch.Change{File: "a.go", Before: good, After: broken}, true},
		{"no Go", patch.Change{File: "a.s", Before: good, After: bad}, true},
	} {
		err := (&Edit{Changes: []patch.Change{tt.c}}).formatted()
		if gate := (*Gate)(nil); (err == nil) != tt.ok || err != nil && !errors.As(err, &gate) {
			t.Errorf("%s: %v, want ok %t", tt.name, err, tt.ok)
		}
	}
}
