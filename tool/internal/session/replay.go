package session

import (
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/predict"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/record"
	"github.com/gopayoff/payoff/tool/internal/store"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

// replay goes through a recorded run from judging on.
func (s *session) replay() error {
	var series []*measure.Series
	var damage error
	read := store.Load
	if s.plan.Unexplained {
		read = store.LoadSamples
	}
	s.run, series, damage = read(s.plan.From)
	if damage != nil && len(series) == 0 {
		return damage
	}
	if s.hints.Base != nil {
		var err error
		if series, err = regroup(series, s.hints); err != nil {
			return err
		}
	}
	for _, x := range series {
		s.take(x)
		if !s.plan.Unexplained {
			var seen []predict.Prediction
			if _, err := store.Part(s.plan.From, x.Package, foreseenPart, &seen); err != nil {
				damage = errors.Join(damage, err)
			}
			s.foreseen[x.Package] = seen
		}
		t := &verify.Treatment{}
		switch known, err := store.Part(s.plan.From, x.Package, curePart, t); {
		case err != nil:
			damage = errors.Join(damage, err)
		case t.Edits() > record.EditLimit:
			damage = errors.Join(damage, &record.LimitError{File: curePart + " of " + x.Package, Name: "EditLimit", Most: record.EditLimit})
		case known:
			s.treated[x.Package] = t
		}
	}
	if err := s.choose(); err != nil {
		return err
	}
	s.known = true
	return damage
}

// regroup makes other pairs of recorded packages. One in which nothing matches
// keeps the pairs that it has.
func regroup(recorded []*measure.Series, hints discover.Hints) ([]*measure.Series, error) {
	series := slices.Clone(recorded)
	var none error
	made := false
	for i, x := range recorded {
		r := measure.Regroup(x, hints)
		paired := slices.ContainsFunc(r.Families, func(f discover.Family) bool { return f.Base >= 0 })
		stop := slices.IndexFunc(r.Problems, func(p problem.Problem) bool { return p.Pairs && !p.Note })
		switch {
		case paired:
			series[i], made = r, true
		case len(r.Families) == 0 && stop >= 0:
			return nil, errors.New(r.Problems[stop].String())
		case stop >= 0 && none == nil:
			none = errors.New(r.Problems[stop].String())
		}
	}
	if !made && none != nil {
		return nil, none
	}
	return series, nil
}

// choose keeps to the benchmarks that are asked for: by a pattern as of go
// test, or else by what reports call them, the variant.
func (s *session) choose() error {
	bench := s.plan.Bench
	if bench == "" || bench == "." || !slices.ContainsFunc(s.results, func(r judge.Result) bool { return len(r.Verdicts) > 0 }) {
		return nil // all, or what there is to choose from is nothing, as the report says
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
