package patch

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// files are what Read is to find, by names with slashes from the root.
type files map[string]string

func (f files) read(name string) (string, error) {
	rel, err := filepath.Rel("/src", name)
	if err != nil {
		return "", err
	}
	if text, ok := f[filepath.ToSlash(rel)]; ok {
		return text, nil
	}
	return "", &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

const head = "--- a/a.go\n+++ b/a.go\n"

// A patch that does not fit is said to be that, by hunk and line, with what to do.
func TestUnfit(t *testing.T) {
	was := files{"a.go": "1\n2\n3\n4\n5\n6\n", "crlf.go": "1\r\n2\r\n", "end.go": "1\n2"}
	for name, tt := range map[string]struct{ patch, want string }{
		"nothing":          {"", "line 1 of the patch: it changes no file: give one in the unified format"},
		"words":            {"hello\n", "it changes no file"},
		"another line":     {head + "@@ -1,2 +1,2 @@\n 1\n-x\n+y\n", `a.go, hunk 1 (line 5 of the patch): line 2 of the file is "2", and the hunk has "x": give a patch of the code as it is`},
		"the second hunk":  {head + "@@ -1 +1 @@\n-1\n+one\n@@ -4 +4 @@\n-5\n+five\n", "a.go, hunk 2 (line 7 of the patch): line 4 of the file"},
		"beyond the end":   {head + "@@ -9 +9 @@\n-1\n+2\n", "hunk 1 (line 3 of the patch): the file has 6 lines, and the hunk begins at 9"},
		"over the end":     {head + "@@ -6,2 +6,2 @@\n 6\n-7\n+8\n", "the file ends before its last line"},
		"cut":              {head + "@@ -1,3 +1,3 @@\n 1\n", "hunk 1 (line 3 of the patch): it ends before its last line"},
		"cut by another":   {head + "@@ -1,3 +1,3 @@\n 1\ndiff --git\n", "it ends before its last line"},
		"no hunk":          {head, "a.go: it has no hunk"},
		"too many lines":   {head + "@@ -1 +1,2 @@\n 1\n-2\n+3\n", "more lines than its head says"},
		"upwards":          {head + "@@ -4 +4 @@\n-4\n+x\n@@ -1 +1 @@\n-1\n+y\n", "hunk 2 (line 6 of the patch): it is not below the one before"},
		"no numbers":       {head + "@@ -a +b @@\n", "its head cannot be read"},
		"of a merge":       {head[:0] + "@@@ -1 -1 +1 @@@\n", "it is of a merge"},
		"without names":    {"@@ -1 +1 @@\n-1\n+2\n", "a hunk without the names of its file"},
		"absent":           {"--- a/b.go\n+++ b/b.go\n@@ -1 +1 @@\n-1\n+2\n", "b.go: there is no such file: give a patch for this module"},
		"there already":    {"--- /dev/null\n+++ b/a.go\n@@ -0,0 +1 @@\n+1\n", "a.go: there is one already"},
		"outside":          {"--- a/../x.go\n+++ b/../x.go\n@@ -1 +1 @@\n-1\n+2\n", "../x.go: it is outside of /src"},
		"absolute":         {"--- /etc/x\n+++ /etc/x\n@@ -1 +1 @@\n-1\n+2\n", "/etc/x: it is outside of /src"},
		"renamed":          {"diff --git a/a.go b/b.go\nsimilarity index 90%\nrename from a.go\nrename to b.go\n" + head, "it renames a file: write it by git diff --no-renames"},
		"renamed in heads": {"--- a/a.go\n+++ b/b.go\n@@ -1 +1 @@\n-1\n+2\n", "b.go: before, it is a.go"},
		"binary":           {"diff --git a/x b/x\nBinary files a/x and b/x differ\n", "it changes a binary file"},
		"binary patch":     {"GIT binary patch\nliteral 0\n", "it changes a binary file"},
		"mode":             {"old mode 100644\nnew mode 100755\n", "it changes the mode of a file"},
		"link":             {"new file mode 120000\n", "it makes a link"},
		"CRLF in the file": {"--- a/crlf.go\n+++ b/crlf.go\n@@ -1 +1 @@\n-1\n+x\n", "hunk 1 (line 4 of the patch): the lines of the file and of the patch end in different ways"},
		"CRLF in it":       {head + "@@ -1 +1 @@\r\n-1\r\n+x\r\n", "the lines of the file and of the patch end in different ways"},
		"no newline":       {"--- a/end.go\n+++ b/end.go\n@@ -2 +2 @@\n-2\n+x\n", "end in different ways"},
		"twice":            {head + "@@ -1 +1 @@\n-1\n+x\n" + head + "@@ -2 +2 @@\n-2\n+x\n", "a.go: it is changed twice"},
		"not all gone":     {"--- a/a.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n", "a.go: it is to go, and lines of it are left"},
		"no name":          {"--- /dev/null\n+++ /dev/null\n@@ -0,0 +1 @@\n+1\n", "it has no name"},
		"a name in pieces": {"--- \"a/\\x\"\n+++ b/a.go\n", "the name of a file cannot be read"},
	} {
		changes, err := Read("/src", tt.patch, was.read)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, %v, want %q", name, changes, err, tt.want)
		}
		if unfit := (*Unfit)(nil); !errors.As(err, &unfit) || unfit.At < 1 || unfit.Next == "" {
			t.Errorf("%s: %#v, want an Unfit with a line and the next step", name, err)
		}
	}
}

