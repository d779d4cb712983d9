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
	if s, want := d.Summary, "Concurrency pays: b is 1.50x as fast as serial at 2 processors; a is in doubt (superlinear)"; s != want {
		t.Errorf("a is in doubt: %q, want %q", s, want)
	}
	if c := d.Comparisons[0]; c.Word() != "pays?" || c.Verdict != judge.Pays || c.Doubts[0].Text != "too good" || c.Doubts[0].Procs != 2 {
		t.Errorf("%q, %s, doubts %v", c.Word(), c.Verdict, c.Doubts)
	}
	if c := d.Comparisons[1]; c.Word() != "pays" {
		t.Errorf("b: %q, want no doubt", c.Word())
	}
	vs[1].Doubts = vs[0].Doubts
	if s, want := doc(measure.Decided, nil, vs...).Summary, "Whether concurrency pays at 2 processors is in doubt; a and b are in doubt"; s != want {
		t.Errorf("both are in doubt: %q, want %q", s, want)
	}
}
