package report

import (
	"fmt"

	"github.com/gopayoff/payoff/tool/internal/problem"
)

// alike is how many notes that call for the same stand alone.
const alike = 2

// Together makes one of the notes of a package that call for the same, and one of what
// is noted of several packages in the same words. names says what has those that are
// left out.
func Together(problems []problem.Problem, names string) (out []problem.Problem) {
	problems = overPackages(problems)
	type key struct{ pkg, next string }
	n, said := map[key]int{}, map[key]bool{}
	for _, p := range problems {
		if p.Note {
			n[key{p.Package, p.Next}]++
		}
	}
	for _, p := range problems {
		k := key{p.Package, p.Next}
		if p.Note && n[k] > alike {
			if said[k] {
				continue
			}
			said[k] = true
			p.Reason += fmt.Sprintf("; likewise %d more, which %s names", n[k]-1, names)
		}
		out = append(out, p)
	}
	return out
}

func overPackages(problems []problem.Problem) (out []problem.Problem) {
	at := map[[2]string]int{} // in out, by what is said
	packages := map[int][]string{}
	for _, p := range problems {
		key := [2]string{p.Reason, p.Next}
		i, ok := at[key]
		if !p.Note || p.Benchmark != "" || !ok {
			if i = len(out); p.Note && p.Benchmark == "" {
				at[key] = i
			}
			out = append(out, p)
			packages[i] = []string{p.Package}
			continue
		}
		packages[i] = append(packages[i], p.Package)
		out[i].Package = SomeOf(packages[i])
	}
	return out
}
