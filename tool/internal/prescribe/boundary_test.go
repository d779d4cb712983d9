package prescribe

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/program"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// The tests of this file load no package: they have a parsed file, findings that
// are made up, and three processor counts.

const file = "/src/p/p.go"

const code = `package p

import "fmt"

func Sum(x []int) int {
	fmt.Println(x)
	return inner(
		x)
}

func inner(x []int) int { return len(x) }

type T struct{}

func (t *T) Ptr() {}

func (T) Val() {}

type G[A, B any] struct{}

func (*G[A, B]) Ptr() {}

func (G[A, B]) Val() {}

func BenchmarkSum(b *testing.B) {
	Sum(nil)
}
`

func parsed(t *testing.T) *program.Package {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, code, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	p := &packages.Package{PkgPath: "example.com/p", Fset: fset, Syntax: []*ast.File{f}, GoFiles: []string{file}, Types: types.NewPackage("example.com/p", "p")}
	return &program.Package{Package: p, Files: []*program.File{{File: f, Name: file, Src: []byte(code)}}}
}

// pos is where the text begins.
func pos(pkg *program.Package, text string) token.Pos {
	return pkg.Files[0].FileStart + token.Pos(strings.Index(code, text))
}

func declOf(pkg *program.Package, n int) (d *ast.FuncDecl) {
	for _, x := range pkg.Files[0].Decls {
		if f, ok := x.(*ast.FuncDecl); ok {
			if n == 0 {
				return f
			}
			n--
		}
	}
	return nil
}

// shapeAt is a site of check at the call of inner, which takes two lines.
func shapeAt(pkg *program.Package, check string) *site {
	begin, end := pos(pkg, "inner(\n"), pos(pkg, "x)\n}")+2
	return &site{Finding: shape.Finding{Check: check, Message: "m", Pos: begin, End: end, Func: declOf(pkg, 0), Causes: []string{"work", "lock"}, Hot: []shape.Range{{Pos: begin, End: end}}}, pkg: pkg}
}

// losing is a finding of a benchmark that lost so much of what it had, by a cause
// at line 7, where so much of its time is spent.
func losing(bench string, procs int, lost, avail, share float64, cause string, at int) explain.Finding {
	f := explain.Finding{Verdict: judge.Verdict{Kind: measure.Variant, Word: judge.Pays, New: measure.Cell{Bench: bench, Procs: procs}, BaseCell: measure.Cell{Bench: "BenchmarkBase", Procs: procs}}, Lost: lost, Avail: avail}
	set := evidence.Set{CPU: &cpuprof.Digest{Lines: []cpuprof.Line{{Place: source.Place{File: file, Line: at}, Share: share}}}}
	if cause != "" {
		f.Causes = []explain.Cause{{Slug: cause, Share: 0.5, NS: 0.5 * lost}}
		f.Losses = []explain.Loss{{Slug: cause, Place: source.Place{File: file, Line: at}, NS: 0.5 * lost}}
	}
	f.Page.New = &explain.Side{Set: &set}
	return f
}

