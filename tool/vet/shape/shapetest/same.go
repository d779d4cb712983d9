package shapetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/vet/shape/twintest"
)

// Same runs the tests of the package in folder as it is. It then runs them with
// what the goldens make in the place of the files they are of. What an edit makes
// has to pass what its package's tests say. Each run takes one golden of each
// file; it costs a build.
func Same(t *testing.T, folder string) {
	t.Helper()
	t.Run(filepath.Base(folder)+"/tests", func(t *testing.T) {
		goldens, err := filepath.Glob(filepath.Join(folder, "*.golden"))
		if err != nil || len(goldens) == 0 {
			t.Fatalf("%s has no goldens (%v)", folder, err)
		}
		rounds := []map[string]string{{}} // golden by the file it stands for
		at := map[string]int{}
		for _, g := range goldens {
			of := g[:strings.LastIndex(g, ".go.")] + ".go"
			if at[of]++; at[of] == len(rounds) {
				rounds = append(rounds, map[string]string{})
			}
			rounds[at[of]][of] = g
		}
		for _, r := range rounds {
			tests(t, folder, r)
		}
	})
}

func tests(t *testing.T, folder string, goldens map[string]string) {
	t.Helper()
	made := overlay.Overlay{}
	for of, g := range goldens {
		name, err := filepath.Abs(of)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if made[name], err = twintest.Golden(g, text); err != nil {
			t.Fatal(err)
		}
	}
	index, err := made.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "test", "-vet=off", "-overlay", index, "./"+filepath.ToSlash(folder)).CombinedOutput()
	if err != nil {
		t.Errorf("tests of %s with %v: %v\n%s", folder, goldens, err, out)
	}
}
