package repo_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/repo"
)

// TestRunsNothing: no program that the configuration of a repository or a variable
// names is run by looking at it, nor by taking a commit out.
func TestRunsNothing(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil || runtime.GOOS == "windows" {
		t.Skip("no git, or no sh")
	}
	dir, marks := t.TempDir(), t.TempDir()
	git := in(t, dir)
	program := func(name string) string {
		file := filepath.Join(marks, name+".sh")
		if err := os.WriteFile(file, []byte("#!/bin/sh\n: >\"$0.ran\"\ncase $1 in -*) ;; *) cat;; esac\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return file
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q", "-b", "main")
	write("a.go", "package a\n")
	write("b.bin", "b\n")
	write(".gitattributes", "*.go filter=e=vil diff=evil\n*.bin filter=lfs\n")
	git("add", ".")
	git("commit", "-q", "-m", "one")
	hooks := filepath.Join(dir, ".git", "hooks")
	if err := os.MkdirAll(hooks, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, hook := range []string{"post-index-change", "post-checkout", "reference-transaction", "fsmonitor-watchman"} {
		if err := os.Symlink(program(hook), filepath.Join(hooks, hook)); err != nil {
			t.Fatal(err)
		}
	}
	for key, name := range map[string]string{"core.fsmonitor": "fsmonitor", "filter.e=vil.clean": "clean", "filter.e=vil.smudge": "smudge", "filter.lfs.smudge": "notlfs", "filter.lfs.clean": "notlfs2",
		"diff.evil.textconv": "textconv", "diff.evil.command": "command", "diff.external": "external", "core.pager": "pager"} {
		git("config", key, program(name))
	}
	git("config", "filter.e=vil.required", "true")
	write("a.go", "package b\n") // of the same size: contents are compared
	write("b.bin", "c\n")
	for _, v := range []string{"GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_SSH_COMMAND", "GIT_ASKPASS"} {
		t.Setenv(v, program(v))
	}
	t.Setenv("GIT_TRACE", filepath.Join(marks, "trace.ran"))
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
	t.Setenv("GIT_CONFIG_VALUE_0", program("counted"))

	ctx := t.Context()
	r, err := repo.Find(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	if dirty, err := r.Dirty(ctx); !dirty || err != nil {
		t.Errorf("Dirty = %t, %v of a changed file", dirty, err)
	}
	head, err := r.Commit(ctx, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if changed, err := r.Changed(ctx, head, ""); err != nil || len(changed) != 2 {
		t.Errorf("Changed = %q, %v, want a.go and b.bin", changed, err)
	}
	tree, err := r.CheckOut(ctx, head, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(tree, "a.go")); string(got) != "package a\n" {
		t.Errorf("a.go = %q, %v, want what was committed", got, err)
	}
	ran, err := filepath.Glob(filepath.Join(marks, "*.ran"))
	if len(ran) > 0 || err != nil {
		t.Errorf("ran: %q, %v", ran, err)
	}
}
