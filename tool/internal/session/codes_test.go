package session

import (
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/host/local"
	"github.com/gopayoff/payoff/tool/internal/host/sim"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/store"
)

// A paced host runs what a package's file "wall" says: nanoseconds per operation, or
// what is wrong with the code.
type paced struct {
	fake
	walls map[string]float64 // by binary
	now   float64
}

func (h *paced) Build(ctx context.Context, s host.Source) (host.Binary, error) {
	data, err := os.ReadFile(filepath.Join(s.Dir, "wall"))
	if err != nil {
		return host.Binary{}, err
	}
	wall, err := strconv.ParseFloat(string(data), 64)
	if err != nil {
		return host.Binary{}, &host.Fault{Reason: string(data)}
	}
	b, err := h.fake.Build(ctx, s)
	h.walls[b.ID] = wall
	return b, err
}

func (h *paced) Run(ctx context.Context, j host.Job) (host.Outcome, error) {
	h.now = h.walls[j.Binary]
	return h.fake.Run(ctx, j)
}

func (h *paced) plan(dir string, p Plan) Plan {
	h.walls = map[string]float64{}
	p = h.fake.plan(dir, p)
	h.Process = func(context.Context, sim.Process) (sim.Figures, error) {
		return sim.Figures{Wall: h.now, CPU: h.now}, nil
	}
	p.Base, p.Record = "", filepath.Join(p.Record, strconv.Itoa(len(h.walls))+time.Now().Format("150405.000000000"))
	return p
}

func (h *paced) carried(t *testing.T, p Plan) End {
	t.Helper()
	return carried(t.Context(), p, func(*local.Compiler) host.Host { return h })
}

// changes are the benchmarks that changed, with their words.
func changes(doc *report.Doc) (all []string) {
	for _, c := range doc.Compared.Changes {
		all = append(all, strings.Join([]string{c.Package, c.Benchmark, strconv.Itoa(c.Procs), string(c.Word), strconv.Itoa(int(math.Round(100 * report.Number(c.More.Value))))}, " "))
	}
	slices.Sort(all)
	return all
}

