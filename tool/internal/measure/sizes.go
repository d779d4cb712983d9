package measure

import (
	"cmp"
	"math"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/stats"
)

// Calibrate puts a sample that says how many operations others should have in its
// place.
func (s *Series) Calibrate(c Cell, sample Sample) {
	if s.Calibration == nil {
		s.Calibration = map[Cell][]Sample{}
	}
	s.Calibration[c] = append(s.Calibration[c], sample)
}

// A Size is what the number of operations does to the time of one.
type Size struct {
	N     int64   // operations of a sample
	Fixed float64 // ns of a run that do not grow with their number; 0 if none are seen
	Each  float64 // ns of an operation without them; 0 if they are all that is seen
	// Open says that samples should have had more operations for the time of one to
	// settle, and that there was no time for it. Off is the logarithm of how many
	// times as long an operation takes in samples that are long enough, by the sizes
	// that were tried; NaN if they do not tell.
	Open bool
	Off  float64
	// Power is that of the number of operations with which one takes longer; 0 if it
	// does not.
	Power float64
}

// Size returns what samples of several sizes say of a cell, and false if all had one, and
// nothing else tells.
func (s *Series) Size(c Cell) (Size, bool) {
	z, ok := s.timed(c)
	if !z.Open && z.Fixed == 0 && s.setUp(c, z.N) > 2*fixedShare {
		z.Open, z.Off, ok = true, math.NaN(), true
	}
	return z, ok
}

const (
	// What an allocation and a byte of it take at least, in ns: objects that lie in
	// caches, and memory that is cleared at 10 GB/s.
	allocating, clearing = 20, 0.1
)

// setUp is what share of the time of samples of n operations goes, at least, to what a
// run allocates once, however many operations it has. Counts of allocations do not scatter
// as times do, so that two runs tell, of which one has twice as many operations. With
// fewer, a map or a slice that grows by doubling would look like one that does not grow.
func (s *Series) setUp(c Cell, n int64) float64 {
	var few, many Sample
	for _, x := range slices.Concat(s.Calibration[c], s.Samples[c]) {
		if few.N == 0 || x.N < few.N {
			few = x
		}
		if x.N > many.N {
			many = x
		}
	}
	if few.N == 0 || many.N < 2*few.N {
		return 0
	}
	fixed := func(of func(Sample) float32) float64 {
		a, b := float64(of(few))*float64(few.N), float64(of(many))*float64(many.N)
		each := max(0, (b-a)/float64(many.N-few.N))
		return max(0, a-each*float64(few.N))
	}
	usual, _, _ := s.tries(c, n)
	took := usual.wall() * float64(n)
	if !(took < 0.9*float64(whole)) { // as long as those of go test, or none
		return 0
	}
	return (allocating*fixed(func(x Sample) float32 { return x.Allocs }) + clearing*fixed(func(x Sample) float32 { return x.Bytes })) / took
}

