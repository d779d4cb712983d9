package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	moremath "github.com/aclements/go-moremath/stats"

	"github.com/gopayoff/payoff/tool/internal/contest"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A Lab builds and tests what is tried. Its functions are called one at a time.
type Lab struct {
	// Build compiles the test binary of a package with changed files. It is forgotten
	// when it is not run any more.
	Build func(ctx context.Context, pkg string, change overlay.Overlay) (*measure.Subject, error)
	// Change is the code with a value of the constant.
	Change func(value int64) (overlay.Overlay, error)
	// Test runs the tests that a value must pass and returns what they say, "" if
	// they pass. An error means that ctx ended.
	Test func(ctx context.Context, change overlay.Overlay) (string, error)
	Now  func() time.Time
	Step func(format string, args ...any)
	// Keep is called with the record when a phase is done.
	Keep func(*Record) error
}

// A Plan says how much is measured.
type Plan struct {
	Budget  time.Duration // from the first build to the last sample, tests aside
	Sample  time.Duration // of one
	Layouts int           // of the code in each phase, at most
	Seed    uint64
	PerOp   map[Cell]time.Duration // guesses of the time per operation at the present value
}

const most = 64 // rounds of a comparison

// looks are the rounds of the search after which values are dropped: most at the
// first.
var looks = []int{4, 8, 12}

// shares of the budget by the end of which phases end.
const (
	searchBy  = 0.5
	compareBy = 0.82 // with less than the rest, what is recommended is too often not confirmed
)

// A policy is what differs between the phases.
type policy struct {
	phase         Phase
	step          string  // what is done
	first, orders int     // layouts of the code: which comes first, and how many there are at most
	rounds, least int     // at most, and those that are measured though they end late
	by            float64 // share of the budget by which it ends
	until         float64 // the same of the least rounds, or it does not begin; 0: it does
	looks         []int   // rounds after which values are dropped
}

// A side is a value in a cell, by their indexes.
type side struct{ value, cell int }

// A tuning is one constant being tuned.
type tuning struct {
	*Record
	lab     Lab
	plan    Plan
	began   time.Time
	paid    time.Duration // for tests, which the budget does not count
	arms    *measure.Arms[side]
	changes []overlay.Overlay // by value
	set     map[int][]int     // values that are still in, by GOMAXPROCS
}

// name is that of the arm which has a value, with the test binary of a package.
func (c *tuning) name(value int, pkg string) string { return fmt.Sprint(value, " ", pkg) }

func (c *Cell) of() measure.Cell { return measure.Cell{Bench: c.Bench, Procs: c.Procs} }

func newTuning(r *Record, lab Lab, plan Plan) *tuning {
	c := &tuning{Record: r, lab: lab, plan: plan, began: lab.Now(), changes: make([]overlay.Overlay, len(r.Trials))}
	c.arms = &measure.Arms[side]{
		Contest: contest.New[side](rand.New(rand.NewPCG(plan.Seed, 0x74756e65))), All: map[string]*measure.Arm{}, Now: lab.Now, Hang: plan.Budget / 4,
		Side: func(s side) (string, measure.Cell) {
			x := c.Cells[s.cell]
			return c.name(s.value, x.Package), x.of()
		},
		Guess: func(name string, x measure.Cell) float64 {
			_, pkg, _ := strings.Cut(name, " ")
			return float64(plan.PerOp[Cell{pkg, x.Bench, x.Procs}])
		},
		Tried: func(string, measure.Cell, measure.Sample) {},
		Broke: c.broke,
		Fixed: func(err error) {
			r.Missing = append(r.Missing, fmt.Sprintf("what the layout of the code does: %v", err))
		},
	}
	return c
}

// broke takes a value out under which a benchmark breaks. Where it does under the
// present one it is not measured, and once there are samples that is an error.
func (c *tuning) broke(name string, x measure.Cell, b *measure.Broken) error {
	var v int
	fmt.Sscan(name, &v)
	switch {
	case v != c.present():
		c.Trials[v].Out = fmt.Sprintf("%s at %d %s", b.Problem.Benchmark, x.Procs, b.Problem.Reason)
		c.drop(v)
	case len(c.Samples) > 0:
		return b
	default:
		c.Problems = append(c.Problems, b.Problem)
	}
	return nil
}

