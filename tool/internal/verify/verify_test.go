package verify_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/stats/noise"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

// failing is a run of tests that ends with one that fails.
func failing(name, says string) (host.Outcome, error) {
	return host.Outcome{Exit: 1, Output: []byte("--- FAIL: " + name + " (0.00s)\n    x_test.go:9: " + says + "\nFAIL\n")}, nil
}

func passing() (host.Outcome, error) { return host.Outcome{Output: []byte("PASS\n")}, nil }

// What is wrong with a candidate is what becomes of it, and the others go on.
func TestFails(t *testing.T) {
	for _, test := range []struct {
		name string
		w    world
		vet  map[string][]string
		word verify.Word
		why  string
	}{
		{name: "build", w: world{fails: func(arm string, _ host.Source) error {
			if arm == "c1" {
				return &host.Fault{Reason: "/tmp/a/1-x.go:3: undefined: y; ../c/1-x.go:4:1: no"}
			}
			return nil
		}}, word: verify.Fails, why: "build: does not compile: x.go:3: undefined: y; x.go:4:1: no"},
		{name: "vet", vet: map[string][]string{
			"": {"./x.go:7:2: unreachable code"}, "c0": {"../tmp/1-x.go:9:2: unreachable code"},
			"c1": {"../tmp/12-x.go:9:2: unreachable code", "../tmp/12-x.go:3:1: assignment copies lock value"},
		}, word: verify.Fails, why: "vet: x.go:3:1: assignment copies lock value"},
		{name: "a second complaint of the same words", vet: map[string][]string{
			"": {"x.go:7:2: unreachable code"}, "c1": {"x.go:9:2: unreachable code", "x.go:19:2: unreachable code"},
		}, word: verify.Fails, why: "vet: x.go:19:2: unreachable code"},
		{name: "tests", w: world{tests: func(arm string, _ bool) (host.Outcome, error) {
			if arm == "c1" {
				return failing("TestSum", "sum = 2, want 3")
			}
			return passing()
		}}, word: verify.Fails, why: "tests: TestSum fails: x_test.go:9: sum = 2, want 3 (again in 3 of 3 more runs, and in 0 of 3 without the edit)"},
		{name: "tests that hang", w: world{tests: func(arm string, _ bool) (host.Outcome, error) {
			if arm == "c1" {
				return host.Outcome{Exit: -1, Late: true}, nil
			}
			return passing()
		}}, word: verify.Fails, why: "tests: the tests did not end within"},
		{name: "race", w: world{tests: func(arm string, race bool) (host.Outcome, error) {
			if arm == "c1" && race {
				return host.Outcome{Exit: 66, Output: []byte("WARNING: DATA RACE\n--- FAIL: TestSum (0.00s)\n")}, nil
			}
			return passing()
		}}, word: verify.Fails, why: "race: TestSum fails: a data race"},
		{name: "its benchmark", w: world{speed: func(arm, _ string, _ int) float64 {
			if arm == "c1" {
				return 0
			}
			return 1
		}}, word: verify.Fails, why: "measure: BenchmarkX/variant=hot-"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := test.w
			w.profile, w.layouts = noise.Quiet, 0.005
			if w.speed == nil {
				w.speed = faster(map[string]float64{"c0": 1.5, "c1": 2})
			} else {
				slow := w.speed
				w.speed = func(arm, bench string, procs int) float64 {
					return slow(arm, bench, procs) * faster(map[string]float64{"c0": 1.5})(arm, bench, procs)
				}
			}
			lab := w.lab()
			if test.vet != nil {
				lab.Vet = func(_ context.Context, c overlay.Overlay, _ []string) ([]string, error) {
					return test.vet[armOf(c)], nil
				}
			}
			rec, err := verify.Run(t.Context(), lab, options(1, 3))
			if err != nil || rec.End != measure.Decided {
				t.Fatal(rec.End, err)
			}
			by := proofs(rec)
			if p := by["c1"]; p.Word != test.word || !strings.HasPrefix(p.Why, test.why) {
				t.Errorf("%s: %s, want %s: %s", p.Word, p.Why, test.word, test.why)
			}
			if p := by["c0"]; p.Word != verify.Kept { // the runner-up takes over
				t.Errorf("the next best: %s: %s", p.Word, p.Why)
			}
		})
	}
}

