package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/prescribe"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/verify"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// untried is how many places have edits that were not tried to the end, though
// another one pays.
func (d *Doc) untried() (n int) {
	kept := false
	for _, x := range d.Fixes {
		kept = kept || len(x.Kept) > 0
		for _, f := range x.Findings {
			if f.Grade != shape.Confirmed && slices.ContainsFunc(f.Fixes, func(x Fix) bool { return x.Word == verify.NotTried }) {
				n++
			}
		}
	}
	if !kept {
		return 0 // the first line says it
	}
	return n
}

// More says what a larger budget would be for, and the command; "" for nothing.
func (d *Doc) More() string {
	n := d.untried()
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s not tried to the end for want of time: %s goes on, with what is measured already", plural(n, "place was", "places were"), d.longer())
}

// Tried reports whether edits were tried, as payoff fix does.
func (d *Doc) Tried() bool {
	for _, t := range d.treatments {
		if t != nil && t.Tries {
			return true
		}
	}
	return false
}

// cured is the answer of payoff fix in one sentence; "" where nothing was to be
// tried.
func (d *Doc) cured() string {
	if !d.Tried() {
		return ""
	}
	if d.given() {
		return d.judged()
	}
	var kept []string
	var gain, hope *Fix
	tried, open, offered, findings := 0, 0, 0, 0
	interrupted := false
	var stopped *problem.Problem
	for _, t := range d.treatments {
		if t != nil && t.Record != nil && t.Record.Problem != nil {
			stopped = t.Record.Problem
		}
	}
	for i := range d.Fixes {
		x := &d.Fixes[i]
		kept = append(kept, x.Kept...)
		interrupted = interrupted || x.End == measure.Interrupted
		if x.Together != nil && x.Together.Word == verify.Kept && (gain == nil || best(*x.Together) > best(*gain)) {
			gain = x.Together
		}
		for j := range x.Findings {
			findings++
			offered += len(x.Findings[j].Fixes)
			for k := range x.Findings[j].Fixes {
				f := &x.Findings[j].Fixes[k]
				if f.Word != "" && f.Word != verify.NotTried {
					tried++
				}
				if f.Word == verify.CannotSay {
					open++
				}
				if (f.Word == verify.CannotSay || f.Word == verify.NotTried) && promising(f) && (hope == nil || best(*f) > best(*hope)) {
					hope = f
				}
				if f.Word == verify.Kept && (gain == nil || best(*f) > best(*gain)) {
					gain = f
				}
			}
		}
	}
	places := figure.Plural(findings, "place")
	bad := d.mismeasuring()
	switch {
	case gain != nil:
		s := "An edit pays: " + faster(gain)
		if len(kept) > 1 || len(gain.Parts) > 1 {
			s = "Edits pay: " + faster(gain)
		}
		return s + ": " + gain.Does() + afterwards(gain)
	case stopped != nil:
		return "Nothing could be tried: " + stopped.Reason
	case findings == 0 && !d.explained():
		return "There is nothing to cure: no benchmark loses as far as is known"
	case findings == 0:
		return "There is nothing to try: no shape that payoff knows an edit for is where the time is lost"
	case tried == 0 && offered > 0 && interrupted:
		return fmt.Sprintf("No edit was tried to the end: interrupted; %d could be tried at %s", offered, places)
	case tried == 0 && offered > 0:
		return fmt.Sprintf("No edit was tried to the end: the budget was too short; %d could be tried at %s", offered, places)
	case tried == 0 && len(bad) > 0:
		return fmt.Sprintf("Nothing was tried: mend the benchmarks first: what they are named for is not what is measured in %s", strings.Join(bad, ", "))
	case tried == 0:
		return fmt.Sprintf("There is nothing to try: at %s no edit can be offered", places)
	}
	if hope != nil && hope.starved {
		return fmt.Sprintf("An edit may pay: %s so far (%s), but the machine gave too few processors to prove it", faster(hope), hope.Does())
	}
	if hope != nil {
		return fmt.Sprintf("An edit may pay: %s so far (%s), and the budget was too short to prove it", faster(hope), hope.Does())
	}
	if open > 0 {
		return fmt.Sprintf("No edit can be shown to pay: %s tried at %s, and of %d the figures cannot say", plural(tried, "was", "were"), places, open)
	}
	return fmt.Sprintf("No edit pays: %s tried at %s", plural(tried, "was", "were"), places)
}

