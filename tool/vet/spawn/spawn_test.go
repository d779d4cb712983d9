package spawn

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
)

var fset = token.NewFileSet()

// imports finds std by its export data and errgroup in a sketch of it.
type imports struct{ std types.Importer }

var std = imports{importer.ForCompiler(fset, "gc", nil)}

const errgroupPath = "golang.org/x/sync/errgroup"

func (i imports) Import(path string) (*types.Package, error) {
	if path != errgroupPath {
		return i.std.Import(path)
	}
	f, err := parser.ParseFile(fset, "errgroup.go", `package errgroup
type Group struct{}
func (g *Group) Go(f func() error) {}
func (g *Group) Wait() error { return nil }`, 0)
	if err != nil {
		return nil, err
	}
	return new(types.Config).Check(path, fset, []*ast.File{f}, nil)
}

// load returns the pass over a package of one file.
func load(t *testing.T, goVersion, src string) *analysis.Pass {
	t.Helper()
	f, err := parser.ParseFile(fset, "src.go", "package p\n"+src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances: map[*ast.Ident]types.Instance{}, Implicits: map[ast.Node]types.Object{},
		Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: std, GoVersion: goVersion, Error: func(err error) {
		if !strings.Contains(err.Error(), "declared and not used") && !strings.Contains(err.Error(), "imported and not used") {
			t.Error(err)
		}
	}}
	pkg, _ := conf.Check("p", fset, []*ast.File{f}, info)
	return &analysis.Pass{
		Fset: fset, Files: []*ast.File{f}, Pkg: pkg, TypesInfo: info,
		ResultOf: map[*analysis.Analyzer]any{inspect.Analyzer: inspector.New([]*ast.File{f})},
	}
}

// describe says in a line what is known of a site. Variables are those that
// the body mentions.
func describe(s *Site) string {
	var b strings.Builder
	b.WriteString([]string{"go", "wg", "errgroup"}[s.Kind])
	switch {
	case s.Lit != nil:
		b.WriteString(" lit")
	case s.Decl != nil:
		b.WriteString(" " + s.Decl.Name.Name)
	default:
		b.WriteString(" ?")
	}
	switch s.Loop.(type) {
	case *ast.ForStmt:
		b.WriteString(" in for")
	case *ast.RangeStmt:
		b.WriteString(" in range")
	}
	if s.Func != nil {
		b.WriteString(" of " + s.Func.Name.Name)
	}
	var differs, shared []string
	if s.Body != nil {
		ast.Inspect(s.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if v := s.use(id); v != nil && !v.IsField() {
					if s.Differs(v) {
						differs = append(differs, v.Name())
					}
					if s.Shared(v) {
						shared = append(shared, v.Name())
					}
				}
			}
			return true
		})
	}
	list := func(what string, names []string) {
		slices.Sort(names)
		if names = slices.Compact(names); len(names) > 0 {
			fmt.Fprintf(&b, "; %s %s", what, strings.Join(names, " "))
		}
	}
	list("differs", differs)
	list("shared", shared)
	switch j := s.Join.(type) {
	case *ast.CallExpr:
		b.WriteString("; joined by Wait")
	case *ast.UnaryExpr:
		b.WriteString("; joined by receive")
	case *ast.RangeStmt:
		b.WriteString("; joined by range")
	case nil:
	default:
		fmt.Fprintf(&b, "; joined by %T", j)
	}
	return b.String()
}

const imported = `import ("sync"; "golang.org/x/sync/errgroup"; "sync/atomic"; "net/http"; "time"; "os"; "math"; "strings"; "io")
`