// drop takes away what a value has on disk.
func (c *tuning) drop(value int) {
	for name, a := range c.arms.All {
		if strings.HasPrefix(name, c.name(value, "")) {
			a.Forget(0)
			delete(c.arms.All, name)
		}
	}
}

// Run measures r.Trials in r.Cells into r. It returns what there is when ctx
// ends or the budget is spent, and says so in r.Cut; an error means that
// nothing more can be measured or kept.
func Run(ctx context.Context, r *Record, lab Lab, plan Plan) error {
	c := newTuning(r, lab, plan)
	defer func() {
		for v := range c.Trials {
			c.drop(v)
		}
		r.Elapsed += lab.Now().Sub(c.began)
	}()
	for _, stage := range []func(context.Context) error{c.build, c.calibrate, c.search, c.compare, c.confirm} {
		err := stage(ctx)
		switch {
		case ctx.Err() != nil:
			r.Cut = Interrupted
		case errors.Is(err, errCut):
			err = nil
		case err != nil:
			return err
		}
		if err := lab.Keep(r); err != nil {
			return err
		}
		if r.Cut != "" {
			return nil
		}
	}
	return nil
}

// Interrupted is the [Record.Cut] of a context that ended.
const Interrupted = "interrupted"

// errCut ends the stages; Record.Cut says why.
var errCut = errors.New("cut short")

// left is what is left until a share of the budget is spent.
func (c *tuning) left(share float64) time.Duration {
	return time.Duration(share*float64(c.plan.Budget)) - (c.lab.Now().Sub(c.began) - c.paid)
}

// build compiles a binary for each value and package. A value that does not
// compile is out.
func (c *tuning) build(ctx context.Context) error {
	for v := range c.Trials {
		t := &c.Trials[v]
		c.lab.Step("building with %s (%d of %d)", t.Text, v+1, len(c.Trials))
		change, err := c.lab.Change(t.Value)
		if err != nil {
			return err
		}
		c.changes[v] = change
		for _, cell := range c.Cells {
			name := c.name(v, cell.Package)
			if c.arms.All[name] != nil {
				continue
			}
			from := c.lab.Now()
			s, err := c.lab.Build(ctx, cell.Package, change)
			if ctx.Err() != nil {
				return errCut
			}
			if broken := (*measure.Broken)(nil); errors.As(err, &broken) && v != c.present() {
				t.Out = broken.Problem.Reason
				c.drop(v)
				break
			}
			if err != nil {
				return err
			}
			c.arms.Layouts.Guess = c.lab.Now().Sub(from)
			c.arms.Enter(name, c.name(c.present(), cell.Package), s)
		}
		if t.Out == "" && c.left(searchBy) < c.arms.Layouts.Each() && v < len(c.Trials)-1 {
			c.Cut = "the budget was spent on building"
			return errCut
		}
	}
	return nil
}

// calibrate finds how many operations make a sample of each value in each cell.
func (c *tuning) calibrate(ctx context.Context) error {
	c.arms.Length = contest.Fits(c.plan.Sample, c.left(1), contest.Wanted*len(c.Cells)*len(c.in()))
	for _, cell := range c.Cells {
		for _, v := range c.in() {
			if err := c.arms.Calibrate(ctx, c.name(v, cell.Package), cell.of()); err != nil {
				return err
			}
		}
	}
	c.Cells = slices.DeleteFunc(slices.Clone(c.Cells), func(x Cell) bool { return c.arms.All[c.name(c.present(), x.Package)].N[x.of()] == 0 })
	if len(c.Cells) == 0 {
		c.Cut = "no benchmark can be measured"
		return errCut
	}
	return nil
}

// in are the values that are not out.
func (c *tuning) in() (values []int) {
	for v, t := range c.Trials {
		if t.Out == "" {
			values = append(values, v)
		}
	}
	return values
}