// TestFindingFigures: what one finding says of a site, from several benchmarks at
// several processor counts: the worst first, its loss as a part of what the
// processors could have done.
func TestFindingFigures(t *testing.T) {
	pkg := parsed(t)
	loser := losing("BenchmarkB", 4, 100, 1000, 0.3, "work", 7)
	loser.Verdict.Word = judge.Loses
	for _, tt := range []struct {
		name      string
		findings  []explain.Finding
		ns, share float64
		loses     bool
		cause     string
		cells     []string
	}{
		{"one", []explain.Finding{losing("BenchmarkA", 2, 100, 1000, 0.3, "work", 7)}, 50, 0.05, false, "work", []string{"BenchmarkA-2"}},
		{"nothing is known of what it had", []explain.Finding{losing("BenchmarkA", 2, 100, 0, 0.3, "work", 7)}, 50, 0, false, "work", []string{"BenchmarkA-2"}},
		{"more of less comes first", []explain.Finding{losing("BenchmarkA", 2, 100, 1000, 0.3, "work", 7), losing("BenchmarkB", 4, 50, 100, 0.3, "work", 8)}, 25, 0.25, false, "work", []string{"BenchmarkB-4", "BenchmarkA-2"}},
		{"of equal parts the longer", []explain.Finding{losing("BenchmarkA", 2, 100, 1000, 0.3, "work", 7), losing("BenchmarkB", 4, 300, 3000, 0.3, "work", 7)}, 150, 0.05, false, "work", []string{"BenchmarkB-4", "BenchmarkA-2"}},
		{"what loses comes first", []explain.Finding{losing("BenchmarkA", 2, 900, 1000, 0.3, "work", 7), loser}, 50, 0.05, true, "work", []string{"BenchmarkB-4", "BenchmarkA-2"}},
		{"at three counts", []explain.Finding{losing("BenchmarkA", 1, 10, 1000, 0.3, "work", 7), losing("BenchmarkA", 2, 20, 1000, 0.3, "work", 7), losing("BenchmarkA", 8, 30, 1000, 0.3, "work", 7)}, 15, 0.015, false, "work", []string{"BenchmarkA-8", "BenchmarkA-2", "BenchmarkA-1"}},
		{"two findings of a cell", []explain.Finding{losing("BenchmarkA", 2, 10, 1000, 0.3, "work", 7), losing("BenchmarkA", 2, 30, 1000, 0.3, "work", 7)}, 15, 0.015, false, "work", []string{"BenchmarkA-2"}},
		{"no cause of it, and a fifth of the time", []explain.Finding{losing("BenchmarkA", 2, 100, 1000, 0.2, "other", 7)}, 0, 0, false, "", []string{"BenchmarkA-2"}},
		{"no cause of it, and less", []explain.Finding{losing("BenchmarkA", 2, 100, 1000, 0.199, "other", 7)}, 0, 0, false, "", nil},
		{"what has no cause comes last", []explain.Finding{losing("BenchmarkA", 2, 100, 100, 0.9, "", 7), losing("BenchmarkB", 4, 10, 1000, 0.3, "work", 7)}, 5, 0.005, false, "work", []string{"BenchmarkB-4", "BenchmarkA-2"}},
		{"without causes, the hotter", []explain.Finding{losing("BenchmarkA", 4, 100, 100, 0.3, "", 7), losing("BenchmarkB", 2, 10, 1000, 0.9, "", 7)}, 0, 0, false, "", []string{"BenchmarkB-2", "BenchmarkA-4"}},
		{"elsewhere", []explain.Finding{losing("BenchmarkA", 2, 100, 1000, 0.9, "work", 6)}, 0, 0, false, "", nil},
		{"the line after", []explain.Finding{losing("BenchmarkA", 2, 100, 1000, 0.9, "work", 9)}, 0, 0, false, "", nil},
	} {
		c := &chemist{Options: Options{Findings: tt.findings}, heat: Heat("", tt.findings)}
		f, ok := c.finding(shapeAt(pkg, "slow"))
		var cells []string
		for _, x := range f.Cells {
			cells = append(cells, x.String())
		}
		near := func(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }
		if ok != (tt.cells != nil) || !near(f.NS, tt.ns) || !near(f.Share, tt.share) || f.Loses != tt.loses || f.Cause != tt.cause || !slices.Equal(cells, tt.cells) {
			t.Errorf("%s: %v ns, %v, loses %t, cause %q at %v, %t; want %v, %v, %t, %q at %v", tt.name, f.NS, f.Share, f.Loses, f.Cause, cells, ok, tt.ns, tt.share, tt.loses, tt.cause, tt.cells)
		}
		if ok && (f.Check != "slow" || f.Func != "example.com/p.Sum" || f.Line != 7 || f.File != file || (f.Cause == "") != strings.Contains(f.Evidence, "none of the causes")) {
			t.Errorf("%s: %+v", tt.name, f)
		}
	}
}

