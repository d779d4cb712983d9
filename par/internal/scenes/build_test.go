package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/world/overlay"
)

// built returns the program, with changes.
func built(t testing.TB, changes []overlay.Change, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "scenes")
	if err := overlay.Build(root, dir, out, "./par/internal/scenes", "./par", changes, flags...); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestBuild(t *testing.T) {
	out := built(t, nil, strings.Fields(os.Getenv("SCENEFLAGS"))...)
	if to := os.Getenv("SCENES"); to != "" {
		data, _ := os.ReadFile(out)
		os.WriteFile(to, data, 0o755)
	}
}
