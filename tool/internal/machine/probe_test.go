package machine_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/machine"
)

// keeps runs f at GOMAXPROCS procs and checks that f leaves that number and
// the goroutines as they were.
func keeps(t *testing.T, procs int, f func()) {
	t.Helper()
	before := runtime.GOMAXPROCS(procs)
	defer runtime.GOMAXPROCS(before)
	procs = runtime.GOMAXPROCS(0) // WebAssembly has no second one
	routines := runtime.NumGoroutine()
	f()
	if got := runtime.GOMAXPROCS(0); got != procs {
		t.Errorf("GOMAXPROCS = %d afterwards, want %d", got, procs)
	}
	// One that has told its WaitGroup may still be on its last steps.
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > routines; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines afterwards, want %d", runtime.NumGoroutine(), routines)
		}
	}
}

func sane(f float64) bool { return f > 0 && !math.IsInf(f, 0) && !math.IsNaN(f) }

func TestProbeCapacity(t *testing.T) {
	for _, procs := range []int{1, 2, 3} {
		keeps(t, procs, func() {
			asked := []int{1, 2, 3}
			caps := machine.ProbeCapacity(t.Context(), asked, 12*time.Millisecond)
			if len(caps) != len(asked) {
				t.Fatalf("%d entries for %v", len(caps), asked)
			}
			for i, c := range caps {
				t.Logf("%+v", c)
				if c.Procs != asked[i] || !sane(c.Cores) || c.Low < 0 || c.Low > c.Cores {
					t.Errorf("asked for %d: %+v", asked[i], c)
				}
			}
		})
	}
}

func TestProbeCapacityDefault(t *testing.T) {
	caps := machine.ProbeCapacity(t.Context(), []int{1}, 0)
	if len(caps) != 1 || !sane(caps[0].Cores) {
		t.Errorf("ProbeCapacity([1], 0) = %+v", caps)
	}
	if caps := machine.ProbeCapacity(t.Context(), nil, 0); len(caps) != 0 {
		t.Errorf("ProbeCapacity(nil) = %+v, want none", caps)
	}
	defer func() {
		if recover() == nil {
			t.Error("ProbeCapacity([0]) did not panic")
		}
	}()
	machine.ProbeCapacity(t.Context(), []int{0}, 0)
}

func TestProbePrices(t *testing.T) {
	usable := machine.DefaultProcsTest()
	for _, procs := range []int{1, 2} {
		keeps(t, procs, func() {
			p := machine.ProbePrices(t.Context(), 4*time.Millisecond, machine.Env{Cache: 1 << 20})
			t.Logf("%+v", p)
			missing := strings.Join(p.Missing, "\n")
			for name, price := range map[string]machine.Price{
				"cache line": p.CacheLine, "hand-off on one processor": p.HandoffSameP, "hand-off": p.Handoff,
				"spawn": p.Spawn, "wake": p.Wake, "mutex": p.Mutex, "alloc": p.Alloc,
				"memory": p.Memory, "memory, all": p.MemoryAll, "arithmetic": p.Step, "arithmetic, all": p.StepAll,
			} {
				if strings.Contains(missing, name+": ") {
					if price != (machine.Price{}) {
						t.Errorf("%s is missing and has a price: %+v", name, price)
					}
					if usable > 1 && strings.Contains(missing, "needs") {
						t.Errorf("missing with %d usable processors: %s", usable, missing)
					}
					continue
				}
				if !sane(price.NS) || price.Low > price.NS || price.High < price.NS || !sane(price.Low) || !sane(price.High) {
					t.Errorf("%s: %+v", name, price)
				}
			}
		})
	}
}

func TestProbeFloor(t *testing.T) {
	keeps(t, 1, func() {
		times := machine.ProbeFloor(t.Context(), 5, time.Millisecond)
		if len(times) != 5 {
			t.Fatalf("%d batches, want 5", len(times))
		}
		for _, ns := range times {
			if !sane(ns) {
				t.Errorf("batches %v", times)
			}
		}
		if times := machine.ProbeFloor(t.Context(), 0, time.Millisecond); len(times) != 0 {
			t.Errorf("0 batches asked for, got %v", times)
		}
		if times := machine.ProbeFloor(t.Context(), 2, 0); len(times) != 2 {
			t.Errorf("no time: %d batches, want 2", len(times))
		}
	})
}

// A probe that did not heed its context would run for an hour and fail by the
// time limit of the tests; how promptly it ends is not a matter for a test.
func TestCancel(t *testing.T) {
	probes := map[string]func(context.Context){
		"capacity": func(ctx context.Context) {
			if caps := machine.ProbeCapacity(ctx, []int{2}, time.Hour); len(caps) != 0 {
				t.Errorf("cut short, yet ProbeCapacity = %+v", caps)
			}
		},
		"floor": func(ctx context.Context) { machine.ProbeFloor(ctx, 2, time.Hour) },
		"prices": func(ctx context.Context) {
			if p := machine.ProbePrices(ctx, time.Hour, machine.Env{Cache: 1 << 20}); len(p.Missing) == 0 {
				t.Errorf("cut short, yet nothing is missing: %+v", p)
			}
		},
	}
	for name, probe := range probes {
		for _, procs := range []int{1, 2} {
			t.Run(name, func(t *testing.T) {
				keeps(t, procs, func() {
					ended, cancel := context.WithCancel(t.Context())
					cancel()
					probe(ended)
				})
				keeps(t, procs, func() {
					soon, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
					defer cancel()
					probe(soon)
				})
			})
		}
	}
}

