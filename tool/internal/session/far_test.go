package session_test

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

	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/host/local"
	"github.com/gopayoff/payoff/tool/internal/host/plug"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/session"
)

// The far host is a process that answers over a pipe. It has folders of its
// own, refuses to be told of others, and its clock is an hour fast.

const (
	farEnv  = "PAYOFF_TEST_FAR" // names the folder of the far host
	farGone = "gone"            // a file there: the first far host is gone after some runs
	farCPU  = "a far processor"
	farFast = time.Hour
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(farEnv); dir != "" {
		os.Unsetenv(farEnv)
		if err := serve(dir); err != nil {
			fmt.Fprintln(os.Stderr, "far host:", err)
			os.Exit(1)
		}
		return
	}
	if os.Getenv(proposerEnv) != "" {
		if err := propose(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "proposer:", err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func serve(dir string) error {
	if err := errors.Join(os.Chdir(dir), os.Setenv("TMPDIR", dir)); err != nil {
		return err
	}
	s := plug.NewSocket(os.Stdin, os.Stdout)
	if err := s.Say(plug.Hello{OS: runtime.GOOS, Arch: runtime.GOARCH, Machine: farCPU}); err != nil {
		return err
	}
	left := -1
	if _, err := os.Stat(farGone); err == nil {
		left = 6
	}
	return s.Serve(context.Background(), &farHost{local.New(dir, nil), left})
}

type farHost struct {
	*local.Host
	left int // runs until it is gone; below 0: it stays
}

// Run refuses a job that names a place of another machine.
func (f *farHost) Run(ctx context.Context, j host.Job) (host.Outcome, error) {
	if f.left--; f.left == 0 {
		os.Remove(farGone) // the next one stays
		return host.Outcome{}, fmt.Errorf("%w: another took its job", plug.ErrMoved)
	}
	for _, s := range slices.Concat(j.Args, j.Env) {
		for _, part := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("=:,", r) }) {
			if filepath.IsAbs(part) {
				return host.Outcome{}, fmt.Errorf("%s is a path of another machine", part)
			}
		}
	}
	return f.Host.Run(ctx, j)
}

func (f *farHost) Probe(ctx context.Context, a host.Ask) (host.Probe, error) {
	p, err := f.Host.Probe(ctx, a)
	p.Env.CPU = farCPU
	for i := range p.Capacity { // this machine may be busy, the far one is not
		c := &p.Capacity[i]
		c.Cores, c.Low, c.Stacked = float64(c.Procs), float64(c.Procs), false
	}
	for _, t := range []*time.Time{&p.Env.Time, &p.Before.At, &p.After.At} {
		*t = t.Add(farFast)
	}
	return p, err
}

// connect starts a far host.
func connect(t *testing.T) *plug.Client {
	t.Helper()
	dir := t.TempDir()
	t.Setenv(farEnv, dir)
	c, err := plug.Start(t.Context(), []string{os.Args[0]}, func(n string) { t.Log(n) })
	if err != nil {
		t.Fatal(err)
	}
	os.Unsetenv(farEnv) // test binaries of this package are none
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("the far host: %v", err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "process-*")); len(left) > 0 {
			t.Errorf("processes left %q at the far host", left)
		}
	})
	return c
}

const farSource = `package m

import (
	"os"
	"testing"
)

var sink int

//go:noinline
func work(n int) {
	for i := range n {
		sink += i
	}
}

func BenchmarkWork(b *testing.B) {
	if text, err := os.ReadFile("testdata/deep/word"); err != nil || string(text) != "there" {
		b.Fatalf("testdata holds %q: %v", text, err)
	}
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			work(10000)
		}
	})
	b.Run("variant=slow", func(b *testing.B) {
		for b.Loop() {
			work(100000)
		}
	})
}
`

// farModule is a module to be measured.
func farModule(t *testing.T) (dir string) {
	t.Helper()
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	dir = t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m_test.go": farSource, "testdata/deep/word": "there"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := gocmd.Find(t.Context(), dir, ""); errors.Is(err, gocmd.ErrNoGo) {
		t.Skip(err)
	}
	return dir
}

