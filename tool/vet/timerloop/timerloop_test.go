package timerloop_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
	"github.com/gopayoff/payoff/tool/vet/timerloop"
)

func Test(t *testing.T) {
	shapetest.Run(t, timerloop.Analyzer, "testdata/src/a", "testdata/src/b", "testdata/src/old")
	shapetest.Same(t, "testdata/src/a")
}
