package benchvet

import (
	"cmp"
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds benchmarks that measure something else.
var Analyzer = shape.Analyzer("benchvet", `find benchmarks that measure something else

A dropped result, preparation that is timed, a loop over b.N or a shared write in
RunParallel, goroutines that nothing waits for or that begin before the timer, a timer stopped in each iteration.`, find, uses.Analyzer)

// own is the cause of what no run explains by one: the benchmark itself.
var own = []string{"benchvet"}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	m := pass.ResultOf[heat.Analyzer].(heat.Given).Map
	for _, x := range benches(pass) {
		times := x.times(m)
		found := slices.Concat(x.dropped(times), x.setup(m), x.parallel(times), x.unjoined(), x.early(), x.stopped(times))
		for i := range found {
			found[i].Func = x.decl
		}
		all = append(all, found...)
	}
	return all, nil
}

// times are what a recorded run has of the benchmarks that the function may be, by name
// and number of processors. A helper is none of them.
func (x *bench) times(m *heat.Map) (all []heat.Bench) {
	if m == nil || x.decl.Recv != nil {
		return nil
	}
	path := strings.TrimSuffix(x.pass.Pkg.Path(), "_test")
	for _, b := range m.Benches {
		top, _, isPart := strings.Cut(b.Name, "/")
		if b.Package == path && b.NS > 0 && top == x.decl.Name.Name && isPart != (x.node == ast.Node(x.decl)) {
			all = append(all, b)
		}
	}
	slices.SortFunc(all, func(a, b heat.Bench) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Procs, b.Procs))
	})
	return all
}

// below says that an operation takes less than so many ns, each benchmark at the fewest
// processors that it was measured at; "" if one takes longer.
func below(times []heat.Bench, ns float64) string {
	var longest heat.Bench
	for i, b := range times {
		if (i == 0 || times[i-1].Name != b.Name) && b.NS > longest.NS {
			longest = b
		}
	}
	if longest.NS == 0 || longest.NS >= ns {
		return ""
	}
	return takes(longest)
}

// slows says that an operation takes longer on more processors; "" if it does not.
func slows(times []heat.Bench) string {
	var few heat.Bench
	for _, b := range times {
		if b.Name != few.Name {
			few = b
		} else if b.NS > 1.1*few.NS {
			return fmt.Sprintf("%s at GOMAXPROCS=%d, and %s at %d", takes(few), few.Procs, figure(b.NS), b.Procs)
		}
	}
	return ""
}

func takes(b heat.Bench) string { return b.Name + " takes " + figure(b.NS) + " an operation" }

func figure(ns float64) string {
	if ns < 10 {
		return fmt.Sprintf("%.2f ns", ns)
	}
	return fmt.Sprintf("%.0f ns", ns)
}
