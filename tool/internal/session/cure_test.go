package session

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/prescribe"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A benchmark is named by its elements.
func TestWants(t *testing.T) {
	const bench = "BenchmarkSum/n=1000/variant=packed"
	for want, is := range map[string]bool{
		"": true, "BenchmarkSum": true, "BenchmarkSum/variant=packed": true, bench: true,
		"BenchmarkOther BenchmarkSum/n=1000": true, "BenchmarkOther BenchmarkSum/n=100": false,
		"BenchmarkSum/variant=pack": false, "BenchmarkSu": false, "BenchmarkSum/n=100": false, "BenchmarkSum/variant=packed/n=1": false,
	} {
		if got := (&Cure{Bench: want}).wants(bench); got != is {
			t.Errorf("%q: %t, want %t", want, got, is)
		}
	}
	if !(*Cure)(nil).wants(bench) {
		t.Error("nothing is to be cured: no benchmark is left out")
	}
}

// Of edits that are as fast the smallest comes first: at one place, without the
// library, short.
func TestRank(t *testing.T) {
	long := strings.Repeat("\n+x", 31)
	for _, test := range []struct {
		fix  prescribe.Fix
		want int
	}{
		{prescribe.Fix{Diff: "\n-x\n+y"}, 0},
		{prescribe.Fix{Diff: long}, 3},
		{prescribe.Fix{Check: "falseshare", Diff: "\n+a [128]byte\n+b [128]byte"}, 2},
		{prescribe.Fix{Diff: strings.Repeat("\n-x", 31) + strings.Repeat("\n+y", 5)}, 1},
		{prescribe.Fix{Edit: edit.Edit{Parts: []string{"a", "b"}}}, 2},
		{prescribe.Fix{Edit: edit.Edit{Parts: []string{"a", "b", "c"}}, Diff: long}, 7},
		{prescribe.Fix{Edit: edit.Edit{Needs: "github.com/gopayoff/payoff/par"}}, 2},
	} {
		if got := rank(test.fix); got != test.want {
			t.Errorf("%+v: rank %d, want %d", test.fix, got, test.want)
		}
	}
}

// A run of the same code, asked for the same, is not measured again; one of
// other code is, or one that was asked for something else.
func TestRecall(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := tree(t)
	n := 0
	f := &fake{cores: 2, ran: func() { n++ }}
	measured := func(change func(*Plan)) (samples int, end End, notices string) {
		p := f.plan(dir, Plan{Causes: None, Cure: &Cure{Budget: time.Second}})
		p.Packages = []string{"./a"}
		p.Record = filepath.Join(dir, ".payoff", "runs", time.Now().Format("20060102-150405.000000000"))
		if change != nil {
			change(&p)
		}
		n = 0
		for e := range RunOn(t.Context(), p, f.hosts) {
			switch e := e.(type) {
			case Notice:
				notices += string(e) + "\n"
			case End:
				end = e
			}
		}
		if end.Err != nil {
			t.Fatal(end.Err)
		}
		return n, end, notices
	}
	first, made, _ := measured(nil)
	if first == 0 {
		t.Fatal("nothing was measured")
	}
	again, end, told := measured(nil)
	taken := filepath.Join(".payoff", "runs", filepath.Base(made.Doc.Record))
	if again != 0 || end.Series[0].Taken != taken || !strings.Contains(told, "the code is what it was in "+taken+": its figures are used") {
		t.Errorf("%d samples, taken from %q, told %q; want none, from %q", again, end.Series[0].Taken, told, taken)
	}
	if len(end.Doc.Fixes) != 1 || end.Doc.Fixes[0].Taken != taken || !end.Doc.Tried() {
		t.Errorf("fixes %+v", end.Doc.Fixes)
	}
	// Of a run that was taken over, too: the figures are named by where they are from.
	if n, end, _ := measured(nil); n != 0 || end.Series[0].Taken != taken {
		t.Errorf("%d samples, taken from %q", n, end.Series[0].Taken)
	}
	// The record stands alone.
	replayed := carried(t.Context(), Plan{Dir: dir, From: filepath.Join(dir, end.Doc.Record), Causes: None}, nil)
	if replayed.Err != nil || replayed.Doc.Summary != end.Doc.Summary || replayed.Doc.Cured != end.Doc.Cured || len(replayed.Doc.Comparisons) != len(made.Doc.Comparisons) {
		t.Errorf("replayed %q, %q, %v; want %q, %q", replayed.Doc.Summary, replayed.Doc.Cured, replayed.Err, end.Doc.Summary, end.Doc.Cured)
	}
	for what, change := range map[string]func(*Plan){
		"fresh":            func(p *Plan) { p.Cure.Fresh = true },
		"other benchmarks": func(p *Plan) { p.Bench = "A|B" },
		"another base":     func(p *Plan) { p.Base = "B$" },
		"other pairs":      func(p *Plan) { p.Vs = "B" },
		"other processors": func(p *Plan) { p.Procs = []int{1} },
		"other tags":       func(p *Plan) { p.Tags = "x" },
		"without a probe":  func(p *Plan) { p.Plain = true },
		"a run":            func(p *Plan) { p.Cure = nil },
		"to look":          func(p *Plan) { p.Cure.Budget = 0 },
	} {
		if n, end, _ := measured(change); n == 0 || end.Series[0].Taken != "" {
			t.Errorf("%s: %d samples, taken from %q, want it measured", what, n, end.Series[0].Taken)
		}
	}
	f.cpu = "another"
	if n, _, _ := measured(nil); n == 0 {
		t.Error("nothing is measured on another processor")
	}
	f.cpu, f.usable = "", 4
	if n, _, _ := measured(nil); n == 0 {
		t.Error("nothing is measured on more processors")
	}
	f.usable = 0
	f.cores = 1 // another figure of the machine is no other machine
	if n, _, _ := measured(nil); n != 0 {
		t.Errorf("%d samples on the same machine, want none", n)
	}
}

