package maplock_test

import (
	"strconv"
	"testing"

	"github.com/gopayoff/payoff/tool/vet/maplock"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func TestAnalyzer(t *testing.T) {
	if strconv.IntSize != 64 {
		t.Skip("the goldens have sizes of 64-bit machines")
	}
	shapetest.Run(t, maplock.Analyzer, "testdata/src/a")
}
