package tune

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/host/sim"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// made is a record of the values 1 to 4, of which 2 is the present one, in one
// benchmark at each of the processor counts.
func made(procs ...int) *Record {
	r := &Record{Constant: Constant{Name: "n", Package: "m", Present: 2}, Procs: procs, Margin: 0.03, Alpha: 0.05}
	for v := range int64(4) {
		r.Trials = append(r.Trials, Trial{Value: v + 1, Text: fmt.Sprint(v + 1)})
	}
	for i, p := range procs {
		r.Cells = append(r.Cells, Cell{Package: "m", Bench: "BenchmarkX", Procs: p})
		r.Compared = append(r.Compared, i)
	}
	return r
}

// put adds rounds of some values in a cell, by index; each round is in a layout of
// its own and times are off by a tenth of a percent at most.
func (r *Record) put(phase Phase, cell, rounds int, walls ...float64) {
	for round := range rounds {
		for v, wall := range walls {
			if wall > 0 {
				off := 1 + 0.0005*float64((round*(v+1))%5-2)/2
				r.Samples = append(r.Samples, Sample{Phase: phase, Round: int32(round), Cell: cell, Value: v, Layout: int32(round), N: 1, Wall: wall * off})
			}
		}
	}
}

// TestConfirmed: what the second measurement says, at each of three processor
// counts: a gain or a cost is one of the margin at least.
func TestConfirmed(t *testing.T) {
	for _, tt := range []struct {
		name   string
		rounds [3]int
		speeds [3]float64 // of the value, of the present one
		word   Word
		why    string
		costs  int // cells that are slower
	}{
		{"faster at the first", [3]int{12, 12, 12}, [3]float64{1.1, 1, 1}, Better, "", 0},
		{"faster at the last", [3]int{12, 12, 12}, [3]float64{1, 1, 1.1}, Better, "", 0},
		{"by just more than the margin", [3]int{12, 12, 12}, [3]float64{1, 1, 1.0305}, Better, "", 0},
		{"by just less", [3]int{12, 12, 12}, [3]float64{1, 1, 1.0295}, Keep, "measured once more, 1 gains less than 3 %", 0},
		{"slower at the last", [3]int{12, 12, 12}, [3]float64{1.1, 1, 1 / 1.1}, Trade, "", 1},
		{"slower at the first", [3]int{12, 12, 12}, [3]float64{1 / 1.1, 1, 1.1}, Trade, "", 1},
		{"slower by just more than the margin", [3]int{12, 12, 12}, [3]float64{1.1, 1 / 1.0305, 1}, Trade, "", 1},
		{"slower by just less", [3]int{12, 12, 12}, [3]float64{1.1, 1 / 1.0295, 1}, Better, "", 0},
		{"slower alone", [3]int{12, 12, 12}, [3]float64{1, 1, 1 / 1.1}, CannotSay, "measured once more, the gain was not confirmed", 1},
		{"too few at the last", [3]int{12, 12, fewest - 1}, [3]float64{1.1, 1.1, 1.1}, CannotSay, "the gain was not measured once more", 0},
		{"just enough at the last", [3]int{12, 12, fewest}, [3]float64{1.1, 1.1, 1.1}, Better, "", 0},
		{"too few at the first", [3]int{fewest - 1, 12, 12}, [3]float64{1.1, 1.1, 1.1}, CannotSay, "the gain was not measured once more", 0},
	} {
		r := made(1, 2, 4)
		res := Result{Constant: r.Constant, Word: CannotSay, Value: 1}
		for i, p := range r.Procs {
			r.put(Confirm, i, tt.rounds[i], 100/tt.speeds[i], 100)
			res.At = append(res.At, At{Procs: p, Flat: []int64{1, 2}})
		}
		r.confirmed(&res, 0)
		if res.Word != tt.word || res.Why != tt.why || res.Rival != 1 {
			t.Errorf("%s: %s (%s), rival %d; want %s (%s)", tt.name, res.Word, res.Why, res.Rival, tt.word, tt.why)
		}
		for i, a := range res.At {
			if a.Gain == nil {
				if tt.why != "the gain was not measured once more" {
					t.Errorf("%s: no gain at %d", tt.name, a.Procs)
				}
				continue
			}
			gains := tt.speeds[i] > 1.03
			if math.Abs(a.Gain.Ratio/tt.speeds[i]-1) > 0.001 || a.Gain.Value != 2 || slices.Contains(a.Flat, 2) == gains || !slices.Contains(a.Flat, 1) {
				t.Errorf("%s: at %d %+v, flat %v, want %v times", tt.name, a.Procs, *a.Gain, a.Flat, tt.speeds[i])
			}
		}
		if tt.why == "" && len(r.slower(0)) != tt.costs {
			t.Errorf("%s: slower in %v, want %d cells", tt.name, r.slower(0), tt.costs)
		}
	}
}

