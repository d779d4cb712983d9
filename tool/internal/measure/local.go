package measure

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/probe"
)

// Local runs the test binary of one package on this machine. It is a
// [Runner]; one call at a time.
type Local struct {
	Target  discover.Target
	Timeout time.Duration // of one process without news; default 1 minute
	// Missing is what samples will lack, a phrase each.
	Missing []string

	binary string
	events string // file the probe writes to; "" without the probe
	warned map[string]bool
	note   func(discover.Problem)
}

// Build compiles the test binary of t into dir, with the probe where it fits
// the toolchain and plainly where it does not. plain asks for the latter.
// note receives what is worth a word but stops nothing.
func Build(ctx context.Context, tc *gocmd.Toolchain, t discover.Target, dir, cache string, plain bool, note func(discover.Problem)) (*Local, error) {
	l := &Local{Target: t, binary: filepath.Join(dir, "test"+exeSuffix()), warned: map[string]bool{}, note: note}
	failed := func(err error) error {
		return &Broken{discover.Problem{Package: t.Package, Reason: "does not compile: " + err.Error(), Next: "go vet " + t.Package}}
	}
	reason := "switched off"
	if !plain {
		err := l.buildProbed(ctx, tc, dir, cache)
		if err == nil {
			if !goroutinesCounted(tc.Version) {
				l.Missing = append(l.Missing, "goroutines created: needs Go 1.26, the package is built by "+tc.Version)
			}
			if runtime.GOOS != "linux" {
				l.Missing = append(l.Missing, "run delay: only Linux tells it, so samples disturbed by other processes are not dropped")
			}
			return l, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		reason = err.Error()
	}
	if err := tc.BuildTest(ctx, t.Package, l.binary, ""); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, failed(err)
	}
	if _, err := os.Stat(l.binary); err != nil {
		return nil, failed(errors.New("go test -c wrote no binary"))
	}
	l.Missing = append(l.Missing, "CPU time, cores, goroutines, context switches, mutex wait and GC of the timed region: the testing package cannot be probed ("+firstLine(reason)+")")
	return l, nil
}

