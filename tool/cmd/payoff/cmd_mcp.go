package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/gopayoff/payoff/tool/catalog"
	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/mcp"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/session"
	"github.com/gopayoff/payoff/tool/internal/store"
	"github.com/gopayoff/payoff/tool/vet"
)

func mcpCommand(stdout, stderr io.Writer) *cli.Command {
	const usual = 10 * time.Minute
	return &cli.Command{
		Name:      "mcp",
		Usage:     "let a program that writes code measure what it wrote",
		ArgsUsage: "[flags]",
		Description: `Mcp is a server for programs that write code: it speaks the Model Context Protocol
on standard input and output, and says on standard error what it does. Its tools
list benchmarks, measure, show why something loses, tell of causes, judge a patch,
and compare a change with the commit before. They measure packages below the current directory,
one call at a time. docs/agents.md says how programs are told of it.`,
		Flags: []cli.Flag{
			&cli.DurationFlag{Name: "budget", Value: usual, Usage: "the most `time` that a call may ask for to measure in (default 10m)"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			budget := c.Duration("budget")
			switch {
			case c.Args().Present():
				return fmt.Errorf("mcp takes no arguments, not %q: it serves the directory that it is started in", c.Args().First())
			case budget < time.Second:
				return cmdline.Wrong("budget", budget, "1s or more, like 10m")
			}
			dir, err := os.Getwd()
			if err != nil {
				return err
			}
			tc, err := gocmd.Find(ctx, dir, "")
			if err != nil {
				return err
			}
			if terminal(os.Stdin) {
				fmt.Fprintln(stderr, "payoff: a program is to speak here, by the Model Context Protocol: docs/agents.md says how it is told of payoff mcp; Ctrl-C ends it")
			}
			o := mcp.Options{Version: version(), Root: dir, Budget: budget, Log: stderr}
			return mcp.Serve(ctx, &bench{tc: tc, dir: dir}, o, os.Stdin, stdout)
		},
	}
}

// A bench is what payoff does for a program, in one directory.
type bench struct {
	tc  *gocmd.Toolchain
	dir string

	mu   sync.Mutex
	made []string // folders of the runs that it recorded
}

// turns is how long a call waits for another payoff on this machine: a client that waits for an
// answer should hear soon that there is none.
const turns = 30 * time.Second

// plan is what every call that measures has in common.
func (b *bench) plan(tool string, a mcp.Ask) session.Plan {
	p := session.Plan{Payoff: version(), Command: slices.Concat([]string{"mcp", tool}, a.Packages), Dir: b.dir, Below: true, Packages: a.Packages, Bench: cmp.Or(a.Bench, "."),
		Base: a.Base, Vs: a.Vs, Procs: a.Procs, Within: a.Budget, Wait: turns}
	adjust(&p)
	return p
}

func (b *bench) Benchmarks(ctx context.Context, a mcp.Ask) ([]discover.Target, []problem.Problem, error) {
	targets, problems, err := discover.Targets(ctx, b.tc, a.Packages, cmp.Or(a.Bench, "."))
	if err == nil {
		err = discover.Below(b.dir, targets)
	}
	return targets, problems, err
}

func (b *bench) Measure(ctx context.Context, a mcp.Ask, tell mcp.Tell) (*report.Doc, error) {
	p := b.plan("measure", a)
	p.Causes, p.Cure = session.Wanted, &session.Cure{Checks: vet.All()}
	return b.carryOut(ctx, p, tell)
}

func (b *bench) Compare(ctx context.Context, a mcp.Ask, old, new string, tell mcp.Tell) (*report.Doc, error) {
	p := b.plan("compare", a)
	p.Compare = &session.Compare{Old: old, New: new}
	doc, err := b.carryOut(ctx, p, tell)
	if doc == nil && errors.Is(err, session.ErrSame) {
		err = mcp.Same{Why: err.Error()}
	}
	return doc, err
}

func (b *bench) Try(ctx context.Context, a mcp.Ask, text string, strict bool, tell mcp.Tell) (*report.Doc, error) {
	const name = "the patch"
	changes, err := patch.Read(patch.Root(b.dir, b.dir), text, func(name string) (string, error) {
		if !b.below(name) {
			return "", fmt.Errorf("it does not lie below the folder of the server, %s: change files there alone", b.dir)
		}
		return readRegular(name)
	})
	if err == nil {
		for _, c := range changes { // of a new file nothing was read
			if !b.below(c.File) {
				err = fmt.Errorf("%s: it does not lie below the folder of the server, %s: change files there alone", c.File, b.dir)
			}
		}
	}
	if err != nil {
		return nil, fmt.Errorf("patch: %w", err)
	}
	p := b.plan("try_patch", a)
	p.Causes = session.All // evidence says what an edit touches
	p.Cure = &session.Cure{Budget: a.Budget, Strict: strict, Edits: []*session.Edit{{Name: name, Changes: changes}}}
	p.Budget = a.Budget / session.TryShare
	return b.carryOut(ctx, p, tell)
}

// below reports whether a file, or the folder that it is to be in, lies in the directory
// or below, by whatever links.
func (b *bench) below(name string) bool {
	for {
		if _, err := os.Lstat(name); err == nil {
			return gocmd.Within(b.dir, name)
		}
		up := filepath.Dir(name)
		if up == name {
			return false
		}
		name = up
	}
}

// carryOut carries out a plan that measures.
func (b *bench) carryOut(ctx context.Context, p session.Plan, tell mcp.Tell) (*report.Doc, error) {
	end := watch(ctx, p, func(s string) { tell(s, true) }, func(s string) { tell(s, false) })
	if end.Doc == nil {
		return nil, cmp.Or(end.Err, context.Cause(ctx))
	}
	if dir := end.Doc.Record; dir != "" {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(b.dir, dir)
		}
		b.mu.Lock()
		b.made = append(b.made, dir)
		b.mu.Unlock()
	}
	return end.Doc, end.Err
}

