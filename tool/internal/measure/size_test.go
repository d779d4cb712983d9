package measure

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"
)

// TestSizes: samples become so long that what runs once is no part of an operation,
// whatever it is; those of code without it stay short.
func TestSizes(t *testing.T) {
	const each = 1e5
	for _, tt := range []struct {
		name    string
		total   func(n float64) float64 // ns of a sample of n operations
		budget  time.Duration
		perOp   float64 // as the listing guesses
		off     float64 // the most by which the time of an operation may be wrong
		longest time.Duration
		fixed   float64 // told, ns
		open    bool
	}{
		{"nothing", func(n float64) float64 { return each * n }, time.Minute, each, 1e-9, 60 * time.Millisecond, 0, false},
		{"set-up of 60 ms", func(n float64) float64 { return 60e6 + each*n }, 2 * time.Minute, 60e6, fixedShare / (1 - fixedShare), 1100 * time.Millisecond, 60e6, false},
		{"set-up of a third", func(n float64) float64 { return 20e6 + each*n }, time.Minute, each, fixedShare / (1 - fixedShare), 1100 * time.Millisecond, 20e6, false},
		{"a set-up of three seconds", func(n float64) float64 { return 3e9 + each*n }, time.Minute, 3e9, math.Inf(1), 4 * time.Second, 0, false},
		{"operations of 200 ms", func(n float64) float64 { return 2e8 * n }, time.Minute, 2e8, 1e-9, 250 * time.Millisecond, 0, false},
		{"operations of two seconds", func(n float64) float64 { return 2e9 * n }, time.Minute, 2e9, 1e-9, 2100 * time.Millisecond, 0, false},
		{"a map that grows", func(n float64) float64 { return each * n * math.Log2(2+n) }, time.Minute, each, 0.4, 1200 * time.Millisecond, 0, false},
		{"no time to settle", func(n float64) float64 { return 300e6 + each*n }, 20 * time.Second, 300e6, math.Inf(1), time.Second, 300e6, true},
	} {
		s, r := setup("X/variant=serial", "X/variant=b")
		s.Procs = []int{1}
		for i := range s.Listed {
			s.Listed[i].PerOp = tt.perOp
		}
		r.link = func(int) error { return nil }
		r.wall = func(c Cell, call int) float64 {
			n := float64(r.n[call])
			return tt.total(n) / n * (1 + 0.01*math.Sin(float64(call*call)))
		}
		if err := Run(t.Context(), s, r.subject(t), Options{Seed: 1, Budget: tt.budget, Now: func() time.Time { return r.now }}); err != nil {
			t.Fatal(err)
		}
		c := variant("b", 1)
		samples := s.Samples[c]
		if len(samples) < 8 {
			t.Errorf("%s: %d samples, end %s", tt.name, len(samples), s.End)
			continue
		}
		last := samples[len(samples)-1]
		truth := tt.total(1e9) / 1e9
		if tt.name == "operations of two seconds" || tt.name == "a set-up of three seconds" {
			if last.N != 1 {
				t.Errorf("%s: %d operations a sample, want one", tt.name, last.N)
			}
			continue
		}
		if off := math.Abs(math.Log(last.Wall / truth)); tt.name != "a map that grows" && off > math.Log1p(tt.off)+0.011 || last.took() > tt.longest {
			t.Errorf("%s: %.4g ns per operation of %d, %v a sample; want %.4g in %v at most", tt.name, last.Wall, last.N, last.took(), truth, tt.longest)
		}
		z, ok := s.Size(c)
		if tt.name != "a map that grows" && !ok || z.N != last.N && ok || math.Abs(z.Fixed-tt.fixed) > 0.1*tt.fixed+5e5 || z.Open != tt.open {
			t.Errorf("%s: size %+v of %v, want %.3g ns fixed, open %t", tt.name, z, s.walls(c, z.N), tt.fixed, tt.open)
		}
	}
}

// TestSizeHeldUp: one sample of few operations that something held up is neither a
// set-up nor a reason for long samples.
func TestSizeHeldUp(t *testing.T) {
	s, r := setup("X/variant=serial", "X/variant=b")
	s.Procs = []int{1}
	seen := map[Cell]bool{}
	r.wall = func(c Cell, call int) float64 {
		n := float64(r.n[call])
		if n > 1 && !seen[c] {
			seen[c] = true
			return 1e5 + 400e6/n
		}
		return 1e5
	}
	if err := Run(t.Context(), s, r.subject(t), Options{Seed: 1, Now: func() time.Time { return r.now }}); err != nil {
		t.Fatal(err)
	}
	c := variant("b", 1)
	if x := s.Samples[c]; len(x) < 8 || x[0].took() > 60*time.Millisecond {
		t.Errorf("%d samples, of %v", len(x), x[0].took())
	}
	if z, _ := s.Size(c); z.Fixed != 0 || z.Open {
		t.Errorf("%+v of a benchmark that was held up once", z)
	}
}

