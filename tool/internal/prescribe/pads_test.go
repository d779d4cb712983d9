package prescribe

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/gocmd/gocmdtest"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/program"
	"github.com/gopayoff/payoff/tool/internal/sharing"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// TestPadsFigures: what was watched to meet is a finding with all that it lost, as a part
// of what the processors could have done, unless nothing was lost and no trial was faster,
// or a check pads that file.
func TestPadsFigures(t *testing.T) {
	at := source.Place{File: "/src/p/p.go", Line: 3}
	finding := func(low, ns1, ns2 float64) explain.Finding {
		f := losing("BenchmarkA", 8, 500, 2000, 0.1, "", 1)
		f.Verdict.Word = judge.Loses
		f.Page.New.Set.Sharing = &evidence.Sharing{Seen: &sharing.Seen{False: 300, True: 7}, Pad: &evidence.Trial{Low: low, Does: []edit.Note{{What: "elements of sums", At: at}}}}
		f.Losses = []explain.Loss{{Slug: FalseShare, NS: ns1}, {Slug: "lock", NS: 99}, {Slug: FalseShare, NS: ns2}}
		return f
	}
	without := func(change func(*evidence.Sharing)) explain.Finding {
		f := finding(2, 300, 200)
		change(f.Page.New.Set.Sharing)
		return f
	}
	for _, tt := range []struct {
		name      string
		finding   explain.Finding
		only      []string
		fixes     []Fix
		ns, share float64 // ns 0: no finding, -1: one that lost nothing
	}{
		{"lost", finding(2, 300, 200), nil, nil, 500, 0.25}, {"lost, and no faster", finding(0.9, 300, 0), nil, nil, 300, 0.15},
		{"faster", finding(1.01, 0, 0), nil, nil, -1, 0}, {"neither", finding(1, 0, 0), nil, nil, 0, 0},
		{"asked for", finding(2, 300, 200), []string{"lock", FalseShare}, nil, 500, 0.25}, {"not asked for", finding(2, 300, 200), []string{"lock"}, nil, 0, 0},
		{"not tried", without(func(s *evidence.Sharing) { s.Pad = nil }), nil, nil, 0, 0}, {"moved nothing", without(func(s *evidence.Sharing) { s.Pad.Does = nil }), nil, nil, 0, 0},
		{"a check pads it", finding(2, 300, 200), nil, []Fix{{Edit: edit.Edit{Name: "pad"}, Changes: []patch.Change{{File: at.File}}}}, 0, 0},
		{"a check pads another", finding(2, 300, 200), nil, []Fix{{Edit: edit.Edit{Name: "pad"}, Changes: []patch.Change{{File: "/src/p/q.go"}}}, {Edit: edit.Edit{Name: "local"}, Changes: []patch.Change{{File: at.File}}}}, 500, 0.25},
	} {
		c := &chemist{Options: Options{Findings: []explain.Finding{tt.finding}, Only: tt.only, Toolchain: &gocmd.Toolchain{Dir: t.TempDir()}, Procs: []int{1, 8}}, ctx: t.Context(), p: &Prescription{Fixes: tt.fixes}}
		if err := c.pads(); err != nil {
			t.Fatal(err)
		}
		if (len(c.p.Findings) == 1) != (tt.ns != 0) {
			t.Errorf("%s: findings %+v", tt.name, c.p.Findings)
		}
		for _, f := range c.p.Findings {
			if f.NS != max(tt.ns, 0) || f.Share != tt.share || !f.Loses || f.Check != FalseShare || f.Place != at || !slices.Equal(f.Cells, []measure.Cell{{Bench: "BenchmarkA", Procs: 8}}) || !strings.Contains(f.Evidence, "300 returns") || !strings.Contains(f.Message, "elements of sums share a cache line") || len(f.Refused) != 1 || f.Refused[0].Name != "pad" {
				t.Errorf("%s: %+v, want %v ns, a share of %v, and that the edit could not be made", tt.name, f, tt.ns, tt.share)
			}
		}
	}
}

