package forkjoin_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/forkjoin"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func TestCheck(t *testing.T) {
	shapetest.Run(t, forkjoin.Analyzer, "testdata/src/a", "testdata/src/quiet", "testdata/src/refused")
}

func TestProgram(t *testing.T) {
	shapetest.Program(t, forkjoin.Analyzer, "testdata/src/run")
}
