package adjatomic_test

import (
	"strconv"
	"testing"

	"github.com/gopayoff/payoff/tool/vet/adjatomic"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func TestAnalyzer(t *testing.T) {
	if strconv.IntSize != 64 {
		t.Skip("the goldens have sizes of 64-bit machines")
	}
	shapetest.Run(t, adjatomic.Analyzer, "testdata/src/a")
}
