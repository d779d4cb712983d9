package sortiface_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
	"github.com/gopayoff/payoff/tool/vet/sortiface"
)

func Test(t *testing.T) {
	shapetest.Run(t, sortiface.Analyzer, "testdata/src/a", "testdata/src/b")
	shapetest.Same(t, "testdata/src/a")
}
