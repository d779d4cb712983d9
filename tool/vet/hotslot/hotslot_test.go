package hotslot_test

import (
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/vet/hotslot"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func TestGoldens(t *testing.T) {
	shapetest.Run(t, hotslot.Analyzer, "testdata/src/run", "testdata/src/a", "testdata/src/tags")
}

// The edits change nothing of what a program prints.
func TestSame(t *testing.T) {
	if !stress.Long() {
		t.Skip("PAYOFF_LONG is not set: builds a program with each edit")
	}
	shapetest.Program(t, hotslot.Analyzer, "testdata/src/run")
}
