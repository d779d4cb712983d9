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
	// alternate is how many samples of either size have to agree that it changes.
	alternate = 4
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
// its share of the time. What was tried is in Series.Calibration. Samples of a length
// that was asked for stay as they are.
func (m *rounds) size(ctx context.Context) error {
	if m.asked {
		return nil
	}
	var cells []Cell
	for _, f := range m.families {
		cells = append(cells, f.cells...)
	}
	m.all = max(1, len(cells))
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
	return nil
}

// grow finds the size of c.
func (m *rounds) grow(ctx context.Context, c Cell, share time.Duration) error {
	end := m.o.Now().Add(share)
	n := m.n[c]
	// Not even go test would make two, or there is no time to.
	if took := time.Duration(max(m.guess[c.Bench].PerOp, m.guess[c.Bench].Whole) * float64(n)); took >= whole || 3*took > share {
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
		most := float64(min(end.Sub(m.o.Now()), m.left()/time.Duration(fitting*m.all)))
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
		moved := true
		for k := 1; k <= alternate && moved; k++ { // once it may be noise
			if err := errors.Join(m.calibrated(ctx, c, more, k), m.calibrated(ctx, c, n, k)); err != nil {
				return err
			}
			moved = m.s.moved(c, n, more)
		}
		if !moved {
			break
		}
		n = more
	}
	m.sized(c, n, m.s.at(c, n))
	return nil
}

// once finds the size of a cell most of whose sample of few operations is what runs
// once: with n it takes hardly less time than with more. When operations take as much
// as that, both are known.
func (m *rounds) once(ctx context.Context, c Cell, few, n int64, end time.Time) error {
	first := m.s.at(c, few) * float64(few)
	for {
		took := m.s.at(c, n) * float64(n)
		each := (took - first) / float64(n-few)
		most := min(float64(whole), float64(m.left()/time.Duration(fitting*m.all)))
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
		math.Abs(math.Log(stats.Median(b)/stats.Median(a))) > math.Log1p(fixedShare*(1-float64(few.n)/float64(many.n)))
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
		if x := taken[0]; m.o.Record != nil {
			if err := m.o.Record(x.cell, x.sample, Calibration); err != nil {
				return err
			}
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