// TestFlat: which values are as good as the best, what the present one costs, and
// what is chosen: the value whose worst regret over all processors is the least.
func TestFlat(t *testing.T) {
	for _, tt := range []struct {
		name   string
		walls  [2][]float64
		best   [2]int64
		flat   [2][]int64
		price  [2]float64
		choose int64
	}{
		{"the first is best", [2][]float64{{100, 120, 130, 140}, {100, 120, 130, 140}}, [2]int64{1, 1}, [2][]int64{{1}, {1}}, [2]float64{1.2, 1.2}, 1},
		{"the last is best", [2][]float64{{140, 120, 130, 100}, {140, 120, 130, 100}}, [2]int64{4, 4}, [2][]int64{{4}, {4}}, [2]float64{1.2, 1.2}, 4},
		{"within the margin", [2][]float64{{100, 102.8, 110, 102}, {100, 103.5, 102, 110}}, [2]int64{1, 1}, [2][]int64{{1, 2, 4}, {1, 3}}, [2]float64{1.028, 1.035}, 1},
		{"the worst of both counts", [2][]float64{{100, 140, 120, 150}, {135, 140, 120, 100}}, [2]int64{1, 4}, [2][]int64{{1}, {4}}, [2]float64{1.4, 1.4}, 3},
		{"the present one is best", [2][]float64{{110, 100, 110, 120}, {110, 100, 110, 120}}, [2]int64{2, 2}, [2][]int64{{2}, {2}}, [2]float64{1, 1}, 2},
	} {
		r := made(1, 2)
		for i := range r.Procs {
			r.put(Search, i, 12, tt.walls[i]...)
			r.put(Compare, i, 24, tt.walls[i]...)
		}
		at, candidate, compared := r.read()
		if !compared || len(at) != 2 {
			t.Fatalf("%s: compared %t at %d", tt.name, compared, len(at))
		}
		for i, a := range at {
			if a.Best != tt.best[i] || !slices.Equal(a.Flat, tt.flat[i]) || math.Abs(a.Price.Ratio-tt.price[i]) > 0.003 || a.Procs != r.Procs[i] || a.Rounds != 24 || len(a.Curve) != 4 {
				t.Errorf("%s: %+v, want best %d, flat %v, price %v", tt.name, a, tt.best[i], tt.flat[i], tt.price[i])
			}
		}
		if want := [2]float64{0.028, 0.02}; tt.name == "within the margin" && (math.Abs(at[0].Within-want[0]) > 0.002 || math.Abs(at[1].Within-want[1]) > 0.002) {
			t.Errorf("%s: flat within %v and %v, want %v", tt.name, at[0].Within, at[1].Within, want)
		}
		if got := r.Trials[candidate].Value; got != tt.choose {
			t.Errorf("%s: chose %d, want %d", tt.name, got, tt.choose)
		}
		// What is out, or fails its tests, is not chosen.
		r.Tests = map[string]string{fmt.Sprint(tt.choose): "no"}
		if _, c, _ := r.read(); tt.choose != 2 && r.Trials[c].Value == tt.choose {
			t.Errorf("%s: chose %d, whose tests fail", tt.name, tt.choose)
		}
	}
	// Too few rounds at one of the counts: nothing is compared.
	for rounds, want := range map[int]bool{fewest: true, fewest - 1: false} {
		r := made(1, 2)
		for i := range r.Procs {
			r.put(Search, i, 12, 100, 120, 130, 140)
			r.put(Compare, i, []int{24, rounds}[i], 100, 120, 130, 140)
		}
		if _, _, compared := r.read(); compared != want {
			t.Errorf("%d rounds at the second: compared %t, want %t", rounds, compared, want)
		}
	}
}