// folders are those of the runs that may be shown: of the tree that the directory is
// in, not those of others in the user's cache, and those recorded here. unread says why
// there may be others.
func (b *bench) folders() (dirs []string, unread error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	tree := b.tc.OwnTree()
	all, unread := session.Recorded(b.tc)
	for _, dir := range all {
		if gocmd.Within(tree, dir) || slices.Contains(b.made, dir) {
			dirs = append(dirs, dir)
		}
	}
	slices.SortStableFunc(dirs, func(x, y string) int { return strings.Compare(filepath.Base(y), filepath.Base(x)) })
	return dirs, unread
}

func (b *bench) Runs(ctx context.Context, most int) (all []mcp.Run, err error) {
	dirs, unread := b.folders()
	for _, dir := range dirs {
		if most > 0 && len(all) == most {
			break
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if _, running := store.Running(dir, time.Now()); running {
			continue
		}
		if about, err := store.About(dir); err == nil { // what is damaged, or no run, is not shown
			all = append(all, mcp.Run{Name: filepath.Base(dir), When: about.Env.Time, Command: strings.Join(about.Command, " ")})
		}
	}
	if len(all) == 0 {
		return nil, unread
	}
	return all, nil
}

func (b *bench) Why(ctx context.Context, run, bench string) (*report.Doc, error) {
	dirs, _ := b.folders()
	i := slices.IndexFunc(dirs, func(dir string) bool { return filepath.Base(dir) == run })
	if i < 0 {
		return nil, fmt.Errorf("no recorded run is %q", run) // it was there a moment ago
	}
	end := watch(ctx, session.Plan{From: dirs[i], Dir: b.dir, Bench: cmp.Or(bench, "."), Causes: session.All}, func(string) {}, func(string) {})
	if end.Doc == nil {
		return nil, cmp.Or(end.Err, context.Cause(ctx))
	}
	return end.Doc, end.Err
}

func (b *bench) Explain(slugs []string) ([]mcp.Cause, string, error) {
	var w strings.Builder
	if len(slugs) == 0 {
		all := catalog.All()
		err := listCauses(&w, all)
		return curable(all), w.String(), err
	}
	causes, err := findCauses(slugs)
	if err == nil {
		err = explainCauses(&w, causes)
	}
	return curable(causes), w.String(), err
}

var _ mcp.Source = (*bench)(nil)
