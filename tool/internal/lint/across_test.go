package lint

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

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
			checks, err := Checks([]string{"fewworkers", "sharedacc"})
			if err != nil {
				t.Fatal(err)
			}
			results, err := Run(t.Context(), checks, code.sound(), nil, true)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			for _, r := range results {
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