// TestFillOverlay: the changed files of an overlay, in order, with the packages they are of;
// what it leaves as it is is no change, and a benchmark is not changed.
func TestFillOverlay(t *testing.T) {
	const benchmark = "package p\n\nimport \"testing\"\n\nfunc BenchmarkA(b *testing.B) { work() }\n\nfunc help() { work() }\n"
	dir := write(t, map[string]string{"p/a.go": "package p\n\nvar a int\n", "p/same.go": "package p\n", "q/b.go": "package q\n\nvar b int\n", "p/x_test.go": benchmark})
	in := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	pkg := func(path string) *program.Package {
		return &program.Package{Package: &packages.Package{PkgPath: "m/" + path, GoFiles: []string{in(path + "/any.go")}}}
	}
	for _, tt := range []struct {
		name     string
		overlay  map[string]string
		changes  string
		packages string
		err      string
	}{
		{"two packages", map[string]string{"q/b.go": "package q\n\nvar b  int64\n", "p/a.go": "package p\n\nvar a int64\n", "p/same.go": "package  p\n"}, "p/a.go q/b.go", "m/p m/q", ""},
		{"a new file", map[string]string{"p/new.go": "package p\n"}, "p/new.go(new)", "m/p", ""},
		{"another package", map[string]string{"r/r.go": "package r\n"}, "r/r.go(new)", "", ""},
		{"a helper", map[string]string{"p/x_test.go": strings.Replace(benchmark, "help() { work()", "help() { rest()", 1)}, "p/x_test.go", "m/p", ""},
		{"a benchmark", map[string]string{"p/x_test.go": strings.Replace(benchmark, "B) { work()", "B) { rest()", 1)}, "", "", "it would change BenchmarkA, the benchmark itself"},
		{"a benchmark taken away", map[string]string{"p/x_test.go": "package p\n"}, "", "", "it would change BenchmarkA"},
		{"no Go", map[string]string{"p/a.go": "package"}, "", "", "expected"},
	} {
		c := &chemist{p: &Prescription{Root: dir}, pkgs: []*program.Package{pkg("q"), pkg("p"), pkg("p")}}
		o := overlay.Overlay{}
		for name, text := range tt.overlay {
			o[in(name)] = []byte(text)
		}
		var fix Fix
		err := c.fillOverlay(&fix, o)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: %v, want %q", tt.name, err, tt.err)
			}
			continue
		}
		var changed, of []string
		for _, x := range fix.Changes {
			name, _ := filepath.Rel(dir, x.File)
			name = filepath.ToSlash(name)
			if before, _ := os.ReadFile(x.File); x.Before != string(before) || x.After == x.Before {
				t.Errorf("%s: %s from %q to %q", tt.name, name, x.Before, x.After)
			}
			if x.New {
				name += "(new)"
			}
			changed = append(changed, name)
			if !strings.Contains(fix.Diff, "b/"+strings.TrimSuffix(name, "(new)")) {
				t.Errorf("%s: the diff has no %s", tt.name, name)
			}
		}
		for _, p := range fix.Packages {
			of = append(of, p.Path)
		}
		if err != nil || strings.Join(changed, " ") != tt.changes || strings.Join(of, " ") != tt.packages {
			t.Errorf("%s: %v, %q of %q, want %q of %q", tt.name, err, changed, of, tt.changes, tt.packages)
		}
	}
}

