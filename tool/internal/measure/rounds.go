package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gopayoff/payoff/tool/internal/contest"
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// Broken says that a benchmark cannot be measured, and why.
type Broken struct {
	Problem problem.Problem
	Hung    bool // it was ended, since it was without news for too long
	Failed  bool // its process failed or hung: another one may not
}

func (b *Broken) Error() string { return b.Problem.String() }

// A Listed is a leaf benchmark as the listing found it, with first guesses in
// ns: of the time per operation, and of that time with all that is not timed.
type Listed struct {
	Name  string  `json:"name"`
	PerOp float64 `json:"ns"`
	Whole float64 `json:"wholeNs,omitempty"`
	// Parallel says that it calls RunParallel.
	Parallel bool `json:"parallel,omitempty"`
	// Starts says that it started goroutines in its timed region.
	Starts bool `json:"starts,omitempty"`
	// Setup says that its source has a call in the timed region before the loop.
	Setup bool `json:"setup,omitempty"`
}

// Options steer the rounds. The zero value of each field has a default.
type Options struct {
	Sample     time.Duration // wanted length of a sample's timed region; default: from 50ms down to 10ms, to fit 24 rounds in the budget, and longer where the time of an operation depends on it
	Budget     time.Duration // default 2 minutes
	Rule       stats.Rule
	Bounds     stats.Bounds
	Seed       uint64
	MaxLayouts int                                       // orders of the functions that are tried; default [MaxLayouts]
	Progress   func(Progress)                            // called after each sample; must return soon
	Record     func(c Cell, s Sample, drop string) error // called for each sample, kept (drop "") or dropped, when its block is done
	Now        func() time.Time                          // default time.Now
	Spent      time.Duration                             // of the budget, before the rounds
}

// Progress is where the rounds stand.
type Progress struct {
	Package       string
	Round, Rounds int // the last look is at Rounds
	Decided, All  int // comparisons
	Samples       int
	Dropped       int
	Left          time.Duration // at most
}

// Calibration marks a dropped sample of the round before the first, which
// finds the number of operations.
const Calibration = "calibration"

// maxRounds is more than any budget holds: a runner whose clock stands still must end,
// too.
const maxRounds = 10000

// rounds is one run of the schedule.
type rounds struct {
	s           *Series
	r           Runner
	o           Options
	rng         *rand.Rand
	contest     *contest.Contest[Cell]
	comparisons []Comparison
	state       []state // of comparisons
	broken      map[string]bool
	n           map[Cell]int64     // operations of the next sample
	whole       map[Cell]float64   // time per operation with what is not timed
	walls       map[Cell][]float64 // times per operation that n is chosen from
	asked       bool               // for the length of samples
	least       map[Cell]int64     // operations of a sample at least: see size
	all         int                // cells whose samples may be made longer
	reserve     time.Duration      // for the first look at the others
	had         map[Cell]int64     // numbers of operations in a run that goes on
	settled     int32              // last round in which they are chosen again
	guess       map[string]Listed
	families    []family // the ones of s, as far as they have come
	layouts     layouts
	round       int32
	control     int // cells that ran since the last twin
	twins       int // so far
	samples     int
	share       time.Duration // of the budget, for a benchmark
	start       time.Time
	before      time.Duration          // that a run that goes on took before
	last        time.Duration          // duration of the last full round
	took        map[Cell]time.Duration // duration of the cell's last process
	spent       time.Duration          // in processes
	timed       time.Duration          // of that in their timed regions
	processes   int                    // so many
}

// A state is what is known of one comparison.
type state struct {
	decision stats.Decision
	estimate stats.Estimate // of the last look
	looked   bool           // estimate holds a look
	pairs    int            // by now
	// exhausted: the last look has passed. futile: at the last look, those that
	// the budget still allowed promised no decision.
	exhausted, futile bool
}

func (s state) open() bool { return s.decision == stats.Open && !s.exhausted }

// A family is how far one has come.
type family struct {
	cells       []Cell // that its comparisons need
	rounds      int
	cost        time.Duration // of its blocks
	calibration time.Duration // part of cost: the round before the first
}

