package measure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/probe"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/sharing"
)

// An oneHost is a host whose processes leave the outcomes in turn; the last again
// and again.
type oneHost struct {
	outcomes []host.Outcome
	err      error
	build    error
	plain    bool // without the probe
	jobs     []host.Job
	sources  []host.Source
}

func (h *oneHost) Build(_ context.Context, s host.Source) (host.Binary, error) {
	h.sources = append(h.sources, s)
	return host.Binary{ID: "1", OS: "linux", Probed: !h.plain, Image: []byte("image")}, h.build
}

func (h *oneHost) Run(_ context.Context, j host.Job) (host.Outcome, error) {
	h.jobs = append(h.jobs, j)
	o := h.outcomes[min(len(h.jobs), len(h.outcomes))-1]
	return o, h.err
}

func (h *oneHost) Probe(context.Context, host.Ask) (host.Probe, error) { return host.Probe{}, nil }

func (h *oneHost) subject(t *testing.T, funcs ...discover.Func) (*Subject, *[]problem.Problem) {
	t.Helper()
	var notes []problem.Problem
	s, err := Build(t.Context(), h, discover.Target{Package: "p", Dir: "/src/p", Funcs: funcs}, BuildOptions{Note: func(p problem.Problem) { notes = append(notes, p) }})
	if err != nil {
		t.Fatal(err)
	}
	return s, &notes
}

// result is what a benchmark of n operations tells.
func result(name string, n int64, values map[string]int64) probe.Event {
	v := map[string]int64{"n": n, "ns": 100 * n, "cpu": 150 * n, "procs": 4}
	for k, x := range values {
		v[k] = x
	}
	return probe.Event{Kind: probe.Result, Name: name, Value: v}
}

// TestSampleBounds: when a result is a sample, and what is wrong with it if not.
func TestSampleBounds(t *testing.T) {
	sets := discover.Func{Name: "BenchmarkS", SetsProcs: "s_test.go:7"}
	for _, tt := range []struct {
		name   string
		bench  string
		n      int64
		events []probe.Event
		broken string
	}{
		{"a sample", "BenchmarkA", 10, []probe.Event{result("BenchmarkA", 10, nil)}, ""},
		{"beside another", "BenchmarkA", 10, []probe.Event{result("BenchmarkB", 7, nil), result("BenchmarkA", 10, nil)}, ""},
		{"of another name", "BenchmarkA", 10, []probe.Event{result("BenchmarkB", 10, nil)}, "gave no result"},
		{"skipped", "BenchmarkA", 10, []probe.Event{{Kind: probe.Begin, Name: "BenchmarkA"}, {Kind: probe.Skip, Name: "BenchmarkA"}}, "skips itself"},
		{"no time", "BenchmarkA", 10, []probe.Event{result("BenchmarkA", 10, map[string]int64{"ns": 0})}, "its timed region takes no time"},
		{"a hundredth of a nanosecond", "BenchmarkA", 1e6, []probe.Event{result("BenchmarkA", 1e6, map[string]int64{"ns": 10_000})}, ""},
		{"less", "BenchmarkA", 1e6, []probe.Event{result("BenchmarkA", 1e6, map[string]int64{"ns": 9999})}, "its timed region takes no time"},
		{"less, of few", "BenchmarkA", 999_999, []probe.Event{result("BenchmarkA", 999_999, map[string]int64{"ns": 9})}, ""},
		{"other operations", "BenchmarkA", 10, []probe.Event{result("BenchmarkA", 11, nil)}, "runs 11 operations where 10 were asked for"},
		{"other processors", "BenchmarkA", 10, []probe.Event{result("BenchmarkA", 10, map[string]int64{"procs": 8})}, "changes GOMAXPROCS itself (asked for 4, ran at 8)"},
		{"changed meanwhile", "BenchmarkA", 10, []probe.Event{result("BenchmarkA", 10, map[string]int64{"procs": -2})}, "changes GOMAXPROCS itself (asked for 4, ran at 2)"},
		{"sets them, and the world stood still", "BenchmarkS", 10, []probe.Event{result("BenchmarkS", 10, map[string]int64{"stops": 1})}, "changes GOMAXPROCS itself and puts it back at s_test.go:7"},
		{"sets them, unknown before", "BenchmarkS", 10, []probe.Event{result("BenchmarkS", 10, nil)}, "changes GOMAXPROCS itself and puts it back at s_test.go:7"},
		{"sets them outside", "BenchmarkS", 10, []probe.Event{result("BenchmarkS", 10, map[string]int64{"stops": 0})}, ""},
		{"a sub-benchmark of what sets them", "BenchmarkS/x", 10, []probe.Event{result("BenchmarkS/x", 10, map[string]int64{"stops": 2})}, "changes GOMAXPROCS itself and puts it back at s_test.go:7"},
		{"another one", "BenchmarkA", 10, []probe.Event{result("BenchmarkA", 10, map[string]int64{"stops": 2})}, ""},
	} {
		h := &oneHost{outcomes: []host.Outcome{{Events: tt.events}}}
		s, _ := h.subject(t, sets, discover.Func{Name: "BenchmarkA"})
		x, err := s.Run(t.Context(), at(tt.bench, 4), tt.n)
		var broken *Broken
		switch {
		case tt.broken == "":
			if err != nil || x.N != tt.n || x.ActualProcs != 4 {
				t.Errorf("%s: %+v, %v, want a sample", tt.name, x, err)
			}
		case !errors.As(err, &broken) || broken.Problem.Reason != tt.broken || broken.Problem.Benchmark != tt.bench || broken.Problem.Package != "p" || broken.Problem.Next == "":
			t.Errorf("%s: %v, want %q", tt.name, err, tt.broken)
		case broken.Hung || broken.Failed:
			t.Errorf("%s: hung %t, failed %t, want neither: another process would say the same", tt.name, broken.Hung, broken.Failed)
		}
	}
}

