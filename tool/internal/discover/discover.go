// Package discover finds what can be measured: the benchmarks of packages,
// which of them is the base and which are its variants, and the processor
// counts that make sense.
//
// It reads source and asks the go command; it runs none of the user's code.
// Sub-benchmarks exist only while their parent runs: the measuring stage
// lists them and hands the names back to [Families].
package discover

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/problem"
)

// A Target is one package with benchmarks to run.
type Target struct {
	Package string `json:"package"` // import path
	Dir     string `json:"dir"`
	Funcs   []Func `json:"funcs"`
	// Args are handed to each process of its test binary, after payoff's own.
	Args []string `json:"args,omitempty"`
}

// A Func is one benchmark function.
type Func struct {
	Name string `json:"name"` // with the Benchmark prefix
	Pos  string `json:"pos"`  // file:line
	// Base marks a function under a //payoff:base comment, BaseSubs the names
	// of the b.Run calls under one.
	Base     bool     `json:"base,omitempty"`
	BaseSubs []string `json:"baseSubs,omitempty"`
	// SetsProcs is the place of a runtime.GOMAXPROCS call that sets it, in the
	// function or in one of the package that it calls, or "".
	SetsProcs string `json:"setsProcs,omitempty"`
	// Subs are the names of its sub-benchmarks that are written as literals, Starts
	// those of them that start goroutines. Spawns says that it does, and has none.
	Subs   []string `json:"subs,omitempty"`
	Starts []string `json:"starts,omitempty"`
	Spawns bool     `json:"spawns,omitempty"`
	// Setup is the place of a call before a loop over b.N, after which the timer is
	// not reset, or "".
	Setup string `json:"setup,omitempty"`
	// Loops says that it uses b.Loop, which times nothing that runs once.
	Loops bool `json:"loops,omitempty"`
	// Pattern selects this function, and the sub-benchmarks the user asked
	// for, in -test.bench.
	Pattern string `json:"pattern"`

	runs   bool    // it may have sub-benchmarks
	source *source // of its package
}

// Targets returns the packages that match the patterns and have benchmarks
// that match bench, a -test.bench expression. Packages without benchmarks are
// passed over; that nothing is left is an error.
func Targets(ctx context.Context, tc *gocmd.Toolchain, patterns []string, bench string) ([]Target, []problem.Problem, error) {
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	sel, err := newSelection(bench)
	if err != nil {
		return nil, nil, fmt.Errorf("%s %q: %w", cmdline.Bench, bench, err)
	}
	pkgs, err := tc.List(ctx, patterns)
	if err != nil {
		return nil, nil, fmt.Errorf("make this pass first: %w", err) // the go command may say several lines
	}
	if len(pkgs) == 0 {
		return nil, nil, fmt.Errorf("no packages match %s: name a folder with Go files (./... takes them all)", strings.Join(patterns, " "))
	}
	var targets []Target
	var problems []problem.Problem
	all := 0
	for _, p := range pkgs {
		if p.Error != nil {
			problems = append(problems, problem.Problem{Package: p.ImportPath, Reason: oneLine(p.Error.Err), Next: "make " + plain.Shell("go", "list", p.ImportPath) + " pass, or leave it out"})
			continue
		}
		t := Target{Package: p.ImportPath, Dir: p.Dir}
		calls := newCallGraph(p.Name)
		for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
			funcs, err := benchmarks(filepath.Join(p.Dir, name), calls)
			if err != nil {
				problems = append(problems, problem.Problem{Package: p.ImportPath, Reason: "does not parse: " + oneLine(err.Error()), Next: plain.Shell("go", "vet", p.ImportPath)})
				t.Funcs = nil
				break
			}
			all += len(funcs)
			for _, f := range funcs {
				if f.Pattern = sel.pattern(f.Name); f.Pattern != "" {
					t.Funcs = append(t.Funcs, f)
				}
			}
		}
		if len(t.Funcs) == 0 {
			continue
		}
		for _, name := range p.GoFiles {
			calls.addFile(filepath.Join(p.Dir, name))
		}
		src := &source{path: p.ImportPath, fset: calls.fset, files: calls.files}
		for i := range t.Funcs {
			f := &t.Funcs[i]
			f.source = src
			f.SetsProcs = calls.setsProcs(f.Name)
			f.addStarts(calls)
		}
		targets = append(targets, t)
	}
	if len(targets) == 0 && len(problems) == 0 {
		where := strings.Join(patterns, " ")
		if all > 0 {
			return nil, nil, fmt.Errorf("%s: no benchmark matches %s %q: %s shows what there is", where, cmdline.Bench, bench, plain.Shell(append([]string{"go", "test", "-list=Benchmark"}, patterns...)...))
		}
		return nil, nil, fmt.Errorf("%s: no benchmarks: write func BenchmarkX(b *testing.B) in a _test.go file, or name another package", where)
	}
	return targets, problems, nil
}