// Run measures the benchmarks of s.Families into s, by processes of r. It
// returns nil with what there is when ctx ends or the budget is spent; an error
// means that recording failed, and s still holds what was measured.
//
// A Series that has samples, of a run that ended before its time, goes on where
// that ended. The Budget is that of both parts.
func Run(ctx context.Context, s *Series, r Runner, o Options) error {
	if s.Dropped == nil {
		s.Dropped = map[string]int{}
	}
	o.Budget = cmp.Or(max(o.Budget, 0), 2*time.Minute)
	o.MaxLayouts = cmp.Or(max(o.MaxLayouts, 0), MaxLayouts)
	o.Bounds = cmp.Or(o.Bounds, stats.DefaultBounds)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Record == nil {
		o.Record = func(Cell, Sample, string) error { return nil }
	}
	if len(o.Rule.Looks) == 0 {
		o.Rule = stats.DefaultRule
	}
	asked := o.Sample > 0
	if !asked {
		cells := max(1, len(s.Listed)*len(s.Procs))
		o.Sample = contest.Fits(50*time.Millisecond, o.Budget-o.Spent, contest.Wanted*cells)
	}
	m := &rounds{
		s: s, r: r, o: o,
		rng:         rand.New(rand.NewPCG(o.Seed, 0x9e3779b97f4a7c15)),
		comparisons: Comparisons(s.Families, s.Procs),
		broken:      map[string]bool{},
		n:           map[Cell]int64{},
		walls:       map[Cell][]float64{},
		asked:       asked,
		least:       map[Cell]int64{},
		had:         map[Cell]int64{},
		settled:     settled,
		whole:       map[Cell]float64{},
		guess:       map[string]Listed{},
		families:    make([]family, len(s.Families)),
		layouts:     layouts{from: r, have: []int{0}},
		took:        map[Cell]time.Duration{},
		start:       o.Now(),
	}
	m.state = make([]state, len(m.comparisons))
	benchmarks := 0
	for _, f := range s.Families {
		benchmarks += len(f.Members)
	}
	m.share = o.Budget / time.Duration(max(1, benchmarks))
	for _, c := range m.comparisons {
		f := &m.families[c.Family]
		for _, cell := range []Cell{c.Base, c.New} {
			if !slices.Contains(f.cells, cell) {
				f.cells = append(f.cells, cell)
			}
		}
	}
	for _, l := range s.Listed {
		m.guess[l.Name] = l
	}
	m.resume()
	m.contest = contest.New[Cell](m.rng)
	end, err := m.run(ctx)
	switch {
	case err == nil:
		s.End = end
	case ctx.Err() != nil:
		s.End, err = Interrupted, nil
	default:
		s.End = Failed
	}
	if e := m.layouts.from.Use(ctx, 0); err == nil && ctx.Err() == nil {
		err = e // what comes after is of the binary that the linker made
	}
	s.Cost.Samples += m.spent.Nanoseconds()
	s.Needs = m.needs()
	return err
}

// left is what is left of the budget.
func (m *rounds) left() time.Duration {
	return m.o.Budget - m.o.Spent - m.before - m.o.Now().Sub(m.start)
}

// run takes rounds to their end. An error may be that of ctx.
func (m *rounds) run(ctx context.Context) (End, error) {
	for ; ; m.round++ {
		began := m.o.Now()
		if m.round == 1 {
			m.fit()
		}
		if m.round <= m.settled {
			m.calibrate()
		}
		blocks := m.plan()
		if len(blocks) == 0 || m.round > maxRounds {
			if len(blocks) > 0 || slices.ContainsFunc(m.state, func(x state) bool { return x.exhausted }) {
				return Exhausted, nil
			}
			return Decided, nil
		}
		ran := m.processes
		for _, b := range blocks {
			from := m.o.Now()
			err := m.block(ctx, b)
			f := &m.families[b.family]
			f.cost += m.o.Now().Sub(from)
			if m.round == 0 {
				f.calibration = f.cost
			}
			if err := cmp.Or(err, ctx.Err()); err != nil {
				return "", err
			}
		}
		if m.round == 0 {
			if err := cmp.Or(m.size(ctx), ctx.Err()); err != nil {
				return "", err
			}
		}
		if ran == m.processes && m.round > 0 { // not one was affordable
			return Budget, nil
		}
		m.last = m.o.Now().Sub(began)
		m.look()
	}
}

