// Package cmdline has what a user asked payoff for, the command lines that ask for
// the same, and the words of flags in what is said of them.
//
// It parses flags nowhere but lists of processors: the command does.
package cmdline

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gopayoff/payoff/tool/internal/plain"
)

// Asked is what a user asked a run for, as far as the next command has to
// repeat it. The zero value of a field was not given.
type Asked struct {
	Packages []string `json:"packages,omitempty"` // as given
	Gallery  bool     `json:"gallery,omitempty"`  // they are cases of the gallery: payoff gallery run names them without the path
	Bench    string   `json:"bench,omitempty"`
	Base     string   `json:"base,omitempty"`
	Vs       string   `json:"vs,omitempty"`
	Procs    []int    `json:"procs,omitempty"`
	Tags     string   `json:"tags,omitempty"`
	On       string   `json:"on,omitempty"` // what the machine was to be
	Budget   int64    `json:"budgetNs,omitempty"`
	// Margin and Precision are shares, not percent.
	Margin    float64 `json:"margin,omitempty"`
	Precision float64 `json:"precision,omitempty"`
	Plain     bool    `json:"plain,omitempty"`
	Verdicts  bool    `json:"verdicts,omitempty"`
	Sample    int64   `json:"sampleNs,omitempty"`
	Timeout   int64   `json:"timeoutNs,omitempty"`
	Layouts   int     `json:"layouts,omitempty"`
	// Cure is the benchmark whose causes alone payoff fix looked for.
	Cure string   `json:"cure,omitempty"`
	Args []string `json:"args,omitempty"` // for the test binary
	// Try are the flags of payoff try that name the edit.
	Try []string `json:"try,omitempty"`
}

// Command is a command line that asks for the same.
func (a Asked) Command() string {
	packages := slices.Clone(a.Packages)
	if a.Gallery {
		for i, p := range packages {
			packages[i] = path.Base(p)
		}
	}
	return a.Line(slices.Concat(a.verb(), a.Flags(), packages)...)
}

// Line is a command line of these words that hands the same to the test binary.
func (a Asked) Line(words ...string) string {
	if len(a.Args) > 0 {
		words = slices.Concat(words, []string{"-args"}, a.Args)
	}
	return plain.Shell(words...)
}

// verb is the command that measures what was asked for.
func (a Asked) verb() []string {
	if a.Gallery {
		return []string{"payoff", "gallery", "run"}
	}
	return []string{"payoff", "run"}
}

// Resume is a command line that goes on with the run recorded in dir, with
// these flags. What a machine of a fleet measured no other of the kind goes on with: it is
// asked for again.
func (a Asked) Resume(dir string, flags ...string) string {
	if a.On != "" {
		return a.Command()
	}
	args := slices.Concat(a.verb(), []string{"-resume", dir}, flags)
	if a.Verdicts { // whether to look for causes is asked anew
		args = append(args, "-verdicts")
	}
	return a.Line(args...)
}

// Flags are the flags of payoff run that ask for the same.
func (a Asked) Flags() (args []string) {
	add := func(flag, value string) {
		if value != "" {
			args = append(args, flag, value)
		}
	}
	if a.Budget > 0 {
		add("-budget", typed(time.Duration(a.Budget)))
	}
	if len(a.Procs) > 0 {
		add("-procs", strings.Trim(strings.ReplaceAll(fmt.Sprint(a.Procs), " ", ","), "[]"))
	}
	add("-tags", a.Tags)
	add(On, a.On)
	if a.Sample > 0 {
		add("-sample", time.Duration(a.Sample).String())
	}
	if a.Timeout > 0 {
		add("-timeout", time.Duration(a.Timeout).String())
	}
	if a.Layouts > 0 {
		add("-layouts", strconv.Itoa(a.Layouts))
	}
	percent := func(flag string, share float64) {
		if share > 0 {
			add(flag, strconv.FormatFloat(100*share, 'g', 6, 64))
		}
	}
	percent("-margin", a.Margin)
	percent("-precision", a.Precision)
	if a.Plain {
		args = append(args, "-plain")
	}
	if a.Verdicts {
		args = append(args, "-verdicts")
	}
	if a.Bench != "." {
		add("-bench", a.Bench)
	}
	add("-base", a.Base)
	add("-vs", a.Vs)
	return args
}

// Duration is d as one would type it, and not less.
func Duration(d time.Duration) string { return typed(Round(d)) }

// Round is d as one would choose it, and not less: notes and commands name the
// same budget.
func Round(d time.Duration) time.Duration {
	unit := time.Second
	switch {
	case d > 2*time.Minute:
		unit = time.Minute
	case d > 10*time.Second:
		unit = 10 * time.Second
	}
	return (d + unit - 1) / unit * unit
}

// typed is d as one would type it: 2m, not 2m0s.
func typed(d time.Duration) string {
	s := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if rest, ok := strings.CutSuffix(s, zero); ok {
			s = rest + zero[:1]
		}
	}
	return s
}
