package reflecthot_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/reflecthot"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func Test(t *testing.T) {
	shapetest.Run(t, reflecthot.Analyzer, "testdata/src/tests", "testdata/src/a", "testdata/src/b", "testdata/src/values")
	shapetest.Same(t, "testdata/src/values")
}
