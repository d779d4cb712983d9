// Package gocmdtest makes modules for tests that ask the go command.
package gocmdtest

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/gocmd"
)

// Module writes files, by slash-separated names, as a module of their own, apart
// from any workspace, and finds its toolchain. Without a go command it skips the
// test.
func Module(t *testing.T, files map[string]string) (dir string, tc *gocmd.Toolchain) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	return dir, Find(t, dir)
}

// Home makes a home directory in which the go command keeps no telemetry. Else it starts
// a process that still writes there when the test ends and removes it.
func Home(dir string) error {
	for _, config := range []string{".config", "Library/Application Support"} {
		mode := filepath.Join(dir, filepath.FromSlash(config), "go", "telemetry", "mode")
		if err := errors.Join(os.MkdirAll(filepath.Dir(mode), 0o755), os.WriteFile(mode, []byte("off\n"), 0o644)); err != nil {
			return err
		}
	}
	return nil
}

// Find is [gocmd.Find] for a test, which it skips without a go command.
func Find(t *testing.T, dir string) *gocmd.Toolchain {
	t.Helper()
	tc, err := gocmd.Find(t.Context(), dir, "")
	if errors.Is(err, gocmd.ErrNoGo) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return tc
}