// TestCodes: two states of the code are found, built, listed and measured, the old one as
// the old one; what only one of them has is named by that one.
func TestCodes(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	dir := tree(t)
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	put := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
	}
	const head = "package a_test\n\nimport \"testing\"\n\nfunc BenchmarkA(b *testing.B) {}\n\n"
	put(".gitignore", "out\n")
	put("a/x_test.go", head+"func BenchmarkGone(b *testing.B) {}\n")
	put("a/wall", "10000")
	put("b/wall", "10000")
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "one")
	put("a/x_test.go", head+"func BenchmarkAdded(b *testing.B) {}\n")
	put("a/wall", "20000")
	if err := os.Remove(filepath.Join(dir, "b", "x_test.go")); err != nil {
		t.Fatal(err)
	}
	put("b/b.go", "package b\n")
	put("c/c_test.go", "package c\n\nimport \"testing\"\n\nfunc BenchmarkC(b *testing.B) {}\n")
	put("c/wall", "1")

	h := &paced{fake: fake{cores: 2}}
	notes := func(doc *report.Doc) (all []string) {
		for _, p := range doc.Problems {
			reason, _, _ := strings.Cut(p.Reason, ":")
			all = append(all, map[bool]string{false: "problem ", true: "note "}[p.Note]+p.Package+" "+reason)
		}
		return all
	}
	end := h.carried(t, h.plan(dir, Plan{Compare: &Compare{Old: "HEAD"}}))
	if end.Err != nil || end.Doc == nil {
		t.Fatal(end.Err)
	}
	if got, want := changes(end.Doc), []string{"example.com/m/a BenchmarkA 1 slower 100", "example.com/m/a BenchmarkA 2 slower 100"}; !slices.Equal(got, want) {
		t.Errorf("the working tree against HEAD: %q, want %q", got, want)
	}
	if got, want := notes(end.Doc), []string{"note example.com/m/c has benchmarks in the working tree and none in HEAD", "note example.com/m/b has benchmarks in HEAD and none in the working tree"}; !slices.Equal(got, want) {
		t.Errorf("what one of them has: %q, want %q", got, want)
	}
	x := end.Doc.Compared
	if len(x.Gone) != 1 || x.Gone[0].Benchmark != "BenchmarkGone" || len(x.Added) != 1 || x.Added[0].Benchmark != "BenchmarkAdded" {
		t.Errorf("gone %v, added %v", x.Gone, x.Added)
	}
	codes := end.Run.Codes
	if codes.Old.Name != "HEAD" || codes.New.Name != "the working tree" || codes.Old.Commit == "" || codes.Old.Commit != codes.New.Commit || codes.Old.Dirty || !codes.New.Dirty {
		t.Errorf("codes %+v", codes)
	}
	s := end.Series[0]
	var listed []string
	for _, l := range s.Listed {
		listed = append(listed, l.Name)
	}
	if want := []string{"BenchmarkA/code=old", "BenchmarkGone/code=old", "BenchmarkA/code=new", "BenchmarkAdded/code=new"}; !slices.Equal(listed, want) {
		t.Errorf("listed %q, want %q", listed, want)
	}
	if got := s.Places["BenchmarkAdded"]; got != (source.Place{File: "a/x_test.go", Line: 7}) || s.Cost.List == 0 || s.Cost.Build == 0 || s.Binary == "" {
		t.Errorf("BenchmarkAdded is at %+v; listing took %d, building %d", got, s.Cost.List, s.Cost.Build)
	}
	again := carried(t.Context(), Plan{Dir: dir, From: filepath.Join(dir, end.Doc.Record), Causes: None}, nil)
	if again.Err != nil || !slices.Equal(changes(again.Doc), changes(end.Doc)) || len(again.Doc.Compared.Gone) != 1 {
		t.Errorf("replayed: %v, %q", again.Err, changes(again.Doc))
	}

	// Two commits, the newer one as the old code, with nothing of the working tree.
	git("add", ".")
	git("commit", "-q", "-m", "two")
	put("a/wall", "undefined: mistake")
	end = h.carried(t, h.plan(dir, Plan{Compare: &Compare{Old: "HEAD", New: "HEAD~1"}}))
	if end.Err != nil || end.Doc == nil {
		t.Fatal(end.Err)
	}
	if got, want := changes(end.Doc), []string{"example.com/m/a BenchmarkA 1 faster -50", "example.com/m/a BenchmarkA 2 faster -50"}; !slices.Equal(got, want) {
		t.Errorf("HEAD~1 against HEAD: %q, want %q", got, want)
	}
	if c := end.Run.Codes; c.New.Dirty || c.Old.Commit == c.New.Commit || end.Series[0].Places["BenchmarkGone"] != (source.Place{File: "a/x_test.go", Line: 7}) {
		t.Errorf("codes %+v, BenchmarkGone is at %+v", c, end.Series[0].Places["BenchmarkGone"])
	}

	// Code that cannot be built is named by its side.
	end = h.carried(t, h.plan(dir, Plan{Packages: []string{"./a"}, Compare: &Compare{Old: "HEAD"}}))
	if got := end.Doc.Problems; len(got) == 0 || strings.Contains(got[0].Reason, "the old code") || !strings.Contains(got[0].Reason, "undefined: mistake") {
		t.Errorf("the new code has a mistake: %v, %v", got, end.Err)
	}
	git("commit", "-q", "-a", "-m", "three")
	put("a/wall", "10000")
	end = h.carried(t, h.plan(dir, Plan{Packages: []string{"./a"}, Compare: &Compare{Old: "HEAD"}}))
	if got := end.Doc.Problems; len(got) == 0 || !strings.HasPrefix(got[0].Reason, "the old code, HEAD, ") || !strings.Contains(got[0].Reason, "undefined: mistake") || got[0].Next != "name another commit that builds" {
		t.Errorf("the old code has a mistake: %v, %v", got, end.Err)
	}
	for says, c := range map[string]*Compare{"nothing to compare: HEAD and HEAD are both commit": {Old: "HEAD", New: "HEAD"}, "nosuch names no commit": {Old: "nosuch"}, "nosuch2 names no commit": {Old: "HEAD", New: "nosuch2"}} {
		if end := h.carried(t, h.plan(dir, Plan{Compare: c})); end.Doc != nil || end.Err == nil || !strings.Contains(end.Err.Error(), says) {
			t.Errorf("%+v: %v, want %q", c, end.Err, says)
		}
	}
}

