package measure

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/gopayoff/payoff/tool/internal/stats"
)

const (
	// whole is as long as a sample has to be: what go test makes of a benchmark.
	whole = time.Second
	// fixedShare is the part of a sample that may be of what runs once.
	fixedShare = 0.09
	// longer is how much longer the next sample is that is tried.
	longer = 8
	// sizing is the part of the budget that it may take to find the sizes.
	sizing = 0.25
	// fitting is how many rounds of all cells the budget has to hold.
	fitting = 10
	// alternate is how many samples there are of either size at most.
	alternate = 5
	// agree is how many samples of a size say anything against a larger one: one may
	// have been held up.
	agree = 3
	// turns is how many operations RunParallel makes at least on each processor:
	// with one there is nothing to share.
	turns = 8
)

// size makes samples so long that the time of an operation does not change with
// their number: what runs once whatever b.N is (set-up, teardown, caches and pools
// that are cold, a heap that grows) is then no part of it, as it is no part of what
// go test finds in a second. It is tempting to take a few operations for a sample
// where they seem to be long: they may be one operation with its set-up.
//
// Each cell runs with more operations until two sizes agree, a second is reached, or
// its share of the time. It is tempting to go on only where they surely differ: few
// samples that scatter never do, and a map of one shard stayed at 9,000 operations for
// 2.6 µs each where a second has 5. What was tried is in Series.Calibration. Samples of a
// length that was asked for stay as they are.
func (m *rounds) size(ctx context.Context) error {
	if m.asked {
		return nil
	}
	var cells []Cell
	for _, f := range m.families {
		cells = append(cells, f.cells...)
	}
	m.all = max(1, len(cells))
	for _, c := range cells {
		if m.long(c) {
			m.reserve += time.Duration(m.firstLook()) * m.expected(c)
			m.all = max(1, m.all-1)
		}
	}
	m.rng.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
	for i, c := range cells {
		began := m.o.Now()
		share := min(time.Duration(sizing*float64(m.o.Budget-m.o.Spent))/time.Duration(len(cells)), m.left()/2/time.Duration(len(cells)-i))
		if err := m.grow(ctx, c, share); err != nil || ctx.Err() != nil {
			return err
		}
		for f := range m.families {
			if slices.Contains(m.families[f].cells, c) {
				spent := m.o.Now().Sub(began)
				m.families[f].cost += spent
				m.families[f].calibration += spent
			}
		}
	}
	m.level()
	return nil
}

// level gives both sides of a comparison samples of one length where either has longer
// ones than it began with, as go test gives each of them a second: a cost that depends
// on the number of operations is then at the same point on both. What was tried and took
// longer than that stays.
func (m *rounds) level() {
	length := func(c Cell) float64 { return m.walls[c][0] * float64(m.least[c]) }
	for again := true; again; {
		again = false
		for _, x := range m.comparisons {
			for _, side := range [][2]Cell{{x.New, x.Base}, {x.Base, x.New}} {
				c, to := side[1], side[0]
				if m.least[c] == 0 || m.least[to] <= m.n[to] || 2*length(c) > length(to) {
					continue
				}
				over := slices.ContainsFunc(m.s.Calibration[c], func(s Sample) bool { return s.N > m.least[c] && float64(s.took()) > length(to) })
				if !over {
					wall := m.walls[c][0]
					m.sized(c, int64(math.Ceil(length(to)/wall)), wall)
					again = true
				}
			}
		}
	}
}

// grow finds the size of c.
func (m *rounds) grow(ctx context.Context, c Cell, share time.Duration) error {
	end := m.o.Now().Add(share)
	n := m.n[c]
	if m.long(c) || 3*m.guessed(c) > share || n > m.atLeast(c) && len(m.walls[c]) == 0 { // or there is no time to, or was none
		return nil
	}
	per := func(n int64) float64 { return m.s.at(c, n) * float64(n) } // sample
	if 2*float64(m.o.Sample) < per(n) {                               // the listing guessed wrong
		if err := m.calibrated(ctx, c, n, agree); err != nil {
			return err
		}
		if fits := float64(m.o.Sample) / per(n); fits < 0.5 {
			n = max(1, int64(fits*float64(n)))
		}
	}
	for {
		if err := m.calibrated(ctx, c, n, 1); err != nil {
			return err
		}
		took := per(n)
		if !(took > 0 && took < float64(whole)) {
			break
		}
		// The sample has to fit, if all of it grows, and rounds of them into the budget.
		most := float64(min(end.Sub(m.o.Now()), m.most()))
		more := min(longer*n, int64(min(float64(whole), most)*float64(n)/took))
		if more <= n {
			break
		}
		if err := m.calibrated(ctx, c, more, 1); err != nil {
			return err
		}
		if per(more) > max(1.5*most, took) { // it grows faster than that
			if err := m.calibrated(ctx, c, n, agree); err != nil {
				return err
			}
			break
		}
		if longer*n == more && per(more) < 2*took {
			// So it is too where something else held up a sample of few.
			if err := m.calibrated(ctx, c, n, agree); err != nil {
				return err
			}
			if per(more) < 2*per(n) && m.s.moved(c, n, more) {
				return m.once(ctx, c, n, more, end)
			}
		}
		differ := true
		for k := 1; k <= alternate && differ; k++ { // once it may be noise
			if err := errors.Join(m.calibrated(ctx, c, more, k), m.calibrated(ctx, c, n, k)); err != nil {
				return err
			}
			differ = tried{n: n, walls: m.s.walls(c, n)}.differ(tried{n: more, walls: m.s.walls(c, more)})
		}
		if !differ {
			break
		}
		n = more
	}
	m.sized(c, n, m.s.at(c, n))
	return nil
}

