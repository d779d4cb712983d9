package session

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/gather"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/host/local"
	"github.com/gopayoff/payoff/tool/internal/host/sim"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/probe"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/report/text"
	"github.com/gopayoff/payoff/tool/internal/turn"
)

// A fake is a host of two processors on which B takes longer than A, its base.
type fake struct {
	sim.Host
	fault  string  // of Build
	cores  float64 // that two threads are given
	cpu    string  // "": fake
	usable int     // processors; 0: 2
	ran    func()  // before each process of a sample
}

func (f *fake) hosts(*local.Compiler) host.Host { return f }

func (f *fake) plan(dir string, p Plan) Plan {
	f.Image = []byte("the same code")
	f.Process = func(_ context.Context, p sim.Process) (sim.Figures, error) {
		f.ran()
		wall := map[bool]float64{false: 1e4, true: 2e4}[strings.HasSuffix(p.Bench, "B")]
		return sim.Figures{Wall: wall, CPU: wall}, nil
	}
	if f.ran == nil {
		f.ran = func() {}
	}
	p.Dir = dir
	if p.Resume == "" {
		p.Packages, p.Procs, p.Base, p.Seed, p.Record = []string{"./..."}, []int{1, 2}, "A$", 1, filepath.Join(dir, "out")
	}
	return p
}

func (f *fake) Build(ctx context.Context, s host.Source) (host.Binary, error) {
	if f.fault != "" {
		return host.Binary{}, &host.Fault{Reason: f.fault}
	}
	return f.Host.Build(ctx, s)
}

func (f *fake) Run(ctx context.Context, j host.Job) (host.Outcome, error) {
	if !slices.Contains(j.Args, "-test.benchtime=2ms") {
		return f.Host.Run(ctx, j)
	}
	i := slices.IndexFunc(j.Args, func(a string) bool { return strings.HasPrefix(a, "-test.bench=") })
	name := strings.Trim(strings.TrimPrefix(j.Args[i], "-test.bench="), "^$")
	return host.Outcome{Events: []probe.Event{{Kind: probe.Begin, Name: name},
		{Kind: probe.Result, Name: name, Value: map[string]int64{"n": 100, "ns": 1e6, "procs": int64(j.Procs)}}, {Kind: probe.End}}}, nil
}

func (f *fake) Probe(_ context.Context, a host.Ask) (p host.Probe, err error) {
	p.Env.CPU, p.Env.UsableCPUs, p.Procs = cmp.Or(f.cpu, "fake"), cmp.Or(f.usable, 2), 2
	for _, n := range a.Procs {
		p.Capacity = append(p.Capacity, machine.Capacity{Procs: n, Cores: min(f.cores, float64(n))})
	}
	return p, nil
}

