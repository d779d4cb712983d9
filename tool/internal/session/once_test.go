package session

import (
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/measure"
)

// TestSpentOnce: a benchmark is told of what it times once, with the line that it is
// of; neither for one held up sample nor where it loops with b.Loop.
func TestSpentOnce(t *testing.T) {
	const name = "BenchmarkX/a"
	for _, tt := range []struct {
		name  string
		bench []string
		few   []float64 // ns an operation of samples of 10 operations; 1e4 in those of 1,000
		f     discover.Func
		want  []string // parts of the only note
	}{
		{"set-up", []string{name}, []float64{2e5, 2e5, 2e5}, discover.Func{Setup: "x_test.go:7"}, []string{"p: BenchmarkX/a: about 1.9", "8.0", "set-up at x_test.go:7"}},
		{"elsewhere", []string{name}, []float64{2e5, 2e5, 2e5}, discover.Func{}, []string{"b.StopTimer before the teardown"}},
		{"held up once", []string{name}, []float64{2e5}, discover.Func{}, nil},
		{"b.Loop", []string{name}, []float64{2e5, 2e5, 2e5}, discover.Func{Loops: true}, nil},
		{"under a millisecond", []string{name}, []float64{1e5, 1e5, 1e5}, discover.Func{}, nil},
		{"two states of the code", []string{discover.CodeName(name, discover.Old), discover.CodeName(name, discover.New)},
			[]float64{2e5, 2e5, 2e5}, discover.Func{}, []string{"p: BenchmarkX/a: about"}},
	} {
		s := &measure.Series{Package: "p", Procs: []int{1}}
		for _, b := range tt.bench {
			s.Listed = append(s.Listed, measure.Listed{Name: b})
			c := measure.Cell{Bench: b, Procs: 1}
			for _, w := range tt.few {
				s.Calibrate(c, measure.Sample{N: 10, Wall: w})
			}
			s.Calibrate(c, measure.Sample{N: 1000, Wall: 1e4})
		}
		tt.f.Name = "BenchmarkX"
		notes := spentOnce(s, []discover.Func{{Name: "BenchmarkY", Setup: "y"}, tt.f})
		if len(notes) != min(1, len(tt.want)) {
			t.Errorf("%s: %d notes: %v", tt.name, len(notes), notes)
			continue
		}
		for _, part := range tt.want {
			if !strings.Contains(notes[0].String()+notes[0].Next, part) || !notes[0].Note {
				t.Errorf("%s: note %v; want %q", tt.name, notes[0], part)
			}
		}
	}
}
