package report

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/hollow"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/prescribe"
	"github.com/gopayoff/payoff/tool/internal/verify"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// treated is a package with what was prescribed for it, while it is told.
type treated struct {
	*verify.Treatment
	clash string // why what it keeps is not written with that of others
}

// Fixes are the edits that were looked for against what a package loses.
type Fixes struct {
	Package  string       `json:"package"`
	Taken    string       `json:"taken,omitempty"` // the recorded run in which the code was measured, if another
	Tried    bool         `json:"tried"`           // the edits were tried, as payoff fix does
	Findings []FixFinding `json:"findings"`
	// Kept are the IDs of the edits that payoff fix -apply writes.
	Kept []string `json:"kept"`
	// Together is what was kept of several functions, as one change.
	Together *Fix     `json:"together,omitempty"`
	Notes    []string `json:"notes,omitempty"`   // what was left, and why
	Seconds  float64  `json:"seconds,omitempty"` // of the trials
	// End is why the trials stopped; left out where there were none.
	End measure.End `json:"end,omitempty"`
}

// A FixFinding is a shape in the source that the evidence points at.
type FixFinding struct {
	Grade   string `json:"grade"`             // CONFIRMED or SUSPECTED
	CuredBy string `json:"curedBy,omitempty"` // ID of the edit of another finding that cures this one
	edit.Finding
	Lost    *float64       `json:"lostNs"` // per operation of the benchmark that loses most there
	Fixes   []Fix          `json:"fixes"`
	Refused []edit.Refusal `json:"refused"`
	// share: see [prescribe.Finding].
	share float64
}

// A Fix is an edit, and what became of it.
type Fix struct {
	edit.Edit
	Word verify.Word `json:"word,omitempty"` // left out where it was not tried
	Why  string      `json:"why,omitempty"`
	// starved, even: see [verify.Proof].
	starved, even bool
	Gains         []FixGain  `json:"gains"`  // on what it is to make faster
	Fresh         bool       `json:"fresh"`  // by samples that had no part in choosing it
	After         []FixAfter `json:"after"`  // with the edit: does concurrency pay?
	Others        []FixAfter `json:"others"` // with the edit, against other variants
	Checks        []string   `json:"checks"` // that it passed: build, vet, tests, race
	// Signs are facts of the edit that may make its gain hollow; of edits that payoff did
	// not propose.
	Signs []edit.Refusal `json:"signs,omitempty"`
	patch string         // see [prescribe.Fix]
	Diff  string         `json:"diff"`
}

// A FixGain is how many times as fast a benchmark is with an edit.
type FixGain struct {
	Name  string   `json:"name"`
	Procs int      `json:"procs"`
	Ratio Interval `json:"ratio"`
	Wall  *float64 `json:"ns"` // with the edit
	Was   *float64 `json:"wasNs"`
}

// A FixAfter compares a benchmark that has an edit with another one, or with
// itself on one processor.
type FixAfter struct {
	Name      string     `json:"name"`
	Procs     int        `json:"procs"`
	Base      string     `json:"base"`
	BaseProcs int        `json:"baseProcs"`
	Changed   bool       `json:"changed"` // the base has the edit as well
	Verdict   judge.Word `json:"verdict"`
	Ratio     Interval   `json:"ratio"`
	Wall      *float64   `json:"ns"`
	BaseWall  *float64   `json:"baseNs"`
}

