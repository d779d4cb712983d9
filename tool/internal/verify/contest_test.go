package verify_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/stats/noise"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

// speeds are how many times as fast a candidate is at one and at two processors.
type speeds [2]float64

// Of two candidates the one that gains and loses nowhere is kept, however much more
// the other seems to gain that loses somewhere; where they are as good, the simpler
// one.
func TestSimulatedRivals(t *testing.T) {
	for _, test := range []struct {
		name    string
		a, b    speeds
		rank    int // of b
		budget  time.Duration
		a1, b1  float64 // the least share of the runs that keep a, and the most that keep b
		quieter bool    // only where noise lets it be seen
	}{
		{"b loses a tenth", speeds{1.02, 7}, speeds{0.9, 7.4}, 0, 80 * time.Second, 0.95, 0.03, false},
		{"b loses a twentieth", speeds{1.02, 7}, speeds{0.95, 7.4}, 0, 80 * time.Second, 0.9, 0.1, true},
		{"b gains twice as much", speeds{1, 2}, speeds{0.9, 4}, 0, 80 * time.Second, 0.85, 0.06, false},
		{"both gain little", speeds{1, 1.3}, speeds{0.93, 1.5}, 0, 80 * time.Second, 0.85, 0.05, true},
		{"b is as good, and less simple", speeds{1, 2}, speeds{1, 2.05}, 1, 80 * time.Second, 0.65, 0.35, true},
		{"b gains less", speeds{1, 7}, speeds{1, 5}, 0, 80 * time.Second, 0.85, 0.15, true},
		{"no time for more than one proof", speeds{1, 1.5}, speeds{0.94, 1.8}, 0, 22 * time.Second, 0.7, 0.1, true},
		{"both lose", speeds{0.9, 3}, speeds{0.88, 3.2}, 0, 80 * time.Second, 0, 0.05, true},
	} {
		a, b, runs := 0, 0, 0
		profiles := noise.All()
		if test.quieter {
			profiles = profiles[:5]
		}
		for _, profile := range profiles {
			for seed := range uint64(times(8)) {
				w := &world{profile: profile, seed: seed, layouts: 0.005, speed: func(arm, bench string, procs int) float64 {
					switch {
					case bench == hotBench && arm == "a":
						return test.a[procs-1]
					case bench == hotBench && arm == "b":
						return test.b[procs-1]
					}
					return 1
				}}
				o := options(seed, 0)
				o.Budget = test.budget
				if test.name == "one proof" {
					o.Budget = 30 * time.Second
				} // what fix leaves of its default for trials, at least
				o.Candidates = []verify.Candidate{candidate("b", "f"), candidate("a", "f")}
				o.Candidates[0].Rank = test.rank
				_, by := try(t, w, o)
				if runs++; by["a"].Word == verify.Kept {
					a++
				} else if by["b"].Word == verify.Kept {
					b++
				}
			}
		}
		t.Logf("%s: of %d runs %d keep a, %d keep b", test.name, runs, a, b)
		if float64(a) < test.a1*float64(runs) || float64(b) > test.b1*float64(runs) {
			t.Errorf("%s: of %d runs %d keep a %v and %d keep b %v, want %.0f %% at least and %.0f %% at most", test.name, runs, a, test.a, b, test.b, 100*test.a1, 100*test.b1)
		}
	}
}

// Whatever the proof of the best says, the next is proved in its place, if it seemed
// to gain, and to lose nowhere, and if there is time.
func TestNextInPlace(t *testing.T) {
	for _, test := range []struct {
		name   string
		proved speeds // what the best is once it has won
		next   speeds
		narrow bool
		budget time.Duration
		best   verify.Word
		word   verify.Word // of the next
		why    string
	}{
		{"the best stays", speeds{1, 3}, speeds{1, 2}, false, 3 * time.Minute, verify.Kept, verify.Beaten, "best was faster"},
		{"is a trade", speeds{0.8, 3}, speeds{1, 2}, false, 3 * time.Minute, verify.Trade, verify.Kept, ""},
		{"is slower", speeds{0.8, 1}, speeds{1, 2}, false, 3 * time.Minute, verify.Slower, verify.Kept, ""},
		{"gains nothing", speeds{1, 1}, speeds{1, 2}, false, 3 * time.Minute, verify.NoGain, verify.Kept, ""},
		{"hangs", speeds{1, 0}, speeds{1, 2}, false, 3 * time.Minute, verify.Fails, verify.Kept, ""},
		{"the next did not gain", speeds{0.8, 3}, speeds{1, 1.01}, false, 3 * time.Minute, verify.Trade, verify.Beaten, "best was faster"},
		{"the next loses", speeds{0.8, 3}, speeds{0.9, 2}, false, 3 * time.Minute, verify.Trade, verify.Beaten, "best was faster"},
		{"no second processor", speeds{0.8, 3}, speeds{1, 2}, true, 3 * time.Minute, verify.CannotSay, verify.Beaten, "best was faster"},
		{"no time", speeds{0.8, 3}, speeds{1, 2}, false, 14 * time.Second, verify.Trade, verify.NotTried, "the budget was too short to prove it: raise -budget"},
	} {
		won := false
		w := &world{profile: noise.Quiet, seed: 3, layouts: 0.005}
		w.tests = func(arm string, race bool) (host.Outcome, error) {
			won = won || arm == "best" && race
			return passing()
		}
		w.speed = func(arm, bench string, procs int) float64 {
			switch {
			case bench != hotBench:
			case arm == "best" && won:
				return test.proved[procs-1]
			case arm == "best":
				return speeds{1, 3}[procs-1]
			case arm == "next":
				return test.next[procs-1]
			}
			return 1
		}
		o := options(3, 0)
		o.Budget = test.budget
		if test.narrow {
			o.Series.Given = map[int]float64{2: 0.9}
		}
		o.Candidates = []verify.Candidate{candidate("next", "f"), candidate("best", "f")}
		rec, by := try(t, w, o)
		if x := by["best"]; x.Word != test.best {
			t.Errorf("%s: best: %s (%s), want %s", test.name, x.Word, x.Why, test.best)
		}
		if x := by["next"]; x.Word != test.word || !strings.HasPrefix(x.Why, test.why) {
			t.Errorf("%s: next: %s (%s), want %s (%s…); %v of %v", test.name, x.Word, x.Why, test.word, test.why, rec.Elapsed, test.budget)
		}
		if got, want := rec.Candidates[0].After == 1, test.word == verify.Kept || test.word == verify.NotTried; got != want {
			t.Errorf("%s: next: after %d proofs that failed, want one: %t", test.name, rec.Candidates[0].After, want)
		}
	}
}