// A test that fails now and then without any edit is not the edit's fault; one
// that never does without it is, even if it fails once.
func TestFlaky(t *testing.T) {
	for _, test := range []struct {
		name          string
		with, without []bool // whether the runs fail, in turns
		word          verify.Word
		note          string
	}{
		{"never", nil, nil, verify.Kept, ""},
		{"both now and then", []bool{true, false, true, false}, []bool{false, true, false, false}, verify.Kept, "TestSum fails without any edit as well"},
		{"before any edit, once", nil, []bool{true, false}, verify.Kept, "fails now and then, without any edit"},
		{"once with it", []bool{true, false, false, false}, nil, verify.Fails, ""},
		{"always with it", []bool{true, true, true, true}, []bool{false, true, false, false}, verify.Fails, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			runs := map[string]int{}
			w := &world{profile: noise.Quiet, layouts: 0.005, speed: faster(map[string]float64{"c0": 2}), tests: func(arm string, race bool) (host.Outcome, error) {
				if race {
					return passing()
				}
				fails := test.with
				if arm == "" {
					fails = test.without
				}
				i := runs[arm]
				if runs[arm]++; i < len(fails) && fails[i] {
					return failing("TestSum", "no")
				}
				return passing()
			}}
			rec, by := try(t, w, options(1, 1))
			if p := by["c0"]; p.Word != test.word {
				t.Errorf("%s: %s, want %s", p.Word, p.Why, test.word)
			}
			if notes := strings.Join(rec.Notes, "; "); !strings.Contains(notes, test.note) || (test.note == "") != (notes == "") {
				t.Errorf("notes %q, want %q", notes, test.note)
			}
		})
	}
}

// Where nothing can be tried the record says why and what to do.
func TestProblem(t *testing.T) {
	for _, test := range []struct {
		name, reason, next string
		w                  world
	}{
		{"fails", "its tests fail before any edit: TestSum fails: x_test.go:9: no", "make go test sim pass",
			world{tests: func(string, bool) (host.Outcome, error) { return failing("TestSum", "no") }}},
		{"slow", "the tests of sim did not end within", "raise -budget",
			world{tests: func(string, bool) (host.Outcome, error) { return host.Outcome{Late: true, Exit: -1}, nil }}},
		{"does not build", "does not compile: no", "go vet sim",
			world{fails: func(string, host.Source) error { return &host.Fault{Reason: "no"} }}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.w.speed = same
			rec, by := try(t, &test.w, options(1, 2))
			if rec.End != measure.Failed || rec.Problem == nil || !strings.HasPrefix(rec.Problem.Reason, test.reason) || !strings.HasPrefix(rec.Problem.Next, test.next) {
				t.Errorf("%s: %v, want %s: %s", rec.End, rec.Problem, test.reason, test.next)
			}
			if p := by["c0"]; p.Word != verify.NotTried {
				t.Errorf("%s: %s", p.Word, p.Why)
			}
		})
	}
	broken := errors.New("the machine is gone")
	w := &world{speed: same, tests: func(string, bool) (host.Outcome, error) { return host.Outcome{}, broken }}
	if rec, err := verify.Run(t.Context(), w.lab(), options(1, 1)); !errors.Is(err, broken) || rec == nil || rec.End != measure.Failed {
		t.Errorf("a host that is of no use: %v, %v", rec, err)
	}
}

// What is slower at another number of processors is a trade, and never kept.
func TestTrade(t *testing.T) {
	sure := 0
	for seed := range uint64(10) {
		w := &world{profile: noise.Quiet, seed: seed, layouts: 0.005, speed: func(arm, bench string, procs int) float64 {
			switch {
			case bench != hotBench:
			case arm == "trade":
				return map[int]float64{1: 0.9, 2: 3}[procs]
			case arm == "both":
				return 1.3
			case arm == "slow":
				return 0.7
			}
			return 1
		}}
		o := options(seed, 0)
		o.Candidates = []verify.Candidate{candidate("trade", "f")}
		_, by := try(t, w, o)
		switch p := by["trade"]; {
		case p.Word == verify.Trade && p.Why == "faster at BenchmarkX/variant=hot-2, slower at BenchmarkX/variant=hot-1":
			sure++
		case p.Word != verify.CannotSay || !strings.HasPrefix(p.Why, "faster at BenchmarkX/variant=hot-2, but perhaps slower at BenchmarkX/variant=hot-1"):
			t.Errorf("seed %d: %s: %s", seed, p.Word, p.Why)
		}
		o.Candidates = []verify.Candidate{candidate("trade", "f"), candidate("both", "f"), candidate("slow", "g")}
		_, by = try(t, w, o)
		if by["both"].Word != verify.Kept || by["trade"].Word == verify.Kept || by["trade"].Word == verify.Beaten && !strings.Contains(by["trade"].Why, "BenchmarkX/variant=hot-1 down, ") {
			t.Errorf("seed %d: %s, and %s: %s", seed, by["both"].Word, by["trade"].Word, by["trade"].Why)
		}
		if p := by["slow"]; p.Word != verify.NoGain || !strings.HasPrefix(p.Why, "it is no faster: 0.") {
			t.Errorf("seed %d: %s: %s", seed, p.Word, p.Why)
		}
	}
	if sure < 7 {
		t.Errorf("a trade is told as one %d times of 10", sure)
	}
}

