package patch

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Diff is the changes in the unified format, as git apply takes them in root.
func Diff(root string, changes []Change) string {
	var out strings.Builder
	for _, c := range changes {
		text := diff.Diff("old", []byte(c.Before), "new", []byte(c.After))
		for range 3 { // its own heads
			_, text, _ = bytes.Cut(text, []byte("\n"))
		}
		name := named(root, c.File)
		from, to := "a/"+name, "b/"+name
		out.WriteString("diff --git " + from + " " + to + "\n")
		switch {
		case c.New:
			out.WriteString("new file mode 100644\n")
			from = "/dev/null"
		case c.Gone:
			out.WriteString("deleted file mode 100644\n")
			to = "/dev/null"
		}
		if strings.Contains(name, " ") { // git ends such a name with a tab
			from, to = from+"\t", to+"\t"
		}
		out.WriteString("--- " + from + "\n+++ " + to + "\n")
		out.Write(text)
	}
	return out.String()
}

// named is how a diff names a file.
func named(root, file string) string {
	rel, err := filepath.Rel(root, file)
	if err != nil {
		rel = file
	}
	return filepath.ToSlash(rel)
}

// Root is the folder that diffs should name files of dir from: that of its git
// repository, where git apply wants them so, or else home.
func Root(dir, home string) string {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return d
		}
		if filepath.Dir(d) == d {
			return home
		}
	}
}