// TestRequire: a module that has the library keeps its go.mod; one that could not take it
// is told why.
func TestRequire(t *testing.T) {
	const has = "\nrequire github.com/gopayoff/payoff v1.2.3\n"
	for _, tt := range []struct{ name, gomod, vendor, flags, library, says string }{
		{"as new", "module m\n\ngo 1.26.0\n", "", "", "go 1.26.0\n", ""}, {"newer", "module m\n\ngo 1.27\n", "", "-v", "go 1.26.0\n", ""},
		{"older", "module m\n\ngo 1.25.9\n", "", "", "go 1.26.0\n", "wants go 1.26.0 in go.mod"}, {"no line", "module m\n", "", "", "go 1.26.0\n", "wants go 1.26.0 in go.mod"},
		{"vendored", "module m\n\ngo 1.26.0\n", "yes", "", "go 1.26.0\n", "vendor folder does not have"}, {"by flag", "module m\n\ngo 1.26.0\n", "", "-v --mod=vendor", "go 1.26.0\n", "GOFLAGS has -mod=vendor"}, {"another flag", "module m\n\ngo 1.26.0\n", "", "-mod=mod", "go 1.26.0\n", ""},
		{"a library without a line", "module m\n\ngo 1.26.0\n", "", "", "", "lib/go.mod does not say which Go it wants"}, {"no go.mod", "modul", "", "", "go 1.26.0\n", "modul"},
		{"has it, vendored and old", "module m\n\ngo 1.2\n" + has, "yes", "-mod=vendor", "", "none"},
	} {
		files := map[string]string{"m/go.mod": tt.gomod, "lib/go.mod": "module github.com/gopayoff/payoff\n" + tt.library}
		if tt.vendor != "" {
			files["m/vendor/modules.txt"] = ""
		}
		dir := write(t, files)
		c := &chemist{Options: Options{Library: func() (string, error) { return filepath.Join(dir, "lib"), nil }, Toolchain: &gocmd.Toolchain{Flags: tt.flags}}}
		got, err := c.require(filepath.Join(dir, "m", "go.mod"))
		switch text := got[filepath.Join(dir, "m", "go.mod")]; tt.says {
		case "none":
			if err != nil || got != nil {
				t.Errorf("%s: %v, %v, want nothing", tt.name, got, err)
			}
		case "":
			if err != nil || len(got) != 1 || !strings.Contains(text, "require github.com/gopayoff/payoff v0.0.0") || !strings.Contains(text, "replace github.com/gopayoff/payoff => "+filepath.Join(dir, "lib")) {
				t.Errorf("%s: %v, %q", tt.name, err, text)
			}
		default:
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%s: %v, want %q", tt.name, err, tt.says)
			}
		}
	}
}

// TestRelied: fields get no room where the checks would give them none.
func TestRelied(t *testing.T) {
	dir := write(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26\n",
		"m.go":   "package m\n\nimport \"fmt\"\n\ntype Open struct{ A, B int }\n\ntype shut struct{ a, b int }\n\ntype shown struct{ a, b int }\n\nfunc Show(s shown) { fmt.Printf(\"%+v\", s) }\n",
	})
	tc := gocmdtest.Find(t, dir)
	prog, err := program.List(t.Context(), tc, "example.com/m")
	if err != nil {
		t.Fatal(err)
	}
	pkgs, err := prog.Typed(prog.Editable())
	if err != nil {
		t.Fatal(err)
	}
	c := &chemist{pkgs: pkgs}
	note := func(what string, line int) edit.Note {
		return edit.Note{What: what, At: source.Place{File: filepath.Join(dir, "m.go"), Line: line}}
	}
	for _, tt := range []struct {
		notes []edit.Note
		want  string
	}{
		{[]edit.Note{note("field a", 7), note("variable a", 5)}, ""},
		{[]edit.Note{note("field A", 5)}, "other packages may write its values without field names"},
		{[]edit.Note{note("field a", 7), note("field b", 9)}, "its fields may be shown: it is made an empty interface"},
		{[]edit.Note{note("elements of a", 9)}, ""},
	} {
		got := ""
		if err := c.relied(tt.notes); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("room at %v: %q, want %q", tt.notes, got, tt.want)
		}
	}
}

func TestShared(t *testing.T) {
	for what, want := range map[string]string{
		"elements of sums": "elements of sums share a cache line", "field m": "field m shares a cache line with what lies beside it", "variable n": "variable n shares a cache line with what lies beside it",
	} {
		if got := shared(what); got != want {
			t.Errorf("shared(%q) = %q, want %q", what, got, want)
		}
	}
}
