package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/problem"
)

// once is the least time, in ns, that a benchmark spends once and is told of.
const once = 1e6

// spentOnce notes which benchmarks have in their timed region what runs once, whatever
// b.N is.
func spentOnce(s *measure.Series, funcs []discover.Func) (notes []problem.Problem) {
	var told []string
	for _, l := range s.Listed {
		bench, _ := discover.CutCode(l.Name)
		var z measure.Size
		for c := range s.Calibration {
			if of, _ := discover.CutCode(c.Bench); of != bench {
				continue
			}
			if x, ok := s.Size(c); ok && x.Fixed > z.Fixed {
				z = x
			}
		}
		name, _, _ := strings.Cut(bench, "/")
		var f discover.Func
		if i := slices.IndexFunc(funcs, func(f discover.Func) bool { return f.Name == name }); i >= 0 {
			f = funcs[i]
		}
		if z.Fixed < once || z.Fixed < 10*z.Each || f.Loops || slices.Contains(told, bench) {
			continue
		}
		told = append(told, bench)
		beside := ", where an operation takes " + figure.Time(z.Each)
		if z.Each == 0 {
			beside = ", beside which no operation is seen"
		}
		next := "b.ResetTimer after the set-up and b.StopTimer before the teardown, or b.Loop, leaves it out"
		if f.Setup != "" {
			next = "call b.ResetTimer between the set-up at " + f.Setup + " and the loop, or loop with b.Loop"
		}
		notes = append(notes, problem.Problem{Package: s.Package, Benchmark: bench, Note: true, Next: next,
			Reason: fmt.Sprintf("about %s of a run are spent once in its timed region, whatever b.N is (set-up, teardown or warm-up)%s", figure.Time(z.Fixed), beside)})
	}
	return notes
}