// TestLosesBy: a verdict that a loop of one goroutine is no faster on more
// processors is no loss; that a variant is slower than its base is one.
func TestLosesBy(t *testing.T) {
	for _, tt := range []struct {
		word       judge.Word
		kind       measure.Kind
		goroutines judge.Goroutines
		want       bool
	}{
		{judge.Loses, measure.Variant, judge.One, true}, {judge.Loses, measure.Variant, judge.Several, true},
		{judge.Loses, measure.Scaling, judge.One, false}, {judge.Loses, measure.Scaling, judge.Several, true}, {judge.Loses, measure.Scaling, judge.Unknown, true},
		{judge.Pays, measure.Variant, judge.Several, false}, {judge.Even, measure.Variant, judge.Several, false}, {judge.CannotSay, measure.Scaling, judge.Several, false},
	} {
		if got := loses(judge.Verdict{Word: tt.word, Kind: tt.kind, Goroutines: tt.goroutines, BaseGoroutines: judge.One}); got != tt.want {
			t.Errorf("%s of %s with %s: %t, want %t", tt.word, tt.kind, tt.goroutines, got, tt.want)
		}
	}
}

// TestCells: a fix is tried on what it is for at each processor count of the run,
// what loses first.
func TestCellsOf(t *testing.T) {
	cell := func(bench string, procs int) measure.Cell { return measure.Cell{Bench: bench, Procs: procs} }
	c := &chemist{Options: Options{Procs: []int{1, 2, 4, 8}}}
	hot := []measure.Cell{cell("BenchmarkA", 4), cell("BenchmarkB", 2)}
	want := []measure.Cell{cell("BenchmarkA", 4), cell("BenchmarkB", 2), cell("BenchmarkA", 1), cell("BenchmarkA", 2), cell("BenchmarkA", 8), cell("BenchmarkB", 1), cell("BenchmarkB", 4), cell("BenchmarkB", 8)}
	if got := c.cells(hot); !slices.Equal(got, want) || len(hot) != 2 {
		t.Errorf("cells of %v: %v, want %v", hot, got, want)
	}
}

// TestUrgency: what loses before what pays less than it could, then by the part,
// then by the time that it could win.
func TestUrgency(t *testing.T) {
	order := []Finding{{Loses: true, Share: 0.9}, {Loses: true, Share: 0.1, NS: 50}, {Loses: true, Share: 0.1, NS: 40}, {Share: 0.9, NS: 1}, {Share: 0.8, NS: 99}, {Share: 0.8, NS: 98}}
	for i, x := range order {
		for j, y := range order {
			if got := urgency(x, y); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("urgency(%+v, %+v) = %d, want the order of %d and %d", x, y, got, i, j)
			}
		}
	}
}

