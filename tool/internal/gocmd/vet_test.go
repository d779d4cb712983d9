package gocmd

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What go vet complains of comes a line each, under an overlay too; that it could
// not look is an error.
func TestVet(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: asks go vet")
	}
	dir := module(t)
	text := "package m\n\nimport \"sync\"\n\nfunc f(mu sync.Mutex) sync.Mutex {\n\treturn mu\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "m.go"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	tc, err := Find(t.Context(), dir, "")
	if errors.Is(err, ErrNoGo) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	said, err := tc.Vet(t.Context(), []string{"."}, "")
	if err != nil || len(said) != 2 || !strings.Contains(said[0], "m.go:5:11: f passes lock by value: sync.Mutex") || !strings.Contains(said[1], "m.go:6:9: return copies lock value: sync.Mutex") {
		t.Errorf("Vet = %q, %v", said, err)
	}
	for text, broken := range map[string]bool{"package m\n": false, "package m\n\nfunc f() { x := 1 }\n": true, "package m\n\n}\n": true} {
		file, index := filepath.Join(t.TempDir(), "0-m.go"), filepath.Join(t.TempDir(), "overlay.json")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(index, []byte(`{"Replace":{"`+filepath.ToSlash(filepath.Join(dir, "m.go"))+`":"`+filepath.ToSlash(file)+`"}}`), 0o644); err != nil {
			t.Fatal(err)
		}
		said, err := tc.Vet(t.Context(), []string{"."}, index)
		if (len(said) > 0 || err != nil) != broken {
			t.Errorf("Vet of %q = %q, %v", text, said, err)
		}
	}
	if said, err := tc.Vet(t.Context(), []string{"./absent"}, ""); err == nil || len(said) > 0 {
		t.Errorf("Vet of no package = %q, %v", said, err)
	}
}
