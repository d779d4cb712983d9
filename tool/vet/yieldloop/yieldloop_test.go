package yieldloop_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
	"github.com/gopayoff/payoff/tool/vet/yieldloop"
)

func TestCheck(t *testing.T) {
	shapetest.Run(t, yieldloop.Analyzer, "testdata/src/a")
}