func (l *Local) buildProbed(ctx context.Context, tc *gocmd.Toolchain, dir, cache string) error {
	tc, err := tc.Unlock(cache)
	if err != nil {
		return err
	}
	o, err := probe.Overlay(tc.Root, tc.OS)
	if err != nil {
		return err
	}
	index, err := o.Write(dir)
	if err != nil {
		return err
	}
	if err := tc.BuildTest(ctx, l.Target.Package, l.binary, index); err != nil {
		return err
	}
	if _, err := os.Stat(l.binary); err != nil {
		return errors.New("go test -c wrote no binary")
	}
	l.events, err = filepath.Abs(filepath.Join(dir, "events"))
	return err
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
const listTime = 10 * time.Millisecond

// maxBroken bounds how often a listing starts again after a benchmark crashed.
const maxBroken = 16

// List runs a benchmark function briefly at procs and returns the leaf
// benchmarks it has. One that crashes is left out, and the others are listed
// without it.
func (l *Local) List(ctx context.Context, fn discover.Func, procs int) (found []Listed, problems []discover.Problem, err error) {
	var skip []string
	seen := map[string]bool{}
	for range maxBroken {
		args := []string{"-test.bench=" + fn.Pattern, "-test.benchtime=" + listTime.String(), "-test.v"}
		if len(skip) > 0 {
			args = append(args, "-test.skip="+strings.Join(skip, "|"))
		}
		p, err := l.process(ctx, procs, args)
		if err != nil {
			return found, problems, err
		}
		culprit := fn.Name
		for _, r := range p.results {
			if !seen[r.name] {
				seen[r.name] = true
				found = append(found, Listed{Name: r.name, PerOp: r.sample.Wall})
			}
		}
		if l.events != "" {
			if p.open != "" {
				culprit = p.open
			}
			for _, n := range p.skipped {
				if !seen[n] {
					seen[n] = true
					problems = append(problems, l.problem(n, "skips itself"+message(p.output, "--- SKIP: "+n), "make it run here, or leave it out with -bench", true))
				}
			}
		}
		if p.failure == "" {
			if len(found) == 0 && len(problems) == 0 {
				problems = append(problems, l.problem(fn.Name, p.nothing(), "check TestMain, and go test -run='^$' -bench='"+fn.Pattern+"' "+l.Target.Package, false))
			}
			return found, problems, nil
		}
		if len(p.failed) > 0 && !p.crashed {
			// b.Fatal: the benchmark is out, its siblings ran.
			for _, n := range p.failed {
				if isParent(n, p.failed) || seen[n] {
					continue
				}
				seen[n] = true
				problems = append(problems, l.problem(n, "fails"+message(p.output, "--- FAIL: "+n), "make go test -run='^$' -bench='"+exact(n)+"' pass, or leave it out with -bench", false))
			}
			return found, problems, nil
		}
		problems = append(problems, l.problem(culprit, p.failure, "make go test -run='^$' -bench='"+exact(culprit)+"' pass, or leave it out with -bench", false))
		if culprit == fn.Name {
			return found, problems, nil
		}
		skip = append(skip, exact(culprit))
		for _, f := range found {
			if !slices.Contains(skip, exact(f.Name)) {
				skip = append(skip, exact(f.Name)) // listed already
			}
		}
	}
	problems = append(problems, l.problem(fn.Name, fmt.Sprintf("crashed %d times while its sub-benchmarks were listed", maxBroken), "leave the broken ones out with -bench", false))
	return found, problems, nil
}

// Run implements [Runner].
func (l *Local) Run(ctx context.Context, c Cell, n int64) (Sample, error) {
	before := machine.ReadLoad()
	p, err := l.process(ctx, c.Procs, []string{"-test.bench=" + exact(c.Bench), fmt.Sprintf("-test.benchtime=%dx", n)})
	if err != nil {
		return Sample{}, err
	}
	if p.failure != "" {
		return Sample{}, &Broken{l.problem(c.Bench, p.failure+message(p.output, "--- FAIL: "+c.Bench), "make go test -run='^$' -bench='"+exact(c.Bench)+"' pass every time, or leave it out with -bench", false)}
	}
	i := slices.IndexFunc(p.results, func(r result) bool { return r.name == c.Bench })
	if i < 0 {
		return Sample{}, &Broken{l.problem(c.Bench, p.nothing(), "give sub-benchmarks the same names in every run", false)}
	}
	s := p.results[i].sample
	if !(s.Wall > 0) {
		return Sample{}, &Broken{l.problem(c.Bench, "its timed region takes no time", "loop b.N times or use b.Loop, and start the timer before the work", false)}
	}
	if int(s.ActualProcs) != c.Procs {
		return Sample{}, &Broken{l.problem(c.Bench, fmt.Sprintf("changes GOMAXPROCS itself (asked for %d, ran at %d)%s", c.Procs, max(s.ActualProcs, -s.ActualProcs), l.setsProcs(c.Bench)), "take the runtime.GOMAXPROCS call out: -procs sets it", false)}
	}
	s.Got = 1
	if p.delay >= 0 && p.cpu > 0 {
		s.Got = float32(float64(p.cpu) / float64(p.cpu+p.delay))
	}
	if after := machine.ReadLoad(); after.OK && before.OK {
		if _, steal := after.Since(before); after.Steal-before.Steal > 10*time.Millisecond { // more than a tick
			s.Steal = float32(steal / float64(runtime.NumCPU()))
		}
	}
	if s.Child > 0 && !l.warned[c.Bench] {
		l.warned[c.Bench] = true
		l.note(l.problem(c.Bench, "starts other processes", "their CPU time is not in its cores, overhead and inflation; its wall time is whole", true))
	}
	if p.left && !l.warned[c.Bench+" left"] {
		l.warned[c.Bench+" left"] = true
		l.note(l.problem(c.Bench, "left processes running, which were ended", "wait for them before the benchmark returns", true))
	}
	return s, nil
}

func (l *Local) setsProcs(bench string) string {
	fn, _, _ := strings.Cut(bench, "/")
	for _, f := range l.Target.Funcs {
		if f.Name == fn && f.SetsProcs != "" {
			return " at " + f.SetsProcs
		}
	}
	return ""
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

// message finds what a failed or skipped benchmark logged around its line.
func message(output []byte, line string) string {
	lines := strings.Split(string(output), "\n")
	for i, l := range lines {
		if strings.TrimSpace(l) != line {
			continue
		}
		for _, j := range []int{i + 1, i - 1} { // after FAIL, before SKIP under -test.v
			if j >= 0 && j < len(lines) && strings.HasPrefix(lines[j], "    ") {
				return " (" + strings.TrimSpace(lines[j]) + ")"
			}
		}
	}
	return ""
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}

// A process is what one run of the binary left behind.
type process struct {
	results []result
	skipped []string
	failed  []string
	open    string // the benchmark that was running when it ended
	failure string // why it failed, "" if it did not
	crashed bool   // it ended before its time
	output  []byte // last of stdout and stderr
	cpu     int64  // ns, all of the process
	delay   int64  // ns ready without a processor; -1 unknown
	left    bool   // it left processes running
}

type result struct {
	name   string
	sample Sample
}

func (p *process) nothing() string {
	if len(bytes.TrimSpace(p.output)) > 0 {
		return "gave no result (its output ends: " + tail(p.output, 120) + ")"
	}
	return "gave no result"
}

// process runs the binary once and reads what it measured. The error is not
// nil only where no binary could be run or ctx ended.
func (l *Local) process(ctx context.Context, procs int, args []string) (*process, error) {
	args = append([]string{"-test.run=^$", "-test.count=1", fmt.Sprintf("-test.cpu=%d", procs), "-test.paniconexit0=false"}, args...)
	cmd := exec.Command(l.binary, args...)
	cmd.Dir = l.Target.Dir
	cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", procs))
	if l.events != "" {
		if err := os.WriteFile(l.events, nil, 0o600); err != nil {
			return nil, err
		}
		cmd.Env = append(cmd.Env, probe.Env+"="+l.events)
	}
	out := &tailBuffer{max: 64 << 10}
	cmd.Stdout, cmd.Stderr = out, out
	cmd.WaitDelay = time.Second // a grandchild may keep the pipe
	group(cmd)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", l.Target.Package, err)
	}
	timedOut := l.watch(ctx, cmd)
	err := cmd.Wait()
	late := timedOut()
	left := endGroup(cmd)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	p := &process{output: out.bytes(), delay: -1, left: left || errors.Is(err, exec.ErrWaitDelay)}
	p.cpu = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Nanoseconds()
	if l.events == "" {
		p.results = plainResults(p.output, procs)
	} else if e := l.readEvents(p); e != nil {
		return nil, e
	}
	code := cmd.ProcessState.ExitCode()
	panicked := regexp.MustCompile(`(?m)^(panic: .*|fatal error: .*)$`).Find(p.output)
	switch {
	case late:
		p.crashed = true
		p.failure = fmt.Sprintf("did not end within %v%s", l.timeout(), stuckAt(p.output))
	case len(panicked) > 0 && code != 0:
		p.crashed = true
		p.failure = tail(panicked, 200)
	case code == 0 && p.open != "":
		p.crashed = true
		p.failure = "ends its process with exit code 0 before it is done (os.Exit?)"
	case code < 0:
		p.crashed = true
		p.failure = "its process was ended: " + cmd.ProcessState.String()
	case code != 0 && len(p.failed) == 0:
		p.crashed = true
		p.failure = fmt.Sprintf("ends its process with exit code %d (%s)", code, tail(p.output, 200))
	case code != 0:
		p.failure = "fails"
	}
	return p, nil
}

func (l *Local) timeout() time.Duration {
	if l.Timeout <= 0 {
		return time.Minute
	}
	return l.Timeout
}

// watch ends cmd when ctx ends or when it had no news for the timeout. The
// returned function stops the watch and reports whether the timeout struck.
func (l *Local) watch(ctx context.Context, cmd *exec.Cmd) func() bool {
	done := make(chan struct{})
	late := make(chan bool, 1)
	go func() {
		timer := time.NewTimer(l.timeout())
		defer timer.Stop()
		size := int64(0)
		for {
			select {
			case <-done:
				late <- false
				return
			case <-ctx.Done():
				kill(cmd)
				late <- false
				return
			case <-timer.C:
			}
			if st, err := os.Stat(l.events); err == nil && st.Size() > size {
				size = st.Size() // another benchmark has begun or ended
				timer.Reset(l.timeout())
				continue
			}
			quit(cmd) // a Go program prints its goroutines
			select {
			case <-done:
			case <-time.After(2 * time.Second):
				kill(cmd)
			}
			late <- true
			return
		}
	}()
	var once sync.Once
	return func() bool {
		once.Do(func() { close(done) })
		return <-late
	}
}

// readEvents fills p from the probe's file.
func (l *Local) readEvents(p *process) error {
	data, err := os.ReadFile(l.events)
	if err != nil {
		return err
	}
	events, err := probe.Parse(data)
	if err != nil {
		return err
	}
	begun := map[string]bool{}
	var order []string
	for _, e := range events {
		if !strings.HasPrefix(e.Name, "Benchmark") {
			continue // the root of the tree
		}
		switch e.Kind {
		case probe.Begin:
			begun[e.Name] = true
			order = append(order, e.Name)
			for i := range e.Name {
				if e.Name[i] == '/' {
					delete(begun, e.Name[:i]) // a parent has no result of its own
				}
			}
		case probe.Skip:
			p.skipped = append(p.skipped, e.Name)
			delete(begun, e.Name)
		case probe.Fail:
			p.failed = append(p.failed, e.Name)
			delete(begun, e.Name)
		case probe.Result:
			delete(begun, e.Name)
			p.results = append(p.results, result{e.Name, sampleOf(e)})
			if d, ok := e.Value["delay"]; ok {
				p.delay = max(p.delay, 0) + d
			}
		}
	}
	for _, n := range order {
		if begun[n] {
			p.open = n
		}
	}
	return nil
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
	return Sample{
		N: e.Value["n"], Wall: per("ns"), CPU: per("cpu"),
		Goroutines: float32(per("goroutines")), Allocs: float32(per("allocs")), Bytes: float32(per("bytes")),
		Voluntary: float32(per("voluntary")), Preempted: float32(per("preempt")), MutexWait: float32(per("mutex")), GC: float32(per("gc")),
		Child: float32(per("child")), SetBytes: float32(e.Value["set"]), ActualProcs: int32(e.Value["procs"]), Got: 1, Extra: e.Extra,
	}
}

// plainResults reads the output of an unprobed binary.
func plainResults(output []byte, procs int) []result {
	nan := float32(math.NaN())
	var out []result
	suffix := ""
	if procs != 1 {
		suffix = fmt.Sprintf("-%d", procs)
	}
	for r := benchfmt.NewReader(bytes.NewReader(output), ""); r.Scan(); {
		b, ok := r.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		s := Sample{N: int64(b.Iters), CPU: math.NaN(), Goroutines: nan, Allocs: nan, Bytes: nan, Voluntary: nan, Preempted: nan, MutexWait: nan, GC: nan, Child: nan, ActualProcs: int32(procs), Got: 1}
		for _, v := range b.Values {
			value, unit := v.Value, v.Unit
			if v.OrigUnit != "" { // benchfmt tidies ns/op to sec/op
				value, unit = v.OrigValue, v.OrigUnit
			}
			switch unit {
			case "ns/op":
				s.Wall = value
			case "B/op":
				s.Bytes = float32(value)
			case "allocs/op":
				s.Allocs = float32(value)
			case "MB/s":
			default:
				if s.Extra == nil {
					s.Extra = map[string]float64{}
				}
				s.Extra[unit] = value
			}
		}
		name := "Benchmark" + strings.TrimSuffix(string(b.Name.Full()), suffix)
		out = append(out, result{name, s})
	}
	return out
}

// stuckAt names the place in the user's code from a goroutine dump.
func stuckAt(dump []byte) string {
	m := regexp.MustCompile(`\n\t(\S+_test\.go:\d+)`).FindSubmatch(dump)
	if m == nil {
		return ""
	}
	return " (last seen at " + string(m[1]) + ")"
}

func tail(b []byte, n int) string {
	s := strings.Join(strings.Fields(string(b)), " ")
	if len(s) > n {
		s = "…" + strings.ToValidUTF8(s[len(s)-n:], "")
	}
	return s
}

// A tailBuffer keeps the last of what is written to it.
type tailBuffer struct {
	max int
	buf []byte
}

var _ io.Writer = (*tailBuffer)(nil)

func (b *tailBuffer) Write(p []byte) (int, error) {
	b.buf = append(b.buf, p...)
	if over := len(b.buf) - 2*b.max; over > 0 {
		b.buf = append(b.buf[:0], b.buf[len(b.buf)-b.max:]...)
	}
	return len(p), nil
}

func (b *tailBuffer) bytes() []byte { return b.buf[max(0, len(b.buf)-b.max):] }