// block runs a block. In the round before the first it finds numbers of operations:
// nothing is compared yet.
func (m *rounds) block(ctx context.Context, b block) error {
	cells := m.affordable(b)
	if len(cells) == 0 {
		return nil
	}
	layout := m.layouts.next(ctx, m, m.families[b.family].rounds)
	if m.round == 0 {
		_, err := m.attempt(ctx, cells, 0, false, layout)
		return err
	}
	m.families[b.family].rounds++
	side := contest.Block[Cell]{Sides: cells, Pairs: m.compared(cells)}
	return m.contest.Hold(side, func(cells []Cell, n int32, last bool) ([]Cell, error) {
		return m.attempt(ctx, cells, n, last, layout)
	}, func(cells []Cell) bool { return m.cost(cells) <= m.left() })
}

// attempt takes cells, records them, and returns those that others disturbed.
func (m *rounds) attempt(ctx context.Context, cells []Cell, n int32, last bool, layout int) (spoiled []Cell, err error) {
	taken, err := m.take(ctx, cells, n, layout)
	for _, x := range taken {
		drop := x.sample.Disturbed()
		if m.round == 0 {
			drop = Calibration
		} else if drop != "" {
			spoiled = append(spoiled, x.cell)
		}
		if last {
			drop = ""
		}
		if err := m.o.Record(x.cell, x.sample, drop); err != nil {
			return nil, err
		}
		if drop != "" && m.round > 0 {
			m.s.Dropped[drop]++
			m.s.Spoil(x.cell, x.sample)
			continue
		}
		key := x.cell.key()
		m.walls[key] = append(m.walls[key], x.sample.Wall)
		m.whole[key] = float64(x.sample.Whole)
		if drop == "" {
			m.s.Add(x.cell, x.sample)
		} else {
			m.s.Calibrate(x.cell, x.sample)
		}
	}
	return spoiled, cmp.Or(err, ctx.Err())
}

// cost is how long the cells will take.
func (m *rounds) cost(cells []Cell) (all time.Duration) {
	for _, c := range cells {
		all += m.expected(c)
	}
	return all
}

// compared are the pairs of cells: those of open comparisons, and of twins.
func (m *rounds) compared(cells []Cell) (pairs [][2]Cell) {
	for i, x := range m.comparisons {
		if m.state[i].open() {
			pairs = append(pairs, [2]Cell{x.New, x.Base})
		}
	}
	for _, c := range cells {
		if c.Twin {
			pairs = append(pairs, [2]Cell{c.key(), c})
		}
	}
	return pairs
}

// A run is a sample with the cell it is of.
type run struct {
	cell   Cell
	sample Sample
}

// take runs cells one after the other.
func (m *rounds) take(ctx context.Context, cells []Cell, attempt int32, layout int) (taken []run, err error) {
	for _, c := range cells {
		if m.broken[c.Bench] {
			continue
		}
		at := layout
		if c.Twin {
			at = m.layouts.other(layout)
		}
		if err := m.layouts.from.Use(ctx, at); err != nil {
			return taken, err
		}
		key := c.key()
		s, err := m.first(ctx, c)
		var broken *Broken
		if ctx.Err() != nil {
			return taken, nil
		}
		if errors.As(err, &broken) {
			m.broken[c.Bench] = true
			x := broken.Problem
			if broken.Failed {
				x.Reason += fmt.Sprintf("; at %s with b.N = %d, after %s there", figure.Plural(c.Procs, "processor"), m.n[key], figure.Plural(len(m.s.Samples[key]), "sample"))
			}
			m.s.Problems = append(m.s.Problems, x)
			continue
		}
		if err != nil {
			return taken, err
		}
		m.samples++
		m.timed += s.took()
		s.Round, s.Attempt, s.Layout = m.round, attempt, int32(at)
		taken = append(taken, run{c, s})
		m.progress()
	}
	return taken, nil
}

