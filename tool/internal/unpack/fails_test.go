package unpack

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// broken is a file system in which one name cannot be read.
type broken struct {
	fstest.MapFS
	name string
}

var errBroken = errors.New("broken")

func (b broken) Open(name string) (fs.File, error) {
	if name == b.name {
		return nil, errBroken
	}
	return b.MapFS.Open(name)
}

func (b broken) ReadFile(name string) ([]byte, error) {
	if name == b.name {
		return nil, errBroken
	}
	return b.MapFS.ReadFile(name)
}

func (b broken) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == b.name {
		return nil, errBroken
	}
	return b.MapFS.ReadDir(name)
}

// A file that cannot be read is no workspace with a hole, in either module.
func TestWorkspaceFails(t *testing.T) {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	library := fstest.MapFS{"go.mod": file("module m\n"), "queue/q.go": file("q")}
	cases := fstest.MapFS{"go.mod": file("module g\n\ngo 1.26.0\n"), "a/a.go": file("a")}
	for _, name := range []string{"queue", "queue/q.go"} {
		if got, err := workspace(broken{library, name}, cases); !errors.Is(err, errBroken) || got != nil {
			t.Errorf("the library's %s: %v, %v", name, got, err)
		}
	}
	for _, name := range []string{"a", "a/a.go", "go.mod"} {
		if got, err := workspace(library, broken{cases, name}); !errors.Is(err, errBroken) || got != nil {
			t.Errorf("the gallery's %s: %v, %v", name, got, err)
		}
	}
	// A file that is called testdata is a file.
	got, err := workspace(fstest.MapFS{"x/testdata": file("x")}, cases)
	if err != nil || got["payoff/x/testdata"] == nil {
		t.Errorf("%v, %v", got, err)
	}
}

// The library lies in a folder of its name, by its content.
func TestLibrary(t *testing.T) {
	parent := t.TempDir()
	dir, err := Library(parent)
	if err != nil {
		t.Fatal(err)
	}
	if name := filepath.Base(dir); !strings.HasPrefix(name, "library-") || len(name) != len("library-")+16 || filepath.Dir(dir) != parent {
		t.Errorf("the library is in %s", dir)
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		t.Error(err)
	}
	err = filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".md") || strings.Contains(name, "testdata") {
			t.Errorf("it has %s", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if again, err := Library(parent); err != nil || again != dir {
		t.Errorf("again in %s, %v; want %s", again, err, dir)
	}
	gallery, err := Gallery(parent)
	if name := filepath.Base(gallery); err != nil || !strings.HasPrefix(name, "gallery-") {
		t.Errorf("the gallery is in %s, %v", gallery, err)
	}
}

// Content is what a folder is named by: names and lengths as well as bytes.
func TestSum(t *testing.T) {
	seen := map[string]string{}
	for _, files := range []tree{{"a": []byte("b")}, {"a": []byte("c")}, {"b": []byte("b")}, {"a": []byte("b"), "c": nil}, {"a": nil, "c": []byte("b")}, {"a": []byte("bc 0\n")}, {"a b 1\nc": nil}, {}} {
		sum := files.sum()
		if was, ok := seen[sum]; ok || len(sum) != 16 {
			t.Errorf("%v has the name %s of %s", files, sum, was)
		}
		seen[sum] = fmt.Sprint(files)
	}
}

// A folder that cannot be made is an error, and what was made for it goes.
func TestFolderFails(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "cache")
	if err := os.WriteFile(parent, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if dir, err := folder(parent, galleryPrefix, tree{"a": nil}, time.Now()); err == nil || dir != "" {
		t.Errorf("beneath a file: %q, %v", dir, err)
	}
	if dir, err := Gallery(parent); err == nil || dir != "" {
		t.Errorf("the gallery beneath a file: %q, %v", dir, err)
	}
	if dir, err := Library(parent); err == nil || dir != "" {
		t.Errorf("the library beneath a file: %q, %v", dir, err)
	}
	parent = t.TempDir()
	for _, files := range []tree{{"a": nil, "a/b": nil}, {"a\x00": nil}} {
		if dir, err := folder(parent, galleryPrefix, files, time.Now()); err == nil || dir != "" {
			t.Errorf("%q cannot be written: %q, %v", files, dir, err)
		}
	}
	if entries, err := os.ReadDir(parent); err != nil || len(entries) != 0 {
		t.Errorf("left %v, %v; want nothing", entries, err)
	}
	// What the go command writes into a workspace does no harm.
	files := tree{"go.work": []byte("w")}
	dir, err := folder(parent, galleryPrefix, files, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	made, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.work.sum"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if !files.in(dir) {
		t.Error("a go.work.sum is a stray file")
	}
	now := time.Now().Add(time.Hour)
	if again, err := folder(parent, galleryPrefix, files, now); err != nil || again != dir {
		t.Errorf("%s, %v; want %s again", again, err, dir)
	}
	if used, err := os.Stat(dir); err != nil || !used.ModTime().After(made.ModTime()) {
		t.Errorf("used at %v, %v; want an hour from now", used.ModTime(), err)
	}
}

// A workspace that was idle for a month stays, one that was idle for longer goes, of
// either module.
func TestSweepEdges(t *testing.T) {
	parent := t.TempDir()
	now := time.Now().Truncate(time.Second)
	for name, age := range map[string]time.Duration{"gallery-month": idle, "gallery-more": idle + time.Second, "library-more": idle + time.Second, "other-more": idle + time.Second, "gallery-file": idle + time.Second} {
		dir := filepath.Join(parent, name)
		if err := errors.Join(os.Mkdir(dir, 0o755), os.Chtimes(dir, now.Add(-age), now.Add(-age))); err != nil {
			t.Fatal(err)
		}
	}
	sweep(parent, now)
	sweep(filepath.Join(parent, "gone"), now) // nothing to do
	var left []string
	entries, err := os.ReadDir(parent)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if got := strings.Join(left, " "); err != nil || got != "gallery-month other-more" {
		t.Errorf("left %s, %v; want gallery-month other-more", got, err)
	}
}
