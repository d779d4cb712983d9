package report

import (
	"fmt"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/prescribe"
	"github.com/gopayoff/payoff/tool/internal/stats"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

// An Answer is what became of an edit that payoff did not propose.
type Answer string

const (
	EditFaster  Answer = "faster"
	EditSlower  Answer = "slower"
	EditSame    Answer = "no difference"
	EditUnknown Answer = "cannot say"
	EditFails   Answer = "a gate failed"
)

// given reports whether the edits are of the user's.
func (d *Doc) given() bool {
	return slices.ContainsFunc(d.Fixes, func(x Fixes) bool {
		return slices.ContainsFunc(x.Findings, func(f FixFinding) bool { return f.Check == prescribe.Given })
	})
}

// answers is what became of an edit in one package. That it is no faster is not yet
// that it is the same: an edit that is plainly slower is not proven to be that, since
// nobody would keep it.
func (f *Fix) answers() Answer {
	switch f.Word {
	case verify.Fails:
		return EditFails
	case verify.Slower, verify.Trade:
		return EditSlower
	case verify.Kept:
		return EditFaster
	case verify.Same:
		return EditSame
	case verify.NoGain, verify.Beaten:
		b := stats.DefaultBounds
		same := len(f.Gains) > 0
		for _, g := range f.Gains {
			value, low, high := Number(g.Ratio.Value), Number(g.Ratio.Low), Upper(g.Ratio.Low, g.Ratio.High)
			if value <= 1/(1+b.Margin) && high < 1 {
				return EditSlower
			}
			same = same && low >= 1/(1+b.Band()) && high <= 1+b.Band()
		}
		if same || f.even {
			return EditSame
		}
	}
	return EditUnknown
}

// outcome is the answer of the user's edits, and the edit that it is about: of each
// what is worst of the packages, so that it makes no difference only where that is so
// of all; of several the best.
func (d *Doc) outcome() (Answer, *Fix) {
	type edit struct {
		answer Answer
		fix    *Fix
	}
	worst := []Answer{EditFails, EditSlower, EditUnknown, EditFaster, EditSame}
	var ids []string
	of := map[string]edit{}
	for i := range d.Fixes {
		for j := range d.Fixes[i].Findings {
			f := &d.Fixes[i].Findings[j]
			for k := range f.Fixes {
				x := &f.Fixes[k]
				a, had := x.answers(), of[x.ID]
				switch was, is := slices.Index(worst, had.answer), slices.Index(worst, a); {
				case had.fix == nil:
					ids = append(ids, x.ID)
					of[x.ID] = edit{a, x}
				case is < was || is == was && best(*x) > best(*had.fix):
					of[x.ID] = edit{a, x}
				}
			}
		}
	}
	var top edit
	for _, a := range []Answer{EditFaster, EditUnknown, EditSame, EditSlower, EditFails} {
		for _, id := range ids {
			if x := of[id]; x.answer == a && (top.fix == nil || top.answer == a && best(*x.fix) > best(*top.fix)) {
				top = x
			}
		}
	}
	return top.answer, top.fix
}

// edits is how many the user gave.
func (d *Doc) edits() int {
	ids := map[string]bool{}
	for _, x := range d.Fixes {
		for _, f := range x.Findings {
			for _, y := range f.Fixes {
				ids[y.ID] = true
			}
		}
	}
	return len(ids)
}

// judged is the answer of payoff try in one sentence.
func (d *Doc) judged() string {
	for _, t := range d.treatments {
		if t != nil && t.Record != nil && t.Record.Problem != nil {
			return "Nothing could be tried: " + t.Record.Problem.Reason
		}
	}
	answer, f := d.outcome()
	if f == nil {
		return ""
	}
	why := ""
	if f.Why != "" {
		why = ": " + f.Why
	}
	n := d.edits()
	s := ""
	switch {
	case answer == EditFaster && n > 1:
		s = fmt.Sprintf("Of %d edits the best, that of %s, pays: %s", n, f.Name, faster(f)) + ": " + f.Does() + afterwards(f)
	case answer == EditFaster:
		s = "The edit pays: " + faster(f) + ": " + f.Does() + afterwards(f)
	case n > 1:
		s = fmt.Sprintf("Of %d edits none is known to be faster; the best, that of %s: %s", n, f.Name, answer) + why
	case answer == EditFails:
		s = "A gate failed" + why
	case answer == EditSlower:
		s = "The edit is slower" + why
	case answer == EditSame:
		s = "No difference" + why
	default:
		s = "It cannot be said whether the edit is faster" + why
	}
	if n := len(f.Signs); n > 0 && answer == EditFaster {
		s += fmt.Sprintf("; but its gain may be hollow: %s", f.Signs[0].Why)
		if n > 1 {
			s += fmt.Sprintf(", and %d more", n-1)
		}
	}
	return s
}

// nextTry is the command to type after edits of the user's were tried.
func (d *Doc) nextTry() string {
	if slices.ContainsFunc(d.treatments, func(t *treated) bool { return t != nil && t.Record != nil && t.Record.Problem != nil }) {
		return d.longer()
	}
	again := d.again()
	again.Budget = 0 // of try, a part of what it had
	switch answer, f := d.outcome(); {
	case answer == EditFaster && len(f.Signs) > 0: // whoever takes it has looked at them
		return d.fix("-strict")
	case answer == EditFaster && f.patch != "":
		return plain.Shell("git", "apply", f.patch)
	case answer == EditFaster, answer == EditSame:
		return again.Command()
	case answer == EditSlower:
		return plain.Shell("payoff", "why", "-from", d.Record)
	case answer == EditUnknown && f.starved: // no budget proves it here
		return "payoff machine"
	case answer == EditUnknown:
		return d.longer()
	}
	return "payoff help try"
}
