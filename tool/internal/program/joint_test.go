package program

import (
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/gocmd/gocmdtest"
)

// A package is joint with what it imports of its module, and with no other.
func TestJoint(t *testing.T) {
	dir, _ := gocmdtest.Module(t, map[string]string{
		"go.work":        "go 1.24\n\nuse (\n\t.\n\t./other\n)\n",
		"go.mod":         "module example.com/m\n\ngo 1.24\n",
		"m.go":           "package m\n\nimport (\n\t\"example.com/m/far\"\n\t\"example.com/other\"\n)\n\nvar F = far.G + other.H\n",
		"x_test.go":      "package m_test\n\nimport \"example.com/m\"\n\nvar _ = m.F\n",
		"far/far.go":     "package far\n\nimport \"example.com/m/deep\"\n\nvar G = deep.D\n",
		"far/w_plan9.go": "package far\n",
		"deep/d.go":      "package deep\n\nvar D = 1\n",
		"other/go.mod":   "module example.com/other\n\ngo 1.24\n",
		"other/o.go":     "package other\n\nvar H = 1\n",
	})
	t.Setenv("GOWORK", "")
	t.Setenv("GOFLAGS", "")
	all, err := Match(t.Context(), dir, "", "./...", "example.com/other")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"example.com/m": "m.go far.go", "example.com/m_test": "", "example.com/m/far": "far.go d.go", "example.com/m/deep": "", "example.com/other": ""}
	for _, p := range all {
		var names []string
		q := Joint(p)
		if q != nil {
			for _, f := range q.Syntax {
				name := q.Fset.Position(f.FileStart).Filename
				names = append(names, name[strings.LastIndexAny(name, `/\`)+1:])
				for _, d := range f.Decls {
					if q.TypesInfo.Scopes[f] == nil || d == nil {
						t.Errorf("%s: nothing is known of %s", p.ID, name)
					}
				}
			}
			slices.Sort(q.IgnoredFiles)
			if p.PkgPath == "example.com/m" && (len(q.IgnoredFiles) != 1 || len(q.TypesInfo.InitOrder) != 2 || q.Types != p.Types || q.Imports["example.com/m/deep"] == nil) {
				t.Errorf("%s: left out %v, %d variables, imports %v", p.ID, q.IgnoredFiles, len(q.TypesInfo.InitOrder), q.Imports)
			}
		}
		if got := strings.Join(names, " "); got != want[p.PkgPath] {
			t.Errorf("%s: %q, want %q", p.ID, got, want[p.PkgPath])
		}
		delete(want, p.PkgPath)
	}
	if len(want) > 0 {
		t.Errorf("not loaded: %v", want)
	}
}
