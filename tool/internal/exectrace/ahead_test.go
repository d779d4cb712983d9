package exectrace

import (
	"bytes"
	"errors"
	"testing"
)

// TestAhead: where the engine panics the trace is damaged after so many steps, and the
// decoder comes to its end, though nothing takes what it decodes.
func TestAhead(t *testing.T) {
	all := mustRead(t, "pipeline.p2")
	if all.Events < 12*batchLen {
		t.Fatalf("%d events are too few", all.Events)
	}
	for _, good := range []int64{0, 1, batchLen, 3*batchLen + 7} {
		e := newEngine(Options{})
		in := &counter{r: bytes.NewReader(recorded(t, "pipeline.p2"))}
		left := good
		n, err := newDecoder(e).run(in, func(ev *event) {
			if left--; left < 0 {
				panic("engine")
			}
			e.step(ev)
		})
		var broken *damage
		if !errors.As(err, &broken) || n != good {
			t.Errorf("%d steps, %v; want %d and damage", n, err, good)
		}
		if in.n != all.Bytes {
			t.Errorf("after %d steps %d bytes are read, want all %d", good, in.n, all.Bytes)
		}
	}
}
