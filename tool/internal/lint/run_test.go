package lint

import (
	"reflect"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/shape"
)

// A check that panics is an error of that check in that package; the others find
// what they find.
func TestRun(t *testing.T) {
	code, err := Load(t.Context(), write(t, module), "", []string{"./sum"})
	if err != nil {
		t.Fatal(err)
	}
	bad := &analysis.Analyzer{Name: "bad", Doc: "panic", Run: func(*analysis.Pass) (any, error) { panic("no such node") }}
	good := &analysis.Analyzer{Name: "good", Doc: "find one", Run: func(*analysis.Pass) (any, error) {
		return []shape.Finding{{Message: "one"}}, nil
	}}
	good.ResultType = reflect.TypeFor[[]shape.Finding]()
	results, err := Run(t.Context(), []*analysis.Analyzer{bad, good}, code.sound(), nil, false)
	if err != nil || len(results) != 2 {
		t.Fatalf("%+v, %v, want two results", results, err)
	}
	for _, r := range results {
		switch {
		case r.Check == "bad" && (r.Err == nil || !strings.Contains(r.Err.Error(), "the check panics: no such node") || len(r.Findings) > 0):
			t.Errorf("a check that panics: %+v", r)
		case r.Check == "good" && (r.Err != nil || len(r.Findings) != 1 || r.Package.PkgPath != "example.com/m/sum"):
			t.Errorf("a check beside it: %+v", r)
		}
	}
}
