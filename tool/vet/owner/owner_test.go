package owner_test

import (
	"path/filepath"
	"testing"

	"github.com/gopayoff/payoff/tool/vet/owner"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func TestCheck(t *testing.T) {
	folders, _ := filepath.Glob("testdata/src/*")
	shapetest.Run(t, owner.Analyzer, folders...)
}
