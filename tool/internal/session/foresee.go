package session

import (
	"context"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/predict"
	"github.com/gopayoff/payoff/tool/internal/store"
)

// foreseenPart is the part of a record that holds what was predicted of a package.
const foreseenPart = "predict.json"

// mostForeseen bounds the benchmarks that a run predicts, and foreseenActs what of their
// traces: a second or two. Payoff predict has no such bounds.
const (
	mostForeseen = 6
	foreseenActs = 8000
)

// foresee predicts what more processors would do for benchmarks of which causes were
// sought, and so traces are there. What cannot be predicted is left out: payoff predict
// says why.
func (p *pack) foresee(ctx context.Context) error {
	s := p.series
	if p.plan.Causes == None || p.plan.Told != nil || p.recalled || p.rec == nil {
		return nil
	}
	m, err := predict.NewMachine("", p.run.Env, p.run.Prices, p.run.Capacity)
	if err != nil {
		return nil // the machine was not asked
	}
	top := slices.Max(s.Procs)
	files, err := store.EvidenceFiles(p.session.rec.Path, s.Package, ".trace")
	if err != nil || len(files) == 0 || top < 2 {
		return nil // a record without traces is as good
	}
	f := Forecast{Procs: []int{2 * top, 4 * top, 8 * top}, acts: foreseenActs}
	var all []predict.Prediction
	for _, bench := range benches(s) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		in, _ := f.input(s, bench, files)
		if len(in.Traces) < 2 {
			continue
		}
		p.step("%s: predicting %s", s.Package, bench)
		found, err := predict.Predict(in, m, predict.Options{Procs: f.Procs})
		if err != nil || found.Refused != "" {
			continue
		}
		found.Package = s.Package
		if all = append(all, found); len(all) == mostForeseen {
			break
		}
	}
	if len(all) == 0 {
		return nil
	}
	p.foreseen[s.Package] = all
	if err := p.rec.Part(foreseenPart, all); err != nil {
		return p.recording(err)
	}
	return nil
}

// predictions are those of all packages, in their order.
func (s *session) predictions() (all []predict.Prediction) {
	for _, x := range s.series {
		all = append(all, s.foreseen[x.Package]...)
	}
	return all
}
