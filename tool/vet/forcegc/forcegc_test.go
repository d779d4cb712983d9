package forcegc_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/forcegc"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func Test(t *testing.T) {
	shapetest.Run(t, forcegc.Analyzer, "testdata/src/a", "testdata/src/profile", "testdata/src/b")
	shapetest.Same(t, "testdata/src/a")
}
