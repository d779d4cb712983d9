package gather

import (
	"cmp"
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"time"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/padding"
	"github.com/gopayoff/payoff/tool/internal/sharing"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// A Lab tries what would be if the code of a package were different, through
// overlays.
type Lab struct {
	Toolchain *gocmd.Toolchain
	Package   string
	Dir       string // for what the compiler writes; it must exist
	// Build compiles the package's test binary with changed files.
	Build func(ctx context.Context, change overlay.Overlay) (*measure.Subject, error)
	// Askers compiles it so that code that asks for the number of processors is told of
	// GOMAXPROCS, on a runtime that has one.
	Askers func(ctx context.Context) (*measure.Subject, error)
}

// Rounds and time of a trial: enough to see 10 % on a noisy machine, and what
// padding cures is a multiple.
const (
	trialRounds = 12
	trialTime   = 40 * time.Millisecond
	watchTime   = 200 * time.Millisecond // of the unwatched code; watched, it takes seconds
	watches     = 3

	watchedSlower = 20 // times
)

// sharing watches who writes what and, where goroutines write next to each
// other, moves the variables apart. Only the end of ctx is an error.
func (lab *Lab) sharing(ctx context.Context, g *gathering, c measure.Cell, set *evidence.Set) (*evidence.Sharing, error) {
	x := &evidence.Sharing{}
	refuse := func(err error) (*evidence.Sharing, error) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		x.Refused = append(x.Refused, err.Error())
		return x, nil
	}
	places := hotPlaces(set)
	if len(places) == 0 {
		x.Refused = []string{"the files of its hot lines are not known"}
		return x, nil
	}
	w, err := sharing.Watch(ctx, lab.Toolchain, lab.Package, places)
	if err != nil {
		return refuse(err)
	}
	x.Refused = w.Refused
	if !slices.ContainsFunc(w.Sites, func(s sharing.Watched) bool { return s.Hot }) {
		// What could be watched besides would say nothing of the hot lines.
		if len(x.Refused) == 0 {
			x.Refused = []string{"the hot functions use nothing that others can reach"}
		}
		return x, nil
	}
	watched, err := lab.Build(ctx, w.Overlay)
	if err != nil {
		return refuse(err)
	}
	n, _, took := g.operations(c, watchTime)
	watched.Patience = g.patience(watchedSlower * took)
	for range watches {
		_, files, err := watched.Collect(ctx, c, n, measure.Writes, false)
		if err != nil {
			return refuse(err)
		}
		data, ok := files[measure.Writes]
		if !ok {
			return refuse(errors.New("no watched write was reached"))
		}
		if x.Seen, err = sharing.Parse(data); err != nil {
			return refuse(err)
		}
		if kind, _ := x.Seen.Verdict(); kind != "none" || x.Seen.AtOnce() {
			break // else the system ran them in turns
		}
	}
	if x.Seen.False == 0 {
		return x, nil
	}
	if kind, _ := x.Seen.Verdict(); kind == "none" {
		return x, nil
	}
	met := w.Met(x.Seen, "false")
	if !slices.ContainsFunc(met, func(s sharing.Watched) bool { return s.Hot }) {
		x.Why = "what meets on a line is not what is slow"
		return x, nil
	}
	if err := lab.apart(ctx, g, c, x, met); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		x.Why = err.Error()
	}
	return x, nil
}

// apart tries what it buys to move apart what met.
func (lab *Lab) apart(ctx context.Context, g *gathering, c measure.Cell, x *evidence.Sharing, met []sharing.Watched) error {
	move := func(part padding.Part) (*edit.Draft, error) {
		return padding.Apart(ctx, lab.Toolchain, lab.Package, met, part)
	}
	try := func(e *edit.Draft) (*evidence.Trial, error) { return lab.try(ctx, g, c, e) }
	return tryApart(x, move, try)
}