// blocks are those of a round: a cell, with the values that are measured at its
// GOMAXPROCS. What others disturb is taken again alone: a table reads each value of a
// round for itself.
func (c *tuning) blocks(cells []int, set map[int][]int) (blocks []contest.Block[side]) {
	for _, i := range cells {
		var b contest.Block[side]
		for _, v := range set[c.Cells[i].Procs] {
			if c.Trials[v].Out == "" {
				b.Sides = append(b.Sides, side{v, i})
			}
		}
		blocks = append(blocks, b)
	}
	return blocks
}

// measure takes the rounds of a phase.
func (c *tuning) measure(ctx context.Context, p policy, cells []int, set map[int][]int) error {
	cost := func() time.Duration { return c.arms.Expected(c.blocks(cells, set)) }
	if p.until > 0 && time.Duration(p.least)*cost() > c.left(p.until) {
		c.Cut = "the budget was spent before values were compared"
		return errCut
	}
	values := len(slices.MaxFunc(slices.Collect(maps.Values(set)), func(a, b []int) int { return len(a) - len(b) }))
	if each := c.arms.Layouts.Each() * time.Duration(values); each > 0 {
		p.orders = min(p.orders, max(1, int(contest.LinkShare*float64(c.left(p.by))/float64(each))))
	}
	for round := range p.rounds {
		if round >= p.least && cost() > c.left(p.by) {
			break
		}
		c.lab.Step("%s, round %d of at most %d", p.step, round+1, p.rounds)
		if err := c.round(ctx, p.phase, round, p.first+round%p.orders, c.blocks(cells, set)); err != nil {
			return err
		}
		if slices.Contains(p.looks, round+1) {
			for _, procs := range c.Procs {
				set[procs] = c.plausible(procs, set[procs])
			}
		}
	}
	if c.arms.Layouts.None {
		p.orders = 1
	}
	c.Layouts = max(c.Layouts, p.orders)
	return nil
}

// round measures each block once.
func (c *tuning) round(ctx context.Context, phase Phase, round, layout int, blocks []contest.Block[side]) error {
	kept := map[side]measure.Sample{}
	err := c.arms.Visit(ctx, layout, blocks, func(s side, x measure.Sample, _ bool) { kept[s] = x })
	for _, b := range blocks {
		for _, s := range b.Sides {
			if x, ok := kept[s]; ok {
				c.Samples = append(c.Samples, Sample{phase, int32(round), s.cell, s.value, x.Layout, x.N, x.Wall})
			}
		}
	}
	return err
}

// search drops the values that are slower beyond doubt.
func (c *tuning) search(ctx context.Context) error {
	c.set = map[int][]int{}
	for _, p := range c.Procs {
		c.set[p] = c.in()
	}
	cells := make([]int, len(c.Cells))
	for i := range cells {
		cells[i] = i
	}
	return c.measure(ctx, policy{phase: Search, step: fmt.Sprintf("searching among %d values", len(c.in())), orders: min(2, c.plan.Layouts),
		rounds: looks[len(looks)-1], least: looks[0], by: searchBy, until: compareBy, looks: looks}, cells, c.set)
}

// plausible returns those of some values that are not yet known to be slower
// than the best of them by more than the margin. The present value always stays.
func (c *tuning) plausible(procs int, values []int) (stay []int) {
	t := c.table(Search, c.moved(procs))
	best, least := c.present(), 1.0
	for _, v := range values {
		if t.shared(v, c.present()) > 0 {
			if x := t.ratio(v, c.present(), c.Alpha).Ratio; x < least {
				best, least = v, x
			}
		}
	}
	for _, v := range values {
		if c.Trials[v].Out != "" {
			continue
		}
		if v == c.present() || v == best || t.atLeast(v, best) <= math.Log1p(c.Margin) {
			stay = append(stay, v)
		}
	}
	return stay
}

