package payoff

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// TestFiles: each directory of the library travels, with all that its packages
// are built of.
func TestFiles(t *testing.T) {
	here := os.DirFS(".")
	err := fs.WalkDir(here, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		if d.IsDir() {
			_, err := fs.Stat(here, path.Join(name, "go.mod"))
			if err == nil || strings.HasPrefix(d.Name(), ".") || slices.Contains([]string{"testdata", "docs", "record"}, d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		own := name == "go.mod" || strings.Contains(name, "/") && path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go")
		if !own {
			return nil
		}
		want, err := fs.ReadFile(here, name)
		if err != nil {
			return err
		}
		if got, err := fs.ReadFile(Files, name); err != nil || string(got) != string(want) {
			t.Errorf("%s does not travel (%v): name its directory in files.go", name, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
