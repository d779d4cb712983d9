package text

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/verify"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// Fix writes what edits were tried and what came of them.
func Fix(w io.Writer, doc *report.Doc, o Options) error {
	diffs := map[string]string{} // plain.All would take their lines together
	for _, x := range doc.Fixes {
		for _, f := range x.Findings {
			for _, fix := range f.Fixes {
				diffs[fix.ID] = fix.Diff
			}
		}
		if x.Together != nil {
			diffs[x.Together.ID] = x.Together.Diff
		}
	}
	d := plain.All(*doc)
	t := newWriter(w, o)
	t.line(0, span{cmp.Or(d.Cured, d.Summary), t.bold})
	taken, notes := saidOfFixes(d.Fixes)
	for _, x := range d.Fixes {
		if len(d.Fixes) > 1 {
			t.blank()
			t.line(0, span{x.Package, t.bold})
		}
		if x.Taken != "" && len(taken[x.Taken]) == 1 {
			t.say(0, "the code is what it was when %s was measured: its evidence is used", x.Taken)
		}
		for _, f := range x.Findings {
			t.finding(&x, f, diffs)
		}
		t.together(&x)
		for _, n := range x.Notes {
			if len(notes[n]) == 1 {
				t.blank()
				t.say(0, "note: %s", n)
			}
		}
	}
	for _, x := range d.Fixes { // what is true of several is said once, in the order of the first
		if of := taken[x.Taken]; len(of) > 1 {
			t.blank()
			t.say(0, "%s: the code is what it was when %s was measured: its evidence is used", report.SomeOf(of), x.Taken)
			delete(taken, x.Taken)
		}
		for _, n := range x.Notes {
			if of := notes[n]; len(of) > 1 {
				t.blank()
				t.say(0, "note: %s: %s", report.SomeOf(of), n)
				delete(notes, n)
			}
		}
	}
	t.problems(&d)
	t.blank()
	if len(d.Written) > 0 {
		t.say(0, "written: %s", strings.Join(d.Written, ", "))
		t.whole("undo: " + d.Undo)
	}
	if more := doc.More(); more != "" && len(d.Written) == 0 {
		t.say(0, "%s", plain.Clean(more))
	}
	if d.Patch != "" {
		t.whole("patch: " + d.Patch)
	}
	t.say(0, "%s", d.Machine())
	if d.Record != "" {
		t.whole("raw results: " + d.Record)
	}
	t.whole("next: " + d.Next)
	return t.err
}

// saidOfFixes are the packages whose code is that of a recorded run, and those that
// have a note.
func saidOfFixes(all []report.Fixes) (taken, notes map[string][]string) {
	taken, notes = map[string][]string{}, map[string][]string{}
	for _, x := range all {
		if x.Taken != "" {
			taken[x.Taken] = append(taken[x.Taken], x.Package)
		}
		for _, n := range x.Notes {
			if !slices.Contains(notes[n], x.Package) {
				notes[n] = append(notes[n], x.Package)
			}
		}
	}
	return taken, notes
}

// edits writes where edits can be tried, and on wish how the first of them begins.
func (t *writer) edits(doc *report.Doc, taste bool) {
	for _, x := range doc.Fixes {
		for _, f := range x.Findings {
			if x.Tried || len(f.Fixes) == 0 {
				continue
			}
			diff := f.Fixes[0].Diff
			f := plain.All(f)
			t.blank()
			fix := f.Fixes[0]
			t.say(0, "an edit to try at %s: %s%s", f.Place.Spot(), f.Message, price(fix.Dearer))
			t.say(2, "%s", fix.Says)
			if taste {
				t.diff(diff, head)
			}
		}
	}
}

// finding writes one place, and what was tried there.
func (t *writer) finding(x *report.Fixes, f report.FixFinding, diffs map[string]string) {
	t.blank()
	style := t.word[judge.CannotSay]
	if f.Grade == shape.Confirmed {
		style = t.word[judge.Pays]
	}
	t.line(0, span{f.Grade, style}, span{fmt.Sprintf(" %s: %s%s (%s)", f.Place.Spot(), f.Message, price(x.Price(f)), f.Check), nil})
	if f.Evidence != "" {
		lost := ""
		if ns := report.Number(f.Lost); ns > 0 {
			lost = fmt.Sprintf(" (%s per operation)", figure.Time(ns))
		}
		t.say(4, "evidence: %s%s", f.Evidence, lost)
	}
	var rest []report.Fix
	for _, fix := range f.Fixes {
		if fix.Word == verify.Kept {
			t.cure(fix, diffs[fix.ID])
			continue
		}
		rest = append(rest, fix)
	}
	if fix, at := x.Cure(&f); fix != nil && at != &f {
		t.say(4, "cured by %s at %s: %s", fix.Label(), at.Place.Spot(), fix.Says)
	}
	tried := slices.DeleteFunc(slices.Clone(rest), func(x report.Fix) bool { return x.Word == "" || x.Word == verify.NotTried })
	if len(tried) > 0 {
		t.say(4, "tried, and not kept:")
		for _, fix := range few(tried, t.all) {
			price := ""
			if fix.Dearer != "" {
				price = ", with which " + fix.Dearer
			}
			t.say(6, "%s%s: %s", fix.Label(), price, became(fix))
		}
		t.more(len(tried)-len(few(tried, t.all)), "edit")
	}
	untried := slices.DeleteFunc(rest, func(x report.Fix) bool { return x.Word != "" && x.Word != verify.NotTried })
	if len(untried) > 0 && x.Tried {
		why := ""
		if untried[0].Why != "" {
			why = ": " + untried[0].Why
		}
		t.say(4, "not tried%s: %s", why, labels(untried))
	} else if len(untried) > 0 {
		t.say(4, "to try: %s", labels(untried))
		t.diff(diffs[untried[0].ID], head)
	}
	if len(f.Fixes) == 0 && len(f.Refused) == 0 && f.CuredBy == "" {
		t.say(4, "no edit: the check knows none for this form")
	}
	for _, fix := range f.Fixes {
		of := ""
		if len(f.Fixes) > 1 {
			of = " of " + fix.Label()
		}
		for _, s := range fix.Signs {
			at := ""
			if s.File != "" {
				at = fmt.Sprintf(" (%s)", s.Place.Spot())
			}
			t.say(4, "a gain%s may be hollow: %s%s", of, s.Why, at)
		}
	}
	for _, r := range f.Refused {
		at := ""
		if r.File != "" && !r.OnLine(f.Place) {
			at = fmt.Sprintf(" (%s)", r.Place)
		}
		t.say(4, "refused: %s: %s%s", r.Name, r.Why, at)
	}
}

