package local_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/gocmd/gocmdtest"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/host/local"
)

// What is forgotten is off the disk, and is built again where it is asked for.
func TestForget(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiles a test binary")
	}
	dir, tc := gocmdtest.Module(t, map[string]string{"go.mod": "module example.com/m\n\ngo 1.22\n", "m_test.go": "package m\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) {}\n"})
	tmp := t.TempDir()
	h := local.New(tmp, local.NewCompiler(tc, tmp, ""))
	source := func(layout int) host.Source {
		return host.Source{Package: "example.com/m", Dir: dir, Plain: true, Layout: layout}
	}
	binaries := func() int {
		all, err := filepath.Glob(filepath.Join(tmp, "binary-*", "test*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	build := func(layout int) {
		t.Helper()
		b, err := h.Build(t.Context(), source(layout))
		if err != nil {
			t.Fatal(err)
		}
		if o, err := h.Run(t.Context(), host.Job{Binary: b.ID, Procs: 1, Args: []string{"-test.run=."}, Timeout: 1e10}); err != nil || o.Exit != 0 {
			t.Errorf("layout %d: %+v, %v", layout, o, err)
		}
	}
	h.Forget(source(0)) // nothing is there
	build(0)
	build(1)
	build(2)
	h.Forget(source(1))
	h.Forget(source(7))
	if n := binaries(); n != 2 {
		t.Errorf("%d binaries are there, want 2", n)
	}
	build(1)
	h.Forget(source(0))
	if n := binaries(); n != 0 {
		t.Errorf("%d binaries are there, want none", n)
	}
	build(0)
	race := source(0)
	race.Race = true
	var fault *host.Fault
	if _, err := h.Build(t.Context(), race); err != nil && !errors.As(err, &fault) {
		t.Error(err)
	} else if n := binaries(); err == nil && n != 2 {
		t.Errorf("%d binaries are there, want one with the race detector besides", n)
	}
}

// A package without test files has no binary, and that is no fault of its code.
func TestNoTestFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: asks the go command")
	}
	dir, tc := gocmdtest.Module(t, map[string]string{"go.mod": "module example.com/m\n\ngo 1.22\n", "m.go": "package m\n", "bad/bad.go": "package bad\n\nvar x int = \"\"\n", "bad/bad_test.go": "package bad\n"})
	tmp := t.TempDir()
	h := local.New(tmp, local.NewCompiler(tc, tmp, ""))
	for _, tt := range []struct {
		s    host.Source
		want bool
	}{
		{host.Source{Package: "example.com/m", Dir: dir}, true},
		{host.Source{Package: "example.com/m", Dir: dir, Plain: true}, true},
		{host.Source{Package: "example.com/m/bad", Dir: filepath.Join(dir, "bad")}, false},
	} {
		_, err := h.Build(t.Context(), tt.s)
		if fault := (*host.Fault)(nil); !errors.As(err, &fault) || fault.NoTests != tt.want {
			t.Errorf("build of %+v: %v, want a fault with NoTests %t", tt.s, err, tt.want)
		}
	}
}
