package service

import (
	"math"
	"slices"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// TestStays: without a cause there is still the work, and what other causes take at
// other lines.
func TestStays(t *testing.T) {
	a, b := source.Place{File: "f.go", Line: 1, Func: "f"}, source.Place{File: "f.go", Line: 2, Func: "f"}
	x := &explain.Finding{Useful: 10, Losses: []explain.Loss{
		{Slug: "grain", Place: a, NS: 50}, {Slug: "grain", NS: 3},
		{Slug: "alloc", Place: a, NS: 20}, {Slug: "alloc", Place: b, NS: 7}, {Slug: "alloc", NS: 1},
	}}
	for slug, want := range map[string]float64{"grain": 10 + 7 + 1, "alloc": 10 + 3, "lock": 10 + 53 + 28} {
		if got := stays(x, slug); math.Abs(got-want) > 1e-9 {
			t.Errorf("stays(%s) = %v, want %v", slug, got, want)
		}
	}
}

// TestItems: what is no work for operations stands apart in the account.
func TestItems(t *testing.T) {
	for c, want := range map[stack.Category]Item{
		stack.Dial:  {"setting up connections", Overhead, 40, 0.4},
		stack.World: {"stopping the world", Overhead, 40, 0.4},
		stack.User:  {"work", Work, 100, 1},
	} {
		e := &evidences{doc: &Doc{}}
		e.items(&cpuprof.Digest{Share: map[stack.Category]float64{c: 0.4}}, 100)
		if !slices.Contains(e.doc.Account, want) {
			t.Errorf("%s: account %+v, want %+v in it", c, e.doc.Account, want)
		}
	}
}
