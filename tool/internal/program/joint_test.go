package program

import (
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/gocmd/gocmdtest"
)

// A package is joint with what it imports of its module, if that has to do with
// goroutines, and with no other.
func TestJoint(t *testing.T) {
	dir, _ := gocmdtest.Module(t, map[string]string{
		"go.work":        "go 1.24\n\nuse (\n\t.\n\t./other\n)\n",
		"go.mod":         "module example.com/m\n\ngo 1.24\n",
		"m.go":           "package m\n\nimport (\n\t\"example.com/m/far\"\n\t\"example.com/m/plain\"\n\t\"example.com/other\"\n)\n\nvar F = far.G + other.H + plain.P\n\nfunc init() { go print() }\n",
		"plain/p.go":     "package plain\n\nvar P = 1\n",
		"quiet/q.go":     "package quiet\n\nimport (\n\t\"example.com/m/deep\"\n\t\"example.com/m/pool\"\n)\n\nvar Q, R = deep.D, pool.P\n",
		"pool/p.go":      "package pool\n\nimport \"sync\"\n\nvar P sync.WaitGroup\n\nfunc init() { P.Go(func() {}) }\n",
		"x_test.go":      "package m_test\n\nimport \"example.com/m\"\n\nvar _ = m.F\n",
		"far/far.go":     "package far\n\nimport (\n\t\"sync\"\n\n\t\"example.com/m/deep\"\n)\n\nvar G, L = deep.D, sync.Mutex{}\n",
		"far/w_plan9.go": "package far\n",
		"deep/d.go":      "package deep\n\nimport \"sync/atomic\"\n\nvar D, A = 1, atomic.Int64{}\n",
		"other/go.mod":   "module example.com/other\n\ngo 1.24\n",
		"other/o.go":     "package other\n\nimport \"sync\"\n\nvar H, L = 1, sync.Mutex{}\n",
	})
	t.Setenv("GOWORK", "")
	t.Setenv("GOFLAGS", "")
	all, err := Match(t.Context(), dir, "", "./...", "example.com/other")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"example.com/m": "m.go far.go", "example.com/m_test": "", "example.com/m/far": "", "example.com/m/plain": "", "example.com/m/pool": "", "example.com/m/quiet": "q.go p.go", "example.com/m/deep": "", "example.com/other": ""}
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
			if p.PkgPath == "example.com/m" && (len(q.IgnoredFiles) != 1 || len(q.TypesInfo.InitOrder) != 3 || q.Types != p.Types || q.Imports["example.com/m/deep"] == nil) {
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
