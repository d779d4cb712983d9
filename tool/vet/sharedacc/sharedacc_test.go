package sharedacc_test

import (
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
	"github.com/gopayoff/payoff/tool/vet/sharedacc"
)

func TestGoldens(t *testing.T) {
	shapetest.Run(t, sharedacc.Analyzer, "testdata/src/run", "testdata/src/a", "testdata/src/across", "testdata/src/parts", "testdata/src/own")
}

// The edits change nothing of what a program prints.
func TestSame(t *testing.T) {
	if !stress.Long() {
		t.Skip("PAYOFF_LONG is not set: builds a program with each edit")
	}
	shapetest.Program(t, sharedacc.Analyzer, "testdata/src/run")
	shapetest.Program(t, sharedacc.Analyzer, "testdata/src/across")
	shapetest.Program(t, sharedacc.Analyzer, "testdata/src/parts")
	shapetest.Program(t, sharedacc.Analyzer, "testdata/src/own")
}
