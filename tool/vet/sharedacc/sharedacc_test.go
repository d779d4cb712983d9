package sharedacc_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
	"github.com/gopayoff/payoff/tool/vet/sharedacc"
)

func TestGoldens(t *testing.T) {
	shapetest.Run(t, sharedacc.Analyzer, "testdata/src/run", "testdata/src/a")
}

// The edits change nothing of what a program prints.
func TestSame(t *testing.T) {
	shapetest.Program(t, sharedacc.Analyzer, "testdata/src/run")
}
