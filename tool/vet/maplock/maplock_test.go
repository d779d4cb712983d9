package maplock_test

import (
	"strconv"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/vet/maplock"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func TestAnalyzer(t *testing.T) {
	if strconv.IntSize != 64 {
		t.Skip("the goldens have sizes of 64-bit machines")
	}
	shapetest.Run(t, maplock.Analyzer, "testdata/src/a")
}

// What the edits make prints the same, also with the race detector.
func TestProgram(t *testing.T) {
	if !stress.Long() {
		t.Skip("builds programs: PAYOFF_LONG=1")
	}
	shapetest.Program(t, maplock.Analyzer, "testdata/src/run")
}
