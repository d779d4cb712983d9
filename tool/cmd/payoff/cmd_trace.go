package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/gopayoff/payoff/tool/internal/endpoint"
	"github.com/gopayoff/payoff/tool/internal/outfile"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/report/html"
	"github.com/gopayoff/payoff/tool/internal/report/text"
	"github.com/gopayoff/payoff/tool/internal/service"
)

func traceCommand(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:      "trace",
		Usage:     "say what concurrency costs in a program that runs, from its traces and profiles",
		ArgsUsage: "[flags] [files]",
		Description: `Trace reads execution traces and CPU, mutex, block and goroutine-leak profiles of a
program, in any order, and says what its processors' time goes to, why its
operations take long, at which lines, and what it would bring at most to mend that.
Several traces of one program are read as one.

-from takes them from a program that serves net/http/pprof: several short windows of
trace and profile. Nothing is installed there. The snapshot of a flight recorder is a
file like any other. payoff serve lists the reports, and payoff compare takes two,
written with -json, or two traces.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "from", Usage: "take traces and profiles from `url`, like http://localhost:6060/debug/pprof"},
			&cli.IntFlag{Name: "windows", Value: 4, Usage: "with -from, take `n` windows (default 4)"},
			&cli.DurationFlag{Name: "window", Value: time.Second, Usage: "with -from, a window lasts `time`, in whole seconds (default 1s)"},
			&cli.DurationFlag{Name: "timeout", Value: 10 * time.Second, Usage: "with -from, wait `time` longer for each than a window lasts (default 10s)"},
			&cli.StringSliceFlag{Name: "header", Usage: "with -from, send a `header` like 'Authorization: Bearer …'; may be repeated"},
			&cli.StringFlag{Name: "o", Usage: "with -from, keep the traces and profiles in `dir`", TakesFile: true},
			&cli.StringFlag{Name: "op", Usage: "an operation is a call of `function`, like example.com/shop/cart.(*Cart).Add"},
			&cli.StringFlag{Name: "bench", Usage: "write a benchmark of the operation that loses most to `file`, as a start", TakesFile: true},
			&cli.BoolFlag{Name: "json", Usage: "write the report as JSON"},
			htmlFlag(),
			&cli.BoolFlag{Name: "all", Usage: "show every operation and line in the text, however many"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			show := newProgress(stderr)
			defer show.done()
			o := service.Options{Func: c.String("op"), Payoff: version(), Progress: func(f string, args ...any) { show.draw(fmt.Sprintf(f, args...)) },
				Command: func(args ...string) string { return plain.Shell(append([]string{"payoff"}, args...)...) }}
			o.Again = c.Args().Slice()
			if u := c.String("from"); u != "" {
				o.Again = []string{"-from", u}
			}
			in, missing, done, cut := traceInputs(ctx, c, &o)
			if in == nil {
				return cut
			}
			defer done()
			doc, err := service.Explain(in, o)
			show.done()
			if doc == nil {
				return errors.Join(err, cut)
			}
			doc.Missing = append(doc.Missing, missing...)
			if err := keepTrace(doc, time.Now()); err != nil {
				show.notice(fmt.Sprintf("the report cannot be kept for payoff serve: %v", err))
			}
			return errors.Join(writeService(c, doc, stdout, stderr), err, cut)
		},
	}
}

// writeService writes the report, and the page and the benchmark that were asked for.
func writeService(c *cli.Command, doc *service.Doc, stdout, stderr io.Writer) error {
	if file := c.String("bench"); file != "" {
		bench, err := doc.Benchmark("payoff trace")
		if err != nil {
			return err
		}
		if err := outfile.Write(file, func(w io.Writer) error { _, err := io.WriteString(w, bench); return err }); err != nil {
			return err
		}
		fmt.Fprintln(stderr, "benchmark:", plain.Clean(file))
		doc.Next = "fill in " + plain.Clean(file) + ", then " + plain.Shell("payoff", "run")
	}
	if file := c.String("html"); file != "" {
		if err := outfile.Write(file, func(w io.Writer) error { return html.Service(w, doc, "") }); err != nil {
			return fmt.Errorf("writing the page: %w", err)
		}
		fmt.Fprintln(stderr, "page:", plain.Clean(file))
	}
	if c.Bool("json") {
		return doc.JSON(stdout)
	}
	return text.Service(stdout, doc, text.Options{Width: columns(stdout), Colours: colours(stdout), All: c.Bool("all"), Bars: bars(stdout)})
}

// traceInputs are the files of a command line, or those taken from a program; with an
// error those of whole windows, if there are any. done removes those that are not to be
// kept.
func traceInputs(ctx context.Context, c *cli.Command, o *service.Options) (in []service.Source, missing []string, done func(), err error) {
	done = func() {}
	from := c.String("from")
	if from == "" {
		for _, f := range []string{"windows", "window", "timeout", "header", "o"} {
			if c.IsSet(f) {
				return nil, nil, nil, fmt.Errorf("-%s says how to take traces with -from: give that as well", f)
			}
		}
		if !c.Args().Present() {
			return nil, nil, nil, errors.New("trace wants files, or -from: payoff trace -from http://localhost:6060/debug/pprof")
		}
		var before []os.FileInfo
		for _, name := range c.Args().Slice() {
			about, err := os.Stat(name)
			switch {
			case err == nil && slices.ContainsFunc(before, func(f os.FileInfo) bool { return os.SameFile(f, about) }):
				return nil, nil, nil, fmt.Errorf("%s is given twice, and would count twice: name each file once", name)
			case err != nil:
				return nil, nil, nil, fmt.Errorf("%w: name the files of traces and profiles, or take them with -from", err)
			case !about.Mode().IsRegular():
				return nil, nil, nil, fmt.Errorf("%s is no regular file: name the files of traces and profiles", name)
			}
			before = append(before, about)
			in = append(in, fileSource(name, name, about.Size()))
		}
		return in, nil, done, nil
	}
	if c.Args().Present() {
		return nil, nil, nil, fmt.Errorf("-from takes the traces itself: leave out %q", c.Args().First())
	}
	e := endpoint.Options{Windows: c.Int("windows"), Length: c.Duration("window"), Pause: time.Second / 2, Patience: c.Duration("timeout"), Header: http.Header{}, Dir: c.String("o"), Progress: o.Progress}
	switch {
	case e.Windows < 1 || e.Windows > 100:
		return nil, nil, nil, fmt.Errorf("-windows %d: want 1 to 100", e.Windows)
	case e.Length < time.Second || e.Length > time.Minute || e.Length%time.Second != 0:
		return nil, nil, nil, fmt.Errorf("-window %v: want whole seconds, 1s to 60s", e.Length)
	case e.Patience <= 0:
		return nil, nil, nil, fmt.Errorf("-timeout %v: want more than 0", e.Patience)
	}
	for _, h := range c.StringSlice("header") {
		k, v, ok := strings.Cut(h, ":")
		if k = strings.TrimSpace(k); !ok || k == "" {
			return nil, nil, nil, errors.New("-header: want a name and a value, like 'Authorization: Bearer …'")
		}
		e.Header.Add(k, strings.TrimSpace(v))
	}
	if e.Dir == "" {
		if e.Dir, err = os.MkdirTemp("", "payoff-trace-*"); err != nil {
			return nil, nil, nil, err
		}
		dir := e.Dir
		done = func() { os.RemoveAll(dir) }
	} else if err := os.MkdirAll(e.Dir, 0o777); err != nil {
		return nil, nil, nil, err
	}
	files, missing, cut := endpoint.Take(ctx, from, e)
	if len(files) == 0 {
		done()
		return nil, nil, nil, cut
	}
	for _, f := range files {
		about, err := os.Stat(f.Path)
		if err != nil {
			done()
			return nil, nil, nil, err
		}
		in = append(in, fileSource(f.Name, f.Path, about.Size()))
	}
	o.Overhead = overhead(in, e)
	return in, missing, done, cut
}

func fileSource(name, path string, size int64) service.Source {
	return service.Source{Name: name, Size: size, Open: func() (io.ReadCloser, error) { return os.Open(path) }}
}

// overhead says what windows cost the program.
func overhead(in []service.Source, e endpoint.Options) string {
	bytes := int64(0)
	n := 0
	for _, s := range in {
		if strings.Contains(s.Name, "trace-") {
			bytes += s.Size
			n++
		}
	}
	return fmt.Sprintf("the program was traced and profiled for %v of its life, and sent %.3g MB of traces; between the windows and after them it does nothing for payoff", time.Duration(n)*e.Length, float64(bytes)/1e6)
}
