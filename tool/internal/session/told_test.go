package session

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/gather"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/record"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// TestForecastTold: what a program does when it is told of other processors is read with the
// number, and with how much longer it takes so.
func TestForecastTold(t *testing.T) {
	data, err := record.Profile(filepath.Join("..", "exectrace", "testdata", "forkjoin.p1.trace.gz"))
	if err != nil {
		t.Fatal(err)
	}
	one := measure.Cell{Bench: "BenchmarkX", Procs: 1}
	dir := t.TempDir()
	var files []string
	for _, name := range []string{gather.TraceName(one), gather.ToldName(measure.Cell{Bench: "BenchmarkX", Procs: 2}), gather.ToldName(measure.Cell{Bench: "BenchmarkX", Procs: 12})} {
		files = append(files, filepath.Join(dir, "001"+name))
		if err := os.WriteFile(files[len(files)-1], data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := &measure.Series{Samples: map[measure.Cell][]measure.Sample{one: {{Wall: 100, N: 1}}}, Evidence: map[measure.Cell]*evidence.Set{one: {Told: []evidence.Told{{Procs: 2, N: 7, Longer: 1.5}}}}}
	in, err := Forecast{}.input(s, "BenchmarkX", files)
	if err != nil {
		t.Fatal(err)
	}
	if len(in.Traces) != 2 || in.Traces[0].Told != 0 {
		t.Fatalf("%d traces, want that at 1 and that told of 2; of 12 nothing is known", len(in.Traces))
	}
	if x := in.Traces[1]; x.Procs != 1 || x.Told != 2 || x.Longer != 1.5 || x.N != 7 || len(x.Graphs) == 0 {
		t.Errorf("at %d, told of %d, %v as long, %d operations, %d graphs; want 1, 2, 1.5, 7 and some", x.Procs, x.Told, x.Longer, x.N, len(x.Graphs))
	}
}

// A select locks its channels, which a trace at one processor does not show.
func TestLocksOfSelect(t *testing.T) {
	c := measure.Cell{Bench: "BenchmarkX", Procs: 1}
	s := &measure.Series{Evidence: map[measure.Cell]*evidence.Set{
		c: {Bench: c.Bench, Procs: 1, CPU: &cpuprof.Digest{Share: map[stack.Category]float64{stack.Lock: 0.25, stack.Select: 0.5}}},
	}}
	s.Add(c, measure.Sample{N: 1, Wall: 1, CPU: 1})
	if in, err := (Forecast{}).input(s, c.Bench, nil); err != nil || in.Locks != 0.75 {
		t.Errorf("locks have %v (%v), want 0.75", in.Locks, err)
	}
}
