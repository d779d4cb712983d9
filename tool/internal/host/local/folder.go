package local

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// A Folder holds what a run needs on disk and nobody needs after it. Its name
// has the process of its owner, who holds a lock in it while alive: what a
// killed run left is found by that and swept by a later one.
type Folder struct {
	Path string
	lock *flock.Flock
}

const (
	lockName = "lock"
	// settled is the age from which a folder whose lock is free has no owner:
	// a younger one may be about to be locked.
	settled = time.Minute
)

var folderName = regexp.MustCompile(`^payoff-\d+-\d+$`)

var sweepOnce sync.Once

// NewFolder makes a folder where temporary files go. The first call of a
// process sweeps there.
func NewFolder() (*Folder, error) {
	sweepOnce.Do(func() { sweep(os.TempDir(), time.Now()) })
	path, err := os.MkdirTemp("", fmt.Sprintf("payoff-%d-*", os.Getpid()))
	if err != nil {
		return nil, err
	}
	f := &Folder{path, flock.New(filepath.Join(path, lockName))}
	f.lock.TryLock() // where there are no locks, nobody sweeps
	return f, nil
}

// Remove removes the folder with all that is in it.
func (f *Folder) Remove() error {
	// The lock goes first: Windows removes no open file.
	return errors.Join(f.lock.Close(), os.RemoveAll(f.Path))
}

// sweep removes the folders of dead owners from dir, as far as it may.
func sweep(dir string, now time.Time) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if !e.IsDir() || !folderName.MatchString(e.Name()) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		name := filepath.Join(path, lockName)
		// A lock that was never made, or is something else, says nothing.
		info, err := os.Lstat(name)
		if err != nil || !info.Mode().IsRegular() || now.Sub(info.ModTime()) < settled {
			continue
		}
		lock := flock.New(name)
		if ok, err := lock.TryLock(); err == nil && ok {
			lock.Close()
			os.RemoveAll(path)
		}
	}
}
