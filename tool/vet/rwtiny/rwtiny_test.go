package rwtiny_test

import (
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/vet/rwtiny"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func TestAnalyzer(t *testing.T) {
	shapetest.Run(t, rwtiny.Analyzer, "testdata/src/a", "testdata/src/cow", "testdata/src/keep")
}

// What the edits make prints the same, also with the race detector.
func TestProgram(t *testing.T) {
	if !stress.Long() {
		t.Skip("builds programs: PAYOFF_LONG=1")
	}
	shapetest.Program(t, rwtiny.Analyzer, "testdata/src/run")
}
