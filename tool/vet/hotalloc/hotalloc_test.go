package hotalloc_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/hotalloc"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func Test(t *testing.T) {
	shapetest.Run(t, hotalloc.Analyzer, "testdata/src/a", "testdata/src/b", "testdata/src/d", "testdata/src/e", "testdata/src/f", "testdata/src/g", "testdata/src/h", "testdata/src/i")
	shapetest.Same(t, "testdata/src/a")
	shapetest.Same(t, "testdata/src/d")
	shapetest.Same(t, "testdata/src/e")
	shapetest.Same(t, "testdata/src/f")
	shapetest.Same(t, "testdata/src/i")
}
