package rwtiny_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/vet/rwtiny"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func TestAnalyzer(t *testing.T) { shapetest.Run(t, rwtiny.Analyzer, "testdata/src/a") }