// TestStillBenches: a benchmark is still if no value moves it by the margin, up or
// down, at any processor count, after a look at the least.
func TestStillBenches(t *testing.T) {
	for _, tt := range []struct {
		name   string
		rounds int
		walls  [2][]float64
		want   bool
	}{
		{"nothing moves", 12, [2][]float64{{100, 100, 100, 100}, {100, 100, 100, 100}}, true},
		{"less than the margin", 12, [2][]float64{{102.8, 100, 100, 97.3}, {100, 100, 100, 100}}, true},
		{"slower at the first", 12, [2][]float64{{103.2, 100, 100, 100}, {100, 100, 100, 100}}, false},
		{"slower at the last", 12, [2][]float64{{100, 100, 100, 100}, {100, 100, 100, 103.2}}, false},
		{"faster at the last", 12, [2][]float64{{100, 100, 100, 100}, {100, 100, 100, 96.8}}, false},
		{"one look", looks[0], [2][]float64{{100, 100, 100, 100}, {100, 100, 100, 100}}, true},
		{"less than that", looks[0] - 1, [2][]float64{{100, 100, 100, 100}, {100, 100, 100, 100}}, false},
	} {
		r := made(1, 2)
		for i := range r.Procs {
			r.put(Search, i, tt.rounds, tt.walls[i]...)
		}
		got := r.still()
		if (len(got) == 1) != tt.want {
			t.Errorf("%s: still %v, want it: %t", tt.name, got, tt.want)
		}
		if tt.name == "less than the margin" && math.Abs(got[0].Most-0.028) > 0.001 {
			t.Errorf("%s: most %v, want 0.028", tt.name, got[0].Most)
		}
	}
}

// TestStillValues: the value with the fewest rounds decides whether enough is known.
func TestStillValues(t *testing.T) {
	for _, few := range []int{0, 3} {
		r := made(1)
		for v := range 4 {
			walls := make([]float64, 4)
			walls[v] = 100
			n := 12
			if v == few {
				n = looks[0] - 1
			}
			r.put(Search, 0, n, walls...)
		}
		slices.SortStableFunc(r.Samples, func(a, b Sample) int { return int(a.Round - b.Round) })
		if got := r.still(); len(got) > 0 {
			t.Errorf("value %d has %d rounds: still %v, want none", few+1, looks[0]-1, got)
		}
		r.Trials[few].Out = "no"
		if got := r.still(); len(got) != 1 {
			t.Errorf("value %d is out: still %v, want one", few+1, got)
		}
	}
}

// TestBlock: what others disturb is taken again, that alone, three times at most;
// after two blocks that stayed disturbed once.
func TestBlock(t *testing.T) {
	for _, tt := range []struct {
		name   string
		bad    func(v, k int) bool // the k-th process of a value
		before int
		want   [4]int // processes
		after  int
	}{
		{"undisturbed", func(v, k int) bool { return false }, 1, [4]int{1, 1, 1, 1}, 0},
		{"one, once", func(v, k int) bool { return v == 2 && k == 0 }, 1, [4]int{1, 1, 2, 1}, 0},
		{"two, twice", func(v, k int) bool { return v < 2 && k < 2 }, 0, [4]int{3, 3, 1, 1}, 0},
		{"one, each time", func(v, k int) bool { return v == 3 }, 1, [4]int{1, 1, 1, 3}, 2},
		{"the machine stays like this", func(v, k int) bool { return v == 3 }, 2, [4]int{1, 1, 1, 1}, 3},
		{"it is quiet again", func(v, k int) bool { return false }, 9, [4]int{1, 1, 1, 1}, 0},
	} {
		r := made(2)
		var k [4]int
		h := &sim.Host{Process: func(_ context.Context, p sim.Process) (sim.Figures, error) {
			v := int(p.Change["/m/x.go"][0] - '0')
			k[v]++
			f := sim.Figures{Wall: float64(100*(v+1) + k[v]), CPU: 1}
			if tt.bad(v, k[v]-1) {
				f.Steal = 0.5
			}
			return f, nil
		}}
		c := newTuning(r, Lab{Now: time.Now}, Plan{})
		c.arms.Contest.Disturbed = tt.before
		for v := range 4 {
			s, err := measure.Build(t.Context(), h, discover.Target{Package: "m", Dir: "/m"}, measure.BuildOptions{Change: overlay.Overlay{"/m/x.go": []byte{'0' + byte(v)}}})
			if err != nil {
				t.Fatal(err)
			}
			c.arms.Enter(c.name(v, "m"), c.name(c.present(), "m"), s)
			c.arms.All[c.name(v, "m")].N[r.Cells[0].of()] = 9
		}
		if err := c.round(t.Context(), Compare, 7, 0, c.blocks([]int{0}, map[int][]int{2: {0, 1, 2, 3}})); err != nil {
			t.Fatal(err)
		}
		if k != tt.want || c.arms.Contest.Disturbed != tt.after || len(r.Samples) != 4 {
			t.Errorf("%s: processes %v, %d blocks disturbed, %d samples, want %v, %d, 4", tt.name, k, c.arms.Contest.Disturbed, len(r.Samples), tt.want, tt.after)
		}
		for v, s := range r.Samples { // the last one of each
			if s.Value != v || s.Round != 7 || s.Phase != Compare || s.N != 9 || math.Abs(s.Wall-float64(100*(v+1)+k[v])) > 0.1 {
				t.Errorf("%s: sample %+v, want the last of value %d", tt.name, s, v)
			}
		}
	}
}

