package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/urfave/cli/v3"

	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/report/text"
	"github.com/gopayoff/payoff/tool/internal/session"
)

// fleetProgram is what reaches other machines. It is a module of its own, so that payoff
// has no network in it.
const fleetProgram = "payoff-fleet"

func fleetCommand(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:      "fleet",
		Usage:     "have other machines measure: payoff-fleet, a program of its own",
		ArgsUsage: "command [flags]",
		Description: `Fleet runs payoff-fleet, which reaches other machines: serve runs the server,
agent makes a machine one of the fleet, ls lists them. Then -on has any command
that measures do so there, like payoff run -on 'cores>=16,arch=arm64', and
payoff run -on-each any on one machine of each kind. It is installed by
go install github.com/gopayoff/payoff/tool/fleet/cmd/payoff-fleet@latest.`,
		SkipFlagParsing: true,
		Action: func(ctx context.Context, c *cli.Command) error {
			command, err := fleetLine(c.Args().Slice()...)
			if err != nil {
				return err
			}
			cmd := exec.CommandContext(ctx, command[0], command[1:]...)
			cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
			cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, stdout, stderr
			err = cmd.Run()
			if ended := (*exec.ExitError)(nil); errors.As(err, &ended) {
				return exitCode(max(ended.ExitCode(), exitFindings))
			}
			return err
		},
	}
}

// fleetLine is a command line of payoff-fleet: the one beside payoff, or in PATH.
func fleetLine(args ...string) ([]string, error) {
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), fleetProgram)
		if about, err := os.Stat(beside); err == nil && about.Mode().IsRegular() {
			return append([]string{beside}, args...), nil
		}
	}
	name, err := exec.LookPath(fleetProgram)
	if err != nil {
		return nil, fmt.Errorf("%s is not in PATH: go install github.com/gopayoff/payoff/tool/fleet/cmd/%[1]s@latest", fleetProgram)
	}
	return append([]string{name}, args...), nil
}

func onFlag() cli.Flag {
	return &cli.StringFlag{Name: "on", Usage: "measure on a machine of the fleet that is as `wished`, like cores>=16,arch=arm64 (default: this one)"}
}

func onEachFlag() cli.Flag {
	return &cli.StringFlag{Name: "on-each", Usage: "measure on one machine of each kind in the fleet that is as `wished`, any for all, and set them beside each other"}
}

// A fleetKind is what payoff-fleet ls -json says of machines that can stand in for each
// other.
type fleetKind struct {
	Kind, Name string
	Fit        bool
}

// onEach carries out a plan on one machine of each kind that is as wished, at the same
// time: they do not disturb each other. What is shown is one report of all.
func onEach(ctx context.Context, p session.Plan, wish string, o output, stdout, stderr io.Writer) error {
	if p.On != "" || p.Resume != "" {
		return errors.New("-on-each asks for machines itself: leave out -on and -resume")
	}
	if o.format == "benchfmt" || o.html != "" {
		return errors.New("-on-each writes text or JSON: the record of each machine has the rest, as payoff report shows")
	}
	line, err := fleetLine("ls", "-json", wish)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.Stderr = stderr
	said, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("-on-each %s: %w", wish, err)
	}
	var kinds []fleetKind
	if err := json.Unmarshal(said, &kinds); err != nil {
		return fmt.Errorf("-on-each %s: %s says what cannot be read: %w", wish, line[0], err)
	}
	kinds = slices.DeleteFunc(kinds, func(k fleetKind) bool { return !k.Fit })
	if len(kinds) == 0 {
		return fmt.Errorf("-on-each %s: no machine of the fleet is so: payoff fleet ls shows them", wish)
	}
	var mu sync.Mutex // guards what is shown
	show := newProgress(stderr)
	several := report.Several{Machines: make([]report.Measured, len(kinds))}
	var all sync.WaitGroup
	for i, k := range kinds {
		own := p
		own.On = "kind=" + k.Kind
		if own.Record != "" {
			own.Record = filepath.Join(own.Record, k.Kind)
		}
		all.Go(func() {
			tell := func(f func(string)) func(string) {
				return func(s string) {
					mu.Lock()
					defer mu.Unlock()
					f(k.Kind + ": " + s)
				}
			}
			end := watch(ctx, own, tell(show.notice), tell(show.draw))
			m := report.Measured{Kind: k.Kind, Machine: k.Name, Doc: end.Doc}
			if end.Err != nil {
				m.Err = end.Err.Error()
			}
			several.Machines[i] = m
		})
	}
	all.Wait()
	show.done()
	several.Sum()
	if o.format == "json" {
		err = several.JSON(stdout)
	} else {
		err = text.Several(stdout, &several)
	}
	if err != nil && !errors.Is(err, syscall.EPIPE) {
		return fmt.Errorf("writing the report: %w", err)
	}
	for _, m := range several.Machines {
		if m.Err != "" {
			return fmt.Errorf("on %s: %s", strings.TrimSpace(m.Machine), m.Err)
		}
	}
	if o.exitCode && several.Loses() {
		return errFindings
	}
	return nil
}
