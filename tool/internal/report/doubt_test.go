package report_test

import (
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
)

// What is in doubt is no plain verdict, and not the best if there is another.
func TestDoubts(t *testing.T) {
	vs := drawn(t, "a+ at 2 pays 5 vs serial-", "b+ at 2 pays 1.5 vs serial-")
	if s := doc(measure.Decided, nil, vs...).Summary; !strings.HasPrefix(s, "Concurrency pays: a is 5.00x") {
		t.Errorf("without doubts: %q", s)
	}
	vs[0].Doubts = []judge.Doubt{{Kind: judge.Superlinear, Cell: vs[0].New, Text: "too good"}}
	d := doc(measure.Decided, nil, vs...)
	if s := d.Summary; !strings.HasPrefix(s, "Concurrency pays: b is 1.50x") || !strings.Contains(s, "; in doubt: ") || !strings.HasSuffix(s, " (superlinear)") {
		t.Errorf("a is in doubt: %q", s)
	}
	if c := d.Comparisons[0]; c.Word() != "pays?" || c.Verdict != judge.Pays || c.Doubts[0].Text != "too good" || c.Doubts[0].Procs != 2 {
		t.Errorf("%q, %s, doubts %v", c.Word(), c.Verdict, c.Doubts)
	}
	if c := d.Comparisons[1]; c.Word() != "pays" {
		t.Errorf("b: %q, want no doubt", c.Word())
	}
	vs[1].Doubts = vs[0].Doubts
	if s := doc(measure.Decided, nil, vs...).Summary; !strings.HasSuffix(s, "; 2 of 2 comparisons are in doubt") {
		t.Errorf("both are in doubt: %q", s)
	}
}
