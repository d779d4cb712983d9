// Command cost says what tests cost: it runs a go test command and prints the
// processor seconds of each package, its children included.
//
//	go run ./house/cost go test work
//	go run ./house/cost -tests 20 go test ./par/...
//	go run ./house/cost -budget house/budget.txt go test work
//
// Processor seconds depend on the machine, so the budget holds units: seconds of
// the machine that it was made on. Before and after the tests cost finds out how
// long a unit is here. With -budget it fails where a package takes more than its
// entry by half, and does so again without the others: a cold cache and other work
// only add. -write makes such a file. With PAYOFF_LONG set
// tests run in their long form, which no budget is for.
//
// On Windows the children of a test are not counted.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	if len(args) > 2 && args[0] == meterVerb {
		return meter(args[1], args[2:])
	}
	flags := flag.NewFlagSet("cost", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: cost [flags] go test [arguments]")
		flags.PrintDefaults()
	}
	budget := flags.String("budget", "", "fail where a package costs more than its entry in `file` by half")
	write := flags.String("write", "", "write a budget to `file`")
	record := flags.String("o", "", "write the table to `file` as well")
	tests := flags.Int("tests", 0, "list this many of the slowest tests")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() < 2 || flags.Arg(1) != "test" {
		flags.Usage()
		return 2
	}
	var limits map[string]float64
	if *budget != "" {
		text, err := os.ReadFile(*budget)
		if err == nil {
			limits, err = parseBudget(string(text))
		}
		if err != nil {
			fmt.Fprintln(stderr, "cost:", err)
			return 2
		}
	}
	bill, passed, err := measure(flags.Args(), stdout, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "cost:", err)
		return 2
	}
	table := bill.table(limits)
	if *tests > 0 {
		table += bill.slowest(*tests)
	}
	io.WriteString(stdout, table)
	if *record != "" {
		err = os.WriteFile(*record, []byte(table), 0o644)
	}
	if *write != "" {
		err = errors.Join(err, os.WriteFile(*write, []byte(bill.budget()), 0o644))
	}
	if err != nil {
		fmt.Fprintln(stderr, "cost:", err)
		return 2
	}
	if limits != nil {
		over := bill.over(limits)
		if len(over) > 0 && passed {
			for _, c := range over {
				fmt.Fprintf(stdout, "cost: %s; once more, alone:\n", c.said)
			}
			bill, passed, err = measure(alone(flags.Args(), over), stdout, stderr)
			if err != nil {
				fmt.Fprintln(stderr, "cost:", err)
				return 2
			}
			over = bill.over(limits)
		}
		for _, c := range over {
			fmt.Fprintln(stderr, "cost:", c.said)
			passed = false
		}
	}
	if !passed {
		return 1
	}
	return 0
}

// measure runs the command with a meter around each test binary, and passes on
// what fails. It reports whether all tests passed.
func measure(command []string, stdout, stderr io.Writer) (b *bill, passed bool, err error) {
	dir, err := os.MkdirTemp("", "cost-")
	if err != nil {
		return nil, false, err
	}
	defer os.RemoveAll(dir)
	self, err := os.Executable()
	if err != nil {
		return nil, false, err
	}
	log := filepath.Join(dir, "log")
	// A result from the cache would cost nothing.
	args := slices.Concat(command[1:2], []string{"-count=1", "-json", fmt.Sprintf("-exec=%q %s %q", self, meterVerb, log)}, command[2:])
	b = &bill{command: strings.Join(command, " "), speed: []float64{calibrate()}}
	cmd := exec.Command(command[0], args...)
	cmd.Stderr = stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, false, err
	}
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt) // the go command has it too, and ends
	defer signal.Stop(interrupted)
	from := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, false, err
	}
	b.tests, err = follow(out, stdout)
	if werr := cmd.Wait(); werr != nil && cmd.ProcessState.ExitCode() != 1 {
		return nil, false, fmt.Errorf("%s: %w", b.command, werr)
	}
	if err != nil {
		return nil, false, err
	}
	b.wall = time.Since(from).Seconds()
	b.speed = append(b.speed, calibrate())
	if b.readings, err = readings(log); err != nil {
		return nil, false, err
	}
	b.all = childrenCPU()
	return b, cmd.ProcessState.Success(), nil
}

// alone returns a go test command for some directories, one after the other, with
// the flags of another command.
func alone(command []string, over []complaint) []string {
	again := []string{command[0], command[1], "-p=1"}
	for _, arg := range command[2:] {
		if strings.HasPrefix(arg, "-") {
			again = append(again, arg)
		}
	}
	for _, o := range over {
		again = append(again, o.dir)
	}
	return again
}

// A test is one that go test told of, with its seconds of wall time.
type test struct {
	pkg, name string
	wall      float64
}

// follow reads what go test -json says, writes a line for each package, and
// for what fails all that it printed.
func follow(r io.Reader, w io.Writer) (tests []test, err error) {
	type event struct {
		Action, Package, ImportPath, Test, Output string
		Elapsed                                   float64
	}
	said := map[[2]string]*strings.Builder{}
	for dec := json.NewDecoder(r); ; {
		var e event
		if err := dec.Decode(&e); errors.Is(err, io.EOF) {
			return tests, nil
		} else if err != nil {
			// Read on, or the go command would wait for a reader.
			_, _ = io.Copy(io.Discard, r)
			return nil, fmt.Errorf("what go test -json printed: %w", err)
		}
		key := [2]string{e.Package, e.Test}
		switch e.Action {
		case "output":
			if said[key] == nil {
				said[key] = &strings.Builder{}
			}
			said[key].WriteString(e.Output)
		case "build-output":
			io.WriteString(w, e.Output)
		case "fail":
			if s := said[key]; s != nil {
				io.WriteString(w, s.String())
			}
			fallthrough
		case "pass":
			if e.Test != "" {
				tests = append(tests, test{e.Package, e.Test, e.Elapsed})
			} else {
				fmt.Fprintf(w, "%s\t%s\t%.1fs\n", e.Action, e.Package, e.Elapsed)
			}
			delete(said, key)
		case "skip":
			delete(said, key)
		}
	}
}
