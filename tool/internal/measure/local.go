package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/probe"
)

// Local runs the test binary of one package on this machine. It is a
// [Runner]; one call at a time.
type Local struct {
	Target  discover.Target
	Timeout time.Duration // of one process without news; default 1 minute
	// Missing is what samples will lack, a phrase each.
	Missing []string

	binary string // that of the layout in use
	events string // file the probe writes to; "" without the probe
	// link builds the binary once more, in another layout.
	link    func(ctx context.Context, layout int, out string) error
	layouts []string // the binaries, by layout; layouts[0] is as the linker made it
	layout  int      // in use
	warned  map[string]bool
	note    func(discover.Problem)
}

// BuildOptions say how a test binary is built.
type BuildOptions struct {
	Dir   string // for the binary and what it writes; it must exist
	Cache string // for what outlives the run
	Plain bool   // without the probe
	// Change is what the code shall be instead, for experiments.
	Change overlay.Overlay
	// Note receives what is worth a word but stops nothing; nil if unwanted.
	Note func(discover.Problem)
}

// Build compiles the test binary of t, with the probe where it fits the
// toolchain and plainly where it does not.
func Build(ctx context.Context, tc *gocmd.Toolchain, t discover.Target, o BuildOptions) (*Local, error) {
	l := &Local{Target: t, binary: filepath.Join(o.Dir, "test"+exeSuffix()), warned: map[string]bool{}, note: o.Note}
	l.layouts = []string{l.binary}
	if l.note == nil {
		l.note = func(discover.Problem) {}
	}
	failed := func(err error) error {
		return &Broken{discover.Problem{Package: t.Package, Reason: "does not compile: " + compilerSays(err.Error()), Next: plain.Shell("go", "vet", t.Package)}}
	}
	reason := "switched off"
	if !o.Plain {
		err := l.buildProbed(ctx, tc, o)
		if err == nil {
			if !goroutinesCounted(tc.Version) {
				l.Missing = append(l.Missing, "goroutines created: needs Go 1.26, the package is built by "+tc.Version)
			}
			if runtime.GOOS != "linux" {
				l.Missing = append(l.Missing, "what other processes ran: only Linux tells it, so samples that they disturbed are not dropped")
			}
			return l, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		reason = compilerSays(err.Error())
	}
	index := ""
	if len(o.Change) > 0 {
		var err error
		if index, err = o.Change.Write(o.Dir); err != nil {
			return nil, err
		}
	}
	if err := l.build(ctx, tc, index); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, failed(err)
	}
	if _, err := os.Stat(l.binary); err != nil {
		return nil, failed(errors.New("go test -c wrote no binary"))
	}
	l.Missing = append(l.Missing, "CPU time, cores, goroutines, context switches, mutex wait and GC of the timed region: the testing package cannot be probed ("+firstLine(reason)+"), and RunParallel is measured with its counter")
	return l, nil
}

func (l *Local) buildProbed(ctx context.Context, tc *gocmd.Toolchain, o BuildOptions) error {
	tc, err := tc.Unlock(o.Cache)
	if err != nil {
		return err
	}
	files, err := probe.Overlay(tc.Root, tc.OS)
	if err != nil {
		return err
	}
	maps.Copy(files, o.Change)
	index, err := files.Write(o.Dir)
	if err != nil {
		return err
	}
	if err := l.build(ctx, tc, index); err != nil {
		return err
	}
	if _, err := os.Stat(l.binary); err != nil {
		return errors.New("go test -c wrote no binary")
	}
	l.events, err = filepath.Abs(filepath.Join(o.Dir, "events"))
	return err
}

// build compiles the binary and remembers how.
func (l *Local) build(ctx context.Context, tc *gocmd.Toolchain, index string) error {
	l.link = func(ctx context.Context, layout int, out string) error {
		if tc.SetsLinker() {
			return errors.New("GOFLAGS sets -ldflags")
		}
		return tc.BuildTest(ctx, l.Target.Package, out, index, layout)
	}
	return tc.BuildTest(ctx, l.Target.Package, l.binary, index, 0)
}

