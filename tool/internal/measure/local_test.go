package measure

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

// build compiles the subject once for all subtests.
func build(t *testing.T, plain bool) (*Local, *[]discover.Problem) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: compiles a test binary")
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.22\n", "m_test.go": subject} {
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
	var notes []discover.Problem
	l, err := Build(t.Context(), tc, targets[0], BuildOptions{Dir: t.TempDir(), Cache: t.TempDir(), Plain: plain, Note: func(p discover.Problem) { notes = append(notes, p) }})
	if err != nil {
		t.Fatal(err)
	}
	return l, &notes
}

func TestLocal(t *testing.T) {
	l, notes := build(t, false)
	run := func(bench string, procs int, n int64) Sample {
		t.Helper()
		s, err := l.Run(t.Context(), Cell{Bench: bench, Procs: procs}, n)
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
			if goroutinesCounted(runtime.Version()) && (s.Goroutines < 3 || s.Goroutines > 3.5) {
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
		if goroutinesCounted(runtime.Version()) && s.Goroutines > 0.5 {
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
		if _, err := l.Run(ctx, Cell{Bench: "BenchmarkCounts", Procs: 1}, 1e9); err == nil || err.Error() != "enough" {
			t.Errorf("Run after cancel = %v, want its cause", err)
		}
	})
	t.Run("no such benchmark", func(t *testing.T) {
		var broken *Broken
		if _, err := l.Run(t.Context(), Cell{Bench: "BenchmarkGone", Procs: 1}, 1); !errors.As(err, &broken) {
			t.Errorf("Run of a missing benchmark = %v, want it Broken", err)
		}
	})
	t.Run("no binary", func(t *testing.T) {
		gone := *l
		gone.binary += ".gone"
		var broken *Broken
		if _, err := gone.Run(t.Context(), Cell{Bench: "BenchmarkCounts", Procs: 1}, 1); !errors.As(err, &broken) || broken.Problem.Next == "" {
			t.Errorf("Run without a binary = %v, want it Broken", err)
		}
	})
}

func TestLocalPlain(t *testing.T) {
	l, _ := build(t, true)
	if len(l.Missing) == 0 || !strings.Contains(l.Missing[0], "switched off") {
		t.Errorf("Missing = %v, want what the probe would have told", l.Missing)
	}
	s, err := l.Run(t.Context(), Cell{Bench: "BenchmarkCounts", Procs: 2}, 500)
	if err != nil || s.N != 500 || !(s.Wall > 0) || s.Extra["procs"] != 2 || s.CPU == s.CPU {
		t.Errorf("Run = %+v, %v; want 500 operations at 2 processors, CPU unknown", s, err)
	}
	checkList(t, l)
}

// checkList: what works is found, what fails, skips itself or crashes is
// named, each once.
func checkList(t *testing.T, l *Local) {
	found, problems, err := l.List(t.Context(), *l.fn("BenchmarkSubs"), 2)
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

func TestTailBuffer(t *testing.T) {
	for _, size := range []int{1, 7, 100, 5000} {
		b := &tailBuffer{max: 100}
		all := "start\npanic: first\n\ngoroutine 1 [running]:\n" + strings.Repeat("frame\n", 500) + "panic: later\nlast"
		for rest := all; rest != ""; {
			n := min(size, len(rest))
			b.Write([]byte(rest[:n]))
			rest = rest[n:]
		}
		got := string(b.bytes())
		if len(got) > 200 || len(got) < 50 || !strings.HasSuffix(all, got) {
			t.Errorf("in pieces of %d: kept %q", size, got)
		}
		if line := b.panicLine(); line != "panic: first" {
			t.Errorf("in pieces of %d: panic line %q, want the first", size, line)
		}
	}
}

func TestDeath(t *testing.T) {
	for output, want := range map[string]string{
		"":                 "",
		"no panic: here\n": "",
		"panic: boom\n\ngoroutine 7 [running]:\n":                                                                          "panic: boom",
		"x\nfatal error: concurrent map writes\n\ngoroutine 7 [running]:\n":                                                "fatal error: concurrent map writes",
		"work...panic: torn\n\ngoroutine 7 [running]:\n":                                                                   "panic: torn",
		"work...panic: torn [recovered]\n\tpanic: again\n[signal SIGSEGV: segmentation violation]\n\ngoroutine 7 [running": "panic: torn [recovered]",
		"panic: " + strings.Repeat("x", 300) + "\n":                                                                        "panic: " + strings.Repeat("x", 193) + "…",
	} {
		if got := death([]byte(output)); got != want {
			t.Errorf("death(%q) = %q, want %q", output, got, want)
		}
	}
}

func TestStuckAt(t *testing.T) {
	const dump = `SIGQUIT: quit
goroutine 1 [chan receive]:
testing.(*B).runN(0xc0, 0x1)
	/go/src/testing/benchmark.go:219 +0x190
example.com/m.TestMain(0x1)
	/src/m/m_test.go:9 +0x10
main.main()
	_testmain.go:49 +0x9b

goroutine 8 [chan receive]:
testing.(*B).Run(0xc0)
	/go/src/testing/benchmark.go:800 +0x190
example.com/m.BenchmarkA(0xc0)
	/src/m/m_test.go:20 +0x10
testing.(*B).runN(0xc0, 0x1)
	/go/src/testing/benchmark.go:219 +0x190

goroutine 9 [semacquire]:
sync.(*WaitGroup).Wait(0xc0)
	/go/src/sync/waitgroup.go:118 +0x48
%stesting.(*B).runN(0xc0, 0x1)
	/go/src/testing/benchmark.go:219 +0x190
created by testing.(*B).run1 in goroutine 8
	/go/src/testing/benchmark.go:245 +0x4d
`
	l := &Local{Target: discover.Target{Dir: "/src/m", Funcs: []discover.Func{{Name: "BenchmarkA", Pos: "/src/m/m_test.go:18"}}}}
	for frames, want := range map[string]string{
		"example.com/m.wait()\n\t/src/m/m.go:5 +0x10\nexample.com/m.BenchmarkA.func1()\n\t/src/m/m_test.go:21 +0x10\n": " (last seen at /src/m/m.go:5)",
		"example.com/dep.Wait()\n\t/src/a dep/dep.go:5 +0x10\nm.BenchmarkA.func1()\n\tm/m_test.go:21 +0x10\n":          " (last seen at m/m_test.go:21)",
		"": " (it begins at /src/m/m_test.go:18)",
	} {
		if got := l.stuckAt(fmt.Appendf(nil, dump, frames), "BenchmarkA/x"); got != want {
			t.Errorf("stuckAt with frames %q =%s, want%s", frames, got, want)
		}
	}
	if got := l.stuckAt(nil, "BenchmarkB"); got != "" {
		t.Errorf("stuckAt of nothing = %q", got)
	}
}

func TestCompilerSays(t *testing.T) {
	const said = "# example.com/m [example.com/m.test]\n./a.go:1:2: one\n./a.go:2:2: two\n\t./a.go:2:3: more of two\n./a.go:3:2: three\n./a.go:4:2: four\nFAIL\texample.com/m [build failed]\n"
	if got, want := compilerSays(said), "./a.go:1:2: one; ./a.go:2:2: two; ./a.go:2:3: more of two; and 2 more lines"; got != want {
		t.Errorf("compilerSays = %s, want %s", got, want)
	}
}

func TestMessage(t *testing.T) {
	for _, tt := range []struct{ output, want string }{
		{"--- FAIL: BenchmarkA\n    a_test.go:3: below\n", " (a_test.go:3: below)"},
		{"--- FAIL: BenchmarkA-2\n    a_test.go:3: below\n", " (a_test.go:3: below)"},
		{"BenchmarkA\n    a_test.go:1: old\n    a_test.go:3: first\n        second\n--- FAIL: BenchmarkA\nBenchmarkB\n", " (a_test.go:3: first)"},
		{"hello--- FAIL: BenchmarkA\n    a_test.go:3: torn\n", " (a_test.go:3: torn)"},
		{"--- FAIL: BenchmarkA\nBenchmarkB\n", ""},
		{"--- FAIL: BenchmarkAB\n    a_test.go:3: another's\n", ""},
		{"", ""},
	} {
		if got := message([]byte(tt.output), "FAIL", "BenchmarkA", 2); got != tt.want {
			t.Errorf("message in %q = %q, want %q", tt.output, got, tt.want)
		}
	}
}

func TestTimeoutDefault(t *testing.T) {
	if got := (&Local{}).timeout(); got != time.Minute {
		t.Errorf("timeout = %v, want a minute", got)
	}
}