// tryApart puts into x what it buys to move apart what met. Where all of it buys
// nothing, and elements of slices are among it beside what is there once, each of the
// two is tried: room for each element may cost what the rest saves. What buys something
// counts.
func tryApart(x *evidence.Sharing, move func(padding.Part) (*edit.Draft, error), try func(*edit.Draft) (*evidence.Trial, error)) error {
	all, err := move(padding.All)
	if err != nil {
		return err
	}
	if x.Leaves = all.Leaves; len(all.Does) == 0 {
		return nil
	}
	if x.Pad, err = try(all); err != nil || x.Pad.Low > 1 {
		return err
	}
	for _, part := range []padding.Part{padding.Singles, padding.Elements} {
		e, err := move(part)
		if err != nil {
			return err
		}
		if len(e.Does) == 0 || len(e.Does) == len(all.Does) {
			return nil // they are all of a kind
		}
		t, err := try(e)
		if err != nil {
			return err
		}
		if t.Low > 1 {
			x.Pad = t
			for _, n := range all.Does {
				if !slices.Contains(e.Does, n) {
					x.Leaves = append(slices.Clip(x.Leaves), edit.Note{What: n.What, At: n.At, Says: "with it as well nothing was won"})
				}
			}
			return nil
		}
	}
	return nil
}

// Apart returns the edit that moves apart what met on a line when the evidence was
// gathered, or a part of it.
func Apart(ctx context.Context, tc *gocmd.Toolchain, pkg string, set *evidence.Set, part padding.Part) (*edit.Draft, error) {
	if set.Sharing == nil || set.Sharing.Seen == nil {
		return nil, errors.New("it was not watched which goroutine writes what")
	}
	w, err := sharing.Watch(ctx, tc, pkg, hotPlaces(set))
	if err != nil {
		return nil, err
	}
	return padding.Apart(ctx, tc, pkg, w.Met(set.Sharing.Seen, "false"), part)
}

// try compares code with an edit and the user's, in interleaved pairs.
func (lab *Lab) try(ctx context.Context, g *gathering, c measure.Cell, e *edit.Draft) (*evidence.Trial, error) {
	o, err := e.Overlay()
	if err != nil {
		return nil, err
	}
	changed, err := lab.Build(ctx, o)
	if err != nil {
		return nil, err
	}
	t, err := trial(ctx, g, c, changed)
	if err != nil {
		return nil, err
	}
	t.Does = e.Does
	return t, nil
}

// trial compares a changed binary with the user's, in interleaved pairs.
func trial(ctx context.Context, g *gathering, c measure.Cell, changed *measure.Subject) (*evidence.Trial, error) {
	n, _, took := g.operations(c, trialTime)
	g.c.Patience, changed.Patience = g.patience(took), g.patience(took)
	var logs []float64
	for i := range trialRounds {
		var wall [2]float64
		for j := range 2 {
			which := (i + j) % 2
			var x measure.Sample
			var err error
			if which == 0 {
				x, err = g.c.Run(ctx, c, n)
			} else {
				x, err = changed.Run(ctx, c, n)
			}
			if err != nil {
				return nil, err
			}
			wall[which] = x.Wall
		}
		logs = append(logs, math.Log(wall[0]/wall[1]))
	}
	e := g.o.Rule.Estimate(logs)
	return &evidence.Trial{Ratio: e.Ratio, Low: e.Low, High: e.High, Pairs: e.Pairs}, nil
}

// hotPlaces are the lines of user code with the most time, at most 16.
func hotPlaces(set *evidence.Set) []source.Place {
	var out []source.Place
	if set.CPU == nil {
		return nil
	}
	for _, l := range set.CPU.Lines {
		p := source.Place{File: l.File, Line: l.Line}
		if l.Share >= 0.02 && filepath.IsAbs(l.File) && !slices.Contains(out, p) && len(out) < 16 {
			out = append(out, p)
		}
	}
	return out
}

// escapes asks the compiler why the lines that allocate most do.
func (lab *Lab) escapes(ctx context.Context, set *evidence.Set) error {
	type alloc struct {
		source.Place
		share float64
	}
	var lines []alloc
	for _, l := range set.CPU.Lines {
		if share := l.By[stack.Alloc] + l.By[stack.GC]; share > 0.02 {
			lines = append(lines, alloc{l.Place, share})
		}
	}
	slices.SortStableFunc(lines, func(a, b alloc) int { return cmp.Compare(b.share, a.share) })
	if len(lines) == 0 {
		return nil
	}
	said, err := lab.Toolchain.Diagnose(ctx, lab.Package, lab.Dir)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		set.Missing = append(set.Missing, "compiler diagnostics: "+err.Error())
		return nil
	}
	set.Escapes = []evidence.Escape{}
	for _, l := range lines {
		for _, d := range said {
			e := evidence.Escape{Place: d.Place, Message: d.Message}
			if d.OnLine(l.Place) && d.Code == "escapes" && !slices.Contains(set.Escapes, e) {
				set.Escapes = append(set.Escapes, e)
			}
		}
	}
	return nil
}