// What looks faster by no more than code that is the same is not kept.
func TestDrift(t *testing.T) {
	for seed := range uint64(10) {
		for _, far := range []float64{1, 1.25} {
			w := &world{profile: noise.Quiet, seed: seed, layouts: 0.005, speed: func(arm, bench string, _ int) float64 {
				switch {
				case arm == "":
					return 1
				case bench == farBench:
					return far
				}
				return 1.15
			}}
			if _, by := try(t, w, options(seed, 1)); (by["c0"].Word == verify.Kept) != (far == 1) {
				t.Errorf("seed %d: while what it does not touch is %.2f times as fast: %s: %s, drift %.3f", seed, far, by["c0"].Word, by["c0"].Why, by["c0"].Drift)
			}
		}
	}
}

// Of what measures the same the lower rank is kept.
func TestRank(t *testing.T) {
	library := 0
	for seed := range uint64(20) {
		w := &world{profile: noise.Quiet, seed: seed, layouts: 0.002, speed: faster(map[string]float64{"c0": 2, "c1": 2})}
		o := options(seed, 2)
		o.Candidates[0].Rank = 3
		if _, by := try(t, w, o); by["c0"].Word == verify.Kept {
			library++
		}
	}
	if library > 4 {
		t.Errorf("the higher rank is kept %d times of 20", library)
	}
}

// A sweep counts as one candidate: all of its values are built, but go vet and the
// tests look at the first that passes them and at the one that wins alone, the race
// detector at the latter. What is kept has passed all of them itself.
func TestSweep(t *testing.T) {
	for _, test := range []struct {
		name   string
		fails  map[string]bool // tests
		raced  map[string]bool // with the race detector
		kept   string
		checks map[string]string
	}{
		{"the fourth wins", nil, nil, "c4", map[string]string{"c0": "build vet tests", "c4": "build vet tests tests on one processor race"}},
		{"the first fails", map[string]bool{"c0": true, "c1": true}, nil, "c4", map[string]string{"c0": "build vet", "c1": "build vet", "c2": "build vet tests", "c4": "build vet tests tests on one processor race"}},
		{"the winner fails", map[string]bool{"c4": true}, nil, "c5", map[string]string{"c0": "build vet tests", "c4": "build vet", "c5": "build vet tests tests on one processor race"}},
		{"the winner races", nil, map[string]bool{"c4": true}, "c5", map[string]string{"c0": "build vet tests", "c4": "build vet tests tests on one processor", "c5": "build vet tests tests on one processor race"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := &world{profile: noise.Quiet, layouts: 0.005, speed: faster(map[string]float64{"c4": 2, "c5": 1.9}),
				tests: func(arm string, race bool) (host.Outcome, error) {
					if test.fails[arm] || race && test.raced[arm] {
						return failing("TestSum", "no")
					}
					return passing()
				}}
			ran := map[string]int{}
			w.ran = func(what string) { ran[what]++ }
			o := options(1, 8)
			for i := range o.Candidates {
				o.Candidates[i].Sweep = "threshold"
			}
			rec, by := try(t, w, o)
			if p := by[test.kept]; p.Word != verify.Kept {
				t.Errorf("%s: %s: %s", test.kept, p.Word, p.Why)
			}
			for _, c := range rec.Candidates {
				var passed []string
				for _, x := range c.Checks {
					if x.OK {
						passed = append(passed, x.Name)
					}
				}
				want := cmp.Or(test.checks[c.ID], "build")
				if got := strings.Join(passed, " "); got != want {
					t.Errorf("%s passed %q, want %q", c.ID, got, want)
				}
				if looked := ran["vet "+c.ID] + ran["test "+c.ID]; (looked > 0) != strings.Contains(want, "vet") {
					t.Errorf("%s: go vet and the tests looked at it %d times", c.ID, looked)
				}
			}
		})
	}
}

