package measure

import (
	"slices"

	"github.com/gopayoff/payoff/tool/internal/discover"
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
	var problems []discover.Problem
	r.Families, problems = discover.Pair(s.Package, names, h)
	r.Problems = slices.Concat(slices.DeleteFunc(slices.Clone(s.Problems), func(p discover.Problem) bool { return p.Pairs }), problems)
	r.Needs = 0
	pairs := slices.DeleteFunc(Comparisons(r.Families, r.Procs), func(c Comparison) bool { return c.Kind != Variant })
	if len(pairs) > 0 && !slices.ContainsFunc(pairs, func(c Comparison) bool { return len(r.LogRatios(c)) > 0 }) {
		r.Problems = append(r.Problems, discover.Problem{Package: s.Package, Pairs: true,
			Reason: "the run has no samples of these pairs: at one processor count it measures pairs only", Next: "measure again with this -base"})
	}
	if r.End != Interrupted && r.End != Failed {
		r.End = Regrouped
	}
	return &r
}