// TestSizesParallel: RunParallel has operations for each processor to draw, however
// long they are.
func TestSizesParallel(t *testing.T) {
	s, r := setup("X/variant=serial", "X/variant=b")
	s.Procs = []int{1, 2}
	for i := range s.Listed {
		s.Listed[i].PerOp, s.Listed[i].Parallel = 4e7, i == 1
	}
	r.wall = func(c Cell, _ int) float64 {
		if c.Bench == s.Listed[1].Name {
			return 4e7 / float64(c.Procs)
		}
		return 4e7
	}
	if err := Run(t.Context(), s, r.subject(t), Options{Seed: 1, Now: func() time.Time { return r.now }}); err != nil {
		t.Fatal(err)
	}
	for procs, least := range map[int]int64{1: 8, 2: 16} {
		for _, x := range s.Samples[variant("b", procs)] {
			if x.N < least {
				t.Fatalf("%d operations of RunParallel on %d, want %d", x.N, procs, least)
			}
		}
		if n := len(s.Samples[variant("b", procs)]); n < 8 {
			t.Errorf("%d samples on %d", n, procs)
		}
	}
}

// TestMoved: sizes differ where all samples of one are beyond all of the other, by
// more than what does not count.
func TestMoved(t *testing.T) {
	for _, tt := range []struct {
		a, b []float64
		want bool
	}{
		{[]float64{100}, []float64{92}, true}, {[]float64{100}, []float64{93}, false},
		{[]float64{100}, []float64{109}, true}, {[]float64{100}, []float64{107}, false},
		{[]float64{100, 120}, []float64{80, 101}, false}, {[]float64{100, 120}, []float64{80, 99}, true},
		{[]float64{100, 120}, []float64{119, 150}, false}, {[]float64{100, 120}, []float64{121, 150}, true},
		{nil, []float64{1}, false}, {[]float64{1}, nil, false},
	} {
		s := new(Series)
		for _, w := range tt.a {
			s.Calibrate(variant("b", 1), Sample{N: 10, Wall: w})
		}
		for _, w := range tt.b {
			s.Calibrate(variant("b", 1), Sample{N: 80, Wall: w})
		}
		if got := s.moved(variant("b", 1), 10, 80); got != tt.want {
			t.Errorf("%v and %v: moved %t, want %t", tt.a, tt.b, got, tt.want)
		}
	}
}

// TestDiffer: longer samples are worth their time where an operation seems to take
// another time in them, or where they scatter far less, as far as so many tell.
func TestDiffer(t *testing.T) {
	for _, tt := range []struct {
		a, b []float64 // ns an operation, of 10 and of 80
		want bool
	}{
		{[]float64{100}, []float64{97}, false}, {[]float64{100}, []float64{95}, true}, // under 9 %, but of one each
		{[]float64{100, 90}, []float64{97, 92}, false},
		{[]float64{100, 101, 99}, []float64{97, 95, 94}, false}, // less than what counts
		{[]float64{100, 101, 99}, []float64{90, 88, 91}, true},
		{[]float64{100, 140, 80}, []float64{115, 90, 135}, false}, // it may be noise
		{[]float64{2793, 2444, 4430}, []float64{5090, 4876, 4550}, true},
		{[]float64{8.6, 77.8, 9.1}, []float64{28.6, 30, 29}, true},                   // by the median, and each alone
		{[]float64{29, 77.8, 9.1}, []float64{28.6, 30, 29}, true},                    // two modes, of which long samples have the mean
		{[]float64{29, 41, 22}, []float64{25, 31, 37}, false},                        // no less scatter than short ones have
		{[]float64{100, 140, 80, 95, 105}, []float64{135, 150, 120, 170, 95}, false}, // after five by three standard errors
		{[]float64{100, 110, 90, 95, 105}, []float64{135, 150, 140, 170, 145}, true},
	} {
		if got := (tried{n: 10, walls: tt.a}).differ(tried{n: 80, walls: tt.b}); got != tt.want {
			t.Errorf("%v and %v: differ %t, want %t", tt.a, tt.b, got, tt.want)
		}
	}
}

