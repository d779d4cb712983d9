package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"net"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/cli/browser"
	"github.com/urfave/cli/v3"

	"github.com/gopayoff/payoff/gallery"
	"github.com/gopayoff/payoff/tool/internal/articles"
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/history"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/record"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/report/html"
	"github.com/gopayoff/payoff/tool/internal/serve"
	"github.com/gopayoff/payoff/tool/internal/service"
	"github.com/gopayoff/payoff/tool/internal/session"
	"github.com/gopayoff/payoff/tool/internal/store"
)

func serveCommand(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:      "serve",
		Usage:     "show all runs that are kept in a browser",
		ArgsUsage: "[flags]",
		Description: `Serve shows the runs of this module in a browser, until Ctrl-C: a list of them,
each as its page, two beside each other, how each comparison went over runs, how
far a run is that is going on, the articles of the gallery and the causes.

It answers this machine alone, and only at the address that it prints. -addr
makes it answer others; its token is in the address, and the connection is not
encrypted.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "addr", Value: "127.0.0.1:0", Usage: "listen at `host:port`; port 0 is any that is free (default 127.0.0.1:0)"},
			&cli.BoolFlag{Name: "no-open", Usage: "print the address and do not open it"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.Args().Present() {
				return fmt.Errorf("serve takes no arguments, not %q: it shows the runs of the module in this directory", c.Args().First())
			}
			homes, err := homes(ctx)
			if err != nil {
				return err
			}
			lib := library{homes: homes, stderr: stderr, shown: &shownGallery{}}
			if _, err := lib.kept(ctx); err != nil { // who has to wait for the index sees it here
				return err
			}
			l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.String("addr"))
			if err != nil {
				return fmt.Errorf("%w: -addr 127.0.0.1:0 takes any port that is free", err)
			}
			s := serve.New(lib, l.Addr())
			url := "http://" + l.Addr().String() + s.Path()
			if _, err := fmt.Fprintf(stdout, "%s\n", url); err != nil {
				return errors.Join(err, l.Close())
			}
			if terminal(stdout) && !c.Bool("no-open") {
				browser.Stdout, browser.Stderr = io.Discard, io.Discard
				if err := browser.OpenURL(url); err != nil {
					fmt.Fprintf(stderr, "payoff: no browser could be started (%v): open the address above\n", err)
				}
			}
			return s.Serve(ctx, l)
		},
	}
}

// A library is the runs of some folders, as the server shows them.
type library struct {
	homes  []string
	stderr io.Writer
	shown  *shownGallery // what was made of the runs of the gallery's cases
}

// A shownGallery is kept until other runs are the newest of the cases.
type shownGallery struct {
	sync.Mutex
	of   string // the runs
	page *serve.Gallery
}

func (l library) kept(ctx context.Context) ([]history.Run, error) {
	return keptRuns(ctx, l.homes, 0, l.stderr)
}

func (l library) Runs(ctx context.Context) (all []serve.Run, err error) {
	runs, err := l.kept(ctx)
	for _, r := range runs {
		n := r.Verdicts()
		x := serve.Run{ID: r.ID, When: r.When, Commit: r.Commit, Command: r.Command, Packages: r.Packages, Machine: r.Machine, Go: r.Go,
			Verdicts: serve.Verdicts{Pays: n[judge.Pays], Even: n[judge.Even], Loses: n[judge.Loses], Open: n[judge.CannotSay]}, Compared: r.Compared, Problem: r.Problem}
		if r.Writing {
			x.Problem = "is being written"
		}
		all = append(all, x)
	}
	return all, err
}

// dir is the folder of a run that Runs has.
func (l library) dir(ctx context.Context, id string) (string, error) {
	runs, err := l.kept(ctx)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(runs, func(r history.Run) bool { return r.ID == id })
	if i < 0 {
		return "", fmt.Errorf("no run that is kept is %q: %w", id, fs.ErrNotExist)
	}
	return runs[i].Dir, nil
}

// replayOf is what a recorded run says.
func replayOf(ctx context.Context, dir string, causes session.Causes) (end session.End) {
	for e := range session.Run(ctx, session.Plan{From: dir, Causes: causes}) {
		if x, ok := e.(session.End); ok {
			end = x
		}
	}
	return end
}

func (l library) Report(ctx context.Context, id string) (*report.Doc, html.Options, error) {
	dir, err := l.dir(ctx, id)
	if err != nil {
		return nil, html.Options{}, err
	}
	end := replayOf(ctx, dir, session.Wanted)
	if end.Doc == nil {
		return nil, html.Options{}, end.Err
	}
	if end.Err != nil { // the rest is worth a page
		end.Doc.Warnings = append(end.Doc.Warnings, end.Err.Error())
	}
	o, err := onPage(end)
	return end.Doc, o, err
}

func (l library) Trends(ctx context.Context) (all []serve.Trend, err error) {
	runs, err := l.kept(ctx)
	if err != nil {
		return nil, err
	}
	known := func(x *float64) float64 {
		if x == nil {
			return 0
		}
		return *x
	}
	for _, t := range history.Trends(runs) {
		x := serve.Trend{Package: t.Package, Name: t.Name, Base: t.Base, Procs: t.Procs, BaseProcs: t.BaseProcs}
		for _, p := range t.Of {
			x.Points = append(x.Points, serve.Point{Run: p.Run.ID, When: p.Run.When, Commit: p.Run.Commit, Machine: p.Run.Machine + ", " + p.Run.Go, Kind: p.Run.Kind + " " + p.Run.Go,
				Ratio: known(p.Ratio), Low: known(p.Low), High: known(p.High), NS: known(p.NS), Verdict: string(p.Verdict)})
		}
		all = append(all, x)
	}
	return all, nil
}

// Gallery sets the articles beside the newest run of each case.
func (l library) Gallery(ctx context.Context) (*serve.Gallery, error) {
	runs, err := l.kept(ctx)
	if err != nil {
		return nil, err
	}
	var newest []history.Run // of the cases
	seen := map[string]bool{}
	key := ""
	for _, r := range runs {
		has := false
		for _, p := range r.Packages {
			if _, ok := gallery.Of(p); ok && !seen[p] {
				seen[p], has = true, true
			}
		}
		if has {
			newest = append(newest, r)
			key += fmt.Sprintln(r.Dir, r.When)
		}
	}
	l.shown.Lock()
	defer l.shown.Unlock()
	if l.shown.page != nil && l.shown.of == key {
		return l.shown.page, nil
	}
	var cases []gallery.Case
	var of []articles.Run
	clear(seen)
	for _, r := range newest {
		run, all, _ := store.LoadSamples(r.Dir) // what is damaged is not shown
		for _, s := range all {
			if c, ok := gallery.Of(s.Package); ok && !seen[s.Package] {
				seen[s.Package] = true
				cases = append(cases, c)
				of = append(of, articles.Run{Name: r.ID, Dir: r.Dir, Rule: run.Rule, Bounds: run.Bounds, Series: s})
			}
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	if len(cases) == 0 {
		return nil, nil
	}
	page, err := articles.New(cases, of)
	if err != nil {
		return nil, err
	}
	g := &serve.Gallery{Summary: page.Summary, Problems: page.Problems}
	for _, a := range page.Articles {
		x := serve.Article{Heading: a.About.Heading()}
		for _, c := range a.Conclusions {
			row := serve.ThenNow{Case: c.Case, Says: c.Says, Then: thenOrNow(c.Then.Direction, c.Then.Speed), Now: "not measured", Holds: string(c.Status)}
			if c.Now != nil {
				row.Now = thenOrNow(string(c.Now.Verdict), float64(c.Now.Speed))
			}
			x.Conclusions = append(x.Conclusions, row)
		}
		for _, f := range a.Figures {
			row := serve.ThenNow{Case: f.Case, Says: f.Name, Then: fmt.Sprint(f.Value, " ", f.Unit), Now: f.Missing}
			if f.Now != nil {
				row.Now = fmt.Sprintf("%.4g %s", f.Now.Value, f.Unit)
			}
			x.Figures = append(x.Figures, row)
		}
		g.Articles = append(g.Articles, x)
	}
	l.shown.of, l.shown.page = key, g
	return g, nil
}

// thenOrNow is a direction with the speed, where it is known.
func thenOrNow(word string, speed float64) string {
	if !(speed > 0) {
		return word
	}
	return fmt.Sprintf("%s, %s×", word, figure.Ratio(speed))
}

func (l library) Traces(context.Context) (all []serve.Trace, err error) {
	names, err := traceNames()
	for _, name := range names {
		doc, err := keptTrace(name)
		if err != nil {
			all = append(all, serve.Trace{ID: name, Summary: err.Error()})
			continue
		}
		all = append(all, serve.Trace{ID: name, Summary: doc.Summary[0]})
	}
	return all, err
}

func (l library) Trace(_ context.Context, id string) (*service.Doc, error) { return keptTrace(id) }

// Now looks at the newest runs alone: one that goes on with an older run shows when it
// is done.
func (l library) Now() (s serve.State) {
	const newest = 20
	h := fnv.New64a()
	for _, home := range l.homes {
		entries, _ := record.Folder(home)
		for i, e := range slices.Backward(entries) {
			if !e.IsDir() {
				continue
			}
			p, running := store.Progress{}, false
			if i >= len(entries)-newest {
				p, running = store.Running(filepath.Join(home, e.Name()), time.Now())
			}
			fmt.Fprintln(h, e.Name(), running)
			switch {
			case running && p.Rounds != nil:
				s.Line = roundLine(measure.Progress(*p.Rounds))
			case running:
				s.Line = p.Step
			}
		}
	}
	s.Runs = fmt.Sprint(h.Sum64())
	return s
}

var _ serve.Source = library{}
