package measure

import (
	"fmt"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/problem"
)

// Regroup returns s with other pairs, as if h had been told before it was
// measured: at several processor counts a run measures every benchmark at each,
// whatever is compared with what. Only the schedule was another: what the first
// pairs left undecided has most samples. Samples and evidence are shared with s,
// which stays as it is. Without families the problems say why there can be none.
func Regroup(s *Series, h discover.Hints) *Series {
	var names []string
	for _, f := range s.Families {
		for _, m := range f.Members {
			names = append(names, m.Bench)
		}
	}
	r := *s
	var problems []problem.Problem
	h.Starts = Starts(s.Listed)
	r.Families, problems = discover.Pair(s.Package, names, h)
	r.Problems = slices.Concat(slices.DeleteFunc(slices.Clone(s.Problems), func(p problem.Problem) bool { return p.Pairs }), problems)
	r.Needs = 0
	pairs := slices.DeleteFunc(Comparisons(r.Families, r.Procs), func(c Comparison) bool { return c.Kind != Variant })
	if len(pairs) > 0 && !slices.ContainsFunc(pairs, func(c Comparison) bool { return len(r.LogRatios(c)) > 0 }) {
		r.Problems = append(r.Problems, problem.Problem{Package: s.Package, Pairs: true,
			Reason: "the run has no samples of these pairs: at one processor count it measures pairs only", Next: "measure again with this -base"})
	}
	if r.End != Interrupted && r.End != Failed {
		r.End = Regrouped
	}
	return &r
}

// Unpaired notes how many benchmarks a run leaves out since nothing is compared
// with them: at one processor count, those without a base. It reports false
// where there are none.
func Unpaired(pkg string, families []discover.Family, procs []int) (problem.Problem, bool) {
	if len(procs) > 1 {
		return problem.Problem{}, false
	}
	n := 0
	for _, f := range families {
		if f.Base < 0 {
			n += len(f.Members)
		}
	}
	is := "are"
	if n == 1 {
		is = "is"
	}
	return problem.Problem{Package: pkg, Pairs: true, Note: true,
		Reason: fmt.Sprintf("%s without a base %s not measured: at one processor count nothing is compared with them", figure.Plural(n, "benchmark"), is),
		Next:   "-base or -procs 1,2 compares them"}, n > 0
}
