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
	"time"

	moremath "github.com/aclements/go-moremath/stats"

	"github.com/gopayoff/payoff/tool/internal/contest"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A Lab builds and tests what is tried. Its functions are called one at a time.
type Lab struct {
	// Build compiles the test binary of a package with changed files. What it
	// takes on disk is gone after drop.
	Build func(ctx context.Context, pkg string, change overlay.Overlay) (s *measure.Subject, drop func(), err error)
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

const (
	calibration = 3  // the first samples are so many times shorter
	most        = 64 // rounds of a comparison
)

// looks are the rounds of the search after which values are dropped: most at the
// first.
var looks = []int{4, 8, 12}

// shares of the budget by the end of which phases end.
const (
	searchBy  = 0.5
	compareBy = 0.82 // with less than the rest, what is recommended is too often not confirmed
)

// An arm is a value while it is measured: a binary for each package.
type arm struct {
	change   overlay.Overlay
	subjects map[string]*measure.Subject
	drops    []func()
}

func (a *arm) drop() {
	for _, d := range a.drops {
		d()
	}
	*a = arm{}
}

// use links a layout of all its binaries.
func (a *arm) use(ctx context.Context, layout int) error {
	for _, s := range a.subjects {
		if err := s.Use(ctx, layout); err != nil {
			return err
		}
	}
	return nil
}

// A tuning is one constant being tuned.
type tuning struct {
	*Record
	lab   Lab
	plan  Plan
	rng   *rand.Rand
	began time.Time
	paid  time.Duration // for tests, which the budget does not count
	arms  []arm
	set   map[int][]int     // values that are still in, by GOMAXPROCS
	n     [][]int64         // operations of a sample, by cell and value
	took  [][]time.Duration // of the last process

	orders  contest.Layouts
	contest *contest.Contest[int]
}

// Run measures r.Trials in r.Cells into r. It returns what there is when ctx
// ends or the budget is spent, and says so in r.Cut; an error means that
// nothing more can be measured or kept.
func Run(ctx context.Context, r *Record, lab Lab, plan Plan) error {
	c := &tuning{Record: r, lab: lab, plan: plan, rng: rand.New(rand.NewPCG(plan.Seed, 0x74756e65)), arms: make([]arm, len(r.Trials))}
	c.contest = contest.New[int](c.rng)
	c.began = lab.Now()
	defer func() {
		for i := range c.arms {
			c.arms[i].drop()
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
		a := &c.arms[v]
		change, err := c.lab.Change(t.Value)
		if err != nil {
			return err
		}
		*a = arm{change: change, subjects: map[string]*measure.Subject{}}
		for _, cell := range c.Cells {
			if a.subjects[cell.Package] != nil {
				continue
			}
			from := c.lab.Now()
			s, drop, err := c.lab.Build(ctx, cell.Package, change)
			if ctx.Err() != nil {
				return errCut
			}
			if broken := (*measure.Broken)(nil); errors.As(err, &broken) && t.Value != c.Constant.Present {
				t.Out = broken.Problem.Reason
				a.drop()
				break
			}
			if err != nil {
				return err
			}
			c.orders.Guess = c.lab.Now().Sub(from)
			a.subjects[cell.Package] = s
			a.drops = append(a.drops, drop)
		}
		if t.Out == "" && c.left(searchBy) < c.orders.Each() && v < len(c.Trials)-1 {
			c.Cut = "the budget was spent on building"
			return errCut
		}
	}
	return nil
}

// calibrate finds how many operations make a sample of each value in each cell.
// Values that take about the same time run as many: a process that runs longer
// spreads its start over more of them.
func (c *tuning) calibrate(ctx context.Context) error {
	var walls [][]float64
	cells := c.Cells
	c.Cells = nil
	for _, cell := range cells {
		i := len(c.Cells)
		c.Cells = append(c.Cells, cell)
		c.n, c.took, walls = append(c.n, make([]int64, len(c.Trials))), append(c.took, make([]time.Duration, len(c.Trials))), append(walls, make([]float64, len(c.Trials)))
		for v := range c.Trials {
			c.n[i][v] = max(1, int64(c.plan.Sample/calibration/max(1, c.plan.PerOp[cell])))
		}
		others := c.in()
		others = c.shuffled(slices.DeleteFunc(others, func(v int) bool { return v == c.present() }))
		for _, v := range append([]int{c.present()}, others...) {
			x, err := c.sample(ctx, i, v, 0)
			if broken := (*measure.Broken)(nil); errors.As(err, &broken) {
				c.Problems = append(c.Problems, broken.Problem)
				c.Cells, c.n, c.took, walls = c.Cells[:i], c.n[:i], c.took[:i], walls[:i]
				break
			}
			if err != nil {
				c.Cells = append(c.Cells[:i], cells[i:]...)
				return err
			}
			walls[i][v] = x.Wall // 0: it went out
		}
	}
	if len(c.Cells) == 0 {
		c.Cut = "no benchmark can be measured"
		return errCut
	}
	c.fit(walls)
	for i := range c.Cells {
		c.share(i, walls[i])
	}
	return nil
}

// fit shortens the samples if a round of them would leave too few in the budget.
func (c *tuning) fit(walls [][]float64) {
	const wanted = 30 // rounds of all values
	var starts time.Duration
	samples := 0
	for i := range c.Cells {
		for v, w := range walls[i] {
			if w > 0 {
				starts += max(0, c.took[i][v]-time.Duration(w*float64(c.n[i][v])))
				samples++
			}
		}
	}
	if samples > 0 {
		c.plan.Sample = min(c.plan.Sample, max(contest.Shortest, (c.left(1)/wanted-starts)/time.Duration(samples)))
	}
}

// share gives values of a cell whose times are alike the same number of operations.
func (c *tuning) share(cell int, walls []float64) {
	values := slices.DeleteFunc(c.in(), func(v int) bool { return walls[v] <= 0 })
	var times []float64
	var pairs [][2]int
	for i, v := range values {
		times = append(times, walls[v])
		for j := range i {
			pairs = append(pairs, [2]int{j, i})
		}
	}
	for _, group := range contest.Groups(times, pairs) {
		n := contest.Operations(c.plan.Sample, contest.Mean(times, group), 0)
		for _, i := range group {
			v := values[i]
			c.n[cell][v] = n
			c.took[cell][v] = max(0, c.took[cell][v]-time.Duration(walls[v]*float64(n)/calibration)) + time.Duration(walls[v]*float64(n))
		}
	}
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

func (c *tuning) shuffled(values []int) []int {
	c.rng.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
	return values
}

// sample runs one process. Where the benchmark breaks under a value, the value
// is out and the sample has no time; where it does under the present one, that is
// an error.
func (c *tuning) sample(ctx context.Context, cell, v, layout int) (measure.Sample, error) {
	x := c.Cells[cell]
	s := c.arms[v].subjects[x.Package]
	if s == nil {
		return measure.Sample{}, nil
	}
	if err := s.Use(ctx, layout); err != nil {
		return measure.Sample{}, cmp.Or(context.Cause(ctx), err)
	}
	s.Patience = measure.Patience(c.plan.Budget/4, c.took[cell][v])
	from := c.lab.Now()
	sample, err := s.Run(ctx, measure.Cell{Bench: x.Bench, Procs: x.Procs}, c.n[cell][v])
	c.took[cell][v] = c.lab.Now().Sub(from)
	if ctx.Err() != nil {
		return sample, errCut
	}
	if broken := (*measure.Broken)(nil); errors.As(err, &broken) && c.Trials[v].Value != c.Constant.Present {
		c.Trials[v].Out = fmt.Sprintf("%s at %d %s", broken.Problem.Benchmark, x.Procs, broken.Problem.Reason)
		c.arms[v].drop()
		return measure.Sample{}, nil
	}
	return sample, err
}

// block takes a sample of each value in one cell, in shuffled order. What others
// disturb is taken again alone: a table reads each value of a round for itself.
func (c *tuning) block(ctx context.Context, phase Phase, round, cell int, values []int, layout int) error {
	kept := map[int]measure.Sample{}
	b := contest.Block[int]{Sides: slices.Clone(values)}
	c.contest.Shuffle(b.Sides)
	err := c.contest.Hold(b, func(values []int, _ contest.Attempt) (spoiled []int, err error) {
		for _, v := range values {
			x, err := c.sample(ctx, cell, v, layout)
			if err != nil {
				return nil, err
			}
			if x.Wall > 0 {
				kept[v] = x
			}
			if x.Disturbed() != "" {
				spoiled = append(spoiled, v)
			}
		}
		return spoiled, nil
	}, nil)
	if err != nil {
		return err
	}
	for _, v := range values {
		if x, ok := kept[v]; ok {
			c.Samples = append(c.Samples, Sample{phase, int32(round), cell, v, int32(layout), x.N, x.Wall})
		}
	}
	return nil
}

// round visits every cell once, in shuffled order. set says which values are
// measured at a GOMAXPROCS.
func (c *tuning) round(ctx context.Context, phase Phase, round, layout int, cells []int, set map[int][]int) error {
	c.rng.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
	for _, i := range cells {
		values := slices.DeleteFunc(slices.Clone(set[c.Cells[i].Procs]), func(v int) bool { return c.Trials[v].Out != "" })
		if err := c.block(ctx, phase, round, i, values, layout); err != nil {
			return err
		}
	}
	return nil
}

// cost is how long a round takes.
func (c *tuning) cost(cells []int, set map[int][]int) (d time.Duration) {
	for _, i := range cells {
		for _, v := range set[c.Cells[i].Procs] {
			d += c.took[i][v]
		}
	}
	return d
}

// layouts links the values in orders of their functions that begin with first,
// and returns those: as many as leave most of the time until a share of the budget
// for samples, and one at least.
func (c *tuning) layouts(ctx context.Context, first, n int, values []int, until float64) (orders []int, err error) {
	const share = 0.3
	if each := c.orders.Each() * time.Duration(len(values)); each > 0 {
		n = min(n, max(1, int(share*float64(c.left(until))/float64(each))))
	}
	for k := first; k < first+n && !c.orders.None; k++ {
		for i, v := range values {
			c.lab.Step("linking layout %d of %d, value %d of %d", k-first+1, n, i+1, len(values))
			use := func() error { return c.arms[v].use(ctx, k) }
			var err error
			if k > 0 {
				err = c.orders.Make(c.lab.Now, use)
			} else {
				err = use()
			}
			if ctx.Err() != nil {
				return nil, errCut
			}
			if err != nil {
				c.orders.None = true
				c.Missing = append(c.Missing, fmt.Sprintf("what the layout of the code does: %v", err))
				break
			}
		}
		if !c.orders.None {
			orders = append(orders, k)
		}
	}
	if len(orders) == 0 {
		orders = []int{0}
	}
	c.Layouts = max(c.Layouts, len(orders))
	return orders, nil
}

// search drops the values that are slower beyond doubt.
func (c *tuning) search(ctx context.Context) error {
	set := map[int][]int{}
	for _, p := range c.Procs {
		set[p] = c.in()
	}
	c.set = set
	var cells []int
	for i := range c.Cells {
		cells = append(cells, i)
	}
	orders, err := c.layouts(ctx, 0, min(2, c.plan.Layouts), c.in(), searchBy)
	if err != nil {
		return err
	}
	for round := 0; round < looks[len(looks)-1]; round++ {
		if round >= looks[0] && c.cost(cells, set) > c.left(searchBy) {
			break
		}
		if c.cost(cells, set) > c.left(compareBy) {
			c.Cut = "the budget was spent before values were compared"
			return errCut
		}
		c.lab.Step("searching among %d values, round %d of at most %d", c.kinds(set), round+1, looks[len(looks)-1])
		if err := c.round(ctx, Search, round, orders[round%len(orders)], cells, set); err != nil {
			return err
		}
		if slices.Contains(looks, round+1) {
			for _, p := range c.Procs {
				set[p] = c.plausible(p, set[p])
			}
		}
	}
	return nil
}

// kinds is how many values are measured anywhere.
func (c *tuning) kinds(set map[int][]int) int {
	all := map[int]bool{}
	for _, values := range set {
		for _, v := range values {
			all[v] = true
		}
	}
	return len(all)
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

// compare measures what is left of the values in a number of rounds that is
// fixed before the first.
func (c *tuning) compare(ctx context.Context) error {
	c.Compared = c.moving()
	set, all := map[int][]int{}, map[int]bool{}
	compromise := c.compromise()
	for _, p := range c.Procs {
		set[p] = c.plausible(p, c.set[p])
		if !slices.Contains(set[p], compromise) {
			set[p] = append(set[p], compromise)
		}
		for _, v := range set[p] {
			all[v] = true
		}
	}
	for v := range c.arms {
		if !all[v] {
			c.arms[v].drop() // what it takes on disk
		}
	}
	cells := slices.Clone(c.Compared)
	orders, err := c.layouts(ctx, 2, c.plan.Layouts, slices.Sorted(maps.Keys(all)), compareBy)
	if err != nil {
		return err
	}
	rounds, err := c.affordable(cells, set, compareBy)
	if err != nil {
		return err
	}
	rounds = min(rounds, max(2*fewest, c.needed(set)))
	for round := range rounds {
		c.lab.Step("comparing %d values, round %d of %d", len(all), round+1, rounds)
		if err := c.round(ctx, Compare, round, orders[round%len(orders)], cells, set); err != nil {
			return err
		}
		if round+1 >= fewest && c.left(1) < c.cost(cells, set) {
			break // slower than expected
		}
	}
	return nil
}

// affordable is how many rounds fit before a share of the budget is spent. Too
// few are an error.
func (c *tuning) affordable(cells []int, set map[int][]int, until float64) (int, error) {
	rounds := most
	if each := c.cost(cells, set); each > 0 {
		rounds = int(c.left(until) / each)
	}
	if rounds < fewest {
		c.Cut = "the budget was spent before values were compared"
		return 0, errCut
	}
	return min(rounds, most), nil
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
	best, least := c.present(), math.Inf(1)
	for _, v := range c.in() {
		worst := 0.0
		for _, p := range c.Procs {
			t := c.table(Search, c.moved(p))
			regret := math.Inf(-1)
			for _, j := range c.in() {
				if t.shared(v, j) > 0 {
					regret = max(regret, log(t.ratio(v, j, c.Alpha).Ratio))
				}
			}
			worst = max(worst, regret)
		}
		if worst < least {
			best, least = v, worst
		}
	}
	return best
}

// confirm measures the chosen value once more against the present one, when its
// tests pass. Where they do not, the next best is chosen.
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
			said, err := c.lab.Test(ctx, c.arms[v].change)
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
		return c.again(ctx, v)
	}
}

// again measures a value and the present one, in layouts of their own.
func (c *tuning) again(ctx context.Context, v int) error {
	set := map[int][]int{}
	for _, p := range c.Procs {
		set[p] = []int{c.present(), v}
	}
	cells := slices.Clone(c.Compared)
	orders, err := c.layouts(ctx, 2+c.plan.Layouts, c.plan.Layouts, []int{c.present(), v}, 1)
	if err != nil {
		return err
	}
	rounds, err := c.affordable(cells, set, 1)
	if err != nil {
		rounds = fewest // a comparison that ends a little late is worth more than none
		c.Cut = ""
	}
	rounds = min(rounds, 24)
	for round := range rounds {
		c.lab.Step("measuring %s once more, round %d of %d", c.Trials[v].Text, round+1, rounds)
		if err := c.round(ctx, Confirm, round, orders[round%len(orders)], cells, set); err != nil {
			return err
		}
	}
	return nil
}
