package repo_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/repo"
)

// A commit is taken out with its modes and links, and the repository and its tree
// stay as they were, whatever was staged.
func TestCheckOut(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q", "-b", "main")
	write("sub/a", "old")
	git("add", ".")
	git("commit", "-q", "-m", "one")
	write("sub/a", "staged")
	write("sub/b", "staged")
	git("add", ".")
	write("sub/a", "changed")
	ctx := t.Context()
	before, err := repo.Git(ctx, dir, "status", "--porcelain")
	if err != nil {
		t.Fatal(err)
	}
	r, err := repo.Find(ctx, filepath.Join(dir, "sub"))
	if err != nil {
		t.Fatal(err)
	}
	if r.Prefix != "sub" || !r.Dirty(ctx) {
		t.Errorf("prefix %q, dirty %t: want sub and true", r.Prefix, r.Dirty(ctx))
	}
	commit, err := r.Commit(ctx, "main")
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	at, err := r.CheckOut(ctx, commit, out)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(at, "a")); err != nil || string(got) != "old" {
		t.Errorf("a holds %q, %v: want what was committed", got, err)
	}
	if _, err := os.Stat(filepath.Join(at, "b")); err == nil {
		t.Error("b is there, which is in no commit")
	}
	if after, err := repo.Git(ctx, dir, "status", "--porcelain"); err != nil || after != before {
		t.Errorf("status %q, %v: want %q", after, err, before)
	}
	if trees, err := repo.Git(ctx, dir, "worktree", "list"); err != nil || len(trees) == 0 || strings.Contains(trees, out) {
		t.Errorf("worktrees %q, %v: the repository has learned of %s", trees, err, out)
	}
	for _, bad := range []string{"nosuch", "-x", "", "HEAD:sub/a"} {
		if got, err := r.Commit(ctx, bad); err == nil {
			t.Errorf("Commit(%q) = %q, want an error", bad, got)
		}
	}
}
