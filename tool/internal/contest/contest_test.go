package contest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// square is a block of a and b, each compared with base, and of alone.
func square() (b Block[string]) {
	b.Add("base", "a")
	b.Add("base", "b")
	b.Sides = append(b.Sides, "alone")
	return b
}

// TestAgain: with a side that others disturbed goes what it is compared with, and no
// more: what is compared with that was measured beside it.
func TestAgain(t *testing.T) {
	b := square()
	if want := []string{"base", "a", "b", "alone"}; !slices.Equal(b.Sides, want) || len(b.Pairs) != 2 {
		t.Fatalf("block %+v, want each side once and two pairs", b)
	}
	for _, tt := range []struct{ spoiled, ran, want []string }{
		{nil, b.Sides, nil},
		{[]string{"a"}, b.Sides, []string{"base", "a"}},
		{[]string{"base"}, b.Sides, []string{"base", "a", "b"}},
		{[]string{"alone"}, b.Sides, []string{"alone"}},
		{[]string{"b", "alone"}, []string{"alone", "b", "a", "base"}, []string{"alone", "b", "base"}},
		{[]string{"a"}, []string{"a", "b"}, []string{"a"}}, // its partner did not run
	} {
		if got := b.Again(tt.spoiled, tt.ran); !slices.Equal(got, tt.want) {
			t.Errorf("Again(%q, %q) = %q, want %q", tt.spoiled, tt.ran, got, tt.want)
		}
	}
}

// TestHold: which sides each attempt takes, when the last is, and what the contest
// remembers of it.
func TestHold(t *testing.T) {
	never := func(string, int32) bool { return false }
	for _, tt := range []struct {
		name    string
		bad     func(side string, attempt int32) bool
		before  int
		time    int // attempts that there is time for after the first
		want    []string
		after   int
		fails   int32 // the attempt that ends in an error
		wantErr bool
	}{
		{"quiet", never, 0, 9, []string{"[a alone b base]"}, 0, 9, false},
		{"quiet at last", never, 7, 9, []string{"[a alone b base] last"}, 0, 9, false},
		{"one, once", func(s string, n int32) bool { return s == "a" && n == 0 }, 1, 9, []string{"[a alone b base]", "[a base]"}, 0, 9, false},
		{"its base then", func(s string, n int32) bool { return s == "a" && n == 0 || s == "base" && n == 1 }, 1, 9, []string{"[a alone b base]", "[a base]", "[a base] last"}, 0, 9, false},
		{"one alone, always", func(s string, n int32) bool { return s == "alone" }, 1, 9, []string{"[a alone b base]", "[alone]", "[alone] last"}, 2, 9, false},
		{"all, always", func(string, int32) bool { return true }, 0, 9, []string{"[a alone b base]", "[a alone b base]", "[a alone b base] last"}, 1, 9, false},
		{"the machine stays like this", func(string, int32) bool { return true }, Stuck, 9, []string{"[a alone b base] last"}, Stuck + 1, 9, false},
		{"no time for a third", func(string, int32) bool { return true }, 1, 1, []string{"[a alone b base]", "[a alone b base]"}, 1, 9, false},
		{"an error", func(string, int32) bool { return true }, 1, 9, []string{"[a alone b base]", "[a alone b base]"}, 1, 1, true},
	} {
		c := New[string](rand.New(rand.NewPCG(1, 2)))
		c.Disturbed = tt.before
		var got []string
		left := tt.time
		err := c.Hold(square(), func(sides []string, n int32, last bool) (spoiled []string, err error) {
			said := slices.Sorted(slices.Values(sides))
			s := fmt.Sprint(said)
			if last {
				s += " last"
			}
			got = append(got, s)
			if n == tt.fails {
				return nil, errors.New("gone")
			}
			for _, s := range sides {
				if tt.bad(s, n) {
					spoiled = append(spoiled, s)
				}
			}
			return spoiled, nil
		}, func([]string) bool { left--; return left >= 0 })
		if !slices.Equal(got, tt.want) || c.Disturbed != tt.after || (err != nil) != tt.wantErr {
			t.Errorf("%s: %q, %d blocks disturbed, error %v; want %q, %d, error %t", tt.name, got, c.Disturbed, err, tt.want, tt.after, tt.wantErr)
		}
	}
}

