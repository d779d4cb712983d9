package pipe

import (
	"testing"
	"time"
)

// A judged run is simulated: batches of ten items, of which each takes alone or with,
// for the whole run. It returns for what part of the time others were away.
func judged(items int, alone, with func(done int) time.Duration, known time.Duration) float64 {
	j := judge{workers: 2, alone: each(known, 1)}
	var p progress
	var apart time.Duration
	for away := false; p.items < items; {
		took := with(p.items)
		if away {
			took = alone(p.items)
			apart += 10 * took
		}
		p.now += 10 * took
		p.items += 10
		p.batches++
		p.left = away
		away = j.look(p)
	}
	return float64(apart) / float64(p.now)
}

func always(d time.Duration) func(int) time.Duration { return func(int) time.Duration { return d } }

func TestJudge(t *testing.T) {
	us := time.Microsecond
	slow := func(done int) time.Duration { // and faster again
		if done > 100_000 && done < 103_000 {
			return 40 * us
		}
		return us
	}
	longer := func(d time.Duration) func(int) time.Duration {
		return func(done int) time.Duration {
			if done < 100_000 {
				return d
			}
			return 4 * d
		}
	}
	harmful := func(done int) time.Duration {
		if done < 100_000 {
			return us
		}
		return 4 * us
	}
	for _, c := range []struct {
		name        string
		alone, with func(int) time.Duration
		known       time.Duration
		least, most float64 // of the time that others are away
	}{
		{"others do harm", always(2 * us), always(3 * us), 2 * us, 0.9, 1},
		{"others do a little harm", always(2 * us), always(2*us + us/4), 2 * us, 0.9, 1},
		{"others help", always(2 * us), always(us), 2 * us, 0, 0.01},
		{"others change nothing", always(2 * us), always(2 * us), 2 * us, 0, 0.01},
		{"items become longer", longer(2 * us), longer(us), 2 * us, 0, 0.01},
		{"the machine is busy for a while", always(2 * us), slow, 2 * us, 0, 0.1},
		{"others do harm, and it is not known", always(2 * us), always(3 * us), 100 * us, 0.9, 1},
		{"others do harm, and nearly double the speed that is known", always(2 * us), always(3 * us), 5 * us, 0.9, 1},
		{"others help, and it is not known", always(2 * us), always(us), 100 * us, 0, 0.01},
		{"others do harm in a short run", always(2 * us), always(3 * us), 100 * us, 0.9, 1},
		{"others come to do harm", always(2 * us), harmful, 2 * us, 0.8, 1},
	} {
		items := 1_000_000
		if c.name == "others do harm in a short run" {
			items = 20_000
		}
		if got := judged(items, c.alone, c.with, c.known); got < c.least || got > c.most {
			t.Errorf("%s: away for %.3f of the time, want %v to %v", c.name, got, c.least, c.most)
		}
	}
}

// Nobody comes while others are to stay away.
func TestAway(t *testing.T) {
	s := &segment{r: new(run)}
	sh := &shared{s: s, most: 1}
	sh.open.Store(true)
	if !sh.Ready() {
		t.Fatal("not ready, with a batch to take")
	}
	sh.away.Store(true)
	if sh.Ready() || sh.Help(nil) {
		t.Error("others may come that are to stay away")
	}
}