var sites = []struct {
	name, version, src string
	want               []string
}{
	{"literal", "", `func f(xs, sums []int, n int) {
		var wg sync.WaitGroup
		for w := range n {
			wg.Add(1)
			lo := w * 10
			go func() {
				defer wg.Done()
				part := xs[lo:]
				for _, x := range part { sums[w] += x }
			}()
		}
		wg.Wait()
	}`, []string{"go lit in range of f; differs lo part w x; shared sums wg xs; joined by Wait"}},
	{"arguments", "", `func f(xs, sums []int, n int, wg *sync.WaitGroup) {
		for w := 0; w < n; w++ {
			go func(id int, own []int, all []int, n int) {
				defer wg.Done()
				all[id] += own[0] + n
			}(w, xs[w:], sums, n)
		}
		wg.Wait()
	}`, []string{"go lit in for of f; differs id own; shared all wg; joined by Wait"}},
	{"one loop variable before Go 1.22", "go1.21", `func f(sums []int) {
		for w := range sums {
			go func() { sums[w]++ }()
			w := w
			go func() { sums[w]++ }()
			go func(i int) { sums[i]++ }(w)
		}
	}`, []string{"go lit in range of f; shared sums w", "go lit in range of f; differs w; shared sums", "go lit in range of f; differs i; shared sums"}},
	{"WaitGroup.Go and Group.Go", "", `func f(n int) error {
		var wg sync.WaitGroup
		var g errgroup.Group
		for w := range n {
			wg.Go(func() { _ = w })
		}
		g.Go(func() error { return nil })
		wg.Wait()
		return g.Wait()
	}`, []string{"wg lit in range of f; differs w; joined by Wait", "errgroup lit of f; joined by Wait"}},
	{"the receiver of a method expression is an argument", "", `type T struct{}
	func (t T) run(n int) {}
	func f(t T) { go T.run(t, 1) }`, []string{"go ? of f"}},
	{"methods of other types named Go are none", "", `type T struct{}
	func (T) Go(func()) {}
	func f(t T) { t.Go(func() {}) }`, nil},
	{"function and method of the package", "", `type S struct { n int; wg sync.WaitGroup }
	func (s *S) work(w int, out chan<- int) { s.n++; out <- w }
	func sum(wg *sync.WaitGroup, p *int) { defer wg.Done(); *p++ }
	func f(s *S, sums []int) {
		out := make(chan int)
		for w := range sums { go s.work(w, out) }
		<-out
		for w := range sums { go sum(&s.wg, &sums[w]) }
		s.wg.Wait()
	}`, []string{"go work in range of f; differs w; shared out s; joined by receive", "go sum in range of f; differs p; shared wg; joined by Wait"}},
	{"a named literal, and one that changes", "", `func f(n int) {
		work := func(i int) { println(i) }
		other := func(i int) {}
		for w := range n { go work(w); go other(w) }
		other = nil
	}`, []string{"go lit in range of f; differs i", "go ? in range of f"}},
	{"somebody else's function", "", `func f(run func(), h http.Handler) { go run(); go time.Sleep(1); go h.ServeHTTP(nil, nil) }`,
		[]string{"go ? of f", "go ? of f", "go ? of f"}},
	{"loop of another function", "", `func f(n int) {
		for range n { func() { go func() { println(n) }() }() }
		for go1 := func() { go f(1) }; ; { go1() }
	}`, []string{"go lit of f; shared n", "go f of f"}},
	{"generic function", "", `func add[T any](all []T, i int, x T) { all[i] = x }
	func f(n int) { all := make([]int, n); for i := range n { go add(all, i, 1) }; for i := range n { go add[int](all, i, 1) } }`,
		[]string{"go add in range of f; differs i; shared all", "go add in range of f; differs i; shared all"}},
	{"variadic parameters are bound to nothing", "", `func f(n int) { for i := range n { go func(a int, more ...int) { println(a, more) }(n, i) } }`,
		[]string{"go lit in range of f"}},
	{"own memory", "", `func f(n int) {
		shared := make([]int, n)
		for i := range n {
			own := make([]int, 10)
			alias := shared
			row := shared[i:]
			go func() { own[0]++; alias[0]++; row[0]++; for _, job := range shared { println(job) } }()
		}
	}`, []string{"go lit in range of f; differs row; shared alias shared"}},
	{"joined by a range, not by another goroutine's Wait", "", `func f(n int) {
		var wg sync.WaitGroup
		out := make(chan int)
		for i := range n { wg.Add(1); go func() { defer wg.Done(); out <- i }() }
		go func() { wg.Wait(); close(out) }()
		for range out {}
	}`, []string{"go lit in range of f; differs i; shared out wg; joined by range", "go lit of f; shared out wg; joined by range"}},
	{"another group's Wait", "", `func f(a, b *sync.WaitGroup) { a.Go(func() {}); b.Wait() }`, []string{"wg lit of f"}},
	{"an initializer", "", `var run = func() { go func() {}() }`, []string{"go lit"}},
}

