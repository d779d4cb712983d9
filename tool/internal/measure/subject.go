package measure

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/probe"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/sharing"
)

// A Subject is the test binary of one package on a host: the one door to
// running benchmarks. One call at a time.
type Subject struct {
	Target discover.Target
	// Timeout is how long a process may be without news, if the user said so.
	// Else Patience is, by default a minute; who runs processes sets it.
	Timeout, Patience time.Duration
	// Missing is what samples will lack, a phrase each.
	Missing []string

	host    host.Host
	source  host.Source // of the binaries
	layouts map[int]host.Binary
	layout  int // in use
	warned  map[string]bool
	note    func(problem.Problem)
}

// BuildOptions say how a test binary is built.
type BuildOptions struct {
	Plain bool // without the probe
	Bare  bool // see [host.Source]
	// Askers makes one whose processes have one processor and tell askers of that of their
	// cell; see [probe.Askers].
	Askers bool
	// Change is what the code shall be instead, for experiments.
	Change overlay.Overlay
	// Note receives what is worth a word but stops nothing; nil if unwanted.
	Note func(problem.Problem)
}

// NoCompile is what the reason begins with of a problem with code that does not
// compile.
const NoCompile = "does not compile: "

// Build compiles the test binary of t on a host. The error is a [*Broken] where
// the package does not compile.
func Build(ctx context.Context, h host.Host, t discover.Target, o BuildOptions) (*Subject, error) {
	s := &Subject{Target: t, host: h, warned: map[string]bool{}, note: o.Note,
		source: host.Source{Package: t.Package, Dir: t.Dir, Change: o.Change, Plain: o.Plain, Bare: o.Bare, Askers: o.Askers}}
	if s.note == nil {
		s.note = func(problem.Problem) {}
	}
	b, err := h.Build(ctx, s.source)
	if fault := (*host.Fault)(nil); errors.As(err, &fault) {
		if fault.Next != "" {
			return nil, &Broken{Problem: s.problem("", "cannot be built: "+fault.Reason, fault.Next, false)}
		}
		if tidy := "go mod tidy"; strings.Contains(fault.Reason, tidy) { // go vet would say no more
			return nil, &Broken{Problem: s.problem("", "cannot be built: "+fault.Reason, tidy, false)}
		}
		return nil, &Broken{Problem: s.problem("", NoCompile+fault.Reason, plain.Shell("go", "vet", t.Package), false)}
	}
	if err != nil {
		return nil, err
	}
	s.layouts, s.Missing = map[int]host.Binary{0: b}, b.Missing
	return s, nil
}

// Use makes the k-th order of the functions that of the runs to come. Order 0,
// the linker's own, is in use at the start. An error means that there are no
// more.
func (s *Subject) Use(ctx context.Context, k int) error {
	if _, ok := s.layouts[k]; !ok {
		source := s.source
		source.Layout = k
		b, err := s.host.Build(ctx, source)
		if err != nil {
			return err
		}
		s.layouts[k] = b
	}
	s.layout = k
	return nil
}

// Forget lets the host take the binary of a layout away, or with 0 all of them:
// they are not run again. It is of use where there are many.
func (s *Subject) Forget(k int) {
	if f, ok := s.host.(host.Forgetter); ok {
		source := s.source
		source.Layout = k
		f.Forget(source)
		delete(s.layouts, k)
		if s.layout == k {
			s.layout = 0
		}
	}
}

// Image returns the test binary, in the layout that the linker gave it.
func (s *Subject) Image(ctx context.Context) ([]byte, error) {
	source := s.source
	source.Image = true
	b, err := s.host.Build(ctx, source)
	return b.Image, err
}

// Sum is a checksum of the test binary: equal code, built by an equal toolchain,
// has the same.
func (s *Subject) Sum(ctx context.Context) (string, error) {
	image, err := s.Image(ctx)
	return fmt.Sprintf("%x", sha256.Sum256(image)), err
}

// OS is the GOOS of the host.
func (s *Subject) OS() string { return s.layouts[0].OS }

func (s *Subject) probed() bool { return s.layouts[0].Probed }

// listTime is the benchtime of the listing: enough for a first guess of the
// time per operation.
const listTime = 2 * time.Millisecond

// maxBroken bounds how often a listing starts again after a benchmark crashed.
const maxBroken = 16

