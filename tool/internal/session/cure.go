package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/prescribe"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/store"
	"github.com/gopayoff/payoff/tool/internal/unpack"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

// A Cure says with what edits losses are to be cured.
type Cure struct {
	Checks []*analysis.Analyzer
	Only   []string // slugs of checks or causes; default: all
	// Bench is the benchmark to cure: all whose names have its elements, as
	// BenchmarkSum/variant=channel names variants at all sizes. The others of its
	// families are measured beside it. Several have a space between them. Default: whatever loses.
	Bench string
	// Budget is the time for each package, once it is built, with that of the
	// plan; 0: edits are looked for and none is tried.
	Budget  time.Duration
	Library bool // edits may import payoff's library
	Fresh   bool // measure what is recorded already
	// Edits are to be judged in place of what the checks propose. Strict says that signs
	// of a hollow gain are a gate. Tree is the user's, where the code that Edits change
	// lies elsewhere: records go there.
	Edits  []*Edit
	Strict bool
	Tree   string
	Asked  []string // the flags that name Edits, for the command that asks again
}

// wants reports whether a benchmark is to be cured.
func (c *Cure) wants(bench string) bool {
	if c == nil || c.Bench == "" {
		return true
	}
	has := strings.Split(bench, "/")
	for name := range strings.FieldsSeq(c.Bench) {
		if !slices.ContainsFunc(strings.Split(name, "/"), func(e string) bool { return !slices.Contains(has, e) }) {
			return true
		}
	}
	return false
}

// Names of the parts of a record.
const (
	heatPart = "heat.json"
	curePart = "fix.json"
	// PatchFile is the patch of what pays, in the folder of a run, and TunedFile that
	// of what payoff tune recommends.
	PatchFile = "fix.patch"
	TunedFile = "tune.patch"
)

// recall takes the samples and evidence of the package from a run of the same
// code that was asked for the same, if there is one.
func (p *pack) recall(context.Context) error {
	if p.plan.Cure.Fresh {
		return nil
	}
	from := p.recorded()
	if from == "" {
		return nil
	}
	rec, s, err := p.session.rec.Adopt(from, p.run, p.target.Package)
	if err != nil {
		return p.recording(err)
	}
	if s.Taken == "" {
		s.Taken = relative(p.plan.Dir, from)
	}
	p.rec, p.series, p.recalled = rec, s, true
	p.tell(Notice(fmt.Sprintf("%s: the code is what it was in %s: its figures are used; -fresh measures again", p.target.Package, s.Taken)))
	return nil
}

// recorded is the newest run that measured the binary of the package on this
// machine as this plan asks for, or "".
func (p *pack) recorded() string {
	want := p.plan.repeat()
	dirs, _ := Recorded(p.tc) // what cannot be read is measured anew
	for _, dir := range dirs {
		run, err := store.About(dir)
		if err != nil || run.Asked == nil || run.Env.CPU != p.run.Env.CPU || run.Env.UsableCPUs != p.run.Env.UsableCPUs {
			continue
		}
		a := *run.Asked
		if (a.Cure == "" || a.Cure == want.Cure) && a.Bench == want.Bench && a.Base == want.Base && a.Vs == want.Vs && slices.Equal(a.Procs, want.Procs) && a.Tags == want.Tags && slices.Equal(a.Args, want.Args) && a.Plain == want.Plain &&
			store.Measured(dir, p.target.Package, p.sum) {
			return dir
		}
	}
	return ""
}