// tree is a module with packages a and b, each with the benchmarks A and B.
func tree(t *testing.T) string {
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	dir := t.TempDir()
	code := "_test\n\nimport \"testing\"\n\nfunc BenchmarkA(b *testing.B) {}\n\nfunc BenchmarkB(b *testing.B) {}\n"
	for file, data := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.22\n", "a/x_test.go": "package a" + code, "b/x_test.go": "package b" + code} {
		file = filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// carried is the end of a plan.
func carried(ctx context.Context, p Plan, hosts Hosts) (end End) {
	for e := range RunOn(ctx, p, hosts) {
		if x, ok := e.(End); ok {
			end = x
		}
	}
	return end
}

func sameReport(t *testing.T, dir string, made *report.Doc) {
	t.Helper()
	again := carried(t.Context(), Plan{Dir: dir, From: filepath.Join(dir, "out"), Causes: None}, nil)
	var got, want bytes.Buffer
	for w, d := range map[*bytes.Buffer]*report.Doc{&got: again.Doc, &want: made} {
		if err := text.Report(w, d, text.Options{All: true}); err != nil {
			t.Fatal(err)
		}
	}
	if got.String() != want.String() {
		t.Errorf("replayed:\n%s\nwant\n%s", &got, &want)
	}
}

// What was interrupted goes on, with another budget and on a machine that is
// not as free as it was; the report is that of the record.
func TestResume(t *testing.T) {
	dir := tree(t)
	ctx, interrupt := context.WithCancel(t.Context())
	n := 0
	f := &fake{cores: 2, ran: func() {
		if n++; n == 12 {
			interrupt()
		}
	}}
	end := carried(ctx, f.plan(dir, Plan{Causes: None}), f.hosts)
	if end.Err == nil || end.Doc == nil || len(end.Series) != 1 || end.Series[0].End != measure.Interrupted {
		t.Fatalf("%d packages, %v", len(end.Series), end.Err)
	}
	if want := "payoff run -resume out -verdicts"; end.Doc.Next != want || !strings.HasSuffix(end.Doc.Problems[0].String(), want) {
		t.Errorf("next: %s\n%v\nwant %s", end.Doc.Next, end.Doc.Problems, want)
	}
	evidence := filepath.Join(dir, "out", "01-a", "evidence.jsonl")
	if err := os.WriteFile(evidence, []byte(`{"bench":"BenchmarkB","procs":2}`+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, cores := range []float64{2, 1.2} { // the second time nothing is left to do
		f := &fake{cores: cores}
		said := ""
		for e := range RunOn(t.Context(), f.plan(dir, Plan{Resume: filepath.Join(dir, "out"), Budget: 3 * time.Minute, Causes: None}), f.hosts) {
			switch e := e.(type) {
			case Notice:
				said += string(e)
			case End:
				end = e
			}
		}
		if nothing := strings.Contains(said, "nothing was left to do in "); nothing != (cores < 2) {
			t.Errorf("says %q", said)
		}
		if end.Err != nil || len(end.Series) != 2 || len(end.Doc.Problems) > 0 {
			t.Fatalf("%d packages, problems %v, %v", len(end.Series), end.Doc.Problems, end.Err)
		}
		for _, s := range end.Series {
			if s.End != measure.Decided {
				t.Errorf("%s: end %q", s.Package, s.End)
			}
		}
		if b := end.Run.Asked.Budget; b != (3 * time.Minute).Nanoseconds() {
			t.Errorf("the next command has the budget %v", time.Duration(b))
		}
		if len(end.Series[0].Evidence) != 1 {
			t.Error("the evidence is gone, and no other was asked for")
		}
		sameReport(t, dir, end.Doc)
	}
}

// A search for causes that finds nothing leaves what another has found.
func TestResumeEvidence(t *testing.T) {
	dir := tree(t)
	f := &fake{cores: 2}
	carried(t.Context(), f.plan(dir, Plan{Causes: None}), f.hosts)
	const was = `{"bench":"BenchmarkB","procs":2,"cpu":{"samples":20,"share":{"user":1}},"profiles":[{"samples":20,"share":{"user":1}}]}` + "\n"
	about := filepath.Join(dir, "out", "01-a", "series.json")
	data, err := os.ReadFile(about)
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.Replace(data, []byte(`"end": "decided"`), []byte(`"missing": ["`+gather.CutShort+`"], "end": "decided"`), 1)
	if err := errors.Join(os.WriteFile(about, data, 0o644), os.WriteFile(filepath.Join(dir, "out", "01-a", "evidence.jsonl"), []byte(was), 0o644)); err != nil {
		t.Fatal(err)
	}
	end := carried(t.Context(), f.plan(dir, Plan{Resume: filepath.Join(dir, "out"), Causes: Wanted}), f.hosts)
	if end.Err != nil || len(end.Series) != 2 || !strings.Contains(strings.Join(end.Series[0].Missing, ";"), "there is no trace, and 20 samples") {
		t.Fatalf("%v, %d packages, missing %q: want what the evidence lacks", end.Err, len(end.Series), end.Series[0].Missing)
	}
	if set := end.Series[0].Evidence[measure.Cell{Bench: "BenchmarkB", Procs: 2}]; set == nil || len(set.Profiles) != 1 {
		t.Errorf("evidence %+v, want that of before", set)
	}
	sameReport(t, dir, end.Doc)
}

// What was wrong with a package is forgotten when it is measured at last.
func TestResumeMended(t *testing.T) {
	dir := tree(t)
	f := &fake{cores: 2, fault: "undefined: missing"}
	end := carried(t.Context(), f.plan(dir, Plan{Causes: None}), f.hosts)
	if len(end.Series) != 2 || len(end.Doc.Problems) != 2 {
		t.Fatalf("problems %v, %v", end.Doc.Problems, end.Err)
	}
	// Whatever is asked of a run in which nothing was measured: its report says why.
	if x := carried(t.Context(), Plan{From: filepath.Join(dir, "out"), Bench: ".", Causes: All}, nil); x.Err != nil || x.Doc == nil || len(x.Doc.Problems) != 2 {
		t.Errorf("a run without samples: %v", x.Err)
	}
	f.fault = ""
	end = carried(t.Context(), f.plan(dir, Plan{Resume: filepath.Join(dir, "out"), Causes: None}), f.hosts)
	if end.Err != nil || len(end.Doc.Problems) > 0 || end.Series[0].End != measure.Decided {
		t.Errorf("problems %v, %v", end.Doc.Problems, end.Err)
	}
	sameReport(t, dir, end.Doc)
}

// A package is over when neither verdicts nor causes can be had with this budget.
// What counts is the budget that it had itself: in a run that was interrupted
// again there are packages that did not come to it.
func TestOver(t *testing.T) {
	const spent = "causes of 2 of 3 verdicts: " + gather.Spent
	for _, tt := range []struct {
		end     measure.End
		missing string
		causes  Causes
		budget  time.Duration // it had a minute
		want    bool
	}{
		{measure.Decided, "", Wanted, time.Hour, true},
		{measure.Budget, "", Wanted, time.Minute, true},
		{measure.Budget, "", Wanted, time.Hour, false},
		{measure.Interrupted, "", None, time.Minute, false},
		{measure.Decided, gather.CutShort, Wanted, time.Minute, false},
		{measure.Decided, gather.CutShort, None, time.Minute, true},
		{measure.Exhausted, spent, Wanted, time.Minute, true},
		{measure.Exhausted, spent, Wanted, time.Hour, false},
		{measure.Exhausted, spent, None, time.Hour, true},
	} {
		s := &session{plan: Plan{Causes: tt.causes, Budget: tt.budget}}
		if got := s.over(&measure.Series{End: tt.end, Budget: time.Minute, Missing: []string{"another thing", tt.missing}}); got != tt.want {
			t.Errorf("%+v: over = %t", tt, got)
		}
	}
}

// The record of a run is read when nobody writes it.
func TestResumeTurn(t *testing.T) {
	t.Setenv(turn.Env, filepath.Join(t.TempDir(), "lock"))
	release, err := turn.Take(t.Context(), turn.Me(nil, ""), func(turn.Holder) {})
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	dir := t.TempDir()
	if end := carried(t.Context(), Plan{Dir: dir, Resume: filepath.Join(dir, "none"), Wait: -1}, nil); end.Err == nil || !strings.Contains(end.Err.Error(), "measures on this machine") {
		t.Errorf("while another run has the turn: %v", end.Err)
	}
}

// TestTurn: who waits says so once, who does not wait says nothing, and both end with who
// has the machine.
func TestTurn(t *testing.T) {
	t.Setenv(turn.Env, filepath.Join(t.TempDir(), "lock"))
	ctx, end := context.WithTimeout(t.Context(), 10*time.Second) // what waits for ever fails
	defer end()
	notices := 0
	take := func(wait time.Duration) (release func(), missing string, err error) {
		notices = 0
		return Turn(ctx, []string{"payoff", "run"}, "/m", wait, func(Notice) { notices++ })
	}
	release, missing, err := take(0)
	if err != nil || missing != "" || notices > 0 {
		t.Fatalf("a free machine: %v, %q, %d notices", err, missing, notices)
	}
	for wait, want := range map[time.Duration]int{-1: 0, time.Millisecond: 1} {
		if _, _, err := take(wait); err == nil || !strings.Contains(err.Error(), "measures on this machine: wait until it ends") || notices != want {
			t.Errorf("waiting %v: %v, %d notices, want %d", wait, err, notices, want)
		}
	}
	told, stop := context.WithCancel(ctx)
	defer stop()
	if _, _, err := Turn(told, nil, "/m", 0, func(n Notice) { // as long as it takes
		if stop(); !strings.Contains(string(n), "waiting for ") {
			t.Errorf("told %q", n)
		}
	}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	release()
	if release, _, err = take(time.Hour); err != nil || notices > 0 {
		t.Errorf("given back: %v, %d notices", err, notices)
	} else {
		release()
	}
}

// What a record asks for is held to what the command line may ask for, and its arguments
// are not those of the run that goes on.
func TestResumeForeign(t *testing.T) {
	dir := tree(t)
	ctx, interrupt := context.WithCancel(t.Context())
	n := 0
	f := &fake{cores: 2, ran: func() {
		if n++; n == 12 {
			interrupt()
		}
	}}
	carried(ctx, f.plan(dir, Plan{}), f.hosts)
	file := filepath.Join(dir, "out", "run.json")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ asked, says string }{
		{`"procs": [0, 1]`, "GOMAXPROCS=0"}, {`"procs": [1, 65537]`, "GOMAXPROCS=65537"}, {`"procs": [-1]`, "GOMAXPROCS=-1"},
		{`"procs": [1, 2], "args": ["-test.cpuprofile=/home/x"]`, ""},
	} {
		var run map[string]any
		if err := json.Unmarshal(data, &run); err != nil {
			t.Fatal(err)
		}
		var asked map[string]any
		if err := json.Unmarshal([]byte("{"+tt.asked+"}"), &asked); err != nil {
			t.Fatal(err)
		}
		maps.Copy(run["asked"].(map[string]any), asked)
		changed, err := json.Marshal(run)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, changed, 0o644); err != nil {
			t.Fatal(err)
		}
		g := &handing{fake: &fake{cores: 2}}
		end := carried(t.Context(), g.plan(dir, Plan{Resume: filepath.Join(dir, "out"), Budget: time.Second}), func(*local.Compiler) host.Host { return g })
		switch said := fmt.Sprint(end.Err); {
		case tt.says != "" && !strings.Contains(said, tt.says):
			t.Errorf("%s: %s, want %q", tt.asked, said, tt.says)
		case tt.says == "" && g.runs == 0:
			t.Errorf("%s: nothing was run, %s: the test tests nothing", tt.asked, said)
		}
		if len(g.handed) > 0 {
			t.Errorf("%s: the test binary was handed %q", tt.asked, g.handed)
		}
	}
}

// A handing is a fake that sees what the test binary is handed of a record.
type handing struct {
	*fake
	runs   int
	handed []string
}

func (h *handing) Run(ctx context.Context, j host.Job) (host.Outcome, error) {
	h.runs++
	for _, a := range j.Args {
		if strings.Contains(a, "cpuprofile") {
			h.handed = append(h.handed, a)
		}
	}
	return h.fake.Run(ctx, j)
}
