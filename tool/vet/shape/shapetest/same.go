package shapetest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Same runs the tests of the package in folder as it is, and with each of its
// goldens in the place of the file it was made of: what an edit makes has to
// pass what its package's tests say. It costs a build for each.
func Same(t *testing.T, folder string) {
	t.Helper()
	t.Run(filepath.Base(folder)+"/tests", func(t *testing.T) {
		goldens, err := filepath.Glob(filepath.Join(folder, "*.golden"))
		if err != nil || len(goldens) == 0 {
			t.Fatalf("%s has no goldens (%v)", folder, err)
		}
		tests(t, folder, "")
		for _, g := range goldens {
			tests(t, folder, g)
		}
	})
}

func tests(t *testing.T, folder, golden string) {
	t.Helper()
	args := []string{"test", "-vet=off"}
	if golden != "" {
		name, err := filepath.Abs(golden)
		if err != nil {
			t.Fatal(err)
		}
		of := name[:strings.LastIndex(name, ".go.")] + ".go"
		data, err := json.Marshal(map[string]map[string]string{"Replace": {of: name}})
		if err != nil {
			t.Fatal(err)
		}
		overlay := filepath.Join(t.TempDir(), "overlay.json")
		if err := os.WriteFile(overlay, data, 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, "-overlay", overlay)
	}
	if out, err := exec.Command("go", append(args, "./"+filepath.ToSlash(folder))...).CombinedOutput(); err != nil {
		t.Errorf("tests of %s with %s: %v\n%s", folder, filepath.Base(golden), err, out)
	}
}
