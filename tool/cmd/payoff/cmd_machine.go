package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v3"
	"golang.org/x/perf/benchunit"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/host/local"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/session"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A machineDoc is what payoff machine found.
type machineDoc struct {
	Schema      int                `json:"schema"`
	Summary     string             `json:"summary"`
	Environment machine.Env        `json:"environment"`
	Capacity    []machine.Capacity `json:"capacity"`
	Busy        float64            `json:"busyCores"`  // of all processes, before the probes
	Steal       float64            `json:"stealCores"` // taken by the hypervisor during the probes
	Prices      machine.Prices     `json:"prices"`
	Floor       machine.Floor      `json:"floor"`
	Resolution  []resolution       `json:"resolution"`
	Advice      []string           `json:"advice"`
	Next        string             `json:"next"`
}

// A resolution is the smallest difference that steady code needs for a verdict
// after so many pairs, with 80 % power; null where they can find none.
type resolution struct {
	Pairs      int      `json:"pairs"`
	Seconds    float64  `json:"seconds"` // for one comparison
	Difference *float64 `json:"difference"`
	InBudget   bool     `json:"inBudget"`
}

func machineCommand(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:      "machine",
		Usage:     "say what this machine can really give",
		ArgsUsage: "[flags]",
		Description: `Machine probes for about three seconds: the cores available in parallel right
now, what is stolen from them, what concurrency is made of and what it costs
here, the noise floor and the smallest difference that can be resolved.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "procs", Usage: "processor counts to probe, a `list` like 1,2,4 (default 1,2,4,… up to the usable processors)"},
			&cli.DurationFlag{Name: "budget", Value: 2 * time.Minute, Usage: "the `time` of a run whose resolution is wanted (default 2m)"},
			waitFlag(),
			&cli.BoolFlag{Name: "json", Usage: "write JSON"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.Args().Present() {
				return fmt.Errorf("machine takes no arguments, got %q: payoff machine -help", c.Args().First())
			}
			if c.Duration("budget") <= 0 {
				return cmdline.Wrong("budget", c.Duration("budget"), "more than 0, like 30s")
			}
			procs, err := cmdline.Procs(c.String("procs"), runtime.GOMAXPROCS(0))
			if err != nil {
				return err
			}
			dir, err := os.Getwd()
			if err != nil {
				return err
			}
			release, missing, err := session.Turn(ctx, c.Root().Args().Slice(), dir, waitOf(c), func(n session.Notice) { newProgress(stderr).notice(string(n)) })
			if err != nil {
				return err
			}
			defer release()
			d, err := probeMachine(ctx, procs, c.Duration("budget"))
			if ctx.Err() != nil {
				return errors.New("interrupted before the probes were done")
			}
			if err != nil {
				return err
			}
			if missing != "" {
				d.Environment.Missing = append(d.Environment.Missing, missing)
			}
			if c.Bool("json") {
				return plain.JSON(stdout, d)
			}
			return d.text(stdout)
		},
	}
}

func probeMachine(ctx context.Context, procs []int, budget time.Duration) (machineDoc, error) {
	const sample = 110 * time.Millisecond // a pair of samples of payoff run
	h := local.New("", nil)
	idle, err := h.Probe(ctx, host.Ask{})
	if err != nil {
		return machineDoc{}, err
	}
	select { // what runs while we do not
	case <-time.After(200 * time.Millisecond):
	case <-ctx.Done():
	}
	found, err := h.Probe(ctx, host.Ask{Procs: procs, Spin: 120 * time.Millisecond, Each: 25 * time.Millisecond, Batches: 200})
	if err != nil {
		return machineDoc{}, err
	}
	d := machineDoc{Schema: 1, Environment: found.Env, Capacity: found.Capacity, Prices: found.Prices, Floor: machine.FloorOf(found.Batches)}
	d.Environment.Go = runtime.Version()
	d.Busy, _ = found.Before.Since(idle.After)
	_, d.Steal = found.After.Since(found.Before)
	times := found.Batches
	for _, hint := range machine.Advice(d.Environment, d.Capacity, found.Before, found.After) {
		d.Advice = append(d.Advice, hint.Text)
	}
	var logs []float64
	for i := 0; i+1 < len(times); i += 2 {
		logs = append(logs, math.Log(times[i]/times[i+1]))
	}
	for _, n := range stats.DefaultRule.Looks {
		r := resolution{Pairs: n, Seconds: (time.Duration(n) * sample).Seconds(), InBudget: time.Duration(n)*sample <= budget}
		if x := stats.DefaultRule.Resolve(logs, n); !math.IsInf(x, 0) && !math.IsNaN(x) {
			r.Difference = &x
		}
		d.Resolution = append(d.Resolution, r)
	}
	d.Summary = d.summarize()
	d.Next = "payoff run ./..."
	return d, nil
}

func (d machineDoc) summarize() string {
	s := "This machine gives"
	for i, c := range d.Capacity {
		if i > 0 {
			s += ","
		}
		s += fmt.Sprintf(" %.2f of %d", c.Cores, c.Procs)
	}
	s += " processors"
	best := math.Inf(1)
	for _, r := range d.Resolution {
		if r.InBudget && r.Difference != nil {
			best = min(best, *r.Difference)
		}
	}
	if math.IsInf(best, 1) {
		return s + "; the budget is too short for any verdict"
	}
	return s + fmt.Sprintf(" and resolves differences of %.1f%%", 100*max(best, stats.DefaultBounds.Margin))
}

func (d machineDoc) text(out io.Writer) error {
	d = plain.All(d) // what the system calls its processor and its host
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	e := d.Environment
	fmt.Fprintf(w, "%s\n\n", d.Summary)
	fmt.Fprintf(w, "processor\t%s, %d logical, %d cores, %d usable\n", e.CPU, e.LogicalCPUs, e.PhysicalCores, e.UsableCPUs)
	virtual := "no hypervisor seen"
	if e.Virtual != "" {
		virtual = "virtual machine (" + e.Virtual + ")"
	}
	fmt.Fprintf(w, "host\t%s/%s, %s, steal %.2f processors\n", e.OS, e.Arch, virtual, d.Steal)
	if e.Load != "" {
		fmt.Fprintf(w, "load\t%s; %.2f processors busy before the probes\n", e.Load, d.Busy)
	}
	if e.Governor != "" {
		fmt.Fprintf(w, "governor\t%s\n", e.Governor)
	}
	for _, c := range d.Capacity {
		stacked := ""
		if c.Stacked {
			stacked = ", threads stacked on one processor"
		}
		fmt.Fprintf(w, "capacity at %d\t%.2f processors, %.2f at worst%s\n", c.Procs, c.Cores, c.Low, stacked)
	}
	p := d.Prices
	for _, x := range []struct {
		name  string
		price machine.Price
	}{
		{"cache line, core to core", p.CacheLine}, {"channel hand-off, 1 proc", p.HandoffSameP}, {"channel hand-off, 2 procs", p.Handoff},
		{"goroutine spawn and exit", p.Spawn}, {"waking a sleeping thread", p.Wake}, {"mutex, uncontended", p.Mutex}, {"64-byte allocation", p.Alloc},
		{"first touch of a page", p.Fault}, {"cache line from memory, 1 proc", p.Memory},
	} {
		if x.price.NS > 0 {
			fmt.Fprintf(w, "%s\t%s [%s, %s]\n", x.name, ns(x.price.NS), ns(x.price.Low), ns(x.price.High))
		}
	}
	if p.Memory.NS > 0 && p.MemoryAll.NS > 0 {
		const line = 64
		fmt.Fprintf(w, "memory read, 1 proc and all\t%.1f and %.1f GB/s\n", line/p.Memory.NS, line/p.MemoryAll.NS)
	}
	if e.UsableCores > 0 && e.UsableCores < e.UsableCPUs && p.Step.NS > 0 {
		fmt.Fprintf(w, "two threads of one core\tarithmetic takes %.2f times as long with all processors busy\n", p.StepAll.NS/p.Step.NS)
	}
	fmt.Fprintf(w, "noise of fixed work\t%.1f%% (robust %.1f%%) over %d runs of 5ms\n", 100*d.Floor.CV, 100*d.Floor.RobustCV, d.Floor.Samples)
	for _, r := range d.Resolution {
		diff := "none"
		if r.Difference != nil {
			diff = fmt.Sprintf("%.1f%%", 100**r.Difference)
		}
		late := ""
		if !r.InBudget {
			late = ", beyond the budget"
		}
		fmt.Fprintf(w, "found after %d pairs\t%s (%.0f s a comparison%s)\n", r.Pairs, diff, r.Seconds, late)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	for _, a := range d.Advice {
		fmt.Fprintf(out, "warning: %s\n", a)
	}
	if missing := append(e.Missing, p.Missing...); len(missing) > 0 {
		fmt.Fprintf(out, "not known here: %s\n", strings.Join(missing, "; "))
	}
	_, err := fmt.Fprintf(out, "Allocation, memory and locks are noisier than fixed work; each run prints its own noise floor.\nnext: %s\n", d.Next)
	return err
}

func ns(v float64) string { return benchunit.Scale(v/1e9, benchunit.Decimal) + "s" }
