// Command strangers holds payoff against go test on modules that others wrote.
//
//	go run ./house/strangers -hand 10 -o folder modules.json
//
// The file lists them: [{"module": "github.com/x/y", "version": "v1.2.3", "dir":
// "/src/y", "package": ".", "bench": "^BenchmarkGet"}, …], where dir is a checkout
// outside of this repository. Benchmarks are measured by hand: a process
// of go test -bench for each GOMAXPROCS with its default second of time, again and
// again in turns; then payoff runs on them. The folder has hand.jsonl, the runs, and
// table.md: what each said of each comparison, and where they contradict.
//
// A verdict contradicts where it pays and by hand loses, or its ratio is outside of
// both intervals by more than 10 %. With -table nothing is measured: the table is made
// from what the folder has.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("strangers", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: strangers [flags] modules.json")
		flags.PrintDefaults()
	}
	var o options
	flags.IntVar(&o.hand, "hand", 10, "measure each benchmark by hand `so often` at each GOMAXPROCS")
	flags.StringVar(&o.out, "o", "strangers", "write to `folder`")
	flags.StringVar(&o.budget, "budget", "1m", "of payoff, for each package")
	flags.BoolVar(&o.verdicts, "verdicts", false, "seek no causes, as payoff run -verdicts")
	flags.StringVar(&o.read, "read", "", "what a reader found of the causes: `file` with [{\"row\": …, \"right\": …, \"why\": …}, …], where the row is \"PACKAGE BENCHMARK at N against BASE\"")
	flags.StringVar(&o.expect, "expect", "", "what the writers of the packages say of them: `file` with [{\"package\": …, \"pairs\": [{\"base\": …, \"new\": …, \"pays\": \"no\", \"cause\": …}, …]}, …]")
	table := flags.Bool("table", false, "make the table of what the folder has")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() != 1 {
		flags.Usage()
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := o.all(ctx, flags.Arg(0), *table, stdout, stderr); err != nil {
		fmt.Fprintln(stderr, "strangers:", err)
		return 1
	}
	return 0
}

type options struct {
	hand        int
	out, budget string
	verdicts    bool
	read        string // "" for none
	expect      string // likewise
	payoff      string // the command, built
}

// A stranger is a package of a module.
type stranger struct{ Module, Version, Dir, Package, Bench string }

// name is that of its folder.
func (s stranger) name() string {
	return strings.NewReplacer("/", "-", ".", "-").Replace(strings.TrimSuffix(s.Module+"/"+s.Package, "/."))
}

func (o *options) all(ctx context.Context, list string, table bool, stdout, stderr io.Writer) error {
	data, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	var all []stranger
	if err := json.Unmarshal(data, &all); err != nil {
		return fmt.Errorf("%s: %w", list, err)
	}
	if o.out, err = filepath.Abs(o.out); err != nil {
		return err
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	o.payoff = filepath.Join(o.out, "payoff"+map[bool]string{true: ".exe"}[runtime.GOOS == "windows"])
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", o.payoff, "github.com/gopayoff/payoff/tool/cmd/payoff").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	defer os.Remove(o.payoff)
	for i, s := range all {
		if table || ctx.Err() != nil {
			break
		}
		fmt.Fprintf(stderr, "%d of %d: %s %s\n", i+1, len(all), s.Module, s.Package)
		if err := o.measure(ctx, s); err != nil && ctx.Err() == nil {
			fmt.Fprintf(stderr, "%s: left out: %v\n", s.name(), err) // the others go on
		}
	}
	rows, err := o.rows(all)
	if err != nil {
		return err
	}
	var read []reading
	var answers []answer
	for file, to := range map[string]any{o.read: &read, o.expect: &answers} {
		if file == "" {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(data, to); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		for _, x := range read {
			if !slices.ContainsFunc(rows, func(r row) bool { return r.key() == x.Row }) {
				return fmt.Errorf("%s: no row is %q", o.read, x.Row)
			}
		}
	}
	file := filepath.Join(o.out, "table.md")
	text := expected(rows, answers) + markdown(rows, read)
	fmt.Fprint(stdout, text)
	return errors.Join(os.WriteFile(file, []byte(text), 0o644), ctx.Err())
}

// measure measures a package by hand, and runs payoff on it. What is there of an earlier
// run stands.
func (o *options) measure(ctx context.Context, s stranger) error {
	dir := filepath.Join(o.out, s.name())
	if _, err := os.Stat(filepath.Join(dir, "run", "run.json")); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	pkg := filepath.Join(s.Dir, filepath.FromSlash(s.Package))
	if err := o.byHand(ctx, s, pkg, filepath.Join(dir, "hand.jsonl")); err != nil {
		return err
	}
	args := []string{"run", "-budget", o.budget, "-bench", s.Bench, "-o", filepath.Join(dir, "run")}
	if o.verdicts {
		args = append(args, "-verdicts")
	}
	cmd := exec.CommandContext(ctx, o.payoff, append(args, ".")...)
	cmd.Dir = pkg
	out, err := cmd.CombinedOutput()
	if e := os.WriteFile(filepath.Join(dir, "report.txt"), out, 0o644); e != nil {
		return e
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil // a problem of some
	}
	return err
}
