package shardpad_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
	"github.com/gopayoff/payoff/tool/vet/shardpad"
)

func TestAnalyzer(t *testing.T) {
	shapetest.Run(t, shardpad.Analyzer, "testdata/src/a", "testdata/src/b")
}
