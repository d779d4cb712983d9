package local_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/host/local"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/problem"
)

const subject = `package m

import (
	"runtime"
	"sync"
	"testing"
)

var (
	sink int
	keep []byte
)

func BenchmarkCounts(b *testing.B) {
	b.SetBytes(64)
	for i := 0; i < b.N; i++ {
		var wg sync.WaitGroup
		for j := 0; j < 3; j++ {
			wg.Add(1)
			go wg.Done()
		}
		wg.Wait()
		keep = make([]byte, 1000)
	}
	b.ReportMetric(float64(runtime.GOMAXPROCS(0)), "procs")
}

// What stands outside of the timed region is not in its figures.
func BenchmarkTimer(b *testing.B) {
	spawn := func(n int) {
		var wg sync.WaitGroup
		wg.Add(n)
		for i := 0; i < n; i++ {
			go wg.Done()
		}
		wg.Wait()
		runtime.GC()
	}
	spawn(1000)
	b.StopTimer()
	b.ResetTimer()
	b.StartTimer()
	spawn(1000)
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		b.StopTimer()
		spawn(10)
		b.StartTimer()
		for j := 0; j < 100000; j++ {
			sink += j
		}
	}
	b.StopTimer()
	spawn(1000)
}

func BenchmarkSubs(b *testing.B) {
	b.Run("a b", BenchmarkTimer)
	b.Run("", func(b *testing.B) { b.Skip("not today") })
	b.Run("(", func(b *testing.B) { b.Fatal("wrong") })
	b.Run("boom", func(b *testing.B) { panic("boom") })
	b.Run("z", BenchmarkTimer)
}
`

func newHost(t *testing.T, tc *gocmd.Toolchain) *local.Host {
	dir := t.TempDir()
	return local.New(dir, local.NewCompiler(tc, dir, ""))
}

// module writes a module of one package for a release of Go, and returns the toolchain there
// and what is to be measured.
func module(t *testing.T, release string, files map[string]string) (*gocmd.Toolchain, discover.Target) {
	t.Helper()
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	dir := t.TempDir()
	files["go.mod"] = "module example.com/m\n\ngo " + release + "\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tc, err := gocmd.Find(t.Context(), dir, "")
	if errors.Is(err, gocmd.ErrNoGo) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	targets, problems, err := discover.Targets(t.Context(), tc, nil, ".")
	if err != nil || len(targets) != 1 || len(problems) > 0 {
		t.Fatalf("Targets = %v, %v, %v", targets, problems, err)
	}
	return tc, targets[0]
}

// build compiles the subject once for all subtests.
func build(t *testing.T, plain bool) (*measure.Subject, *local.Host, *[]problem.Problem) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: compiles a test binary")
	}
	tc, target := module(t, "1.22", map[string]string{"m_test.go": subject})
	var notes []problem.Problem
	h := newHost(t, tc)
	l, err := measure.Build(t.Context(), h, target, measure.BuildOptions{Plain: plain, Note: func(p problem.Problem) { notes = append(notes, p) }})
	if err != nil {
		t.Fatal(err)
	}
	return l, h, &notes
}

