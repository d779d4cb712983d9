package explain

import (
	"slices"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// Of code that scales, or beats its base as it should, what takes a fifth of the processors' time beside its
// own statements is worth the trial of an edit, and memory a quarter.
func TestCosts(t *testing.T) {
	reflects := shares{stack.User: 0.7, stack.Reflect: 0.3}
	for _, tt := range []struct {
		name   string
		by     shares
		change func(*program)
		want   []string
	}{
		{"reflection", reflects, nil, []string{"reflection"}},
		{"under a fifth", shares{stack.User: 0.81, stack.Reflect: 0.19}, nil, nil},
		{"memory", shares{stack.User: 0.7, stack.Alloc: 0.3}, nil, []string{"alloc"}},
		{"memory, under a quarter", shares{stack.User: 0.76, stack.Alloc: 0.24}, nil, nil},
		{"its own code", shares{stack.User: 1}, nil, nil},
		{"scales by less than two thirds", shares{stack.User: 0.5, stack.Reflect: 0.5}, func(p *program) { p.wall2 = 8 * ms }, nil},
		{"twice as fast as its base", reflects, func(p *program) { p.more = nil }, []string{"reflection"}},
		{"faster than its base by less than two thirds", reflects, func(p *program) { p.more, p.wall2 = nil, 8*ms }, nil},
		{"slower than its base", reflects, func(p *program) { p.more, p.wall2, p.cpu2 = nil, 12*ms, 24*ms }, nil},
		{"of one goroutine", reflects, func(p *program) { p.goroutines = 0 }, nil},
		{"few samples, and no trace", reflects, func(p *program) {
			more := p.more
			p.more = func(s *measure.Series) {
				more(s)
				set := s.Evidence[measure.Cell{Bench: "BenchmarkX/variant=new", Procs: 2}]
				set.CPU.Samples, set.Trace, set.Traced = 2, nil, nil
			}
		}, nil},
	} {
		p := healthy()
		p.one, p.two, p.trace = tt.by, tt.by, exectrace.Facts{Running: []float64{0, 0, 1}}
		p.more = func(s *measure.Series) {
			s.Families = discover.Families([]string{"BenchmarkX/variant=new"}, discover.Hints{})
		}
		if tt.change != nil {
			tt.change(&p)
		}
		s, r := p.series(t)
		var got []string
		for _, f := range Costs(s, r, prices) {
			if f.Verdict.New.Procs != 2 || f.Lost <= 0 || !f.Costs {
				t.Errorf("%s: at %d %v are lost, costs %t", tt.name, f.Verdict.New.Procs, f.Lost, f.Costs)
			}
			for _, c := range f.Causes {
				got = append(got, c.Slug)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: causes %v, want %v", tt.name, got, tt.want)
		}
		for _, f := range Explain(s, r, prices, false) {
			if f.Verdict.New.Procs == 2 && len(f.Causes) > 0 && tt.want != nil {
				t.Errorf("%s: without a question for costs there is %v", tt.name, f.Causes)
			}
		}
	}
}