// After a change, concurrency still has to pay against the best serial time:
// that of the changed code if it is the faster one.
func TestAnswer(t *testing.T) {
	w := &world{profile: noise.Quiet, layouts: 0.005, speed: func(arm, bench string, procs int) float64 {
		switch {
		case bench == hotBench && arm == "c0":
			return 0.8 * float64(procs)
		case bench == hotBench:
			return 0.3
		case bench == serialBench && arm == "c0":
			return 1.25
		}
		return 1
	}}
	_, by := try(t, w, options(1, 1))
	p := by["c0"]
	if p.Word != verify.Kept || len(p.After) != 2 || len(p.Others) != 2 {
		t.Fatalf("%s: %s, after %d, others %d", p.Word, p.Why, len(p.After), len(p.Others))
	}
	for i, want := range []judge.Word{judge.Loses, judge.Pays} {
		a := p.After[i]
		if a.Word != want || a.Procs != i+1 || a.Base != (measure.Cell{Bench: serialBench, Procs: i + 1}) || !a.Changed {
			t.Errorf("at %d: %s against %s, changed %v, %.2f, want %s", i+1, a.Word, a.Base, a.Changed, a.Ratio, want)
		}
		if o := p.Others[i]; o.Base.Bench != otherBench || o.Procs != i+1 {
			t.Errorf("others: %+v", o)
		}
	}
}

// A variant that another candidate is to speed up is compared with what won all
// the same, as it is without any change.
func TestOthersOfOthers(t *testing.T) {
	w := &world{profile: noise.Quiet, layouts: 0.005, speed: faster(map[string]float64{"c0": 2})}
	o := options(1, 2)
	o.Candidates[1].Claim = "another"
	o.Candidates[1].Cells = []measure.Cell{{Bench: otherBench, Procs: 1}, {Bench: otherBench, Procs: 2}}
	_, by := try(t, w, o)
	if p := by["c0"]; p.Word != verify.Kept || len(p.Others) != 2 || p.Others[0].Base.Bench != otherBench {
		t.Errorf("%s: others %+v", p.Word, p.Others)
	}
}

// What is kept of different claims is tried as one change, on samples of its own.
func TestTogether(t *testing.T) {
	tries := 0
	w := &world{profile: noise.Quiet, layouts: 0.005, speed: func(arm, bench string, _ int) float64 {
		switch {
		case arm == "f" && bench == hotBench, arm == "g" && bench == otherBench, arm == "both" && bench != farBench && bench != serialBench:
			return 2
		}
		return 1
	}}
	o := options(1, 0)
	g := candidate("g", "g")
	g.Cells = cells(otherBench, 1, 2)
	o.Candidates = []verify.Candidate{candidate("f", "f"), g, candidate("none", "h")}
	o.Together = func(ids []string) (verify.Candidate, error) {
		tries++
		if !slices.Equal(ids, []string{"f", "g"}) {
			t.Errorf("together: %v", ids)
		}
		return verify.Candidate{Edit: edit.Edit{ID: "both"}, Change: change("both")}, nil
	}
	rec, by := try(t, w, o)
	if p := by["both"]; tries != 1 || p.Word != verify.Kept || len(p.Gains) != 4 || !p.Fresh || by["none"].Word != verify.NoGain {
		t.Errorf("tried %d times; %s: %s %v; notes %v; %+v", tries, p.Word, p.Why, p.Gains, rec.Notes, by["none"])
	}
	o.Together = func([]string) (verify.Candidate, error) { return verify.Candidate{}, errors.New("they overlap") }
	if rec, by := try(t, w, o); rec.Together != nil || len(by) != 3 || !slices.Equal(rec.Notes, []string{"they overlap"}) {
		t.Errorf("%v, %v", rec.Together, rec.Notes)
	}
}

