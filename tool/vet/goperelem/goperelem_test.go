package goperelem_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/goperelem"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func TestCheck(t *testing.T) {
	shapetest.Run(t, goperelem.Analyzer, "testdata/src/a", "testdata/src/helped", "testdata/src/quiet", "testdata/src/refused")
}

func TestProgram(t *testing.T) {
	shapetest.Program(t, goperelem.Analyzer, "testdata/src/run")
}
