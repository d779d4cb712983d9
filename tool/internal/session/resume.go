package session

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/gather"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/store"
)

// reopen takes the plan from the run that is to go on.
func (s *session) reopen() (err error) {
	p := &s.plan
	if s.rec, s.run, s.before, err = store.Reopen(p.Resume); err != nil {
		return err
	}
	a := s.run.Asked
	if a == nil {
		return fmt.Errorf("%s does not say what it was asked for, since an older payoff wrote it: measure again", p.Resume)
	}
	if a.Gallery != (p.Gallery != nil) {
		return fmt.Errorf("%s is a run of another command: %s goes on with it", p.Resume, a.Resume(p.Resume))
	}
	p.Packages, p.Bench, p.Base, p.Vs, p.Procs, p.Tags, p.Plain = a.Packages, a.Bench, a.Base, a.Vs, a.Procs, a.Tags, a.Plain
	p.Sample, p.Timeout, p.Layouts = time.Duration(a.Sample), time.Duration(a.Timeout), a.Layouts
	if i := slices.IndexFunc(p.Procs, func(n int) bool { return n < 1 || n > cmdline.MostProcs }); i >= 0 {
		return fmt.Errorf("%s is damaged (GOMAXPROCS=%d): measure again", p.Resume, p.Procs[i])
	}
	p.Bounds, p.Seed = s.run.Bounds, s.run.Seed
	if p.Budget == 0 {
		p.Budget = s.run.Budget
	}
	s.run.Budget = p.Budget
	if s.hints, err = p.check(); err != nil {
		return err
	}
	asked := p.repeat(p.Packages...) // with the budget of now
	s.run.Asked = &asked
	return nil
}

// same refuses to go on where the samples would not belong together. Of the
// capacity then and now it keeps what is less: all samples are judged together.
func (s *session) same(now host.Probe) error {
	was, is := s.run.Env, now.Env
	if was.CPU != is.CPU || was.UsableCPUs != is.UsableCPUs {
		return fmt.Errorf("%s was measured on %s, %s, and this is %s, %s: measure again", s.plan.Resume, was.CPU, figure.Plural(was.UsableCPUs, "processor"), is.CPU, figure.Plural(is.UsableCPUs, "processor"))
	}
	for _, x := range s.before {
		if !slices.ContainsFunc(s.targets, func(t discover.Target) bool { return t.Package == x.Package }) {
			return fmt.Errorf("%s has samples of %s, which is not found from here: continue it in the folder where it was begun", s.plan.Resume, x.Package)
		}
	}
	for i, c := range s.run.Capacity {
		for _, x := range now.Capacity {
			if x.Procs == c.Procs && x.Cores < c.Cores {
				s.run.Capacity[i] = x
			}
		}
	}
	for _, x := range s.before {
		s.run.Tell(x)
	}
	return nil
}

// measured is what the run that goes on has of a package; nil if it had not come
// to it.
func (s *session) measured(pkg string) *measure.Series {
	for _, x := range s.before {
		if x.Package == pkg {
			return x
		}
	}
	return nil
}

// over reports whether nothing is left to do for x: its comparisons are decided
// or it had as much budget, and so it is with its causes.
func (s *session) over(x *measure.Series) bool {
	lacks := func(missing string) bool {
		return missing == gather.CutShort || s.plan.Budget > x.Budget && strings.HasSuffix(missing, gather.Spent)
	}
	if s.plan.Causes != None && slices.ContainsFunc(x.Missing, lacks) {
		return false
	}
	switch x.End {
	case measure.Decided, measure.Exhausted:
		return true
	case measure.Budget:
		return s.plan.Budget <= x.Budget
	}
	return false
}
