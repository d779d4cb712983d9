package unpack

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gopayoff/payoff/gallery"
)

func TestWorkspace(t *testing.T) {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	library := fstest.MapFS{"go.mod": file("module m\n"), "queue/q.go": file("q"), "queue/q_test.go": file(""), "queue/testdata/x.go": file(""), "queue/README.md": file("")}
	cases := fstest.MapFS{"go.mod": file("module g\n\ngo 1.26.0\n\nrequire m v0.1.0\n"), "a/a_test.go": file("a"), "a/testdata/x": file("x")}
	got, err := workspace(library, cases)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"gallery/a/a_test.go", "gallery/a/testdata/x", "gallery/go.mod", "go.work", "payoff/go.mod", "payoff/queue/q.go"}
	var names []string
	for name := range got {
		names = append(names, name)
	}
	slices.Sort(names)
	work := "go 1.26.0\n\nuse (\n\t./gallery\n\t./payoff\n)\n\nreplace m v0.1.0 => ./payoff\n"
	if !slices.Equal(names, want) || string(got["go.work"]) != work {
		t.Errorf("workspace has %q and go.work %q, want %q and %q", names, got["go.work"], want, work)
	}
	if _, err := workspace(library, library); err == nil {
		t.Error("a go.mod without a version is taken")
	}
}

// TestGallery: every case is built in the workspace, wherever that lies.
func TestGallery(t *testing.T) {
	dir, err := Gallery(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cases, err := gallery.Cases()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if _, err := os.Stat(filepath.Join(dir, "gallery", c.Name, "case_test.go")); err != nil {
			t.Error(err)
		}
	}
	if testing.Short() {
		t.Skip("-short: runs the go command")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "list", "-test", "-deps", "./...")
	cmd.Dir = filepath.Join(dir, "gallery")
	cmd.Env = append(os.Environ(), "GOWORK="+filepath.Join(dir, "go.work"), "GOFLAGS=", "PWD="+cmd.Dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(data)
}

// A folder is made once, made again where it is not whole, and made by many at
// once; nothing is left beside it.
func TestFolder(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "cache")
	files := tree{"a/b.go": []byte("b"), "go.work": []byte("w")}
	now := time.Now()
	dir, err := folder(parent, galleryPrefix, files, now)
	if err != nil {
		t.Fatal(err)
	}
	harm := map[string]func(){
		"nothing":   func() {},
		"changed":   func() { os.WriteFile(filepath.Join(dir, "a", "b.go"), []byte("x"), 0o644) },
		"file gone": func() { os.Remove(filepath.Join(dir, "go.work")) },
		"file more": func() { os.WriteFile(filepath.Join(dir, "a", "extra_test.go"), []byte("package"), 0o644) },
		"all gone":  func() { os.RemoveAll(dir) },
	}
	for name, do := range harm {
		do()
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if got, err := folder(parent, galleryPrefix, files, now); err != nil || got != dir {
					t.Errorf("%s: folder = %s, %v, want %s", name, got, err, dir)
				}
			})
		}
		all.Wait()
		if read(t, filepath.Join(dir, "a", "b.go")) != "b" || read(t, filepath.Join(dir, "go.work")) != "w" {
			t.Errorf("%s: the folder is not whole", name)
		}
		if _, err := os.Stat(filepath.Join(dir, "a", "extra_test.go")); err == nil {
			t.Errorf("%s: a file more is still there", name)
		}
		if entries, err := os.ReadDir(parent); err != nil || len(entries) != 1 {
			t.Errorf("%s: %v, %v in the cache, want one folder", name, entries, err)
		}
	}
	other, err := folder(parent, galleryPrefix, tree{"go.work": []byte("v")}, now)
	if err != nil || other == dir {
		t.Errorf("other content lies in %s, %v", other, err)
	}
}

// What was idle for a month goes when another is made, and nothing else does.
func TestSweep(t *testing.T) {
	parent := t.TempDir()
	now := time.Now()
	old := now.Add(-idle - time.Hour)
	for _, name := range []string{"gallery-old", ".unpacking-1", "runs"} {
		dir := filepath.Join(parent, name)
		if err := errors.Join(os.Mkdir(dir, 0o755), os.Chtimes(dir, old, old)); err != nil {
			t.Fatal(err)
		}
	}
	used, err := folder(parent, galleryPrefix, tree{"go.work": []byte("w")}, now)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(used, old, old); err != nil {
		t.Fatal(err)
	}
	if _, err := folder(parent, galleryPrefix, tree{"go.work": []byte("w")}, now); err != nil { // marks it as used
		t.Fatal(err)
	}
	if _, err := folder(parent, galleryPrefix, tree{"go.work": []byte("v")}, now); err != nil {
		t.Fatal(err)
	}
	var left []string
	entries, err := os.ReadDir(parent)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if err != nil || len(left) != 3 || !slices.Contains(left, "runs") || !slices.Contains(left, filepath.Base(used)) {
		t.Errorf("left %q, %v; want the two in use and runs", left, err)
	}
}