func TestSites(t *testing.T) {
	for _, test := range sites {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, s := range find(load(t, test.version, imported+test.src)) {
				got = append(got, describe(s))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("sites:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

func TestSharedExpr(t *testing.T) {
	pass := load(t, "", imported+`type S struct { all []int; in *S; m map[string]int; v [4]int }
	func f(s *S, rows [][]int, one int) {
		for w := range rows {
			own := new(S)
			p := &rows[w]
			go func(k int) {
				mine := rows[w]
				_ = []any{s.all, s.in.all, (*s).v, rows[w], rows[0], rows[one], rows[k], own.all, *p, mine, rows[:1], rows[w:], s.m}
			}(one)
		}
	}`)
	s := find(pass)[0]
	var got []string
	ast.Inspect(s.Body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok {
			for _, e := range lit.Elts {
				if s.SharedExpr(e) {
					got = append(got, types.ExprString(e))
				}
			}
		}
		return true
	})
	want := []string{"s.all", "s.in.all", "(*s).v", "rows[0]", "rows[one]", "rows[:1]", "s.m"}
	if !slices.Equal(got, want) {
		t.Errorf("shared: %q, want %q", got, want)
	}
}

func TestWeigh(t *testing.T) {
	for _, test := range []struct {
		src  string
		want Weight
	}{
		{`x++; y := x; _ = y`, Weight{Stmts: 3}},
		{`if x > 0 { x-- }`, Weight{Stmts: 2}},
		{`for range x { x++ }`, Weight{Stmts: 2, Loops: 1}},
		{`c <- 1; <-c`, Weight{Stmts: 2}},
		{`x = tiny(x)`, Weight{Stmts: 2}},
		{`x = len(s) + int(math.Sqrt(2))`, Weight{Stmts: 1}},
		{`n.Add(1); mu.Lock(); mu.Unlock()`, Weight{Stmts: 3}},
		{`strings.Split(s, "")`, Weight{Stmts: 1, Unknown: 1}},
		{`fn()`, Weight{Stmts: 1, Unknown: 1, Dynamic: 1}},
		{`h.ServeHTTP(nil, nil)`, Weight{Stmts: 1, Blocking: 1}},
		{`e.Error()`, Weight{Stmts: 1, Unknown: 1, Dynamic: 1}},
		{`r.Read(nil); time.Sleep(1); os.Remove(s); http.Get(s)`, Weight{Stmts: 4, Blocking: 4}},
		{`rec(x)`, Weight{Stmts: 4, Unknown: 1}}, // three deep
		{`loops()`, Weight{Stmts: 2, Loops: 1}},
		{`func() { x++ }()`, Weight{Stmts: 2}},
	} {
		pass := load(t, "", imported+`
		func tiny(x int) int { return x + 1 }
		func rec(x int) { rec(x) }
		func loops() { for {} }
		func f(x int, s string, c chan int, fn func(), r io.Reader, mu *sync.Mutex, n *atomic.Int64, h http.Handler, e error) {`+test.src+`}`)
		var body ast.Node
		for fn, d := range Decls(pass) {
			if fn.Name() == "f" {
				body = d.Body
			}
		}
		if got := NewWeigher(pass).Weigh(body); got != test.want {
			t.Errorf("Weigh(%s) = %+v, want %+v", test.src, got, test.want)
		}
	}
}

// What code comes to is what it names, and what that names, once each; of a method
// of an interface all of its name.
func TestCalled(t *testing.T) {
	pass := load(t, "", imported+`
	type T struct{}
	func (T) Error() string { return deep() }
	func deep() string { again(); return "" }
	func again() { deep() }
	func beside() {}
	func f(e error) { g := func() { _ = e.Error() }; g() }`)
	for fn, d := range Decls(pass) {
		if fn.Name() != "f" {
			continue
		}
		var got []string
		for _, c := range Called(pass, d.Body) {
			got = append(got, c.Name.Name)
		}
		if want := []string{"Error", "deep", "again"}; !slices.Equal(got, want) {
			t.Errorf("Called = %q, want %q", got, want)
		}
	}
}

func TestReach(t *testing.T) {
	pass := load(t, "", imported+`
	func each(n int, f func(w int)) {
		var wg sync.WaitGroup
		for w := range n { wg.Go(func() { f(w) }) }
		wg.Wait()
	}
	func halves(n int, f func(w, lo, hi int)) { each(2, func(w int) { f(w, w*n/2, (w+1)*n/2) }) }
	func async(f func()) { go f() }
	type acc struct{ n int }
	func (a *acc) add(x int) { a.n += x }
	func (a *acc) all(xs []int) { for _, x := range xs { a.add(x) } }
	func rec(n int) { go rec(n-1) }
	func f(xs []int) {
		slots := make([]int, 2)
		halves(len(xs), func(w, lo, hi int) { for i := lo; i < hi; i++ { slots[w] += xs[i] } })
		async(func() { println(xs) })
		accs := make([]acc, 2)
		each(2, func(w int) { accs[w].all(xs) })
		work := func(w int) { slots[w]++ }
		each(2, work)
	}`)
	var got []string
	for _, s := range Reach(pass, find(pass)) {
		if s.Up != nil {
			got = append(got, describe(s))
		}
	}
	slices.Sort(got)
	want := []string{
		"go lit of f; shared xs",
		"wg add in range of all; differs a; joined by Wait",
		"wg all in range of f; differs a; shared xs; joined by Wait",
		"wg lit in range of f; differs hi i lo w; shared slots xs; joined by Wait",
		"wg lit in range of f; differs w; shared accs xs; joined by Wait",
		"wg lit in range of f; differs w; shared slots; joined by Wait",
		"wg lit in range of halves; differs w; shared f n; joined by Wait",
	}
	if !slices.Equal(got, want) {
		t.Errorf("sites:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
