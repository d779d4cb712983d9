package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// planted is a workspace in which b uses a; one test of a sees a's sign, one of
// b its size, and nothing its name.
var planted = map[string]string{
	"go.work": "go 1.26.0\n\nuse .\n",
	"go.mod":  "module example.com/m\n\ngo 1.26.0\n",
	"a/a.go":  "package a\n\nfunc Sign() int { return 1 }\nfunc Size() int { return 2 }\nfunc Name() string { return \"a\" }\n",
	"a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestSign(t *testing.T) {\n\tif Sign() != 1 {\n\t\tt.Fatal()\n\t}\n}\n" +
		"\nfunc TestBoth(t *testing.T) {\n\tt.Run(\"x\", TestSign)\n}\n",
	"b/b.go":      "package b\n\nimport \"example.com/m/a\"\n\nfunc Twice() int { return 2 * a.Size() }\n",
	"b/b_test.go": "package b\n\nimport \"testing\"\n\nfunc TestTwice(t *testing.T) {\n\tif Twice() != 4 {\n\t\tt.Fatal()\n\t}\n}\n",
	"c/c.go":      "package c\n",
	"ignored":     "not copied",
	".gitignore":  "ignored\n",
}

func workspace(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: builds small packages")
	}
	dir := t.TempDir()
	for name, text := range planted {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git := exec.Command("git", "init", "-q")
	git.Dir = dir
	if out, err := git.CombinedOutput(); err != nil {
		t.Skipf("no git: %v %s", err, out)
	}
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "")
	return dir
}

func TestFaults(t *testing.T) {
	root := workspace(t)
	tr := &tree{dir: filepath.Join(t.TempDir(), "copy"), timeout: time.Minute}
	if err := tr.copy(root); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(tr.dir, "ignored")); err == nil {
		t.Error("what git ignores was copied")
	}
	if err := tr.readUsers(); err != nil {
		t.Fatal(err)
	}
	if got, want := tr.users["example.com/m/a"], []string{"example.com/m/b"}; !slices.Equal(got, want) {
		t.Errorf("users of a are %q, want %q", got, want)
	}
	for _, c := range []struct {
		old, new, by, err string
	}{
		{"return 1", "return -1", "example.com/m/a TestSign", ""},
		{"return 2", "return 3", "example.com/m/b TestTwice", ""},
		{`"a"`, `"b"`, "", ""},
		{"return 2", "return x", "", "does not compile"},
		{"return", "break", "", "3 times, want once"},
	} {
		by, err := tr.try(fault{File: "a/a.go", Old: c.old, New: c.new})
		if by != c.by || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s for %s: caught by %q, %v, want %q, %q", c.new, c.old, by, err, c.by, c.err)
		}
		if now, err := os.ReadFile(filepath.Join(tr.dir, "a/a.go")); err != nil || string(now) != planted["a/a.go"] {
			t.Fatalf("the fault stayed: %s, %v", now, err)
		}
	}
	// A second copy leaves alone what is the same.
	before, err := os.Stat(filepath.Join(tr.dir, "b/b.go"))
	if err != nil {
		t.Fatal(err)
	}
	if err := tr.copy(root); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(filepath.Join(tr.dir, "b/b.go")); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Error("a file that is the same was written again")
	}
}

func TestUsage(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.json")
	if err := os.WriteFile(bad, []byte("[{"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{}, {"absent.json"}, {bad}, {"-only", "x", bad}} {
		if code := run(args, io.Discard, io.Discard); code != 2 {
			t.Errorf("faults %q exits with %d, want 2", args, code)
		}
	}
}
