package lockslow_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/lockslow"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func TestAnalyzer(t *testing.T) {
	shapetest.Run(t, lockslow.Analyzer, "testdata/src/a", "testdata/src/before", "testdata/src/kept")
}
