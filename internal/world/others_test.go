package world_test

import (
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/world"
)

// TestOthers: a thread that has its processor with others gets its share of it, and the
// system is seen to take it; one that has it alone keeps it.
func TestOthers(t *testing.T) {
	const work = 30 * time.Millisecond
	for _, c := range []struct {
		why     string
		others  *world.Others
		threads int
		want    time.Duration
		taken   bool
	}{
		{"alone", nil, 1, work, false},
		{"a processor each", &world.Others{On: []int{0, 1}}, 2, work, false},
		{"beside a busy process", &world.Others{On: []int{0, 1}, Busy: []int{0}}, 1, 2 * work, true},
		{"that has another processor", &world.Others{On: []int{0, 1}, Busy: []int{1}}, 1, work, false},
		{"beside two", &world.Others{On: []int{0, 1}, Busy: []int{0, 0}}, 1, 3 * work, true},
		{"two threads on one processor", &world.Others{On: []int{0, 0}}, 2, 2 * work, true},
		{"and a busy process", &world.Others{On: []int{0, 0}, Busy: []int{0}}, 2, 3 * work, true},
	} {
		m, err := world.Machine("ring", 1500, 5000)
		if err != nil {
			t.Fatal(err)
		}
		m.Others = c.others
		var from, to time.Duration
		w, err := world.Run(m, 2, 1, func() {
			from = world.Now()
			for range c.threads {
				world.Go(func() {
					world.Work(work)
					to = max(to, world.Now())
				})
			}
			world.Go(func() {}) // what is started last is found late
		})
		if err != nil {
			t.Fatalf("%s: %v", c.why, err)
		}
		// A turn or two at each end.
		if took := to - from; took < c.want-7*time.Millisecond || took > c.want+7*time.Millisecond {
			t.Errorf("%s: took %v, want %v", c.why, took, c.want)
		}
		if taken := w.Taken > 0; taken != c.taken {
			t.Errorf("%s: the system took a processor %d times, want some %t", c.why, w.Taken, c.taken)
		}
	}
}