// TestSampleFields: each figure comes from its own event, per operation.
func TestSampleFields(t *testing.T) {
	values := map[string]int64{"ns": 1000, "cpu": 2000, "goroutines": 30, "allocs": 40, "bytes": 50, "voluntary": 60, "preempt": 70, "mutex": 80, "gc": 90, "system": 100, "faults": 110, "live": 120, "child": 130, "set": 140, "procs": 4}
	h := &oneHost{outcomes: []host.Outcome{{Events: []probe.Event{result("BenchmarkA", 10, values)}, CPU: 300, Others: 0.25, Steal: 0.5}}}
	s, _ := h.subject(t)
	got, err := s.Run(t.Context(), at("BenchmarkA", 4), 10)
	want := Sample{N: 10, Wall: 100, CPU: 200, Goroutines: 3, Allocs: 4, Bytes: 5, Voluntary: 6, Preempted: 7, MutexWait: 8, GC: 9, System: 10, Faults: 11, Live: 120, Child: 13, SetBytes: 140, ActualProcs: 4, Got: 1, Others: 0.25, Steal: 0.5}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%+v, %v\nwant %+v", got, err, want)
	}
	// The share of what it wanted that it got: processor time over that and the
	// time that it was ready without a processor.
	for delay, want := range map[int64]float32{0: 1, 100: 0.75, 900: 0.25} {
		h := &oneHost{outcomes: []host.Outcome{{Events: []probe.Event{result("BenchmarkB", 1, map[string]int64{"delay": delay / 4}), result("BenchmarkA", 10, map[string]int64{"delay": delay - delay/4})}, CPU: 300}}}
		s, _ := h.subject(t)
		if x, _ := s.Run(t.Context(), at("BenchmarkA", 4), 10); x.Got != want {
			t.Errorf("delay %d beside 300: got %v, want %v", delay, x.Got, want)
		}
	}
	// What is not told is not known.
	bare := sampleOf(probe.Event{Value: map[string]int64{"n": 10, "ns": 1000}})
	if !math.IsNaN(bare.CPU) || !math.IsNaN(float64(bare.Goroutines)) || !math.IsNaN(float64(bare.Live)) || bare.Whole != 0 || bare.Wall != 100 {
		t.Errorf("of a time alone: %+v", bare)
	}
}

