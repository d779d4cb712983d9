package main

import (
	"fmt"
	"os"
	"os/exec"
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

// run runs the program on a machine of so many processors. It has one of this
// machine, and no collector that moves nothing but takes turns: so that its runs
// are the same each time.
func run(program string, procs int, args ...string) (out string, err error) {
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), fmt.Sprint("PAYOFF_WORLD_PROCS=", procs), "GOMAXPROCS=1",
		"GORACE=halt_on_error=1 atexit_sleep_ms=0")
	text, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(text)), err
}

// TestBuild leaves the program where SCENES says, for people.
func TestBuild(t *testing.T) {
	to := os.Getenv("SCENES")
	if to == "" {
		t.Skip("SCENES names no file")
	}
	data, err := os.ReadFile(built(t, nil, strings.Fields(os.Getenv("SCENEFLAGS"))...))
	if err == nil {
		err = os.WriteFile(to, data, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
}