// long reports whether not even go test would make longer samples of c.
func (m *rounds) long(c Cell) bool { return m.guessed(c) >= whole }

// guessed is how long a sample of c takes by what the listing says.
func (m *rounds) guessed(c Cell) time.Duration {
	return time.Duration(max(m.guess[c.Bench].PerOp, m.guess[c.Bench].Whole) * float64(m.n[c]))
}

// most is how long a sample may be, for the budget to hold rounds of those that can be
// made longer, and the first look at the others.
func (m *rounds) most() time.Duration { return (m.left() - m.reserve) / time.Duration(fitting*m.all) }

// once finds the size of a cell most of whose sample of few operations is what runs
// once: with n it takes hardly less time than with more. When operations take as much
// as that, both are known.
func (m *rounds) once(ctx context.Context, c Cell, few, n int64, end time.Time) error {
	first := m.s.at(c, few) * float64(few)
	for {
		took := m.s.at(c, n) * float64(n)
		each := (took - first) / float64(n-few)
		most := float64(min(whole, m.most()))
		if !(took < 2*first && took < most && m.o.Now().Before(end)) {
			if fixed := first - each*float64(few); each > 0 && fixed > 0 {
				n = max(n, min(int64(fixed*(1/fixedShare-1)/each), int64((most-fixed)/each)))
				m.sized(c, n, each+fixed/float64(n))
			}
			return nil
		}
		n *= longer
		if err := m.calibrated(ctx, c, n, 1); err != nil || math.IsNaN(m.s.at(c, n)) {
			return err
		}
	}
}

// sized makes n the least number of operations of a sample of c.
func (m *rounds) sized(c Cell, n int64, wall float64) {
	if wall > 0 {
		m.least[c], m.walls[c] = n, []float64{wall}
		m.took[c] = time.Duration(wall*float64(n)) + m.startup()
	}
}

// moved reports whether an operation surely takes another time in samples of more
// operations than of n: all of the one are beyond all of the other.
func (s *Series) moved(c Cell, n, more int64) bool {
	return moved(tried{n: n, walls: s.walls(c, n)}, tried{n: more, walls: s.walls(c, more)})
}

func moved(few, many tried) bool {
	a, b := few.walls, many.walls
	return len(a) > 0 && len(b) > 0 && (slices.Max(b) < slices.Min(a) || slices.Min(b) > slices.Max(a)) &&
		math.Abs(math.Log(stats.Median(b)/stats.Median(a))) > least(few.n, many.n)
}

// differ reports whether samples of more operations are worth their time, as far as so
// many of either tell: an operation seems to take another time in them, or they scatter
// far less.
func (t tried) differ(more tried) bool {
	off := math.Abs(math.Log(more.wall() / t.wall()))
	if len(t.walls) < agree || len(more.walls) < agree {
		return off > 2*least(t.n, more.n)/3
	}
	k, m := float64(len(t.walls)), float64(len(more.walls))
	one, other := t.scatter()*t.scatter(), more.scatter()*more.scatter()
	beyond := perhaps
	if len(t.walls) >= alternate && len(more.walls) >= alternate {
		beyond = surely
	}
	return off > max(least(t.n, more.n), beyond*math.Sqrt(one/k+other/m)) || one > saves*other*float64(more.n)/float64(t.n)
}

const (
	// perhaps and surely are standard errors by which two sizes seem to differ: at
	// first, and when there are to be no more samples.
	perhaps, surely = 1.5, 3.0
	// saves is how many times the variance longer samples have to save for their time.
	saves = 4
)

// least is the least difference between samples of few and of many operations that
// counts, a logarithm.
func least(few, many int64) float64 {
	return math.Log1p(fixedShare * (1 - float64(few)/float64(many)))
}

// at is the time per operation in the calibration samples of n operations; NaN
// without any.
func (s *Series) at(c Cell, n int64) float64 { return stats.Median(s.walls(c, n)) }

func (s *Series) walls(c Cell, n int64) (walls []float64) {
	for _, x := range s.Calibration[c] {
		if x.N == n {
			walls = append(walls, x.Wall)
		}
	}
	return walls
}

// calibrated takes samples of n operations until there are so many that say how many
// operations others should have.
func (m *rounds) calibrated(ctx context.Context, c Cell, n int64, samples int) error {
	defer func(before int64) { m.n[c] = before }(m.n[c])
	for m.n[c] = n; len(m.s.walls(c, n)) < samples; {
		taken, err := m.take(ctx, []Cell{c}, 0, 0)
		if err != nil || len(taken) == 0 {
			return err // broken, or at the end
		}
		if err := m.o.Record(c, taken[0].sample, Calibration); err != nil {
			return err
		}
		m.s.Calibrate(c, taken[0].sample)
	}
	return nil
}

// startup is what a process takes beside its timed region.
func (m *rounds) startup() time.Duration {
	return (m.spent - m.timed) / time.Duration(max(1, m.processes))
}

// atLeast is how many operations samples of c have at least.
func (m *rounds) atLeast(c Cell) int64 {
	n := max(1, m.least[c])
	if m.guess[c.Bench].Parallel {
		n = max(n, turns*int64(c.Procs))
	}
	return n
}

// Starts are those that were seen to start goroutines.
func Starts(all []Listed) map[string]bool {
	out := map[string]bool{}
	for _, l := range all {
		if l.Starts || l.Parallel {
			out[l.Name] = true
		}
	}
	return out
}

// listed is what the listing says of a benchmark.
func (s *Series) listed(bench string) (Listed, bool) {
	for _, l := range s.Listed {
		if l.Name == bench {
			return l, true
		}
	}
	return Listed{}, false
}