// Of one function, the best edits of each place are tried as one, too, once it is
// known which those are.
func TestCompound(t *testing.T) {
	speeds := map[string]float64{"a1": 1.1, "a2": 1.5, "b1": 1.02, "b2": 1.3, "lost": 0.5, "a2+b2": 2.2}
	w := func() *world { return &world{profile: noise.Quiet, layouts: 0.005, speed: faster(speeds)} }
	o := options(1, 0)
	for id, site := range map[string]string{"a1": "a", "a2": "a", "b1": "b", "b2": "b", "lost": "c"} {
		c := candidate(id, "f")
		c.Site = site
		o.Candidates = append(o.Candidates, c)
	}
	slices.SortFunc(o.Candidates, func(a, b verify.Candidate) int { return strings.Compare(a.ID, b.ID) })
	var asked []string
	o.Together = func(ids []string) (verify.Candidate, error) {
		asked = append(asked, strings.Join(ids, "+"))
		return verify.Candidate{Edit: edit.Edit{ID: asked[len(asked)-1], Parts: ids}, Change: change(asked[len(asked)-1])}, nil
	}
	rec, by := try(t, w(), o)
	if p := by["a2+b2"]; !slices.Equal(asked, []string{"a2+b2"}) || p.Word != verify.Kept || by["a2"].Word != verify.Beaten {
		t.Errorf("asked for %q; %s: %s; %s", asked, p.Word, p.Why, by["a2"].Word)
	}
	// It came late, and was measured often enough to tell how few pairs prove it.
	if i := len(rec.Candidates) - 1; rec.Candidates[i].ID != "a2+b2" || rec.Candidates[i].Pairs != 10 {
		t.Errorf("%s is proven by %d pairs, want 10", rec.Candidates[i].ID, rec.Candidates[i].Pairs)
	}
	if again := proofs(rec); len(again) != 6 {
		t.Errorf("the record has %d candidates, want 6", len(again))
	}
	// What is among the candidates is not asked for.
	asked = nil
	c := candidate("both", "f")
	c.Parts = []string{"a2", "b2"}
	with := o
	with.Candidates = append(slices.Clone(o.Candidates), c)
	if try(t, w(), with); len(asked) > 0 {
		t.Errorf("asked for %q, which was there", asked)
	}
	// Where all at once do not fit, fewer may; and where nothing fits, nothing is lost.
	speeds["lost"], speeds["a2+lost"] = 1.2, 1.7
	o.Together = func(ids []string) (verify.Candidate, error) {
		asked = append(asked, strings.Join(ids, "+"))
		return verify.Candidate{}, errors.New("they overlap")
	}
	if _, by := try(t, w(), o); !slices.Equal(asked, []string{"a2+b2+lost", "a2+b2"}) || by["a2"].Word != verify.Kept {
		t.Errorf("asked for %q; %s: %s", asked, by["a2"].Word, by["a2"].Why)
	}
}

// What a note says of -budget would do: given that, the same is proven.
func TestNeeds(t *testing.T) {
	const share = 2. / 3
	hints := 0
	for seed := range uint64(8) {
		w := func() *world {
			return &world{profile: noise.Channel, seed: seed, layouts: 0.02, speed: func(arm, bench string, _ int) float64 {
				if arm != "" && bench == hotBench {
					return 1.3
				}
				return 1
			}}
		}
		for _, budget := range []time.Duration{8 * time.Second, 12 * time.Second, 18 * time.Second, 25 * time.Second, 45 * time.Second} {
			o := options(seed, 9)
			o.Budget, o.Share = budget, share
			for i := range o.Candidates {
				o.Candidates[i].Claim = fmt.Sprint("f", i/4)
			}
			rec, _ := try(t, w(), o)
			for i, c := range rec.Candidates {
				if c.Needs == 0 {
					if strings.Contains(c.Out, "raise -budget to") {
						t.Errorf("seed %d, %v: %q, and no figure", seed, budget, c.Out)
					}
					continue
				}
				hints++
				if !strings.HasSuffix(c.Out, "raise -budget to "+cmdline.Duration(c.Needs)) || float64(c.Needs)*share <= float64(budget) {
					t.Errorf("seed %d, %v: %q, needs %v", seed, budget, c.Out, c.Needs)
				}
				o.Budget = time.Duration(share * float64(c.Needs))
				enough, _ := try(t, w(), o)
				if !slices.ContainsFunc(enough.Candidates, func(x verify.Trial) bool { return x.Claim == c.Claim && x.Pairs > 0 }) {
					t.Errorf("seed %d, %v: %v does not do for %s: %+v", seed, budget, c.Needs, c.ID, enough.Candidates[i].Out)
				}
			}
		}
	}
	if hints < 5 {
		t.Errorf("%d notes name a budget, want some", hints)
	}
}