// atLeast is the lower end of how much slower i is than j, at 99 %. Three rounds
// tell the worst values only if they are taken for normal; from some on, ranks
// tell them in spite of outliers.
func (t table) atLeast(i, j int) float64 {
	const ranks = 8
	x := t.pairs(i, j).Logs
	if len(x) < 2 {
		return math.Inf(-1)
	}
	_, low, _ := moremath.MeanCI(x, 0.98)
	if len(x) >= ranks {
		l, _ := stats.SignedRankInterval(x, 0.98)
		low = max(low, l)
	}
	return low
}

// compare measures what is left of the values, in rounds whose number does not depend
// on what they say.
func (c *tuning) compare(ctx context.Context) error {
	c.Compared = c.moving()
	set := map[int][]int{}
	compromise := c.compromise()
	for _, p := range c.Procs {
		set[p] = c.plausible(p, c.set[p])
		if !slices.Contains(set[p], compromise) {
			set[p] = append(set[p], compromise)
		}
	}
	left := 0
	for v := range c.Trials {
		if slices.ContainsFunc(c.Procs, func(p int) bool { return slices.Contains(set[p], v) }) {
			left++
		} else {
			c.drop(v)
		}
	}
	return c.measure(ctx, policy{phase: Compare, step: fmt.Sprintf("comparing %d values", left), first: 2, orders: c.plan.Layouts,
		rounds: max(2*fewest, c.needed(set)), least: fewest, by: compareBy, until: compareBy}, c.Compared, set)
}

// needed is how many rounds show that equal values are within the margin of each
// other, by the scatter in the search.
func (c *tuning) needed(set map[int][]int) (n int) {
	for p, values := range set {
		t := c.table(Search, c.moved(p))
		var spread []float64
		for _, v := range values {
			if v == c.present() {
				continue
			}
			if x := t.pairs(v, c.present()).Logs; len(x) > 2 {
				spread = append(spread, moremath.StdDev(x))
			}
		}
		if len(spread) == 0 {
			continue
		}
		// Three standard errors for the level, one for the best looking better than
		// it is.
		n = max(n, int(math.Ceil(math.Pow(4*stats.Median(spread)/math.Log1p(c.Margin), 2))))
	}
	return min(n, most)
}

// compromise is the value whose worst regret in the search is the least.
func (c *tuning) compromise() int {
	worst := make([]float64, len(c.Trials))
	for _, p := range c.Procs {
		for i, x := range c.at(c.table(Search, c.moved(p)), c.in()).Curve {
			v := c.in()[i]
			worst[v] = max(worst[v], x.Ratio)
		}
	}
	return slices.MinFunc(c.in(), func(a, b int) int { return cmp.Compare(worst[a], worst[b]) })
}

// confirm measures the chosen value once more against the present one, when its
// tests pass, in layouts of their own; that it ends a little late is better than no
// answer. Where they do not pass, the next best is chosen.
func (c *tuning) confirm(ctx context.Context) error {
	for {
		res := Judge(c.Record)
		if res.Word != CannotSay || res.Value == c.Constant.Present {
			return nil
		}
		v := slices.IndexFunc(c.Trials, func(t Trial) bool { return t.Value == res.Value })
		if _, ok := c.Tests[res.Text]; !ok {
			c.lab.Step("testing with %s", res.Text)
			from := c.lab.Now()
			said, err := c.lab.Test(ctx, c.changes[v])
			c.paid += c.lab.Now().Sub(from)
			if err != nil || ctx.Err() != nil {
				return cmp.Or(err, errCut)
			}
			if c.Tests == nil {
				c.Tests = map[string]string{}
			}
			c.Tests[res.Text] = said
			if said != "" {
				continue
			}
		}
		set := map[int][]int{}
		for _, p := range c.Procs {
			set[p] = []int{c.present(), v}
		}
		return c.measure(ctx, policy{phase: Confirm, step: fmt.Sprintf("measuring %s once more", c.Trials[v].Text), first: 2 + c.plan.Layouts, orders: c.plan.Layouts,
			rounds: 24, least: fewest, by: 1}, c.Compared, set)
	}
}