func TestLocal(t *testing.T) {
	l, h, notes := build(t, false)
	run := func(bench string, procs int, n int64) measure.Sample {
		t.Helper()
		s, err := l.Run(t.Context(), measure.Cell{Bench: bench, Procs: procs}, n)
		if err != nil {
			t.Fatal(err)
		}
		if s.N != n || int(s.ActualProcs) != procs || !(s.Wall > 0) {
			t.Errorf("%s: N, ActualProcs, Wall = %d, %d, %v; want %d, %d, > 0", bench, s.N, s.ActualProcs, s.Wall, n, procs)
		}
		return s
	}
	t.Run("figures are per operation", func(t *testing.T) {
		for _, procs := range []int{1, 2, 5} {
			s := run("BenchmarkCounts", procs, 500)
			if s.Extra["procs"] != float64(procs) || s.SetBytes != 64 {
				t.Errorf("procs, SetBytes = %v, %v; want %d, 64", s.Extra["procs"], s.SetBytes, procs)
			}
			if s.Bytes < 1000 || s.Bytes > 2000 || s.Allocs < 1 || s.Allocs > 10 {
				t.Errorf("Bytes, Allocs = %v, %v; want 1000 and some, 1 and some", s.Bytes, s.Allocs)
			}
			if local.CountsGoroutines(runtime.Version()) && (s.Goroutines < 3 || s.Goroutines > 3.5) {
				t.Errorf("Goroutines = %v, want 3", s.Goroutines)
			}
			if !(s.Got > 0 && s.Got <= 1) || s.GC < 0 || s.MutexWait < 0 || s.CPU < 0 {
				t.Errorf("Got, GC, MutexWait, CPU = %v, %v, %v, %v", s.Got, s.GC, s.MutexWait, s.CPU)
			}
		}
	})
	t.Run("outside of the timer", func(t *testing.T) {
		s := run("BenchmarkTimer", 2, 100)
		// The runtime may start a worker of its own now and then.
		if local.CountsGoroutines(runtime.Version()) && s.Goroutines > 0.5 {
			t.Errorf("Goroutines = %v, want none of those spawned while the timer was off", s.Goroutines)
		}
		if s.GC > 0.5 {
			t.Errorf("GC = %v, want none of those run while the timer was off", s.GC)
		}
	})
	t.Run("list", func(t *testing.T) { checkList(t, l) })
	if len(*notes) != 0 {
		t.Errorf("notes %v, want none", *notes)
	}
	t.Run("cancel", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errors.New("enough"))
		if _, err := l.Run(ctx, measure.Cell{Bench: "BenchmarkCounts", Procs: 1}, 1e9); err == nil || err.Error() != "enough" {
			t.Errorf("Run after cancel = %v, want its cause", err)
		}
	})
	t.Run("no such benchmark", func(t *testing.T) {
		var broken *measure.Broken
		if _, err := l.Run(t.Context(), measure.Cell{Bench: "BenchmarkGone", Procs: 1}, 1); !errors.As(err, &broken) {
			t.Errorf("Run of a missing benchmark = %v, want it Broken", err)
		}
	})
	t.Run("no binary", func(t *testing.T) {
		h.RemoveBinaries(t)
		var broken *measure.Broken
		if _, err := l.Run(t.Context(), measure.Cell{Bench: "BenchmarkCounts", Procs: 1}, 1); !errors.As(err, &broken) || broken.Problem.Next == "" {
			t.Errorf("Run without a binary = %v, want it Broken", err)
		}
	})
	if left := h.Left(t); len(left) > 0 {
		t.Errorf("processes left %q", left)
	}
}

func TestLocalPlain(t *testing.T) {
	l, _, _ := build(t, true)
	if len(l.Missing) == 0 || !strings.Contains(l.Missing[0], "switched off") {
		t.Errorf("Missing = %v, want what the probe would have told", l.Missing)
	}
	s, err := l.Run(t.Context(), measure.Cell{Bench: "BenchmarkCounts", Procs: 2}, 500)
	if err != nil || s.N != 500 || !(s.Wall > 0) || s.Extra["procs"] != 2 || s.CPU == s.CPU {
		t.Errorf("Run = %+v, %v; want 500 operations at 2 processors, CPU unknown", s, err)
	}
	checkList(t, l)
}

// checkList: what works is found, what fails, skips itself or crashes is
// named, each once.
func checkList(t *testing.T, l *measure.Subject) {
	found, problems, err := l.List(t.Context(), discover.Func{Name: "BenchmarkSubs", Pattern: "^BenchmarkSubs$"}, 2, time.Minute, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	var names, said []string
	for _, f := range found {
		names = append(names, f.Name)
	}
	for _, p := range problems {
		said = append(said, fmt.Sprintf("%s: %s (%v)", p.Benchmark, p.Reason, p.Note))
	}
	slices.Sort(said)
	if got, want := strings.Join(names, " "), "BenchmarkSubs/a_b BenchmarkSubs/z"; got != want {
		t.Errorf("found %s, want %s", got, want)
	}
	want := []string{
		"BenchmarkSubs/#00: skips itself (m_test.go:59: not today) (true)",
		"BenchmarkSubs/(: fails (m_test.go:60: wrong) (false)",
		"BenchmarkSubs/boom: panic: boom (false)",
	}
	if !slices.Equal(said, want) {
		t.Errorf("problems\n%s\nwant\n%s", strings.Join(said, "\n"), strings.Join(want, "\n"))
	}
}