// cure looks for edits against what loses, and tries them.
func (p *pack) cure(ctx context.Context) error {
	s, c := p.series, p.plan.Cure
	findings := slices.DeleteFunc(slices.Clone(p.explained), func(f explain.Finding) bool { return !c.wants(f.Verdict.New.Bench) })
	m := prescribe.Heat(relative(p.plan.Dir, p.session.rec.Path), findings)
	prescribe.Times(m, s)
	if err := p.rec.Part(heatPart, m); err != nil {
		return p.recording(err)
	}
	loses := func(v judge.Verdict) bool { return v.Word == judge.Loses }
	if c.Budget == 0 && !slices.ContainsFunc(p.result.Verdicts, loses) {
		return nil // nobody asks for an edit
	}
	p.step("%s: looking for edits", p.target.Package)
	o := prescribe.Options{
		Toolchain: p.tc, Package: p.target.Package, Dir: p.target.Dir, Findings: findings, Heat: m,
		Checks: c.Checks, Only: c.Only, Procs: s.Procs,
	}
	for _, l := range s.Listed {
		o.Benches = append(o.Benches, l.Name)
	}
	if c.Library {
		o.Library = library
	}
	t := &verify.Treatment{Tries: c.Budget > 0}
	p.session.treated[p.target.Package] = t
	var err error
	if len(c.Edits) > 0 {
		t.Prescription = p.given()
	} else {
		t.Prescription, err = prescribe.Prescribe(ctx, o)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil { // of the source: the figures stand
		t.Prescription.Left = append(t.Prescription.Left, err.Error())
	}
	if c.Budget > 0 && len(t.Prescription.Fixes) > 0 {
		if err := p.try(ctx, t); err != nil {
			return err
		}
	}
	if err := p.rec.Part(curePart, t); err != nil {
		return p.recording(err)
	}
	return nil
}

// try tries what was prescribed.
func (p *pack) try(ctx context.Context, t *verify.Treatment) error {
	dir, err := os.MkdirTemp(p.dir, "vet-")
	if err != nil {
		return err
	}
	lab := verify.Lab{Host: p.host, Target: p.target, Vet: verify.GoVet(p.tc, dir)}
	if len(p.plan.Cure.Edits) > 0 {
		lab.Results, lab.Elsewhere = p.results, p.elsewhere
	} else {
		lab.Results = p.holds(t.Prescription)
	}
	notes, err := p.spare(ctx, t.Prescription)
	if err != nil {
		if e := p.rec.Part(curePart, t); e != nil {
			return errors.Join(err, p.recording(e))
		}
		return err
	}
	rec, err := verify.Run(ctx, lab, p.trial(t.Prescription))
	rec.Notes = append(rec.Notes, notes...)
	rec.Candidates = append(rec.Candidates, p.decided(t.Prescription)...)
	if p.plan.Cure.Strict && len(p.plan.Cure.Edits) > 0 {
		rec.Hollow()
	}
	t.Record = rec
	if e := p.rec.Part(curePart, t); e != nil { // also of what was interrupted
		return errors.Join(err, p.recording(e))
	}
	return err
}

// trial is how what was prescribed is to be tried.
func (p *pack) trial(pre *prescribe.Prescription) verify.Options {
	o := verify.Options{
		Series: p.series, Rule: p.run.Rule, Bounds: p.run.Bounds, Budget: p.rest(), Share: trials, Seed: p.run.Seed, Layouts: p.plan.Layouts, Sample: p.plan.Sample,
		Both:     len(p.plan.Cure.Edits) > 0,
		Timeout:  p.plan.Timeout, // of a benchmark: tests have their part of the budget
		Controls: controls(p.series, pre.Fixes),
		Progress: func(x verify.Progress) {
			s := fmt.Sprintf("%s: %s", p.target.Package, x.Step)
			if x.All > 1 {
				s += fmt.Sprintf(" (%d of %d)", min(x.Done+1, x.All), x.All)
			}
			p.step("%s, at most %v left", s, x.Left.Round(time.Second))
		},
		Kept: func(x verify.Proof) {
			if f := pre.Find(x.Candidate); f != nil {
				p.tell(Notice(confirmed(f.Near(p.plan.Dir), f.Says, x)))
			}
		},
		Together: func(ids []string) (verify.Candidate, error) {
			f, err := pre.Together(ids...)
			if err != nil {
				return verify.Candidate{}, err
			}
			pre.Fixes = append(pre.Fixes, f)
			return p.candidate(pre, f), nil
		},
	}
	for _, f := range pre.Fixes {
		if _, out := p.out[f.ID]; out {
			continue
		}
		o.Candidates = append(o.Candidates, p.candidate(pre, f))
	}
	return o
}

// confirmed tells of an edit as soon as it is sure.
func confirmed(at source.Place, says string, x verify.Proof) string {
	s := fmt.Sprintf("confirmed: %s: %s", at.Spot(), says)
	for _, g := range x.Gains {
		s += fmt.Sprintf("; %s at %d is %sx as fast [%s, %s]", strings.TrimPrefix(g.Bench, "Benchmark"), g.Procs, figure.Ratio(g.Ratio), figure.Ratio(g.Low), figure.Ratio(g.High))
	}
	return s
}

// trials is the part of the budget that they have at least, however long measuring
// took.
const trials = 2. / 3

// rest is what is left of the budget for trials.
func (p *pack) rest() time.Duration {
	all := p.plan.Cure.Budget
	return max(all-time.Since(p.began), time.Duration(trials*float64(all)))
}

// candidate is a fix as package verify has it.
func (p *pack) candidate(pre *prescribe.Prescription, f prescribe.Fix) verify.Candidate {
	c := verify.Candidate{
		Edit: f.Edit, Func: f.Func, Diff: f.Diff, Cells: f.Cells, Change: f.Overlay(), Claim: claim(pre, f), Rank: rank(f),
	}
	if len(f.Parts) == 0 {
		c.Site = fmt.Sprint(f.Finding)
	}
	if f.Value != 0 {
		c.Sweep = f.Func + " " + f.Name
		if len(f.Parts) == 0 {
			c.Sweep = fmt.Sprintf("%d %s", f.Finding, f.Name)
		}
	}
	for _, q := range f.Packages {
		if q.Path != p.target.Package {
			c.Tests = append(c.Tests, q)
		}
	}
	return c
}

// claim is what a fix competes for: one edit, or one set of edits, for a function.
func claim(pre *prescribe.Prescription, f prescribe.Fix) string {
	if f.Func != "" {
		return f.Func
	}
	return pre.Findings[f.Finding].String()
}

// rank puts what needs the library after what does not, edits of more places after
// those of fewer, and of those what adds more lines after what adds fewer.
func rank(f prescribe.Fix) (n int) {
	if f.Needs != "" {
		n += 2
	}
	n += 2 * max(0, len(f.Parts)-1)
	if f.Check == prescribe.FalseShare {
		n += strings.Count(f.Diff, "]byte") // each room takes memory
	}
	return n + min(strings.Count(f.Diff, "\n+")/5, 3)
}

// controls are the benchmarks that show what a change does that touches nothing of them.
func controls(s *measure.Series, fixes []prescribe.Fix) []string {
	names, seen := untouched(s, fixes)
	if !seen {
		return nil
	}
	return slices.DeleteFunc(names, func(name string) bool { // where no profile tells, all may be both
		return slices.ContainsFunc(fixes, func(f prescribe.Fix) bool {
			return slices.ContainsFunc(f.Cells, func(c measure.Cell) bool { return c.Bench == name })
		})
	})
}

// fewSamples are too few to tell that a benchmark does nothing somewhere.
const fewSamples = 20

// untouched are the benchmarks that none of the fixes touches, as far as their
// profiles tell. Those that wait have too few samples for that. It reports whether each
// fix is seen in a profile: else it changes what takes no time, like a constructor, and
// so what is done elsewhere.
func untouched(s *measure.Series, fixes []prescribe.Fix) (names []string, seen bool) {
	by := map[string]bool{}
	for _, l := range s.Listed {
		known, touched := false, false
		for _, procs := range s.Procs {
			set := s.Evidence[measure.Cell{Bench: l.Name, Procs: procs}]
			if set == nil || set.CPU == nil {
				continue
			}
			known = known || set.CPU.Samples >= fewSamples
			for _, f := range fixes {
				if slices.ContainsFunc(set.CPU.Lines, func(l cpuprof.Line) bool { return touches(f, l.Place) }) {
					touched, by[f.ID] = true, true
				}
			}
		}
		if known && !touched {
			names = append(names, l.Name)
		}
	}
	return names, !slices.ContainsFunc(fixes, func(f prescribe.Fix) bool { return !by[f.ID] })
}

// touches reports whether a fix may change what is done at a place: in its
// function, or anywhere in the files if it changes more than that.
func touches(f prescribe.Fix, at source.Place) bool {
	if f.Within {
		return at.Func == f.Func || strings.HasPrefix(at.Func, f.Func+".") // a literal in it
	}
	return slices.ContainsFunc(f.Changes, func(c patch.Change) bool { return c.File == at.File })
}

// library is the folder of payoff's library.
func library() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return unpack.Library(filepath.Join(cache, "payoff"))
}

// barred says of each module that cannot have edits that import the library why that
// is so, before anybody waits for them.
func (s *session) barred() {
	if s.plan.Cure == nil || !s.plan.Cure.Library {
		return
	}
	said := map[string]bool{}
	for _, t := range s.targets {
		if why := prescribe.Barred(t.Dir, library); why != "" && !said[why] {
			said[why] = true
			s.tell(Notice(fmt.Sprintf("-lib: %s: of edits, those that use the standard library are tried there", why)))
		}
	}
}

// treatments are those of the series, nil where there is none.
func (s *session) treatments() (all []*verify.Treatment) {
	for _, x := range s.series {
		all = append(all, s.treated[x.Package])
	}
	return all
}

// keepPatch writes what was confirmed as a patch into the folder of the run.
func (s *session) keepPatch(doc *report.Doc) error {
	changes := doc.Changes()
	if s.rec == nil || len(changes) == 0 {
		return nil
	}
	return patch.Replace(filepath.Join(s.rec.Path, PatchFile), patch.Diff(doc.Root(), changes))
}
