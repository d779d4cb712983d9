package measure

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/probe"
)

// A process is what one run of the binary means.
type process struct {
	host.Outcome
	results []probe.Event
	skipped []string
	failed  []string
	open    string        // the benchmark that was running when it ended
	failure string        // why it failed, "" if it did not
	crashed bool          // it ended before its time
	ended   bool          // all benchmarks came to their end
	delay   time.Duration // ready without a processor; -1 unknown
}

func (p *process) nothing() string {
	if len(bytes.TrimSpace(p.Output)) > 0 {
		return "gave no result (its output ends: " + tail(p.Output, 120) + ")"
	}
	return "gave no result"
}

// process runs the binary once and reads what became of it. It is ended when it
// was without news for quiet, or after whole, if that is not 0. The error is a
// [*Broken] where no binary could be run, or says that ctx ended.
func (s *Subject) process(ctx context.Context, procs int, quiet, whole time.Duration, args []string, env ...string) (*process, error) {
	args = append([]string{"-test.run=^$", "-test.count=1", fmt.Sprintf("-test.cpu=%d", procs), "-test.paniconexit0=false"}, slices.Concat(args, s.Target.Args)...)
	o, err := s.host.Run(ctx, host.Job{Binary: s.layouts[s.layout].ID, Args: args, Env: env, Procs: procs, Timeout: quiet, Limit: whole})
	if fault := (*host.Fault)(nil); errors.As(err, &fault) {
		return nil, &Broken{Problem: s.problem("", fault.Reason, fault.Next, false)}
	}
	if err != nil {
		return nil, err
	}
	p := &process{Outcome: o, delay: -1}
	p.read()
	switch {
	case o.Late:
		p.crashed = true
		if whole > 0 {
			quiet = min(quiet, whole)
		}
		p.failure = fmt.Sprintf("did not end within %v%s%s", short(quiet), s.allowed(quiet), s.stuckAt(o.Output, p.open))
	case o.Death != "" && o.Exit != 0:
		p.crashed = true
		p.failure = o.Death
	case o.Exit == 0 && p.open != "" && !p.ended:
		p.crashed = true
		p.failure = "ends its process with exit code 0 before it is done (os.Exit?)"
	case o.Exit < 0:
		p.crashed = true
		p.failure = "its process was ended: " + o.State
	case o.Exit != 0 && len(p.failed) == 0:
		p.crashed = true
		p.failure = fmt.Sprintf("ends its process with exit code %d", o.Exit)
		if t := tail(o.Output, 200); t != "" {
			p.failure += " (its output ends: " + t + ")"
		}
	case o.Exit != 0:
		p.failure = "fails"
	}
	return p, nil
}

// quiet is how long a process may be without news.
func (s *Subject) quiet() time.Duration {
	return cmp.Or(s.Timeout, s.Patience, patience)
}

// allowed says where a time came from that the user did not ask for.
func (s *Subject) allowed(d time.Duration) string {
	if s.Timeout > 0 || d >= patience {
		return ""
	}
	return ", as long as the budget allows"
}

// short is d to two or three digits.
func short(d time.Duration) time.Duration {
	for _, unit := range []time.Duration{100 * time.Millisecond, 10 * time.Millisecond, time.Millisecond, time.Microsecond} {
		if d >= 100*unit {
			return d.Round(unit)
		}
	}
	return d
}

// read sorts the events.
func (p *process) read() {
	begun := map[string]bool{}
	var order []string
	for _, e := range p.Events {
		if e.Kind == probe.End {
			p.ended = true
		}
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
			p.results = append(p.results, e)
			if d, ok := e.Value["delay"]; ok {
				p.delay = max(p.delay, 0) + time.Duration(d)
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
func (s *Subject) stuckAt(dump []byte, bench string) string {
	starts := goroutineHead.FindAllIndex(dump, -1)
	for i, at := range starts {
		end := len(dump)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		block := dump[at[1]:end]
		// Its goroutine, not one of its parents that wait for it.
		if !bytes.Contains(block, []byte("testing.(*B).runN(")) || bytes.Contains(block, []byte("testing.(*B).Run(")) || bytes.Contains(block, []byte("main.main()")) {
			continue
		}
		for _, m := range frameFile.FindAllSubmatch(block, -1) {
			file := string(m[1])
			if filepath.Dir(file) == s.Target.Dir || strings.HasSuffix(file, "_test.go") {
				return fmt.Sprintf(" (last seen at %s:%s)", file, m[2])
			}
		}
	}
	if f := s.fn(bench); f != nil && f.Pos != "" {
		return " (it begins at " + f.Pos + ")"
	}
	return ""
}

// fn is the benchmark function that bench, a full name, belongs to.
func (s *Subject) fn(bench string) *discover.Func {
	name, _, _ := strings.Cut(bench, "/")
	if i := slices.IndexFunc(s.Target.Funcs, func(f discover.Func) bool { return f.Name == name }); i >= 0 {
		return &s.Target.Funcs[i]
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
