package syncmap_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
	"github.com/gopayoff/payoff/tool/vet/syncmap"
)

func TestAnalyzer(t *testing.T) {
	shapetest.Run(t, syncmap.Analyzer, "testdata/src/a", "testdata/src/refused")
}

func TestProgram(t *testing.T) {
	for _, folder := range []string{"run"} {
		t.Run(folder, func(t *testing.T) { shapetest.Program(t, syncmap.Analyzer, "testdata/src/"+folder) })
	}
}
