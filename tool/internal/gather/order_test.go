package gather

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/host/sim"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A bench is a variant of BenchmarkNAME beside its serial base.
type bench struct {
	name       string
	base       float64 // ns
	one, two   float64 // of the variant at 1 and 2 processors
	goroutines float32
}

// shelf is a series of such benchmarks with 12 rounds.
func shelf(benches ...bench) (*measure.Series, judge.Result) {
	var names []string
	s := &measure.Series{Package: "p", Procs: []int{1, 2}, Usable: 2}
	add := func(name string, wall, goroutines float32, procs int) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		for round := range 12 {
			w := float64(wall) * (1 + 0.002*math.Sin(float64(round*procs)))
			s.Add(measure.Cell{Bench: name, Procs: procs}, measure.Sample{Round: int32(round + 1), N: 1, Wall: w, CPU: w, Goroutines: goroutines, Got: 1, Others: float32(math.NaN())})
		}
	}
	for _, b := range benches {
		for procs, wall := range map[int]float64{1: b.one, 2: b.two} {
			add("Benchmark"+b.name+"/variant=serial", float32(b.base), 0, procs)
			add("Benchmark"+b.name+"/variant=new", float32(wall), b.goroutines, procs)
		}
	}
	slices.Sort(names)
	s.Families = discover.Families(names, discover.Hints{})
	return s, judge.Judge(s, stats.DefaultRule, stats.DefaultBounds)
}

