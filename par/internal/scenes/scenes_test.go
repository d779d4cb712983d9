package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gopayoff/payoff/internal/world/overlay"
)

// built returns the program, with changes.
func built(t testing.TB, changes []overlay.Change, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	if err := build(dir, changes, flags...); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "scenes")
}

// build builds it in dir.
func build(dir string, changes []overlay.Change, flags ...string) error {
	root, err := filepath.Abs("../../..")
	if err != nil {
		return err
	}
	return overlay.Build(root, dir, filepath.Join(dir, "scenes"), "./par/internal/scenes", "./par", changes, flags...)
}

// asItIs returns the program without changes, which tests share.
func asItIs(t testing.TB) string {
	t.Helper()
	shared.Do(func() { shared.err = build(shared.dir, nil) })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return filepath.Join(shared.dir, "scenes")
}

var shared struct {
	sync.Once
	dir string
	err error
}

func TestMain(m *testing.M) {
	var err error
	if shared.dir, err = os.MkdirTemp("", "scenes"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(shared.dir)
	os.Exit(code)
}

// run runs the program on a machine of so many processors. It has one of this
// machine, so that memory is handed out in the same order each time.
func run(program string, procs int, args ...string) (out string, err error) {
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), fmt.Sprint("PAYOFF_WORLD_PROCS=", procs), "GOMAXPROCS=1",
		"GORACE=halt_on_error=1 atexit_sleep_ms=0",
		"PAYOFF_PAR=auto") // not what builds with -race do by default
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