// TestFarHost measures and explains on a host that shares nothing with this
// process but a pipe.
func TestFarHost(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiles test binaries and measures")
	}
	dir := farModule(t)
	began := time.Now()
	p := connect(t)
	var end session.End
	for e := range session.RunOn(t.Context(), session.Plan{
		Dir: dir, Procs: []int{2}, Record: filepath.Join(dir, "out"), Causes: session.All, Seed: 1,
	}, session.Far(p)) {
		if last, ok := e.(session.End); ok {
			end = last
		}
	}
	if end.Err != nil || len(end.Series) != 1 || len(end.Doc.Problems) > 0 {
		t.Fatalf("ended with %v, %d series, problems %v", end.Err, len(end.Series), end.Doc.Problems)
	}
	// Ten times the work is decided as soon as anything is.
	s := end.Series[0]
	if s.End != measure.Decided || len(end.Doc.Comparisons) != 1 || end.Doc.Comparisons[0].Verdict != "loses" && !strings.Contains(end.Doc.Comparisons[0].Why, "the machine gave") {
		t.Errorf("end %q, comparisons %+v; want one that loses", s.End, end.Doc.Comparisons)
	}
	if cpu := end.Doc.Environment.CPU; cpu != farCPU {
		t.Errorf("measured on %q, want the far host", cpu)
	}
	if at := end.Run.Env.Time; at.Before(began.Add(-time.Second)) || at.After(time.Now()) {
		t.Errorf("the run began at %v, by the clock of this machine %v", at, began)
	}
	layouts := map[int32]bool{}
	for _, samples := range s.Samples {
		for _, x := range samples {
			layouts[x.Layout] = true
		}
	}
	if len(layouts) < 3 {
		t.Errorf("samples in layouts %v, want one for each round", layouts)
	}

	cell := measure.Cell{Bench: "BenchmarkWork/variant=slow", Procs: 2}
	set := s.Evidence[cell]
	if set == nil || set.CPU == nil || set.Trace == nil {
		t.Fatalf("evidence %+v, missing %q; want a profile and a trace", set, s.Missing)
	}
	// What was compiled here is in its place, and so is its code.
	if len(set.CPU.Lines) == 0 || set.CPU.Lines[0].File != filepath.Join(dir, "m_test.go") {
		t.Errorf("hot lines %+v, want those of m_test.go", set.CPU.Lines)
	}
	if len(set.Hot) == 0 {
		t.Errorf("no instruction was decoded: %q", set.Missing)
	}
	for _, kind := range []string{"cpu.pprof", "trace"} {
		if kept, _ := filepath.Glob(filepath.Join(dir, "out", "*", "evidence", "*-2."+kind)); len(kept) == 0 {
			t.Errorf("the record has no %s of the far host", kind)
		}
	}
}

// Where a machine is gone in mid-run, all is measured anew on the next one: nothing of the
// first is in the report, and its record stays where it is.
func TestFarMoved(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiles test binaries and measures")
	}
	dir, far := farModule(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(far, farGone), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv(farEnv, far)
	var end session.End
	var notices []string
	for e := range session.Run(t.Context(), session.Plan{
		Dir: dir, Procs: []int{2}, Record: filepath.Join(dir, "out"), Seed: 1, Budget: 3 * time.Second, Unasked: true, On: "any", Plug: []string{os.Args[0]},
	}) {
		switch e := e.(type) {
		case session.Notice:
			notices = append(notices, string(e))
		case session.End:
			end = e
		}
	}
	if end.Err != nil || end.Doc == nil || len(end.Series) != 1 {
		t.Fatalf("ended with %v, %d series; notices %q", end.Err, len(end.Series), notices)
	}
	if !slices.ContainsFunc(notices, func(n string) bool { return strings.Contains(n, "another took its job: what it measured is left") }) {
		t.Errorf("notices %q, want that the machine is gone", notices)
	}
	if end.At == nil || end.At.Machine != farCPU {
		t.Errorf("measured on %+v, want %s", end.At, farCPU)
	}
	if got, want := end.Doc.Record, "out-again"; got != want {
		t.Errorf("the record is %s, want %s", got, want)
	}
	if _, err := os.Stat(filepath.Join(dir, "out", "run.json")); err != nil {
		t.Errorf("what the first machine measured is not left: %v", err)
	}
}
