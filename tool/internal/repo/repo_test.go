package repo_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/repo"
)

// in returns what runs git in a folder.
func in(t *testing.T, dir string) func(args ...string) {
	return func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}

// What two branches have in common, where they are to go, and what differs.
func TestBranches(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	const github, gitlab = "GITHUB_BASE_REF", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME"
	t.Setenv(github, "")
	t.Setenv(gitlab, "")
	dir := t.TempDir()
	git := in(t, dir)
	git("init", "-q", "-b", "main")
	ctx := t.Context()
	r, err := repo.Find(ctx, dir)
	if err != nil || r.Prefix != "" {
		t.Fatalf("Find = %+v, %v, want no prefix", r, err)
	}
	if ref, err := r.Trunk(ctx); err == nil {
		t.Errorf("Trunk without a commit = %q", ref)
	}
	git("commit", "-q", "--allow-empty", "-m", "one")
	one, err := r.Commit(ctx, "HEAD")
	if err != nil || len(one) < 40 {
		t.Fatal(one, err)
	}
	git("commit", "-q", "--allow-empty", "-m", "two")
	git("checkout", "-q", "-b", "mine", one)
	git("commit", "-q", "--allow-empty", "-m", "three")
	for _, ref := range []string{"main", one} {
		if base, err := r.MergeBase(ctx, ref); base != one || err != nil {
			t.Errorf("MergeBase(%s) = %q, %v, want %s", ref, base, err, one)
		}
	}
	git("checkout", "-q", "--orphan", "lone")
	git("commit", "-q", "--allow-empty", "-m", "four")
	if base, err := r.MergeBase(ctx, "main"); err == nil || !strings.Contains(err.Error(), "no commit in common: name another") {
		t.Errorf("MergeBase of what has no base = %q, %v", base, err)
	}
	if base, err := r.MergeBase(ctx, "nosuch"); err == nil || !strings.Contains(err.Error(), "nosuch names no commit: git log") {
		t.Errorf("MergeBase with no ref = %q, %v", base, err)
	}
	git("update-ref", "refs/remotes/origin/dev", one)
	git("branch", "-q", "master", one)
	trunk := func(hub, lab, want string) {
		t.Helper()
		t.Setenv(github, hub)
		t.Setenv(gitlab, lab)
		got, err := r.Trunk(ctx)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("Trunk with %q and %q = %q, %v, want %q", hub, lab, got, err, want)
		}
	}
	trunk("", "", "main")
	trunk("dev", "", "origin/dev")
	trunk("", "dev", "origin/dev")
	trunk("gone", "dev", "origin/dev")
	trunk("gone", "", "")
	git("update-ref", "refs/remotes/origin/master", one)
	trunk("", "", "origin/master")
	git("update-ref", "refs/remotes/origin/main", one)
	trunk("", "", "origin/main")

	dirty := func(want bool) {
		t.Helper()
		if got, err := r.Dirty(ctx); got != want || err != nil {
			t.Errorf("Dirty = %t, %v, want %t", got, err, want)
		}
	}
	dirty(false)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(".git/info/exclude", "ignored\n")
	write("ignored", "x")
	dirty(false)
	write("new", "x")
	dirty(true)
	if r.Shallow(ctx) {
		t.Error("a whole repository is shallow")
	}
	// Variables of a hook that point at another repository do not count.
	t.Setenv("GIT_DIR", t.TempDir())
	t.Setenv("GIT_WORK_TREE", t.TempDir())
	t.Setenv("GIT_INDEX_FILE", filepath.Join(t.TempDir(), "none"))
	if got, err := r.Commit(ctx, "main^"); got != one || err != nil {
		t.Errorf("Commit in a hook = %q, %v, want %s", got, err, one)
	}
	if got, err := repo.Find(ctx, dir); err != nil || got.Top != r.Top {
		t.Errorf("Find in a hook = %+v, %v, want %s", got, err, r.Top)
	}
	if _, err := repo.Find(ctx, t.TempDir()); err == nil {
		t.Error("a folder without a repository has one")
	}
	// A clone that is shallow says so.
	os.Unsetenv("GIT_DIR")
	os.Unsetenv("GIT_WORK_TREE")
	os.Unsetenv("GIT_INDEX_FILE")
	clone := t.TempDir()
	git("clone", "-q", "--depth=1", "--branch=main", "file://"+filepath.ToSlash(dir), clone)
	s, err := repo.Find(ctx, clone)
	if err != nil || !s.Shallow(ctx) {
		t.Fatalf("a shallow clone: %v, %v", s, err)
	}
	for _, ref := range []string{one, "nosuch"} {
		if got, err := s.Commit(ctx, ref); err == nil || !strings.Contains(err.Error(), "git fetch --unshallow") {
			t.Errorf("Commit(%s) of a shallow clone = %q, %v", ref, got, err)
		}
	}
}

// A commit is taken out with its modes and links, and the repository and its tree
// stay as they were, whatever was staged.
func TestCheckOut(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir := t.TempDir()
	git := in(t, dir)
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
	before, err := repo.Ask(ctx, dir, "status", "--porcelain")
	if err != nil {
		t.Fatal(err)
	}
	r, err := repo.Find(ctx, filepath.Join(dir, "sub"))
	if err != nil {
		t.Fatal(err)
	}
	if is, err := r.Dirty(ctx); r.Prefix != "sub" || !is || err != nil {
		t.Errorf("prefix %q, dirty %t, %v: want sub and true", r.Prefix, is, err)
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
	if after, err := repo.Ask(ctx, dir, "status", "--porcelain"); err != nil || after != before {
		t.Errorf("status %q, %v: want %q", after, err, before)
	}
	if trees, err := repo.Ask(ctx, dir, "worktree", "list"); err != nil || len(trees) == 0 || strings.Contains(trees, out) {
		t.Errorf("worktrees %q, %v: the repository has learned of %s", trees, err, out)
	}
	for _, bad := range []string{"nosuch", "-x", "", "HEAD:sub/a"} {
		if got, err := r.Commit(ctx, bad); err == nil {
			t.Errorf("Commit(%q) = %q, want an error", bad, got)
		}
	}
}
