package report

// Both is a comparison as two reports have it; one may be nil.
type Both struct{ A, B *Comparison }

// Of is the comparison of either.
func (b Both) Of() *Comparison {
	if b.A != nil {
		return b.A
	}
	return b.B
}

// Differ reports that the verdicts of both are not the same.
func (b Both) Differ() bool { return b.A != nil && b.B != nil && b.A.Verdict != b.B.Verdict }

// Beside returns the comparisons of two reports, those of the same by the same at the
// same processors together, in the order of the first, then of the second.
func Beside(a, b *Doc) (all []Both) {
	type key struct {
		pkg, name, base  string
		procs, baseProcs int
	}
	of := func(c *Comparison) key { return key{c.Package, c.Name, c.BaseName, c.Procs, c.BaseProcs} }
	at := map[key]int{}
	for i := range a.Comparisons {
		c := &a.Comparisons[i]
		at[of(c)] = len(all)
		all = append(all, Both{A: c})
	}
	for i := range b.Comparisons {
		c := &b.Comparisons[i]
		if j, ok := at[of(c)]; ok && all[j].B == nil {
			all[j].B = c
			continue
		}
		all = append(all, Both{B: c})
	}
	return all
}