// TestKeep: of shapes of one check within each other the inner one is meant; what
// was not asked for is left out; the findings come in their order.
func TestKeep(t *testing.T) {
	pkg := parsed(t)
	at := func(check string, first, last string) *site {
		s := shapeAt(pkg, check)
		s.Pos, s.End = pos(pkg, first), pos(pkg, last)
		return s
	}
	outer, inner := [2]string{"fmt.Println", "func inner"}, [2]string{"inner(\n", "x)\n}"}
	findings := []explain.Finding{losing("BenchmarkA", 2, 100, 1000, 0.3, "work", 7)}
	for _, tt := range []struct {
		name  string
		sites []*site
		only  []string
		want  []string
	}{
		{"within each other", []*site{at("slow", outer[0], outer[1]), at("slow", inner[0], inner[1])}, nil, []string{"slow 7"}},
		{"the other way round", []*site{at("slow", inner[0], inner[1]), at("slow", outer[0], outer[1])}, nil, []string{"slow 7"}},
		{"one begins where the other does", []*site{at("slow", inner[0], outer[1]), at("slow", inner[0], inner[1])}, nil, []string{"slow 7"}},
		{"one ends where the other does", []*site{at("slow", outer[0], inner[1]), at("slow", inner[0], inner[1])}, nil, []string{"slow 7"}},
		{"twice the same", []*site{at("slow", inner[0], inner[1]), at("slow", inner[0], inner[1])}, nil, []string{"slow 7", "slow 7"}},
		{"of two checks", []*site{at("slow", outer[0], outer[1]), at("bad", inner[0], inner[1])}, nil, []string{"slow 6", "bad 7"}},
		{"by name, of one place", []*site{at("slow", inner[0], inner[1]), at("bad", inner[0], inner[1])}, nil, []string{"bad 7", "slow 7"}},
		{"one was asked for", []*site{at("slow", outer[0], outer[1]), at("bad", inner[0], inner[1])}, []string{"bad"}, []string{"bad 7"}},
		{"its cause was asked for", []*site{at("slow", outer[0], outer[1]), at("bad", inner[0], inner[1])}, []string{"work"}, []string{"slow 6", "bad 7"}},
		{"another cause was", []*site{at("slow", outer[0], outer[1])}, []string{"lock"}, nil},
	} {
		c := &chemist{Options: Options{Findings: findings, Only: tt.only}, heat: Heat("", findings), p: &Prescription{}, sites: map[int]*site{}}
		c.keep(tt.sites)
		var got []string
		for i, f := range c.p.Findings {
			got = append(got, fmt.Sprintf("%s %d", f.Check, f.Line))
			if c.sites[i].Check != f.Check {
				t.Errorf("%s: finding %d is made of %s", tt.name, i, c.sites[i].Check)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestMismeasuredBy: what is wrong with a benchmark is a finding where that was
// measured, if it is sure or seen.
func TestMismeasuredBy(t *testing.T) {
	pkg := parsed(t)
	in := func(n int, sure bool) *site {
		s := shapeAt(pkg, Mismeasured)
		s.Func, s.Sure = declOf(pkg, n), sure
		if n < 0 {
			s.Func = nil
		}
		return s
	}
	bench := 6 // BenchmarkSum
	if name := declOf(pkg, bench).Name.Name; name != "BenchmarkSum" {
		t.Fatal(name)
	}
	for _, tt := range []struct {
		name string
		site *site
		runs string // the benchmark that was measured
		hot  bool
		want bool
	}{
		{"sure", in(bench, true), "BenchmarkSum/n=8", false, true},
		{"sure, of another benchmark", in(bench, true), "BenchmarkSums", false, false},
		{"a hint", in(bench, false), "BenchmarkSum", false, false},
		{"a hint that is hot", in(bench, false), "BenchmarkSum", true, true},
		{"in a function", in(0, true), "BenchmarkSum", true, false},
		{"in no function", in(-1, true), "BenchmarkSum", true, false},
	} {
		line := 3
		if tt.hot {
			line = 7
		}
		findings := []explain.Finding{losing(tt.runs, 2, 100, 1000, 0.9, "work", line)}
		c := &chemist{Options: Options{Findings: findings}, heat: Heat("", findings)}
		if f, ok := c.finding(tt.site); ok != tt.want || len(f.Cells) > 0 {
			t.Errorf("%s: %+v, %t, want %t", tt.name, f, ok, tt.want)
		}
	}
}

// TestDeclared: functions as the linker names them.
func TestDeclared(t *testing.T) {
	pkg := parsed(t)
	for n, want := range []string{"Sum", "inner", "(*T).Ptr", "T.Val", "(*G).Ptr", "G.Val", "BenchmarkSum"} {
		if got := declared(pkg, declOf(pkg, n)); got != "example.com/p."+want {
			t.Errorf("%s, want example.com/p.%s", got, want)
		}
	}
	if got := declared(pkg, nil); got != "" {
		t.Errorf("of no function: %q", got)
	}
}

// TestWithin: all edits in the declaration, imports aside, whichever end is out.
func TestWithinFunc(t *testing.T) {
	pkg := parsed(t)
	sum := declOf(pkg, 0)
	edit := func(first, last token.Pos) analysis.TextEdit { return analysis.TextEdit{Pos: first, End: last} }
	body := edit(pos(pkg, "fmt.Println"), pos(pkg, "inner("))
	imports := edit(pos(pkg, `import "fmt"`)+5, pos(pkg, `import "fmt"`)+5)
	for _, tt := range []struct {
		name  string
		edits []analysis.TextEdit
		want  bool
	}{
		{"in it", []analysis.TextEdit{body}, true}, {"in it, and an import", []analysis.TextEdit{imports, body}, true},
		{"all of it", []analysis.TextEdit{edit(sum.Pos(), sum.End())}, true},
		{"from before it", []analysis.TextEdit{edit(sum.Pos()-1, sum.End())}, false}, {"to after it", []analysis.TextEdit{edit(sum.Pos(), sum.End()+1)}, false},
		{"one after it", []analysis.TextEdit{body, edit(pos(pkg, "func inner"), pos(pkg, "func inner"))}, false},
	} {
		if got := within(sum, pkg.Files[0], tt.edits); got != tt.want {
			t.Errorf("%s: %t, want %t", tt.name, got, tt.want)
		}
	}
	if within(nil, pkg.Files[0], []analysis.TextEdit{body}) {
		t.Error("within no declaration")
	}
	// A benchmark is not changed: in a test file, from its first byte to its last.
	test := &program.File{File: pkg.Files[0].File, Name: "/src/p/p_test.go"}
	bench := declOf(pkg, 6)
	for _, tt := range []struct {
		f    *program.File
		at   token.Pos
		want bool
	}{{test, bench.Pos(), true}, {test, bench.End() - 1, true}, {test, bench.Pos() - 1, false}, {test, bench.End(), false}, {test, sum.Pos() + 1, false}, {pkg.Files[0], bench.Pos(), false}} {
		if got := benchmark(tt.f, edit(tt.at, tt.at)); (got != nil) != tt.want {
			t.Errorf("an edit of %s at %v: %v, want a benchmark: %t", tt.f.Name, pkg.Fset.Position(tt.at), got, tt.want)
		}
	}
}

// TestFill: what makes no fix, and why.
func TestFill(t *testing.T) {
	pkg := parsed(t)
	replace := func(text, with string) analysis.TextEdit {
		return analysis.TextEdit{Pos: pos(pkg, text), End: pos(pkg, text) + token.Pos(len(text)), NewText: []byte(with)}
	}
	for _, tt := range []struct {
		name  string
		edits []analysis.TextEdit
		why   string
		after string
	}{
		{"nothing", nil, "the check offers an edit without texts", ""},
		{"the same", []analysis.TextEdit{replace("fmt.Println(x)", "fmt.Println(x)")}, "it changes nothing", ""},
		{"another file", []analysis.TextEdit{{Pos: pkg.Files[0].FileEnd + 1, End: pkg.Files[0].FileEnd + 1}}, "it would change a file that uses cgo, or one of another package", ""},
		{"the end of the file", []analysis.TextEdit{{Pos: pkg.Files[0].FileEnd, End: pkg.Files[0].FileEnd, NewText: []byte("// end\n")}}, "", code + "\n// end\n"},
		{"one place twice", []analysis.TextEdit{replace("fmt.Println(x)", "a"), replace("fmt.Println(x)", "b")}, "two edits at one place", ""},
		{"a call", []analysis.TextEdit{replace("fmt.Println(x)", "fmt.Print(x)")}, "", strings.Replace(code, "Println", "Print", 1)},
	} {
		c := &chemist{p: &Prescription{Root: "/src"}}
		var fix Fix
		err := c.fill(&fix, pkg, tt.edits)
		if tt.why != "" {
			if err == nil || !strings.Contains(err.Error(), tt.why) {
				t.Errorf("%s: %v, want %q", tt.name, err, tt.why)
			}
			continue
		}
		if err != nil || len(fix.Changes) != 1 || fix.Changes[0].File != file || fix.Changes[0].Before != code || fix.Changes[0].After != tt.after || !strings.Contains(fix.Diff, "b/p/p.go") || !slices.Equal(fix.Packages, []Package{{"example.com/p", filepath.Dir(file)}}) {
			t.Errorf("%s: %v, changes %+v, diff\n%s\nof %v", tt.name, err, fix.Changes, fix.Diff, fix.Packages)
		}
	}
	generated := parsed(t)
	src := "// Code generated by hand. DO NOT EDIT.\n\n" + code
	f, err := parser.ParseFile(generated.Fset, file, src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	generated.Files = []*program.File{{File: f, Name: file, Src: []byte(src)}}
	if err := (&chemist{p: &Prescription{}}).fill(&Fix{}, generated, []analysis.TextEdit{rewrite.Replace(f.Name, "q")}); err == nil || err.Error() != "it would change a generated file" {
		t.Errorf("a generated file: %v", err)
	}
}

// TestRefuse: each reason once, at its place or that of the finding.
func TestRefuse(t *testing.T) {
	f := &Finding{}
	here, there := Place{File: "a.go", Line: 3}, Place{File: "b.go", Line: 9}
	for range 2 {
		f.refuse("x", fmt.Errorf("why"), here)
		f.refuse("x", fmt.Errorf("because: %w", &edit.Refusal{Why: "it is so", Place: there}), here)
	}
	want := []edit.Refusal{{Name: "x", Why: "why", Place: here.Spot()}, {Name: "x", Why: "because: it is so", Place: there}}
	if !slices.Equal(f.Refused, want) {
		t.Errorf("refused %+v, want %+v", f.Refused, want)
	}
}

// TestWorst: of each cell the finding that lost most, most processors first.
func TestWorst(t *testing.T) {
	at := func(procs int, lost float64) explain.Finding {
		return losing("BenchmarkA", procs, lost, 1000, 0, "", 1)
	}
	for _, order := range [][]explain.Finding{{at(1, 5), at(4, 10), at(2, 7), at(4, 30), at(1, 4)}, {at(4, 30), at(1, 4), at(1, 5), at(4, 10), at(2, 7)}} {
		var got []string
		for _, f := range worst(order) {
			got = append(got, fmt.Sprintf("%d lost %.0f", f.Verdict.New.Procs, f.Lost))
		}
		if want := []string{"4 lost 30", "2 lost 7", "1 lost 5"}; !slices.Equal(got, want) {
			t.Errorf("worst: %v, want %v", got, want)
		}
	}
}

// TestHeatLines: what is lost at a line is a part of all that was lost, what is
// spent there adds up, and callers and escapes are lines too.
func TestHeatLines(t *testing.T) {
	f := losing("BenchmarkA", 8, 200, 1000, 0.25, "work", 7)
	line := func(n int) source.Place { return source.Place{File: file, Line: n} }
	f.Losses = append(f.Losses, explain.Loss{Slug: "work", Place: line(7), NS: 20}, explain.Loss{Slug: "lock", Place: line(9), NS: 50}, explain.Loss{Slug: "idle", NS: 99})
	set := f.Page.New.Set
	set.CPU.Lines = append(set.CPU.Lines, cpuprof.Line{Place: line(7), Share: 0.5, Callers: []cpuprof.Caller{{Place: line(20), Share: 0.4, Root: 0.3}}}, cpuprof.Line{Share: 0.25})
	set.CPU.Callers = []source.Place{line(20), {}}
	set.Trace = &exectrace.Facts{Callers: []source.Place{line(21), line(20)}}
	got := Heat("run", []explain.Finding{f})
	want := &heat.Map{Run: "run", Benches: []heat.Bench{{Name: "BenchmarkA", Procs: 8, Verdict: "pays", Causes: map[string]float64{"work": 0.5}, Lines: []heat.Line{
		{File: file, Line: 7, Share: 0.75, Callers: []heat.Caller{{File: file, Line: 20, Share: 0.4, Root: 0.3}}, Causes: map[string]float64{"work": 0.6}}, {File: file, Line: 9, Causes: map[string]float64{"lock": 0.25}}, {File: file, Line: 20, Above: true}, {File: file, Line: 21, Above: true}}}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("heat\n%+v\nwant\n%+v", got, want)
	}
	nothing := losing("BenchmarkA", 8, 0, 1000, 0.25, "work", 7)
	if lines := Heat("", []explain.Finding{nothing}).Benches[0].Lines; len(lines) != 1 || lines[0].Causes != nil {
		t.Errorf("of what lost nothing: %+v, want its time alone", lines)
	}
}

// TestIDs: no two fixes have one name.
func TestIDs(t *testing.T) {
	c := &chemist{p: &Prescription{}}
	for _, want := range []string{"a", "a#2", "a#3"} {
		if got := c.id("a"); got != want {
			t.Errorf("id = %q, want %q", got, want)
		}
		c.p.Fixes = append(c.p.Fixes, Fix{Edit: edit.Edit{ID: want}})
	}
	if named(shape.Fix{Name: "tens", Value: 20}) != "tens=20" || named(shape.Fix{Name: "fast"}) != "fast" {
		t.Error("names of edits")
	}
}

// TestTogetherModules: a fix of several has the go.mod of each module that one of its
// edits needs the library in, whichever comes last, and no other.
func TestTogetherModules(t *testing.T) {
	library := write(t, map[string]string{"go.mod": "module github.com/gopayoff/payoff\n\ngo 1.26.0\n"})
	dir := write(t, map[string]string{
		"a/go.mod": "module example.com/a\n\ngo 1.26.0\n", "b/go.mod": "module example.com/b\n\ngo 1.26.0\n", "c/go.mod": "module example.com/c\n\ngo 1.20\n",
		"d/go.mod": "module example.com/d\n\ngo 1.26.0\n\nrequire github.com/gopayoff/payoff v1.0.0\n",
	})
	gomod := func(name string) string { return filepath.Join(dir, name, "go.mod") }
	for _, tt := range []struct {
		name    string
		modules string   // of the edits; in capitals where it needs the library
		want    []string // whose go.mod is another
		needs   bool
	}{
		{"one", "A", []string{"a"}, true}, {"two", "AB", []string{"a", "b"}, true}, {"the last needs none", "ABc", []string{"a", "b"}, true}, {"the first needs none", "cA", []string{"a"}, true},
		{"the last has it", "AD", []string{"a"}, true}, {"the first has it", "DB", []string{"b"}, true}, {"twice the same", "AaA", []string{"a"}, true}, {"none", "abc", nil, false},
	} {
		c := &chemist{Options: Options{Library: func() (string, error) { return library, nil }, Toolchain: &gocmd.Toolchain{}}, p: &Prescription{Root: "/src"}, sites: map[int]*site{}}
		pkgs := map[string]*program.Package{}
		var ids []string
		for i, m := range strings.Split(tt.modules, "") {
			name := strings.ToLower(m)
			pkg := pkgs[name]
			if pkg == nil {
				pkg = parsed(t)
				pkg.Module = &packages.Module{Path: "example.com/" + name, GoMod: gomod(name)}
				pkg.PkgPath, pkg.TypesInfo = "example.com/"+name, &types.Info{}
				pkgs[name] = pkg
			}
			at := pos(pkg, []string{"fmt.Println", "inner(\n", "x)\n}"}[i])
			id := fmt.Sprint(i)
			x := Fix{Edit: edit.Edit{ID: id, Name: "x", Says: "do " + id, Edits: []analysis.TextEdit{{Pos: at, End: at, NewText: []byte("/**/")}}}, Finding: i}
			if m != name {
				x.Needs = "github.com/gopayoff/payoff/par"
			}
			c.p.Fixes = append(c.p.Fixes, x)
			c.sites[i] = &site{pkg: pkg}
			ids = append(ids, id)
		}
		fix, err := c.together(ids)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		var got []string
		for file, text := range fix.Module {
			if !strings.Contains(text, "github.com/gopayoff/payoff => "+library) {
				t.Errorf("%s: %s is\n%s", tt.name, file, text)
			}
			got = append(got, filepath.Base(filepath.Dir(file)))
		}
		slices.Sort(got)
		if !slices.Equal(got, tt.want) || (fix.Needs != "") != tt.needs || len(fix.Changes) != len(pkgs) {
			t.Errorf("%s: go.mod of %q, want %q; needs %q, %d files", tt.name, got, tt.want, fix.Needs, len(fix.Changes))
		}
		for dir, known := range c.modules { // what one module needs is kept for the next fix
			if len(known) > 1 {
				t.Errorf("%s: %s has %d files", tt.name, dir, len(known))
			}
		}
	}
}