func TestAtOnce(t *testing.T) {
	keeps(t, 2, func() {
		var wg sync.WaitGroup
		wg.Go(func() { machine.ProbeCapacity(t.Context(), []int{1, 2}, 2*time.Millisecond) })
		wg.Go(func() { machine.ProbePrices(t.Context(), time.Millisecond, machine.Env{Cache: 1 << 20}) })
		wg.Go(func() { machine.Describe() })
		wg.Wait()
	})
}

func TestDescribe(t *testing.T) {
	keeps(t, 1, func() {
		e := machine.Describe()
		b, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s", b)
		if e.OS != runtime.GOOS || e.Arch != runtime.GOARCH || e.Time.IsZero() {
			t.Errorf("got %s", b)
		}
		if e.LogicalCPUs < 1 || e.UsableCPUs < 1 || e.UsableCPUs != machine.DefaultProcsTest() {
			t.Errorf("%d logical, %d usable processors", e.LogicalCPUs, e.UsableCPUs)
		}
		missing := strings.Join(e.Missing, "\n")
		for name, zero := range map[string]bool{
			"cpu": e.CPU == "", "physical cores": e.PhysicalCores == 0, "cache line": e.CacheLine == 0,
			"memory": e.Memory == 0, "governor": e.Governor == "", "load": e.Load == "",
		} {
			if got := strings.Contains("\n"+missing, "\n"+name+": "); got != zero {
				t.Errorf("%s: named as missing is %v, want %v", name, got, zero)
			}
		}
	})
}

func TestReadLoad(t *testing.T) {
	l := machine.ReadLoad()
	if l.At.IsZero() {
		t.Error("no time")
	}
	if l.OK && (l.Busy < 0 || l.Steal < 0 || l.Total < l.Busy+l.Steal) {
		t.Errorf("ReadLoad = %+v", l)
	}
}

func TestCPUTime(t *testing.T) {
	before, ok := machine.CPUTime()
	if !ok {
		t.Skip("not told by " + runtime.GOOS)
	}
	for x := uint64(1); ; {
		x = machine.Churn(x, 1<<16)
		after, ok := machine.CPUTime()
		if !ok || after < before {
			t.Fatalf("CPUTime = %v, %v after %v", after, ok, before)
		}
		if after > before {
			return
		}
	}
}

func TestGitState(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	// A git of its own, whatever the user has set and wherever the test runs.
	dir := t.TempDir()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
	t.Setenv("GIT_DIR", filepath.Join(dir, "elsewhere"))
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"--git-dir=.git", "--work-tree=.", "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	fails := func(want string) {
		t.Helper()
		commit, dirty, err := machine.GitState(t.Context(), dir)
		if commit != "" || dirty || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("GitState = %q, %v, %v; want an error with %q", commit, dirty, err, want)
		}
	}
	state := func(dir string, wantDirty bool) {
		t.Helper()
		commit, dirty, err := machine.GitState(t.Context(), dir)
		if len(commit) < 40 || dirty != wantDirty || err != nil {
			t.Errorf("GitState = %q, %v, %v; want a commit, %v", commit, dirty, err, wantDirty)
		}
	}

	fails("not a git repository")
	git("init", "-q")
	fails("no commit yet")
	write("a.txt", "1")
	write(".gitignore", "*.out\n")
	git("add", ".")
	git("commit", "-q", "-m", "first")
	state(dir, false)
	write("bench.out", "ignored")
	state(dir, false)
	write("b.txt", "new")
	state(dir, true)
	git("add", ".")
	git("commit", "-q", "-m", "second")
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	write("a.txt", "2")
	state(filepath.Join(dir, "sub"), true)

	// What the repository would have run to look at a file is not run.
	ran := filepath.Join(t.TempDir(), "ran")
	git("config", "filter.evil.clean", "echo >'"+filepath.ToSlash(ran)+"'; cat")
	write(".gitattributes", "* filter=evil\n")
	write("a.txt", "3")
	state(dir, true)
	if _, err := os.Stat(ran); err == nil {
		t.Error("a filter of the repository ran")
	}

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if commit, _, err := machine.GitState(ended, dir); commit != "" || err == nil {
		t.Errorf("with an ended context: %q, %v", commit, err)
	}
	if _, _, err := machine.GitState(t.Context(), filepath.Join(dir, "absent")); err == nil {
		t.Error("absent directory: no error")
	}
	t.Setenv("PATH", "")
	fails("git is not installed")
}