// A proof stays within the budget where what it is compared with takes much longer
// than a sample and did not run before; what is named instead does.
func TestSlowCompany(t *testing.T) {
	proven := 0
	for seed := range uint64(4) {
		w := func() *world {
			return &world{profile: noise.Quiet, seed: seed, layouts: 0.005, speed: func(arm, bench string, _ int) float64 {
				switch {
				case bench == serialBench, bench == otherBench:
					return 1. / 3000
				case arm == "c0" && bench == hotBench:
					return 2
				}
				return 1
			}}
		}
		for budget := 8 * time.Second; budget > 0; {
			o := options(seed, 2)
			for i := range o.Series.Listed {
				if n := o.Series.Listed[i].Name; n == serialBench || n == otherBench {
					o.Series.Listed[i].PerOp = 3e8
				}
			}
			o.Budget = budget
			rec, by := try(t, w(), o)
			const builds = 2 * time.Second // of what is not changed, and the first with the race detector
			if over := rec.Elapsed - builds - budget; over > time.Second {
				t.Errorf("seed %d: with %v it took %v more", seed, budget, over)
			}
			if by["c0"].Word == verify.Kept {
				proven++
				break
			}
			if budget = rec.Candidates[0].Needs; budget == 0 {
				t.Errorf("seed %d: %s: %s", seed, by["c0"].Word, by["c0"].Why)
			}
		}
	}
	if proven < 4 {
		t.Errorf("the gain is proven in %d of 4 runs", proven)
	}
}

// A benchmark is given as long as the user says, and no shorter for the budget.
func TestTimeout(t *testing.T) {
	longest := time.Duration(0)
	w := &world{profile: noise.Quiet, layouts: 0.005, speed: func(arm, _ string, _ int) float64 {
		if arm == "c0" {
			return 0
		}
		return 1
	}}
	o := options(1, 1)
	o.Timeout = 7 * time.Minute
	lab := w.lab()
	lab.Host = patient{lab.Host, &longest}
	if _, err := verify.Run(t.Context(), lab, o); err != nil || longest != o.Timeout {
		t.Errorf("%v; the longest was given %v, want %v", err, longest, o.Timeout)
	}
}

// A patient host knows how long benchmarks may be without news.
type patient struct {
	host.Host
	longest *time.Duration
}

func (h patient) Run(ctx context.Context, j host.Job) (host.Outcome, error) {
	if !slices.Contains(j.Args, "-test.run=.") {
		*h.longest = max(*h.longest, j.Timeout)
	}
	return h.Host.Run(ctx, j)
}

// The tests of what won run on one processor as well, where that is cheap.
func TestSingle(t *testing.T) {
	for _, slow := range []time.Duration{0, 30 * time.Second} {
		w := &world{profile: noise.Quiet, layouts: 0.005, speed: faster(map[string]float64{"c0": 1.5, "c1": 2}), hangs: "c1"}
		w.tests = func(string, bool) (host.Outcome, error) { w.now = w.now.Add(slow); return passing() }
		o := options(1, 2)
		o.Budget = 10 * time.Minute
		rec, by := try(t, w, o)
		if p := by["c1"]; slow == 0 && (p.Word != verify.Fails || !strings.HasPrefix(p.Why, "tests on one processor: the tests did not end within")) || slow > 0 && p.Word != verify.Kept {
			t.Errorf("tests of %v: %s: %s", slow, p.Word, p.Why)
		}
		if slow == 0 && by["c0"].Word != verify.Kept {
			t.Errorf("the next best: %s: %s", by["c0"].Word, by["c0"].Why)
		}
		if told := slices.ContainsFunc(rec.Notes, func(n string) bool { return strings.Contains(n, "were not run on one processor") }); told != (slow > 0) {
			t.Errorf("tests of %v: notes %q", slow, rec.Notes)
		}
	}
}

