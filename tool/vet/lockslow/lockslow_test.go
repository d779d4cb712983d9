package lockslow_test

import (
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/vet/lockslow"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func TestAnalyzer(t *testing.T) {
	shapetest.Run(t, lockslow.Analyzer, "testdata/src/a", "testdata/src/methods", "testdata/src/tags")
}

// What the edits make prints the same, also with the race detector.
func TestProgram(t *testing.T) {
	if !stress.Long() {
		t.Skip("builds programs: PAYOFF_LONG=1")
	}
	shapetest.Program(t, lockslow.Analyzer, "testdata/src/run")
}
