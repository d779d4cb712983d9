// Package gather runs benchmarks once more to find out why they lose: with
// profilers and tracers awake, and, as experiments, with the code changed.
//
// It names no cause. What is worth a run the rules say, by [explain.Want]: evidence
// that would change what they claim. Each process costs some tenths of a second, an
// experiment with the code a build more; within a budget the verdicts share it.
package gather

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/hotcode"
	"github.com/gopayoff/payoff/tool/internal/instr"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// Options say how evidence is collected.
type Options struct {
	Source string        // the folder of the package: its code is the user's, the standard library's too
	Budget time.Duration // when it is spent, what is left stays without evidence; 0: no end
	// Asked reports whether the user asked for a verdict: those come first. nil: no
	// one more than another.
	Asked func(judge.Verdict) bool
	All   bool // for verdicts that need no explanation, too
	Costs bool // also for code that scales, see [explain.Costs]
	// Told are numbers of processors that are predicted: traces are taken at one as well, and
	// there of what programs do that are told of so many.
	Told     []int
	Prices   machine.Prices
	Rule     stats.Rule
	Lab      *Lab // experiments on the source; nil for none
	Progress func(format string, args ...any)
	File     func(name string, data []byte) error // receives each file of evidence: profiles, traces
	Keep     func(*evidence.Set) error            // receives each set when it is complete
	Now      func() time.Time                     // default time.Now
}

// Times of evidence runs. A profile gets a sample for each tick of the
// system's clock, 4ms on many, so its run must be longer than that of a trace.
// Several processes tell how far one can be trusted.
const (
	profileTime = 120 * time.Millisecond
	profiles    = 3
	traceTime   = evidence.TraceTime
	traces      = 2
	repeats     = 2 // of what was disturbed
)

// Spent ends what is said to be missing for want of a larger Budget.
const Spent = "the budget was spent"

// CutShort is what is said to be missing where the search for causes was
// interrupted.
const CutShort = "some causes: interrupted while evidence was collected"

// Collect gathers the evidence on the verdicts of a series that call for an
// explanation and puts it into s.Evidence. What is there from a run before stands
// where the new is less. What cannot be had is said in the sets; an error ends
// the collecting: ctx ended, or File or Keep failed. Keep has then received what
// there was.
func Collect(ctx context.Context, s *measure.Series, r judge.Result, c *measure.Subject, o Options) error {
	before := maps.Clone(s.Evidence)
	if before == nil {
		before = map[measure.Cell]*evidence.Set{}
	}
	s.Evidence = map[measure.Cell]*evidence.Set{}
	if o.Now == nil {
		o.Now = time.Now
	}
	g := &gathering{s: s, r: r, c: c, o: o, tried: map[try]bool{}, out: map[string]bool{}, raw: map[measure.Cell][]*profile.Profile{}}
	image, err := c.Image(ctx)
	if err == nil {
		g.binary, err = instr.Read(bytes.NewReader(image))
	}
	if err != nil {
		g.noBinary = err.Error()
	}
	for _, p := range s.Problems {
		if !p.Note && p.Benchmark != "" {
			g.out[p.Benchmark] = true
		}
	}
	var wanted []judge.Verdict
	for _, v := range r.Verdicts {
		if v.Pairs > 0 && !v.Unlike() && (o.All || explain.Wanted(s, r, v) || o.Costs && explain.Scales(s, r, v)) {
			wanted = append(wanted, v)
		}
	}
	order(s, wanted, o.Asked)
	if o.Budget > 0 {
		g.end = o.Now().Add(o.Budget)
		var stop context.CancelFunc
		ctx, stop = context.WithTimeoutCause(ctx, o.Budget, errBudget)
		defer stop()
	}
	// A short budget buys a little on each verdict before it buys more on any.
	looked, ended := g.pass(ctx, leastEvidence, wanted, g.first)
	for _, more := range []func(context.Context, judge.Verdict) error{g.verdict, g.untie} {
		if ended == nil {
			_, ended = g.pass(ctx, moreEvidence, looked, more)
		}
	}
	if errors.Is(ended, errBudget) {
		ended = nil
	}
	if n := len(wanted) - len(looked); n > 0 && ended == nil {
		s.Missing = append(s.Missing, fmt.Sprintf("causes of %d of %d verdicts: %s", n, len(wanted), Spent))
	}
	kept := slices.DeleteFunc(slices.Clone(g.sets), func(set *evidence.Set) bool {
		return set.Less(before[measure.Cell{Bench: set.Bench, Procs: set.Procs}])
	})
	for _, set := range kept {
		before[measure.Cell{Bench: set.Bench, Procs: set.Procs}] = set
	}
	s.Evidence = before
	for _, set := range kept {
		if err := o.Keep(set); err != nil {
			return err
		}
	}
	if ended == nil {
		g.complain(looked)
	}
	return ended
}

