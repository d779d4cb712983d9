package unbuffered_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
	"github.com/gopayoff/payoff/tool/vet/unbuffered"
)

func TestCheck(t *testing.T) {
	shapetest.Run(t, unbuffered.Analyzer, "testdata/src/a", "testdata/src/refused", "testdata/src/quiet")
}

func TestProgram(t *testing.T) {
	shapetest.Program(t, unbuffered.Analyzer, "testdata/src/run")
}
