package benchvet

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"go/version"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// Analyzer finds benchmarks that measure something else.
var Analyzer = shape.Analyzer("benchvet", `find benchmarks that measure something else

A dropped result, preparation that is timed, a loop over b.N or a shared write in
RunParallel, goroutines that nobody waits for, a timer stopped in each iteration.`, find)

// own is the cause of what no run explains by one: the benchmark itself.
var own = []string{"benchvet"}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	given := pass.ResultOf[heat.Analyzer].(heat.Given)
	decls := declared(pass)
	for _, x := range benches(pass) {
		ns := x.times(given.Map)
		var found []shape.Finding
		found = append(found, x.dropped(decls, ns)...)
		found = append(found, x.setup(decls, given.Map)...)
		found = append(found, x.parallel()...)
		found = append(found, x.unjoined()...)
		found = append(found, x.stopped(ns)...)
		for i := range found {
			found[i].Func = x.decl
		}
		all = append(all, found...)
	}
	return all, nil
}

// declared are the functions of the package that have a body, by their objects.
func declared(pass *analysis.Pass) map[types.Object]*ast.FuncDecl {
	all := map[types.Object]*ast.FuncDecl{}
	for _, f := range pass.Files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				all[pass.TypesInfo.Defs[fn.Name]] = fn
			}
		}
	}
	return all
}

// A timing is what a recorded run says of a benchmark.
type timing struct {
	bench string
	ns    float64 // per operation; 0: unknown
}

// times returns the longest time of an operation among those of the benchmarks
// that the function may be, at the fewest processors each was measured at. A
// helper is none of them.
func (x *bench) times(m *heat.Map) (t timing) {
	name := x.decl.Name.Name
	if m == nil || !strings.HasPrefix(name, "Benchmark") || x.decl.Recv != nil {
		return t
	}
	path := strings.TrimSuffix(x.pass.Pkg.Path(), "_test")
	procs := map[string]int{}
	at := map[string]float64{}
	for _, b := range m.Benches {
		if b.Package != path || b.NS == 0 {
			continue
		}
		_, part, isPart := strings.Cut(b.Name, "/")
		if b.Name != name && !(isPart && part != "" && strings.HasPrefix(b.Name, name+"/")) || isPart == (x.node == ast.Node(x.decl)) {
			continue
		}
		if p, ok := procs[b.Name]; !ok || b.Procs < p {
			procs[b.Name], at[b.Name] = b.Procs, b.NS
		}
	}
	for bench, ns := range at {
		if cmp.Or(cmp.Compare(ns, t.ns), cmp.Compare(t.bench, bench)) > 0 {
			t = timing{bench, ns}
		}
	}
	return t
}

func (t timing) String() string {
	if t.ns < 10 {
		return fmt.Sprintf("%s takes %.2f ns an operation", t.bench, t.ns)
	}
	return fmt.Sprintf("%s takes %.0f ns an operation", t.bench, t.ns)
}

// since reports whether the file is of a Go version or a later one.
func (x *bench) since(v string) bool {
	is := x.pass.TypesInfo.FileVersions[x.file]
	if is == "" {
		is = x.pass.Pkg.GoVersion()
	}
	return is == "" || version.Compare(is, v) >= 0
}
