package measure

import (
	"math"
	"slices"
	"testing"
)

// TestSize: what sizes say of a cell.
func TestSize(t *testing.T) {
	const ms = 1e6
	type some struct {
		n     int64
		total float64 // ns of the sample
	}
	for _, tt := range []struct {
		name       string
		tried      []some // each three times
		n          int64  // of the samples
		total      float64
		first      float64 // ns of the run of one operation before each
		setup      bool    // in the source
		open       bool
		off        float64
		fixed, pow float64
	}{
		{name: "a long operation", n: 10, total: 50 * ms, first: 5 * ms},
		{name: "a long operation, the first of which finds its memory cold", n: 10, total: 50 * ms, first: 12 * ms, fixed: 7.8 * ms}, // not enough of it to matter
		{name: "a set-up each time", n: 16, total: 34 * ms, first: 30 * ms, open: true, off: math.NaN(), fixed: 30 * ms},
		{name: "half of it is set-up", n: 16, total: 34 * ms, first: 19 * ms, open: true, off: math.NaN(), fixed: 18 * ms},
		{name: "the first takes longer than all others", n: 16, total: 34 * ms, first: 100 * ms, open: true, off: math.NaN(), fixed: 34 * ms},
		{name: "too few to tell", n: 4, total: 40 * ms, first: 30 * ms},
		{name: "too few to tell, with a set-up", n: 4, total: 40 * ms, setup: true, open: true, off: math.NaN()},
		{name: "a second is what go test makes", n: 1, total: 950 * ms, setup: true},
		{name: "settled, with a set-up", tried: []some{{100, 50 * ms}, {800, 400 * ms}}, n: 100, total: 50 * ms, first: 40 * ms, setup: true},
		{name: "a line", tried: []some{{16, 36 * ms}, {64, 84 * ms}, {128, 148 * ms}}, n: 128, total: 148 * ms, open: false, fixed: 20 * ms},
		{name: "a line, of which more is fixed", tried: []some{{16, 76 * ms}, {64, 124 * ms}, {128, 188 * ms}}, n: 128, total: 188 * ms, open: true, off: math.Log(128 / 188.), fixed: 60 * ms},
		{name: "two points of a curve", tried: []some{{16, 87 * ms}, {99, 125 * ms}}, n: 99, total: 125 * ms, open: true, off: math.NaN(), fixed: 80 * ms},
		// What runs once is larger where more run, until it is not.
		{name: "the line bends", tried: []some{{16, 17 * ms}, {128, 44 * ms}, {511, 44.4 * ms}}, n: 511, total: 44.4 * ms, open: true, off: math.NaN(), fixed: 44 * ms},
		// The samples are larger than what was tried.
		{name: "samples say it too", tried: []some{{16, 17 * ms}}, n: 512, total: 17.5 * ms, open: true, off: math.NaN(), fixed: 17 * ms},
		// 1 ms for the square of ten: of 100 go test sees 100 ms, and asks for 1200.
		{name: "as the square", tried: []some{{10, 1 * ms}, {40, 16 * ms}}, n: 40, total: 16 * ms, open: true, off: math.Log(1200 / 40.), pow: 1},
	} {
		c := variant("b", 1)
		s := &Series{Samples: map[Cell][]Sample{}, Listed: []Listed{{Name: c.Bench, Setup: tt.setup}}}
		for _, x := range tt.tried {
			for range agree {
				s.Calibrate(c, Sample{N: x.n, Wall: x.total / float64(x.n)})
			}
		}
		for range 8 {
			s.Samples[c] = append(s.Samples[c], Sample{N: tt.n, Wall: tt.total / float64(tt.n), First: float32(tt.first)})
		}
		z, _ := s.Size(c)
		same := z.Off == tt.off || math.IsNaN(z.Off) && math.IsNaN(tt.off) || math.Abs(z.Off-tt.off) < 0.02
		if z.N != tt.n || z.Open != tt.open || !same || math.Abs(z.Fixed-tt.fixed) > 0.02*tt.fixed+0.2*ms || math.Abs(z.Power-tt.pow) > 0.01 {
			t.Errorf("%s: %+v, want of %d operations, open %t by %.3g, %.3g ns fixed, power %g", tt.name, z, tt.n, tt.open, tt.off, tt.fixed, tt.pow)
		}
	}
}