// layoutSeed makes the seeds of layouts numbers of equal length.
const layoutSeed = 1000

// Use implements [Layouts]. The binary of a new layout is linked before Use
// returns, some tenths of a second for a small one.
func (l *Local) Use(ctx context.Context, k int) error {
	if k == len(l.layouts) {
		out := strings.TrimSuffix(l.layouts[0], exeSuffix()) + fmt.Sprintf("-%d", k) + exeSuffix()
		if err := l.link(ctx, layoutSeed+k, out); err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return errors.New(compilerSays(err.Error()))
		}
		l.layouts = append(l.layouts, out)
	}
	l.layout, l.binary = k, l.layouts[k]
	return nil
}

func exeSuffix() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

var goVersion = regexp.MustCompile(`^go1\.(\d+)`)

// goroutinesCounted reports whether the runtime of this version counts the
// goroutines it creates.
func goroutinesCounted(version string) bool {
	m := goVersion.FindStringSubmatch(version)
	return m == nil || len(m[1]) > 2 || m[1] >= "26"
}

// listTime is the benchtime of the listing: enough for a first guess of the
// time per operation.
const listTime = 2 * time.Millisecond

// maxBroken bounds how often a listing starts again after a benchmark crashed.
const maxBroken = 16

// List runs a benchmark function briefly at procs and returns the leaf
// benchmarks it has. One that crashes is left out, and the others are listed
// without it.
func (l *Local) List(ctx context.Context, fn discover.Func, procs int) (found []Listed, problems []discover.Problem, err error) {
	if l.events == "" && fn.SetsProcs != "" {
		// Only the probe sees when the call acts.
		return nil, []discover.Problem{l.changesProcs(fn.Name, "")}, nil
	}
	var skip []string
	seen := map[string]bool{}
	for range maxBroken {
		args := []string{"-test.bench=" + fn.Pattern, "-test.benchtime=" + listTime.String(), "-test.v"}
		if len(skip) > 0 {
			args = append(args, "-test.skip="+strings.Join(skip, "|"))
		}
		p, err := l.process(ctx, procs, args, "")
		if err != nil {
			return found, problems, err
		}
		for _, r := range p.results {
			if !seen[r.name] {
				seen[r.name] = true
				found = append(found, Listed{Name: r.name, PerOp: r.sample.Wall, Whole: float64(r.sample.Whole)})
			}
		}
		for _, n := range p.skipped {
			if !seen[n] {
				seen[n] = true
				problems = append(problems, l.skips(n, p))
			}
		}
		if p.left && !p.crashed {
			l.leaves(fn.Name)
		}
		if p.failure == "" {
			if len(found) == 0 && len(problems) == 0 {
				problems = append(problems, l.problem(fn.Name, p.nothing(), "check TestMain, and "+l.test(fn.Pattern), false))
			}
			return found, problems, nil
		}
		// What failed by b.Fatal is out; its siblings ran.
		for _, n := range p.failed {
			if isParent(n, p.failed) || seen[n] {
				continue
			}
			seen[n] = true
			problems = append(problems, l.problem(n, "fails"+message(p.output, "FAIL", n, procs), l.pass(n, ""), false))
		}
		if !p.crashed {
			return found, problems, nil
		}
		culprit := cmp.Or(p.open, fn.Name)
		problems = append(problems, l.problem(culprit, p.failure, l.pass(culprit, ""), false))
		if culprit == fn.Name || seen[culprit] {
			return found, problems, nil
		}
		seen[culprit] = true
		skip = skip[:0]
		for n := range seen {
			skip = append(skip, exact(n)) // known already
		}
		slices.Sort(skip)
	}
	problems = append(problems, l.problem(fn.Name, fmt.Sprintf("crashed %d times while its sub-benchmarks were listed", maxBroken), "leave the broken ones out with -bench", false))
	return found, problems, nil
}

// Run implements [Runner].
func (l *Local) Run(ctx context.Context, c Cell, n int64) (Sample, error) {
	return l.run(ctx, c, n, "")
}

