// Package repo reads git repositories. It changes nothing in them: what it takes
// out of one it writes beside it.
package repo

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// ErrNoGit says that there is no git to ask.
var ErrNoGit = errors.New("git is not installed")

// ask returns the trimmed output of a git command that looks at no contents: filters
// would run for it, see [Repo.git].
func ask(ctx context.Context, dir string, args ...string) (string, error) {
	return git(ctx, dir, nil, args...)
}

func git(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append(quiet(), args...)...)
	cmd.Dir = dir
	cmd.WaitDelay = time.Second
	// The lock would make a git command of the user's fail. Nothing is fetched or
	// asked for, as a partial clone would.
	cmd.Env = append(append(own(os.Environ()), "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C"), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err == nil {
		return string(bytes.TrimSpace(out)), nil
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if errors.Is(err, exec.ErrNotFound) {
		return "", ErrNoGit
	}
	if line, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n"); line != "" {
		line = strings.TrimPrefix(line, "fatal: ")
		if strings.Contains(line, "dubious ownership") {
			line += ": it is another user's: if you trust it, say so by safe.directory in git's configuration"
		}
		return "", errors.New(line)
	}
	return "", err
}

// quiet are the flags under which git runs nothing that a repository's
// configuration names: no hook, no monitor of files, no pager. What the user's own
// says of safe.directory holds: git refuses the repository of another user.
func quiet() []string {
	return []string{"--no-pager", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false", "-c", "core.sshCommand=false", "-c", "protocol.allow=never", "-c", "submodule.recurse=false"}
}

// ignored: git would look for changes within a submodule by another git, to which
// these flags do not come. Another commit of one counts.
const ignored = "--ignore-submodules=dirty"

// own is an environment without the variables by which git would look elsewhere,
// write a log or run a program: a hook runs with those of its own repository,
// wherever dir is. Where the user's configuration lies is the user's to say.
func own(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		switch name {
		case "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_EXEC_PATH":
			return false
		}
		return strings.HasPrefix(name, "GIT_")
	})
}

// filters returns variables that turn off the filters that the configuration has, all
// but that of LFS, without which files would be pointers to their contents, and what
// are of the configuration: attributes name no programs. In a flag, a name with an
// equals sign would be another.
func filters(ctx context.Context, dir string) (env []string, err error) {
	n := 0
	out, err := ask(ctx, dir, "config", "--includes", "--name-only", "-z", "--get-regexp", `^(filter|diff)\..*\.(clean|smudge|process|required|command|textconv)$`)
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	for _, key := range strings.Split(out, "\x00") { // an error is that there are none
		kind, rest, _ := strings.Cut(key, ".")
		dot := strings.LastIndexByte(rest, '.')
		if dot < 0 {
			continue
		}
		name, of := rest[:dot], rest[dot+1:]
		if kind == "filter" && name == "lfs" && lfs(ctx, dir) {
			continue
		}
		value := ""
		if of == "required" {
			value = "false"
		}
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", n, key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", n, value))
		n++
	}
	return append(env, fmt.Sprint("GIT_CONFIG_COUNT=", n)), nil
}

// lfs reports whether what the configuration calls lfs is Git LFS by its own name.
func lfs(ctx context.Context, dir string) bool {
	for key, want := range map[string]string{"clean": "git-lfs clean -- %f", "smudge": "git-lfs smudge -- %f", "process": "git-lfs filter-process"} {
		if all, err := ask(ctx, dir, "config", "--includes", "--get-all", "filter.lfs."+key); err == nil && all != want {
			return false
		}
	}
	return true
}

// A Repo is a repository with a working tree.
type Repo struct {
	Top    string // of the working tree
	Prefix string // the folder in it that was asked about, "" for Top
}

