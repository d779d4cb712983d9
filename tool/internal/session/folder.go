package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// folder chooses the folder of the run and keeps other runs out of the tree:
// two at once would measure each other.
func (s *session) folder() (dir string, unlock func(), err error) {
	root := s.tc.Work
	if root == "" {
		root = s.tc.Dir
	}
	home := filepath.Join(root, ".payoff")
	if err := writable(home); err != nil {
		// The module cache and GOROOT are read-only.
		cache, e := os.UserCacheDir()
		if e != nil {
			return "", nil, fmt.Errorf("%w: name a folder that can be written with -o", err)
		}
		home = filepath.Join(cache, "payoff")
		if e := writable(home); e != nil {
			return "", nil, fmt.Errorf("%w: name a folder that can be written with -o", e)
		}
		if s.plan.Record == "" {
			s.tell(Notice(fmt.Sprintf("%v: recording in %s", err, home)))
		}
	}
	lock := flock.New(filepath.Join(home, "lock"))
	ok, err := lock.TryLock()
	if err != nil {
		return "", nil, fmt.Errorf("lock %s: %w: make the file one that can be written", lock.Path(), err)
	}
	if !ok {
		return "", nil, fmt.Errorf("another payoff run holds %s: wait until it ends, two at once would disturb each other", lock.Path())
	}
	unlock = func() { lock.Unlock() }
	if s.plan.Record != "" {
		return s.plan.Record, unlock, nil
	}
	if dir, err = fresh(filepath.Join(home, "runs")); err != nil {
		unlock()
		return "", nil, fmt.Errorf("%w: name a folder that can be written with -o", err)
	}
	return dir, unlock, nil
}

// fresh makes a folder named by the time.
func fresh(runs string) (string, error) {
	if err := os.MkdirAll(runs, 0o755); err != nil {
		return "", err
	}
	name := time.Now().Format("20060102-150405")
	dir := filepath.Join(runs, name)
	for i := 2; ; i++ {
		err := os.Mkdir(dir, 0o755)
		if err == nil || !errors.Is(err, os.ErrExist) {
			return dir, err
		}
		dir = filepath.Join(runs, fmt.Sprintf("%s-%d", name, i))
	}
}

// writable makes the folder, which git shall not see.
func writable(home string) error {
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(home, ".gitignore"), []byte("*\n"), 0o644)
}

// relative is dir as it is best shown to someone in cwd, and never a flag.
func relative(cwd, dir string) string {
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(cwd, dir)
	}
	rel, err := filepath.Rel(cwd, dir)
	switch {
	case err != nil || strings.HasPrefix(rel, ".."):
		return dir
	case strings.HasPrefix(rel, "-"):
		return "." + string(filepath.Separator) + rel
	}
	return rel
}
