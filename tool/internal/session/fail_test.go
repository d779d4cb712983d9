package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/host/local"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/prescribe"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/stats"
	"github.com/gopayoff/payoff/tool/internal/store"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

// inTheWay makes a folder with a file in it where a file is to be written.
func inTheWay(t *testing.T, file string) {
	t.Helper()
	if err := os.RemoveAll(file); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(file, "in the way"), 0o755); err != nil {
		t.Fatal(err)
	}
}

// TestRecordingFails: whichever file of the record cannot be written, the run says
// so at its end and its report among the problems, once, with the folder and what to
// do; the report has the figures.
func TestRecordingFails(t *testing.T) {
	for _, tt := range []struct {
		name  string
		file  string // of the run's folder
		when  int    // before which process of a sample
		cure  bool
		known bool // there is a report
	}{
		{"when it begins", "run.json", 0, false, false},
		{"when a package begins", "01-a/series.json", 0, false, true},
		{"its samples", "01-a/samples.jsonl", 0, false, true},
		{"when a package ends", "01-a/bench.txt", 1, false, true},
		{"the description at its end", "01-a/series.json", 1, false, true},
		{"when the second ends", "02-b/bench.txt", 1, false, true},
		{"when all ends", "run.json", 1, false, true},
		{"lines that are hot", "01-a/heat.json", 1, true, true},
		{"edits", "01-a/fix.json", 1, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := tree(t)
			out := filepath.Join(dir, "out")
			n := 0
			f := &fake{cores: 2}
			f.ran = func() {
				if n++; n == tt.when {
					inTheWay(t, filepath.Join(out, filepath.FromSlash(tt.file)))
				}
			}
			hosts := f.hosts
			p := f.plan(dir, Plan{Causes: None})
			if tt.cure {
				p.Cure = &Cure{}
			}
			if tt.when == 0 {
				// What is there when a run is created would refuse it, so it comes
				// after: with the first question to the host.
				hosts = func(c *local.Compiler) host.Host {
					if _, err := os.Stat(out); err == nil && n == 0 {
						n++
						inTheWay(t, filepath.Join(out, filepath.FromSlash(tt.file)))
					}
					return f.hosts(c)
				}
			}
			end := carried(t.Context(), p, hosts)
			if end.Err == nil || !strings.Contains(end.Err.Error(), "recording in "+out) || !strings.Contains(end.Err.Error(), filepath.Base(tt.file)) || !strings.Contains(end.Err.Error(), "free some space, or name another folder with -o") {
				t.Errorf("%v, want that %s of %s could not be written", end.Err, tt.file, out)
			}
			if (end.Doc != nil) != tt.known {
				t.Errorf("a report %t, want %t", end.Doc != nil, tt.known)
			}
			if !tt.known {
				return
			}
			if tt.when > 0 && len(end.Doc.Comparisons) == 0 {
				t.Error("the figures are lost")
			}
			said := 0
			for _, p := range end.Doc.Problems {
				if strings.HasPrefix(p.Package, "example.com/m/") && strings.Contains(p.Reason, filepath.Base(tt.file)) && p.Next == "free some space, or name another folder with -o" && !p.Note {
					said++
				}
			}
			if said != 1 {
				t.Errorf("among the problems %d times: %v", said, end.Doc.Problems)
			}
		})
	}
}

// TestAfterFailure: what comes after a package whose record failed is not measured,
// and the report says so.
func TestAfterFailure(t *testing.T) {
	dir := tree(t)
	out := filepath.Join(dir, "out")
	seen := map[string]bool{}
	f := &fake{cores: 2}
	f.ran = func() {
		for _, pkg := range []string{"01-a", "02-b"} {
			if _, err := os.Stat(filepath.Join(out, pkg)); err == nil {
				seen[pkg] = true
			}
		}
		inTheWay(t, filepath.Join(out, "01-a", "bench.txt"))
	}
	end := carried(t.Context(), f.plan(dir, Plan{Causes: None}), f.hosts)
	if end.Err == nil || seen["02-b"] || len(end.Series) != 1 {
		t.Fatalf("%v, %d packages, %v", end.Err, len(end.Series), seen)
	}
	var said []string
	for _, p := range end.Doc.Problems {
		said = append(said, p.Package+": "+p.Reason)
	}
	if all := strings.Join(said, "; "); !strings.Contains(all, "example.com/m/b: not measured: the run ended before") {
		t.Errorf("problems %q", all)
	}
}

