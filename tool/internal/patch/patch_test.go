package patch

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// tree writes files into a new folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// read is all files of a folder, but for git's own.
func read(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		if d.IsDir() {
			return nil
		}
		data, err := os.ReadFile(file)
		rel, _ := filepath.Rel(dir, file)
		files[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func same(t *testing.T, what, dir string, want map[string]string) {
	t.Helper()
	got := read(t, dir)
	for name := range got {
		if got[name] != want[name] {
			t.Errorf("%s: %s is %q, want %q", what, name, got[name], want[name])
		}
	}
	for name := range want {
		if _, ok := got[name]; !ok {
			t.Errorf("%s: %s is gone", what, name)
		}
	}
}

// three is a change of each kind in dir, with what the folder holds before and
// after.
func three(dir string) (before, after map[string]string, changes []Change) {
	before = map[string]string{"a.go": "package a\n\nvar x = 1\n", "sub dir/b.go": "package b\r\n\r\nvar y = 1\r\n", "gone.go": "package a\n"}
	after = map[string]string{"a.go": "package a\n\nvar x = 2\n", "sub dir/b.go": "package b\r\n\r\nvar y = 2", "new.go": "package a\n\nvar z int\n"}
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	return before, after, []Change{
		{File: at("a.go"), Before: before["a.go"], After: after["a.go"]},
		{File: at("sub dir/b.go"), Before: before["sub dir/b.go"], After: after["sub dir/b.go"]},
		{File: at("new.go"), New: true, After: after["new.go"]},
		{File: at("gone.go"), Before: before["gone.go"], Gone: true},
	}
}

func TestApply(t *testing.T) {
	before, after, _ := three("")
	dir := tree(t, before)
	_, _, changes := three(dir)
	at := filepath.Join(t.TempDir(), "applied.json")
	if err := Apply(at, Tree{dir}, changes); err != nil {
		t.Fatal(err)
	}
	same(t, "applied", dir, after)
	if info, err := os.Stat(filepath.Join(dir, "a.go")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v, want that of before", info.Mode(), err)
	}
	if err := Apply(at, Tree{dir}, changes); !errors.Is(err, ErrApplied) {
		t.Errorf("applied twice: %v, want %v", err, ErrApplied)
	}
	if err := Apply(at+"2", Tree{dir}, changes); err == nil || !strings.Contains(err.Error(), "has changed meanwhile") {
		t.Errorf("applied twice by two records: %v", err)
	}
	if got, err := Undo(at, in(dir)); err != nil || !slices.Equal(got, changes) {
		t.Errorf("Undo = %v, %v, want %v", got, err, changes)
	}
	if _, err := Undo(at, in(dir)); !errors.Is(err, ErrNone) {
		t.Errorf("taken back twice: %v, want %v", err, ErrNone)
	}
	same(t, "taken back", dir, before)
}

// Whatever stands in the way of one file, none is changed and nothing is left.
func TestAllOrNone(t *testing.T) {
	for what, spoil := range map[string]func(dir string) error{
		"edited":  func(dir string) error { return os.WriteFile(filepath.Join(dir, "sub dir", "b.go"), []byte("x"), 0o644) },
		"removed": func(dir string) error { return os.Remove(filepath.Join(dir, "gone.go")) },
		"there":   func(dir string) error { return os.WriteFile(filepath.Join(dir, "new.go"), nil, 0o644) },
		"no folder": func(dir string) error {
			return os.Rename(filepath.Join(dir, "sub dir"), filepath.Join(dir, "elsewhere"))
		},
	} {
		before, _, _ := three("")
		dir := tree(t, before)
		_, _, changes := three(dir)
		if err := spoil(dir); err != nil {
			t.Fatal(err)
		}
		was := read(t, dir)
		rec := t.TempDir()
		if err := Apply(filepath.Join(rec, "applied.json"), Tree{dir}, changes); err == nil {
			t.Errorf("%s: no error", what)
		}
		same(t, what, dir, was)
		same(t, what, rec, nil)
	}
}

// in allows what lies beneath dir.
func in(dir string) func([]Change) (Tree, error) {
	return func([]Change) (Tree, error) { return Tree{dir}, nil }
}

// A line is rewritten where it goes, not where others are put beside it.
func TestRewrites(t *testing.T) {
	c := Change{File: "/m/a.go", Before: "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\n-- l\nm\n", After: "a\nB\nc\nd\ne\nf\ng\nh\ni\nnew\nj\nk\nm\n"}
	var got []int
	for line := range 15 {
		if c.Rewrites(line) {
			got = append(got, line)
		}
	}
	if want := []int{2, 12}; !slices.Equal(got, want) {
		t.Errorf("lines %v, want %v", got, want)
	}
}

// What is made last is taken back first.
func TestReverseOrder(t *testing.T) {
	got := Reverse([]Change{{File: "a", Before: "1", After: "2"}, {File: "a", Before: "2", After: "3"}, {File: "b", After: "new", New: true}, {File: "c", Before: "old", Gone: true}})
	want := []Change{{File: "c", After: "old", New: true}, {File: "b", Before: "new", Gone: true}, {File: "a", Before: "3", After: "2"}, {File: "a", Before: "2", After: "1"}}
	if !slices.Equal(got, want) {
		t.Errorf("Reverse = %+v, want %+v", got, want)
	}
}

// A link stays one.
func TestLink(t *testing.T) {
	dir := tree(t, map[string]string{"real/a.go": "package a\n"})
	link := filepath.Join(dir, "a.go")
	if err := os.Symlink(filepath.Join("real", "a.go"), link); err != nil {
		t.Skip(err)
	}
	if err := Apply(filepath.Join(t.TempDir(), "applied.json"), Tree{dir}, []Change{{File: link, Before: "package a\n", After: "package b\n"}}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}
	same(t, "link", dir, map[string]string{"a.go": "package b\n", "real/a.go": "package b\n"})
}

// git takes the diff, and takes it back.
func TestGitApply(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip(err)
	}
	before, after, _ := three("")
	dir := tree(t, before)
	_, _, changes := three(dir)
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command(git, slices.Concat([]string{"-C", dir, "-c", "core.autocrlf=false"}, args)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	run("init", "-q")
	if got := Root(filepath.Join(dir, "sub dir"), "home"); got != dir {
		t.Errorf("Root = %q, want %q", got, dir)
	}
	file := filepath.Join(t.TempDir(), "fix.patch")
	if err := os.WriteFile(file, []byte(Diff(dir, changes)), 0o644); err != nil {
		t.Fatal(err)
	}
	run("apply", file)
	same(t, "git apply", dir, after)
	run("apply", "-R", file)
	same(t, "git apply -R", dir, before)
}

// What would not be kept, or is not to be written, is refused: nothing is changed.
func TestRefused(t *testing.T) {
	if os.PathSeparator != '/' {
		t.Skip("hard links and modes are unix's")
	}
	for what, spoil := range map[string]func(dir, file string) error{ // by what is said of it
		"has a second name": func(dir, file string) error { return os.Link(file, filepath.Join(dir, "second")) },
		"is read-only":      func(dir, file string) error { return os.Chmod(file, 0o444) },
		"is read-only: nothing": func(dir, file string) error {
			return errors.Join(os.Rename(file, file+"x.go"), os.Symlink(file+"x.go", file), os.Chmod(file, 0o444))
		},
		"is no regular file": func(dir, file string) error { return errors.Join(os.Remove(file), os.Mkdir(file, 0o755)) },
	} {
		before, _, _ := three("")
		dir := tree(t, before)
		_, _, changes := three(dir)
		if err := spoil(dir, changes[0].File); err != nil {
			t.Fatal(err)
		}
		was := read(t, dir)
		if err := Apply(filepath.Join(t.TempDir(), "applied.json"), Tree{dir}, changes); err == nil || !strings.Contains(err.Error(), what) || !strings.Contains(err.Error(), "nothing is written") {
			t.Errorf("%v, want that it %s and that nothing is written", err, what)
		}
		same(t, what, dir, was)
	}
}

// What an editor saves after payoff's last look, by a rename or in place, is not lost.
func TestEditor(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("files cannot be exchanged here")
	}
	for what, save := range map[string]func(file string) error{
		"in place": func(file string) error { return os.WriteFile(file, []byte("package edited\n"), 0o640) },
		"by rename": func(file string) error {
			return errors.Join(os.WriteFile(file+"~", []byte("package edited\n"), 0o640), os.Rename(file+"~", file))
		},
	} {
		c := newCrashed(t)
		saved := false
		d := &disk{step: func(op, name string, f func() error) error {
			if op == "rename" && name == filepath.FromSlash("sub dir/b.go") && !saved {
				saved = true
				if err := save(c.changes[1].File); err != nil {
					t.Fatal(err)
				}
			}
			return f()
		}}
		if err := c.apply(d); err == nil || !strings.Contains(err.Error(), "has changed meanwhile") {
			t.Errorf("%s: %v, want that it has changed", what, err)
		}
		want := c.before
		want["sub dir/b.go"] = "package edited\n"
		same(t, what, c.dir, want)
	}
}

// A file of Go that says no more than its package is gone.
func TestEdited(t *testing.T) {
	was := "package a\n\nfunc f() {}\n"
	for after, want := range map[string]Change{
		"package a\n":                {File: "a.go", Before: was, Gone: true},
		"package a\n\nvar x int\n":   {File: "a.go", Before: was, After: "package a\n\nvar x int\n"},
		"// Package a.\npackage a\n": {File: "a.go", Before: was, After: "// Package a.\npackage a\n"},
		"package\n":                  {File: "a.go", Before: was, After: "package\n"},
	} {
		if got := Edited("a.go", []byte(was), []byte(after)); got != want {
			t.Errorf("%q: %+v, want %+v", after, got, want)
		}
	}
}