// complain says for how many verdicts there is no evidence, and why for the
// first.
func (g *gathering) complain(wanted []judge.Verdict) {
	n, why := 0, ""
	for _, v := range wanted {
		set := g.s.Evidence[v.New]
		if set == nil {
			continue
		}
		w, known := explain.Want(g.s, v, g.o.Prices)
		blind := ""
		if known {
			if blind = w.Blind(); blind == "" {
				continue
			}
		}
		if n++; why == "" {
			if why = blind; !known {
				why = g.lack(v)
			}
		}
	}
	if n > 0 {
		g.s.Missing = append(g.s.Missing, fmt.Sprintf("causes of %d of %d verdicts: %s", n, len(wanted), why))
	}
}

// lack says why there are no facts on a verdict: which of its sides has no
// profile, or no time, and why that is so.
func (g *gathering) lack(v judge.Verdict) string {
	c := v.New
	x := explain.NewSide(g.s, c)
	if x != nil && x.By != nil { // then it is the other
		if c = v.BaseCell; v.Kind == measure.Scaling {
			c = measure.Cell{Bench: v.New.Bench, Procs: 1}
		}
		x = explain.NewSide(g.s, c)
	}
	for _, set := range append(slices.Clone(g.sets), g.s.Evidence[c]) { // of this search, whether it is kept or not, and of before
		if set != nil && set.Bench == c.Bench && set.Procs == c.Procs {
			if i := slices.IndexFunc(set.Missing, func(m string) bool { return strings.HasPrefix(m, measure.CPUProfile+" of ") }); i >= 0 {
				return set.Missing[i]
			}
		}
	}
	switch {
	case g.out[c.Bench]:
		return fmt.Sprintf("%s did not come to its end and is not run again", c.Bench)
	case x == nil:
		return fmt.Sprintf("the processor time of %s at %d is not known", c.Bench, c.Procs)
	case g.o.Budget > 0: // nothing else keeps a profile from being made, and nothing is said
		return fmt.Sprintf("there is no profile of %s at %d: %s", c.Bench, c.Procs, Spent)
	}
	return fmt.Sprintf("there is no profile of %s at %d", c.Bench, c.Procs)
}

var errBudget = errors.New("the budget for evidence is spent")

// gathering is one call of Collect.
type gathering struct {
	s         *measure.Series
	r         judge.Result
	c         *measure.Subject
	o         Options
	binary    *instr.Binary // nil, and noBinary says why
	noBinary  string
	sets      []*evidence.Set
	source    hotcode.Files
	files     int
	uncounted bool      // the machine has no counters
	end       time.Time // of the budget; zero: none
	until     time.Time // end of the share of the verdict in work
	tried     map[try]bool
	out       map[string]bool  // benchmarks that did not come to their end once: they do not run again
	askers    *measure.Subject // see [Lab.Askers]; nil: not built
	raw       map[measure.Cell][]*profile.Profile
}

// A try is the kth process for one kind of evidence on a cell. What failed once
// fails again: that it did is in place of k.
type try struct {
	cell measure.Cell
	what string
	k    int
}

const failed = -1

// had reports whether there is nothing to gain from a try.
func (g *gathering) had(c measure.Cell, what string, k int) bool {
	return g.out[c.Bench] || g.tried[try{c, what, k}] || g.tried[try{c, what, failed}]
}