// timed is Size by what runs took.
func (s *Series) timed(c Cell) (Size, bool) {
	sizes := s.sizes(c)
	z := Size{N: s.usual(c)}
	if len(sizes) < 2 {
		if first, ok := s.unsized(c, z.N); ok {
			sizes = append([]tried{first}, sizes...)
		}
	}
	if len(sizes) == 0 {
		return z, false
	}
	first, last := sizes[0], sizes[len(sizes)-1]
	if z.N == 0 {
		z.N = last.n
	}
	z.Each = last.wall()
	if len(sizes) == 1 {
		// Nothing tells its operations from the set-up.
		l, listed := s.listed(c.Bench)
		if listed && l.Setup && z.Each*float64(z.N) < 0.9*float64(whole) {
			z.Open, z.Off = true, math.NaN()
		}
		return z, z.Open
	}
	before := sizes[len(sizes)-2]
	// The line through the smallest and the largest size: what is beside the slope is
	// fixed, if operations take the less of it the more there are. It may bend, where
	// what runs once grows at first: then the last two say more.
	if first.moved(last) && first.wall() > last.wall() {
		z.Each = first.slope(last)
		if before.moved(last) && before.wall() > last.wall() {
			z.Each = min(z.Each, before.slope(last))
		}
		z.Fixed = (last.wall() - z.Each) * float64(last.n)
	}
	if first.moved(last) && first.wall() < last.wall() {
		z.Power = first.power(last)
	}
	wall := last.wall()
	if z.Fixed > 0 {
		wall = z.Each + z.Fixed/float64(z.N)
	}
	sample := wall * float64(z.N)
	if sample >= 0.9*float64(whole) {
		return z, true // as long as those of go test
	}
	switch {
	case z.Fixed > 2*fixedShare*sample:
		z.Open, z.Off = true, math.NaN()
		if len(sizes) > 2 && math.Abs(math.Log(first.slope(before)/before.slope(last))) < math.Log(straight) {
			z.Off = math.Log(z.Each / wall)
		}
	case z.Fixed == 0 && before.moved(last) && 2*z.N < 3*last.n:
		z.Open, z.Off = true, math.Log(last.wall()/before.wall()) // the step that it takes once more
		if p := before.power(last); p > 0 {
			z.Off = max(z.Off, p*math.Log(asked(z.N, wall, p)/float64(z.N)))
		}
	}
	s.longer(c, &z)
	return z, true
}

// asked is how many operations go test runs in its second of a benchmark whose
// operation takes a time wall among n, and longer as the power p of their number. It
// asks for what would take a second and a fifth at the pace of the run before, but for
// no more than a hundred times as many: with a power of one the last run may take half
// a minute.
func asked(n int64, wall, p float64) float64 {
	for some := 1.0; ; {
		took := wall * some * math.Pow(some/float64(n), p)
		if !(took < float64(whole)) || some >= 1e9 {
			return some
		}
		some = min(max(1.2*float64(whole)/took*some, some+1), 100*some, 1e9)
	}
}

// longer adds what longer samples say that were tried of a cell than it has, and which
// are off those by more than chance. What holds one up has the effect of a cost that
// grows: of two the quicker counts for that, of one nothing does, and a phase in which
// the short ones beside it were slow as well is none.
func (s *Series) longer(c Cell, z *Size) {
	usual, beside, long := s.tries(c, z.N)
	here := usual.wall()
	if len(usual.walls) < settled || len(long.walls) == 0 || here*float64(z.N) >= 0.9*float64(whole) {
		return
	}
	slow, level := long.wall(), here
	if len(long.walls) < agree {
		slow = slices.Min(long.walls)
	}
	if len(beside.walls) > 0 {
		level = max(here, beside.wall())
	}
	if step := math.Log(slow / level); len(long.walls) > 1 && step > usual.chance(long) {
		if p := step / math.Log(float64(long.n)/float64(z.N)); p > growing {
			step = max(step, p*math.Log(asked(z.N, here, p)/float64(z.N)))
		}
		z.reach(step)
	}
	looked := len(long.walls) > 1 || len(beside.walls) > 0 // for, and not the first of its code
	if step := math.Log(long.wall() / here); looked && step < -usual.chance(long) {
		z.reach(2 * step) // and once more
	}
}

// tries are the samples of about n operations, those of as many that were tried, and the
// longest that were and that others did not disturb.
func (s *Series) tries(c Cell, n int64) (usual, beside, long tried) {
	usual.n = n
	for _, x := range s.Samples[c] {
		if like(x.N, n) {
			usual.walls = append(usual.walls, x.Wall)
		}
	}
	for _, x := range s.Calibration[c] {
		if like(x.N, n) {
			beside.walls = append(beside.walls, x.Wall)
		}
		if 2*x.N >= 3*n && x.N >= long.n && x.Disturbed() == "" {
			if x.N > long.n {
				long = tried{n: x.N}
			}
			long.walls = append(long.walls, x.Wall)
		}
	}
	return usual, beside, long
}

// reach makes Off so much, if it is less.
func (z *Size) reach(off float64) {
	if !z.Open || math.Abs(off) > math.Abs(z.Off) {
		z.Open, z.Off = true, off
	}
}

