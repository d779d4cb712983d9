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
