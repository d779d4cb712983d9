package owner_test

import (
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/vet/owner"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func TestCheck(t *testing.T) {
	shapetest.Run(t, owner.Analyzer, "testdata/src/answers", "testdata/src/forms", "testdata/src/quiet", "testdata/src/recovers", "testdata/src/refused", "testdata/src/run")
}

// The edit changes nothing of what a program prints.
func TestProgram(t *testing.T) {
	if !stress.Long() {
		t.Skip("PAYOFF_LONG is not set: builds a program in both forms")
	}
	shapetest.Program(t, owner.Analyzer, "testdata/src/run")
}
