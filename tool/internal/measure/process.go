package measure

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/probe"
)

// A process is what one run of the binary left behind.
type process struct {
	results []result
	skipped []string
	failed  []string
	open    string // the benchmark that was running when it ended
	failure string // why it failed, "" if it did not
	crashed bool   // it ended before its time
	ended   bool   // all benchmarks came to their end
	output  []byte // last of stdout and stderr
	cpu     int64  // ns, all of the process
	delay   int64  // ns ready without a processor; -1 unknown
	// others and steal are the shares of the machine that other processes, and
	// the hypervisor, took meanwhile; see [Sample].
	others, steal float64
	left          bool // it left processes running
}

type result struct {
	name   string
	sample Sample
	// stops is how often the world stood still in the timed region other than
	// for a collection; -1 unknown. A change of GOMAXPROCS is such a stop.
	stops int64
}

func (p *process) nothing() string {
	if len(bytes.TrimSpace(p.output)) > 0 {
		return "gave no result (its output ends: " + tail(p.output, 120) + ")"
	}
	return "gave no result"
}

// drain is how long the output may stay open after the process ended: only
// what left its group can hold it that long.
const drain = time.Second

// process runs the binary once, with env if that is not "", and reads what it
// measured. The error is a [*Broken] where no binary could be run, or says
// that ctx ended.
func (l *Local) process(ctx context.Context, procs int, args []string, env string) (*process, error) {
	args = append([]string{"-test.run=^$", "-test.count=1", fmt.Sprintf("-test.cpu=%d", procs), "-test.paniconexit0=false"}, args...)
	cmd := exec.Command(l.binary, args...)
	cmd.Dir = l.Target.Dir
	cmd.Env = append(os.Environ(), "PWD="+l.Target.Dir, fmt.Sprintf("GOMAXPROCS=%d", procs))
	if env != "" {
		cmd.Env = append(cmd.Env, env)
	}
	if l.events != "" {
		if err := os.WriteFile(l.events, nil, 0o600); err != nil {
			return nil, l.broken(err.Error(), "free some space there, or set TMPDIR to another folder")
		}
		cmd.Env = append(cmd.Env, probe.Env+"="+l.events)
	}
	// A pipe of our own: cmd.Wait then returns when the process ends, not when
	// the last child that holds its output does.
	r, w, err := os.Pipe()
	if err != nil {
		return nil, l.broken("no pipe for its output: "+err.Error(), "close other programs, or raise ulimit -n")
	}
	defer r.Close()
	cmd.Stdout, cmd.Stderr = w, w
	group(cmd)
	before := machine.ReadUsage()
	err = cmd.Start()
	w.Close()
	if err != nil {
		return nil, l.broken("its test binary cannot be started: "+err.Error(), "unset GOOS and GOARCH, and set TMPDIR to a folder that may hold programs")
	}
	out := &tailBuffer{max: 64 << 10}
	if l.events == "" {
		out.max = 4 << 20 // the results stand in it
	}
	copied := make(chan struct{})
	go func() {
		io.Copy(out, r)
		close(copied)
	}()
	timedOut := l.watch(ctx, cmd)
	cmd.Wait() // the state says more than the error
	after := machine.ReadUsage()
	late := timedOut()
	left := endGroup(cmd)
	select {
	case <-copied:
	case <-time.After(drain):
		left = true // the copying ends with r, or with whoever holds the other end
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	p := &process{output: out.bytes(), delay: -1, left: left}
	p.cpu = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Nanoseconds()
	p.others, p.steal = after.Since(before, time.Duration(p.cpu), procs)
	var events []event
	if l.events == "" {
		events = plainEvents(p.output, procs)
	} else if events, err = l.readEvents(); err != nil {
		return nil, l.broken("cannot read what it measured: "+err.Error(), plain.Shell("payoff", "run", "-plain", l.Target.Package))
	}
	p.add(events)
	code := cmd.ProcessState.ExitCode()
	panicked := out.panicLine()
	switch {
	case late:
		p.crashed = true
		p.failure = fmt.Sprintf("did not end within %v%s", l.timeout(), l.stuckAt(p.output, p.open))
	case panicked != "" && code != 0:
		p.crashed = true
		p.failure = panicked
	case code == 0 && p.open != "" && !p.ended:
		p.crashed = true
		p.failure = "ends its process with exit code 0 before it is done (os.Exit?)"
	case code < 0:
		p.crashed = true
		p.failure = "its process was ended: " + cmd.ProcessState.String()
	case code != 0 && len(p.failed) == 0:
		p.crashed = true
		p.failure = fmt.Sprintf("ends its process with exit code %d", code)
		if t := tail(p.output, 200); t != "" {
			p.failure += " (its output ends: " + t + ")"
		}
	case code != 0:
		p.failure = "fails"
	}
	return p, nil
}

func (l *Local) broken(reason, next string) error {
	return &Broken{l.problem("", reason, next, false)}
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

// An event is what became of one benchmark, told by the probe or read from
// the output.
type event struct {
	kind   probe.Kind
	name   string
	result result
	delay  int64 // -1 unknown
}

// readEvents reads the probe's file.
func (l *Local) readEvents() ([]event, error) {
	data, err := os.ReadFile(l.events)
	if err != nil {
		return nil, err
	}
	parsed, err := probe.Parse(data)
	if err != nil {
		return nil, err
	}
	var events []event
	for _, e := range parsed {
		x := event{kind: e.Kind, name: e.Name, delay: -1}
		if e.Kind == probe.Result {
			x.result = result{name: e.Name, sample: sampleOf(e), stops: -1}
			if d, ok := e.Value["delay"]; ok {
				x.delay = d
			}
			if n, ok := e.Value["stops"]; ok {
				x.result.stops = n
			}
		}
		events = append(events, x)
	}
	return events, nil
}

// add sorts events into p.
func (p *process) add(events []event) {
	begun := map[string]bool{}
	var order []string
	for _, e := range events {
		if e.kind == probe.End {
			p.ended = true
		}
		if !strings.HasPrefix(e.name, "Benchmark") {
			continue // the root of the tree
		}
		switch e.kind {
		case probe.Begin:
			begun[e.name] = true
			order = append(order, e.name)
			for i := range e.name {
				if e.name[i] == '/' {
					delete(begun, e.name[:i]) // a parent has no result of its own
				}
			}
		case probe.Skip:
			p.skipped = append(p.skipped, e.name)
			delete(begun, e.name)
		case probe.Fail:
			p.failed = append(p.failed, e.name)
			delete(begun, e.name)
		case probe.Result:
			delete(begun, e.name)
			p.results = append(p.results, e.result)
			if e.delay >= 0 {
				p.delay = max(p.delay, 0) + e.delay
			}
		}
	}
	for _, n := range order {
		if begun[n] {
			p.open = n
		}
	}
}

var (
	goroutineHead = regexp.MustCompile(`(?m)^goroutine \d+ .*:\n`)
	frameFile     = regexp.MustCompile(`(?m)^\t(.+\.go):(\d+)`)
)

// stuckAt names from a goroutine dump the place in the package where the
// benchmark stood, or else the benchmark's own place.
func (l *Local) stuckAt(dump []byte, bench string) string {
	starts := goroutineHead.FindAllIndex(dump, -1)
	for i, s := range starts {
		end := len(dump)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		block := dump[s[1]:end]
		// Its goroutine, not one of its parents that wait for it.
		if !bytes.Contains(block, []byte("testing.(*B).runN(")) || bytes.Contains(block, []byte("testing.(*B).Run(")) || bytes.Contains(block, []byte("main.main()")) {
			continue
		}
		for _, m := range frameFile.FindAllSubmatch(block, -1) {
			file := string(m[1])
			if filepath.Dir(file) == l.Target.Dir || strings.HasSuffix(file, "_test.go") {
				return fmt.Sprintf(" (last seen at %s:%s)", file, m[2])
			}
		}
	}
	if f := l.fn(bench); f != nil && f.Pos != "" {
		return " (it begins at " + f.Pos + ")"
	}
	return ""
}

// fn is the benchmark function that bench, a full name, belongs to.
func (l *Local) fn(bench string) *discover.Func {
	name, _, _ := strings.Cut(bench, "/")
	if i := slices.IndexFunc(l.Target.Funcs, func(f discover.Func) bool { return f.Name == name }); i >= 0 {
		return &l.Target.Funcs[i]
	}
	return nil
}

// tail is the end of an output on one line. It is valid UTF-8, or the report
// of the run would differ from that of its record.
func tail(b []byte, n int) string {
	s := strings.Join(strings.Fields(strings.ToValidUTF8(string(b), "\ufffd")), " ")
	if len(s) > n {
		s = "…" + strings.ToValidUTF8(s[len(s)-n:], "")
	}
	return s
}

// A tailBuffer keeps the last of what is written to it, and the first line
// with which a Go program dies: goroutine dumps are long. Its methods may be
// called at once.
type tailBuffer struct {
	max   int
	mu    sync.Mutex // guards what follows
	buf   []byte
	death string
}

var _ io.Writer = (*tailBuffer)(nil)

func (b *tailBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.buf = append(b.buf, p...)
	if len(b.buf) > 2*b.max {
		cut := len(b.buf) - b.max
		if i := bytes.LastIndexByte(b.buf[:cut], '\n'); i >= 0 {
			cut = i + 1 // the line is whole when it is searched
		}
		if b.death == "" {
			b.death = death(b.buf[:cut])
		}
		b.buf = append(b.buf[:0], b.buf[cut:]...)
	}
	return len(p), nil
}

func (b *tailBuffer) bytes() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	return bytes.Clone(b.buf[max(0, len(b.buf)-b.max):])
}

func (b *tailBuffer) panicLine() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.death != "" {
		return b.death
	}
	return death(b.buf)
}

var (
	deathLine = regexp.MustCompile(`(?m)^(?:panic|fatal error): .*$`)
	// deathAfter finds it behind a line that the program left unfinished.
	deathAfter = regexp.MustCompile(`(?m)((?:panic|fatal error): .*)\n(?:\[.*\n|\t.*\n|\n)*goroutine \d+ `)
)

func death(output []byte) string {
	line := deathLine.Find(output)
	if line == nil {
		if m := deathAfter.FindSubmatch(output); m != nil {
			line = m[1]
		}
	}
	if s := string(bytes.TrimSpace(line)); len(s) <= 200 {
		return strings.ToValidUTF8(s, "?")
	} else {
		return strings.ToValidUTF8(s[:200], "") + "…"
	}
}
