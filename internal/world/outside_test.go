package world_test

import (
	"slices"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/world"
)

// TestOrder: at one processor, the goroutine that was made ready last runs next since Go 1.5, and last
// before that.
func TestOrder(t *testing.T) {
	for order, want := range map[world.Order][]string{world.Next: {"b", "a"}, world.Behind: {"a", "b"}, world.OneQueue: {"a", "b"}} {
		m := machine(t, "ring")
		m.Order = order
		var got []string
		if _, err := world.Run(m, 1, 1, func() {
			for _, name := range []string{"a", "b"} {
				world.Go(func() { got = append(got, name) })
			}
		}); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("order %d: %v run, want %v", order, got, want)
		}
	}
}

// TestOneQueue: where all go through one queue, its lock is what many processors that
// yield wait for; where each has one of its own, it is not.
func TestOneQueue(t *testing.T) {
	took := func(order world.Order) (end time.Duration) {
		m := world.Of("m", 1500, 5000, [2]time.Duration{55_000, 60_000}, 100, 100, 0)
		m.Order = order
		if _, err := world.Run(m, 8, 1, func() {
			for range 64 {
				world.Go(func() {
					for range 20 {
						world.Go(func() {})
						world.Work(time.Microsecond)
					}
					end = max(end, world.Now())
				})
			}
		}); err != nil {
			t.Fatal(err)
		}
		return end
	}
	if one, own := took(world.OneQueue), took(world.Behind); float64(one) < 1.2*float64(own) {
		t.Errorf("one queue takes %v, a queue for each %v; want a fifth more at least", one, own)
	}
}

// TestAway: a goroutine that is outside leaves its processor to others, and comes back when its time
// is over and a processor is free.
func TestAway(t *testing.T) {
	var back, worked time.Duration
	run(t, 1, func() {
		world.Go(func() {
			world.Work(300 * time.Microsecond)
			worked = world.Now()
		})
		world.Away(100 * time.Microsecond)
		back = world.Now()
	})
	if worked > 302*time.Microsecond || back < worked || back > worked+2*time.Microsecond {
		t.Errorf("the other works until %v, and the one that was outside goes on at %v; want 300µs, and right after it", worked, back)
	}
	run(t, 2, func() {
		world.Away(100 * time.Microsecond)
		back = world.Now()
	})
	if back < 100*time.Microsecond || back > 102*time.Microsecond {
		t.Errorf("with idle processors it goes on at %v, want 100µs", back)
	}
}

// TestParkUnless: what is noted where no other processor is behind is seen by all that
// come later: none waits for ever, and none is made ready twice.
func TestParkUnless(t *testing.T) {
	for _, procs := range []int{1, 2, 8, 64} {
		held, most, n := 0, 0, 0
		var waits []world.Waiter
		run(t, procs, func() {
			for range 100 {
				world.Go(func() {
					for range 10 {
						world.ParkUnless(func() bool {
							if held == 0 {
								held++
								return true
							}
							waits = append(waits, world.Self())
							return false
						})
						most = max(most, held)
						n++
						world.Work(100)
						world.ParkUnless(func() bool { // hands it over
							if len(waits) == 0 {
								held--
								return true
							}
							next := waits[0]
							waits = waits[1:]
							world.Ready(next)
							return true
						})
					}
				})
			}
		})
		if n != 1000 || most != 1 || held != 0 {
			t.Errorf("%d processors: %d sections, %d at once at most, %d held at the end; want 1000, 1, 0", procs, n, most, held)
		}
	}
}
