package local_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/measure"
)

const asking = `package m

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"testing"
	"time"
)

var early, count = runtime.GOMAXPROCS(0), runtime.NumCPU()

func BenchmarkAsks(b *testing.B) {
	s := []metrics.Sample{{Name: "/sched/gomaxprocs:threads"}}
	metrics.Read(s)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
		}
	})
	b.ReportMetric(float64(early), "early")
	b.ReportMetric(float64(count), "count")
	b.ReportMetric(float64(runtime.GOMAXPROCS(0)), "now")
	b.ReportMetric(float64(runtime.NumCPU()), "cpus")
	b.ReportMetric(float64(s[0].Value.Uint64()), "metric")
}

func BenchmarkHolds(b *testing.B) {
	for range b.N {
		var wg sync.WaitGroup
		var mu sync.Mutex
		for range runtime.GOMAXPROCS(0) {
			wg.Add(1)
			go func() {
				defer wg.Done()
				mu.Lock()
				defer mu.Unlock()
				for from := time.Now(); time.Since(from) < 20*time.Microsecond; {
				}
			}()
		}
		wg.Wait()
	}
}
`

// TestAskers: code that asks for the number of processors is told that of the cell, and the
// trace shows the goroutines that are started for it on one processor.
func TestAskers(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiles the runtime")
	}
	tc, target := module(t, "1.22", map[string]string{"m_test.go": asking})
	bin, err := measure.Build(t.Context(), newHost(t, tc), target, measure.BuildOptions{Askers: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, procs := range []int{1, 3, 128} {
		s, files, err := bin.Collect(t.Context(), measure.Cell{Bench: "BenchmarkAsks", Procs: procs}, 1000, measure.Trace, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, asked := range []string{"early", "count", "now", "cpus", "metric"} {
			if got := s.Extra[asked]; got != float64(procs) {
				t.Errorf("at %d %s is told %v", procs, asked, got)
			}
		}
		graphs, err := exectrace.GraphsOf(files[measure.Trace], exectrace.Options{})
		if err != nil || len(graphs) != 1 {
			t.Fatalf("%d graphs, %v, want 1", len(graphs), err)
		}
		if n, _ := graphs[0].Spawned(); n != procs || graphs[0].Procs != 1 {
			t.Errorf("told of %d it starts %d goroutines on %d processors, want %d on 1", procs, n, graphs[0].Procs, procs)
		}
	}
	_, files, err := bin.Collect(t.Context(), measure.Cell{Bench: "BenchmarkHolds", Procs: 3}, 10, measure.Trace, false)
	if err != nil {
		t.Fatal(err)
	}
	graphs, err := exectrace.GraphsOf(files[measure.Trace], exectrace.Options{})
	if err != nil || len(graphs) != 1 {
		t.Fatalf("%d graphs, %v, want 1", len(graphs), err)
	}
	held := 0
	for _, th := range graphs[0].Threads {
		for i, a := range th.Acts {
			if a.Do == exectrace.DoLock && th.Acts[i+1].Do == exectrace.DoRun && th.Acts[i+1].Time >= 15_000 {
				held++
			}
		}
	}
	if held < 30 {
		t.Errorf("a lock is held for 20 µs %d times by its trace, want 30", held)
	}
	if _, err := measure.Build(t.Context(), newHost(t, tc), target, measure.BuildOptions{Askers: true, Plain: true}); err == nil {
		t.Error("it is built without the probe, and would tell what is not so")
	}
}
