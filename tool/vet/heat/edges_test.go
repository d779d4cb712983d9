package heat

import (
	"go/token"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// TestHotEdges: evidence is enough from a share of the loss on, or from a share of the
// time on if the cause is the benchmark's.
func TestHotEdges(t *testing.T) {
	for _, tt := range []struct {
		e    Evidence
		want bool
	}{
		{Evidence{Bench: "B", Lost: 0.1, Cause: "c"}, true},
		{Evidence{Bench: "B", Lost: 0.0999, Cause: "c"}, false},
		{Evidence{Bench: "B", Lost: 0.0999, Cause: "c", Share: 0.05}, true},
		{Evidence{Bench: "B", Lost: 0.0999, Cause: "c", Share: 0.0499}, false},
		{Evidence{Bench: "B", Lost: 0.9, Cause: "c", Elsewhere: true}, false},
		{Evidence{Bench: "B", Lost: 0.9, Cause: "c", Elsewhere: true, Above: true}, true},
		{Evidence{Bench: "B", Lost: 0.0999, Cause: "c", Elsewhere: true, Above: true}, false},
		{Evidence{Bench: "B", Lost: 0.9, Cause: "c", Elsewhere: true, Share: 0.0499}, false},
		{Evidence{Bench: "B", Lost: 0.1, Cause: "c", Elsewhere: true, Share: 0.05}, true},
		{Evidence{Bench: "B", Share: 0.99}, false}, // hot for no cause that was asked for
		{Evidence{Lost: 0.9, Share: 0.9, Cause: "c"}, false},
		{Evidence{}, false},
	} {
		if got := tt.e.Hot(); got != tt.want {
			t.Errorf("%+v: hot %t, want %t", tt.e, got, tt.want)
		}
	}
}

// TestEvidenceInWords: each figure where it belongs, with the processors of the benchmark.
func TestEvidenceInWords(t *testing.T) {
	for _, tt := range []struct {
		e    Evidence
		want string
	}{
		{Evidence{Procs: 16, Share: 0.4, Cause: "c", Lost: 0.5}, "no evidence"},
		{Evidence{Bench: "BenchmarkA", Procs: 16, Share: 0.406, Lost: 0.5}, "41 % of the CPU time of BenchmarkA at GOMAXPROCS=16"},
		{Evidence{Bench: "BenchmarkA", Procs: 9, Share: 0.4, Cause: "lock", Lost: 0.506}, "51 % of what BenchmarkA loses at GOMAXPROCS=9: lock"},
		{Evidence{Bench: "BenchmarkA", Procs: 3, Share: 0.4, Cause: "lock", Lost: 0.5, Elsewhere: true}, "lock takes 50 % of what BenchmarkA loses at GOMAXPROCS=3; 40 % of its CPU time is here"},
		{Evidence{Bench: "BenchmarkA", Procs: 9, Cause: "lock", Lost: 0.5, Verdict: "loses"}, "50 % of what BenchmarkA loses at GOMAXPROCS=9: lock"},
		{Evidence{Bench: "BenchmarkA", Procs: 9, Cause: "lock", Lost: 0.5, Verdict: "cannot say"}, "50 % of what BenchmarkA may lose at GOMAXPROCS=9: lock"},
		{Evidence{Bench: "BenchmarkA", Procs: 9, Cause: "lock", Lost: 0.5, Verdict: "pays"}, "50 % of what BenchmarkA could gain at GOMAXPROCS=9: lock"},
		{Evidence{Bench: "BenchmarkA", Procs: 3, Share: 0.4, Cause: "lock", Lost: 0.5, Elsewhere: true, Verdict: "even"}, "lock takes 50 % of what BenchmarkA could gain at GOMAXPROCS=3; 40 % of its CPU time is here"},
		{Evidence{Bench: "BenchmarkA", Procs: 3, Cause: "lock", Lost: 0.5, Elsewhere: true, Above: true}, "lock takes 50 % of what BenchmarkA loses at GOMAXPROCS=3, and it is called here"},
		{Evidence{Bench: "BenchmarkA", Procs: 3, Share: 0.4, Other: 0.2, Cause: "lock", Lost: 0.5, Elsewhere: true}, "lock takes 50 % of what BenchmarkA loses at GOMAXPROCS=3; 40 % of its CPU time is here"},
		{Evidence{Bench: "BenchmarkA", Procs: 3, Share: 0.8, Other: 0.74, Cause: "lock", Lost: 0.5, Elsewhere: true}, "lock takes 50 % of what BenchmarkA loses at GOMAXPROCS=3; 74 % of its CPU time is in what is called here, and elsewhere, and 6 % here"},
	} {
		if got := tt.e.String(); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.e, got, tt.want)
		}
	}
}