// Find returns the repository that holds dir.
func Find(ctx context.Context, dir string) (*Repo, error) {
	top, err := ask(ctx, dir, "rev-parse", "--show-toplevel")
	if err == nil && top == "" {
		err = errors.New("the repository has no working tree")
	}
	if err != nil {
		return nil, err
	}
	prefix, err := ask(ctx, dir, "rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	return &Repo{Top: filepath.FromSlash(top), Prefix: filepath.FromSlash(strings.TrimSuffix(prefix, "/"))}, nil
}

// git runs a git command that looks at contents, for which filters would run.
func (r *Repo) git(ctx context.Context, env []string, args ...string) (string, error) {
	off, err := filters(ctx, r.Top)
	if err != nil {
		return "", err
	}
	return git(ctx, r.Top, append(off, env...), args...)
}

// Commit returns the commit that a ref names.
func (r *Repo) Commit(ctx context.Context, ref string) (string, error) {
	if strings.HasPrefix(ref, "-") { // git would take it for a flag
		return "", fmt.Errorf("%q is no ref", ref)
	}
	commit, err := ask(ctx, r.Top, "rev-parse", "--verify", "--quiet", ref+"^{commit}")
	if err == nil {
		return commit, nil
	}
	if ctx.Err() != nil || errors.Is(err, ErrNoGit) {
		return "", err
	}
	if r.Shallow(ctx) {
		return "", fmt.Errorf("%s names no commit that is here, and this clone is shallow: git fetch --unshallow brings the others", ref)
	}
	return "", fmt.Errorf("%s names no commit: git log --oneline --all shows those that there are", ref)
}

// Shallow reports whether the history here has an end that is none.
func (r *Repo) Shallow(ctx context.Context) bool {
	said, err := ask(ctx, r.Top, "rev-parse", "--is-shallow-repository")
	return err == nil && said == "true"
}

// Dirty reports whether files differ from HEAD; new ones count, ignored ones do
// not.
func (r *Repo) Dirty(ctx context.Context) (bool, error) {
	said, err := r.git(ctx, nil, "status", ignored, "--porcelain", "--untracked-files=normal")
	return said != "", err
}

// Changed returns the paths in the repository of files that differ between two
// commits, or between a commit and the working tree where new is "".
func (r *Repo) Changed(ctx context.Context, old, new string) ([]string, error) {
	args := []string{"diff", ignored, "--no-ext-diff", "--no-textconv", "--name-only", "--no-renames", "-z", old}
	if new != "" {
		args = append(args, new)
	}
	out, err := r.git(ctx, nil, append(args, "--")...)
	if err == nil && new == "" {
		var others string
		others, err = ask(ctx, r.Top, "ls-files", "--others", "--exclude-standard", "-z")
		out += "\x00" + others
	}
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(strings.Split(out, "\x00"), func(s string) bool { return s == "" }), nil
}

// MergeBase returns the commit at which HEAD and a ref parted.
func (r *Repo) MergeBase(ctx context.Context, ref string) (string, error) {
	if _, err := r.Commit(ctx, ref); err != nil {
		return "", err
	}
	base, err := ask(ctx, r.Top, "merge-base", ref, "HEAD")
	switch {
	case err == nil:
		return base, nil
	case ctx.Err() != nil:
		return "", err
	case r.Shallow(ctx):
		return "", fmt.Errorf("HEAD and %s have no commit in common here, since this clone is shallow: git fetch --unshallow brings the rest; in CI, clone with the whole history (actions/checkout: fetch-depth: 0; GitLab: GIT_DEPTH: 0)", ref)
	}
	return "", fmt.Errorf("HEAD and %s have no commit in common: name another with -base", ref)
}

// Trunk is the ref that the commits here are to be merged into, as far as CI, git
// and custom tell.
func (r *Repo) Trunk(ctx context.Context) (string, error) {
	var refs []string
	for _, name := range []string{"GITHUB_BASE_REF", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME"} {
		if branch := os.Getenv(name); branch != "" {
			refs = append(refs, "origin/"+branch)
		}
	}
	if len(refs) == 0 { // the upstream of a branch is mostly the same branch, pushed
		refs = []string{"origin/HEAD", "origin/main", "origin/master", "main", "master"}
	}
	for _, ref := range refs {
		if _, err := ask(ctx, r.Top, "rev-parse", "--verify", "--quiet", ref+"^{commit}"); err == nil {
			return ref, nil
		} else if ctx.Err() != nil || errors.Is(err, ErrNoGit) {
			return "", err
		}
	}
	return "", fmt.Errorf("no %s here: name what to compare with by -base, or git fetch it", strings.Join(refs, ", "))
}

// Tree is the folder that CheckOut makes.
const Tree = "tree"

// CheckOut writes the files of a commit to dir/tree, which it makes, and returns
// the folder there that stands for the one that was asked about. It keeps its
// index in dir: the repository does not learn of it, so nothing has to be taken
// back, whatever ends payoff. (git worktree add would leave an entry in .git.)
func (r *Repo) CheckOut(ctx context.Context, commit, dir string) (string, error) {
	tree := filepath.Join(dir, Tree)
	if err := os.MkdirAll(tree, 0o755); err != nil {
		return "", err
	}
	env := []string{"GIT_INDEX_FILE=" + filepath.Join(dir, "index")}
	if _, err := r.git(ctx, env, "read-tree", commit); err != nil {
		return "", err
	}
	if _, err := r.git(ctx, env, "checkout-index", "--all", "--force", "--prefix="+filepath.ToSlash(tree)+"/"); err != nil {
		return "", err
	}
	at := filepath.Join(tree, r.Prefix)
	if _, err := os.Stat(at); err != nil {
		return "", fmt.Errorf("it has no folder %s", cmp.Or(filepath.ToSlash(r.Prefix), "."))
	}
	return at, nil
}
