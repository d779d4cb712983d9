package local_test

import (
	"context"
	"flag"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

var probecost = flag.Duration("probecost", 0, "compare probed with plain binaries for this `time`")

// TestProbeCost measures what the probe costs the code it measures: the same
// benchmarks in a probed and in a plain binary, in interleaved pairs. It is a
// measurement for the record and decides nothing:
//
//	go test ./internal/host/local -run ProbeCost -probecost 2m -v
func TestProbeCost(t *testing.T) {
	if *probecost == 0 {
		t.Skip("a measurement: give it time with -probecost 2m")
	}
	const pkg = "github.com/gopayoff/payoff/tool/testdata/aa"
	tc, err := gocmd.Find(t.Context(), "../../..", "")
	if err != nil {
		t.Fatal(err)
	}
	targets, _, err := discover.Targets(t.Context(), tc, []string{pkg}, "AA/kind=/variant=a")
	if err != nil {
		t.Fatal(err)
	}
	build := func(plain bool) *measure.Subject {
		l, err := measure.Build(t.Context(), newHost(t, tc), targets[0], measure.BuildOptions{Plain: plain})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	sides := []*measure.Subject{build(true), build(false)}
	listed, _, err := sides[0].List(t.Context(), targets[0].Funcs[0], 2, time.Minute, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	logs := map[measure.Cell][]float64{}
	rng := rand.New(rand.NewPCG(1, 2))
	for end := time.Now().Add(*probecost); time.Now().Before(end); {
		for _, b := range listed {
			for _, procs := range []int{1, 2} {
				c := measure.Cell{Bench: b.Name, Procs: procs}
				n := max(1, int64(5e7/b.PerOp))
				var wall [2]float64
				first := rng.IntN(2)
				for _, side := range []int{first, 1 - first} {
					s, err := sides[side].Run(context.Background(), c, n)
					if err != nil {
						t.Fatal(err)
					}
					wall[side] = s.Wall
				}
				logs[c] = append(logs[c], math.Log(wall[0]/wall[1]))
			}
		}
	}
	rule := stats.DefaultRule
	var all []float64
	for _, b := range listed {
		for _, procs := range []int{1, 2} {
			l := logs[measure.Cell{Bench: b.Name, Procs: procs}]
			all = append(all, l...)
			e := rule.Estimate(l)
			t.Logf("%-36s P=%d plain/probed %.3f [%.3f, %.3f] %d pairs", b.Name, procs, e.Ratio, e.Low, e.High, e.Pairs)
		}
	}
	e := rule.Estimate(all)
	t.Logf("all: plain/probed %.4f [%.4f, %.4f] %d pairs", e.Ratio, e.Low, e.High, e.Pairs)
}
