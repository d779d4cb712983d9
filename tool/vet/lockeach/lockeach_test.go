package lockeach_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/lockeach"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func Test(t *testing.T) {
	shapetest.Run(t, lockeach.Analyzer, "testdata/src/a", "testdata/src/refused")
}
