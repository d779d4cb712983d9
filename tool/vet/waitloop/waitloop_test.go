package waitloop_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
	"github.com/gopayoff/payoff/tool/vet/waitloop"
)

func TestCheck(t *testing.T) {
	shapetest.Run(t, waitloop.Analyzer, "testdata/src/a", "testdata/src/refused", "testdata/src/quiet")
}

func TestProgram(t *testing.T) {
	shapetest.Program(t, waitloop.Analyzer, "testdata/src/run")
}