// TestInEdges: lines at both ends of a stretch count, those beside it and of other files
// do not; a cause that the lines have counts before that of the whole benchmark; of
// several benchmarks the one that loses most there.
func TestInEdges(t *testing.T) {
	at := func(line int, share float64, causes ...any) Line {
		l := Line{File: "/a.go", Line: line, Share: share}
		for i := 0; i+1 < len(causes); i += 2 {
			if l.Causes == nil {
				l.Causes = map[string]float64{}
			}
			l.Causes[causes[i].(string)] = causes[i+1].(float64)
		}
		return l
	}
	bench := func(name string, procs int, whole float64, lines ...Line) Bench {
		return Bench{Name: name, Procs: procs, Causes: map[string]float64{"c": whole, "other": 0.99}, Lines: lines}
	}
	own := Stretch{File: "/a.go", From: 10, To: 12}
	for _, tt := range []struct {
		name      string
		benches   []Bench
		stretches []Stretch
		want      Evidence
	}{
		{"both ends", []Bench{bench("A", 8, 0, at(9, 0.4, "c", 0.4), at(10, 0.1, "c", 0.1), at(12, 0.2, "c", 0.05), at(13, 0.4, "c", 0.4))}, []Stretch{own}, Evidence{"A", 8, 0.30000000000000004, "c", 0.15000000000000002, false, false, 0, ""}},
		{"another file", []Bench{bench("A", 8, 0.5, Line{File: "/b.go", Line: 11, Share: 0.9})}, []Stretch{own}, Evidence{}},
		{"two stretches", []Bench{bench("A", 8, 0, at(11, 0.1, "c", 0.2), at(30, 0.3, "c", 0.4))}, []Stretch{own, {File: "/a.go", From: 30, To: 30}}, Evidence{"A", 8, 0.4, "c", 0.6000000000000001, false, false, 0, ""}},
		{"a line in two stretches counts once", []Bench{bench("A", 8, 0, at(11, 0.1, "c", 0.2))}, []Stretch{own, {File: "/a.go", From: 11, To: 11}}, Evidence{"A", 8, 0.1, "c", 0.2, false, false, 0, ""}},
		{"most of it where others come, too", []Bench{bench("A", 8, 0.9, at(11, 0.01), at(30, 0.5))}, []Stretch{own, {File: "/a.go", From: 30, To: 30, Shared: true}}, Evidence{"A", 8, 0.51, "c", 0.9, true, false, 0.5, ""}},
		{"just placed", []Bench{bench("A", 8, 0.9, at(11, 0.1, "c", 0.1))}, []Stretch{own}, Evidence{"A", 8, 0.1, "c", 0.1, false, false, 0, ""}},
		{"just not placed", []Bench{bench("A", 8, 0.9, at(11, 0.1, "c", 0.099))}, []Stretch{own}, Evidence{"A", 8, 0.1, "c", 0.9, true, false, 0, ""}},
		{"all that there is is placed", []Bench{bench("A", 8, 0.05, at(11, 0.1, "c", 0.05))}, []Stretch{own}, Evidence{"A", 8, 0.1, "c", 0.05, false, false, 0, ""}},
		{"on a stack, and no more", []Bench{bench("A", 8, 0.9, at(11, 0))}, []Stretch{own}, Evidence{}},
		{"called there", []Bench{bench("A", 8, 0.9, Line{File: "/a.go", Line: 11, Above: true})}, []Stretch{{File: "/a.go", From: 10, To: 12, Above: true}}, Evidence{"A", 8, 0, "c", 0.9, true, true, 0, ""}},
		{"called there, and not asked for", []Bench{bench("A", 8, 0.9, Line{File: "/a.go", Line: 11, Above: true})}, []Stretch{own}, Evidence{}},
		{"called elsewhere", []Bench{bench("A", 8, 0.9, at(11, 0), Line{File: "/a.go", Line: 13, Above: true})}, []Stretch{{File: "/a.go", From: 10, To: 12, Above: true}}, Evidence{}},
		{"lost alone", []Bench{bench("A", 8, 0, at(11, 0, "c", 0.3))}, []Stretch{own}, Evidence{"A", 8, 0, "c", 0.3, false, false, 0, ""}},
		{"the hot one", []Bench{bench("A", 8, 0, at(11, 0.9)), bench("B", 16, 0, at(11, 0.06, "c", 0.1))}, []Stretch{own}, Evidence{"B", 16, 0.06, "c", 0.1, false, false, 0, ""}},
		{"the hot one, first", []Bench{bench("B", 16, 0, at(11, 0.06, "c", 0.1)), bench("A", 8, 0, at(11, 0.9))}, []Stretch{own}, Evidence{"B", 16, 0.06, "c", 0.1, false, false, 0, ""}},
		{"that loses more", []Bench{bench("A", 8, 0, at(11, 0.9, "c", 0.2)), bench("B", 16, 0, at(11, 0.1, "c", 0.3)), bench("C", 9, 0, at(11, 0.8, "c", 0.25))}, []Stretch{own}, Evidence{"B", 16, 0.1, "c", 0.3, false, false, 0, ""}},
		{"that takes more, of two that lose as much", []Bench{bench("A", 8, 0, at(11, 0.2, "c", 0.3)), bench("B", 16, 0, at(11, 0.3, "c", 0.3)), bench("C", 9, 0, at(11, 0.1, "c", 0.3))}, []Stretch{own}, Evidence{"B", 16, 0.3, "c", 0.3, false, false, 0, ""}},
		{"by name, if all is the same", []Bench{bench("B", 8, 0, at(11, 0.2, "c", 0.3)), bench("A", 8, 0, at(11, 0.2, "c", 0.3)), bench("C", 8, 0, at(11, 0.2, "c", 0.3))}, []Stretch{own}, Evidence{"A", 8, 0.2, "c", 0.3, false, false, 0, ""}},
	} {
		if got := (&Map{Benches: tt.benches}).In([]string{"c"}, tt.stretches...); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
	if slug, share := most(map[string]float64{"b": 0.3, "a": 0.3, "c": 0.2, "d": 0.9}, []string{"a", "b", "c"}); slug != "a" || share != 0.3 {
		t.Errorf("most %s %v, want the first by name", slug, share)
	}
}

// TestThrough: of a function that several call, each has the time that came through it,
// and what goroutines that the function starts do, which have no caller.
func TestThrough(t *testing.T) {
	helper := Stretch{File: "/a.go", From: 70, To: 80, Shared: true}
	from := func(line int, share, root float64) Caller { return Caller{"/a.go", line, share, root} }
	for _, tt := range []struct {
		name        string
		callers     []Caller
		share, lost float64
		other       float64
	}{
		{"before callers were recorded", nil, 0.74, 0.5, 0.74},
		{"all through here", []Caller{from(42, 0.74, 0.74)}, 0.74, 0.5, 0},
		{"nothing through here", []Caller{from(12, 0.74, 0.74)}, 0, 0, 0},
		{"a quarter through here", []Caller{from(12, 0.555, 0.555), from(42, 0.185, 0.185)}, 0.185, 0.125, 0},
		{"what calls both", []Caller{from(5, 0.74, 0.74), from(12, 0.555, 0), from(42, 0.185, 0)}, 0.185, 0.125, 0},
		{"by way of another", []Caller{from(42, 0.74, 0), from(12, 0.74, 0.74)}, 0.74, 0.5, 0},
		{"a goroutine that the function starts", []Caller{from(75, 0.74, 0.74)}, 0.74, 0.5, 0.74},
		{"half in goroutines, half another way", []Caller{from(12, 0.37, 0.37)}, 0.37, 0.25, 0.37},
		{"half in goroutines, half through here", []Caller{from(5, 0.37, 0.37), from(42, 0.37, 0)}, 0.74, 0.5, 0.37},
		{"two lines of a loop", []Caller{from(42, 0.74, 0), from(43, 0.74, 0.74)}, 0.74, 0.5, 0},
		{"another file", []Caller{{"/b.go", 42, 0.74, 0.74}}, 0, 0, 0},
	} {
		m := &Map{Benches: []Bench{{Name: "A", Procs: 8, Lines: []Line{{File: "/a.go", Line: 42}, {File: "/a.go", Line: 74, Share: 0.74, Callers: tt.callers, Causes: map[string]float64{"c": 0.5}}}}}}
		e := m.In([]string{"c"}, Stretch{File: "/a.go", From: 40, To: 44}, helper)
		if math.Abs(e.Share-tt.share) > 1e-9 || math.Abs(e.Lost-tt.lost) > 1e-9 || math.Abs(e.Other-tt.other) > 1e-9 {
			t.Errorf("%s: share %v, lost %v, other %v, want %v, %v, %v", tt.name, e.Share, e.Lost, e.Other, tt.share, tt.lost, tt.other)
		}
	}
}

// A line that others call and that took no time itself makes no difference.
func TestThroughNothing(t *testing.T) {
	m := &Map{Benches: []Bench{{Name: "A", Procs: 8, Lines: []Line{{File: "/a.go", Line: 42, Share: 0.5}, {File: "/a.go", Line: 74, Callers: []Caller{{"/a.go", 12, 0.1, 0}}}}}}}
	if e := m.In(nil, Stretch{File: "/a.go", From: 40, To: 44}, Stretch{File: "/a.go", From: 70, To: 80, Shared: true}); e.Share != 0.5 {
		t.Errorf("share %v, want that of the other line", e.Share)
	}
}

// TestStretchOf: lines by the file as it is, whatever //line says, and never backwards.
func TestStretchOf(t *testing.T) {
	fset := token.NewFileSet()
	f := fset.AddFile("/x/a.go", -1, 100)
	f.SetLines([]int{0, 10, 20, 30, 40})
	f.AddLineColumnInfo(10, "/y/b.go", 700, 1)
	for _, tt := range []struct{ pos, end, from, to int }{{0, 5, 1, 1}, {5, 25, 1, 3}, {25, 5, 3, 3}, {30, 40, 4, 5}} {
		if got, want := StretchOf(fset, f.Pos(tt.pos), f.Pos(tt.end)), (Stretch{File: "/x/a.go", From: tt.from, To: tt.to}); got != want {
			t.Errorf("%d to %d: %+v, want %+v", tt.pos, tt.end, got, want)
		}
	}
}

// TestGiven: the checks get what this process was given before what a flag names, and a
// file that cannot be read is an error.
func TestGiven(t *testing.T) {
	run := func() (Given, error) {
		g, err := Analyzer.Run(&analysis.Pass{})
		return g.(Given), err
	}
	defer func(f string, h bool) { file, hints = f, h }(file, hints)
	file, hints = "", true
	if g, err := run(); g.Map != nil || !g.Hints || err != nil {
		t.Errorf("hints alone: %+v, %v", g, err)
	}
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.json"), filepath.Join(dir, "b.json")
	for _, name := range []string{a, b} {
		if err := (&Map{Run: name}).Write(name); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{a, b, a} {
		file, hints = name, false
		if g, err := run(); g.Map == nil || g.Run != name || g.Hints || err != nil {
			t.Errorf("of %s: %+v, %v", name, g, err)
		}
	}
	mine := &Map{Run: "mine"}
	back := Give(mine, true)
	again := Give(nil, false)
	if g, err := run(); g.Map != nil || g.Hints || err != nil {
		t.Errorf("given nothing: %+v, %v", g, err)
	}
	again()
	if g, err := run(); g.Map != mine || !g.Hints || err != nil {
		t.Errorf("given: %+v, %v", g, err)
	}
	back()
	broken := filepath.Join(dir, "broken.json")
	if err := os.WriteFile(broken, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	file = broken
	if _, err := run(); err == nil || !strings.Contains(err.Error(), "broken.json holds no evidence of a run") {
		t.Errorf("broken: %v", err)
	}
	file = filepath.Join(dir, "none.json")
	if _, err := run(); err == nil {
		t.Error("a file that is not there was read")
	}
	if err := (&Map{}).Write(filepath.Join(dir, "none", "x.json")); err == nil {
		t.Error("written to a folder that is not there")
	}
}