// What the user asked for holds for trials, too; of what the user gives as -budget
// they have their share, however long measuring took.
func TestTrial(t *testing.T) {
	p := &pack{session: &session{plan: Plan{Timeout: 7 * time.Second, Sample: 3 * time.Millisecond, Layouts: 2, Cure: &Cure{Budget: 3 * time.Minute}}}, series: &measure.Series{}, began: time.Now().Add(-time.Hour)}
	pre := &prescribe.Prescription{Findings: make([]prescribe.Finding, 2), Fixes: []prescribe.Fix{
		{Edit: edit.Edit{ID: "a"}, Place: source.Place{Func: "m.F"}}, {Edit: edit.Edit{ID: "b"}, Place: source.Place{Func: "m.F"}, Finding: 1}, {Edit: edit.Edit{ID: "a+b", Parts: []string{"a", "b"}}, Place: source.Place{Func: "m.F"}},
	}}
	o := p.trial(pre)
	if o.Timeout != p.plan.Timeout || o.Sample != p.plan.Sample || o.Layouts != 2 || o.Budget != 2*time.Minute || o.Budget != time.Duration(o.Share*float64(p.plan.Cure.Budget)) {
		t.Errorf("timeout %v, sample %v, layouts %d, budget %v, a share of %.2f", o.Timeout, o.Sample, o.Layouts, o.Budget, o.Share)
	}
	var got []string
	for _, c := range o.Candidates {
		got = append(got, fmt.Sprintf("%s: claim %s, site %q, parts %v", c.ID, c.Claim, c.Site, c.Parts))
	}
	if want := []string{`a: claim m.F, site "0", parts []`, `b: claim m.F, site "1", parts []`, `a+b: claim m.F, site "", parts [a b]`}; !slices.Equal(got, want) {
		t.Errorf("candidates %q, want %q", got, want)
	}
}

