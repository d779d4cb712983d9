package inplace_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/inplace"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func TestCheck(t *testing.T) {
	shapetest.Run(t, inplace.Analyzer, "testdata/src/a", "testdata/src/forms", "testdata/src/refused")
}

func TestProgram(t *testing.T) {
	shapetest.Program(t, inplace.Analyzer, "testdata/src/run")
}