// TestTableOf: a value has a time in a round if it has one in each cell there: the
// mean of their logarithms.
func TestTableOf(t *testing.T) {
	r := made(1, 2)
	r.Cells[1].Procs = 1 // two benchmarks at one
	r.Samples = append(r.Samples, []Sample{
		{Phase: Compare, Round: 0, Cell: 0, Value: 0, Wall: 100, Layout: 7}, {Phase: Compare, Round: 0, Cell: 1, Value: 0, Wall: 400, Layout: 7},
		{Phase: Compare, Round: 0, Cell: 0, Value: 1, Wall: 100, Layout: 7},
		{Phase: Compare, Round: 2, Cell: 1, Value: 1, Wall: 100, Layout: 9}, {Phase: Compare, Round: 2, Cell: 0, Value: 1, Wall: 900, Layout: 9},
		{Phase: Search, Round: 3, Cell: 1, Value: 1, Wall: 100},
	}...)
	got := r.table(Compare, func(c Cell) bool { return c.Procs == 1 })
	if !slices.Equal(got.rounds, []int32{0, 2}) || !slices.Equal(got.layouts, []int32{7, 9}) || len(got.logs[0]) != 1 || len(got.logs[1]) != 1 ||
		math.Abs(math.Exp(got.logs[0][0])-200) > 1e-9 || math.Abs(math.Exp(got.logs[1][1])-300) > 1e-9 {
		t.Errorf("table %+v, want 200 of the first value, 300 of the second", got)
	}
	// Whole are values with a time in all rounds, but one perhaps.
	w := table{layouts: make([]int32, 3), logs: []map[int]float64{{0: 1, 1: 1, 2: 1}, {0: 1, 1: 1}, {0: 1}}}
	if got := w.whole(); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("whole = %v, want the values with 3 and 2 of 3 rounds", got)
	}
	if got := w.shared(0, 1); got != 2 {
		t.Errorf("shared = %d, want 2", got)
	}
	// The time of one over that of the other, not the other way round.
	x := table{layouts: make([]int32, 6)}
	for range 6 {
		x.logs = append(x.logs, map[int]float64{0: math.Log(2), 1: 0})
	}
	if e := x.ratio(0, 1, 0.05); math.Abs(e.Ratio-2) > 1e-9 {
		t.Errorf("ratio = %v, want 2", e.Ratio)
	}
}

// TestPlausible: a value stays while it may be within the margin of the best; the
// best and the present one stay in any case.
func TestPlausible(t *testing.T) {
	for _, tt := range []struct {
		walls []float64
		out   int // 0: none
		want  []int
	}{
		{[]float64{100, 150, 150, 101}, 0, []int{0, 1, 3}},
		{[]float64{100, 150, 103.2, 102.8}, 0, []int{0, 1, 3}},
		{[]float64{150, 100, 103.2, 102.8}, 0, []int{1, 3}},
		{[]float64{100, 150, 100, 101}, 3, []int{0, 1, 2}},
		{[]float64{0, 100, 100, 150}, 0, []int{0, 1, 2}}, // of the first nothing is known
	} {
		r := made(2)
		r.put(Search, 0, 12, tt.walls...)
		c := &tuning{Record: r}
		if tt.out > 0 {
			r.Trials[tt.out].Out = "no"
		}
		if got := c.plausible(2, []int{0, 1, 2, 3}); !slices.Equal(got, tt.want) {
			t.Errorf("times %v, %d out: %v stay, want %v", tt.walls, tt.out, got, tt.want)
		}
	}
	// The compromise is the value whose worst time over the best is the least.
	r := made(1, 2)
	r.put(Search, 0, 12, 100, 130, 110, 140)
	r.put(Search, 1, 12, 140, 130, 110, 100)
	if got := (&tuning{Record: r}).compromise(); got != 2 {
		t.Errorf("compromise: value %d, want the third", got)
	}
}

