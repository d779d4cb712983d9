package shelf_test

import (
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

func TestMutants(t *testing.T) {
	stress.Mutants(t, []stress.Mutant{
		{Name: "two get one value", File: "shelf.go",
			Old: "if v := p.Swap(nil); v != nil {",
			New: "if v := p.Load(); v != nil {\n\t\t\t\tp.Store(nil)"},
	}, "-run=^TestShelf")
}
