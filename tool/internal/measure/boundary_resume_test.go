package measure

import (
	"math"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// TestResumeTable: what a run that goes on takes from the samples that there are,
// at three processor counts and in two families.
func TestResumeTable(t *testing.T) {
	const ms = time.Millisecond
	s := three()
	// Of each round of X at 8 a sample of 10 ms of the base, of 20 ms of b, whose
	// operations take half as much again outside the timer.
	for round := int32(1); round <= 5; round++ {
		s.Add(variant("serial", 8), Sample{Round: round, N: 10, Wall: 1e6, Layout: round})
		s.Add(variant("b", 8), Sample{Round: round, N: 20, Wall: 1e6, Whole: 1.5e6, Layout: round})
	}
	s.Add(variant("b", 8), Sample{Round: 6, Attempt: 1, N: 20, Wall: 1e6, Whole: 1.5e6, Layout: 6})
	s.Spoil(variant("b", 8), Sample{Round: 6, N: 20, Wall: 2e6})
	s.Spoil(variant("serial", 8), Sample{Round: 7, N: 10, Wall: 1e6}) // a round of which nothing was kept
	s.Add(twinOf(variant("b", 8)), Sample{Round: 3, N: 20, Wall: 1e6})
	s.Add(at("BenchmarkY", 2), Sample{Round: 2, N: 1, Wall: 300e6})
	s.Problems = []problem.Problem{{Benchmark: "BenchmarkY/x", Reason: "panics"}, {Benchmark: variant("c", 1).Bench, Note: true, Reason: "starts processes"}, {Reason: "of the package"}}
	m := bare(s, time.Hour)
	m.settled = settled
	m.guess[variant("serial", 8).Bench] = Listed{PerOp: 7}
	m.resume()

	x, y := m.families[0], m.families[1]
	// 5·10 + 10 of the base, 6·20 + 40 of b, 20 of the twin.
	if want := 240 * ms; x.cost != want || x.rounds != 7 {
		t.Errorf("the first family took %v in %d rounds, want %v in 7", x.cost, x.rounds, want)
	}
	if y.cost != 300*ms || y.rounds != 1 || m.before != 540*ms {
		t.Errorf("the second took %v in %d rounds, both %v; want 300ms in 1, 540ms", y.cost, y.rounds, m.before)
	}
	if m.round != 8 || m.samples != 15 || m.settled != 8+settled {
		t.Errorf("goes on at round %d after %d samples, settled at %d; want 8, 15, %d", m.round, m.samples, m.settled, 8+settled)
	}
	if m.had[variant("serial", 8)] != 10 || m.had[variant("b", 8)] != 20 || m.had[at("BenchmarkY", 2)] != 1 || len(m.had) != 3 {
		t.Errorf("numbers of operations %v", m.had)
	}
	if m.took[variant("serial", 8)] != 10*ms || m.took[variant("b", 8)] != 30*ms || m.whole[variant("b", 8)] != 1.5e6 {
		t.Errorf("took %v, whole %v, want 10ms and 30ms", m.took, m.whole)
	}
	if m.guess[variant("serial", 8).Bench].PerOp != 7 || m.guess[variant("b", 8).Bench].PerOp != 1e6 {
		t.Errorf("guesses %v: that of the listing stays, without one a sample tells", m.guess)
	}
	if len(m.broken) != 1 || !m.broken["BenchmarkY/x"] {
		t.Errorf("broken %v, want what a problem names, notes aside", m.broken)
	}
	if m.o.Sample != 15*ms { // of 10 ms and 20 ms; what has one operation could not be shorter
		t.Errorf("samples of %v, want 15ms", m.o.Sample)
	}
	for i, c := range m.comparisons {
		looked := c.Kind == Variant && c.New == variant("b", 8)
		if n := len(s.Pairs(c).Logs); m.state[i].looked != looked || m.state[i].pairs != n || looked && m.state[i].estimate.Pairs != 5 {
			t.Errorf("%v: looked %t at %d of %d pairs, want %t, at 5", c, m.state[i].looked, m.state[i].estimate.Pairs, n, looked)
		}
	}
	if m.n[variant("b", 8)] == 0 {
		t.Error("nothing is calibrated")
	}

	// What processes took in all is known of a run that wrote its end.
	for _, tt := range []struct{ all, before, first time.Duration }{{1080 * ms, 1080 * ms, 480 * ms}, {100 * ms, 540 * ms, 240 * ms}} {
		s.Cost.Samples = int64(tt.all)
		m := bare(s, time.Hour)
		if m.resume(); m.before != tt.before || m.families[0].cost != tt.first {
			t.Errorf("of %v in all: %v before, %v of the first family, want %v and %v", tt.all, m.before, m.families[0].cost, tt.before, tt.first)
		}
	}

	// Nothing was measured: nothing changes.
	fresh := bare(three(), time.Hour)
	fresh.settled = settled
	if fresh.resume(); fresh.round != 0 || fresh.settled != settled || fresh.o.Sample != 50*ms || len(fresh.n) != 0 {
		t.Errorf("of no samples: round %d, settled %d, samples of %v", fresh.round, fresh.settled, fresh.o.Sample)
	}
}

// TestResumeLook: of the pairs that there are, those up to the last look count; a
// decision stands.
func TestResumeLook(t *testing.T) {
	for pairs, want := range map[int]struct {
		look     int
		decision stats.Decision
	}{2: {0, stats.Open}, 9: {5, stats.Open}, 15: {10, stats.Faster}, 16: {16, stats.Faster}} {
		s := three()
		for i := range pairs {
			s.Add(variant("serial", 2), Sample{Round: int32(i + 1), Layout: int32(i), N: 10, Wall: 1.5e6 + float64(i)})
			s.Add(variant("b", 2), Sample{Round: int32(i + 1), Layout: int32(i), N: 10, Wall: 1e6})
		}
		m := bare(s, time.Hour)
		m.resume()
		for i, c := range m.comparisons {
			if c.New != variant("b", 2) || c.Kind != Variant {
				continue
			}
			if x := m.state[i]; x.looked != (want.look > 0) || want.look > 0 && (x.estimate.Pairs > want.look || math.IsNaN(x.estimate.Ratio)) || x.decision != want.decision || x.pairs != pairs {
				t.Errorf("%d pairs: %+v, want a look at %d, %v", pairs, x, want.look, want.decision)
			}
		}
	}
}