// TestSessions: of two recorded runs the first is the old one; what differs between them
// besides the code is noted, and what both do not have is left out.
func TestSessions(t *testing.T) {
	dir := t.TempDir()
	record := func(name, cpu, version string, wall float64, packages ...string) string {
		to := filepath.Join(dir, name)
		d, err := store.Create(to)
		if err != nil {
			t.Fatal(err)
		}
		r := store.Run{Asked: &cmdline.Asked{Bench: "X"}, Problems: []problem.Problem{{Package: "p", Reason: "gone", Next: "x"}}}
		r.Rule.Alpha, r.Rule.Looks, r.Bounds.Margin, r.Bounds.Precision = 0.05, []int{8}, 0.03, 0.02
		r.Env.CPU, r.Env.Go, r.Env.Commit, r.Env.Dirty = cpu, version, name, name == "b"
		if err := d.Put(r); err != nil {
			t.Fatal(err)
		}
		for _, pkg := range packages {
			s := &measure.Series{Package: pkg, Procs: []int{1, 2}, End: measure.Decided, Dropped: map[string]int{}, Families: discover.Families([]string{"BenchmarkA"}, discover.Hints{})}
			p, err := d.Package(r, s)
			if err != nil {
				t.Fatal(err)
			}
			for round := range int32(10) {
				for _, procs := range s.Procs {
					x := measure.Sample{Round: round + 1, Layout: round, N: 10, Wall: wall + float64(round%3), CPU: wall}
					if err := p.Sample(measure.Cell{Bench: "BenchmarkA", Procs: procs}, x, ""); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := p.Close(s); err != nil {
				t.Fatal(err)
			}
		}
		return to
	}
	a := record("a", "EPYC", "go1.26", 10000, "p", "q", "only/a")
	b := record("b", "EPYC", "go1.26", 20000, "only/b", "q", "p")
	compare := func(old, new string) End {
		return carried(t.Context(), Plan{Dir: dir, Compare: &Compare{OldRun: old, NewRun: new}}, nil)
	}
	for _, tt := range []struct{ old, new, want string }{{a, b, "slower 100"}, {b, a, "faster -50"}} {
		end := compare(tt.old, tt.new)
		if end.Err != nil {
			t.Fatal(end.Err)
		}
		want := []string{"p BenchmarkA 1 " + tt.want, "p BenchmarkA 2 " + tt.want, "q BenchmarkA 1 " + tt.want, "q BenchmarkA 2 " + tt.want}
		if got := changes(end.Doc); !slices.Equal(got, want) || len(end.Doc.Problems) > 0 {
			t.Errorf("%s against %s: %q, problems %v, want %q", tt.new, tt.old, got, end.Doc.Problems, want)
		}
		old, new := filepath.Base(tt.old), filepath.Base(tt.new)
		if c := end.Run.Codes; c.Old != (discover.Code{Name: old, Commit: old, Dirty: old == "b", Run: old}) || c.New != (discover.Code{Name: new, Commit: new, Dirty: new == "b", Run: new}) {
			t.Errorf("codes %+v", c)
		}
	}
	for _, tt := range []struct{ name, cpu, version, says string }{{"c", "Xeon", "go1.26", `the same processor ("EPYC" and "Xeon")`}, {"d", "EPYC", "go1.27", `the same Go ("go1.26" and "go1.27")`}} {
		end := compare(a, record(tt.name, tt.cpu, tt.version, 10000, "p"))
		if end.Err != nil || len(end.Doc.Problems) != 1 || !end.Doc.Problems[0].Note || !strings.Contains(end.Doc.Problems[0].Reason, tt.says) {
			t.Errorf("%s: %v, problems %v, want %q", tt.name, end.Err, end.Doc.Problems, tt.says)
		}
	}
	if end := compare(a, record("e", "EPYC", "go1.26", 1, "r")); !errors.Is(end.Err, ErrSame) || end.Doc != nil {
		t.Errorf("nothing in common: %v", end.Err)
	}
	for _, pair := range [][2]string{{a, "none"}, {"none", a}} {
		if end := compare(pair[0], pair[1]); end.Err == nil || end.Doc != nil {
			t.Errorf("%q: no error", pair)
		}
	}
}

// TestEvents: nothing is told after the end, or to a reader that has stopped; progress is
// kept at most once a second, and gone at the end.
func TestEvents(t *testing.T) {
	dir := tree(t)
	f := &fake{cores: 2}
	p := f.plan(dir, Plan{Causes: None})
	n := 0
	for range RunOn(t.Context(), p, f.hosts) {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("%d events after the reader stopped at 2", n)
	}
	d, err := store.Create(filepath.Join(dir, "kept"))
	if err != nil {
		t.Fatal(err)
	}
	s := &session{rec: d}
	is := func(want string) {
		t.Helper()
		p, running := store.Running(d.Path, time.Now())
		got := p.Step
		if p.Rounds != nil {
			got = "round " + strconv.Itoa(p.Rounds.Round)
		}
		if got != want || running != (want != "") {
			t.Errorf("progress %q, running %t, want %q", got, running, want)
		}
	}
	s.keepProgress(Notice("a word"))
	is("")
	s.keepProgress(Step("one"))
	is("one")
	s.keepProgress(Step("two"))
	is("one")
	s.told = time.Now().Add(-progressEvery)
	s.keepProgress(Rounds(measure.Progress{Package: "p", Round: 3}))
	is("round 3")
	s.keepProgress(End{})
	is("")
	(&session{}).keepProgress(Step("of a replay"))
}
