package benchvet

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"go/version"
	"maps"
	"slices"
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
		found = append(found, x.dropped(ns)...)
		found = append(found, x.setup(decls, given.Map)...)
		found = append(found, x.parallel(given.Map)...)
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
// that the function may be, at the fewest processors each was measured at.
func (x *bench) times(m *heat.Map) (t timing) {
	for bench, procs := range x.measured(m) {
		ns := procs[slices.Min(slices.Collect(maps.Keys(procs)))]
		if cmp.Or(cmp.Compare(ns, t.ns), cmp.Compare(t.bench, bench)) > 0 {
			t = timing{bench, ns}
		}
	}
	return t
}

// slows says in a phrase that an operation takes longer on more processors; ""
// if it does not.
func (x *bench) slows(m *heat.Map) string {
	all := x.measured(m)
	for _, bench := range slices.Sorted(maps.Keys(all)) {
		procs := slices.Sorted(maps.Keys(all[bench]))
		few, many := procs[0], procs[len(procs)-1]
		if was, is := all[bench][few], all[bench][many]; is > 1.1*was {
			return fmt.Sprintf("%v at GOMAXPROCS=%d, and %s at %d", timing{bench, was}, few, figureOf(is), many)
		}
	}
	return ""
}

// measured are the times of an operation, by GOMAXPROCS, of the benchmarks that
// the function may be. A helper is none of them.
func (x *bench) measured(m *heat.Map) map[string]map[int]float64 {
	all := map[string]map[int]float64{}
	name := x.decl.Name.Name
	if m == nil || !strings.HasPrefix(name, "Benchmark") || x.decl.Recv != nil {
		return all
	}
	path := strings.TrimSuffix(x.pass.Pkg.Path(), "_test")
	for _, b := range m.Benches {
		top, part, isPart := strings.Cut(b.Name, "/")
		if b.Package != path || b.NS == 0 || top != name || isPart && part == "" || isPart == (x.node == ast.Node(x.decl)) {
			continue
		}
		if all[b.Name] == nil {
			all[b.Name] = map[int]float64{}
		}
		all[b.Name][b.Procs] = b.NS
	}
	return all
}

func (t timing) String() string { return t.bench + " takes " + figureOf(t.ns) + " an operation" }

func figureOf(ns float64) string {
	if ns < 10 {
		return fmt.Sprintf("%.2f ns", ns)
	}
	return fmt.Sprintf("%.0f ns", ns)
}

// since reports whether the file is of a Go version or a later one.
func (x *bench) since(v string) bool {
	is := x.pass.TypesInfo.FileVersions[x.file]
	if is == "" {
		is = x.pass.Pkg.GoVersion()
	}
	return is == "" || version.Compare(is, v) >= 0
}