// TestTimerStops: a benchmark that stops its timer for half its operations and
// more has a whole time; one whose stretches are short has no processor time.
func TestTimerStops(t *testing.T) {
	for _, tt := range []struct {
		n, starts, ns int64
		whole         float32
		cpu           bool
	}{
		{10, 0, 1e6, 0, true}, {2, 3, 1e5, 0, true}, // the framework's own
		{8, 4, 8e5, 0, true}, {7, 4, 8e5, 50, true}, // half, and more
		{1000, 4, 8e5, 0, true}, {1000, 500, 5e7, 0, true}, {1000, 501, 5.01e7, 50, true},
		{1000, 501, 5.01e7 - 1, 50, false}, {1000, 10, 1e6 - 1, 0, false}, {1000, 10, 1e6, 0, true}, // 100 µs a stretch
	} {
		x := sampleOf(probe.Event{Value: map[string]int64{"n": tt.n, "starts": tt.starts, "ns": tt.ns, "cpu": 10 * tt.n, "whole": 50 * tt.n}})
		if x.Whole != tt.whole || math.IsNaN(x.CPU) == tt.cpu {
			t.Errorf("%d starts in %d operations of %d ns: whole %v, processor time %v; want %v, known %t", tt.starts, tt.n, tt.ns, x.Whole, x.CPU, tt.whole, tt.cpu)
		}
	}
}

// TestEnds: how a process ended, in words, and what of it concerns another one.
func TestEnds(t *testing.T) {
	begin := probe.Event{Kind: probe.Begin, Name: "BenchmarkA"}
	done := []probe.Event{begin, result("BenchmarkA", 10, nil), {Kind: probe.End, Name: ""}}
	for _, tt := range []struct {
		name    string
		o       host.Outcome
		timeout time.Duration
		reason  string // "": a sample
		hung    bool
		failed  bool
	}{
		{"well", host.Outcome{Events: done}, 0, "", false, false},
		{"late", host.Outcome{Events: []probe.Event{begin}, Late: true, Exit: 2}, 0, "did not end within 1m0s", true, true},
		{"later than was allowed", host.Outcome{Events: []probe.Event{begin}, Late: true, Exit: 2}, 5 * time.Second, "did not end within 5s", true, true},
		{"by a panic", host.Outcome{Events: []probe.Event{begin}, Exit: 2, Death: "panic: nil map"}, 0, "panic: nil map", false, true},
		{"with words of death, and well", host.Outcome{Events: done, Death: "panic: told in a log"}, 0, "", false, false},
		{"by os.Exit(0)", host.Outcome{Events: []probe.Event{begin}}, 0, "ends its process with exit code 0 before it is done (os.Exit?)", false, true},
		{"by a signal", host.Outcome{Events: []probe.Event{begin}, Exit: -1, State: "signal: killed"}, 0, "its process was ended: signal: killed", false, true},
		{"with a code", host.Outcome{Events: []probe.Event{begin}, Exit: 3}, 0, "ends its process with exit code 3", false, true},
		{"with a code and a word", host.Outcome{Events: []probe.Event{begin}, Exit: 3, Output: []byte("no\nluck\n")}, 0, "ends its process with exit code 3 (its output ends: no luck)", false, true},
		{"by b.Fatal", host.Outcome{Events: []probe.Event{begin, {Kind: probe.Fail, Name: "BenchmarkA"}, {Kind: probe.End}}, Exit: 1, Output: []byte("--- FAIL: BenchmarkA-4\n    a_test.go:3: no\n")}, 0, "fails (a_test.go:3: no)", false, true},
		{"without a result", host.Outcome{Events: []probe.Event{{Kind: probe.End}}}, 0, "gave no result", false, false},
		{"without a result, with a word", host.Outcome{Events: []probe.Event{{Kind: probe.End}}, Output: []byte(" a word \n")}, 0, "gave no result (its output ends: a word)", false, false},
	} {
		h := &oneHost{outcomes: []host.Outcome{tt.o}}
		s, _ := h.subject(t)
		s.Timeout = tt.timeout
		_, err := s.Run(t.Context(), at("BenchmarkA", 4), 10)
		var broken *Broken
		if tt.reason == "" {
			if err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
			continue
		}
		if !errors.As(err, &broken) || broken.Problem.Reason != tt.reason || broken.Hung != tt.hung || broken.Failed != tt.failed {
			t.Errorf("%s: %+v, want %q, hung %t, failed %t", tt.name, err, tt.reason, tt.hung, tt.failed)
		}
		if tt.hung && strings.Contains(broken.Problem.Next, "with -timeout") != (tt.timeout == 0) {
			t.Errorf("%s: next %q", tt.name, broken.Problem.Next)
		}
	}
	// The time that the budget allowed is said to be that.
	h := &oneHost{outcomes: []host.Outcome{{Events: []probe.Event{begin}, Late: true, Exit: 2}}}
	s, _ := h.subject(t)
	s.Patience = 3 * time.Second
	if _, err := s.Run(t.Context(), at("BenchmarkA", 4), 10); !strings.Contains(fmt.Sprint(err), "did not end within 3s, as long as the budget allows") || h.jobs[0].Timeout != 3*time.Second || h.jobs[0].Limit != 0 {
		t.Errorf("%v, given %v", err, h.jobs[0].Timeout)
	}
}

