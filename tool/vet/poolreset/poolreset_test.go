package poolreset_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/poolreset"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func Test(t *testing.T) {
	shapetest.Run(t, poolreset.Analyzer, "testdata/src/a", "testdata/src/b")
}