// What git and diff write is read: several files and hunks, new files and those that
// go, heads of a mail, names in quotes, files without a last newline.
func TestRead(t *testing.T) {
	was := files{"a.go": "1\n2\n3\n4\n5\n6\n", "crlf.go": "1\r\n2\r\n", "end.go": "1\n2", "d/ä b.go": "1\n", "gone.go": "1\n"}
	for name, tt := range map[string]struct {
		patch string
		want  files // "" is gone
	}{
		"two hunks":        {head + "@@ -1,2 +1,3 @@ func f() {\n 1\n+1½\n 2\n@@ -5,2 +6 @@\n 5\n-6\n", files{"a.go": "1\n1½\n2\n3\n4\n5\n"}},
		"inserted":         {head + "@@ -2,0 +3,2 @@\n+x\n+y\n", files{"a.go": "1\n2\nx\ny\n3\n4\n5\n6\n"}},
		"without prefixes": {"--- a.go\t2026-01-01\n+++ a.go\t2026-01-02\n@@ -1 +1 @@\n-1\n+one\n", files{"a.go": "one\n2\n3\n4\n5\n6\n"}},
		"a blank taken":    {"--- a/a.go\n+++ b/a.go\n@@ -1 +1,2 @@\n 1\n+\n", files{"a.go": "1\n\n2\n3\n4\n5\n6\n"}},
		"a mail":           {"From: x\n\n---\n a.go | 2 +-\n\ndiff --git a/a.go b/a.go\nindex 1..2 100644\n" + head + "@@ -1 +1 @@\n-1\n+one\n-- \n2.1\n", files{"a.go": "one\n2\n3\n4\n5\n6\n"}},
		"new":              {"diff --git a/n.go b/n.go\nnew file mode 100644\n--- /dev/null\n+++ b/n.go\n@@ -0,0 +1,2 @@\n+a\n+b\n", files{"n.go": "a\nb\n"}},
		"gone":             {"--- a/gone.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n", files{"gone.go": ""}},
		"CRLF":             {"--- a/crlf.go\n+++ b/crlf.go\n@@ -1,2 +1,2 @@\n-1\r\n+one\r\n 2\r\n", files{"crlf.go": "one\r\n2\r\n"}},
		"no newline":       {"--- a/end.go\n+++ b/end.go\n@@ -1,2 +1,2 @@\n 1\n-2\n\\ No newline at end of file\n+two\n", files{"end.go": "1\ntwo\n"}},
		"no newline after": {"--- a/gone.go\n+++ b/gone.go\n@@ -1 +1 @@\n-1\n+one\n\\ No newline at end of file\n", files{"gone.go": "one"}},
		"a name in quotes": {"--- \"a/d/\\303\\244 b.go\"\n+++ \"b/d/\\303\\244 b.go\"\n@@ -1 +1 @@\n-1\n+one\n", files{"d/ä b.go": "one\n"}},
		"two files":        {head + "@@ -1 +1 @@\n-1\n+x\n--- a/gone.go\n+++ b/gone.go\n@@ -1 +1 @@\n-1\n+y\n", files{"a.go": "x\n2\n3\n4\n5\n6\n", "gone.go": "y\n"}},
	} {
		changes, err := Read("/src", tt.patch, was.read)
		if err != nil || len(changes) != len(tt.want) {
			t.Errorf("%s: %v, %v, want %v", name, changes, err, tt.want)
			continue
		}
		for _, c := range changes {
			rel, _ := filepath.Rel("/src", c.File)
			rel = filepath.ToSlash(rel)
			after, ok := tt.want[rel]
			if _, there := was[rel]; !ok || c.After != after || c.Before != was[rel] || c.New == there || c.Gone != (after == "") {
				t.Errorf("%s: %+v, want %s to become %q", name, c, rel, after)
			}
		}
	}
}

// What Diff writes Read reads, whatever the files.
func TestReadDiff(t *testing.T) {
	rng := rand.New(rand.NewPCG(stress.Seed(t), 1))
	words := []string{"a", "b", "", "}", "\tx := 1", "+", "-- x", "@@ -1 +1 @@", "\\ y", " "}
	text := func() string {
		var lines []string
		for range rng.IntN(12) {
			lines = append(lines, words[rng.IntN(len(words))])
		}
		if len(lines) == 0 {
			return ""
		}
		s := strings.Join(lines, "\n")
		if rng.IntN(4) > 0 || strings.HasSuffix(s, "\n") || s == "" {
			s += "\n"
		}
		return s
	}
	for range 500 {
		before, after := text(), text()
		c := Change{File: "/src/a.go", Before: before, After: after}
		if before == after {
			continue
		}
		if c.New = before == ""; c.New {
			c.Before = ""
		}
		if c.Gone = after == ""; c.Gone && c.New {
			continue
		}
		had := files{}
		if !c.New {
			had["a.go"] = before
		}
		diff := Diff("/src", []Change{c})
		got, err := Read("/src", diff, had.read)
		if err != nil || len(got) != 1 || got[0] != c {
			t.Fatalf("%q to %q: %+v, %v of\n%s", before, after, got, err, diff)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(head + "@@ -1,2 +1,3 @@\n 1\n+1½\n 2\n")
	f.Add("--- /dev/null\n+++ b/n.go\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n")
	f.Fuzz(func(t *testing.T, patch string) {
		changes, err := Read("/src", patch, files{"a.go": "1\n2\n3\n"}.read)
		if (err == nil) == (len(changes) == 0) {
			t.Errorf("%d changes and %v", len(changes), err)
		}
		for _, c := range changes {
			if rel, err := filepath.Rel("/src", c.File); err != nil || !filepath.IsLocal(rel) {
				t.Errorf("it changes %s", c.File)
			}
		}
	})
}
