package staticsplit_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
	"github.com/gopayoff/payoff/tool/vet/staticsplit"
)

func TestCheck(t *testing.T) {
	shapetest.Run(t, staticsplit.Analyzer, "testdata/src/a", "testdata/src/refused")
}

func TestProgram(t *testing.T) {
	shapetest.Program(t, staticsplit.Analyzer, "testdata/src/run")
}