// price says in the first line of a finding what an edit makes dearer.
func price(dearer string) string {
	if dearer == "" {
		return ""
	}
	return "; but with the edit " + dearer
}

// cure writes an edit that pays.
func (t *writer) cure(f report.Fix, diff string) {
	t.line(4, span{f.Says, t.bold})
	t.diff(diff, 0)
	t.gains(f)
	if f.Holds != "" {
		t.say(4, "it holds on what was run: %s", f.Holds)
	}
	if len(f.Checks) > 0 {
		t.say(4, "passed: %s", strings.Join(f.Checks, ", "))
	}
	if f.Needs != "" {
		t.say(4, "it imports %s: go get github.com/gopayoff/payoff adds it to go.mod", f.Needs)
	}
	for _, a := range f.After {
		t.after(f, a)
	}
}

// gains writes a row for each benchmark and number of processors.
func (t *writer) gains(f report.Fix) {
	wide := 0
	for _, g := range f.Gains {
		wide = max(wide, columns(short1(g.Name)))
	}
	for _, g := range f.Gains {
		name := short1(g.Name)
		times := ""
		if g.Was != nil && g.Wall != nil {
			times = fmt.Sprintf("  %s → %s", figure.Time(*g.Was), figure.Time(*g.Wall))
		}
		t.whole(fmt.Sprintf("      %s%s  at %d: %s%s", name, strings.Repeat(" ", wide-columns(name)), g.Procs, ratio(g.Ratio), times))
	}
}

func short1(name string) string { return strings.TrimPrefix(name, "Benchmark") }

func ratio(r report.Interval) string {
	if r.Value == nil {
		return "not known"
	}
	s := figure.Ratio(*r.Value) + "x"
	if r.Low != nil {
		s += fmt.Sprintf(" [%s, %s]", figure.Ratio(*r.Low), figure.Ratio(report.Upper(r.Low, r.High)))
	}
	return s
}

// after answers the first question again: does concurrency pay?
func (t *writer) after(f report.Fix, a report.FixAfter) {
	against := short1(a.Base)
	if a.Base == a.Name {
		against = fmt.Sprintf("itself at %d", a.BaseProcs)
	}
	says := map[judge.Word]string{judge.Pays: "concurrency pays", judge.Loses: "concurrency does not pay", judge.Even: "concurrency neither pays nor loses", judge.CannotSay: "whether concurrency pays cannot be said"}[a.Verdict]
	if f.Serial {
		says = "no goroutine is left in it"
	}
	if a.Procs == 1 && (a.Verdict != judge.Loses || f.Serial) {
		return // on one processor nobody expects a gain
	}
	t.say(4, "with it, %s at %d against %s: %s: %s", short1(a.Name), a.Procs, against, ratio(a.Ratio), says)
}

// head is how many lines of a diff a taste of it has.
const head = 12

// diff writes a diff, or its first lines.
func (t *writer) diff(diff string, most int) {
	n := 0
	for line := range strings.Lines(diff) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "diff --git") {
			continue
		}
		if n++; most > 0 && n > most {
			t.line(6, span{"…", t.faint})
			return
		}
		style := t.faint
		switch {
		case strings.HasPrefix(line, "+"):
			style = t.word[judge.Pays]
		case strings.HasPrefix(line, "-"):
			style = t.word[judge.Loses]
		}
		t.whole("      " + span{plain.Clean(strings.ReplaceAll(line, "\t", "    ")), style}.String())
	}
}

func labels(all []report.Fix) string {
	var out []string
	for _, f := range all {
		if s := f.Label(); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return strings.Join(out, ", ")
}

// became says in a line what became of an edit that is not kept.
func became(f report.Fix) string {
	var at []string
	for _, g := range f.Gains {
		if g.Ratio.Value != nil {
			at = append(at, fmt.Sprintf("%s at %d", ratio(g.Ratio), g.Procs))
		}
	}
	s := string(f.Word)
	if f.Why != "" {
		s = f.Why
	}
	if len(at) > 0 {
		s += ": " + strings.Join(at, ", ")
	}
	return s
}

// together says what became of all that is kept, as one change.
func (t *writer) together(x *report.Fixes) {
	f := x.Together
	if f == nil {
		return
	}
	t.blank()
	if f.Word == verify.Kept {
		t.say(0, "all of these together, as one change:")
		t.gains(*f)
		for _, a := range f.After {
			t.after(*f, a)
		}
		return
	}
	t.say(0, "all of these together are not kept: %s", became(*f))
}
