package evidence

import (
	"math"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

func TestSound(t *testing.T) {
	sound := func() *Set {
		return &Set{
			Bench: "B", Procs: 2, Profiled: &Run{N: 1, Wall: 5, CPU: 5}, CPU: &cpuprof.Digest{Samples: 1, Share: map[stack.Category]float64{stack.User: 1}, Flame: []cpuprof.Frame{{Share: 1}, {Depth: 1, Share: 1}, {Share: 0}}},
			Traced: &Run{N: 1, Wall: 5}, Trace: &exectrace.Facts{Window: 5, Running: []float64{0, 0.5, 0.5}, Timeline: &exectrace.Timeline{Running: []float64{1, 1}, System: []float64{0, 0}, Ready: []float64{0, 0}, Alone: []float64{0, 1}, Who: []int{-1, 0}, Sites: make([]source.Place, 1)}},
			Counters: &Counters{Instructions: 1, Cycles: 1}, Sharing: &Sharing{Pad: &Trial{Ratio: 1, Low: 0.9, High: 1.1}},
		}
	}
	if err := sound().Sound(); err != nil {
		t.Fatal(err)
	}
	for name, harm := range map[string]func(*Set){
		"no operations under the profile": func(s *Set) { s.Profiled.N = 0 },
		"no operations under the trace":   func(s *Set) { s.Traced.N = -1 },
		"a trace without its run":         func(s *Set) { s.Traced = nil },
		"no window":                       func(s *Set) { s.Trace.Window = 0 },
		"no processors":                   func(s *Set) { s.Trace.Running = nil },
		"empty counters":                  func(s *Set) { s.Counters = &Counters{} },
		"a negative share":                func(s *Set) { s.CPU.Share[stack.Chan] = -0.1 },
		"an absurd share":                 func(s *Set) { s.CPU.Share[stack.Chan] = 1e300 },
		"a negative time":                 func(s *Set) { s.Trace.Blocks = []exectrace.Block{{Total: -1}} },
		"no number":                       func(s *Set) { s.Sharing.Pad.Low = math.NaN() },
		"an infinite number":              func(s *Set) { s.Trace.Idle.Serial = math.Inf(1) },
		"a frame without its caller":      func(s *Set) { s.CPU.Flame[1].Depth = 2 },
		"a frame above all":               func(s *Set) { s.CPU.Flame[0].Depth = -1 },
		"a short column":                  func(s *Set) { s.Trace.Timeline.Alone = nil },
		"a site that is not there":        func(s *Set) { s.Trace.Timeline.Who[1] = 1 },
	} {
		s := sound()
		harm(s)
		if s.Sound() == nil {
			t.Errorf("%s passes", name)
		}
	}
}
