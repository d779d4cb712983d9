package local

import (
	"errors"
	"fmt"
	"io/fs"
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
	// a younger one may be about to be locked. One without a lock is what a go
	// command made again that outlived its payoff, if it is older than any build.
	settled = time.Minute
	old     = 24 * time.Hour
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

// sweep removes the folders of dead owners from dir that are the user's own.
func sweep(dir string, now time.Time) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if !e.IsDir() || !folderName.MatchString(e.Name()) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if about, err := e.Info(); err != nil || !mine(about) { // another user sweeps, or lays traps for who does
			continue
		}
		if ownerless(path, now) {
			os.RemoveAll(path)
		}
	}
}

// ownerless reports whether the folder has no owner. Others may have made it, and may change
// it meanwhile: what is opened has to be what was looked at.
func ownerless(path string, now time.Time) bool {
	name := filepath.Join(path, lockName)
	info, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		info, err = os.Lstat(path)
		return err == nil && now.Sub(info.ModTime()) > old
	}
	if err != nil || !info.Mode().IsRegular() || now.Sub(info.ModTime()) < settled {
		return false
	}
	lock := flock.New(name, flock.SetFlag(lockFlags))
	defer lock.Close()
	if ok, err := lock.TryLock(); !ok || err != nil {
		return false
	}
	opened, err := lock.Stat()
	return err == nil && os.SameFile(info, opened)
}