// fixes tells a treatment.
func (t *treated) fixes(proofs map[string]verify.Proof, taken, dir string) Fixes {
	p := t.Prescription
	x := Fixes{Package: p.Package, Taken: taken, Tried: t.Tries, Findings: []FixFinding{}, Kept: []string{}, Notes: p.Left}
	trials := map[string]*verify.Trial{}
	if r := t.Record; r != nil {
		for i := range r.Candidates {
			trials[r.Candidates[i].ID] = &r.Candidates[i]
		}
		if r.Together != nil {
			trials[r.Together.ID] = r.Together
		}
		x.Seconds, x.End, x.Notes = r.Elapsed.Seconds(), r.End, append(slices.Clip(x.Notes), r.Notes...)
	}
	if t.clash != "" {
		x.Notes = append(slices.Clip(x.Notes), t.clash)
	}
	for _, f := range t.kept(proofs) {
		x.Kept = append(x.Kept, f.ID)
	}
	named := labels(p)
	if note := t.unwritten(proofs, dir); note != "" {
		x.Notes = append(slices.Clip(x.Notes), note)
	}
	for i, f := range p.Findings {
		y := FixFinding{
			Grade: shape.Suspected, Finding: f.Finding, Lost: finite(f.NS),
			Fixes: []Fix{}, Refused: []edit.Refusal{}, share: f.Share,
		}
		y.Place = f.Near(dir)
		if cure := t.cure(i, proofs); cure != nil {
			y.Grade = shape.Confirmed
			if cure.Finding != i {
				y.CuredBy = cure.ID
			}
		}
		for _, r := range f.Refused {
			r.Place = r.Near(dir)
			y.Refused = append(y.Refused, r)
		}
		for _, fix := range p.Fixes {
			if fix.Finding == i && (t.Record == nil || t.Record.Together == nil || t.Record.Together.ID != fix.ID) {
				z := fixOf(p, named, fix, proofs[fix.ID], trials[fix.ID])
				for _, s := range fix.Signs {
					z.Signs = append(z.Signs, edit.Refusal{Name: string(s.Kind), Why: s.Says, Place: s.Near(dir)})
				}
				if why := proofs[fix.ID].Later; why != "" && f.Check == prescribe.Given {
					z.Signs = append(z.Signs, edit.Refusal{Name: string(hollow.Keeps), Why: why})
				}
				y.Fixes = append(y.Fixes, z)
			}
		}
		// What was kept comes first, then what came closest.
		slices.SortStableFunc(y.Fixes, func(a, b Fix) int {
			return cmp.Or(cmp.Compare(order(a.Word), order(b.Word)), cmp.Compare(best(b), best(a)))
		})
		x.Findings = append(x.Findings, y)
	}
	slices.SortStableFunc(x.Findings, func(a, b FixFinding) int { return cmp.Compare(a.Grade, b.Grade) }) // CONFIRMED first
	if t.Record != nil && t.Record.Together != nil {
		if f := p.Find(t.Record.Together.ID); f != nil {
			fix := fixOf(p, named, *f, proofs[f.ID], trials[f.ID])
			x.Together = &fix
		}
	}
	return x
}

// cure is an edit that pays and cures the ith finding, nil if none does: one of its
// own, one that is made of one of its own, or one that rewrites its line.
func (t *treated) cure(i int, proofs map[string]verify.Proof) (cure *prescribe.Fix) {
	p := t.Prescription
	own := func(id string) bool {
		part := p.Find(id)
		return part != nil && part.Finding == i
	}
	at := p.Findings[i].Place
	rewrites := func(c patch.Change) bool { return c.File == at.File && c.Rewrites(at.Line) }
	for j := range p.Fixes {
		switch f := &p.Fixes[j]; {
		case proofs[f.ID].Word != verify.Kept:
		case f.Finding == i:
			return f
		case cure == nil && (slices.ContainsFunc(f.Parts, own) || slices.ContainsFunc(f.Changes, rewrites)):
			cure = f
		}
	}
	return cure
}

// Cure is the edit that cures a finding of x, and the finding that it is for; nil
// if there is none.
func (x *Fixes) Cure(f *FixFinding) (*Fix, *FixFinding) {
	for i := range f.Fixes {
		if f.Fixes[i].Word == verify.Kept {
			return &f.Fixes[i], f
		}
	}
	for i := range x.Findings {
		y := &x.Findings[i]
		for k := range y.Fixes {
			if f.CuredBy != "" && y.Fixes[k].ID == f.CuredBy {
				return &y.Fixes[k], y
			}
		}
	}
	return nil, nil
}