// Controls are what no fix touches, as far as is known.
func TestUntouched(t *testing.T) {
	at := func(file, fn string) source.Place { return source.Place{File: file, Line: 3, Func: fn} }
	s := &measure.Series{Procs: []int{1, 2}, Evidence: map[measure.Cell]*evidence.Set{}}
	for name, place := range map[string]source.Place{
		"In": at("/m/a.go", "m.F"), "Literal": at("/m/a.go", "m.F.func1"), "Beside": at("/m/a.go", "m.G"), "Longer": at("/m/a.go", "m.Fast"), "Elsewhere": at("/m/b.go", "m.H"),
	} {
		s.Evidence[measure.Cell{Bench: name, Procs: 2}] = &evidence.Set{CPU: &cpuprof.Digest{Samples: fewSamples, Lines: []cpuprof.Line{{Place: place}}}}
	}
	for _, name := range []string{"In", "Literal", "Beside", "Longer", "Elsewhere", "Unknown"} {
		s.Listed = append(s.Listed, measure.Listed{Name: name})
	}
	within := prescribe.Fix{Place: at("/m/a.go", "m.F"), Within: true, Changes: []patch.Change{{File: "/m/a.go"}}}
	beyond := within
	beyond.Within = false
	s.Listed = append(s.Listed, measure.Listed{Name: "Waits"})
	s.Evidence[measure.Cell{Bench: "Waits", Procs: 2}] = &evidence.Set{CPU: &cpuprof.Digest{Samples: fewSamples - 1}}
	if got, want := controls(s, []prescribe.Fix{within}), []string{"Beside", "Longer", "Elsewhere"}; !slices.Equal(got, want) {
		t.Errorf("of an edit within a function: %q, want %q", got, want)
	}
	if got, want := controls(s, []prescribe.Fix{beyond}), []string{"Elsewhere"}; !slices.Equal(got, want) {
		t.Errorf("of an edit of more: %q, want %q", got, want)
	}
	made := within // a constructor, which takes no time
	made.ID, made.Place = "made", at("/m/a.go", "m.New")
	if got := controls(s, []prescribe.Fix{within, made}); got != nil {
		t.Errorf("of an edit that no profile shows: %q, want none", got)
	}
}

// TestSaysBarred: that a module cannot have edits which import the library is said once
// for its packages, and for no other module.
func TestSaysBarred(t *testing.T) {
	for _, k := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(k, t.TempDir())
	}
	old, young := t.TempDir(), t.TempDir()
	for dir, gomod := range map[string]string{old: "module old\n\ngo 1.24\n", young: "module young\n\ngo 1.999\n"} {
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(gomod), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	targets := []discover.Target{{Package: "old/p", Dir: filepath.Join(old, "p")}, {Package: "old/q", Dir: filepath.Join(old, "q")}, {Package: "young/p", Dir: filepath.Join(young, "p")}}
	for _, tt := range []struct {
		cure *Cure
		want int
	}{{&Cure{Library: true}, 1}, {&Cure{}, 0}, {nil, 0}} {
		var said []string
		s := &session{plan: Plan{Cure: tt.cure}, targets: targets, tell: func(e Event) { said = append(said, fmt.Sprint(e)) }}
		s.barred()
		if len(said) != tt.want || tt.want > 0 && !strings.Contains(said[0], filepath.Join(old, "go.mod")+" has go 1.24: of edits, those that use the standard library are tried there") {
			t.Errorf("%+v: said %q, want %d", tt.cure, said, tt.want)
		}
	}
}

// Only payoff fix asks what code that scales spends beside its own.
func TestCostsOfFix(t *testing.T) {
	x := &measure.Series{Package: "p", Procs: []int{1, 2}, Usable: 2, Families: discover.Families([]string{"BenchmarkX"}, discover.Hints{}), Evidence: map[measure.Cell]*evidence.Set{}}
	for procs := 1; procs <= 2; procs++ {
		c := measure.Cell{Bench: "BenchmarkX", Procs: procs}
		for round := range 12 {
			x.Add(c, measure.Sample{Round: int32(round + 1), Layout: int32(round), N: 100, Wall: 1e7 / float64(procs), CPU: 1e7, Goroutines: 2, Got: 1})
		}
		x.Evidence[c] = &evidence.Set{Bench: c.Bench, Procs: procs, Profiled: &evidence.Run{N: 100, Wall: 1e7 / float64(procs), CPU: 1e7},
			CPU: &cpuprof.Digest{Samples: 1000, Share: map[stack.Category]float64{stack.User: 0.5, stack.Reflect: 0.5}}}
	}
	for _, tt := range []struct {
		cure *Cure
		want int
	}{{nil, 0}, {&Cure{}, 1}, {&Cure{Edits: []*Edit{{}}}, 0}} {
		s := &session{plan: Plan{Cure: tt.cure}}
		costs := 0
		for _, f := range s.causes(x, judge.Judge(x, stats.DefaultRule, stats.DefaultBounds)) {
			if f.Costs {
				costs++
			}
		}
		if costs != tt.want {
			t.Errorf("%+v: costs of %d benchmarks, want %d", tt.cure, costs, tt.want)
		}
	}
}
