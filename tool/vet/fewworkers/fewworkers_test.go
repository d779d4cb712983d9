package fewworkers_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/fewworkers"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func TestCheck(t *testing.T) {
	shapetest.Run(t, fewworkers.Analyzer, "testdata/src/waiting", "testdata/src/computing", "testdata/src/quiet", "testdata/src/counted")
}
