package lint

import (
	"bytes"
	"flag"
	"fmt"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/gopayoff/payoff/tool/vet/shape"
)

var update = flag.Bool("update", false, "write what is offered into the archives")

// Of what two packages of a module do together some checks offer edits of both. The
// module still passes its tests with them.
func TestAcross(t *testing.T) {
	names, err := filepath.Glob("testdata/across/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no archives: ", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			want := &a.Files[len(a.Files)-1]
			dir := write(t, string(txtar.Format(a)))
			code, err := Load(t.Context(), dir, "", []string{"./..."})
			if err != nil {
				t.Fatal(err)
			}
			which := []string{"fewworkers", "sharedacc"}
			if filepath.Base(name) == "copies.txtar" {
				which = []string{"rwtiny"}
			}
			checks, err := Checks(which)
			if err != nil {
				t.Fatal(err)
			}
			results, err := Run(t.Context(), checks, code.sound(), nil, true)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			done := map[string]bool{} // an edit of other sizes is as good
			for _, r := range results {
				if r.Err != nil {
					t.Errorf("%s of %s: %v", r.Check, r.Package.ID, r.Err)
				}
				for _, f := range r.Findings {
					for _, fix := range f.Fixes {
						all, err := changes(r.Package.Fset, fix.Edits)
						if err != nil {
							t.Fatal(err)
						}
						x := Fix{changes: all}
						fmt.Fprintf(&got, "%s:%s %d\n", r.Check, fix.Name, fix.Value)
						for _, c := range x.changes {
							rel, _ := filepath.Rel(dir, c.File)
							fmt.Fprintf(&got, "%s:\n%s", filepath.ToSlash(rel), added(c.Before, c.After))
						}
						if done[fix.Name] {
							continue
						}
						done[fix.Name] = true
						tested(t, a, dir, maps.Collect(func(yield func(string, string) bool) {
							for _, c := range x.changes {
								yield(c.File, c.After)
							}
						}))
					}
				}
			}
			if *update {
				want.Data = got.Bytes()
				if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if got.String() != string(want.Data) {
				t.Errorf("offered:\n%s\nwant:\n%s", &got, want.Data)
			}
		})
	}
}

// added are the lines that a text has and another has not.
func added(before, after string) string {
	var b strings.Builder
	had := strings.Split(before, "\n")
	for _, line := range strings.Split(after, "\n") {
		if i := slices.Index(had, line); i >= 0 {
			had = slices.Delete(had, i, i+1)
		} else {
			b.WriteString("\t" + line + "\n")
		}
	}
	return b.String()
}

// tested runs the tests of a module with some files as they are edited.
func tested(t *testing.T, a *txtar.Archive, dir string, after map[string]string) {
	t.Helper()
	to := write(t, string(txtar.Format(a)))
	for name, text := range after {
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, rel), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "test", "./...")
	cmd.Dir = to
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("with the edit: %v\n%s", err, out)
	}
}

// Of what two packages show together only places without an edit count, each once.
func TestAdd(t *testing.T) {
	fset := token.NewFileSet()
	one, two := fset.AddFile("/m/one.go", -1, 100), fset.AddFile("/m/one.go", -1, 100) // parsed twice
	one.SetLines([]int{0, 10, 20, 30})
	two.SetLines([]int{0, 10, 20, 30})
	at := func(f *token.File, pos int, fixes ...string) shape.Finding {
		x := shape.Finding{Pos: f.Pos(pos), Message: fmt.Sprint(pos)}
		for _, name := range fixes {
			x.Fixes = append(x.Fixes, shape.Fix{Name: name})
		}
		return x
	}
	p, q := &packages.Package{Fset: fset}, &packages.Package{Fset: fset}
	all := []Result{
		{Check: "other", Package: p, Findings: []shape.Finding{at(one, 10)}},
		{Check: "this", Package: p, Findings: []shape.Finding{at(one, 10), at(one, 20, "alone")}},
	}
	act := &checker.Action{Analyzer: &analysis.Analyzer{Name: "this"}, Package: q,
		Result: []shape.Finding{at(two, 10, "both"), at(two, 20, "both"), at(two, 30), at(two, 31, "new")}}
	var got []string
	for _, r := range add(add(all, act), act) {
		for _, f := range r.Findings {
			got = append(got, fmt.Sprintf("%s %s %d %t", r.Check, f.Message, len(f.Fixes), r.Package == q))
		}
	}
	want := []string{"other 10 0 false", "this 20 1 false", "this 10 1 true", "this 31 1 true"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
