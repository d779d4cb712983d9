// Package session carries out a [Plan]: the stages one after the other, from
// the packages a user names, or from a recorded run, to the report.
//
//	discover → measure → judge → explain → prescribe → verify → report
//
// A verb of payoff that measures or replays is a plan: what to measure or to read,
// and how far to go. [Run] yields what happens as it happens and ends with the
// report. It knows no flags and no terminal.
package session

import (
	"time"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A Plan says what is to be found out. The zero value of each field has the
// meaning or the default named at it.
type Plan struct {
	// Payoff and Command are the version of the tool and the command line, for
	// the record.
	Payoff  string
	Command []string

	// From is the folder of a recorded run. With it nothing is measured, and only
	// Dir, Bench, Base, Vs and Causes matter.
	From string
	// Unexplained leaves the evidence of From unread: there are verdicts, and no
	// causes.
	Unexplained bool

	// Resume is the folder of a run that ended before its time, or before it was
	// decided. It goes on there: with it only Dir, Args, Budget, Wait and Causes
	// matter, and the rest is as it was. Budget is that of both parts; default: as it was.
	Resume string

	Dir      string   // where the go command is asked; places are shown as seen from here; default: the working directory
	Packages []string // patterns as of go test; default: the package in Dir
	// Below refuses packages that do not lie in Dir or below it, by whatever links.
	Below    bool
	Bench    string   // regexp, as in go test -bench; of a recorded run: what is reported; default: all
	Tags     string   // build tags
	Args     []string // for the test binary, as after go test's -args; never of a record: see Resume
	Base, Vs string   // regexps of names: what is compared with what; default: by the names, or as recorded
	Procs    []int    // GOMAXPROCS values; default: 1, 2, 4, … up to the usable processors
	// Gallery says that the packages are cases of the gallery, unpacked in Dir; nil
	// if they are not.
	Gallery *Gallery

	Budget time.Duration // to measure each package at most once it is built, and again to look for causes; default 2 minutes
	// Within is the time that all packages are measured in, which share it in place of
	// Budget for each; 0: each has that.
	Within  time.Duration
	Sample  time.Duration // of one sample; default: as the budget allows
	Timeout time.Duration // after which a benchmark that gives no result is ended; default: as long as the budget allows, a minute at most
	Bounds  stats.Bounds  // default [stats.DefaultBounds]
	Rule    stats.Rule    // of a run that measures; default [stats.DefaultRule]
	Layouts int           // of the code to measure in; default [measure.MaxLayouts]
	Seed    uint64        // fixes the order of the samples; default: random
	Plain   bool          // do not probe the testing package
	Record  string        // folder for the raw results; default: a new one in .payoff/runs, or in the user's cache
	// On says what the machine must be that measures, in the words of Plug, a command that
	// finds one and is a plug to it; see [plug.Start]. Default: this machine.
	On   string
	Plug []string
	Wait time.Duration // for others that measure on this machine; default: until they end; below 0: not at all

	Causes Causes
	// Told are numbers of processors that a [Forecast] will be asked about: it wants traces
	// of what the programs do on one that are told of so many. nil: there will be none.
	Told []int
	// Cure asks for edits against what loses; nil: for none.
	Cure *Cure

	// Compare asks for a comparison of two states of the code, in place of one of
	// variants; nil: for none.
	Compare *Compare

	// Tune asks for the best values of constants, in place of verdicts; nil: for none.
	Tune *Tune

	// Unasked leaves open what the machine gives and what things cost on it. To
	// find that out takes half a second, which is half of a short run.
	Unasked bool
}

// TryShare is the part of the time for edits of the user's in which the code is measured
// as it is, and again in which it is explained: that tells what an edit touches.
const TryShare = 6

const defaultBudget = 2 * time.Minute

// A Gallery is what a plan needs to know of cases that travel inside payoff.
type Gallery struct {
	// Procs are the GOMAXPROCS values of each case by its import path, where the
	// plan has none. The machine may have fewer processors: those above are left
	// out.
	Procs map[string][]int
	Env   []string // for the go command: KEY=VALUE
}

// Causes say of which verdicts causes are sought.
type Causes int

const (
	None   Causes = iota
	Wanted        // those that call for an explanation
	All
)

// check fills in defaults and refuses what cannot be.
func (p *Plan) check() (h discover.Hints, err error) {
	if h.Base, err = cmdline.Regexp(cmdline.Base, p.Base); err != nil {
		return h, err
	}
	if h.Vs, err = cmdline.Regexp(cmdline.Vs, p.Vs); err != nil {
		return h, err
	}
	if h.Vs != nil && h.Base == nil {
		return h, cmdline.ErrVs
	}
	if p.Bounds == (stats.Bounds{}) {
		p.Bounds = stats.DefaultBounds
	}
	if b := p.Bounds; !(b.Margin > 0 && b.Margin < 1) || !(b.Precision > 0 && b.Precision < 1) {
		return h, cmdline.ErrBounds
	}
	if p.Layouts < 0 {
		return h, cmdline.Wrong("layouts", p.Layouts, "1 or more")
	}
	if p.Sample < 0 {
		return h, cmdline.Wrong("sample", p.Sample, "more than 0, like 20ms")
	}
	for _, d := range []struct {
		name  string
		value *time.Duration
		or    time.Duration
	}{{"budget", &p.Budget, defaultBudget}, {"timeout", &p.Timeout, 0}} {
		if *d.value < 0 {
			return h, cmdline.Wrong(d.name, *d.value, "more than 0, like 30s")
		}
		if *d.value == 0 {
			*d.value = d.or
		}
	}
	return h, nil
}

// repeat is what of a plan the next command has to repeat, for these packages.
func (p *Plan) repeat(packages ...string) cmdline.Asked {
	a := cmdline.Asked{Packages: packages, Bench: p.Bench, Base: p.Base, Vs: p.Vs, Procs: p.Procs, Tags: p.Tags, Args: p.Args, On: p.On, Plain: p.Plain, Verdicts: p.Causes == None}
	if len(packages) == 0 {
		a.Packages = nil
	}
	if a.Bench == "." {
		a.Bench = ""
	}
	a.Gallery = p.Gallery != nil
	if p.Budget != defaultBudget || a.Gallery { // the gallery's default is another
		a.Budget = p.Budget.Nanoseconds()
	}
	if b := p.Bounds; b.Margin != stats.DefaultBounds.Margin {
		a.Margin = b.Margin
	}
	if b := p.Bounds; b.Precision != stats.DefaultBounds.Precision {
		a.Precision = b.Precision
	}
	if p.Layouts > 0 && p.Layouts != measure.MaxLayouts {
		a.Layouts = p.Layouts
	}
	if p.Cure != nil {
		a.Cure, a.Try = p.Cure.Bench, p.Cure.Asked
	}
	a.Timeout, a.Sample = p.Timeout.Nanoseconds(), p.Sample.Nanoseconds()
	return a
}