// like reports whether samples of so many operations are of one size.
func like(n, m int64) bool { return 3*n > 2*m && 2*n < 3*m }

// chance is how far the times of a larger size may be off those of t, a logarithm, by
// chance or without being of account. There are so many of t that they say how far
// apart samples lie.
func (t tried) chance(more tried) float64 {
	k, m := float64(len(t.walls)), float64(len(more.walls))
	return max(unlikely*t.scatter()*math.Sqrt(1/k+1/m), least(t.n, more.n))
}

// scatter is the standard deviation of the logarithms of at least two times.
func (t tried) scatter() float64 {
	sum, squares, k := 0.0, 0.0, float64(len(t.walls))
	for _, w := range t.walls {
		x := math.Log(w / t.wall())
		sum, squares = sum+x, squares+x*x
	}
	return math.Sqrt(max(0, squares-sum*sum/k) / (k - 1))
}

const (
	// unlikely is how many standard errors are no chance.
	unlikely = 3
	// growing is a power of the number of operations that goes on: what caches and
	// growing maps cost stays below.
	growing = 0.3
)

// straight is how far apart the slopes of one line may be. What is not spent once but
// with the first operations (shards that are made when they are used, a heap that
// fills) bends it, and two points are always on one.
const straight = 1.5

// tried are samples of about one number of operations.
type tried struct {
	n     int64
	walls []float64
	usual bool // those that the verdict is of
}

func (t tried) wall() float64 { return stats.Median(t.walls) }

// slope is the time of the operations that more has beside those of t.
func (t tried) slope(more tried) float64 {
	return max(0, (more.wall()*float64(more.n)-t.wall()*float64(t.n))/float64(more.n-t.n))
}

// power is that of the number of operations with which one takes longer.
func (t tried) power(more tried) float64 {
	return math.Log(more.wall()/t.wall()) / math.Log(float64(more.n)/float64(t.n))
}

// moved reports whether there are enough of them to say that it does. A larger size
// that was looked for may be one sample; one that came about when the listing guessed
// wrong was the first of its code, and says nothing alone.
func (t tried) moved(more tried) bool {
	return len(t.walls) >= agree && (!t.usual || len(more.walls) >= agree) && moved(t, more) && t.differ(more)
}

// sizes returns what was tried of a cell, from few operations to many: its
// calibration, and its samples where their sizes are others.
func (s *Series) sizes(c Cell) (sizes []tried) {
	seen := map[int64]bool{}
	for _, x := range s.Calibration[c] {
		if !seen[x.N] {
			seen[x.N] = true
			sizes = append(sizes, tried{n: x.N, walls: s.walls(c, x.N)})
		}
	}
	if usual := s.usual(c); usual > 0 && !slices.ContainsFunc(sizes, func(t tried) bool { return 2*t.n > usual && t.n < 2*usual }) {
		t := tried{n: usual, usual: true}
		for _, x := range s.Samples[c] {
			if like(x.N, usual) {
				t.walls = append(t.walls, x.Wall)
			}
		}
		sizes = append(sizes, t)
	}
	slices.SortFunc(sizes, func(a, b tried) int { return cmp.Compare(a.n, b.n) })
	return sizes
}

// usual is how many operations the samples of a cell have; 0 without any.
func (s *Series) usual(c Cell) int64 {
	n := make([]float64, len(s.Samples[c]))
	for i, x := range s.Samples[c] {
		n[i] = float64(x.N)
	}
	if len(n) == 0 {
		return 0
	}
	return int64(stats.Median(n))
}

// unsized is the run of one operation before each sample, of a cell with samples of n
// operations, whose size was not looked for. The first may take longer than others do,
// so there have to be several beside it.
func (s *Series) unsized(c Cell, n int64) (tried, bool) {
	t := tried{n: 1}
	for _, x := range slices.Concat(s.Calibration[c], s.Samples[c]) {
		if x.First > 0 {
			t.walls = append(t.walls, float64(x.First))
		}
	}
	return t, n >= turns && len(t.walls) >= agree
}
