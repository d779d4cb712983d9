package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/catalog"
	"github.com/gopayoff/payoff/tool/vet"
)

// Each check is told with some cause, each with its edits.
func TestCures(t *testing.T) {
	told := map[string]bool{}
	for _, c := range catalog.All() {
		for _, x := range vet.Cures(c.Slug) {
			told[x.Check] = true
			if x.Title == "" || strings.Contains(x.Title, "\n") || !strings.Contains(x.Edits, " ") {
				t.Errorf("%s against %s: %+v", x.Check, c.Slug, x)
			}
		}
	}
	for _, a := range vet.All() {
		if name := a.Name; !told[name] && name != "benchvet" {
			t.Errorf("%s is told with no cause: its doc.go has no paragraph that begins with The edit, nor a heading Edits; or its findings have no Causes of the catalogue", a.Name)
		}
	}
	if got := vet.Cures("nothing"); len(got) > 0 {
		t.Errorf("against nothing: %+v", got)
	}
	if !slices.ContainsFunc(vet.Cures("grain"), func(c vet.Cure) bool { return c.Check == "recgo" && strings.Contains(c.Edits, "threshold") }) {
		t.Errorf("against grain: %+v, want recgo with its threshold", vet.Cures("grain"))
	}
}
