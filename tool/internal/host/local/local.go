// Package local is the machine that payoff runs on, as a [host.Host].
//
// Each process of a benchmark has a group of its own (a job object on Windows)
// and ends with all that it started. On Linux, FreeBSD and Windows it also ends
// when payoff is killed; elsewhere it then runs to its end.
package local

import (
	"context"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/machine"
)

// A Host is this machine. It has its binaries, and what processes leave, where
// its compiler writes.
type Host struct {
	compiler *Compiler
	binaries []binary // by ID
}

var _ host.Host = (*Host)(nil)

// A binary is an executable and the folder that it runs in.
type binary struct {
	file, dir, pkg string
	probed         bool
}

// New returns a host that runs what the compiler builds.
func New(c *Compiler) *Host { return &Host{compiler: c} }

// Build implements [host.Host].
func (h *Host) Build(ctx context.Context, s host.Source) (host.Binary, error) {
	file, b, err := h.compiler.Compile(ctx, s)
	if err != nil {
		return host.Binary{}, err
	}
	known := binary{file, s.Dir, s.Package, b.Probed}
	i := slices.Index(h.binaries, known)
	if i < 0 {
		i = len(h.binaries)
		h.binaries = append(h.binaries, known)
	}
	b.ID = strconv.Itoa(i)
	return b, nil
}

// Probe implements [host.Host].
func (h *Host) Probe(ctx context.Context, a host.Ask) (host.Probe, error) {
	p := host.Probe{Before: machine.ReadLoad(), Env: machine.Describe(), Procs: runtime.GOMAXPROCS(0)}
	if len(a.Procs) > 0 {
		p.Capacity = capacity(ctx, a.Procs)
	}
	if a.Each > 0 {
		p.Prices = machine.ProbePrices(ctx, a.Each, p.Env)
	}
	p.After = machine.ReadLoad()
	return p, nil
}

// capacity probes again after a pause when the machine gave less than it has:
// a compiler that just ends must not decide the run.
func capacity(ctx context.Context, procs []int) []machine.Capacity {
	best := machine.ProbeCapacity(ctx, procs, 0)
	for range 3 {
		short := slices.ContainsFunc(best, func(c machine.Capacity) bool {
			return c.Cores < 0.9*float64(min(c.Procs, runtime.GOMAXPROCS(0)))
		})
		if !short {
			break
		}
		select {
		case <-ctx.Done():
			return best
		case <-time.After(400 * time.Millisecond):
		}
		for i, c := range machine.ProbeCapacity(ctx, procs, 0) {
			if c.Cores > best[i].Cores {
				best[i] = c
			}
		}
	}
	return best
}
