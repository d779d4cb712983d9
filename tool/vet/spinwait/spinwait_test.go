package spinwait_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
	"github.com/gopayoff/payoff/tool/vet/spinwait"
)

func TestCheck(t *testing.T) {
	shapetest.Run(t, spinwait.Analyzer, "testdata/src/a", "testdata/src/b", "testdata/src/fields", "testdata/src/refused")
}

func TestProgram(t *testing.T) {
	shapetest.Program(t, spinwait.Analyzer, "testdata/src/run")
}