// Price is what the edit makes dearer that cures f, or that is the first that may yet;
// "" if that is nothing.
func (x *Fixes) Price(f FixFinding) string {
	fix, at := x.Cure(&f)
	switch {
	case fix != nil && at == &f:
		return fix.Dearer
	case fix != nil:
		return "" // said where it is
	}
	open := func(y Fix) bool { return slices.Contains([]verify.Word{"", verify.NotTried, verify.CannotSay}, y.Word) }
	if i := slices.IndexFunc(f.Fixes, open); i >= 0 {
		return f.Fixes[i].Dearer
	}
	return ""
}

func order(w verify.Word) int {
	return slices.Index([]verify.Word{verify.Kept, verify.Trade, verify.Beaten, verify.NoGain, verify.Slower, verify.CannotSay, verify.Same, verify.Fails, verify.NotTried, ""}, w)
}

// best is the largest ratio that an edit reached.
func best(f Fix) (ratio float64) {
	for _, g := range f.Gains {
		if r := Number(g.Ratio.Value); r > ratio {
			ratio = r
		}
	}
	return ratio
}

// Label names the edit among others of its place.
func (f *Fix) Label() string {
	s := f.Name
	if f.Value != 0 {
		s += fmt.Sprintf(" %d", f.Value)
	}
	if n := len(f.Parts); n > 1 {
		s += fmt.Sprintf(" at %d places", n)
	}
	return s
}

// labels puts the names that texts have for edits in the place of their IDs.
func labels(p *prescribe.Prescription) *strings.Replacer {
	all := slices.Clone(p.Fixes)
	// Long ones first: one may begin another.
	slices.SortStableFunc(all, func(a, b prescribe.Fix) int {
		return cmp.Or(cmp.Compare(len(b.ID), len(a.ID)), cmp.Compare(a.ID, b.ID))
	})
	var pairs []string
	for _, x := range all {
		if x.ID != "" {
			named := Fix{Edit: x.Edit}
			pairs = append(pairs, x.ID, named.Label())
		}
	}
	return strings.NewReplacer(pairs...) // in one pass: names may have IDs in them
}

func fixOf(pre *prescribe.Prescription, named *strings.Replacer, f prescribe.Fix, p verify.Proof, t *verify.Trial) Fix {
	x := Fix{
		Edit: f.Edit, Word: p.Word, Why: named.Replace(p.Why), starved: p.Starved, even: p.Even, patch: f.Patch, Gains: []FixGain{}, Fresh: p.Fresh, After: afters(p.After), Others: afters(p.Others), Checks: []string{},
		Diff: patch.Diff(pre.Root, f.Changes), // and not what a record says: it is shown before it is written
	}
	for _, g := range p.Gains {
		x.Gains = append(x.Gains, FixGain{g.Bench, g.Procs, estimate(g.Estimate), finite(g.Wall), finite(g.BaseWall)})
	}
	if t != nil {
		for _, c := range t.Checks {
			if c.OK {
				x.Checks = append(x.Checks, c.Name)
			}
		}
	}
	return x
}

func afters(all []verify.Answer) []FixAfter {
	out := []FixAfter{}
	for _, a := range all {
		out = append(out, FixAfter{a.Bench, a.Procs, a.Base.Bench, a.Base.Procs, a.Changed, a.Word, estimate(a.Estimate), finite(a.Wall), finite(a.BaseWall)})
	}
	return out
}

