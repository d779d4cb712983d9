package hotslot_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/hotslot"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func TestGoldens(t *testing.T) {
	shapetest.Run(t, hotslot.Analyzer, "testdata/src/a", "testdata/src/none", "testdata/src/refused", "testdata/src/traps")
}
