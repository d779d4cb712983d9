package verify

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/plain"
)

const (
	testShare = 3  // the tests of the untouched code may take that part of the budget
	again     = 3  // runs of a test that failed, with the change and without it
	slower    = 3  // times: how much longer tests may take with a change
	raceSlow  = 20 // times, with the race detector
	patience  = 5 * time.Second
	tooShort  = 16 // a claim with less than that part of the budget is not begun
	cheap     = 16 // what takes less than that part of what is left is
)

// A baseline is what the untouched code does.
type baseline struct {
	packages []Package
	vet      map[string]int // complaints, without their lines
	took     map[string]time.Duration
	untested bool
}

// GoVet returns the Vet of a [Lab]: go vet by a toolchain, which writes to a
// folder that must exist.
func GoVet(tc *gocmd.Toolchain, dir string) func(context.Context, overlay.Overlay, []string) ([]string, error) {
	return func(ctx context.Context, change overlay.Overlay, packages []string) ([]string, error) {
		index := ""
		if len(change) > 0 {
			var err error
			if index, err = change.Write(dir); err != nil {
				return nil, err
			}
		}
		return tc.Vet(ctx, packages, index)
	}
}

// baseline runs the checks on the untouched code: a candidate can only be held to
// what that does.
func (r *run) baseline(ctx context.Context) error {
	r.step("building", 0, 1)
	began := r.now()
	if ok, err := r.build(ctx, nil); err != nil || !ok {
		return err
	}
	r.free(began)
	r.untouched = baseline{vet: map[string]int{}, took: map[string]time.Duration{}, untested: true,
		packages: []Package{{Path: r.lab.Target.Package, Dir: r.lab.Target.Dir}}}
	for _, t := range r.rec.Candidates {
		for _, p := range t.Tests {
			if !slices.Contains(r.untouched.packages, p) {
				r.untouched.packages = append(r.untouched.packages, p)
			}
		}
	}
	for i, p := range r.untouched.packages {
		r.step("testing the code as it is", i, len(r.untouched.packages))
		limit := max(r.left()/testShare, patience)
		x, err := r.test(ctx, source(p, nil), r.most(), limit, nil)
		if err != nil {
			return err
		}
		r.untouched.took[p.Path] = x.took
		if x.late {
			return r.stop(fmt.Sprintf("the tests of %s did not end within %v: trying an edit runs them at least twice", p.Path, limit.Round(time.Second)),
				"raise -budget: they may take a third of it")
		}
		if !x.ok() {
			y, err := r.test(ctx, source(p, nil), r.most(), limit, x.failed)
			if err != nil {
				return err
			}
			if !y.ok() {
				whose := "its tests"
				if i > 0 { // an edit changes that one as well
					whose = "the tests of " + p.Path
				}
				return r.stop(fmt.Sprintf("%s fail before any edit: %s", whose, y), "make "+plain.Shell("go", "test", p.Path)+" pass")
			}
			r.note("%s: %s fails now and then, without any edit", p.Path, strings.Join(x.names(), ", "))
		}
		if x.none && !r.untouched.untested {
			r.note("%s has no tests of its own: those of %s alone hold an edit of it", p.Path, r.lab.Target.Package)
		}
		r.untouched.untested = r.untouched.untested && x.none
	}
	if r.untouched.untested {
		r.note("%s has no tests: whether an edit is right, only its diff tells", r.lab.Target.Package)
	}
	if r.lab.Vet == nil {
		return nil
	}
	said, err := r.lab.Vet(ctx, nil, paths(r.untouched.packages))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		r.note("new complaints of go vet are not known: %v", err)
		r.lab.Vet = nil
	}
	for _, line := range said {
		r.untouched.vet[lineless(line)]++
	}
	return nil
}

// check builds the candidates of a claim and holds them to the baseline. Of a
// sweep it tests one: the value that wins is tested before it is proven.
func (r *run) check(ctx context.Context, claim string) error {
	tested := map[string]bool{}
	half := r.left() / 2 // the rest is for measuring
	alive := r.alive(claim)
	for i, t := range alive {
		r.step("building and testing "+t.ID, i, len(alive))
		if r.left() < half && i > 0 || r.left() < r.o.Budget/tooShort && len(r.rec.Samples) > 0 {
			r.out(t.ID, Untried, "the budget was too short for it: raise -budget")
			continue
		}
		ok, err := r.build(ctx, t)
		if err != nil {
			return err
		}
		if ok && !tested[t.Sweep] {
			if ok, err = r.passes(ctx, t); err != nil {
				return err
			}
			tested[t.Sweep] = ok
		}
	}
	r.part.checked = r.now().Sub(r.start)
	return nil
}