// kept are the fixes to be written: those that were confirmed as one change, or
// else the one that gains most with the most processors, since what nobody measured
// together is not written together.
func (t *treated) kept(proofs map[string]verify.Proof) []*prescribe.Fix {
	if t.Record == nil || t.Prescription == nil || t.clash != "" {
		return nil
	}
	if x := t.Record.Together; x != nil && proofs[x.ID].Word == verify.Kept {
		if f := t.Prescription.Find(x.ID); f != nil { // the record may be damaged
			return []*prescribe.Fix{f}
		}
	}
	var most *prescribe.Fix
	gain := func(f *prescribe.Fix) (most float64) {
		procs := 0
		for _, g := range proofs[f.ID].Gains {
			if g.Procs > procs || g.Procs == procs && g.Ratio > most {
				procs, most = g.Procs, g.Ratio
			}
		}
		return most
	}
	for i := range t.Prescription.Fixes {
		f := &t.Prescription.Fixes[i]
		if proofs[f.ID].Word == verify.Kept && (most == nil || gain(f) > gain(most)) {
			most = f
		}
	}
	if most == nil {
		return nil
	}
	return []*prescribe.Fix{most}
}

// unwritten says which edits that pay are not written, since they were not confirmed
// as one change with the one that is; "" where all are.
func (t *treated) unwritten(proofs map[string]verify.Proof, dir string) string {
	kept := t.kept(proofs)
	if len(kept) == 0 {
		return ""
	}
	named := func(f *prescribe.Fix) string {
		x := Fix{Edit: f.Edit}
		return x.Label() + " at " + f.Near(dir).Spot().String()
	}
	written := func(ids []string) bool {
		return slices.ContainsFunc(ids, func(id string) bool { return slices.Contains(kept[0].Parts, id) })
	}
	var left []string
	for i := range t.Prescription.Fixes {
		f := &t.Prescription.Fixes[i]
		if proofs[f.ID].Word == verify.Kept && f.ID != kept[0].ID && !written(append(slices.Clip(f.Parts), f.ID)) {
			left = append(left, named(f))
		}
	}
	if len(left) == 0 {
		return ""
	}
	return fmt.Sprintf("of the edits that pay -apply writes one, %s: what was not confirmed as one change with it is left, %s, and payoff fix tries it again on what is written", named(kept[0]), strings.Join(left, ", "))
}

// An owner is the package whose edit changes a file, and what the file is then.
type owner struct{ pkg, after string }

// settle compares what is kept with what packages before keep: where they make
// different things of one file, nothing of this one is written, since nobody
// measured both. To merge them would be to trust them.
func (t *treated) settle(proofs map[string]verify.Proof, owners map[string]owner) {
	t.clash = ""
	kept := t.kept(proofs)
	for _, f := range kept {
		for _, c := range f.Changes {
			if o, ok := owners[c.File]; ok && o.after != c.After {
				t.clash = fmt.Sprintf("what pays in %s is not written: it changes %s, which the edit for %s changes as well, and they were not measured together: apply that one first, and then try again: %s",
					t.Prescription.Package, filepath.Base(c.File), o.pkg, plain.Shell("payoff", "fix", t.Prescription.Package))
				return
			}
		}
	}
	for _, f := range kept {
		for _, c := range f.Changes {
			owners[c.File] = owner{t.Prescription.Package, c.After}
		}
	}
}

// Changes are what was confirmed, as changes of files: each once.
func (d *Doc) Changes() (all []patch.Change) {
	for _, t := range d.treatments {
		if t == nil || t.Record == nil {
			continue
		}
		for _, f := range t.kept(t.Proofs()) {
			for _, c := range f.Changes {
				if !slices.Contains(all, c) {
					all = append(all, c)
				}
			}
		}
	}
	return all
}

// Folders are the import paths of the folders in which files change.
func (d *Doc) Folders() map[string]string {
	paths := map[string]string{}
	for _, t := range d.treatments {
		if t == nil || t.Prescription == nil {
			continue
		}
		for _, f := range t.Prescription.Fixes {
			for _, p := range f.Packages {
				paths[p.Dir] = p.Path
			}
		}
	}
	return paths
}

// Root is the folder that diffs name files from.
func (d *Doc) Root() string {
	for _, t := range d.treatments {
		if t != nil && t.Prescription != nil {
			return t.Prescription.Root
		}
	}
	return ""
}
