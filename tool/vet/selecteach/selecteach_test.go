package selecteach_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/selecteach"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func TestFindings(t *testing.T) {
	shapetest.Run(t, selecteach.Analyzer, "testdata/src/a")
}