// Names of kinds of evidence in files.
const (
	cpuFile   = "cpu.pprof"
	traceFile = "trace"
)

// first gathers the least that one verdict needs: a profile of each side and a
// trace.
func (g *gathering) first(ctx context.Context, v judge.Verdict) error {
	return g.sides(ctx, v, 1, 1)
}

// sides sees to it that each side of a verdict has so many profiles, and its
// new side so many traces.
func (g *gathering) sides(ctx context.Context, v judge.Verdict, profiles, traces int) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	one := v.New
	one.Procs = 1
	base := v.BaseCell
	base.Procs = 1
	steps := []struct {
		of   func(context.Context, measure.Cell, int) error
		cell measure.Cell
		n    int
		what string
		time time.Duration
	}{{g.profile, v.New, profiles, cpuFile, profileTime}, {g.trace, v.New, traces, traceFile, traceTime},
		{g.profile, one, profiles, cpuFile, profileTime}, {g.profile, base, profiles, cpuFile, profileTime}}
	if len(g.o.Told) > 0 && v.New != one {
		steps = append(steps, steps[1])
		steps[len(steps)-1].cell = one
	}
	var all time.Duration
	for _, step := range steps {
		_, _, took := g.operations(step.cell, step.time)
		for k := range step.n {
			if !g.had(step.cell, step.what, k) {
				all += took
			}
		}
	}
	if err := g.fits(all); err != nil {
		return err
	}
	for _, step := range steps {
		for k := range step.n {
			if err := step.of(ctx, step.cell, k); err != nil {
				return err
			}
		}
	}
	return nil
}

// untie gathers as much again where causes are tied.
func (g *gathering) untie(ctx context.Context, v judge.Verdict) error {
	if !explain.Tied(g.s, g.r, v, g.o.Prices) {
		return nil
	}
	return g.sides(ctx, v, 2*profiles, 2*traces)
}

// verdict gathers what one verdict needs.
func (g *gathering) verdict(ctx context.Context, v judge.Verdict) error {
	if err := g.sides(ctx, v, profiles, traces); err != nil {
		return err
	}
	if err := g.told(ctx, v.New.Bench); err != nil {
		return err
	}
	one := v.New
	one.Procs = 1
	w, ok := explain.Want(g.s, v, g.o.Prices)
	if !ok || !w.Traced() {
		return nil
	}
	if w.Locks() {
		if err := g.locks(ctx, v.New); err != nil {
			return err
		}
	}
	if w.Counters() {
		if err := errors.Join(g.counters(ctx, v.New), g.counters(ctx, one)); err != nil {
			return err
		}
	}
	if w.Pages() {
		if err := g.pages(ctx, v.New); err != nil {
			return err
		}
	}
	if g.o.Lab == nil {
		return nil
	}
	set := g.s.Evidence[v.New]
	if w.Escapes() {
		if err := g.o.Lab.escapes(ctx, set); err != nil {
			return err
		}
	}
	if w.Sharing() {
		// The experiment is as long as its trial.
		_, _, took := g.operations(v.New, trialTime)
		if err := g.fits(2 * trialRounds * took); err != nil {
			return err
		}
		x, err := g.o.Lab.sharing(ctx, g, v.New, set)
		if err != nil {
			return err
		}
		set.Sharing = x
	}
	return nil
}

func (g *gathering) user(fn, file string) bool {
	return g.o.Source != "" && filepath.Dir(file) == g.o.Source || stack.IsUser(fn, file)
}

func (g *gathering) set(c measure.Cell) *evidence.Set {
	set := g.s.Evidence[c]
	if set == nil {
		set = &evidence.Set{Bench: c.Bench, Procs: c.Procs}
		g.s.Evidence[c] = set
		g.sets = append(g.sets, set)
	}
	return set
}