// first runs a cell once. How many operations make its first sample was guessed from
// the listing, at another GOMAXPROCS, and where goroutines wait by running an operation
// takes a thousand times as long on fewer processors. So they have half of its share,
// and as many as there must be have the rest.
func (m *rounds) first(ctx context.Context, c Cell) (Sample, error) {
	key, share := c.key(), min(m.share, m.left())
	if len(m.walls[key]) > 0 || m.n[key] <= m.atLeast(key) {
		return m.process(ctx, c, share)
	}
	s, err := m.process(ctx, c, share/2)
	if broken := (*Broken)(nil); errors.As(err, &broken) && broken.Hung {
		m.n[key] = m.atLeast(key)
		delete(m.took, key) // which says nothing of so few
		return m.process(ctx, c, share/2)
	}
	return s, err
}

// process runs a cell once, within a share of the budget.
func (m *rounds) process(ctx context.Context, c Cell, share time.Duration) (Sample, error) {
	key := c.key()
	m.r.Wait(Patience(share, m.expected(c)))
	began := m.o.Now()
	s, err := m.r.Run(ctx, c, m.n[key])
	m.took[key] = m.o.Now().Sub(began)
	m.spent += m.took[key]
	m.processes++
	return s, err
}

// key is the cell without the mark of a twin.
func (c Cell) key() Cell {
	c.Twin = false
	return c
}

// look updates the comparisons that have reached a look, corrects for their
// number and decides. Where a run ends is its last look, and judging takes it. A comparison
// whose cells go on for the sake of others is looked at again, and may open
// again: others can make it less sure.
func (m *rounds) look() {
	fresh := false
	for i, c := range m.comparisons {
		x := &m.state[i]
		pairs := m.s.Pairs(c)
		n := len(pairs.Logs)
		if n == x.pairs {
			continue // nothing new
		}
		x.pairs = n
		if m.o.Rule.At(n) {
			x.estimate, x.looked, fresh = m.o.Rule.Surest(pairs, m.o.Bounds), true, true
			if n >= m.o.Rule.Looks[0] {
				x.futile = m.o.Rule.Chance(m.o.Rule.Read(pairs), m.affordablePairs(c.Family, n), m.layouts.most(m), m.o.Bounds) < hopeless
			}
		}
	}
	if fresh {
		m.decide()
	}
}

// decide takes the decisions by the last looks.
func (m *rounds) decide() {
	p := make([]float64, len(m.comparisons))
	for i := range p {
		p[i] = math.NaN()
		if m.state[i].looked {
			p[i] = m.state[i].estimate.P
		}
	}
	adjusted := stats.Adjust(p)
	alpha := m.o.Rule.Error()
	for i := range m.comparisons {
		if x := &m.state[i]; x.looked {
			x.decision = m.o.Bounds.Decide(x.estimate, adjusted[i], alpha)
			x.exhausted = x.decision == stats.Open && x.pairs >= m.o.Rule.Looks[len(m.o.Rule.Looks)-1]
		}
	}
}

// hopeless is the chance of a decision under which the time is better spent on
// other comparisons.
const hopeless = 0.05

// affordablePairs is the number of pairs at the last look that the budget
// allows, for a comparison of family f that has n.
func (m *rounds) affordablePairs(f, n int) int {
	most := n
	if each := m.each(f); each > 0 {
		most = min(n+int(m.left()/each), m.o.Rule.Looks[len(m.o.Rule.Looks)-1])
	}
	for most > n && !m.o.Rule.At(most) {
		most--
	}
	return max(most, n)
}

func (m *rounds) progress() {
	if m.o.Progress == nil {
		return
	}
	looks := m.o.Rule.Looks
	p := Progress{Package: m.s.Package, Round: int(m.round), Rounds: looks[len(looks)-1], All: len(m.comparisons), Samples: m.samples}
	for _, s := range m.state {
		if !s.open() {
			p.Decided++
		}
	}
	for _, n := range m.s.Dropped {
		p.Dropped += n
	}
	p.Left = max(0, m.left())
	// A comparison that misses pairs goes on after the last of the planned rounds.
	if m.last > 0 && p.Round <= p.Rounds {
		p.Left = min(p.Left, time.Duration(p.Rounds-p.Round+1)*m.last)
	}
	m.o.Progress(p)
}

// String names the cell as benchmark tools do.
func (c Cell) String() string { return fmt.Sprintf("%s-%d", c.Bench, c.Procs) }
