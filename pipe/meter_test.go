package pipe_test

import (
	"context"
	"encoding/json"
	"expvar"
	"strings"
	"sync"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/par/partest"
	"github.com/gopayoff/payoff/pipe"
)

var _ expvar.Var = new(pipe.Meter)

// A Meter counts what has come to each stage, in the order of the stages.
func TestMeter(t *testing.T) {
	stress.NoneLeft(t)
	modes(t, func(t *testing.T) {
		var m pipe.Meter
		p := pipe.Filter(pipe.Slice(numbers(3000)), func(v int) bool { return v%2 == 0 }).Named("even")
		p = pipe.MapContext(p, func(_ context.Context, v int) (int, error) {
			if _ = work(v); v%100 == 0 {
				return 0, errOdd
			}
			return v, nil
		}).Named("fail").OnError(pipe.Skip)
		q := pipe.Map(pipe.Chunk(p, 10), sum).Named("sum").AtMost(2)
		q = pipe.Map(q, work).Named("work").Meter(&m)
		for range 2 {
			if err := q.Drain(bg); err != nil {
				t.Fatal(err)
			}
		}
		s := m.Stats()
		byName := make(map[string]pipe.StageStats)
		var names []string
		for _, st := range s.Stages {
			byName[st.Name] = st
			names = append(names, st.Name)
			if st.Workers != 0 {
				t.Errorf("%s: %d workers at rest", st.Name, st.Workers)
			}
			if st.Most < 1 || st.Name == "sum" && st.Most > 2 {
				t.Errorf("%s: at most %d workers at once", st.Name, st.Most)
			}
		}
		if got := strings.Join(names, " "); got != "Slice even fail Chunk sum work" {
			t.Errorf("stages: %s", got)
		}
		for name, want := range map[string]uint64{"Slice": 6000, "even": 6000, "fail": 3000, "Chunk": 294, "sum": 294, "work": 294} {
			if got := byName[name].Items; got != want {
				t.Errorf("%s: %d items, want %d", name, got, want)
			}
		}
		if got := byName["fail"].Errors; got != 60 {
			t.Errorf("fail: %d errors, want 60", got)
		}
		var back pipe.Stats
		if err := json.Unmarshal([]byte(m.String()), &back); err != nil || len(back.Stages) != len(s.Stages) {
			t.Errorf("String is not the Stats as JSON: %v: %s", err, m.String())
		}
		if text := s.String(); strings.Count(text, "\n") != len(s.Stages) || !strings.Contains(text, "output wait") {
			t.Errorf("Stats.String:\n%s", text)
		}
	})
}

// An item allocates nothing.
func TestAllocations(t *testing.T) {
	if stress.Race {
		t.Skip("each batch has goroutines of its own")
	}
	partest.Auto(t)
	allocs := func(n int) float64 {
		items := numbers(n)
		return testing.AllocsPerRun(20, func() {
			sum := 0
			pipe.Map(pipe.Filter(pipe.Map(pipe.Slice(items), work), func(v int) bool { return v&1 == 0 }), work).ForEach(bg, func(v int) error {
				sum += v
				return nil
			})
		})
	}
	allocs(10) // what the first run makes is kept for the next
	if n := allocs(10); n > 4 {
		t.Errorf("a short run allocates %v times", n)
	}
	if n := allocs(100_000); n > 500 {
		t.Errorf("100,000 items: %v allocations", n)
	}
}

// Most is how many were there at once, also when they are gone.
func TestMeterMost(t *testing.T) {
	stress.NoneLeft(t)
	var m pipe.Meter
	var both sync.WaitGroup
	both.Add(2)
	p := pipe.Map(pipe.Range(1), func(v int) int {
		both.Done()
		both.Wait()
		return v
	}).Meter(&m)
	var runs sync.WaitGroup
	for range 2 {
		runs.Go(func() { p.Drain(bg) })
	}
	runs.Wait()
	for _, st := range m.Stats().Stages {
		if st.Most != 2 || st.Workers != 0 {
			t.Errorf("%s: %d of %d workers, want 0 of 2", st.Name, st.Workers, st.Most)
		}
	}
}