// mismeasuring are the benchmarks that measure something else than the code, if
// nothing but them was found.
func (d *Doc) mismeasuring() (names []string) {
	for _, x := range d.Fixes {
		for _, f := range x.Findings {
			if f.Check != prescribe.Mismeasured {
				return nil
			}
			if name := f.Func[strings.LastIndexByte(f.Func, '.')+1:]; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// promising reports whether an edit was plainly faster while candidates were
// compared.
func promising(f *Fix) bool {
	return slices.ContainsFunc(f.Gains, func(g FixGain) bool { return Number(g.Ratio.Low) > 1.1 })
}

func plural(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// faster says what an edit gains: on the most processors, where it gains most.
func faster(f *Fix) string {
	var top *FixGain
	proven := func(g *FixGain) bool { return Number(g.Ratio.Low) > 1 }
	for i := range f.Gains {
		g := &f.Gains[i]
		switch {
		case top == nil || proven(g) && !proven(top):
			top = g
		case proven(top) && !proven(g):
		case cmp.Or(cmp.Compare(g.Procs, top.Procs), cmp.Compare(Number(g.Ratio.Value), Number(top.Ratio.Value))) > 0:
			top = g
		}
	}
	if top == nil {
		return f.ID
	}
	return fmt.Sprintf("%s is %s as fast at %s", strings.TrimPrefix(top.Name, "Benchmark"), figure.Ratio(Number(top.Ratio.Value))+"x", figure.Plural(top.Procs, "processor"))
}

// Does says what an edit does, and at what price.
func (f *Fix) Does() string {
	if f.Dearer == "" {
		return f.Says
	}
	return f.Says + "; but then " + f.Dearer
}

// afterwards answers the first question again, at the most processors.
func afterwards(f *Fix) string {
	if f.Serial {
		return "; it needs no goroutine"
	}
	var top *FixAfter
	for i := range f.After {
		if a := &f.After[i]; a.Verdict != "" && (top == nil || a.Procs > top.Procs) {
			top = a
		}
	}
	switch {
	case top == nil || top.Procs == 1:
		return ""
	case top.Verdict == judge.Pays:
		return "; with it concurrency pays"
	case top.Verdict == judge.Loses:
		return "; even with it concurrency does not pay"
	case top.Verdict == judge.Even:
		return "; with it concurrency neither pays nor loses"
	}
	return ""
}

// nextFix is the command to type after edits were tried.
func (d *Doc) nextFix() string {
	if d.given() {
		return d.nextTry()
	}
	interrupted := false
	var open *Fix // that may win most, of those that nothing is known of yet
	var dearest *FixFinding
	most := 0.0
	for i := range d.Fixes {
		x := &d.Fixes[i]
		if len(x.Kept) > 0 {
			return plain.Shell("payoff", "fix", "-apply", "-from", d.Record)
		}
		interrupted = interrupted || x.End == measure.Interrupted
		for j := range x.Findings {
			f := &x.Findings[j]
			if f.Cause != "" && (dearest == nil || f.share > dearest.share) {
				dearest = f
			}
			for k := range f.Fixes {
				fix := &f.Fixes[k]
				if fix.Word != verify.NotTried && fix.Word != verify.CannotSay {
					continue
				}
				if win := f.mayWin(fix); open == nil || win > most {
					open, most = fix, win
				}
			}
		}
	}
	if interrupted {
		return d.fix()
	}
	if slices.ContainsFunc(d.treatments, func(t *treated) bool { return t != nil && t.Record != nil && t.Record.Problem != nil }) {
		return d.longer() // what else stands in the way is a problem that [Doc.mend] knows
	}
	switch {
	case open != nil && open.starved: // no budget proves it here
		return "payoff machine"
	case open != nil:
		return d.longer()
	}
	if len(d.mismeasuring()) > 0 {
		a := d.again()
		return plain.Shell(append([]string{"payoff", "vet"}, a.Packages...)...)
	}
	if dearest != nil {
		return plain.Shell("payoff", "explain", dearest.Cause)
	}
	return plain.Shell("payoff", "why", "-from", d.Record)
}

// mayWin is the part of the time that an edit of the finding may win: by what it won
// while candidates were compared, and where it was not, all that is lost there.
func (f *FixFinding) mayWin(x *Fix) float64 {
	switch ratio := best(*x); {
	case ratio > 1:
		return 1 - 1/ratio
	case ratio > 0:
		return 0
	}
	return f.share
}

// longer is the payoff fix that has time for what was not tried to the end: by
// what it needs where that is known of all, else by a multiple of what there was.
func (d *Doc) longer() string {
	const more = 3
	var needs, spent time.Duration
	known := true
	for _, t := range d.treatments {
		if t == nil || t.Record == nil {
			continue
		}
		spent = max(spent, t.Record.Budget)
		proofs := t.Proofs()
		for _, c := range t.Record.Candidates {
			needs = max(needs, c.Needs)
			word := proofs[c.ID].Word
			known = known && (c.Needs > 0 || word != verify.NotTried && word != verify.CannotSay)
		}
	}
	if !known || needs == 0 {
		needs = max(needs, ample, more*spent)
	}
	return d.fix("-budget", cmdline.Duration(needs))
}

// curable reports whether there are edits that payoff fix would try.
func (d *Doc) curable() bool {
	for _, x := range d.Fixes {
		for _, f := range x.Findings {
			if len(f.Fixes) > 0 && d.Asked != nil && !d.Asked.Gallery && !d.Asked.Plain {
				return true
			}
		}
	}
	return false
}

// fix is the payoff fix that asks for what was asked for.
func (d *Doc) fix(flags ...string) string {
	a := d.again()
	a.Budget, a.Gallery, a.Plain, a.Verdicts = 0, false, false, false
	args := append([]string{"payoff", "fix"}, flags...)
	if d.given() {
		args[1] = "try"
		args = append(args, a.Try...)
	}
	args = append(args, a.Flags()...)
	args = append(args, strings.Fields(a.Cure)...)
	return a.Line(append(args, a.Packages...)...)
}

// Apply lets the report know that the changes were made.
func (d *Doc) Apply(changes []patch.Change) {
	for _, c := range changes {
		d.Written = append(d.Written, source.Place{File: c.File}.Near(d.dir).File)
	}
	d.Undo = plain.Shell("payoff", "fix", "-undo", d.Record)
	again := d.again()
	again.Budget = 0 // of fix, a part of what it had
	d.Next = again.Command()
	for _, x := range d.Fixes {
		for _, f := range x.Findings {
			for _, fix := range f.Fixes {
				if fix.Needs != "" && slices.Contains(x.Kept, fix.ID) {
					d.Next = "go get github.com/gopayoff/payoff"
				}
			}
		}
	}
}
