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
	r, err := repo.Find(ctx, dir)
	if err != nil {
		return "", false, fmt.Errorf("git state of %s: %w", dir, err)
	}
	if commit, err = r.Commit(ctx, "HEAD"); err != nil {
		return "", false, fmt.Errorf("git state of %s: no commit yet", dir)
	}
	if dirty, err = r.Dirty(ctx); err != nil {
		return commit, false, fmt.Errorf("git state of %s: %w", dir, err)
	}
	return commit, dirty, nil
}
