package session

import (
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/hollow"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

// TestGiven: an edit is to make faster what spends time in the files that it changes;
// the rest are controls. Where nothing was seen there, all of it, and that is said.
func TestGiven(t *testing.T) {
	dir := t.TempDir()
	in := func(file string) *evidence.Set {
		return &evidence.Set{CPU: &cpuprof.Digest{Samples: fewSamples, Lines: []cpuprof.Line{{Place: source.Place{File: file, Line: 7}}}}}
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
		p := &pack{session: &session{plan: Plan{Cure: &Cure{Edits: []*Edit{e}}}, tc: &gocmd.Toolchain{}}, target: discover.Target{Package: "p", Dir: dir}, series: s}
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
		if stage, why := (&Edit{Changes: []patch.Change{tt.c}}).gate(false); (stage == "") != tt.ok || !tt.ok && (stage != verify.Formatted || !strings.HasPrefix(why, "a.go ")) {
			t.Errorf("%s: %q, %q, want ok %t", tt.name, stage, why, tt.ok)
		}
	}
}

// TestStrict: a sign of a hollow gain is a gate where that is asked for, and where not
// it is none.
func TestStrict(t *testing.T) {
	e := &Edit{signs: []hollow.Sign{{Kind: hollow.Settings, Says: "it sets GOGC", Place: source.Place{File: "/src/m.go", Line: 7}}}}
	if stage, why := e.gate(true); stage != verify.Hollow || why != "it sets GOGC (m.go:7)" {
		t.Errorf("with -strict: %q, %q", stage, why)
	}
	if stage, _ := e.gate(false); stage != "" {
		t.Errorf("without: %q", stage)
	}
	if stage, _ := (&Edit{}).gate(true); stage != "" {
		t.Errorf("without a sign: %q", stage)
	}
}

// TestSift: what a build sees is tried; documents and new files are left out and named;
// what only a test that runs can read is refused, with what to do.
func TestSift(t *testing.T) {
	embeds := view{inputs: map[string][]gocmd.Input{"m": {{Dir: "/testdata/src", Other: []string{"data/t.txt", "testdata/t.bin"}}}}}
	change := func(file string) patch.Change {
		return patch.Change{File: "/testdata/src/" + file, Before: "1", After: "2"}
	}
	for _, tt := range []struct {
		c    patch.Change
		kept bool
		left string
		err  string
	}{
		{change("m.go"), true, "", ""},
		{change("q/m_amd64.s"), true, "", ""},
		{change("go.mod"), true, "", ""},
		{change("go.work.sum"), true, "", ""},
		{change("vendor/modules.txt"), true, "", ""},
		{change("data/t.txt"), true, "", ""},
		{change("testdata/t.bin"), true, "", ""},
		{change("README.md"), false, "README.md", ""},
		{change(".github/x.yml"), false, ".github/x.yml", ""},
		{patch.Change{File: "/testdata/src/cpu.prof", After: "2", New: true}, false, "cpu.prof", ""},
		{change("modules.txt"), false, "", "a test may read modules.txt when it runs"},
		{change("data/u.txt"), false, "", "a test may read data/u.txt when it runs"},
		{change("testdata/x.go"), false, "", "a test may read testdata/x.go when it runs"},
		{patch.Change{File: "/testdata/src/testdata/new", After: "2", New: true}, false, "", "a test may read testdata/new when it runs"},
		{patch.Change{File: "/testdata/src/m.syso", Before: "1", After: "\x00"}, false, "", "m.syso is a binary file"},
	} {
		e := &Edit{Name: "x.patch", Changes: []patch.Change{change("a.go"), tt.c}}
		err := e.sift("/testdata/src", embeds, view{})
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) || !strings.Contains(err.Error(), "leave it out") {
				t.Errorf("%s: %v, want %q and what to do", tt.c.File, err, tt.err)
			}
			continue
		}
		if kept := slices.Contains(e.Changes, tt.c); err != nil || kept != tt.kept || strings.Join(e.left, " ") != tt.left {
			t.Errorf("%s: %v, kept %t, left %q; want kept %t, left %q", tt.c.File, err, kept, e.left, tt.kept, tt.left)
		}
	}
	if err := (&Edit{Name: "x.patch", Changes: []patch.Change{change("README.md")}}).sift("/testdata/src", embeds, view{}); err == nil || !strings.Contains(err.Error(), "nothing that a build sees") {
		t.Errorf("of a document alone: %v", err)
	}
}

// TestFind: what is built of a file that changes is reached, and of what says of which
// modules code is built, all of the module.
func TestFind(t *testing.T) {
	type module = struct {
		Path, Version, Dir, GoMod string
		Main                      bool
	}
	m, n := &module{GoMod: "/src/go.mod"}, &module{GoMod: "/src/n/go.mod"}
	a := gocmd.Input{ImportPath: "m/a", Dir: "/src/a", Module: m}
	b := gocmd.Input{ImportPath: "m/b", Dir: "/src/b", Module: m, Other: []string{"data/t.txt"}}
	c := gocmd.Input{ImportPath: "n/c", Dir: "/src/n/c", Module: n}
	std := gocmd.Input{ImportPath: "fmt", Dir: "/go/src/fmt", Standard: true}
	v := view{
		pkgs:   map[string]gocmd.Package{"m/a": {Dir: "/src/a"}, "m/b": {Dir: "/src/b"}, "n/c": {Dir: "/src/n/c"}, "m/d": {Dir: "/src/d"}},
		inputs: map[string][]gocmd.Input{"m/a": {a, std}, "m/b": {b, a, std}, "n/c": {c, std}}, // m/d has no tests
	}
	after := view{pkgs: map[string]gocmd.Package{"m/a": {Dir: "/src/a"}, "m/b": {Dir: "/src/b"}, "n/c": {Dir: "/src/n/c"}, "m/d": {Dir: "/src/d"}, "m/new": {Dir: "/src/new"}}, inputs: v.inputs}
	for file, want := range map[string]string{
		"/src/a/x.go": "m/a m/b", "/src/b/x.go": "m/b", "/src/b/data/t.txt": "m/b", "/src/d/x.go": "m/d", "/src/n/c/x.go": "n/c",
		"/src/go.mod": "m/a m/b", "/src/go.sum": "m/a m/b", "/src/n/go.mod": "n/c", "/src/go.work": "m/a m/b n/c", "/src/x.go": "", "/src/new/x.go": "",
	} {
		e := &Edit{Changes: []patch.Change{{File: file}}}
		e.find(v, after)
		var got []string
		for _, p := range e.packages {
			got = append(got, p.Path)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
		if is := file == "/src/new/x.go"; e.reaches["m/new"] != is {
			t.Errorf("%s reaches a package that is new: %t, want %t", file, !is, is)
		}
	}
}