// TestHostFails: an error of the host ends the run and stands at its end, whichever
// step it was of.
func TestHostFails(t *testing.T) {
	gone := errors.New("the machine is gone")
	for name, f := range map[string]*failingHost{"build": {build: gone}, "image": {image: gone}, "run": {run: gone}, "probe": {probe: gone}} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t)
			f.fake = &fake{cores: 2}
			p := f.plan(dir, Plan{Causes: None})
			end := carried(t.Context(), p, func(*local.Compiler) host.Host { return f })
			if !errors.Is(end.Err, gone) {
				t.Errorf("%v, want %v", end.Err, gone)
			}
		})
	}
}

// A failingHost is a fake of which one method fails.
type failingHost struct {
	*fake
	build, image, run, probe error
}

func (f *failingHost) Build(ctx context.Context, s host.Source) (host.Binary, error) {
	err := f.build
	if s.Image {
		err = f.image
	}
	if err != nil {
		return host.Binary{}, err
	}
	return f.fake.Build(ctx, s)
}

func (f *failingHost) Run(ctx context.Context, j host.Job) (host.Outcome, error) {
	if f.run != nil {
		return host.Outcome{}, f.run
	}
	return f.fake.Run(ctx, j)
}

func (f *failingHost) Probe(ctx context.Context, a host.Ask) (host.Probe, error) {
	if f.probe != nil {
		return host.Probe{}, f.probe
	}
	return f.fake.Probe(ctx, a)
}

// TestSame: a run goes on where its samples belong together, on the machine and
// with the packages that it had; of what the machine gives the less counts.
func TestSame(t *testing.T) {
	env := func(cpu string, n int) machine.Env { return machine.Env{CPU: cpu, UsableCPUs: n} }
	for _, tt := range []struct {
		name     string
		was, is  machine.Env
		packages []string // of the run
		targets  []string // that are found
		says     string
	}{
		{"the same", env("a", 4), env("a", 4), []string{"p", "q"}, []string{"q", "p", "r"}, ""},
		{"another processor", env("a", 4), env("b", 4), nil, nil, "was measured on a, 4 processors, and this is b, 4 processors: measure again"},
		{"more of them", env("a", 1), env("a", 4), nil, nil, "was measured on a, 1 processor, and this is a, 4 processors: measure again"},
		{"a package too few", env("a", 4), env("a", 4), []string{"p", "q"}, []string{"p"}, "has samples of q, which is not found from here"},
	} {
		s := &session{plan: Plan{Resume: "old"}, run: store.Run{Env: tt.was, Budget: time.Minute}}
		s.run.Capacity = []machine.Capacity{{Procs: 1, Cores: 0.9}, {Procs: 2, Cores: 1.9}, {Procs: 8, Cores: 5}}
		for _, p := range tt.packages {
			s.before = append(s.before, &measure.Series{Package: p})
		}
		for _, p := range tt.targets {
			s.targets = append(s.targets, discover.Target{Package: p})
		}
		err := s.same(host.Probe{Env: tt.is, Capacity: []machine.Capacity{{Procs: 8, Cores: 7}, {Procs: 2, Cores: 1.2}, {Procs: 1, Cores: 0.9}}})
		if (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.says)
		}
		if tt.says != "" {
			continue
		}
		for i, want := range []float64{0.9, 1.2, 5} {
			if got := s.run.Capacity[i].Cores; got != want {
				t.Errorf("%s: given %v of %d, want %v", tt.name, got, s.run.Capacity[i].Procs, want)
			}
		}
		for _, x := range s.before {
			if x.Given[2] != 1.2 || x.Given[8] != 5 || x.Usable != 4 {
				t.Errorf("%s: %s was told %v of %d", tt.name, x.Package, x.Given, x.Usable)
			}
		}
	}
}

