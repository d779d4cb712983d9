package shardpad_test

import (
	"strconv"
	"testing"

	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
	"github.com/gopayoff/payoff/tool/vet/shardpad"
)

func TestAnalyzer(t *testing.T) {
	if strconv.IntSize != 64 {
		t.Skip("the goldens have sizes of 64-bit machines")
	}
	shapetest.Run(t, shardpad.Analyzer, "testdata/src/a", "testdata/src/b")
}
