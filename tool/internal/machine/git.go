package machine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// GitState returns the commit checked out in the repository that holds dir,
// and reports whether any file of that repository differs from it; new files
// count, ignored ones do not. Where git is not installed, dir is in no
// repository or nothing is committed yet, commit is "" and err says which. If
// only the state of the files cannot be read, commit is set beside err.
func GitState(ctx context.Context, dir string) (commit string, dirty bool, err error) {
	head, err := git(ctx, dir, "rev-parse", "--verify", "--quiet", "HEAD")
	if err != nil {
		if _, err2 := git(ctx, dir, "rev-parse", "--git-dir"); err2 != nil {
			return "", false, fmt.Errorf("git state of %s: %w", dir, err2)
		}
		return "", false, fmt.Errorf("git state of %s: no commit yet", dir)
	}
	status, err := git(ctx, dir, "status", "--porcelain", "--untracked-files=normal")
	if err != nil {
		return head, false, fmt.Errorf("git state of %s: %w", dir, err)
	}
	return head, status != "", nil
}

// git returns the trimmed output of a git command that only reads.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.WaitDelay = time.Second
	// A hook runs with variables that point at its own repository, wherever
	// dir is. The lock would make a git command of the user's fail.
	for _, kv := range os.Environ() {
		switch name, _, _ := strings.Cut(kv, "="); name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX":
		default:
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Env = append(cmd.Env, "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
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
		return "", errors.New("git is not installed")
	}
	if line, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n"); line != "" {
		return "", errors.New(strings.TrimPrefix(line, "fatal: "))
	}
	return "", err
}