// TestReopenTakes: a run that goes on takes its plan from the record, but for the
// budget that was asked for now.
func TestReopenTakes(t *testing.T) {
	asked := cmdline.Asked{Packages: []string{"./x"}, Bench: "Sum", Base: "A", Vs: "B", Procs: []int{1, 2, 8}, Tags: "t", Plain: true, Sample: int64(20 * time.Millisecond), Timeout: int64(time.Minute), Layouts: 3}
	record := func(a *cmdline.Asked) string {
		dir := filepath.Join(t.TempDir(), "run")
		d, err := store.Create(dir)
		if err != nil {
			t.Fatal(err)
		}
		r := store.Run{Asked: a, Budget: 5 * time.Minute, Seed: 7}
		r.Rule.Alpha, r.Rule.Looks, r.Bounds.Margin, r.Bounds.Precision = 0.05, []int{6}, 0.1, 0.2
		if err := d.Put(r); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	for budget, want := range map[time.Duration]time.Duration{0: 5 * time.Minute, time.Hour: time.Hour} {
		a := asked
		s := &session{plan: Plan{Resume: record(&a), Budget: budget}}
		if err := s.reopen(); err != nil {
			t.Fatal(err)
		}
		p := s.plan
		if got := p.repeat(p.Packages...); p.Budget != want || s.run.Budget != want || p.Seed != 7 || p.Bounds.Margin != 0.1 || p.Bounds.Precision != 0.2 ||
			got.Bench != "Sum" || got.Base != "A" || got.Vs != "B" || len(got.Procs) != 3 || got.Tags != "t" || !got.Plain || got.Sample != asked.Sample || got.Timeout != asked.Timeout || got.Layouts != 3 || got.Packages[0] != "./x" {
			t.Errorf("a budget of %v: plan %+v", budget, p)
		}
		if s.hints.Base == nil || s.hints.Vs == nil || s.run.Asked.Budget != want.Nanoseconds() {
			t.Errorf("hints %+v, the next command has a budget of %v, want %v", s.hints, time.Duration(s.run.Asked.Budget), want)
		}
	}
	gallery := asked
	gallery.Gallery = true
	for says, a := range map[string]*cmdline.Asked{"does not say what it was asked for": nil, "is a run of another command: payoff gallery run -resume": &gallery} {
		s := &session{plan: Plan{Resume: record(a)}}
		if err := s.reopen(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	s := &session{plan: Plan{Resume: filepath.Join(t.TempDir(), "none")}}
	if err := s.reopen(); err == nil {
		t.Error("no run: no error")
	}
}

// TestCheckPlan: what cannot be asked for is said to be that, by the flag.
func TestCheckPlan(t *testing.T) {
	ok := Plan{}
	if h, err := ok.check(); err != nil || h.Base != nil || ok.Budget != 2*time.Minute || ok.Bounds.Margin != 0.03 || ok.Timeout != 0 {
		t.Errorf("the zero plan: %v, budget %v, margin %v", err, ok.Budget, ok.Bounds.Margin)
	}
	margin := func(m, p float64) (x Plan) { x.Bounds.Margin, x.Bounds.Precision = m, p; return x }
	for says, p := range map[string]Plan{
		"-vs without -base": {Vs: "B"}, "-base": {Base: "("}, "-vs ": {Base: "A", Vs: "("}, "-layouts -1": {Layouts: -1}, "-sample -1ns": {Sample: -1}, "-budget -1s": {Budget: -time.Second}, "-timeout -1s": {Timeout: -time.Second},
		"-margin and -precision": margin(1, 0.1),
	} {
		if _, err := p.check(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: %v, want %q", p, err, says)
		}
	}
	for _, x := range []struct {
		margin, precision float64
		ok                bool
	}{{0.5, 0.5, true}, {0, 0.5, false}, {1, 0.5, false}, {0.5, 0, false}, {0.5, 1, false}, {-0.1, 0.5, false}, {0.999, 0.001, true}} {
		p := margin(x.margin, x.precision)
		if _, err := p.check(); (err == nil) != x.ok {
			t.Errorf("margin %v, precision %v: %v, want ok %t", x.margin, x.precision, err, x.ok)
		}
	}
	// What the next command repeats.
	p := Plan{Bench: ".", Budget: 2 * time.Minute, Causes: Wanted}
	p.Bounds.Margin, p.Bounds.Precision = 0.03, 0.02
	if a := p.repeat(); a.Bench != "" || a.Budget != 0 || a.Margin != 0 || a.Precision != 0 || a.Packages != nil || a.Verdicts || a.Layouts != 0 {
		t.Errorf("of the defaults: %+v", a)
	}
	p = Plan{Bench: "X", Budget: time.Minute, Causes: None, Layouts: measure.MaxLayouts, Cure: &Cure{Bench: "Y"}}
	p.Bounds.Margin, p.Bounds.Precision = 0.1, 0.2
	if a := p.repeat("p"); a.Bench != "X" || a.Budget != time.Minute.Nanoseconds() || a.Margin != 0.1 || a.Precision != 0.2 || !a.Verdicts || a.Layouts != 0 || a.Cure != "Y" || a.Packages[0] != "p" {
		t.Errorf("of others: %+v", a)
	}
	p = Plan{Budget: 2 * time.Minute, Gallery: &Gallery{}, Layouts: 3}
	if a := p.repeat(); a.Budget != (2*time.Minute).Nanoseconds() || !a.Gallery || a.Layouts != 3 {
		t.Errorf("of the gallery: %+v", a)
	}
}

// TestAsked: of which verdicts causes are asked for.
func TestAsked(t *testing.T) {
	verdict := func(kind measure.Kind, bench string) judge.Verdict {
		return judge.Verdict{Kind: kind, New: measure.Cell{Bench: bench, Procs: 4}, BaseCell: measure.Cell{Bench: "BenchmarkSerial", Procs: 4}}
	}
	packOf := func(p Plan) *pack {
		h, err := p.check()
		if err != nil {
			t.Fatal(err)
		}
		return &pack{session: &session{plan: p, hints: h}}
	}
	for _, p := range []Plan{{}, {Cure: &Cure{}}} {
		if packOf(p).asked() != nil {
			t.Errorf("%+v asks for some", p)
		}
	}
	for _, tt := range []struct {
		plan Plan
		kind measure.Kind
		want bool
	}{
		{Plan{Base: "Serial"}, measure.Variant, true}, {Plan{Base: "Serial"}, measure.Scaling, false},
		{Plan{Base: "Serial", Vs: "Pool"}, measure.Variant, true}, {Plan{Base: "Serial", Vs: "Serial"}, measure.Variant, false}, {Plan{Base: "Serial", Vs: "Pool"}, measure.Scaling, false},
		{Plan{Cure: &Cure{Bench: "BenchmarkPool"}}, measure.Scaling, true}, {Plan{Cure: &Cure{Bench: "BenchmarkOther"}}, measure.Scaling, false},
		{Plan{Base: "Serial", Cure: &Cure{Bench: "BenchmarkOther"}}, measure.Variant, false},
	} {
		if got := packOf(tt.plan).asked()(verdict(tt.kind, "BenchmarkPool")); got != tt.want {
			t.Errorf("base %q, vs %q, cure %+v: %s %t, want %t", tt.plan.Base, tt.plan.Vs, tt.plan.Cure, tt.kind, got, tt.want)
		}
	}
}

// TestShortAt: the budget was too short where a comparison had no full look, and
// more of it would do.
func TestShortAt(t *testing.T) {
	for _, tt := range []struct {
		end          measure.End
		budget, need time.Duration
		pairs        []int
		want         string
	}{
		{measure.Budget, time.Minute, 2 * time.Minute, []int{7, 7, 20}, "before 2 of 3 comparisons had a full look"},
		{measure.Budget, time.Minute, 2 * time.Minute, []int{8, 7}, "before 1 of 2 comparisons"}, {measure.Budget, time.Minute, 2 * time.Minute, []int{8, 8}, ""},
		{measure.Budget, time.Minute, time.Minute, []int{7}, ""}, {measure.Budget, time.Minute, time.Minute + 1, []int{7}, "before 1 of 1"},
		{measure.Interrupted, time.Minute, 2 * time.Minute, []int{7}, ""}, {measure.Decided, time.Minute, 2 * time.Minute, []int{7}, ""},
	} {
		s := &session{run: store.Run{}}
		s.run.Rule.Looks = []int{8, 12}
		var r judge.Result
		for _, n := range tt.pairs {
			v := judge.Verdict{Word: judge.CannotSay}
			v.Pairs = n
			r.Verdicts = append(r.Verdicts, v)
		}
		if s.short(&measure.Series{Package: "p", End: tt.end, Budget: tt.budget, Needs: tt.need}, r); (len(s.tooShort()) == 1) != (tt.want != "") || tt.want != "" && !strings.Contains(s.tooShort()[0].Reason, tt.want) {
			t.Errorf("end %s, budget %v, needs %v, pairs %v: %v, want %q", tt.end, tt.budget, tt.need, tt.pairs, s.tooShort(), tt.want)
		}
	}
	s := &session{}
	s.run.Rule.Looks = []int{8}
	decided := judge.Result{Verdicts: []judge.Verdict{{Word: judge.Pays}}}
	if s.short(&measure.Series{End: measure.Budget, Budget: 1, Needs: 2}, decided); len(s.tooShort()) > 0 {
		t.Errorf("what an early look decided: %v", s.tooShort())
	}
	// Of several packages all have the same words, with the budget that does for all.
	open := func(n int) (r judge.Result) {
		for range n {
			r.Verdicts = append(r.Verdicts, judge.Verdict{Word: judge.CannotSay})
		}
		return r
	}
	for i, needs := range []time.Duration{5 * time.Minute, 2 * time.Minute} {
		s.short(&measure.Series{Package: fmt.Sprint("p", i), End: measure.Budget, Budget: time.Minute, Needs: needs}, open(i+1))
	}
	for i, x := range s.tooShort() {
		if want := fmt.Sprintf("p%d: the budget of 1m0s was spent before 3 of 3 comparisons of these packages had a full look: raise -budget to 5m, or choose with -bench", i); x.String() != want || !x.Note {
			t.Errorf("%q, a note %t, want %q", x, x.Note, want)
		}
	}
}

// TestKeepPatch: what was confirmed is a file in the folder of the run, and where
// that cannot be written an error.
func TestKeepPatch(t *testing.T) {
	cell := measure.Cell{Bench: "BenchmarkA", Procs: 2}
	rec := &verify.Record{Package: "p", Procs: []int{1, 2}, Bounds: stats.DefaultBounds, End: measure.Decided, Candidates: []verify.Trial{{Candidate: verify.Candidate{Edit: edit.Edit{ID: "a"}, Claim: "f", Cells: []measure.Cell{cell}}, Pairs: 12}}}
	for round := range int32(12) {
		for arm, wall := range map[string]float64{"": 100, "a": 50} {
			rec.Samples = append(rec.Samples, verify.Sample{Phase: verify.Confirming, Arm: arm, Bench: cell.Bench, Procs: 2, Round: round, Layout: round, N: 1, Wall: wall + 0.01*float64(round)})
		}
	}
	change := patch.Change{File: "/src/p.go", Before: "old\n", After: "new\n"}
	made := &verify.Treatment{Tries: true, Record: rec, Prescription: &prescribe.Prescription{Package: "p", Root: "/src", Findings: make([]prescribe.Finding, 1), Fixes: []prescribe.Fix{{Edit: edit.Edit{ID: "a"}, Cells: []measure.Cell{cell}, Changes: []patch.Change{change}}}}}
	doc := func(x *verify.Treatment) *report.Doc {
		s := &measure.Series{Package: "p", Procs: []int{1, 2}}
		return report.New(report.Input{Series: []*measure.Series{s}, Results: []judge.Result{{Package: "p"}}, Findings: make([][]explain.Finding, 1), Treatments: []*verify.Treatment{x}})
	}
	dir, err := store.Create(filepath.Join(t.TempDir(), "run"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir.Path, PatchFile)
	s := &session{rec: dir}
	if err := s.keepPatch(doc(nil)); err != nil {
		t.Errorf("nothing is confirmed: %v", err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("nothing is confirmed, and there is a patch")
	}
	if err := s.keepPatch(doc(made)); err != nil {
		t.Error(err)
	}
	if data, err := os.ReadFile(file); string(data) != patch.Diff("/src", []patch.Change{change}) {
		t.Errorf("%q, %v, want the diff", data, err)
	}
	inTheWay(t, file)
	if err := s.keepPatch(doc(made)); err == nil || !strings.Contains(err.Error(), PatchFile) {
		t.Errorf("%s is in the way: %v", PatchFile, err)
	}
	if err := (&session{}).keepPatch(doc(made)); err != nil {
		t.Errorf("of a run that is read back: %v", err)
	}
	// The report says that it could not be written, whatever else ended the run.
	s = &session{rec: dir, known: true, series: []*measure.Series{{Package: "p", Procs: []int{1, 2}}}, results: []judge.Result{{Package: "p"}}, findings: make([][]explain.Finding, 1), treated: map[string]*verify.Treatment{"p": made}}
	before := errors.New("interrupted")
	for _, err := range []error{nil, before} {
		end := s.end(err)
		if err == nil && (end.Err == nil || !strings.Contains(end.Err.Error(), PatchFile)) || err != nil && end.Err != before {
			t.Errorf("after %v the run ends with %v", err, end.Err)
		}
		if n := len(end.Doc.Problems); n == 0 || end.Doc.Problems[n-1].Package != "p" || !strings.Contains(end.Doc.Problems[n-1].Reason, PatchFile) {
			t.Errorf("after %v: problems %v", err, end.Doc.Problems)
		}
	}
}
