package overlay

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	root := t.TempDir() // absolute on every system; nothing is written there
	same, other, hidden := filepath.Join(root, "a", "x.go"), filepath.Join(root, "b", "x.go"), filepath.Join(root, "y.go")
	o := Overlay{same: []byte("package a"), other: []byte("package b"), hidden: nil, filepath.Join(root, "empty.go"): {}}
	index, err := o.Write(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !filepath.IsAbs(index) || filepath.Dir(index) != dir {
		t.Errorf("Write = %s, want a file of %s", index, dir)
	}
	data, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Replace map[string]string }
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Replace) != len(o) {
		t.Errorf("%d replacements, want %d", len(got.Replace), len(o))
	}
	for path, want := range o {
		file, ok := got.Replace[path]
		if want == nil {
			if !ok || file != "" {
				t.Errorf("hidden %s is replaced by %q, want \"\"", path, file)
			}
			continue
		}
		if content, err := os.ReadFile(file); err != nil || string(content) != string(want) || !filepath.IsAbs(file) {
			t.Errorf("%s is replaced by %s with %q, %v; want %q", path, file, content, err, want)
		}
	}
	if entries, _ := os.ReadDir(root); len(entries) != 0 {
		t.Errorf("Write left %v where the user's files are", entries)
	}
}

func TestWriteRefuses(t *testing.T) {
	if _, err := (Overlay{"relative.go": nil}).Write(t.TempDir()); err == nil || !strings.Contains(err.Error(), "relative.go: not an absolute path") {
		t.Errorf("Write with a relative path = %v, want an error that names it", err)
	}
	nowhere := filepath.Join(t.TempDir(), "nowhere")
	for _, o := range []Overlay{{}, {filepath.Join(nowhere, "x.go"): []byte("package x")}} {
		if _, err := o.Write(nowhere); err == nil || !strings.Contains(err.Error(), nowhere) {
			t.Errorf("Write to a missing folder = %v, want an error that names it", err)
		}
	}
}