// gathered runs Collect on a clock that only the runs move, and returns the
// runs by "kind name-procs".
func gathered(t *testing.T, s *measure.Series, r judge.Result, budget time.Duration, asked func(judge.Verdict) bool) (runs []string, took time.Duration) {
	t.Helper()
	now := time.Unix(0, 0)
	f := &fake{t: t}
	f.took = func(c measure.Cell, n int64) {
		f.wall = s.Samples[c][0].Wall
		now = now.Add(time.Duration(float64(n)*f.wall) + time.Millisecond)
	}
	subject, err := measure.Build(t.Context(), &sim.Host{Process: f.run}, discover.Target{Package: "m"}, measure.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	err = Collect(t.Context(), s, r, subject, Options{
		Budget: budget, Asked: asked, Rule: stats.DefaultRule, Now: func() time.Time { return now },
		Progress: func(string, ...any) {}, File: func(string, []byte) error { return nil }, Keep: func(*evidence.Set) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return f.calls, now.Sub(time.Unix(0, 0))
}

// firsts are the variants in the order in which they were looked at.
func firsts(runs []string) (out []string) {
	for _, x := range runs {
		if name, ok := strings.CutSuffix(x, "/variant=new-2"); ok && strings.HasPrefix(name, "cpu ") {
			if name = strings.TrimPrefix(name, "cpu Benchmark"); !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// Evidence goes to what was asked first, then to what loses most, and to code
// on one goroutine last, however much that loses.
func TestOrder(t *testing.T) {
	shelved := func() (*measure.Series, judge.Result) {
		return shelf(
			bench{"AMicro", 100, 1e3, 1e3, 0}, // ten times as slow
			bench{"Even", 1e6, 1e6, 1e6, 4},
			bench{"Half", 1e6, 2e6, 2e6, 4},
			bench{"Most", 1e6, 3e6, 5e6, 4},
			bench{"Pays", 1e6, 1e6, 5e5, 4}, // as it should
		)
	}
	s, r := shelved()
	runs, _ := gathered(t, s, r, 0, nil)
	if got, want := firsts(runs), []string{"Most", "Half", "Even", "AMicro"}; !slices.Equal(got, want) {
		t.Errorf("looked at %q, want %q", got, want)
	}
	s, r = shelved()
	runs, _ = gathered(t, s, r, 0, func(v judge.Verdict) bool { return strings.Contains(v.New.Bench, "Micro") })
	if got, want := firsts(runs), []string{"AMicro", "Most", "Half", "Even"}; !slices.Equal(got, want) {
		t.Errorf("AMicro was asked for: looked at %q, want %q", got, want)
	}
}

// A slow benchmark takes its share of the budget for evidence, and more only
// when the others have had what they need.
func TestShares(t *testing.T) {
	var benches []bench
	for i := range 5 {
		benches = append(benches, bench{fmt.Sprintf("Quick%d", i), 1e6, 2e6, 2e6, 4})
	}
	slow := func(n int) []bench {
		out := slices.Clone(benches)
		for i := range n {
			out = append(out, bench{fmt.Sprintf("Slow%d", i), 1e9, 4e9, 3e9 + 1e8*float64(n-i), 4}) // loses most
		}
		return out
	}
	for _, tt := range []struct {
		slow, looked int
		budget       time.Duration
		missing      string
	}{
		{1, 1, 40 * time.Second, ""},
		{5, 3, 40 * time.Second, "causes of 7 of 20 verdicts: the budget was spent"}, // at 1 processor they want a look as well
	} {
		s, r := shelf(slow(tt.slow)...)
		runs, took := gathered(t, s, r, tt.budget, nil)
		if took > tt.budget {
			t.Errorf("%d slow: took %v of %v", tt.slow, took, tt.budget)
		}
		order := firsts(runs)
		if len(order) != 5+tt.looked || slices.IndexFunc(order, func(n string) bool { return strings.HasPrefix(n, "Slow") }) < 5 {
			t.Errorf("%d slow: looked at %q, want the quick ones and then %d", tt.slow, order, tt.looked)
		}
		for i := range 5 {
			name := fmt.Sprintf("BenchmarkQuick%d/variant=new", i)
			if set := s.Evidence[measure.Cell{Bench: name, Procs: 2}]; tt.slow == 1 && (set == nil || len(set.Profiles) < profiles) {
				t.Errorf("%d slow: %s lacks profiles", tt.slow, name)
			}
		}
		if got := strings.Join(s.Missing, "; "); got != tt.missing {
			t.Errorf("%d slow: missing %q, want %q", tt.slow, got, tt.missing)
		}
	}
}

// TestOrderSides: what takes up most comes first, of the processors that it could use; a
// verdict is of code on one goroutine only if neither side starts any.
func TestOrderSides(t *testing.T) {
	s := &measure.Series{Usable: 4, Samples: map[measure.Cell][]measure.Sample{}}
	verdict := func(name string, procs int, ratio float64, base, of float32) judge.Verdict {
		v := judge.Verdict{New: measure.Cell{Bench: name, Procs: procs}, BaseCell: measure.Cell{Bench: name + "base", Procs: 1}}
		v.Ratio = ratio
		s.Samples[v.New] = []measure.Sample{{N: 1, Goroutines: of}}
		s.Samples[v.BaseCell] = []measure.Sample{{N: 1, Goroutines: base}}
		return v
	}
	for _, tt := range []struct {
		v    judge.Verdict
		want float64
	}{
		{verdict("A", 1, 1, 1, 1), 1}, {verdict("A", 2, 1, 1, 1), 2}, {verdict("A", 2, 4, 1, 1), 0.5}, {verdict("A", 4, 0.5, 1, 1), 8}, {verdict("A", 16, 0.5, 1, 1), 8},
	} {
		if got := takenUp(s, tt.v); got != tt.want {
			t.Errorf("%d processors, ratio %v: takes up %v, want %v", tt.v.New.Procs, tt.v.Ratio, got, tt.want)
		}
	}
	serial := verdict("Serial", 4, 0.1, 0, 0.5)
	verdicts := []judge.Verdict{serial, verdict("Both", 4, 4, 1, 1), verdict("Base", 4, 2, 1, 0), verdict("New", 4, 1, 0, 1), verdict("Wide", 16, 1.1, 1, 1), verdict("Narrow", 1, 0.26, 1, 1)}
	for _, asked := range []func(judge.Verdict) bool{nil, func(v judge.Verdict) bool { return v.New.Bench == "Serial" || v.New.Bench == "Both" }} {
		all := slices.Clone(verdicts)
		order(s, all, asked)
		got := ""
		for _, v := range all {
			got += v.New.Bench + " "
		}
		want := "New Narrow Wide Base Both Serial "
		if asked != nil {
			want = "Both Serial New Narrow Wide Base "
		}
		if got != want {
			t.Errorf("order %s, want %s", got, want)
		}
	}
}

// TestLabRefuses: lines that allocate little ask the compiler nothing; where it cannot be
// asked, or nothing can be watched, the reason stays; only the end of the run ends it.
func TestLabRefuses(t *testing.T) {
	lab := &Lab{Toolchain: &gocmd.Toolchain{Dir: t.TempDir()}, Package: "p", Dir: t.TempDir()}
	end, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	cancel(why)
	for _, tt := range []struct {
		alloc, gc float64
		asks      bool
	}{{0.01, 0.01, false}, {0.02, 0, false}, {0.021, 0, true}, {0, 0.021, true}, {0.011, 0.011, true}} {
		of := func() *evidence.Set {
			at := line(1)
			at.File = t.TempDir() + "/x.go"
			return &evidence.Set{CPU: &cpuprof.Digest{Lines: []cpuprof.Line{{Place: at, Share: 0.5, By: shares{stack.Alloc: tt.alloc, stack.GC: tt.gc}}}}}
		}
		set := of()
		if err := lab.escapes(t.Context(), set); err != nil || set.Escapes != nil || (len(set.Missing) == 1 && strings.HasPrefix(set.Missing[0], "compiler diagnostics: ")) != tt.asks {
			t.Errorf("%v of allocation, %v of the collector: %v, %v, missing %q; want asked: %v", tt.alloc, tt.gc, err, set.Escapes, set.Missing, tt.asks)
		}
		if err := lab.escapes(end, of()); tt.asks && err != why || !tt.asks && err != nil {
			t.Errorf("%v of allocation, at the end of the run: %v", tt.alloc, err)
		}
	}
	w := measured(2)
	g, _ := gathers(t, w, nil)
	set := &evidence.Set{}
	x, err := lab.sharing(t.Context(), g, w.V.New, set)
	if err != nil || len(x.Refused) != 1 || x.Refused[0] != "the files of its hot lines are not known" {
		t.Errorf("no line is known: %+v, %v", x, err)
	}
	set.CPU = &cpuprof.Digest{Lines: []cpuprof.Line{{Place: source.Place{File: t.TempDir() + "/x.go", Line: 1}, Share: 0.5}}}
	if x, err = lab.sharing(t.Context(), g, w.V.New, set); err != nil || len(x.Refused) != 1 || x.Why != "" || x.Pad != nil {
		t.Errorf("no go command: %+v, %v; want one reason", x, err)
	}
	if x, err = lab.sharing(end, g, w.V.New, set); err != why {
		t.Errorf("at the end of the run: %+v, %v", x, err)
	}
}