// TestPhase: as many rounds as fit, the least in any case unless there is no time to
// begin; what was paid for tests does not count.
func TestPhase(t *testing.T) {
	for _, tt := range []struct {
		each, spent, paid time.Duration // of a round, since the begin, of that for tests
		until             float64
		want              int // 0: too few
	}{
		{time.Second, 0, 0, 0.5, 50}, {time.Second, 10 * time.Second, 0, 0.5, 40}, {time.Second, 10 * time.Second, 10 * time.Second, 0.5, 50},
		{100 * time.Millisecond, 0, 0, 0.5, most}, {50 * time.Second / fewest, 0, 0, 0.5, fewest}, {50*time.Second/fewest + time.Millisecond, 0, 0, 0.5, 0},
		{30 * time.Second, 0, 0, 0, fewest}, // that it ends late is no matter
	} {
		r, now := made(2), time.Unix(1000, 0)
		c := newTuning(r, Lab{Now: func() time.Time { return now }, Step: func(string, ...any) {}}, Plan{Budget: 100 * time.Second})
		c.began, c.paid = now.Add(-tt.spent), tt.paid
		h := &sim.Host{Process: func(context.Context, sim.Process) (sim.Figures, error) {
			now = now.Add(tt.each / 2)
			return sim.Figures{Wall: 100, CPU: 1}, nil
		}}
		for v := range 2 {
			s, err := measure.Build(t.Context(), h, discover.Target{Package: "m", Dir: "/m"}, measure.BuildOptions{})
			if err != nil {
				t.Fatal(err)
			}
			name, cell := c.name(v, "m"), r.Cells[0].of()
			c.arms.Enter(name, c.name(c.present(), "m"), s)
			c.arms.All[name].N[cell], c.arms.All[name].Took[cell] = 9, tt.each/2
		}
		err := c.measure(t.Context(), policy{phase: Compare, orders: 1, rounds: most, least: fewest, by: 0.5, until: tt.until}, []int{0}, map[int][]int{2: {0, 1}})
		if got := len(r.Samples) / 2; got != tt.want || (err != nil) != (tt.want == 0) || (c.Cut != "") != (tt.want == 0) {
			t.Errorf("rounds of %v after %v (%v paid) in 50s: %d, %v, cut %q, want %d", tt.each, tt.spent, tt.paid, got, err, c.Cut, tt.want)
		}
	}
}

// TestNeeded: how many rounds tell equal values, by the noisier of two counts.
func TestNeeded(t *testing.T) {
	r := made(1, 2)
	for i := range r.Procs {
		for round := range 12 {
			sign := float64(1 - 2*(round%2))
			r.Samples = append(r.Samples, Sample{Phase: Search, Round: int32(round), Cell: i, Value: 1, Wall: 100},
				Sample{Phase: Search, Round: int32(round), Cell: i, Value: 0, Wall: 100 * math.Exp(sign*0.02*float64(1+i))})
		}
	}
	sd := 0.04 * math.Sqrt(12.0/11) // of the noisier count
	want := int(math.Ceil(math.Pow(4*sd/math.Log1p(0.03), 2)))
	if got := (&tuning{Record: r}).needed(map[int][]int{1: {0, 1}, 2: {0, 1}}); got != want {
		t.Errorf("needed = %d, want %d", got, want)
	}
}

// TestRuns: the flat region in words.
func TestRuns(t *testing.T) {
	for _, tt := range []struct {
		flat []int64
		want string
	}{
		{nil, ""}, {[]int64{1}, "1"}, {[]int64{5}, "5"}, {[]int64{1, 2, 3, 4, 5}, "1 to 5"}, {[]int64{1, 3, 4}, "1 and 3 to 4"}, {[]int64{1, 3, 5}, "1, 3 and 5"}, {[]int64{1, 2, 4, 5}, "1 to 2 and 4 to 5"},
	} {
		a := At{Flat: tt.flat}
		for v := range int64(5) {
			a.Curve = append(a.Curve, Regret{Value: v + 1})
		}
		if got := a.Runs(func(v int64) string { return fmt.Sprint(v) }); got != tt.want {
			t.Errorf("Runs of %v = %q, want %q", tt.flat, got, tt.want)
		}
	}
	// An end that is not known is no number that JSON has.
	if r := regret(3, stats.Estimate{Ratio: 1.5, Low: 0, High: math.Inf(1)}); r != (Regret{Value: 3, Ratio: 1.5}) {
		t.Errorf("regret = %+v, want no upper end", r)
	}
}
