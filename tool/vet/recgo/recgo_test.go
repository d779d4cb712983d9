package recgo_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/recgo"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func TestCheck(t *testing.T) {
	shapetest.Run(t, recgo.Analyzer, "testdata/src/a", "testdata/src/levels", "testdata/src/bounded", "testdata/src/refused")
}

func TestProgram(t *testing.T) {
	shapetest.Program(t, recgo.Analyzer, "testdata/src/run")
}