// drifting is a machine that becomes slower from sample to sample, and that others
// use now and then: more often while b runs, which has more threads. Their share in a
// sample is seen, and what it cost is not known.
type drifting struct {
	rng   *rand.Rand
	at    float64
	busy  map[string]float64 // how often others disturb a side
	costs float64            // as a factor
}

func (d *drifting) run(side string) (log float64, disturbed bool) {
	d.at++
	log = 0.02*d.at + 0.01*d.rng.NormFloat64()
	if d.rng.Float64() < d.busy[side] {
		return log + math.Log(d.costs), true
	}
	return log, false
}

// TestEqualCode holds contests of code with itself on such a machine. What is kept of
// a pair was measured side by side, so the ratios are those of chance, though others
// disturb one side five times as often and the machine drifts by 2 % a sample: each
// side comes first in half of the pairs. Taken again alone, b would be later than what
// it is compared with, and slower.
func TestEqualCode(t *testing.T) {
	seed := stress.Seed(t)
	blocks := 4000
	if !stress.Long() {
		blocks = 1000
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	d := &drifting{rng: rng, busy: map[string]float64{"base": 0.05, "b": 0.25}, costs: 1.5}
	c := New[string](rng)
	type sample struct {
		round, attempt int32
		log            float64
	}
	kept := map[string][]sample{}
	first := map[string]int{}
	again, turned := 0, 0 // second attempts, and those in another order than the first
	for round := range int32(blocks) {
		d.at = 0
		var b Block[string]
		b.Add("base", "b")
		c.Shuffle(b.Sides)
		first[b.Sides[0]]++
		if err := c.Hold(b, func(sides []string, n int32, last bool) (spoiled []string, err error) {
			if n == 1 {
				if again++; sides[0] != b.Sides[0] {
					turned++
				}
			}
			for _, s := range sides {
				log, disturbed := d.run(s)
				if disturbed {
					spoiled = append(spoiled, s)
				}
				if !disturbed || last {
					kept[s] = append(kept[s], sample{round, n, log})
				}
			}
			return spoiled, nil
		}, nil); err != nil {
			t.Fatal(err)
		}
	}
	p := Append(stats.Pairs{}, kept["base"], kept["b"], func(x *sample) Taken {
		return Taken{Round: x.round, Attempt: x.attempt, Figure: math.Exp(x.log)}
	}, true)
	if len(p.Logs) != blocks {
		t.Errorf("%d pairs of %d blocks, want one of each", len(p.Logs), blocks)
	}
	// The last attempt counts as it is: in 2 % of blocks it is disturbed, b more often.
	if m := stats.Median(p.Logs); math.Abs(m) > 0.008 {
		t.Errorf("seed %d: code is %+.2f %% faster than itself, want none", seed, 100*m)
	}
	if n := float64(turned) / float64(again); math.Abs(n-0.5) > 5*0.5/math.Sqrt(float64(again)) {
		t.Errorf("seed %d: %d of %d second attempts have another order than the first, want half", seed, turned, again)
	}
	if n := float64(first["b"]) / float64(blocks); math.Abs(n-0.5) > 5*0.5/math.Sqrt(float64(blocks)) {
		t.Errorf("seed %d: one side comes first in %.2f of the blocks, want half", seed, n)
	}
}

// TestOperations: as many as fill a sample, but no more than three times its length
// with what is not timed.
func TestOperations(t *testing.T) {
	for _, tt := range []struct {
		each, whole float64
		want        int64
	}{
		{1e6, 0, 30}, {30e6, 0, 1}, {1e9, 0, 1}, {21e6, 0, 1}, {19e6, 0, 2}, {0.001, 0, 1e9}, {0, 0, 1}, {-1, 0, 1}, {math.NaN(), 1e9, 1},
		{1e6, 1e6, 30}, {1e6, 3e6, 30}, {1e6, 3.1e6, 29}, {1e6, 30e6, 3}, {1e6, 1e9, 1},
	} {
		if got := Operations(30*time.Millisecond, tt.each, tt.whole); got != tt.want {
			t.Errorf("Operations(30ms, %v, %v) = %d, want %d", tt.each, tt.whole, got, tt.want)
		}
	}
}

// TestGroups: those of a pair whose times differ by less than 1.35 have one number, by
// whatever chain; those that are compared with none are for themselves.
func TestGroups(t *testing.T) {
	for _, tt := range []struct {
		of    []float64
		pairs [][2]int
		want  [][]int
	}{
		{nil, nil, nil},
		{[]float64{1, 1}, nil, [][]int{{0}, {1}}},
		{[]float64{100, 134.9, 300}, [][2]int{{1, 0}, {2, 0}}, [][]int{{0, 1}, {2}}},
		{[]float64{100, 135, 300}, [][2]int{{1, 0}, {2, 0}}, [][]int{{0}, {1}, {2}}},
		{[]float64{135, 100}, [][2]int{{1, 0}}, [][]int{{0}, {1}}},
		{[]float64{120, 100, 300, 150}, [][2]int{{1, 0}, {3, 0}, {2, 0}}, [][]int{{0, 1, 3}, {2}}}, // 1 and 3 by 0
		{[]float64{1, 2, 1, 2}, [][2]int{{0, 2}, {3, 1}, {0, 1}}, [][]int{{0, 2}, {1, 3}}},
	} {
		if got := Groups(tt.of, tt.pairs); !slices.EqualFunc(got, tt.want, slices.Equal) {
			t.Errorf("Groups(%v, %v) = %v, want %v", tt.of, tt.pairs, got, tt.want)
		}
	}
	if got := Mean([]float64{1, 100, 400}, []int{1, 2}); math.Abs(got-200) > 1e-9 {
		t.Errorf("Mean(100, 400) = %v, want 200", got)
	}
}

// TestLayouts: what one takes is a guess before the first and then the mean; after one
// that cannot be made there are no more.
func TestLayouts(t *testing.T) {
	now := time.Unix(1000, 0)
	l := Layouts{Guess: time.Minute}
	if l.Each() != time.Minute {
		t.Errorf("before the first one takes %v, want the guess of 1m0s", l.Each())
	}
	for _, d := range []time.Duration{time.Second, 3 * time.Second} {
		if err := l.Make(func() time.Time { return now }, func() error { now = now.Add(d); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if l.Each() != 2*time.Second || l.N != 2 || l.Spent != 4*time.Second || l.None {
		t.Errorf("%+v, each %v; want 2 in 4s", l, l.Each())
	}
	fault := errors.New("no linker")
	if err := l.Make(func() time.Time { return now }, func() error { now = now.Add(time.Second); return fault }); err != fault || !l.None || l.N != 2 || l.Spent != 5*time.Second {
		t.Errorf("without a linker: %v, %+v; want its error, none more, and the second counted", err, l)
	}
}

// TestAppend: of each round the first attempt that both sides have, or each; what makes
// no ratio is left out.
func TestAppend(t *testing.T) {
	as := []Taken{{0, 0, 5, 2}, {1, 0, 5, 2}, {1, 1, 5, 4}, {1, 2, 5, 6}, {2, 0, 5, 0}, {3, 0, 5, 2}, {5, 0, 5, 2}}
	bs := []Taken{{0, 0, 5, 1}, {1, 1, 6, 1}, {1, 2, 6, 1}, {2, 0, 5, 1}, {4, 0, 5, 1}, {5, 0, 5, math.NaN()}}
	same := func(x *Taken) Taken { return *x }
	for once, want := range map[bool][]float64{true: {2, 4}, false: {2, 4, 6}} {
		p := Append(stats.Pairs{}, as, bs, same, once)
		if len(p.Logs) != len(want) || len(p.Layouts) != len(want) || len(p.Rounds) != len(want) {
			t.Fatalf("once %t: %+v, want ratios %v", once, p, want)
		}
		for i, w := range want {
			if math.Abs(p.Logs[i]-math.Log(w)) > 1e-12 {
				t.Errorf("once %t: ratio %v, want %v", once, math.Exp(p.Logs[i]), w)
			}
		}
		if p.Layouts[0] != 5 || p.Layouts[1] != 5+7<<16 || p.Rounds[1] != 1 {
			t.Errorf("once %t: layouts %v in rounds %v, want 5 and that of both sides", once, p.Layouts, p.Rounds)
		}
	}
}