// List implements [Lister]: it runs a benchmark function briefly at procs and
// returns the leaf benchmarks it has. One that crashes or hangs is left out, and
// the others are listed without it.
func (s *Subject) List(ctx context.Context, fn discover.Func, procs int, quiet, whole time.Duration) (found []Listed, problems []problem.Problem, err error) {
	if !s.probed() && fn.SetsProcs != "" {
		// Only the probe sees when the call acts.
		return nil, []problem.Problem{s.changesProcs(fn.Name, "")}, nil
	}
	var skip []string
	seen := map[string]bool{}
	end := time.Now().Add(whole)
	for range maxBroken {
		args := []string{"-test.bench=" + fn.Pattern, "-test.benchtime=" + listTime.String(), "-test.v"}
		if len(skip) > 0 {
			args = append(args, "-test.skip="+strings.Join(skip, "|"))
		}
		p, err := s.process(ctx, procs, quiet, max(1, time.Until(end)), args)
		if err != nil {
			return found, problems, err
		}
		for _, r := range p.results {
			if !seen[r.Name] {
				seen[r.Name] = true
				x := sampleOf(r)
				found = append(found, Listed{Name: r.Name, PerOp: x.Wall, Whole: float64(x.Whole), Parallel: r.Value["parallel"] != 0, Starts: x.Goroutines > 0, Setup: fn.Setup != "" && !fn.Loops})
			}
		}
		for _, n := range p.skipped {
			if !seen[n] {
				seen[n] = true
				problems = append(problems, s.skips(n, p))
			}
		}
		if p.Left && !p.crashed {
			s.leaves(fn.Name, p)
		}
		if p.failure == "" {
			// As under go test, a function may have none of the sub-benchmarks asked for.
			none := strings.Contains(fn.Pattern, "/") && (p.ended || !s.probed())
			if len(found) == 0 && len(problems) == 0 && !none {
				problems = append(problems, s.problem(fn.Name, p.nothing(), "check TestMain, and "+s.test(fn.Pattern), false))
			}
			return found, problems, nil
		}
		// What failed by b.Fatal is out; its siblings ran.
		for _, n := range p.failed {
			if isParent(n, p.failed) || seen[n] {
				continue
			}
			seen[n] = true
			problems = append(problems, s.problem(n, "fails"+message(p.Output, "FAIL", n, procs), s.pass(n, "", false), false))
		}
		if !p.crashed {
			return found, problems, nil
		}
		culprit := cmp.Or(p.open, fn.Name)
		if p.Late && time.Until(end) <= 0 {
			return found, problems, &Late{s.unlisted(fn, culprit, whole, len(found), p)}
		}
		next, slow := s.pass(culprit, "", p.Late), p.Late && s.allowed(quiet) != ""
		switch {
		case slow: // which is no fault
			next = cmdline.MoreBudget
		case p.open == "" && p.Exit > 0 && len(s.Target.Args) == 0: // TestMain may want flags
			next += ", or hand it the flags that it wants with -args"
		}
		problems = append(problems, s.problem(culprit, p.failure, next, slow))
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
	problems = append(problems, s.problem(fn.Name, fmt.Sprintf("crashed %d times while its sub-benchmarks were listed", maxBroken), "choose others with -bench", false))
	return found, problems, nil
}

// unlisted says that a function was not listed in the time for it.
func (s *Subject) unlisted(fn discover.Func, open string, whole time.Duration, found int, p *process) problem.Problem {
	if found == 0 && s.allowed(whole) == "" {
		return s.problem(open, p.failure, s.pass(open, "", p.Late), false)
	}
	if found == 0 { // it may be slow, which is no fault
		return s.problem(open, p.failure, cmdline.MoreBudget, true)
	}
	return s.problem(fn.Name, fmt.Sprintf("the first runs of its benchmarks did not end within %v%s; the first %d are measured", short(whole), s.allowed(whole), found), cmdline.MoreBudget, false)
}

// Run makes n operations of one cell in a process of its own. A [*Broken]
// error takes the benchmark out of the run.
func (s *Subject) Run(ctx context.Context, c Cell, n int64) (Sample, error) {
	x, _, err := s.run(ctx, c, n)
	return x, err
}

// Kinds of evidence that [Subject.Collect] takes.
const (
	CPUProfile   = "cpu"
	Trace        = "trace"
	LockProfiles = "locks"
	Counters     = "counters"
	Pages        = "pages"
	Writes       = "sharing" // of a binary that package sharing has changed
)

// CanCollect reports whether evidence can be confined to the timed region:
// only the probe knows when that is.
func (s *Subject) CanCollect() bool { return s.probed() }

// Collect runs n operations of c in a process of its own and returns the
// evidence on their timed region: the contents of the files that the process
// wrote, by names that begin with the kind. The Sample is of a disturbed run.
// many says that the benchmark stops its timer in its loop.
func (s *Subject) Collect(ctx context.Context, c Cell, n int64, kind string, many bool) (Sample, map[string][]byte, error) {
	file := host.Folder + "/" + kind
	env := sharing.Env + "=" + file
	if kind != Writes {
		env = probe.EvidenceEnv + "=" + kind
		if many {
			env += ",many"
		}
		env += ":" + file
	}
	return s.run(ctx, c, n, env)
}

// Left runs n operations of c in a process of its own and returns the files that it left
// in the folder which the environment variable names.
func (s *Subject) Left(ctx context.Context, c Cell, n int64, env string) (Sample, map[string][]byte, error) {
	return s.run(ctx, c, n, env+"="+host.Folder)
}

func (s *Subject) run(ctx context.Context, c Cell, n int64, env ...string) (Sample, map[string][]byte, error) {
	args := []string{"-test.bench=" + exact(c.Bench), fmt.Sprintf("-test.benchtime=%dx", n)}
	if !s.probed() {
		args = append(args, "-test.v") // each result on a line by itself
	}
	p, err := s.process(ctx, c.Procs, s.quiet(), 0, args, env...)
	if err != nil {
		return Sample{}, nil, err
	}
	if p.Left && !p.crashed {
		s.leaves(c.Bench, p)
	}
	x, err := s.sample(p, c, n)
	return x, p.Files, err
}

// sample returns what p measured of c.
func (s *Subject) sample(p *process, c Cell, n int64) (Sample, error) {
	broken := func(x problem.Problem) (Sample, error) {
		return Sample{}, &Broken{Problem: x, Hung: p.Late, Failed: p.failure != ""}
	}
	if p.failure != "" {
		return broken(s.problem(c.Bench, p.failure+message(p.Output, "FAIL", c.Bench, c.Procs), s.pass(c.Bench, " every time", p.Late), false))
	}
	i := slices.IndexFunc(p.results, func(e probe.Event) bool { return e.Name == c.Bench })
	if i < 0 {
		if slices.Contains(p.skipped, c.Bench) {
			return broken(s.skips(c.Bench, p))
		}
		return broken(s.problem(c.Bench, p.nothing(), "give sub-benchmarks the same names in every run", false))
	}
	x := sampleOf(p.results[i])
	if !(x.Wall > 0) || n >= 1e6 && x.Wall < 0.01 { // ns: no loop turns so fast
		return broken(s.problem(c.Bench, "its timed region takes no time", "loop b.N times or use b.Loop, and start the timer before the work", false))
	}
	if x.N != n {
		return broken(s.problem(c.Bench, fmt.Sprintf("runs %d operations where %d were asked for", x.N, n), "leave b.N and -test.benchtime to payoff", false))
	}
	if int(x.ActualProcs) != c.Procs {
		return broken(s.changesProcs(c.Bench, fmt.Sprintf(" (asked for %d, ran at %d)", c.Procs, max(x.ActualProcs, -x.ActualProcs))))
	}
	if fn := s.fn(c.Bench); fn != nil && fn.SetsProcs != "" {
		if stops, ok := p.results[i].Value["stops"]; !ok || stops != 0 {
			// It was put back before the timer stopped; the call and a world that
			// stood still are the evidence left.
			return broken(s.changesProcs(c.Bench, " and puts it back"))
		}
	}
	x.Layout = int32(s.layout)
	if p.delay >= 0 && p.CPU > 0 {
		x.Got = float32(float64(p.CPU) / float64(p.CPU+p.delay))
	}
	x.Others, x.Steal = float32(p.Others), float32(p.Steal)
	if x.Child > 0 && !s.warned[c.Bench] {
		s.warned[c.Bench] = true
		s.note(s.problem(c.Bench, "starts other processes", "their CPU time is not in its cores, overhead and inflation; its wall time is whole", true))
	}
	return x, nil
}

// changesProcs says that a benchmark decides itself at how many processors it
// runs: a figure of it would carry the wrong number.
func (s *Subject) changesProcs(bench, how string) problem.Problem {
	reason := "changes GOMAXPROCS itself" + how
	if f := s.fn(bench); f != nil && f.SetsProcs != "" {
		reason += " at " + f.SetsProcs
	}
	return s.problem(bench, reason, "take the runtime.GOMAXPROCS call out: -procs sets it", false)
}

func (s *Subject) skips(bench string, p *process) problem.Problem {
	return s.problem(bench, "skips itself"+message(p.Output, "SKIP", bench, 1), "make it run here, or choose others with -bench", true)
}

func (s *Subject) leaves(bench string, p *process) {
	if key := bench + " left"; !s.warned[key] {
		s.warned[key] = true
		reason := "left processes running, which were ended"
		if p.Stray {
			reason = "left processes running that are out of reach, since they left its process group: they disturb what is measured"
		}
		s.note(s.problem(bench, reason, "wait for them before the benchmark returns", true))
	}
}

// pass is what to do about a benchmark that fails.
func (s *Subject) pass(bench, often string, late bool) string {
	longer := ""
	var flags []string
	if late {
		flags = []string{"-timeout=30s"} // of its own, go test waits ten minutes
		if s.Timeout <= 0 {
			longer = ", give it longer with -timeout"
		}
	}
	return "make " + s.test(exact(bench), flags...) + " pass" + often + longer + ", or choose others with -bench"
}

// test is the command that runs the benchmarks of a pattern without payoff.
func (s *Subject) test(pattern string, flags ...string) string {
	return cmdline.Asked{Args: s.Target.Args}.Line(slices.Concat([]string{"go", "test", "-run=^$"}, flags, []string{"-bench=" + pattern, s.Target.Package})...)
}

func (s *Subject) problem(bench, reason, next string, note bool) problem.Problem {
	return problem.Problem{Package: s.Target.Package, Benchmark: bench, Reason: reason, Next: next, Note: note}
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

// sampleOf is what the probe tells of one benchmark, per operation.
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
	if s.N > 1 {
		s.First = float32(e.Value["first"])
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
