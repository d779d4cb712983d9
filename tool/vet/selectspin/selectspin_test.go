package selectspin_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/selectspin"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func TestSelectspin(t *testing.T) {
	shapetest.Run(t, selectspin.Analyzer, "testdata/src/a")
}