// Below returns an error with the next step if a target does not lie in dir or below
// it, by whatever links.
func Below(dir string, targets []Target) error {
	for _, t := range targets {
		if !gocmd.Within(dir, t.Dir) {
			return fmt.Errorf("package %s lies in %s, and only packages below %s may be measured: name one of them, or ./... for all", t.Package, t.Dir, dir)
		}
	}
	return nil
}

func oneLine(s string) string {
	return strings.Join(strings.Fields(s), " ")
}

// benchmarks returns the benchmark functions of one file in source order and
// adds all its functions to calls.
func benchmarks(file string, calls *callGraph) ([]Func, error) {
	fset := calls.fset
	f, err := calls.parse(file)
	if err != nil {
		return nil, err
	}
	marks := map[int]bool{} // lines of //payoff:base comments
	for _, g := range f.Comments {
		for _, c := range g.List {
			if strings.TrimSpace(c.Text) == "//payoff:base" {
				marks[fset.Position(c.Pos()).Line] = true
			}
		}
	}
	var funcs []Func
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fn.Body == nil || !isBenchmark(fn) {
			continue
		}
		pos := fset.Position(fn.Name.Pos())
		b := Func{Name: fn.Name.Name, Pos: fmt.Sprintf("%s:%d", file, pos.Line)}
		if fn.Doc != nil {
			for _, c := range fn.Doc.List {
				b.Base = b.Base || strings.TrimSpace(c.Text) == "//payoff:base"
			}
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if name, ok := text(call.Args[0]); ok && sel.Sel.Name == "Run" && len(call.Args) == 2 {
				b.Subs = append(b.Subs, rewrite(name))
				if line := fset.Position(call.Pos()).Line; marks[line] || marks[line-1] {
					b.BaseSubs = append(b.BaseSubs, rewrite(name))
				}
			}
			return true
		})
		b.Loops, b.runs = uses(fn, "Loop"), uses(fn, "Run")
		if at := setup(fn); at.IsValid() {
			b.Setup = fmt.Sprintf("%s:%d", file, fset.Position(at).Line)
		}
		funcs = append(funcs, b)
	}
	return funcs, nil
}

func (f *Func) addStarts(calls *callGraph) {
	for _, sub := range f.Subs {
		if calls.startsAny(f.Name + "/" + sub) {
			f.Starts = append(f.Starts, sub)
		}
	}
	f.Spawns = !f.runs && calls.startsAny(f.Name)
}

// uses reports whether n has a selector of one of the names.
func uses(n ast.Node, names ...string) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		found = found || ok && slices.Contains(names, sel.Sel.Name)
		return !found
	})
	return found
}

