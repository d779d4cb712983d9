package explain

import (
	"slices"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// Of code that scales and has no base, what takes a fifth of the processors' time beside its
// own statements is worth the trial of an edit, and memory a quarter.
func TestCosts(t *testing.T) {
	for _, tt := range []struct {
		name string
		by   shares
		base bool // there is a serial form
		none bool // it starts no goroutine
		want []string
	}{
		{"reflection", shares{stack.User: 0.7, stack.Reflect: 0.3}, false, false, []string{"reflection"}},
		{"under a fifth", shares{stack.User: 0.81, stack.Reflect: 0.19}, false, false, nil},
		{"memory", shares{stack.User: 0.7, stack.Alloc: 0.3}, false, false, []string{"alloc"}},
		{"memory, under a quarter", shares{stack.User: 0.76, stack.Alloc: 0.24}, false, false, nil},
		{"its own code", shares{stack.User: 1}, false, false, nil},
		{"with a base", shares{stack.User: 0.7, stack.Reflect: 0.3}, true, false, nil},
		{"of one goroutine", shares{stack.User: 0.7, stack.Reflect: 0.3}, false, true, nil},
	} {
		p := healthy()
		p.one, p.two, p.trace = tt.by, tt.by, exectrace.Facts{Running: []float64{0, 0, 1}}
		if tt.none {
			p.goroutines = 0
		}
		if !tt.base {
			p.more = func(s *measure.Series) {
				s.Families = discover.Families([]string{"BenchmarkX/variant=new"}, discover.Hints{})
			}
		}
		s, r := p.series(t)
		var got []string
		for _, f := range Costs(s, r, prices) {
			if f.Verdict.New.Procs != 2 || f.Lost <= 0 {
				t.Errorf("%s: at %d %v are lost", tt.name, f.Verdict.New.Procs, f.Lost)
			}
			for _, c := range f.Causes {
				got = append(got, c.Slug)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: causes %v, want %v", tt.name, got, tt.want)
		}
		for _, f := range Explain(s, r, prices, false) {
			if f.Verdict.New.Procs == 2 && len(f.Causes) > 0 && !tt.base {
				t.Errorf("%s: without a question for costs there is %v", tt.name, f.Causes)
			}
		}
	}
}
