package vet

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// without are the causes of the catalogue that no check is about.
var without = []string{"affinity", "cgo", "delay", "layout", "machine", "smt", "stoptheworld"}

// The causes that checks name are those of the catalogue, which has a file for
// each, but for what none is about.
func TestCauses(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "catalog", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, f := range files {
		slug := strings.TrimSuffix(filepath.Base(f), ".go")
		if slug != "catalog" && slug != "near" && !strings.HasSuffix(slug, "_test") && !slices.Contains(without, slug) {
			want = append(want, slug)
		}
	}
	for _, a := range All() {
		if a.Name != apart {
			about, _ := says(a.Name)
			got = append(got, about...)
		}
	}
	slices.Sort(got)
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("checks are about\n%q\nwant\n%q", got, want)
	}
	for check, slug := range map[string]string{"hotalloc": "mapgrow"} { // appended
		if !slices.ContainsFunc(Cures(slug), func(c Cure) bool { return c.Check == check }) {
			t.Errorf("%s does not stand against %s", check, slug)
		}
	}
}