// setup returns the place of the first call that stands, in a benchmark that leaves
// its timer alone, before a loop over b.N or a RunParallel.
func setup(fn *ast.FuncDecl) (at token.Pos) {
	if uses(fn, "ResetTimer", "StopTimer", "StartTimer", "Loop") {
		return token.NoPos
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		block, ok := n.(*ast.BlockStmt)
		if !ok || at.IsValid() {
			return !at.IsValid()
		}
		calls := token.NoPos
		for _, stmt := range block.List {
			_, loops := stmt.(*ast.ForStmt)
			_, ranges := stmt.(*ast.RangeStmt)
			if (loops || ranges) && uses(stmt, "N") || uses(stmt, "RunParallel") && !uses(stmt, "Run") {
				at = calls
				break
			}
			if _, ok := stmt.(*ast.DeferStmt); ok || calls.IsValid() || uses(stmt, "ReportAllocs", "SetBytes", "Helper", "SetParallelism", "Run") {
				continue
			}
			ast.Inspect(stmt, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && !calls.IsValid() {
					if id, ok := call.Fun.(*ast.Ident); !ok || !slices.Contains([]string{"make", "new", "len", "cap"}, id.Name) {
						calls = stmt.Pos()
					}
				}
				_, inner := n.(*ast.FuncLit)
				return !inner
			})
		}
		return true
	})
	return at
}

// isBenchmark reports whether fn has the name and the shape that go test runs.
func isBenchmark(fn *ast.FuncDecl) bool {
	rest, ok := strings.CutPrefix(fn.Name.Name, "Benchmark")
	if !ok || fn.Type.TypeParams != nil {
		return false
	}
	if r, _ := utf8.DecodeRuneInString(rest); rest != "" && unicode.IsLower(r) {
		return false
	}
	if fn.Type.Results != nil || len(fn.Type.Params.List) != 1 || len(fn.Type.Params.List[0].Names) > 1 {
		return false
	}
	star, ok := fn.Type.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	switch x := star.X.(type) {
	case *ast.SelectorExpr:
		return x.Sel.Name == "B"
	case *ast.Ident:
		return x.Name == "B" // a dot import
	}
	return false
}

// rewrite is what package testing makes of a name: spaces become _, what
// cannot be printed is escaped.
func rewrite(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			b.WriteByte('_')
		case !strconv.IsPrint(r):
			q := strconv.QuoteRune(r)
			b.WriteString(q[1 : len(q)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// A selection is a -test.bench expression: alternatives, each with one
// regular expression per level of the name.
type selection [][]string

func newSelection(expr string) (selection, error) {
	var s selection
	for _, alt := range split(expr, '|') {
		levels := split(alt, '/')
		for _, l := range levels {
			if _, err := regexp.Compile(l); err != nil {
				return nil, err
			}
		}
		s = append(s, levels)
	}
	return s, nil
}

// pattern returns the -test.bench expression that runs of name just what the
// selection asks for, or "".
func (s selection) pattern(name string) string {
	var alts []string
	for _, levels := range s {
		if ok, _ := regexp.MatchString(levels[0], name); !ok {
			continue
		}
		one := append([]string{"^" + name + "$"}, levels[1:]...)
		alts = append(alts, strings.Join(one, "/"))
	}
	return strings.Join(alts, "|")
}

// Matcher returns a function that reports whether the -test.bench expression
// selects a benchmark by its full name: each level of the expression that the
// name has matches.
func Matcher(expr string) (func(name string) bool, error) {
	s, err := newSelection(expr)
	if err != nil {
		return nil, err
	}
	return func(name string) bool {
		elements := strings.Split(name, "/")
		return slices.ContainsFunc(s, func(levels []string) bool {
			for i, e := range elements[:min(len(elements), len(levels))] {
				if ok, _ := regexp.MatchString(levels[i], e); !ok {
					return false
				}
			}
			return len(elements) >= len(levels)
		})
	}, nil
}

// split cuts s at sep outside brackets and parentheses, as go test does.
func split(s string, sep byte) []string {
	var out []string
	depth, start := 0, 0
	square := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case square:
			square = c != ']'
		case c == '[':
			square = true
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == sep && depth == 0:
			out = append(out, s[start:i])
			start = i + 1
		}
	}
	return append(out, s[min(start, len(s)):])
}
