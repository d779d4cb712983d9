package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
	"github.com/gopayoff/payoff/tool/internal/store"
)

// TestReplayMemory: a big run, 1,000 benchmarks at 10 processor counts with
// 48 samples each, is reported in less than 175 MB beside the binary; one with a fifth of the
// benchmarks in less than 60.
func TestReplayMemory(t *testing.T) {
	if dir := os.Getenv("PAYOFF_TEST_REPLAY"); dir != "" {
		code := run([]string{"payoff", "replay", dir}, io.Discard, os.Stderr)
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		fmt.Print(m.Sys)
		os.Exit(code)
	}
	if testing.Short() {
		t.Skip("-short: writes 60 MB")
	}
	if race {
		t.Skip("the race detector's own memory would be measured")
	}
	const samples = 48
	benchmarks, most := 200, int64(60)
	if stress.Long() {
		benchmarks, most = 1000, 175
	}
	procs := []int{1, 2, 3, 4, 6, 8, 12, 16, 24, 32}
	dir := t.TempDir()
	rec, err := store.Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	run := store.Run{Rule: stats.DefaultRule, Bounds: stats.DefaultBounds}
	if err := rec.Put(run); err != nil {
		t.Fatal(err)
	}
	var names []string
	for i := range benchmarks {
		names = append(names, fmt.Sprintf("BenchmarkThing/variant=%s/n=%d", []string{"serial", "parallel"}[i%2], i/2))
	}
	s := &measure.Series{Package: "example.com/big", Procs: procs, Families: discover.Families(names, discover.Hints{}), End: measure.Exhausted}
	p, err := rec.Package(run, s)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for round := range samples {
		for _, name := range names {
			for _, n := range procs {
				wall := 1e6 * (1 + 0.05*rng.NormFloat64())
				x := measure.Sample{Round: int32(round + 1), N: 50, Wall: wall, CPU: wall * float64(n), Goroutines: 2, Allocs: 3, Bytes: 120, Got: 1}
				if err := p.Sample(measure.Cell{Bench: name, Procs: n}, x, ""); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if err := p.Close(s); err != nil {
		t.Fatal(err)
	}
	// What the runtime took of the system counts, and not what of the binary happens to
	// be mapped. A collector that other work keeps from its processor is late, which only
	// adds. So it is told what there is, and the least of three counts.
	least := int64(math.MaxInt64)
	for range 3 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestReplayMemory$")
		cmd.Env = append(os.Environ(), "PAYOFF_TEST_REPLAY="+dir, fmt.Sprintf("GOMEMLIMIT=%dMiB", most*4/5))
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("replay: %v", err)
		}
		sys, err := strconv.ParseInt(string(out), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d MB, %v", sys>>20, cmd.ProcessState.UserTime())
		if least = min(least, sys); least <= most<<20 {
			return
		}
	}
	t.Errorf("replay took %d MB, want less than %d", least>>20, most)
}