// passes reports whether a candidate passes go vet and the tests.
func (r *run) passes(ctx context.Context, t *Trial) (bool, error) {
	for _, c := range []struct {
		stage Stage
		run   func(context.Context, *Trial) (string, error)
	}{{Vetted, r.vets}, {Fitting, r.fits}, {Tested, r.tests}, {Resulted, r.results}} {
		if c.stage == Resulted && t.Holds != "" {
			continue // it costs much: see sound
		}
		if slices.ContainsFunc(t.Checks, func(x Check) bool { return x.Name == string(c.stage) }) {
			continue
		}
		if ok, err := r.passed(ctx, t, c.stage, c.run); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

// sound reports whether a candidate passes all checks: also those that only one
// that may be kept is worth. One with a condition has to pass them all.
func (r *run) sound(ctx context.Context, t *Trial) (bool, error) {
	ok, err := r.passes(ctx, t)
	if err == nil && ok && t.Holds != "" {
		ok, err = r.passed(ctx, t, Resulted, r.results)
	}
	if err == nil && ok && r.most() > 1 {
		if cheap*r.single(t) < r.left() || t.Holds != "" {
			ok, err = r.passed(ctx, t, Single, r.alone)
		} else {
			r.note("the tests were not run on one processor as well: that may take %v", r.single(t).Round(time.Second))
		}
	}
	if err == nil && ok {
		ok, err = r.passed(ctx, t, Raced, r.races)
	}
	return ok, err
}

// ErrNotMade is what a check returns that cannot be made here, or has nothing to look at: a candidate has
// neither passed nor failed it.
var ErrNotMade = errors.New("not made")

// passed makes one check, which says why a candidate does not pass. Where a candidate has
// a condition, it has to be made.
func (r *run) passed(ctx context.Context, t *Trial, stage Stage, check func(context.Context, *Trial) (string, error)) (bool, error) {
	began := r.now()
	why, err := check(ctx, t)
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	if errors.Is(err, ErrNotMade) {
		if t.Holds == "" || stage != Resulted && stage != Raced {
			return true, nil
		}
		why, err = "nothing could tell whether "+t.Holds, nil
	}
	if err != nil {
		return false, err
	}
	t.Checks = append(t.Checks, Check{Name: string(stage), OK: why == "", Says: why, Took: r.now().Sub(began)})
	if why != "" {
		r.out(t.ID, stage, "%s", why)
	}
	return why == "", nil
}

func (r *run) vets(ctx context.Context, t *Trial) (string, error) {
	if r.lab.Vet == nil {
		return "", ErrNotMade
	}
	said, err := r.lab.Vet(ctx, t.Change, paths(r.packages(t)))
	if err != nil {
		return named(err.Error(), t.Change), nil // it builds: go vet could not look at the change
	}
	known := map[string]int{}
	for _, line := range said {
		line = named(line, t.Change)
		x := lineless(line)
		if known[x]++; known[x] > r.untouched.vet[x] {
			return line, nil
		}
	}
	return "", nil
}

func (r *run) tests(ctx context.Context, t *Trial) (string, error) {
	for _, p := range r.packages(t) {
		s := source(p, t)
		why, err := r.held(ctx, s, r.most(), slower*r.untouched.took[p.Path]+patience)
		if p.Path != r.lab.Target.Package { // else it is measured yet
			r.lab.forget(s)
		}
		if err != nil || why != "" {
			return why, err
		}
	}
	return "", nil
}

// fits type-checks a candidate for other platforms.
func (r *run) fits(ctx context.Context, t *Trial) (string, error) {
	if r.lab.Elsewhere == nil {
		return "", ErrNotMade
	}
	why, notes, err := r.lab.Elsewhere(ctx, t.Candidate)
	for _, n := range notes {
		r.note("%s: %s", t.Name, n)
	}
	return why, err
}

// results compares what the functions come to that a candidate changes.
func (r *run) results(ctx context.Context, t *Trial) (string, error) {
	if r.lab.Results == nil {
		return "", ErrNotMade
	}
	r.step("comparing results with "+t.ID, 0, 1)
	why, notes, err := r.lab.Results(ctx, t.Candidate, r.most(), slower*r.untouched.took[r.lab.Target.Package]+2*patience)
	for _, n := range notes {
		r.note("%s: %s", t.Name, n)
	}
	return why, err
}

// alone runs the tests on one processor. What waits by spinning, or counts on
// another goroutine to run beside it, hangs there and nowhere else. The tests of
// the package run at the most processors first, where more can go wrong; this
// costs as much again, and more where they are concurrent, so it is for what won.
func (r *run) alone(ctx context.Context, t *Trial) (string, error) {
	for _, p := range r.packages(t) {
		s := source(p, t)
		limit := slower*time.Duration(r.most())*r.untouched.took[p.Path] + patience
		why, err := r.held(ctx, s, 1, limit)
		if p.Path != r.lab.Target.Package {
			r.lab.forget(s)
		}
		if err != nil || why != "" {
			return why, err
		}
	}
	return "", nil
}

// single is how long the tests of a candidate may take on one processor.
func (r *run) single(t *Trial) (d time.Duration) {
	for _, p := range r.packages(t) {
		d += time.Duration(r.most()) * r.untouched.took[p.Path]
	}
	return d
}

// most are the processors that tests run at.
func (r *run) most() int { return slices.Max(append([]int{1}, r.rec.Procs...)) }

// races runs the tests with the race detector.
func (r *run) races(ctx context.Context, t *Trial) (string, error) {
	for _, p := range r.packages(t) {
		s := source(p, t)
		s.Race, s.Plain = true, true
		began := r.now()
		var fault *host.Fault
		if _, err := r.lab.Host.Build(ctx, s); errors.As(err, &fault) && fault.NoTests {
			continue
		} else if errors.As(err, &fault) { // without the detector it was built
			r.note("no test ran with the race detector: %s", fault.Reason)
			return "", ErrNotMade
		}
		if !r.raced {
			r.raced = true
			r.free(began)
		}
		why, err := r.held(ctx, s, r.most(), raceSlow*r.untouched.took[p.Path]+patience)
		r.lab.forget(s)
		if err != nil || why != "" {
			return why, err
		}
	}
	return "", nil
}

// held runs the tests of a change and says what fails that the untouched code
// passes: "" if nothing does. A test that fails is run again with the change and
// without it; it counts if it fails more often with the change.
func (r *run) held(ctx context.Context, s host.Source, procs int, limit time.Duration) (string, error) {
	x, err := r.test(ctx, s, procs, limit, nil)
	if err != nil || x.ok() {
		return "", err
	}
	if x.late {
		return x.String(), nil
	}
	untouched := s
	untouched.Change = nil
	if untouched.Race {
		defer r.lab.forget(untouched)
	}
	with, without := 0, 0
	for range again {
		y, err := r.test(ctx, s, procs, limit, x.failed)
		if err != nil {
			return "", err
		}
		z, err := r.test(ctx, untouched, procs, limit, x.failed)
		if err != nil {
			return "", err
		}
		if !y.ok() {
			with++
		}
		if !z.ok() {
			without++
		}
	}
	// What never fails without the edit is its fault even if it failed only once.
	if without == 0 || with == again && without < again {
		return fmt.Sprintf("%s (again in %d of %d more runs, and in %d of %d without the edit)", x, with, again, without, again), nil
	}
	r.note("%s: %s fails without any edit as well", s.Package, strings.Join(x.names(), ", "))
	return "", nil
}

// A result is that of a run of tests.
type result struct {
	failed []string // top-level tests
	exit   int
	late   bool
	none   bool   // there are no tests
	says   string // of the failure, a line
	took   time.Duration
}

func (x result) ok() bool { return x.exit == 0 && !x.late }

// names are the tests that failed; of an unknown one, what is known.
func (x result) names() []string {
	if len(x.failed) == 0 {
		return []string{"a test"}
	}
	return x.failed
}

func (x result) String() string {
	switch {
	case x.late:
		return fmt.Sprintf("the tests did not end within %v", x.took.Round(100*time.Millisecond))
	case len(x.failed) == 0:
		return x.says
	case x.says == "":
		return strings.Join(x.failed, ", ") + " fails"
	}
	return strings.Join(x.failed, ", ") + " fails: " + x.says
}

var testFails = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

// test runs the tests of a package, or some of them. A binary that cannot be
// built fails.
func (r *run) test(ctx context.Context, s host.Source, procs int, limit time.Duration, only []string) (x result, err error) {
	began := r.now()
	b, err := r.lab.Host.Build(ctx, s)
	if ctx.Err() != nil {
		return x, context.Cause(ctx)
	}
	var fault *host.Fault
	if errors.As(err, &fault) && fault.NoTests {
		return result{none: true, took: r.now().Sub(began)}, nil // it was compiled with the package that is measured
	}
	if errors.As(err, &fault) {
		return result{exit: 1, says: fault.Reason, took: r.now().Sub(began)}, nil
	}
	if err != nil {
		return x, err
	}
	pattern := "."
	if len(only) > 0 {
		names := make([]string, len(only))
		for i, n := range only {
			names[i] = regexp.QuoteMeta(n)
		}
		pattern = "^(" + strings.Join(names, "|") + ")$"
	}
	began = r.now()
	args := []string{"-test.run=" + pattern, "-test.count=1", "-test.paniconexit0", "-test.timeout=0"}
	if s.Package == r.lab.Target.Package { // another may not know them
		args = append(args, r.lab.Target.Args...)
	}
	o, err := r.lab.Host.Run(ctx, host.Job{Binary: b.ID, Procs: procs, Timeout: limit, Limit: limit, Args: args})
	if ctx.Err() != nil {
		return x, context.Cause(ctx)
	}
	if errors.As(err, &fault) {
		return result{exit: 1, says: fault.Reason, took: r.now().Sub(began)}, nil
	}
	if err != nil {
		return x, err
	}
	x = result{exit: o.Exit, late: o.Late, took: r.now().Sub(began), none: strings.Contains(string(o.Output), "no tests to run")}
	if x.ok() {
		return x, nil
	}
	for _, m := range testFails.FindAllStringSubmatch(string(o.Output), -1) {
		if !slices.Contains(x.failed, m[1]) {
			x.failed = append(x.failed, m[1])
		}
	}
	x.says = said(string(o.Output), o.Death)
	return x, nil
}

// said is the line of an output that tells most of a failure: a race, what the
// program died of, or what the first test logged.
func said(output, death string) string {
	if strings.Contains(output, "WARNING: DATA RACE") {
		return "a data race"
	}
	if death != "" {
		return death
	}
	_, after, _ := strings.Cut(output, "--- FAIL: ")
	for line := range strings.Lines(after) {
		if strings.HasPrefix(line, "    ") && !strings.HasPrefix(strings.TrimSpace(line), "--- ") {
			return strings.TrimSpace(line)
		}
	}
	return strings.TrimSpace(output[max(0, len(output)-200):])
}

// packages are those whose tests a candidate has to pass.
func (r *run) packages(t *Trial) []Package {
	all := []Package{r.untouched.packages[0]}
	for _, p := range t.Tests {
		if !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return all
}

func paths(packages []Package) (all []string) {
	for _, p := range packages {
		all = append(all, p.Path)
	}
	return all
}

// source is a package with a change, nil for none.
func source(p Package, t *Trial) host.Source {
	s := host.Source{Package: p.Path, Dir: p.Dir}
	if t != nil {
		s.Change = t.Change
	}
	return s
}

// forget lets the host take a binary away.
func (lab Lab) forget(s host.Source) {
	if f, ok := lab.Host.(host.Forgetter); ok {
		f.Forget(s)
	}
}

// named gives the files of a change their names back: the go command tells where
// their contents stand.
func named(said string, change overlay.Overlay) string {
	for path := range change {
		base := filepath.Base(path)
		said = regexp.MustCompile(`[^\s;]*[/\\]\d+-`+regexp.QuoteMeta(base)).ReplaceAllLiteralString(said, base)
	}
	return said
}

var place = regexp.MustCompile(`[^\s;]*?([^\s;/\\]+\.go):\d+(:\d+)?`)

// lineless is a complaint without its lines, which an edit above may move, and
// without folders.
func lineless(line string) string { return place.ReplaceAllString(line, "$1") }
