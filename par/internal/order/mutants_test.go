package order

import (
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// TestMutants: the tests of the sorts find what is wrong in them.
func TestMutants(t *testing.T) {
	stress.Mutants(t, []stress.Mutant{
		{Name: "a wrong guess is believed", File: "field.go",
			Old:  "wrong.Store(true)",
			New:  "wrong.Store(false)",
			Test: "TestFieldWrong$"},
		{Name: "what is equal in a field is left as it was", File: "field.go",
			Old:  "ties.Store(true)",
			New:  "ties.Store(false)",
			Test: "TestFieldTies$"},
		{Name: "runs of equal fields are not compared in the end", File: "field.go",
			Old:  "if c := cmp(y[i-1], y[i]); c > 0 || c == 0 && stable {",
			New:  "if c := cmp(y[i-1], y[i]); c > 1 {",
			Test: "TestFieldTies$"},
		{Name: "a field tells equal elements apart", File: "field.go",
			Old:  "case c < 0 || c == 0 && !stable:",
			New:  "case c <= 0:",
			Test: "TestFieldWrong$"},
		{Name: "the direction is not looked at", File: "field.go",
			Old:  "best.down = g.up[i] < 0",
			New:  "best.down = false",
			Test: "TestField$"},
		{Name: "equal strings change places", File: "field.go",
			Old:  "slices.Reverse(p[lo:hi])",
			New:  "_ = p[lo:hi]",
			Test: "TestField$"},
		{Name: "equal strings may differ", File: "text.go",
			Old:  "or |= r.or | (t.p[g.lo+i*s.size].key ^ t.p[g.lo].key)",
			New:  "or |= r.or | t.p[g.lo+i*s.size].key ^ t.p[g.lo].key",
			Test: "TestSortStringsWide$"},
		{Name: "a head that some do not have", File: "text.go",
			Old:  "if n < len(head) {",
			New:  "if false {",
			Test: "TestSortProcs$"},
		{Name: "strings that share more are left alone", File: "text.go",
			Old:  "		groups = append(groups, g)\n\t}\n\treturn groups\n}\n\n// set makes",
			New:  "	}\n\treturn groups\n}\n\n// set makes",
			Test: "TestSortStrings$"},
		{Name: "what is on the wrong side stays there", File: "quick.go",
			Old:  "x[e.a+i], x[e.b+i] = x[e.b+i], x[e.a+i]",
			New:  "_ = i",
			Test: "TestPartition$"},
		{Name: "short sorts trust eight bits", File: "few.go",
			Old:  "	insert(x, room)",
			New:  "	copy(x, room)",
			Test: "TestSort$"},
		{Name: "what is mended is not in order", File: "few.go",
			Old:  "moved > room+i*i/16 {\n\t\t\treturn false",
			New:  "moved > room+i*i/16 {\n\t\t\treturn true",
			Test: "TestSort$"},
		{Name: "a bucket is forgotten", File: "split.go",
			Old:  "if starts[from] < starts[k] {",
			New:  "if starts[from] < starts[k]-1 {",
			Test: "TestSplit$"},
	})
}
