package freelist_test

import (
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/vet/freelist"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func TestGoldens(t *testing.T) {
	shapetest.Run(t, freelist.Analyzer, "testdata/src/run", "testdata/src/a")
}

// The edit changes nothing of what a program prints.
func TestSame(t *testing.T) {
	if !stress.Long() {
		t.Skip("PAYOFF_LONG is not set: builds a program with each edit")
	}
	shapetest.Program(t, freelist.Analyzer, "testdata/src/run")
}
