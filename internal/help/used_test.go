package help

import (
	"testing"
	"time"
)

// TestLoadOnAverage: whoever asks sees no processor idle and ten goroutines that wait for
// one, at each time; but what the program has used of the processors says how it is
// between those times.
func TestLoadOnAverage(t *testing.T) {
	const procs = 4
	for _, test := range []struct {
		name           string
		share          float64 // of the processors, that is used
		known          bool
		idle, runnable int
	}{
		{"a twentieth in use", 0.05, true, procs - 1, 0},
		{"three fifths", 0.6, true, 2, 0},
		{"four fifths", 0.8, true, 1, 0},
		{"nearly all", 0.95, true, 0, 10},
		{"more than there is", 1.1, true, 0, 10},
		{"not known", 0.05, false, 0, 10},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, _ := newFake(t)
			f.st = State{Procs: procs, Running: procs, Runnable: 10}
			host.Used = func() (time.Duration, bool) {
				return time.Duration(test.share * procs * float64(f.now)), test.known
			}
			load := func() (idle, runnable int) {
				f.now += usagePeriod / 3
				_, idle, runnable = Load(f.now)
				return idle, runnable
			}
			if idle, runnable := load(); idle != 0 || runnable != 10 {
				t.Errorf("at first: %d idle, %d wait, want 0 and 10", idle, runnable)
			}
			for range 100 {
				load()
			}
			if idle, runnable := load(); idle != test.idle || runnable != test.runnable {
				t.Errorf("%d idle, %d wait, want %d and %d", idle, runnable, test.idle, test.runnable)
			}
			// What was long ago says nothing.
			f.now += time.Minute
			if idle, runnable := load(); idle != 0 || runnable != 10 {
				t.Errorf("after a minute: %d idle, %d wait, want 0 and 10", idle, runnable)
			}
		})
	}
}

// TestCPUTime: the time that the program has used goes on while it computes.
func TestCPUTime(t *testing.T) {
	from, ok := cpuTime()
	if !ok {
		t.Skip("not known here")
	}
	for i := 0; ; i++ {
		if now, _ := cpuTime(); now > from {
			return
		}
		if i == 100_000_000 {
			t.Fatal("no processor has run the program")
		}
	}
}
