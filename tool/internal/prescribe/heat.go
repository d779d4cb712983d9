package prescribe

import (
	"cmp"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/vet/heat"
)

// Heat is what findings and the evidence behind them say of lines of source.
// Each benchmark is in it at each GOMAXPROCS it was explained at: by the finding
// that lost most. run names the record.
func Heat(run string, findings []explain.Finding) *heat.Map {
	m := &heat.Map{Run: run}
	for _, f := range worst(findings) {
		m.Benches = append(m.Benches, bench(f))
	}
	return m
}

// worst are the findings of which each cell has one, most processors first.
func worst(findings []explain.Finding) (out []explain.Finding) {
	at := map[measure.Cell]int{}
	for _, f := range findings {
		i, ok := at[f.Verdict.New]
		switch {
		case !ok:
			at[f.Verdict.New] = len(out)
			out = append(out, f)
		case f.Lost > out[i].Lost:
			out[i] = f
		}
	}
	slices.SortStableFunc(out, func(a, b explain.Finding) int { return cmp.Compare(b.Verdict.New.Procs, a.Verdict.New.Procs) })
	return out
}

func bench(f explain.Finding) heat.Bench {
	b := heat.Bench{Name: f.Verdict.New.Bench, Procs: f.Verdict.New.Procs, Verdict: string(f.Verdict.Word), Causes: map[string]float64{}}
	line := func(file string, n int) *heat.Line {
		i := slices.IndexFunc(b.Lines, func(l heat.Line) bool { return l.File == file && l.Line == n })
		if i < 0 {
			i = len(b.Lines)
			b.Lines = append(b.Lines, heat.Line{File: file, Line: n})
		}
		return &b.Lines[i]
	}
	for _, c := range f.Causes {
		b.Causes[c.Slug] = c.Share
	}
	if f.Lost > 0 {
		for _, l := range f.Losses {
			if l.Place.Line == 0 {
				continue
			}
			at := line(l.Place.File, l.Place.Line)
			if at.Causes == nil {
				at.Causes = map[string]float64{}
			}
			at.Causes[l.Slug] += l.NS / f.Lost
		}
	}
	set := f.Page.Evidence()
	if set == nil {
		return b
	}
	// Who called is hot by what the called do, if a check counts that.
	called := func(by []source.Place, waits bool) {
		for _, p := range by {
			if p.Line > 0 {
				at := line(p.File, p.Line)
				at.Above = at.Above || waits
			}
		}
	}
	if set.CPU != nil {
		for _, l := range set.CPU.Lines {
			if l.Line > 0 {
				at := line(l.File, l.Line)
				at.Share += l.Share
				for _, c := range l.Callers {
					at.Callers = append(at.Callers, heat.Caller{File: c.File, Line: c.Line, Share: c.Share, Root: c.Root})
				}
			}
		}
		called(set.CPU.Callers, false)
	}
	if set.Trace != nil {
		called(set.Trace.Callers, true)
	}
	for _, e := range set.Escapes {
		if l := line(e.File, e.Line); !slices.Contains(l.Escapes, e.Message) {
			l.Escapes = append(l.Escapes, e.Message)
		}
	}
	return b
}
