package measure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A Runner runs code: n operations of one cell in a process of its own. It is
// the one door to running code; a simulation stands behind it as well.
// An error that wraps a [discover.Problem]-carrying [*Broken] takes the
// benchmark out of the run; any other error ends the run.
type Runner interface {
	Run(ctx context.Context, c Cell, n int64) (Sample, error)
}

// Broken says that a benchmark cannot be measured, and why.
type Broken struct{ Problem discover.Problem }

func (b *Broken) Error() string { return b.Problem.String() }

// A Listed is a leaf benchmark as the listing found it, with first guesses in
// ns: of the time per operation, and of that time with all that is not timed.
type Listed struct {
	Name         string
	PerOp, Whole float64
}

// Options steer the rounds. The zero value of each field has a default.
type Options struct {
	Sample   time.Duration // wanted length of a sample's timed region; default: from 50ms down to 10ms, to fit 24 rounds in the budget
	Budget   time.Duration // default 2 minutes
	Rule     stats.Rule
	Bounds   stats.Bounds
	Seed     uint64
	Capacity map[int]float64                           // cores really given by Procs, from the capacity probe
	Progress func(Progress)                            // called after each sample; must return soon
	Record   func(c Cell, s Sample, drop string) error // called for each sample, kept (drop "") or dropped
	Now      func() time.Time                          // default time.Now
	Spent    time.Duration                             // of the budget, before the rounds
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

const (
	maxRounds  = 10000                 // more than any budget holds: a runner whose clock stands still must end, too
	wanted     = 24                    // rounds that the budget should hold
	shortest   = 10 * time.Millisecond // sample, unless a shorter one is asked for
	settle     = 8                     // rounds after which the numbers of operations stay
	alike      = 1.35                  // cells whose times differ by less run as many operations
	untimed    = 3                     // processes may take this many times the length of their sample
	repeats    = 3                     // runs of one sample while the machine is not free
	gotShare   = 0.9                   // of what the cell usually gets
	stealShare = 0.05                  // of the machine
)

// rounds is one run of the schedule.
type rounds struct {
	s           *Series
	r           Runner
	o           Options
	rng         *rand.Rand
	comparisons []Comparison
	decision    []stats.Decision
	estimate    []stats.Estimate
	looked      []bool // estimate holds a look
	exhausted   []bool // the last look has passed
	broken      map[string]bool
	n           map[Cell]int64     // operations of the next sample
	whole       map[Cell]float64   // time per operation with what is not timed
	walls       map[Cell][]float64 // times per operation that n is chosen from
	guess       map[string]Listed
	round       int32
	samples     int
	start       time.Time
	last        time.Duration          // duration of the last full round
	cost        map[int]time.Duration  // spent on each family
	took        map[Cell]time.Duration // duration of the cell's last process
	spent       time.Duration          // in processes
}

// Run measures the listed benchmarks of s.Families into s. It returns nil with
// what there is when ctx ends or the budget is spent; an error means that
// recording failed, and s still holds what was measured.
func Run(ctx context.Context, s *Series, listed []Listed, r Runner, o Options) error {
	if s.Dropped == nil {
		s.Dropped = map[string]int{}
	}
	if o.Budget <= 0 {
		o.Budget = 2 * time.Minute
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Bounds == (stats.Bounds{}) {
		o.Bounds = stats.DefaultBounds
	}
	if len(o.Rule.Looks) == 0 {
		o.Rule = stats.DefaultRule
	}
	if o.Sample <= 0 {
		cells := max(1, len(listed)*len(s.Procs))
		o.Sample = min(max((o.Budget-o.Spent)/time.Duration(wanted*cells)-5*time.Millisecond, shortest), 50*time.Millisecond)
	}
	m := &rounds{
		s: s, r: r, o: o,
		rng:         rand.New(rand.NewPCG(o.Seed, 0x9e3779b97f4a7c15)),
		comparisons: Comparisons(s.Families, s.Procs),
		broken:      map[string]bool{},
		n:           map[Cell]int64{},
		walls:       map[Cell][]float64{},
		whole:       map[Cell]float64{},
		guess:       map[string]Listed{},
		cost:        map[int]time.Duration{},
		took:        map[Cell]time.Duration{},
		start:       o.Now(),
	}
	m.decision = make([]stats.Decision, len(m.comparisons))
	m.estimate = make([]stats.Estimate, len(m.comparisons))
	m.looked = make([]bool, len(m.comparisons))
	m.exhausted = make([]bool, len(m.comparisons))
	for _, l := range listed {
		m.guess[l.Name] = l
	}
	err := m.run(ctx)
	s.Cost.Samples = m.spent.Nanoseconds()
	return err
}

func (m *rounds) run(ctx context.Context) error {
	for m.round = 0; ; m.round++ {
		began := m.o.Now()
		if m.round == 1 {
			m.fit()
		}
		if m.round <= settle {
			m.calibrate()
		}
		blocks := m.plan()
		if len(blocks) == 0 || m.round > maxRounds {
			m.s.End = Decided
			if len(blocks) > 0 || slices.Contains(m.exhausted, true) {
				m.s.End = Exhausted
			}
			return nil
		}
		ran := 0
		for _, block := range blocks {
			for _, c := range block.cells {
				left := m.o.Budget - m.o.Spent - m.o.Now().Sub(m.start)
				if m.broken[c.Bench] || m.expected(c) > left {
					continue // one that would not be done in time
				}
				from := m.o.Now()
				err := m.sample(ctx, c)
				m.cost[block.family] += m.o.Now().Sub(from)
				ran++
				switch {
				case ctx.Err() != nil:
					m.s.End = Interrupted
					return nil
				case err != nil:
					m.s.End = Failed
					return err
				}
			}
		}
		if ran == 0 && m.round > 0 {
			m.look(true)
			m.s.End = Budget
			return nil
		}
		m.last = m.o.Now().Sub(began)
		m.look(false)
	}
}

// A block is what a round runs of one family: what is compared stays close in
// time.
type block struct {
	family int
	cells  []Cell
}

// plan returns a round: a block per family, blocks and cells in shuffled
// order, so that of each pair either side comes first with the same chance. A
// cell that no open comparison needs is left out. One cell of the round runs
// twice in a row, for the A/A control; the rounds take turns over the families.
//
// A family that has had its share of the budget waits while others have not:
// one slow benchmark must not take the verdicts of the quick ones.
func (m *rounds) plan() []block {
	need := map[Cell]bool{}
	open := map[int][]Cell{}
	for i, c := range m.comparisons {
		if m.decision[i] != stats.Open || m.exhausted[i] || m.broken[c.New.Bench] || m.broken[c.Base.Bench] {
			continue
		}
		for _, cell := range []Cell{c.Base, c.New} {
			if !need[cell] {
				need[cell] = true
				open[c.Family] = append(open[c.Family], cell)
			}
		}
	}
	share := (m.o.Budget - m.o.Spent) / time.Duration(max(1, len(m.s.Families)))
	hungry := false
	for f := range open {
		hungry = hungry || m.cost[f] < share
	}
	var blocks []block
	for f := range m.s.Families {
		if cells := open[f]; len(cells) > 0 && (!hungry || m.cost[f] < share) {
			m.rng.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
			blocks = append(blocks, block{f, cells})
		}
	}
	if len(blocks) == 0 {
		return nil
	}
	if m.round == 0 {
		for i := range blocks {
			blocks[i].cells = slices.DeleteFunc(blocks[i].cells, func(c Cell) bool { return m.n[c] == 1 })
		}
		return blocks // one operation is a sample: nothing to find, and no twin to compare
	}
	b := &blocks[int(m.round)%len(blocks)]
	k := m.rng.IntN(len(b.cells))
	twin := b.cells[k]
	twin.Twin = true
	if m.rng.IntN(2) == 0 {
		k++ // the twin second as often as first
	}
	b.cells = slices.Insert(b.cells, k, twin)
	m.rng.Shuffle(len(blocks), func(i, j int) { blocks[i], blocks[j] = blocks[j], blocks[i] })
	return blocks
}

// calibrate chooses how many operations make a sample of the wanted length,
// from the median of the times so far or, at first, the listing's guess.
//
// Cells of a family with times alike get the same number, that of the first of
// them. It is tempting to give each its own: a process that runs longer spreads
// its warm-up and the growth of its heap over more operations, and code that
// allocates then comes out some percent faster than itself.
func (m *rounds) calibrate() {
	for _, f := range m.s.Families {
		var chosen []int64
		for _, member := range f.Members {
			for _, procs := range m.s.Procs {
				c := Cell{Bench: member.Bench, Procs: procs}
				g := m.guess[c.Bench]
				n := m.operations(g.PerOp)
				if walls := m.walls[c]; len(walls) > 0 {
					n = m.operations(stats.Median(walls))
					g.Whole = m.whole[c]
				}
				if most := untimed * float64(m.o.Sample); g.Whole*float64(n) > most {
					n = max(1, int64(most/g.Whole)) // much work outside the timer
				}
				same := slices.IndexFunc(chosen, func(x int64) bool {
					return float64(x) < alike*float64(n) && float64(n) < alike*float64(x)
				})
				if same >= 0 {
					n = chosen[same]
				} else {
					chosen = append(chosen, n)
				}
				m.n[c] = n
			}
		}
	}
}

// fit shortens the samples if a round takes too long for the budget: many
// short pairs say more than a few long ones. Samples of one operation cannot
// be shortened and do not count.
func (m *rounds) fit() {
	var round time.Duration
	for c, d := range m.took {
		if m.n[c] > 1 {
			round += d
		}
	}
	left := m.o.Budget - m.o.Spent - m.o.Now().Sub(m.start)
	if share := left / wanted; round > share {
		m.o.Sample = max(time.Duration(float64(m.o.Sample)*float64(share)/float64(round)), min(m.o.Sample, shortest))
	}
}

// expected is how long a process of c will take.
func (m *rounds) expected(c Cell) time.Duration {
	c.Twin = false
	if d, ok := m.took[c]; ok {
		return d
	}
	return time.Duration(max(m.guess[c.Bench].PerOp, m.guess[c.Bench].Whole) * float64(m.n[c]))
}

// sample runs one cell until a sample can be kept.
func (m *rounds) sample(ctx context.Context, c Cell) error {
	key := Cell{Bench: c.Bench, Procs: c.Procs}
	for tries := 1; ; tries++ {
		began := m.o.Now()
		s, err := m.r.Run(ctx, c, m.n[key])
		m.took[key] = m.o.Now().Sub(began)
		m.spent += m.took[key]
		if ctx.Err() != nil {
			return nil
		}
		var broken *Broken
		if errors.As(err, &broken) {
			m.broken[c.Bench] = true
			m.s.Problems = append(m.s.Problems, broken.Problem)
			return nil
		}
		if err != nil {
			return err
		}
		m.samples++
		s.Round = m.round
		drop := Calibration
		if m.round > 0 {
			drop = m.disturbed(key, s)
			if tries == repeats {
				drop = "" // the machine stays like this: keep the last
			}
			if drop != "" {
				m.s.Dropped[drop]++
			}
		}
		if drop == "" || m.round == 0 {
			m.walls[key] = append(m.walls[key], s.Wall)
			m.whole[key] = float64(s.Whole)
		}
		if m.o.Record != nil {
			if err := m.o.Record(c, s, drop); err != nil {
				return err
			}
		}
		if drop == "" {
			m.s.Add(c, s)
		}
		m.progress()
		if drop == "" || m.round == 0 {
			return nil
		}
	}
}

// disturbed says why s should be repeated, or "". A cell is held against what
// it usually gets itself: threads of its own may stand in each other's way.
func (m *rounds) disturbed(c Cell, s Sample) string {
	if s.Steal > stealShare {
		return "steal"
	}
	usual := 1.0
	if cores, ok := m.o.Capacity[c.Procs]; ok {
		usual = min(1, cores/float64(c.Procs))
	}
	if kept := m.s.Samples[c]; len(kept) > 0 {
		recent := kept[max(0, len(kept)-8):]
		got := make([]float64, len(recent))
		for i, k := range recent {
			got[i] = float64(k.Got)
		}
		usual = min(usual, stats.Median(got))
	}
	if float64(s.Got) < gotShare*usual {
		return "other processes"
	}
	return ""
}

// operations is how many of perOp ns make a sample.
func (m *rounds) operations(perOp float64) int64 {
	if !(perOp > 0) {
		return 1
	}
	return int64(min(max(1, math.Round(float64(m.o.Sample)/perOp)), 1e9))
}

// look updates the comparisons that have reached a look, corrects for their
// number and decides. The last look of a run is wherever it ends. A comparison
// whose cells go on for the sake of others is looked at again, and may open
// again: the verdict is taken from the last look it reached.
func (m *rounds) look(end bool) {
	fresh := false
	for i, c := range m.comparisons {
		logs := m.s.LogRatios(c)
		if len(logs) == m.estimate[i].Pairs {
			continue // nothing new
		}
		if m.o.Rule.At(len(logs)) || end && m.decision[i] == stats.Open {
			m.estimate[i], m.looked[i], fresh = m.o.Rule.Estimate(logs), true, true
		}
	}
	if !fresh {
		return
	}
	p := make([]float64, len(m.comparisons))
	for i := range p {
		p[i] = math.NaN()
		if m.looked[i] {
			p[i] = m.estimate[i].P
		}
	}
	adjusted := stats.Adjust(p)
	alpha := m.o.Rule.Alpha
	if alpha == 0 {
		alpha = stats.DefaultRule.Alpha
	}
	for i := range m.comparisons {
		if m.looked[i] {
			m.decision[i] = m.o.Bounds.Decide(m.estimate[i], adjusted[i], alpha)
			m.exhausted[i] = m.decision[i] == stats.Open && m.estimate[i].Pairs >= m.o.Rule.Looks[len(m.o.Rule.Looks)-1]
		}
	}
}

func (m *rounds) progress() {
	if m.o.Progress == nil {
		return
	}
	looks := m.o.Rule.Looks
	p := Progress{Package: m.s.Package, Round: int(m.round), Rounds: looks[len(looks)-1], All: len(m.comparisons), Samples: m.samples}
	for i, d := range m.decision {
		if d != stats.Open || m.exhausted[i] {
			p.Decided++
		}
	}
	for _, n := range m.s.Dropped {
		p.Dropped += n
	}
	p.Left = max(0, m.o.Budget-m.o.Spent-m.o.Now().Sub(m.start))
	if m.last > 0 {
		p.Left = min(p.Left, time.Duration(p.Rounds-p.Round+1)*m.last)
	}
	m.o.Progress(p)
}

// String names the cell as benchmark tools do.
func (c Cell) String() string { return fmt.Sprintf("%s-%d", c.Bench, c.Procs) }
