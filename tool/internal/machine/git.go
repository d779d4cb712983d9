package machine

import (
	"context"
	"fmt"

	"github.com/gopayoff/payoff/tool/internal/repo"
)

// GitState returns the commit checked out in the repository that holds dir,
// and reports whether any file of that repository differs from it; new files
// count, ignored ones do not. Where git is not installed, dir is in no
// repository or nothing is committed yet, commit is "" and err says which. If
// only the state of the files cannot be read, commit is set beside err.
func GitState(ctx context.Context, dir string) (commit string, dirty bool, err error) {
	head, err := repo.Git(ctx, dir, "rev-parse", "--verify", "--quiet", "HEAD")
	if err != nil {
		if _, err2 := repo.Git(ctx, dir, "rev-parse", "--git-dir"); err2 != nil {
			return "", false, fmt.Errorf("git state of %s: %w", dir, err2)
		}
		return "", false, fmt.Errorf("git state of %s: no commit yet", dir)
	}
	status, err := repo.Git(ctx, dir, "status", "--porcelain", "--untracked-files=normal")
	if err != nil {
		return head, false, fmt.Errorf("git state of %s: %w", dir, err)
	}
	return head, status != "", nil
}