// TestLonger: longer samples that were tried count where they are off the usual ones by
// more than these scatter, as far as a few can say.
func TestLonger(t *testing.T) {
	quiet := []float64{100, 101, 99, 100, 102, 98, 100, 101, 99, 100}
	modes := []float64{12, 13, 12, 38, 13, 12, 40, 12, 13, 12, 12, 13} // no size is beyond all of these
	for _, tt := range []struct {
		name      string
		usual     []float64 // ns an operation, of a million
		long      []float64 // of eight million
		disturbed bool
		open      bool
		off       float64
	}{
		{"no others", quiet, nil, false, false, 0},
		{"alike", quiet, []float64{104, 97}, false, false, 0},
		{"two that are quicker", quiet, []float64{85, 87}, false, true, 2 * math.Log(.86)},
		{"the first of its code", quiet, []float64{85}, false, false, 0},
		{"one that is slower was held up", quiet, []float64{150}, false, false, 0},
		{"one of two was", quiet, []float64{150, 103}, false, false, 0},
		{"two that are slower", quiet, []float64{115, 120}, false, true, math.Log(1.15)},
		{"three, one of which was held up", quiet, []float64{115, 180, 112}, false, true, math.Log(1.15)},
		{"others disturbed them", quiet, []float64{115, 120}, true, false, 0},
		{"two modes, and slower", modes, []float64{40, 38, 41}, false, true, math.Log(40/12.5) * math.Log(9.55e7/1e6) / math.Log(8)}, // go test asks for 95 million
		{"two modes, and not sure", modes, []float64{16, 18}, false, false, 0},
		{"too few to tell how far apart they lie", quiet[:7], []float64{85, 86}, false, false, 0},
	} {
		var long []Sample
		for _, w := range tt.long {
			x := Sample{N: 8e6, Wall: w}
			if tt.disturbed {
				x.Others = 0.3
			}
			long = append(long, x)
		}
		s := sampled(tt.usual, long...)
		z := Size{N: 1e6}
		s.longer(variant("b", 1), &z)
		if z.Open != tt.open || math.Abs(z.Off-tt.off) > 0.01 {
			t.Errorf("%s: open %t by %.3g, want %t by %.3g", tt.name, z.Open, z.Off, tt.open, tt.off)
		}
	}
	for _, tt := range []struct {
		name string
		s    *Series
		open bool
		off  float64
	}{
		{"one that was looked for", sampled(quiet, Sample{N: 1e6, Wall: 97}, Sample{N: 8e6, Wall: 85}), true, 2 * math.Log(.85)},
		{"a phase in which short ones are slow as well", sampled(quiet, Sample{N: 1e6, Wall: 112}, Sample{N: 8e6, Wall: 115}, Sample{N: 8e6, Wall: 115}), false, 0},
		{"as much as a second, which go test makes no longer", sampled(slices.Repeat([]float64{950}, 10), Sample{N: 8e6, Wall: 400}), false, 0},
	} {
		if z, _ := tt.s.Size(variant("b", 1)); z.Open != tt.open || math.Abs(z.Off-tt.off) > 1e-9 {
			t.Errorf("%s: open %t by %.3g, want %t by %.3g", tt.name, z.Open, z.Off, tt.open, tt.off)
		}
	}
}

// sampled is a series of b with samples of a million operations, and others that were
// tried.
func sampled(usual []float64, tried ...Sample) *Series {
	c := variant("b", 1)
	s := &Series{Samples: map[Cell][]Sample{}}
	for _, w := range usual {
		s.Samples[c] = append(s.Samples[c], Sample{N: 1e6, Wall: w})
	}
	for _, x := range tried {
		s.Calibrate(c, x)
	}
	return s
}

// TestAsked: of a cost that does not grow go test runs a second and a fifth; where it
// grows with their number, as many as a hundred times those of the run before.
func TestAsked(t *testing.T) {
	for _, tt := range []struct {
		n             int64
		wall, p, want float64
	}{
		{1e6, 50, 0, 1.2 * 1e9 / 50}, {7, 3e9, 0, 1}, {1e3, 1e-3, 0, 1e9},
		{406, 123e3, 1, 1e4}, // mcache's Normal4096Parallel: 3 ms an operation by hand
	} {
		if got := asked(tt.n, tt.wall, tt.p); math.Abs(got/tt.want-1) > 0.01 {
			t.Errorf("%d operations of %v ns, as the power %v: %v, want %v", tt.n, tt.wall, tt.p, got, tt.want)
		}
	}
}

// TestSetUp: what is allocated once, however many operations there are, says that samples
// are mostly of it, though their times scatter too much to tell.
func TestSetUp(t *testing.T) {
	const ms = 1e6
	for _, tt := range []struct {
		name           string
		many           int64   // operations of the larger samples, beside 16
		allocs, each   float64 // once, and for each operation
		bytes, eachByt float64
		total          float64 // ns of a sample of either size
		open           bool
	}{
		{"shards that are made each time", 45, 115_000, 0.1, 58e6, 3, 30 * ms, true},
		{"the same with few of them", 45, 1_000, 0.1, 58e4, 3, 30 * ms, false},
		{"each operation allocates", 45, 0, 7000, 0, 3.6e6, 30 * ms, false},
		{"both do", 45, 115_000, 500, 58e6, 3.6e5, 30 * ms, true},
		{"sizes that are too much alike", 20, 115_000, 0.1, 58e6, 3, 30 * ms, false},
		{"samples of a second", 45, 115_000, 0.1, 58e6, 3, 950 * ms, false},
	} {
		s := &Series{Samples: map[Cell][]Sample{}}
		c := Cell{Bench: "X", Procs: 1}
		add := func(n int64) Sample {
			k := float64(n)
			return Sample{N: n, Wall: tt.total / k, Allocs: float32(tt.allocs/k + tt.each), Bytes: float32(tt.bytes/k + tt.eachByt)}
		}
		s.Calibrate(c, add(16))
		for range 5 {
			s.Samples[c] = append(s.Samples[c], add(tt.many))
		}
		z, ok := s.Size(c)
		if z.Open != tt.open || z.Open && (!ok || !math.IsNaN(z.Off)) {
			t.Errorf("%s: %+v, %t, want open %t", tt.name, z, ok, tt.open)
		}
	}
}
