package session

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gopayoff/payoff/tool/internal/outfile"
)

// folder chooses the folder of the run: the one asked for, or a new one in the
// user's own tree, or else in the user's cache. Nothing is written to trees of
// others, the module cache and GOROOT among them, even where that is possible.
func (s *session) folder() (dir string, err error) {
	if s.plan.Record != "" {
		return s.plan.Record, nil
	}
	var home string
	tree := s.tc.OwnTree()
	if s.codes != nil { // they lie where payoff wrote them
		tree = s.codes.tree
	}
	if c := s.plan.Cure; c != nil && c.Tree != "" {
		tree = c.Tree
	}
	if tree != "" && s.plan.Gallery == nil { // the gallery lies where payoff unpacked it
		home = filepath.Join(tree, ".payoff")
		if err = hidden(home); err != nil {
			home = ""
		}
	}
	if home == "" {
		cache, e := os.UserCacheDir()
		if e != nil {
			return "", fmt.Errorf("%w: name a folder for the raw results with -o", cmp.Or(err, e))
		}
		home = filepath.Join(cache, "payoff")
		if err != nil {
			why := err
			if path := (*fs.PathError)(nil); errors.As(err, &path) {
				why = path.Err
			}
			s.tell(Notice(fmt.Sprintf("%s cannot be written to (%v): recording in %s", filepath.Join(tree, ".payoff"), why, home)))
		}
	}
	if dir, err = fresh(filepath.Join(home, "runs")); err != nil {
		return "", fmt.Errorf("%w: name a folder that can be written with -o", err)
	}
	return dir, nil
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

// hidden makes the folder, and git does not see it.
func hidden(home string) error {
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	return outfile.String(filepath.Join(home, ".gitignore"), "*\n")
}

// relative is dir as it is best shown to someone in cwd, and never a flag.
func relative(cwd, dir string) string {
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(cwd, dir)
	}
	rel, err := filepath.Rel(cwd, dir)
	switch {
	case err != nil || strings.HasPrefix(rel, "..") || filepath.Dir(cwd) == cwd: // nobody thinks from the root
		return dir
	case strings.HasPrefix(rel, "-"):
		return "." + string(filepath.Separator) + rel
	}
	return rel
}