// What the record says as JSON is what it said before, to the last figure.
func TestReplay(t *testing.T) {
	w := &world{profile: noise.Loaded, layouts: 0.02, often: 0.1, speed: faster(map[string]float64{"c0": 1.4, "c1": 1.2})}
	rec, _ := try(t, w, options(3, 4))
	data, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	var again verify.Record
	if err := json.Unmarshal(data, &again); err != nil {
		t.Fatal(err)
	}
	// As text: a NaN is no other.
	if got, want := fmt.Sprintf("%+v", verify.Judge(&again)), fmt.Sprintf("%+v", verify.Judge(rec)); got != want {
		t.Errorf("replayed:\n%s\nwant\n%s", got, want)
	}
	for _, c := range rec.Candidates {
		for _, x := range c.Cells {
			if got, want := again.Ratio(c.ID, x), rec.Ratio(c.ID, x); !reflect.DeepEqual(got, want) && got.Pairs+want.Pairs > 0 {
				t.Errorf("%s at %s: %v, want %v", c.ID, x, got, want)
			}
		}
	}
	// The same seed gives the same run.
	if twice, _ := try(t, w, options(3, 4)); !reflect.DeepEqual(twice.Samples, rec.Samples) {
		t.Error("another run with the same seed differs")
	}
}

// Wherever a run is interrupted it ends at once, what is there stays, and nothing
// is kept that was not proven.
func TestInterrupt(t *testing.T) {
	run := func(ctx context.Context, ran func(string)) (*verify.Record, map[string]verify.Proof) {
		w := &world{profile: noise.Quiet, layouts: 0.005, speed: faster(map[string]float64{"f": 2, "g": 3}), ran: ran}
		o := options(1, 0)
		o.Candidates = []verify.Candidate{candidate("f", "f"), candidate("g", "g"), candidate("h", "g")}
		o.Together = func([]string) (verify.Candidate, error) {
			return verify.Candidate{Edit: edit.Edit{ID: "both"}, Change: change("both")}, nil
		}
		rec, err := verify.Run(ctx, w.lab(), o)
		if err != nil {
			t.Fatal(err)
		}
		return rec, proofs(rec)
	}
	var steps []string
	whole, _ := run(t.Context(), func(what string) { steps = append(steps, what) })
	if whole.End != measure.Decided || whole.Together == nil || len(steps) < 100 {
		t.Fatalf("%s after %d steps", whole.End, len(steps))
	}
	confirmed := 0
	for n := range steps {
		if n > 20 && n%19 > 0 && !strings.HasPrefix(steps[n], "test") && !strings.HasPrefix(steps[n], "vet") {
			continue
		}
		ctx, stop := context.WithCancel(t.Context())
		i := 0
		rec, by := run(ctx, func(string) {
			if i++; i == n+1 {
				stop()
			}
			if i > n+1 {
				t.Errorf("interrupted at step %d, it went on to %d", n, i)
			}
		})
		stop()
		if rec.End != measure.Interrupted {
			t.Errorf("step %d (%s): %s", n, steps[n], rec.End)
		}
		if len(rec.Samples) > len(whole.Samples) || !slices.EqualFunc(rec.Samples, whole.Samples[:len(rec.Samples)], func(a, b verify.Sample) bool { return a == b }) {
			t.Errorf("step %d: the samples are not those of the whole run so far", n)
		}
		for id, p := range by {
			if p.Word == verify.Kept {
				confirmed++
				pairs := rec.Candidates[slices.IndexFunc(rec.Candidates, func(c verify.Trial) bool { return c.ID == id })].Pairs
				for _, g := range p.Gains {
					if g.Pairs < pairs || pairs == 0 {
						t.Errorf("step %d (%s): %s is kept by %d of %d pairs", n, steps[n], id, g.Pairs, pairs)
					}
				}
			}
		}
	}
	if confirmed == 0 {
		t.Error("no interruption came after something was proven")
	}
}

// No binary is kept that is not needed: at the end there is none.
func TestForgets(t *testing.T) {
	for seed := range uint64(10) {
		w := &world{profile: noise.Quiet, seed: seed, layouts: 0.005, speed: faster(map[string]float64{"c0": 2})}
		lab := w.lab()
		h := &counting{Host: lab.Host, there: map[string]bool{}}
		lab.Host = h
		o := options(seed, 6)
		next := candidate("g", "g")
		next.Cells = cells(otherBench, 1, 2)
		o.Candidates = append(o.Candidates, next)
		if _, err := verify.Run(t.Context(), lab, o); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if len(h.there) > 0 || h.most > 40 || h.most < 7 {
			t.Errorf("seed %d: %d binaries are left, at most there were %d: %v", seed, len(h.there), h.most, h.there)
		}
	}
}

// A counting host knows which binaries are there.
type counting struct {
	host.Host
	there map[string]bool
	most  int
}

func key(s host.Source) string { return fmt.Sprintf("%s race=%v", armOf(s.Change), s.Race) }

