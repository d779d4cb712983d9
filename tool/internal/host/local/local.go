// Package local is the machine that payoff runs on, as a [host.Host].
//
// Each process of a benchmark has a group of its own (a job object on Windows)
// and ends with all that it started. On Linux, FreeBSD and Windows it also ends
// when payoff is killed; elsewhere it then runs to its end.
package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/machine"
)

// A Host is this machine.
type Host struct {
	dir      string
	compiler *Compiler // nil: binaries come by Put
	binaries []binary  // by ID
}

var (
	_ host.Host      = (*Host)(nil)
	_ host.Forgetter = (*Host)(nil)
)

// A binary is an executable and the folder that it runs in.
type binary struct {
	file, dir, pkg string
	probed         bool
}

// New returns a host that writes to dir, which must exist, and runs what the
// compiler builds. Without a compiler it runs what is [Host.Put] there; a host
// that is only probed needs neither.
func New(dir string, c *Compiler) *Host { return &Host{dir: dir, compiler: c} }

// Put takes a binary that was built elsewhere, with its image, and returns it
// as this host knows it. Its processes run in a folder that has its files alone.
func (h *Host) Put(_ context.Context, b host.Binary) (host.Binary, error) {
	dir, err := os.MkdirTemp(h.dir, "put-")
	if err != nil {
		return b, err
	}
	file := filepath.Join(dir, "test"+exe(b.OS))
	if err := os.WriteFile(file, b.Image, 0o700); err != nil {
		return b, err
	}
	run := filepath.Join(dir, "run")
	if err := os.Mkdir(run, 0o700); err != nil {
		return b, err
	}
	for name, data := range b.Files {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return b, fmt.Errorf("%q is no name of a file in a folder", name)
		}
		to := filepath.Join(run, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return b, err
		}
		if err := os.WriteFile(to, data, 0o600); err != nil {
			return b, err
		}
	}
	b.ID, b.Image, b.Files = h.know(binary{file, run, "", b.Probed}), nil, nil
	return b, nil
}

// know returns the ID of a binary.
func (h *Host) know(b binary) string {
	i := slices.Index(h.binaries, b)
	if i < 0 {
		i = len(h.binaries)
		h.binaries = append(h.binaries, b)
	}
	return strconv.Itoa(i)
}

// Build implements [host.Host].
func (h *Host) Build(ctx context.Context, s host.Source) (host.Binary, error) {
	if h.compiler == nil {
		return host.Binary{}, errors.New("local: a host without a compiler builds nothing")
	}
	file, b, err := h.compiler.Compile(ctx, s)
	if err != nil {
		return host.Binary{}, err
	}
	b.ID = h.know(binary{file, s.Dir, s.Package, b.Probed})
	return b, nil
}

// Forget implements [host.Forgetter].
func (h *Host) Forget(s host.Source) {
	if h.compiler != nil {
		h.compiler.Forget(s)
	}
}

// Probe implements [host.Host].
func (h *Host) Probe(ctx context.Context, a host.Ask) (host.Probe, error) {
	p := host.Probe{Before: machine.ReadLoad(), Env: machine.Describe(), Procs: runtime.GOMAXPROCS(0)}
	if len(a.Procs) > 0 {
		p.Capacity = capacity(ctx, a.Procs, a.Spin, a.Again)
	}
	if a.Each > 0 {
		p.Prices = machine.ProbePrices(ctx, a.Each, p.Env)
	}
	if a.Batches > 0 {
		p.Batches = machine.ProbeFloor(ctx, a.Batches, 5*time.Millisecond)
	}
	p.After = machine.ReadLoad()
	return p, nil
}

// capacity probes again when the machine gave less than it has: a compiler that
// just ends must not decide the run.
func capacity(ctx context.Context, procs []int, spin time.Duration, again int) []machine.Capacity {
	best := machine.ProbeCapacity(ctx, procs, spin)
	for range again {
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
		for i, c := range machine.ProbeCapacity(ctx, procs, spin) {
			if c.Cores > best[i].Cores {
				best[i] = c
			}
		}
	}
	return best
}