// operations is how many fill the time, and how long they take.
func (g *gathering) operations(c measure.Cell, d time.Duration) (n int64, many bool, took time.Duration) {
	per := 0.0
	for _, l := range g.s.Listed {
		many = many || l.Name == c.Bench && l.Whole > 0 // older records have it of the listing alone
	}
	for _, procs := range []int{c.Procs, 1} {
		if samples := g.s.Samples[measure.Cell{Bench: c.Bench, Procs: procs}]; len(samples) > 0 {
			for _, x := range samples {
				per = max(per, perOp(x))
				many = many || x.Whole > 0
			}
			break
		}
	}
	if per <= 0 {
		return 1, many, 0
	}
	n = filling(d, per)
	return n, many, time.Duration(per * float64(n))
}

// perOp is the time of an operation in a sample, with a part for its set-up.
func perOp(x measure.Sample) float64 { return max(x.Wall, float64(x.Whole)/3) }

// filling is how many operations that take per fill the time; 1 where per is not known.
func filling(d time.Duration, per float64) int64 {
	if !(per > 0) {
		return 1
	}
	return int64(max(1, math.Ceil(float64(d.Nanoseconds())/per)))
}

var unsafeName = regexp.MustCompile(`[^A-Za-z0-9=._-]+`)

// ProfileName is what the names of the files end with that hold CPU profiles of
// a cell.
func ProfileName(c measure.Cell) string { return evidenceName(c, cpuFile) }

// TraceName is what the names of the files end with that hold execution traces of a cell.
func TraceName(c measure.Cell) string { return evidenceName(c, traceFile) }

func evidenceName(c measure.Cell, what string) string {
	bench := unsafeName.ReplaceAllString(c.Bench, "_")
	return fmt.Sprintf("-%s-%d.%s", bench[:min(len(bench), 100)], c.Procs, what)
}

// keep hands the files of a process on, under names that say what they are of.
func (g *gathering) keep(c measure.Cell, kind, what string, files map[string][]byte) error {
	g.files++ // names may differ in what a file's name cannot hold
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if more, ok := strings.CutPrefix(name, kind); ok {
			if err := g.o.File(fmt.Sprintf("%03d%s%s", g.files, evidenceName(c, what), more), files[name]); err != nil {
				return err
			}
		}
	}
	return nil
}

// collect runs c for one kind of evidence and hands the files to read. Only
// the end of ctx, and that they cannot be kept, is an error; what else goes
// wrong stands in the set. k numbers the processes for evidence of which there
// are several.
func (g *gathering) collect(ctx context.Context, set *evidence.Set, c measure.Cell, kind, what string, k int, d time.Duration, read func(files map[string][]byte, run *evidence.Run) error) error {
	if g.had(c, what, k) {
		return nil
	}
	g.tried[try{c, what, k}] = true
	n, many, took := g.operations(c, d)
	g.c.Patience = g.patience(took)
	var sample measure.Sample
	var files map[string][]byte
	var err error
	for again := 0; ; again++ {
		sample, files, err = g.c.Collect(ctx, c, n, kind, many)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil || again == repeats {
			break
		}
		// The slowest sample says how many fill the time. On a disturbed machine that
		// may be a small part of it, with hardly a sample of the profile.
		fill := n
		if kind == measure.CPUProfile {
			fill = filling(d, perOp(sample))
		}
		if sample.Disturbed() == "" && n >= fill/2 {
			break
		}
		n = max(n, fill)
	}
	if e := g.keep(c, kind, what, files); e != nil {
		return e
	}
	if err == nil {
		cpu := sample.CPU
		if math.IsNaN(cpu) {
			cpu = 0
		}
		run := &evidence.Run{N: n, Wall: sample.Wall, CPU: cpu}
		if h := (evidence.Heap{Faults: float64(sample.Faults), Cycles: float64(sample.GC), Live: float64(sample.Live)}); !math.IsNaN(h.Faults + h.Cycles + h.Live) {
			run.Heap = &h
		}
		err = read(files, run)
	}
	if broken := (*measure.Broken)(nil); errors.As(err, &broken) && broken.Hung {
		g.out[c.Bench] = true
	}
	if err != nil {
		g.tried[try{c, what, failed}] = true
		set.Missing = append(set.Missing, fmt.Sprintf("%s of %s at %d: %v", kind, c.Bench, c.Procs, err))
	} else if sample.Disturbed() != "" {
		set.Disturbed = append(set.Disturbed, what)
	}
	return nil
}