func (h *counting) Build(ctx context.Context, s host.Source) (host.Binary, error) {
	b, err := h.Host.Build(ctx, s)
	if err == nil {
		h.there[fmt.Sprint(key(s), " ", s.Layout)] = true
		h.most = max(h.most, len(h.there))
	}
	return b, err
}

func (h *counting) Forget(s host.Source) {
	for k := range h.there {
		if k == fmt.Sprint(key(s), " ", s.Layout) || s.Layout == 0 && strings.HasPrefix(k, key(s)+" ") {
			delete(h.there, k)
		}
	}
	h.Host.(host.Forgetter).Forget(s)
}

// The checks alone measure nothing.
func TestChecks(t *testing.T) {
	w := &world{speed: same, tests: func(arm string, race bool) (host.Outcome, error) {
		if arm == "c1" && race {
			return failing("TestX", "no")
		}
		return passing()
	}}
	rec, err := verify.Checks(t.Context(), w.lab(), options(1, 2))
	if err != nil || len(rec.Samples) > 0 || rec.Candidates[0].Out != "" || rec.Candidates[1].Stage != verify.Raced || len(rec.Candidates[0].Checks) != 5 {
		t.Errorf("%v, %+v", err, rec)
	}
}

// Sides whose times are alike run as many operations, whoever is measured first.
func TestEqualOperations(t *testing.T) {
	for seed := range uint64(5) {
		w := &world{profile: noise.Quiet, seed: seed, layouts: 0.005, speed: faster(map[string]float64{"c1": 1.1, "c2": 3, "c3": 0.4})}
		rec, _ := try(t, w, options(seed, 4))
		n := map[string]int64{}
		for _, x := range rec.Samples {
			if x.Drop == measure.Calibration || x.Bench != hotBench {
				continue
			}
			key := fmt.Sprint(x.Arm, x.Procs)
			if n[key] == 0 {
				n[key] = x.N
			}
			if x.N != n[key] {
				t.Fatalf("seed %d: %s runs %d operations, and %d", seed, key, n[key], x.N)
			}
		}
		for _, procs := range []int{1, 2} {
			base := n[fmt.Sprint("", procs)]
			for id, want := range map[string]float64{"c0": 1, "c1": 1, "c2": 3, "c3": 0.4} {
				got := float64(n[fmt.Sprint(id, procs)]) / float64(base)
				if want == 1 && got != 1 || got < want/1.5 || got > want*1.5 {
					t.Errorf("seed %d: %s at %d runs %.2f times the operations of the untouched code, want %.1f", seed, id, procs, got, want)
				}
			}
		}
	}
}

// Claims are decided in turn, first what seems to gain most: what is kept is told
// before the next is begun, and where the budget is short the last ones are not
// tried.
func TestTurns(t *testing.T) {
	for _, test := range []struct {
		budget time.Duration
		kept   []string
	}{{30 * time.Second, []string{"c2", "c0"}}, {4 * time.Minute, []string{"c2", "c0", "c1", "c3"}}} {
		built := ""
		w := &world{profile: noise.Quiet, layouts: 0.005, ran: func(what string) {
			if arm, ok := strings.CutPrefix(what, "build "); ok && arm != "" {
				built = arm
			}
		}, speed: func(arm, bench string, _ int) float64 {
			switch {
			case arm == "c2" && bench == hotBench:
				return 4
			case arm != "" && bench == hotBench:
				return 2
			}
			return 1
		}}
		o := options(1, 4)
		o.Budget = test.budget
		for i := range o.Candidates {
			o.Candidates[i].Claim = fmt.Sprint("f", i)
		}
		var kept []string
		o.Kept = func(p verify.Proof) {
			if p.Candidate != built || !p.Fresh {
				t.Errorf("%s is told when %s was built", p.Candidate, built)
			}
			kept = append(kept, p.Candidate)
		}
		rec, by := try(t, w, o)
		if !slices.Equal(kept, test.kept) || (rec.End == measure.Budget) != (len(kept) < 4) {
			t.Errorf("in %v: %v are told, want %v; %s after %v", test.budget, kept, test.kept, rec.End, rec.Elapsed)
		}
		for _, c := range o.Candidates {
			want := verify.NotTried
			if slices.Contains(test.kept, c.ID) {
				want = verify.Kept
			}
			if p := by[c.ID]; p.Word != want {
				t.Errorf("in %v: %s: %s: %s", test.budget, c.ID, p.Word, p.Why)
			}
		}
	}
}
