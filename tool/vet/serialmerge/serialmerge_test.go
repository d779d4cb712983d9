package serialmerge_test

import (
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/vet/serialmerge"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func TestGoldens(t *testing.T) {
	shapetest.Run(t, serialmerge.Analyzer, "testdata/src/run", "testdata/src/a")
}

// The edits change nothing of what a program prints, but for the order.
func TestSame(t *testing.T) {
	if !stress.Long() {
		t.Skip("PAYOFF_LONG is not set: builds a program with each edit")
	}
	shapetest.Program(t, serialmerge.Analyzer, "testdata/src/run")
}
