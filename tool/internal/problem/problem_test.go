package problem

import "testing"

// TestProblemWords: a package, a benchmark if there is one, why, and what to do.
func TestProblemWords(t *testing.T) {
	for want, p := range map[string]Problem{"p: why: do": {Package: "p", Reason: "why", Next: "do"}, "p: B: why: do": {Package: "p", Benchmark: "B", Reason: "why", Next: "do"}} {
		if got := p.String(); got != want {
			t.Errorf("%+v: %q, want %q", p, got, want)
		}
	}
}