// TestLevel: where one side needs longer samples, the other has some as long, unless
// those that were tried of it took longer than that.
func TestLevel(t *testing.T) {
	for _, tt := range []struct {
		name         string
		least, other int64 // that were found for the base and for b, both began with 10
		wall, long   float64
		want         int64
	}{
		{"both as they were", 10, 10, 50, 0, 10},
		{"the base longer", 800, 10, 50, 0, 1600},
		{"nearly as long", 15, 10, 80, 0, 10},
		{"b longer", 10, 80, 50, 0, 80},
		{"b takes too long with more", 800, 10, 50, 2000, 10},
	} {
		base, b := variant("serial", 1), variant("b", 1)
		m := &rounds{s: &Series{}, comparisons: []Comparison{{New: b, Base: base}},
			n: map[Cell]int64{base: 10, b: 10}, least: map[Cell]int64{base: tt.least, b: tt.other},
			walls: map[Cell][]float64{base: {100}, b: {tt.wall}}, took: map[Cell]time.Duration{}}
		if tt.long > 0 {
			m.s.Calibrate(b, Sample{N: 80, Wall: tt.long})
		}
		m.level()
		if m.least[b] != tt.want {
			t.Errorf("%s: %d operations of b, want %d", tt.name, m.least[b], tt.want)
		}
	}
}

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
		c := variant("b", 1)
		s := &Series{Samples: map[Cell][]Sample{}}
		for _, w := range tt.usual {
			s.Samples[c] = append(s.Samples[c], Sample{N: 1e6, Wall: w})
		}
		for _, w := range tt.long {
			x := Sample{N: 8e6, Wall: w}
			if tt.disturbed {
				x.Others = 0.3
			}
			s.Calibrate(c, x)
		}
		z := Size{N: 1e6}
		s.longer(c, &z)
		if z.Open != tt.open || math.Abs(z.Off-tt.off) > 0.01 {
			t.Errorf("%s: open %t by %.3g, want %t by %.3g", tt.name, z.Open, z.Off, tt.open, tt.off)
		}
	}
	// One that was looked for.
	one := &Series{Samples: map[Cell][]Sample{}}
	for _, w := range quiet {
		one.Samples[variant("b", 1)] = append(one.Samples[variant("b", 1)], Sample{N: 1e6, Wall: w})
	}
	one.Calibrate(variant("b", 1), Sample{N: 1e6, Wall: 97})
	one.Calibrate(variant("b", 1), Sample{N: 8e6, Wall: 85})
	if z, _ := one.Size(variant("b", 1)); !z.Open || math.Abs(z.Off-2*math.Log(.85)) > 1e-9 {
		t.Errorf("one that is quicker beside a short one: %+v", z)
	}
	// A phase in which short ones are slow as well.
	slow := &Series{Samples: map[Cell][]Sample{}}
	for _, w := range quiet {
		slow.Samples[variant("b", 1)] = append(slow.Samples[variant("b", 1)], Sample{N: 1e6, Wall: w})
	}
	for range 2 {
		slow.Calibrate(variant("b", 1), Sample{N: 1e6, Wall: 112})
		slow.Calibrate(variant("b", 1), Sample{N: 8e6, Wall: 115})
	}
	if z, _ := slow.Size(variant("b", 1)); z.Open {
		t.Errorf("a slow phase is open: %+v", z)
	}
	// As much as a second is nothing that go test would make longer.
	c := variant("b", 1)
	s := &Series{Samples: map[Cell][]Sample{}}
	for range 10 {
		s.Samples[c] = append(s.Samples[c], Sample{N: 1e6, Wall: 950})
	}
	s.Calibrate(c, Sample{N: 8e6, Wall: 400})
	if z, _ := s.Size(c); z.Open {
		t.Errorf("samples of a second are open: %+v", z)
	}
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

// TestSizeKept: sizes that were tried are in the record, each with what it was.
func TestSizeKept(t *testing.T) {
	s, r := setup("X/variant=serial", "X/variant=b")
	s.Procs = []int{1}
	r.wall = func(c Cell, call int) float64 { return 1e5 + 3e7/float64(r.n[call]) }
	var told []string
	record := func(c Cell, x Sample, drop string) error {
		if drop == Calibration {
			told = append(told, fmt.Sprint(c, x.N))
		}
		return nil
	}
	if err := Run(t.Context(), s, r.subject(t), Options{Seed: 1, Record: record, Now: func() time.Time { return r.now }}); err != nil {
		t.Fatal(err)
	}
	var kept []string
	for c, samples := range s.Calibration {
		for _, x := range samples {
			kept = append(kept, fmt.Sprint(c, x.N))
		}
	}
	slices.Sort(told)
	slices.Sort(kept)
	if len(kept) < 8 || !slices.Equal(told, kept) {
		t.Errorf("recorded %q, kept %q", told, kept)
	}
}