// TestHostErrors: what the host says arrives: a fault of the process as what is
// wrong with the package, anything else as it is, of whichever call.
func TestHostErrors(t *testing.T) {
	gone := errors.New("the machine is gone")
	var broken *Broken
	h := &oneHost{outcomes: []host.Outcome{{}}}
	s, _ := h.subject(t)
	h.err = gone
	if _, err := s.Run(t.Context(), at("BenchmarkA", 4), 10); !errors.Is(err, gone) {
		t.Errorf("Run: %v, want %v", err, gone)
	}
	if _, _, err := s.Collect(t.Context(), at("BenchmarkA", 4), 10, Trace, false); !errors.Is(err, gone) {
		t.Errorf("Collect: %v, want %v", err, gone)
	}
	if _, _, err := s.List(t.Context(), discover.Func{Name: "BenchmarkA", Pattern: "^BenchmarkA$"}, 4, time.Second, time.Minute); !errors.Is(err, gone) {
		t.Errorf("List: %v, want %v", err, gone)
	}
	h.err = &host.Fault{Reason: "no folder", Next: "make one"}
	if _, err := s.Run(t.Context(), at("BenchmarkA", 4), 10); !errors.As(err, &broken) || broken.Problem.Reason != "no folder" || broken.Problem.Next != "make one" {
		t.Errorf("a fault: %v", err)
	}
	h.build = gone
	if err := s.Use(t.Context(), 3); !errors.Is(err, gone) || s.layout != 0 {
		t.Errorf("Use: %v, in layout %d", err, s.layout)
	}
	if _, err := s.Image(t.Context()); !errors.Is(err, gone) {
		t.Errorf("Image: %v", err)
	}
	if _, err := s.Sum(t.Context()); !errors.Is(err, gone) {
		t.Errorf("Sum: %v", err)
	}
	for reason, want := range map[string]string{"x.go:3: undefined: y": "does not compile: x.go:3: undefined: y: go vet p", "updates to go.mod needed; run go mod tidy": "cannot be built: updates to go.mod needed; run go mod tidy: go mod tidy"} {
		h.build = &host.Fault{Reason: reason}
		if _, err := Build(t.Context(), h, discover.Target{Package: "p"}, BuildOptions{}); !errors.As(err, &broken) || broken.Problem.String() != "p: "+want {
			t.Errorf("Build: %v, want %q", err, want)
		}
	}
	h.build = &host.Fault{Reason: "no linker", Next: "install one"}
	if _, err := Build(t.Context(), h, discover.Target{Package: "p"}, BuildOptions{}); !errors.As(err, &broken) || broken.Problem.String() != "p: cannot be built: no linker: install one" {
		t.Errorf("Build: %v", err)
	}
	h.build = gone
	if _, err := Build(t.Context(), h, discover.Target{Package: "p"}, BuildOptions{}); !errors.Is(err, gone) {
		t.Errorf("Build: %v, want %v", err, gone)
	}
}

// TestUse: a layout is made once, and asks for itself alone.
func TestUseOnce(t *testing.T) {
	h := &oneHost{outcomes: []host.Outcome{{Events: []probe.Event{result("BenchmarkA", 10, nil)}}}}
	s, _ := h.subject(t)
	for _, k := range []int{1, 2, 1, 0} {
		if err := s.Use(t.Context(), k); err != nil || s.layout != k {
			t.Errorf("Use(%d): %v, in %d", k, err, s.layout)
		}
		if x, err := s.Run(t.Context(), at("BenchmarkA", 4), 10); err != nil || x.Layout != int32(k) {
			t.Errorf("a sample in layout %d: %d, %v", k, x.Layout, err)
		}
	}
	if _, err := s.Image(t.Context()); err != nil {
		t.Fatal(err)
	}
	var asked []string
	for _, x := range h.sources {
		asked = append(asked, fmt.Sprintf("%s %s %d %t", x.Package, x.Dir, x.Layout, x.Image))
	}
	if want := []string{"p /src/p 0 false", "p /src/p 1 false", "p /src/p 2 false", "p /src/p 0 true"}; !slices.Equal(asked, want) {
		t.Errorf("built %q, want %q", asked, want)
	}
}

