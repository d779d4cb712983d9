package chanperitem_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/chanperitem"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func TestCheck(t *testing.T) {
	shapetest.Run(t, chanperitem.Analyzer, "testdata/src/run", "testdata/src/quiet", "testdata/src/refused")
}

func TestProgram(t *testing.T) {
	shapetest.Program(t, chanperitem.Analyzer, "testdata/src/run")
}
