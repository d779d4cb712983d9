package poolvalue_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/poolvalue"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func Test(t *testing.T) {
	shapetest.Run(t, poolvalue.Analyzer, "testdata/src/a", "testdata/src/b")
	shapetest.Same(t, "testdata/src/a")
}
