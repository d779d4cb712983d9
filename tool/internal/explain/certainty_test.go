package explain

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stack"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// Shares have the interval that the differences of processes give them, and no
// smaller one than their samples allow. Causes that may be as large as the first
// are a tie.
func TestCertainty(t *testing.T) {
	find := func(samples int, chans ...float64) []Cause {
		p := healthy()
		p.wall1, p.cpu1 = 60*ms, 60*ms
		p.one = shares{stack.User: 1. / 6, stack.Chan: 0, stack.Alloc: 0}
		s, _ := p.series(t)
		set := s.Evidence[measure.Cell{Bench: "BenchmarkX/variant=new", Procs: 1}]
		all := shares{}
		for _, x := range chans {
			by := shares{stack.User: 1. / 6, stack.Chan: x, stack.Alloc: 5./6 - x}
			set.Profiles = append(set.Profiles, evidence.Profile{Samples: samples, Share: by})
			for c, share := range by {
				all[c] += share / float64(len(chans))
			}
		}
		set.CPU.Samples, set.CPU.Share = samples*len(chans), all
		set.Trace.Goroutines = 0
		for _, f := range Explain(s, judge.Judge(s, stats.DefaultRule, stats.DefaultBounds), prices, false) {
			if f.Verdict.New.Procs == 1 && f.Verdict.Kind == measure.Variant {
				return f.Causes
			}
		}
		return nil
	}
	for _, tt := range []struct {
		name          string
		samples       int
		chans         []float64
		tie           bool
		least, atMost float64 // width of the first cause's interval
	}{
		{"equal processes", 1000, []float64{0.6, 0.6, 0.6}, false, 0.05, 0.15},
		{"few samples", 10, []float64{0.6, 0.6, 0.6}, true, 0.5, 1},
		{"processes that differ", 1000, []float64{0.75, 0.45, 0.5}, true, 0.5, 1},
		{"nearly equal causes", 1e6, []float64{0.43, 0.43, 0.43}, true, 0, 0.05},
		{"one process", 1000, []float64{0.43}, false, math.NaN(), math.NaN()},
	} {
		got := find(tt.samples, tt.chans...)
		if len(got) != 2 {
			t.Fatalf("%s: causes %+v, want two", tt.name, got)
		}
		c := got[0]
		if c.Slug != "handoff" || c.Tie != tt.tie || got[1].Tie != tt.tie {
			t.Errorf("%s: %s, tie %t and %t; want handoff, tie %t", tt.name, c.Slug, c.Tie, got[1].Tie, tt.tie)
		}
		if w := c.High - c.Low; w < tt.least || w > tt.atMost || math.IsNaN(w) != math.IsNaN(tt.least) || c.Low > c.Share || c.High < c.Share {
			t.Errorf("%s: %.2f [%.2f, %.2f], want a width from %.2f to %.2f", tt.name, c.Share, c.Low, c.High, tt.least, tt.atMost)
		}
	}
}

// The interval of a share holds the truth as often as it says, also where the
// cause has almost all of what was lost, and is not all that a share can be.
func TestCoverage(t *testing.T) {
	const (
		processes, samples = 3, 27 // about what profiles of one processor have
		trials             = 300
	)
	p := healthy()
	p.wall1, p.cpu1 = 60*ms, 60*ms // of which the base takes a sixth
	s, r := p.series(t)
	i := slices.IndexFunc(r.Verdicts, func(v judge.Verdict) bool { return v.Kind == measure.Variant && v.New.Procs == 1 })
	set := s.Evidence[r.Verdicts[i].New]
	set.Trace.Goroutines = 0
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, tt := range []struct{ share, wide float64 }{{0.2, 0.6}, {0.5, 0.7}, {0.8, 0.6}, {0.95, 0.4}, {0.99, 0.35}, {1, 0.35}} {
		truth := shares{stack.User: 1. / 6, stack.Chan: tt.share * 5 / 6}
		seen, covered, width := 0, 0, 0.0
		for range trials {
			set.Profiles = nil
			all := shares{stack.User: 0, stack.Chan: 0, stack.Alloc: 0}
			for range processes {
				by := shares{stack.User: 0, stack.Chan: 0, stack.Alloc: 0}
				for range samples {
					switch x := rnd.Float64(); {
					case x < truth[stack.User]:
						by[stack.User] += 1. / samples
					case x < truth[stack.User]+truth[stack.Chan]:
						by[stack.Chan] += 1. / samples
					default:
						by[stack.Alloc] += 1. / samples
					}
				}
				set.Profiles = append(set.Profiles, evidence.Profile{Samples: samples, Share: by})
				for c, share := range by {
					all[c] += share / processes
				}
			}
			set.CPU.Samples, set.CPU.Share = processes*samples, all
			for _, c := range explain(s, r, r.Verdicts[i], prices).Causes {
				if c.Slug == "handoff" { // what takes less than a tenth is no cause
					seen++
					width += c.High - c.Low
					if c.Low <= tt.share && tt.share <= c.High+1e-9 {
						covered++
					}
				}
			}
		}
		if n := float64(seen); seen < trials*3/4 || float64(covered) < 0.95*n || width/n > tt.wide {
			t.Errorf("a share of %v: %d of %d intervals hold it, %.2f wide; want 95 %%, %v wide at most", tt.share, covered, seen, width/n, tt.wide)
		}
	}
}
