package unbounded_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
	"github.com/gopayoff/payoff/tool/vet/unbounded"
)

func TestCheck(t *testing.T) {
	shapetest.Run(t, unbounded.Analyzer, "testdata/src/a", "testdata/src/waiting", "testdata/src/quiet", "testdata/src/refused", "testdata/src/late")
}

func TestProgram(t *testing.T) {
	shapetest.Program(t, unbounded.Analyzer, "testdata/src/run")
}