// Kinds of evidence that [Local.Collect] leaves behind.
const (
	CPUProfile   = "cpu"
	Trace        = "trace"
	LockProfiles = "locks"
	Counters     = "counters"
	Pages        = "pages"
)

// CanCollect reports whether evidence can be confined to the timed region:
// only the probe knows when that is.
func (l *Local) CanCollect() bool { return l.events != "" }

// Collect runs n operations of c in a process of its own and leaves evidence
// of their timed region in file ([LockProfiles]: beside it). The Sample is of
// a disturbed run. many says that the benchmark stops its timer in its loop.
func (l *Local) Collect(ctx context.Context, c Cell, n int64, kind string, many bool, file string) (Sample, error) {
	if many {
		kind += ",many"
	}
	return l.run(ctx, c, n, probe.EvidenceEnv+"="+kind+":"+file)
}

// RunWith is Run with one more environment variable, for binaries built with
// a change that wants one.
func (l *Local) RunWith(ctx context.Context, c Cell, n int64, env string) (Sample, error) {
	return l.run(ctx, c, n, env)
}

// Binary is the path of the test binary, in the layout that the linker gave it.
func (l *Local) Binary() string { return l.layouts[0] }

func (l *Local) run(ctx context.Context, c Cell, n int64, env string) (Sample, error) {
	args := []string{"-test.bench=" + exact(c.Bench), fmt.Sprintf("-test.benchtime=%dx", n)}
	if l.events == "" {
		args = append(args, "-test.v") // each result on a line by itself
	}
	p, err := l.process(ctx, c.Procs, args, env)
	if err != nil {
		return Sample{}, err
	}
	if p.left && !p.crashed {
		l.leaves(c.Bench)
	}
	if p.failure != "" {
		return Sample{}, &Broken{l.problem(c.Bench, p.failure+message(p.output, "FAIL", c.Bench, c.Procs), l.pass(c.Bench, " every time"), false)}
	}
	i := slices.IndexFunc(p.results, func(r result) bool { return r.name == c.Bench })
	if i < 0 {
		if slices.Contains(p.skipped, c.Bench) {
			return Sample{}, &Broken{l.skips(c.Bench, p)}
		}
		return Sample{}, &Broken{l.problem(c.Bench, p.nothing(), "give sub-benchmarks the same names in every run", false)}
	}
	s := p.results[i].sample
	if !(s.Wall > 0) || n >= 1e6 && s.Wall < 0.01 { // ns: no loop turns so fast
		return Sample{}, &Broken{l.problem(c.Bench, "its timed region takes no time", "loop b.N times or use b.Loop, and start the timer before the work", false)}
	}
	if int(s.ActualProcs) != c.Procs {
		return Sample{}, &Broken{l.changesProcs(c.Bench, fmt.Sprintf(" (asked for %d, ran at %d)", c.Procs, max(s.ActualProcs, -s.ActualProcs)))}
	}
	if fn := l.fn(c.Bench); fn != nil && fn.SetsProcs != "" && p.results[i].stops != 0 {
		// It was put back before the timer stopped; the call and a world that
		// stood still are the evidence left.
		return Sample{}, &Broken{l.changesProcs(c.Bench, " and puts it back")}
	}
	s.Layout = int32(l.layout)
	s.Got = 1
	if p.delay >= 0 && p.cpu > 0 {
		s.Got = float32(float64(p.cpu) / float64(p.cpu+p.delay))
	}
	s.Others, s.Steal = float32(p.others), float32(p.steal)
	if s.Child > 0 && !l.warned[c.Bench] {
		l.warned[c.Bench] = true
		l.note(l.problem(c.Bench, "starts other processes", "their CPU time is not in its cores, overhead and inflation; its wall time is whole", true))
	}
	return s, nil
}

// changesProcs says that a benchmark decides itself at how many processors it
// runs: a figure of it would carry the wrong number.
func (l *Local) changesProcs(bench, how string) discover.Problem {
	reason := "changes GOMAXPROCS itself" + how
	if f := l.fn(bench); f != nil && f.SetsProcs != "" {
		reason += " at " + f.SetsProcs
	}
	return l.problem(bench, reason, "take the runtime.GOMAXPROCS call out: -procs sets it", false)
}

