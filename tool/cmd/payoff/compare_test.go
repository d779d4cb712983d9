package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"

	"github.com/gopayoff/payoff/tool/internal/report"
)

// TestRecordCompare makes a small module of many commits, of which most change
// nothing and some make a benchmark a tenth slower, and lets payoff compare say
// what each did. Beside it stands the usual way: ten runs of the old code, then ten
// of the new, and a Mann–Whitney test. It goes on with what the folder
// PAYOFF_RECORD has not got yet, for PAYOFF_RECORD_TIME (default 8m): call it until
// nothing is left.
//
//	PAYOFF_RECORD=$PWD/record/DATE-CPU go test ./tool/cmd/payoff -run RecordCompare -timeout 0 -v
func TestRecordCompare(t *testing.T) {
	dir := os.Getenv("PAYOFF_RECORD")
	if dir == "" {
		t.Skip("measures for an hour: set PAYOFF_RECORD to the folder of the record")
	}
	limit, err := time.ParseDuration(cmp.Or(os.Getenv("PAYOFF_RECORD_TIME"), "8m"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := filepath.Abs(filepath.Join(dir, "compare", "commits.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	known, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	done := map[int]comparedCommit{}
	for line := range bytes.Lines(known) {
		var c comparedCommit
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		done[c.Commit] = c
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	h := newComparedHistory(t)
	began, longest := time.Now(), time.Minute
	for i := range comparedCommits {
		old, new := h.commit(i)
		if _, ok := done[i]; ok || time.Since(began)+longest > limit {
			continue
		}
		start := time.Now()
		c := comparedCommit{Commit: i, Planted: slowed(i), Changes: h.compare(old, new), Sequential: h.sequential(old, new)}
		longest = max(longest, time.Since(start))
		data, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(append(data, '\n')); err != nil {
			t.Fatal(err)
		}
		done[i] = c
	}
	var noop, planted comparedTally
	for _, c := range done {
		if c.Planted {
			planted.add(c)
		} else {
			noop.add(c)
		}
	}
	summary := fmt.Sprintf(`%d commits that change nothing, %d benchmarks:
  payoff compare             %d false alarms, nothing said of %d
  one after the other        %d false alarms
%d commits that make one benchmark 10 %% slower:
  payoff compare             %d found, by %+.1f %% in the median
  one after the other        %d found
`, noop.commits, noop.benchmarks, noop.different, noop.unsaid, noop.sequential, planted.commits, planted.found, 100*planted.median(), planted.usual)
	if err := os.WriteFile(filepath.Join(filepath.Dir(file), "summary.txt"), []byte(summary), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s%d of %d commits are left", summary, comparedCommits-len(done), comparedCommits)
}

const comparedCommits = 50

// slowed reports whether a commit makes BenchmarkHash slower.
func slowed(commit int) bool { return commit%5 == 4 }

// A comparedCommit is what was said of one.
type comparedCommit struct {
	Commit     int             `json:"commit"`
	Planted    bool            `json:"planted,omitempty"`
	Changes    []report.Change `json:"changes"`
	Sequential []seqChange     `json:"sequential"`
}

// A seqChange is what the usual way says of a benchmark.
type seqChange struct {
	Benchmark string  `json:"benchmark"`
	More      float64 `json:"more"`
	P         float64 `json:"p"`
}

type comparedTally struct {
	commits, benchmarks, different, unsaid, sequential, found, usual int

	by []float64 // how much slower what is found is
}

func (x *comparedTally) median() float64 {
	if len(x.by) == 0 {
		return 0
	}
	slices.Sort(x.by)
	return x.by[len(x.by)/2]
}

func (x *comparedTally) add(c comparedCommit) {
	x.commits++
	for _, b := range c.Changes {
		x.benchmarks++
		switch b.Word {
		case report.Faster, report.Slower:
			x.different++
		case report.CannotSay:
			x.unsaid++
		}
		if c.Planted && b.Benchmark == "BenchmarkHash" && b.Word == report.Slower {
			x.found++
			x.by = append(x.by, report.Number(b.More.Value))
		}
	}
	for _, s := range c.Sequential {
		if s.P <= 0.05 {
			x.sequential++
			if c.Planted && s.Benchmark == "Hash" && s.More > 0 {
				x.usual++
			}
		}
	}
}

// A comparedHistory is a repository whose commits are compared.
type comparedHistory struct {
	t   *testing.T
	dir string
}

func newComparedHistory(t *testing.T) *comparedHistory {
	h := &comparedHistory{t, t.TempDir()}
	h.write("go.mod", "module example.com/m\n\ngo 1.22\n")
	h.write("m_test.go", comparedBenchmarks)
	h.source(1000, 0)
	h.git("init", "-q")
	h.git("add", ".")
	h.git("commit", "-q", "-m", "begin")
	return h
}

const comparedBenchmarks = `package m

import "testing"

var sink uint64

func BenchmarkHash(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink += Hash(uint64(i))
	}
}

func BenchmarkSort(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink += Sort(uint64(i))
	}
}

func BenchmarkMap(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink += Map(uint64(i))
	}
}
`

// source writes the code with so many rounds in Hash, and with a table and a
// function that move what comes after them.
func (h *comparedHistory) source(rounds, moved int) {
	h.write("m.go", fmt.Sprintf(`package m

import "sort"

// Version is what a commit without an effect changes.
var Version = %q

//go:noinline
func moves(x uint64) uint64 {
%s	return x
}

func Hash(x uint64) uint64 {
	for i := uint64(0); i < %d; i++ {
		x = (x ^ i) * 6364136223846793005
	}
	return x
}

func Sort(x uint64) uint64 {
	var xs [64]int
	for i := range xs {
		x = x*2862933555777941757 + 3037000493
		xs[i] = int(x >> 40)
	}
	sort.Ints(xs[:])
	return uint64(xs[0]) + moves(x)
}

func Map(x uint64) uint64 {
	m := map[uint64]int{}
	for i := range uint64(32) {
		m[x+i%%7]++
	}
	return uint64(len(m))
}
`, strings.Repeat("v", moved), strings.Repeat("\tx = x<<1 | x>>63\n", moved%17), rounds))
}

// commit makes the i-th commit and returns it with the one that it is compared with.
// One that plants a regression is compared with the same code without it.
func (h *comparedHistory) commit(i int) (old, new string) {
	h.source(1000, i+1)
	if slowed(i) {
		h.git("commit", "-q", "-a", "-m", fmt.Sprint("without ", i))
		h.source(1100, i+1) // of 100 and 110, one more exit of the loop that is not foreseen makes 17 %
	}
	h.git("commit", "-q", "-a", "-m", fmt.Sprint("commit ", i))
	old, new = h.git("rev-parse", "HEAD~1"), h.git("rev-parse", "HEAD")
	if slowed(i) {
		h.source(1000, i+1)
		h.git("commit", "-q", "-a", "-m", fmt.Sprint("back ", i))
	}
	return old, new
}

func (h *comparedHistory) write(name, text string) {
	if err := os.WriteFile(filepath.Join(h.dir, name), []byte(text), 0o644); err != nil {
		h.t.Fatal(err)
	}
}

func (h *comparedHistory) git(args ...string) string {
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
	return strings.TrimSpace(h.run(cmd))
}

func (h *comparedHistory) run(cmd *exec.Cmd) string {
	cmd.Dir = h.dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		h.t.Fatalf("%v: %v\n%s%s", cmd.Args, err, out, stderr.Bytes())
	}
	return string(out)
}

// compare is what payoff compare says, with 30 seconds for the three benchmarks.
func (h *comparedHistory) compare(old, new string) []report.Change {
	h.t.Chdir(h.dir)
	var out, errs bytes.Buffer
	if code := run([]string{"payoff", "compare", "-json", "-procs", "1", "-budget", "30s", old, new}, &out, &errs); code != exitOK {
		h.t.Fatalf("payoff compare: exit code %d\n%s", code, errs.Bytes())
	}
	var doc report.Doc
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		h.t.Fatal(err)
	}
	return doc.Compared.Changes
}

// sequential measures the old code and then the new one, as it is usually done.
func (h *comparedHistory) sequential(old, new string) (all []seqChange) {
	branch := h.git("rev-parse", "--abbrev-ref", "HEAD")
	var walls [2]map[string][]float64
	var names []string
	for i, commit := range []string{old, new} {
		h.git("checkout", "-q", commit)
		walls[i] = map[string][]float64{}
		out := h.run(exec.Command("go", "test", "-run=^$", "-bench=.", "-count=10", "-benchtime=100ms", "-cpu=1"))
		for r := benchfmt.NewReader(strings.NewReader(out), "go test"); r.Scan(); {
			if x, ok := r.Result().(*benchfmt.Result); ok {
				name := string(x.Name)
				if len(walls[0][name]) == 0 {
					names = append(names, name)
				}
				sec, _ := x.Value("sec/op")
				walls[i][name] = append(walls[i][name], sec)
			}
		}
	}
	h.git("checkout", "-q", branch)
	for _, n := range names {
		a, b := benchmath.NewSample(walls[0][n], &benchmath.DefaultThresholds), benchmath.NewSample(walls[1][n], &benchmath.DefaultThresholds)
		all = append(all, seqChange{n, benchmath.AssumeNothing.Summary(b, 0.95).Center/benchmath.AssumeNothing.Summary(a, 0.95).Center - 1, benchmath.AssumeNothing.Compare(a, b).P})
	}
	return all
}

// The history that is recorded builds, and its commits differ as they should.
func TestComparedHistory(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil || testing.Short() {
		t.Skip("no git, or -short")
	}
	h := newComparedHistory(t)
	for i := range 5 {
		old, new := h.commit(i)
		diff := h.git("diff", old, new)
		if got := strings.Contains(diff, "+	for i := uint64(0); i < 1100"); got != slowed(i) {
			t.Errorf("commit %d slows Hash down: %t, want %t\n%s", i, got, slowed(i), diff)
		}
	}
	h.run(exec.Command("go", "vet"))
}

// The workflows to copy call payoff ci as it can be called, and install the version that
// this module requires of the others.
func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob("../../../docs/ci/*.yml")
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	var calls [][]string
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		n := len(calls)
		if got := regexp.MustCompile(`cmd/payoff@(\S+)`).FindSubmatch(data); got == nil || !bytes.Contains(mod, []byte("\n\tgithub.com/gopayoff/payoff "+string(got[1])+"\n")) {
			t.Errorf("%s installs %q, which is not what go.mod requires", file, got)
		}
		for line := range strings.Lines(string(data)) {
			if _, call, ok := strings.Cut(line, "payoff ci "); ok {
				call, _, _ = strings.Cut(call, ">")
				calls = append(calls, append([]string{"payoff", "ci"}, strings.Fields(call)...))
			}
		}
		if len(calls) == n {
			t.Errorf("%s does not call payoff ci", file)
		}
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("go.mod", []byte("module example.com/m\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, call := range calls {
		var out, errs bytes.Buffer
		if code := run(call, &out, &errs); code == exitOK || !strings.Contains(errs.String(), "takes refs of a git repository") {
			t.Errorf("%q: exit code %d: %s", call, code, errs.Bytes())
		}
	}
}
