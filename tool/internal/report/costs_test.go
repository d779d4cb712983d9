package report

import (
	"testing"

	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/judge"
)

// What code that scales may need is no explanation of its verdict: nothing is lost by it.
func TestCostsExplainNothing(t *testing.T) {
	for _, costs := range []bool{false, true} {
		var c Comparison
		if c.explain(judge.Verdict{}, []explain.Finding{{Costs: costs}}, ""); c.Explained == costs {
			t.Errorf("costs %t: explained %t", costs, c.Explained)
		}
	}
}
