package exectrace

import (
	"bytes"
	"strings"
	"testing"
)

// TestServedRecorded: traces of all releases are read for those who run the program,
// whatever counts as an operation, and their accounts add up.
func TestServedRecorded(t *testing.T) {
	for _, name := range allRecorded(t) {
		data := recorded(t, name)
		for _, work := range []Work{Whole, Calls, Tasks, Requests, Regions, Items} {
			f, err := Read(bytes.NewReader(data), Options{Serve: true, Ops: work, Func: "main.main"})
			if err != nil || f.Doing != work || f.Marked {
				t.Errorf("%s: %v, operations %q, marked %t; want %q and no marks", name, err, f.Doing, f.Marked, work)
			}
			if work == Whole {
				if f.Served.Outside+f.Served.Unasked+f.Served.Run != 0 {
					t.Errorf("%s: %+v, want nothing known of operations", name, f.Served)
				}
				continue
			}
			idle, known := f.Idle.Total+f.Served.Outside+f.Served.Unasked, 0.0
			for k, share := range f.Running {
				known += float64(f.Procs-k) * share * f.Window
			}
			if idle > known*1.0001+1 { // processors that the trace names late are idle before that
				t.Errorf("%s, %q: idle time of %v is charged with %v", name, work, known, idle)
			}
		}
	}
}

// TestFind: what the program says itself is found, and nothing in a program that does
// one thing.
func TestFind(t *testing.T) {
	for name, want := range map[string]Work{"forkjoin.p2": Whole, "imbalance.p2": Whole} {
		if got, err := Find(bytes.NewReader(recorded(t, name))); err != nil || got != want {
			t.Errorf("Find(%s) = %q, %v; want %q", name, got, err, want)
		}
	}
	if got, err := Find(strings.NewReader("no trace at all, but long enough")); err == nil {
		t.Errorf("Find of a text = %q, want an error", got)
	}
}