// file returns one of the files of a process.
func file(files map[string][]byte, name string) ([]byte, error) {
	data, ok := files[name]
	if !ok {
		return nil, fmt.Errorf("the process left no %s", name)
	}
	return data, nil
}

// profile takes the kth CPU profile of c. The set has all of them as one.
func (g *gathering) profile(ctx context.Context, c measure.Cell, k int) error {
	set := g.set(c)
	return g.collect(ctx, set, c, measure.CPUProfile, cpuFile, k, profileTime, func(files map[string][]byte, run *evidence.Run) error {
		data, err := file(files, measure.CPUProfile)
		if err != nil {
			return err
		}
		var p *profile.Profile
		if _, many, _ := g.operations(c, profileTime); many {
			p, err = exectrace.Samples(bytes.NewReader(data))
		} else {
			p, err = profile.ParseData(data)
		}
		if err != nil {
			return err
		}
		g.enter(p)
		part, err := g.digest(p)
		if errors.Is(err, cpuprof.ErrNoSamples) && run.CPU*float64(run.N) < 50e6 {
			part, err = &cpuprof.Digest{}, nil // it waits all the time
		}
		if err != nil {
			return err
		}
		set.Profiles = append(set.Profiles, evidence.Profile{Samples: part.Samples, Share: part.Share})
		all := part
		if part.Samples > 0 {
			g.raw[c] = append(g.raw[c], p)
		}
		if len(g.raw[c]) > 1 {
			if p, err = profile.Merge(g.raw[c]); err != nil {
				return err
			}
			if all, err = g.digest(p); err != nil {
				return err
			}
		} else if set.CPU != nil && part.Samples == 0 {
			all = set.CPU
		}
		set.Profiled, set.CPU, set.Hot = set.Profiled.And(run), all, nil
		g.decode(set)
		g.source.Describe(set)
		return nil
	})
}

func (g *gathering) digest(p *profile.Profile) (*cpuprof.Digest, error) {
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		return nil, err
	}
	return cpuprof.Read(&b, cpuprof.Options{User: g.user, Place: stack.Edited})
}

// decode looks the hot addresses up in the binary.
func (g *gathering) decode(set *evidence.Set) {
	if g.binary == nil {
		set.Miss("instructions: " + g.noBinary)
		return
	}
	var failed error
	for _, h := range set.CPU.Hot {
		what, err := g.binary.At(h.Addr)
		if err != nil {
			failed = err
			continue
		}
		frames := g.binary.Frames(what.Addr)
		if file, line := g.binary.Line(what.Addr); frames == nil && file == h.User.File {
			frames = []source.Place{{File: file, Line: line, Func: h.User.Func}}
		}
		if to := g.written(frames, h.User); to != h.User && h.Category == stack.User {
			move(set.CPU, h, to)
			h.User = to
		}
		set.Hot = append(set.Hot, evidence.Hot{Where: h, What: what})
	}
	slices.SortStableFunc(set.CPU.Lines, func(a, b cpuprof.Line) int { return cmp.Compare(b.Share, a.Share) })
	if failed != nil && len(set.Hot) == 0 {
		set.Miss("instructions: " + failed.Error())
	}
}

// written is the place of the user's code that an instruction belongs to, by the
// calls that were inlined down to it; near if none is the user's.
func (g *gathering) written(frames []source.Place, near source.Place) source.Place {
	for _, f := range frames {
		if g.user(f.Func, f.File) && stack.Edited(f.Func, f.File) {
			return f
		}
	}
	return near
}