func (l *Local) skips(bench string, p *process) discover.Problem {
	return l.problem(bench, "skips itself"+message(p.output, "SKIP", bench, 1), "make it run here, or leave it out with -bench", true)
}

func (l *Local) leaves(bench string) {
	if key := bench + " left"; !l.warned[key] {
		l.warned[key] = true
		l.note(l.problem(bench, "left processes running, which were ended", "wait for them before the benchmark returns", true))
	}
}

// pass is what to do about a benchmark that fails.
func (l *Local) pass(bench, often string) string {
	return "make " + l.test(exact(bench)) + " pass" + often + ", or leave it out with -bench"
}

// test is the command that runs the benchmarks of a pattern without payoff.
func (l *Local) test(pattern string) string {
	return plain.Shell("go", "test", "-run=^$", "-bench="+pattern, l.Target.Package)
}

func (l *Local) problem(bench, reason, next string, note bool) discover.Problem {
	return discover.Problem{Package: l.Target.Package, Benchmark: bench, Reason: reason, Next: next, Note: note}
}

// exact is the -test.bench expression of just one benchmark.
func exact(name string) string {
	levels := strings.Split(name, "/")
	for i, l := range levels {
		levels[i] = "^" + regexp.QuoteMeta(l) + "$"
	}
	return strings.Join(levels, "/")
}

func isParent(name string, of []string) bool {
	return slices.ContainsFunc(of, func(n string) bool { return strings.HasPrefix(n, name+"/") })
}

// message finds what a benchmark that failed or skipped itself logged: below
// its line, or under -test.v, which prints at once, above.
func message(output []byte, word, bench string, procs int) string {
	lines := strings.Split(string(output), "\n")
	for i, l := range lines {
		_, name, ok := strings.Cut(l, "--- "+word+": ")
		if !ok || name != bench && name != fmt.Sprintf("%s-%d", bench, procs) {
			continue
		}
		j := i + 1
		if j == len(lines) || !strings.HasPrefix(lines[j], "    ") {
			for j = i - 1; j > 0 && strings.HasPrefix(lines[j], "        "); j-- { // of several lines the first
			}
		}
		if j >= 0 && strings.HasPrefix(lines[j], "    ") {
			return " (" + tail([]byte(lines[j]), 200) + ")"
		}
	}
	return ""
}

// compilerSays makes one line of what the go command printed: the first
// three complaints.
func compilerSays(s string) string {
	var said []string
	more := 0
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "FAIL"):
		case len(said) == 3:
			more++
		default:
			said = append(said, line)
		}
	}
	out := strings.Join(said, "; ")
	if more > 0 {
		out += fmt.Sprintf("; and %d more lines", more)
	}
	return out
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}

func sampleOf(e probe.Event) Sample {
	n := float64(e.Value["n"])
	per := func(key string) float64 {
		v, ok := e.Value[key]
		if !ok {
			return math.NaN()
		}
		return float64(v) / n
	}
	s := Sample{
		N: e.Value["n"], Wall: per("ns"), CPU: per("cpu"),
		Goroutines: float32(per("goroutines")), Allocs: float32(per("allocs")), Bytes: float32(per("bytes")),
		Voluntary: float32(per("voluntary")), Preempted: float32(per("preempt")), MutexWait: float32(per("mutex")), GC: float32(per("gc")),
		System: float32(per("system")), Faults: float32(per("faults")), Live: float32(per("live") * n),
		Child: float32(per("child")), SetBytes: float32(e.Value["set"]), ActualProcs: int32(e.Value["procs"]), Got: 1, Extra: e.Extra,
	}
	if starts := e.Value["starts"]; starts > 3 { // more than the framework's own and a ResetTimer
		if 2*starts > s.N {
			s.Whole = float32(per("whole"))
		}
		if e.Value["ns"] < starts*minRegion {
			s.CPU = math.NaN()
		}
	}
	return s
}

// minRegion is the shortest stretch between start and stop of the timer, in
// ns, whose CPU time can be told: reading it takes some microseconds itself.
const minRegion = 100_000
