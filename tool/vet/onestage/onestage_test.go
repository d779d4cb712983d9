package onestage_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/onestage"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func TestCheck(t *testing.T) {
	shapetest.Run(t, onestage.Analyzer, "testdata/src/a", "testdata/src/waiting", "testdata/src/refused", "testdata/src/quiet", "testdata/src/methods")
}

func TestProgram(t *testing.T) {
	shapetest.Program(t, onestage.Analyzer, "testdata/src/run")
}
