package session

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/store"
)

// replay goes through a recorded run from judging on.
func (s *session) replay() error {
	var series []*measure.Series
	var damage error
	s.run, series, damage = store.Load(s.plan.From)
	if damage != nil && len(series) == 0 {
		return damage
	}
	for _, x := range series {
		s.judge(x)
	}
	if err := s.choose(); err != nil {
		return err
	}
	s.known = true
	return damage
}

// choose keeps to the benchmarks that are asked for: by a pattern as of go
// test, or else by what reports call them, the variant.
func (s *session) choose() error {
	bench := s.plan.Bench
	if bench == "" {
		return nil
	}
	match, err := discover.Matcher(bench)
	if err != nil {
		return fmt.Errorf("benchmark %q: %w", bench, err)
	}
	any := func() bool {
		return slices.ContainsFunc(s.results, func(r judge.Result) bool {
			return slices.ContainsFunc(r.Verdicts, func(v judge.Verdict) bool { return match(v.New.Bench) })
		})
	}
	if !any() {
		if re, err := regexp.Compile(bench); err == nil {
			match = re.MatchString
		}
	}
	if !any() {
		return fmt.Errorf("no benchmark of %s matches %q: %s shows them", s.plan.From, bench, plain.Shell("payoff", "replay", s.plan.From))
	}
	s.match = match
	return nil
}
