// Package sim is a host that tests make up: a function stands for each process
// of the test binary. It is no model of a machine; the function is.
package sim

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/probe"
)

// A Process is what one process is asked for.
type Process struct {
	Bench  string
	Procs  int
	N      int64
	Layout int             // of the binary
	Change overlay.Overlay // of its code
	Env    string          // the first of the job's, "" without
	// Timeout is when the process is ended if it hangs.
	Timeout time.Duration
}

// Figures are what the process measures, per operation.
type Figures struct {
	Wall, CPU     float64 // ns
	Others, Steal float64
	Got           float64           // the share of the processor time it wanted; 0 is all
	Hangs         bool              // it did not end by itself
	Values        map[string]int64  // more of the probe's, of the whole process
	Files         map[string][]byte // left in its folder
}

// A Host answers with what its functions say.
type Host struct {
	// Process runs one benchmark. Its error is that of [host.Host.Run].
	Process func(ctx context.Context, p Process) (Figures, error)
	// Tests runs the tests of a binary instead; nil: they pass at once.
	Tests func(ctx context.Context, s host.Source, j host.Job) (host.Outcome, error)
	// Compile says whether code compiles; nil: all does.
	Compile func(s host.Source) error
	// Link makes the layouts from 1 on; nil: there is none.
	Link func(layout int) error
	// Image is the bytes of the binary.
	Image []byte

	built []host.Source // by ID
	gone  []bool        // those that are forgotten
}

var _ host.Forgetter = (*Host)(nil)

// Build implements [host.Host].
func (h *Host) Build(ctx context.Context, s host.Source) (host.Binary, error) {
	if err := ctx.Err(); err != nil {
		return host.Binary{}, context.Cause(ctx)
	}
	s.Image = false
	i := h.find(s)
	if i < 0 {
		if h.Compile != nil {
			if err := h.Compile(s); err != nil {
				return host.Binary{}, err
			}
		}
		if s.Layout > 0 {
			if h.Link == nil {
				return host.Binary{}, &host.Fault{Reason: "the simulated host has one layout"}
			}
			if err := h.Link(s.Layout); err != nil {
				return host.Binary{}, err
			}
		}
		i = len(h.built)
		h.built, h.gone = append(h.built, s), append(h.gone, false)
	}
	return host.Binary{ID: strconv.Itoa(i), OS: "linux", Probed: true, Image: h.Image}, nil
}

// find returns the place of a binary, -1 if it is not there.
func (h *Host) find(s host.Source) int {
	for i, b := range h.built {
		if !h.gone[i] && reflect.DeepEqual(b, s) {
			return i
		}
	}
	return -1
}

// Forget implements [host.Forgetter].
func (h *Host) Forget(s host.Source) {
	s.Image = false
	for i, b := range h.built {
		if b.Layout == s.Layout || s.Layout == 0 {
			b.Layout = s.Layout
			h.gone[i] = h.gone[i] || reflect.DeepEqual(b, s)
		}
	}
}

// Run implements [host.Host].
func (h *Host) Run(ctx context.Context, j host.Job) (host.Outcome, error) {
	if err := ctx.Err(); err != nil {
		return host.Outcome{}, context.Cause(ctx)
	}
	i, err := strconv.Atoi(j.Binary)
	if err != nil || i < 0 || i >= len(h.built) || h.gone[i] {
		return host.Outcome{}, fmt.Errorf("sim: no binary %q", j.Binary)
	}
	source := h.built[i]
	if !slices.ContainsFunc(j.Args, func(a string) bool { return strings.HasPrefix(a, "-test.bench=") }) {
		if h.Tests == nil {
			return host.Outcome{Output: []byte("PASS\n")}, nil
		}
		return h.Tests(ctx, source, j)
	}
	p := Process{Procs: j.Procs, Timeout: j.Timeout, Layout: source.Layout, Change: source.Change}
	for _, a := range j.Args {
		if v, ok := strings.CutPrefix(a, "-test.bench="); ok {
			p.Bench = plainName(v)
		} else if v, ok := strings.CutPrefix(a, "-test.benchtime="); ok {
			if p.N, err = strconv.ParseInt(strings.TrimSuffix(v, "x"), 10, 64); err != nil {
				return host.Outcome{}, fmt.Errorf("sim: -test.benchtime=%s: only operations can be simulated", v)
			}
		}
	}
	if len(j.Env) > 0 {
		p.Env = j.Env[0]
	}
	f, err := h.Process(ctx, p)
	if err != nil {
		return host.Outcome{}, err
	}
	if f.Hangs {
		return host.Outcome{Late: true, Exit: 2, Events: []probe.Event{{Kind: probe.Begin, Name: p.Bench}}}, nil
	}
	n := float64(p.N)
	e := probe.Event{Kind: probe.Result, Name: p.Bench, Value: map[string]int64{
		"procs": int64(p.Procs), "n": p.N, "ns": int64(math.Round(f.Wall * n)), "cpu": int64(math.Round(f.CPU * n)),
	}}
	o := host.Outcome{Others: f.Others, Steal: f.Steal, CPU: time.Duration(f.CPU * n), Files: f.Files}
	if f.Got > 0 {
		e.Value["delay"] = int64(f.CPU * n * (1/f.Got - 1))
	}
	for k, v := range f.Values {
		e.Value[k] = v
	}
	o.Events = []probe.Event{{Kind: probe.Begin, Name: p.Bench}, e, {Kind: probe.End}}
	return o, nil
}

// Probe implements [host.Host].
func (h *Host) Probe(context.Context, host.Ask) (host.Probe, error) { return host.Probe{}, nil }

var quoted = regexp.MustCompile(`\\(.)`)

// plainName undoes the -test.bench expression of one benchmark: ^X$/^y$.
func plainName(pattern string) string {
	levels := strings.Split(pattern, "/")
	for i, l := range levels {
		l = strings.TrimSuffix(strings.TrimPrefix(l, "^"), "$")
		if strings.ContainsRune(l, '\\') {
			l = quoted.ReplaceAllString(l, "$1")
		}
		levels[i] = l
	}
	return strings.Join(slices.Clip(levels), "/")
}
