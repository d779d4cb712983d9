package gocmd

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Diagnose tells what escapes, where, on each call anew.
func TestDiagnose(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiles a test binary")
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module example.com/m\n\ngo 1.22\n",
		"m_test.go": "package m\n\nimport \"testing\"\n\nvar p *[100]int\n\nfunc BenchmarkA(b *testing.B) {\n\tp = new([100]int)\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tc, err := Find(t.Context(), dir, "")
	if errors.Is(err, ErrNoGo) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	for range 2 { // the second compilation must not come from the cache, silent
		said, err := tc.Diagnose(t.Context(), ".", out)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(said, func(d Diagnostic) bool {
			return d.File == filepath.Join(dir, "m_test.go") && d.Line == 8 && d.Code == "escapes" && d.Message != ""
		}) {
			t.Errorf("%+v: want that new([100]int) in line 8 escapes", said)
		}
	}
	if left, err := os.ReadDir(out); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "m_test.go"), []byte("package m\n\nfunc"), 0o644); err != nil {
		t.Fatal(err)
	}
	if said, err := tc.Diagnose(t.Context(), ".", out); err == nil {
		t.Errorf("of a package that does not compile: %v, want an error", said)
	}
}
