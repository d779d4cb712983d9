package session_test

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/host/local"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/session"
)

// The far host is a process that answers over a pipe. It has folders of its
// own, refuses to be told of others, and its clock is an hour fast.

const (
	farEnv  = "PAYOFF_TEST_FAR" // names the folder of the far host
	farCPU  = "a far processor"
	farFast = time.Hour
)

// A request is one call, or the end of the context of the last.
type request struct {
	Put    *host.Binary
	Run    *host.Job
	Probe  bool
	Ask    host.Ask
	Cancel bool
}

type reply struct {
	Binary  host.Binary
	Outcome host.Outcome
	Probe   host.Probe
	Fault   *host.Fault
	Err     string
}

func TestMain(m *testing.M) {
	if dir := os.Getenv(farEnv); dir != "" {
		os.Unsetenv(farEnv)
		if err := serve(dir, os.Stdin, os.Stdout); err != nil {
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

// serve answers requests until in ends.
func serve(dir string, in io.Reader, out io.Writer) error {
	if err := errors.Join(os.Chdir(dir), os.Setenv("TMPDIR", dir)); err != nil {
		return err
	}
	h := local.New(dir, nil)
	requests, replies := gob.NewDecoder(in), gob.NewEncoder(out)
	stop := func() {}
	for {
		var q request
		if err := requests.Decode(&q); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if q.Cancel {
			stop()
			continue
		}
		ctx, cancel := context.WithCancel(context.Background())
		stop = cancel
		go func() {
			if err := replies.Encode(answer(ctx, h, q)); err != nil {
				panic(err)
			}
		}()
	}
}

func answer(ctx context.Context, h *local.Host, q request) (r reply) {
	var err error
	switch {
	case q.Put != nil:
		r.Binary, err = h.Put(*q.Put)
	case q.Run != nil:
		if err = foreign(*q.Run); err == nil {
			r.Outcome, err = h.Run(ctx, *q.Run)
		}
	case q.Probe:
		r.Probe, err = h.Probe(ctx, q.Ask)
		r.Probe.Env.CPU = farCPU
		for i := range r.Probe.Capacity { // this machine may be busy, the far one is not
			c := &r.Probe.Capacity[i]
			c.Cores, c.Low, c.Stacked = float64(c.Procs), float64(c.Procs), false
		}
		for _, t := range []*time.Time{&r.Probe.Env.Time, &r.Probe.Before.At, &r.Probe.After.At} {
			*t = t.Add(farFast)
		}
	}
	if !errors.As(err, &r.Fault) && err != nil {
		r.Err = err.Error()
	}
	return r
}

// foreign refuses a job that names a place of another machine.
func foreign(j host.Job) error {
	for _, s := range slices.Concat(j.Args, j.Env) {
		for _, part := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("=:,", r) }) {
			if filepath.IsAbs(part) {
				return fmt.Errorf("%s is a path of another machine", part)
			}
		}
	}
	return nil
}

// far is the near end of the pipe. It compiles here, where the sources are.
type far struct {
	*local.Compiler
	*pipe
}

type pipe struct {
	requests *gob.Encoder
	replies  *gob.Decoder
	runs     int
}

func (p *pipe) call(ctx context.Context, q request) (reply, error) {
	if ctx.Err() != nil {
		return reply{}, context.Cause(ctx)
	}
	if err := p.requests.Encode(q); err != nil {
		return reply{}, err
	}
	done := make(chan error, 1)
	var r reply
	go func() { done <- p.replies.Decode(&r) }()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		if err = p.requests.Encode(request{Cancel: true}); err == nil {
			err = <-done
		}
	}
	switch {
	case ctx.Err() != nil:
		return r, context.Cause(ctx)
	case err != nil:
		return r, err
	case r.Fault != nil:
		return r, r.Fault
	case r.Err != "":
		return r, errors.New(r.Err)
	}
	return r, nil
}

func (f *far) Build(ctx context.Context, s host.Source) (host.Binary, error) {
	wanted := s.Image
	s.Image = true
	_, b, err := f.Compile(ctx, s)
	if err != nil || wanted { // that was put before
		return b, err
	}
	r, err := f.call(ctx, request{Put: &b})
	return r.Binary, err
}

func (f *far) Run(ctx context.Context, j host.Job) (host.Outcome, error) {
	f.runs++
	r, err := f.call(ctx, request{Run: &j})
	return r.Outcome, err
}

func (f *far) Probe(ctx context.Context, a host.Ask) (host.Probe, error) {
	r, err := f.call(ctx, request{Probe: true, Ask: a})
	return r.Probe, err
}

// connect starts a far host.
func connect(t *testing.T) *pipe {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), farEnv+"="+dir)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the far host: %v", err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "process-*")); len(left) > 0 {
			t.Errorf("processes left %q at the far host", left)
		}
	})
	return &pipe{requests: gob.NewEncoder(in), replies: gob.NewDecoder(out)}
}

const farSource = `package m

import "testing"

var sink int

//go:noinline
func work(n int) {
	for i := range n {
		sink += i
	}
}

func BenchmarkWork(b *testing.B) {
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

// TestFarHost measures and explains on a host that shares nothing with this
// process but a pipe.
func TestFarHost(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiles test binaries and measures")
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m_test.go": farSource} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := gocmd.Find(t.Context(), dir, ""); errors.Is(err, gocmd.ErrNoGo) {
		t.Skip(err)
	}
	began := time.Now()
	p := connect(t)
	var end session.End
	for e := range session.RunOn(t.Context(), session.Plan{
		Dir: dir, Procs: []int{2}, Record: filepath.Join(dir, "out"), Causes: session.All, Seed: 1,
	}, func(c *local.Compiler) host.Host { return &far{c, p} }) {
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
	if cpu := end.Doc.Environment.CPU; cpu != farCPU || p.runs == 0 {
		t.Errorf("measured on %q in %d runs, want the far host", cpu, p.runs)
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