// move moves the time of an instruction to the place of the one that took it.
func move(d *cpuprof.Digest, h cpuprof.Hot, place source.Place) {
	at := func(p source.Place) int {
		return slices.IndexFunc(d.Lines, func(l cpuprof.Line) bool { return l.Place == p })
	}
	from, to := at(h.User), at(place)
	if from < 0 {
		return
	}
	if to < 0 {
		to = len(d.Lines)
		d.Lines = append(d.Lines, cpuprof.Line{Place: place, By: map[stack.Category]float64{}})
	}
	share := min(h.Share, d.Lines[from].By[h.Category])
	d.Lines[from].Share -= share
	d.Lines[from].By[h.Category] -= share
	d.Lines[to].Share += share
	d.Lines[to].By[h.Category] += share
}

// trace takes the kth trace of c. The first is kept; the others count where
// idle time went.
func (g *gathering) trace(ctx context.Context, c measure.Cell, k int) error {
	set := g.set(c)
	return g.collect(ctx, set, c, measure.Trace, traceFile, k, traceTime, func(files map[string][]byte, run *evidence.Run) error {
		data, err := file(files, measure.Trace)
		if err != nil {
			return err
		}
		from, length := middle(run)
		facts, err := exectrace.Read(bytes.NewReader(data), exectrace.Options{Procs: c.Procs, Handoff: g.o.Prices.Handoff.NS, Spawn: g.o.Prices.Spawn.NS, User: g.user, Place: stack.Edited, From: from, Length: length})
		if facts == nil || facts.Window <= 0 {
			return err
		}
		if err == nil && facts.Window < run.Wall*float64(run.N)/2 {
			return errors.New("the trace ends before the timed region: the benchmark ends traces itself")
		}
		if set.Trace == nil {
			set.Traced, set.Trace = run, facts
		}
		set.Idles = append(set.Idles, evidence.Idle{Window: facts.Window, Idle: facts.Idle, Beside: facts.Beside, Late: facts.Late})
		return err
	})
}

// middle is the piece of a trace for its timeline: some operations in the middle, or
// more where they are short.
func middle(run *evidence.Run) (from, length float64) {
	whole := run.Wall * float64(run.N)
	length = min(max(3*run.Wall, 200e3), whole)
	return (whole - length) / 2, length
}

func (g *gathering) locks(ctx context.Context, c measure.Cell) error {
	set := g.set(c)
	if _, many, _ := g.operations(c, traceTime); many {
		return nil // these profiles would hold the set-up's locks
	}
	return g.collect(ctx, set, c, measure.LockProfiles, "locks", 0, traceTime, func(files map[string][]byte, _ *evidence.Run) error {
		for _, kind := range []string{"mutex", "block"} {
			now, err := file(files, measure.LockProfiles+"."+kind)
			if err != nil {
				return err
			}
			before, err := file(files, measure.LockProfiles+"."+kind+".before")
			if err != nil {
				return err
			}
			locks, err := evidence.ReadLocks(kind, bytes.NewReader(now), bytes.NewReader(before), g.user)
			if err != nil {
				return err
			}
			set.Locks = append(set.Locks, locks...)
		}
		return nil
	})
}

// pages asks how much memory one operation reaches. Only Linux tells.
func (g *gathering) pages(ctx context.Context, c measure.Cell) error {
	set := g.set(c)
	if _, many, _ := g.operations(c, traceTime); many || g.c.OS() != "linux" {
		return nil
	}
	return g.collect(ctx, set, c, measure.Pages, "pages", 0, 0, func(files map[string][]byte, _ *evidence.Run) error {
		data, err := file(files, measure.Pages)
		if err == nil {
			set.Touched, err = evidence.ReadTouched(data)
		}
		return err
	})
}

// counters asks the processor, once in vain.
func (g *gathering) counters(ctx context.Context, c measure.Cell) error {
	set := g.set(c)
	if _, many, _ := g.operations(c, traceTime); g.uncounted || many {
		return nil
	}
	return g.collect(ctx, set, c, measure.Counters, "counters", 0, traceTime, func(files map[string][]byte, run *evidence.Run) error {
		data, err := file(files, measure.Counters)
		if err != nil {
			return err
		}
		if set.Counters, err = evidence.ReadCounters(data, run.N); err != nil {
			g.uncounted = true
			g.s.Missing = append(g.s.Missing, "hardware counters: "+err.Error())
		}
		return nil
	})
}
