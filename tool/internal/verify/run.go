package verify

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A run is the trying of all candidates of one package.
type run struct {
	lab   Lab
	o     Options
	rec   *Record
	rng   *rand.Rand
	now   func() time.Time
	began time.Time
	start time.Time // of the budget
	end   time.Time // of the budget, or of a claim's part of it
	part  part      // of the budget, that is being spent

	arms    *measure.Arms[side] // by ID; "" is the untouched code
	guess   map[string]float64
	fresh   int           // the first layout that nothing was measured in
	rounds  int32         // so far
	hurried time.Duration // what it took to order the claims, if there was no time for all

	untouched baseline
	raced     bool // something was built with the race detector
	together  bool // something may be tried together
}

// errStop ends a run in which nothing can be tried; Record.Problem says why.
var errStop = errors.New("nothing can be tried")

// Run tries candidates and returns all that it found out, also where ctx ends:
// what is in the record then is complete as far as it goes, and nothing counts as
// proven that was not measured to its end. The error is one of the host, which is
// of no use any more.
func Run(ctx context.Context, lab Lab, o Options) (*Record, error) {
	r := newRun(lab, o)
	return r.carryOut(ctx, r.baseline, r.contests, r.combine)
}

// Checks makes the checks of candidates without measuring any: they build, go vet
// has nothing new to say of them and the tests pass, also with the race detector.
// The Record says which fail, and why.
func Checks(ctx context.Context, lab Lab, o Options) (*Record, error) {
	r := newRun(lab, o)
	return r.carryOut(ctx, r.baseline, func(ctx context.Context) error {
		for i := range r.rec.Candidates {
			t := &r.rec.Candidates[i]
			ok, err := r.build(ctx, t)
			if err == nil && ok {
				_, err = r.sound(ctx, t)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// carryOut takes the steps, as far as they come.
func (r *run) carryOut(ctx context.Context, steps ...func(context.Context) error) (*Record, error) {
	defer r.forget()
	err := r.all(ctx, steps)
	r.rec.Elapsed = r.now().Sub(r.began)
	switch {
	case ctx.Err() != nil:
		r.rec.End = measure.Interrupted
		return r.rec, nil
	case errors.Is(err, errStop):
		r.rec.End = measure.Failed
		return r.rec, nil
	case err != nil:
		r.rec.End = measure.Failed
		return r.rec, err
	}
	r.rec.End = measure.Decided
	if slices.ContainsFunc(r.rec.Candidates, func(t Trial) bool { return t.Stage == Untried }) {
		r.rec.End = measure.Budget
	}
	return r.rec, nil
}

func newRun(lab Lab, o Options) *run {
	if o.Budget <= 0 {
		o.Budget = 2 * time.Minute
	}
	if o.Share <= 0 {
		o.Share = 1
	}
	if o.Sample <= 0 {
		o.Sample = sample
	}
	if o.Layouts <= 0 {
		o.Layouts = mostPairs
	}
	if o.Bounds == (stats.Bounds{}) {
		o.Bounds = stats.DefaultBounds
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	r := &run{lab: lab, o: o, now: lab.Now,
		rng:   rand.New(rand.NewPCG(o.Seed, 0x766572696679)),
		fresh: fewLayouts, guess: map[string]float64{},
		rec: &Record{Package: lab.Target.Package, Procs: o.Series.Procs, Families: o.Series.Families, Given: o.Series.Given, Usable: o.Series.Usable,
			Rule: o.Rule, Bounds: o.Bounds, Budget: o.Budget, Seed: o.Seed, Controls: o.Controls, Others: others(o.Series, o.Candidates), Candidates: []Trial{}, Samples: []Sample{}},
	}
	if r.now == nil {
		r.now = time.Now
	}
	r.arms = r.compete()
	r.began = r.now()
	r.start = r.began
	r.end = r.start.Add(o.Budget)
	for _, l := range o.Series.Listed {
		r.guess[l.Name] = l.PerOp
	}
	for _, c := range o.Candidates {
		r.enter(c)
	}
	for i := range r.rec.Candidates { // those of one claim are compared on the same cells
		t := &r.rec.Candidates[i]
		for _, other := range o.Candidates {
			if other.Claim == t.Claim {
				for _, c := range other.Cells {
					if !slices.Contains(t.Cells, c) {
						t.Cells = append(slices.Clip(t.Cells), c)
					}
				}
			}
		}
	}
	r.together = o.Together != nil && len(r.claims()) > 1
	return r
}

// enter makes a trial of a candidate.
func (r *run) enter(c Candidate) *Trial {
	if c.Sweep == "" {
		c.Sweep = "only " + c.ID
	}
	r.rec.Candidates = append(r.rec.Candidates, Trial{Candidate: c})
	return &r.rec.Candidates[len(r.rec.Candidates)-1]
}

func (r *run) all(ctx context.Context, steps []func(context.Context) error) error {
	if len(r.rec.Candidates) == 0 {
		return nil
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// contests decides each claim in turn, first what seems to gain most: where the
// budget is short, what comes last is not tried, instead of all by halves.
func (r *run) contests(ctx context.Context) error {
	r.arms.Length = r.samples()
	claims, err := r.glance(ctx)
	if err != nil {
		return err
	}
	told := map[string]bool{}
	for i, claim := range claims {
		left := r.o.Budget - r.now().Sub(r.start)
		if len(told) > 0 && r.together {
			left -= time.Duration(saveShare * float64(left))
		}
		if i+1 < len(claims) {
			left = time.Duration(claimShare * float64(left))
		}
		r.begin(left)
		for _, step := range []func(context.Context, string) error{r.check, r.choose, r.prove} {
			if err := step(ctx, claim); err != nil {
				return err
			}
		}
		for _, t := range r.rec.Candidates { // what is left of it is not measured again
			if a := r.arms.All[t.ID]; t.Claim == claim && a != nil {
				a.Forget(0)
				delete(r.arms.All, t.ID)
			}
		}
		r.tell(told, i+1 == len(claims))
	}
	r.begin(r.o.Budget - r.now().Sub(r.start))
	return nil
}

// begin gives what comes next a part of the budget.
func (r *run) begin(d time.Duration) {
	spent := r.now().Sub(r.start)
	r.part = part{spent: spent, checked: spent, chosen: spent, share: float64(d) / float64(max(1, r.o.Budget-spent))}
	r.end = r.now().Add(d)
}

// A part is that of the budget which a claim gets, or what is kept as one change.
type part struct {
	spent           time.Duration // of the budget, before
	checked, chosen time.Duration // likewise, when its candidates were checked, and one was chosen
	share           float64       // of what was left before
}

// tell hands on what is kept, once: before all claims are decided only what the
// correction for all that may still be proven will leave.
func (r *run) tell(told map[string]bool, last bool) {
	if r.o.Kept == nil && !r.together {
		return
	}
	for _, p := range Judge(r.rec) {
		sure := last || slices.ContainsFunc(p.Gains, func(g Gain) bool {
			return g.P*r.rec.trial(p.Candidate).counts()*float64(r.many()) <= r.o.Rule.Error() && g.AdjustedP <= r.o.Rule.Error()
		})
		if p.Word == Kept && sure && !told[p.Candidate] {
			told[p.Candidate] = true
			if r.o.Kept != nil {
				r.o.Kept(p)
			}
		}
	}
}

// many is how many proofs there may be in all: a cell of a claim is one, and one
// more together with the others.
func (r *run) many() (n int) {
	for _, claim := range r.claims() {
		cells := 0
		for _, t := range r.rec.Candidates {
			if t.Claim == claim && (t.Stage == "" || t.Stage == Halved || t.Pairs > 0) {
				cells = max(cells, len(t.Cells))
			}
		}
		n += cells
	}
	if r.together {
		n *= 2
	}
	return n
}

// left is what is left of the budget of the claim.
func (r *run) left() time.Duration { return r.end.Sub(r.now()) }

// free takes what was done since then out of the budget: compiling the standard
// library says nothing of the package.
func (r *run) free(since time.Time) {
	d := r.now().Sub(since)
	r.start, r.end = r.start.Add(d), r.end.Add(d)
}

func (r *run) note(format string, args ...any) {
	if s := fmt.Sprintf(format, args...); !slices.Contains(r.rec.Notes, s) {
		r.rec.Notes = append(r.rec.Notes, s)
	}
}

// stop ends the run with a problem of the package.
func (r *run) stop(reason, next string) error {
	r.rec.Problem = &problem.Problem{Package: r.lab.Target.Package, Reason: reason, Next: next}
	return errStop
}

// out takes a candidate out, and with it what was built of it.
func (r *run) out(id string, stage Stage, format string, args ...any) {
	t := r.rec.trial(id)
	t.Stage, t.Out = stage, fmt.Sprintf(format, args...)
	a := r.arms.All[id]
	switch {
	case a == nil:
	case stage == Halved: // the next best may be asked for yet
		a.Unlink(func(int) bool { return true })
	default:
		a.Forget(0)
		delete(r.arms.All, id)
	}
}

func (r *run) step(what string, done, all int) {
	alive := 0
	for _, t := range r.rec.Candidates {
		if t.Stage == "" {
			alive++
		}
	}
	r.o.Progress(Progress{Step: what, Done: done, All: all, Alive: alive, Left: max(0, r.left())})
}

// claims are those of the candidates, in their order.
func (r *run) claims() (all []string) {
	for _, t := range r.rec.Candidates {
		if !slices.Contains(all, t.Claim) {
			all = append(all, t.Claim)
		}
	}
	return all
}

// alive are the candidates of a claim that are in.
func (r *run) alive(claim string) (all []*Trial) {
	for i := range r.rec.Candidates {
		if t := &r.rec.Candidates[i]; t.Claim == claim && t.Stage == "" {
			all = append(all, t)
		}
	}
	return all
}

// build makes the binary of a candidate, of the untouched code for nil, if there
// is none. It reports false where it does not compile.
func (r *run) build(ctx context.Context, t *Trial) (bool, error) {
	id := ""
	o := measure.BuildOptions{}
	if t != nil {
		id, o.Change = t.ID, t.Change
	}
	if r.arms.All[id] != nil {
		return true, nil
	}
	began := r.now()
	s, err := measure.Build(ctx, r.lab.Host, r.lab.Target, o)
	var broken *measure.Broken
	switch {
	case ctx.Err() != nil:
		return false, context.Cause(ctx)
	case errors.As(err, &broken) && t == nil:
		return false, r.stop(broken.Problem.Reason, broken.Problem.Next)
	case errors.As(err, &broken):
		why := named(broken.Problem.Reason, t.Change)
		t.Checks = append(t.Checks, Check{Name: string(Unbuilt), Says: why, Took: r.now().Sub(began)})
		r.out(id, Unbuilt, "%s", why)
		return false, nil
	case err != nil:
		return false, err
	}
	if t != nil {
		t.Checks = append(t.Checks, Check{Name: string(Unbuilt), OK: true, Took: r.now().Sub(began)})
	}
	s.Timeout = r.o.Timeout
	r.arms.Enter(id, "", s)
	return true, nil
}

// forget takes away all binaries.
func (r *run) forget() {
	for _, a := range r.arms.All {
		a.Forget(0)
	}
}