// A forgetful host can take binaries away.
type forgetful struct {
	*oneHost
	gone []int // layouts
}

func (h *forgetful) Forget(s host.Source) { h.gone = append(h.gone, s.Layout) }

// TestForget: the host is told which layout goes; what goes is in use no more.
func TestForget(t *testing.T) {
	h := &forgetful{oneHost: &oneHost{}}
	s, err := Build(t.Context(), h, discover.Target{Package: "p"}, BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []int{1, 2, 3} {
		if err := s.Use(t.Context(), k); err != nil {
			t.Fatal(err)
		}
	}
	s.Forget(2)
	if s.layout != 3 || !slices.Equal(h.gone, []int{2}) {
		t.Errorf("without 2: in layout %d, gone %v", s.layout, h.gone)
	}
	s.Forget(3)
	if s.layout != 0 || !slices.Equal(h.gone, []int{2, 3}) {
		t.Errorf("without 3, which was in use: in layout %d, gone %v", s.layout, h.gone)
	}
	if err := s.Use(t.Context(), 2); err != nil || len(h.sources) != 5 {
		t.Errorf("2 again: %v, built %d times", err, len(h.sources))
	}
}

// TestJobs: what a process is asked for.
func TestJobs(t *testing.T) {
	ok := []host.Outcome{{Events: []probe.Event{result("BenchmarkA/n=1.5", 10, nil)}}}
	h := &oneHost{outcomes: ok}
	s, _ := h.subject(t)
	c := at("BenchmarkA/n=1.5", 4)
	s.Run(t.Context(), c, 10)
	s.Collect(t.Context(), c, 10, CPUProfile, false)
	s.Collect(t.Context(), c, 10, LockProfiles, true)
	s.Collect(t.Context(), c, 10, Writes, true)
	args := []string{"-test.run=^$", "-test.count=1", "-test.cpu=4", "-test.paniconexit0=false", `-test.bench=^BenchmarkA$/^n=1\.5$`, "-test.benchtime=10x"}
	for i, env := range []string{"", probe.EvidenceEnv + "=cpu:${folder}/cpu", probe.EvidenceEnv + "=locks,many:${folder}/locks", sharing.Env + "=${folder}/sharing"} {
		j := h.jobs[i]
		if got := strings.Join(j.Env, " "); !slices.Equal(j.Args, args) || got != env || j.Procs != 4 || j.Binary != "1" || j.Timeout != time.Minute {
			t.Errorf("job %d: %+v, want %q with %q", i, j, args, env)
		}
	}
	plain := &oneHost{outcomes: ok, plain: true}
	s, _ = plain.subject(t)
	if s.Run(t.Context(), c, 10); !slices.Contains(plain.jobs[0].Args, "-test.v") || s.CanCollect() {
		t.Errorf("without the probe: %q, evidence %t", plain.jobs[0].Args, s.CanCollect())
	}
	if _, problems, err := s.List(t.Context(), discover.Func{Name: "BenchmarkS", SetsProcs: "s_test.go:3"}, 4, time.Second, time.Minute); err != nil || len(problems) != 1 || len(plain.jobs) != 1 {
		t.Errorf("what sets GOMAXPROCS, without the probe: %v, %v, after %d processes", problems, err, len(plain.jobs))
	}
}

// TestNotes: what is worth a word is said once of each benchmark.
func TestNotes(t *testing.T) {
	events := []probe.Event{result("BenchmarkA", 10, map[string]int64{"child": 50})}
	h := &oneHost{outcomes: []host.Outcome{{Events: events, Left: true}, {Events: events, Left: true}, {Events: events}}}
	s, notes := h.subject(t)
	for range 3 {
		if _, err := s.Run(t.Context(), at("BenchmarkA", 4), 10); err != nil {
			t.Fatal(err)
		}
	}
	var said []string
	for _, p := range *notes {
		if said = append(said, p.Reason); !p.Note || p.Benchmark != "BenchmarkA" {
			t.Errorf("%+v is no note", p)
		}
	}
	if want := []string{"left processes running, which were ended", "starts other processes"}; !slices.Equal(said, want) {
		t.Errorf("notes %q, want %q", said, want)
	}
	h.outcomes = []host.Outcome{{Events: []probe.Event{result("BenchmarkB", 10, nil)}, Left: true, Stray: true}}
	s.Run(t.Context(), at("BenchmarkB", 4), 10)
	if last := (*notes)[len(*notes)-1]; !strings.Contains(last.Reason, "out of reach") {
		t.Errorf("a stray process: %q", last.Reason)
	}
}

// TestRead: which benchmark a process was in when it ended.
func TestRead(t *testing.T) {
	begin := func(names ...string) (all []probe.Event) {
		for _, n := range names {
			all = append(all, probe.Event{Kind: probe.Begin, Name: n})
		}
		return all
	}
	end := func(kind probe.Kind, name string) probe.Event { return probe.Event{Kind: kind, Name: name} }
	for _, tt := range []struct {
		name   string
		events []probe.Event
		open   string
		ended  bool
	}{
		{"nothing", nil, "", false},
		{"one", begin("BenchmarkA"), "BenchmarkA", false},
		{"a sub-benchmark", begin("BenchmarkA", "BenchmarkA/x"), "BenchmarkA/x", false},
		{"a sub-benchmark of one", begin("BenchmarkA", "BenchmarkA/x", "BenchmarkA/x/y"), "BenchmarkA/x/y", false},
		{"after a sub-benchmark", append(begin("BenchmarkA", "BenchmarkA/x"), end(probe.Result, "BenchmarkA/x")), "", false},
		{"the next one", append(append(begin("BenchmarkA"), end(probe.Result, "BenchmarkA")), begin("BenchmarkB")...), "BenchmarkB", false},
		{"skipped", append(begin("BenchmarkA"), end(probe.Skip, "BenchmarkA")), "", false},
		{"failed", append(begin("BenchmarkA"), end(probe.Fail, "BenchmarkA")), "", false},
		{"to the end", append(begin("BenchmarkA"), end(probe.Result, "BenchmarkA"), end(probe.End, "")), "", true},
		{"the root", begin("Main"), "", false},
	} {
		p := &process{Outcome: host.Outcome{Events: tt.events}}
		if p.read(); p.open != tt.open || p.ended != tt.ended {
			t.Errorf("%s: in %q, to the end %t; want %q, %t", tt.name, p.open, p.ended, tt.open, tt.ended)
		}
	}
}

// TestShortAndTail: times and outputs, as long as they are read.
func TestShortAndTail(t *testing.T) {
	for d, want := range map[time.Duration]time.Duration{
		12345678900: 12300 * time.Millisecond, 10 * time.Second: 10 * time.Second, 9999 * time.Millisecond: 10 * time.Second, 1234567890: 1230 * time.Millisecond, 123456789: 123 * time.Millisecond, 99999999: 99999*time.Microsecond + time.Microsecond, 123456: 123 * time.Microsecond, 999: 999,
	} {
		if got := short(d); got != want {
			t.Errorf("short(%v) = %v, want %v", d, got, want)
		}
	}
	for _, tt := range []struct {
		s    string
		n    int
		want string
	}{{"a  b\n c", 9, "a b c"}, {"abcdef", 6, "abcdef"}, {"abcdefg", 6, "…bcdefg"}, {"äbcdef", 6, "…bcdef"}, {"a\xffb", 9, "a\ufffdb"}} {
		if got := tail([]byte(tt.s), tt.n); got != tt.want {
			t.Errorf("tail(%q, %d) = %q, want %q", tt.s, tt.n, got, tt.want)
		}
	}
	for _, tt := range []struct {
		name string
		of   []string
		want bool
	}{{"A", []string{"A/x"}, true}, {"A", []string{"A", "AB/x"}, false}, {"A/x", []string{"A/x/y"}, true}, {"A", nil, false}} {
		if got := isParent(tt.name, tt.of); got != tt.want {
			t.Errorf("isParent(%q, %q) = %t, want %t", tt.name, tt.of, got, tt.want)
		}
	}
}

// TestListAgain: what crashes is left out, and the others are listed without it;
// what fails or skips itself is said once.
func TestListAgain(t *testing.T) {
	fn := discover.Func{Name: "BenchmarkA", Pattern: "^BenchmarkA$"}
	begin := func(n string) probe.Event { return probe.Event{Kind: probe.Begin, Name: n} }
	first := host.Outcome{Exit: 2, Death: "panic: no", Events: []probe.Event{begin("BenchmarkA"), begin("BenchmarkA/1"), result("BenchmarkA/1", 10, nil), begin("BenchmarkA/2")}}
	second := host.Outcome{Events: []probe.Event{begin("BenchmarkA"), begin("BenchmarkA/1"), result("BenchmarkA/1", 10, nil), begin("BenchmarkA/3"), result("BenchmarkA/3", 20, map[string]int64{"ns": 20 * 300}), {Kind: probe.Skip, Name: "BenchmarkA/4"}, {Kind: probe.End}}}
	h := &oneHost{outcomes: []host.Outcome{first, second}}
	s, _ := h.subject(t, fn)
	found, problems, err := s.List(t.Context(), fn, 4, time.Second, time.Minute)
	if err != nil || !slices.Equal(found, []Listed{{Name: "BenchmarkA/1", PerOp: 100}, {Name: "BenchmarkA/3", PerOp: 300}}) {
		t.Errorf("found %v, %v, want 1 and 3", found, err)
	}
	var said []string
	for _, p := range problems {
		said = append(said, p.Benchmark+" "+p.Reason)
	}
	if want := []string{"BenchmarkA/2 panic: no", "BenchmarkA/4 skips itself"}; !slices.Equal(said, want) {
		t.Errorf("problems %q, want %q", said, want)
	}
	if len(h.jobs) != 2 || !slices.Contains(h.jobs[1].Args, "-test.skip=^BenchmarkA$/^1$|^BenchmarkA$/^2$") || slices.ContainsFunc(h.jobs[0].Args, func(a string) bool { return strings.HasPrefix(a, "-test.skip") }) {
		t.Errorf("%d processes, the second with %q", len(h.jobs), h.jobs[len(h.jobs)-1].Args)
	}
	if j := h.jobs[0]; j.Timeout != time.Second || j.Limit > time.Minute || j.Limit < 50*time.Second || j.Procs != 4 {
		t.Errorf("the first process is given %v, %v in all", j.Timeout, j.Limit)
	}
	// One that crashes each time in another place ends it at some point.
	never := &oneHost{}
	for i := range 40 {
		never.outcomes = append(never.outcomes, host.Outcome{Exit: 2, Death: "panic: no", Events: []probe.Event{begin(fmt.Sprintf("BenchmarkA/%d", i))}})
	}
	s, _ = never.subject(t, fn)
	if _, problems, err := s.List(t.Context(), fn, 4, time.Second, time.Minute); err != nil || len(never.jobs) != maxBroken || len(problems) != maxBroken+1 || !strings.Contains(problems[maxBroken].Reason, "crashed 16 times") {
		t.Errorf("%d processes, %d problems, %v, want %d", len(never.jobs), len(problems), err, maxBroken)
	}
	// One that crashes in the same place, or in none, is not asked again.
	for _, where := range []string{"BenchmarkA/1", ""} {
		h := &oneHost{outcomes: []host.Outcome{{Exit: 3, Events: []probe.Event{begin("BenchmarkA/1")}}, {Exit: 3, Events: []probe.Event{begin("BenchmarkA/1")}}}}
		if where == "" {
			h.outcomes = []host.Outcome{{Exit: 3}}
		}
		s, _ := h.subject(t, fn)
		if _, problems, err := s.List(t.Context(), fn, 4, time.Second, time.Minute); err != nil || len(problems) == 0 || len(h.jobs) > 2 {
			t.Errorf("crashes at %q: %d processes, problems %v, %v", where, len(h.jobs), problems, err)
		}
	}
	// A function without benchmarks is told of, unless its sub-benchmarks were asked for.
	for pattern, want := range map[string]int{"^BenchmarkA$": 1, "^BenchmarkA$/x": 0} {
		h := &oneHost{outcomes: []host.Outcome{{Events: []probe.Event{{Kind: probe.End}}}}}
		s, _ := h.subject(t, fn)
		if _, problems, err := s.List(t.Context(), discover.Func{Name: "BenchmarkA", Pattern: pattern}, 4, time.Second, time.Minute); err != nil || len(problems) != want {
			t.Errorf("nothing of %q: problems %v, %v, want %d", pattern, problems, err, want)
		}
	}
}
