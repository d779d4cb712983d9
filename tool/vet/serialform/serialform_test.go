package serialform_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/serialform"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func Test(t *testing.T) {
	shapetest.Run(t, serialform.Analyzer, "testdata/src/a", "testdata/src/sizes", "testdata/src/refused", "testdata/src/run", "testdata/src/whole")
}

func TestProgram(t *testing.T) {
	shapetest.Program(t, serialform.Analyzer, "testdata/src/run")
}
