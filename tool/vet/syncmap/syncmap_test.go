package syncmap_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
	"github.com/gopayoff/payoff/tool/vet/syncmap"
)

func TestAnalyzer(t *testing.T) {
	shapetest.Run(t, syncmap.Analyzer, "testdata/src/a", "testdata/src/refused", "testdata/src/started", "testdata/src/begun")
}

func TestProgram(t *testing.T) {
	shapetest.Program(t, syncmap.Analyzer, "testdata/src/run")
}
