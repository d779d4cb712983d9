//go:build unix

package local

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
)

// TestSweepOfForeign: another user may put anything in the place of a lock, at any time.
// Nothing is made through it, nothing waits for it, and only a lock counts.
func TestSweepOfForeign(t *testing.T) {
	dir := t.TempDir()
	now := time.Now().Add(time.Hour)
	made := filepath.Join(dir, "made")
	lock := filepath.Join(dir, lockName)
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.WriteFile(in("file"), nil, 0o600), os.Symlink(made, in("link")), syscall.Mkfifo(in("pipe"), 0o600)); err != nil {
		t.Skip(err)
	}
	for _, what := range []string{"link", "pipe"} {
		if err := os.Rename(in(what), lock); err != nil {
			t.Fatal(err)
		}
		if ownerless(dir, now) {
			t.Errorf("a folder with a %s for its lock is ownerless", what)
		}
		if err := os.Rename(lock, in(what)); err != nil {
			t.Fatal(err)
		}
	}
	// And while it looks: the lock is a file at one time, and a link or a pipe at another.
	for _, what := range []string{"link", "pipe"} {
		stop, stopped := make(chan bool), make(chan error)
		go func() {
			var err error
			for err == nil {
				select {
				case <-stop:
					stopped <- nil
					return
				default:
				}
				err = errors.Join(os.Rename(in("file"), lock), os.Rename(lock, in("file")), os.Rename(in(what), lock), os.Rename(lock, in(what)))
			}
			stopped <- err
		}()
		stress.Within(t, time.Minute, "looking at a "+what, func() {
			for range 50_000 {
				ownerless(dir, now)
			}
		})
		close(stop)
		if err := <-stopped; err != nil {
			t.Fatal(err)
		}
		if _, err := os.Lstat(made); err == nil {
			t.Errorf("a file was made through a link")
		}
	}
}

// TestSweepOfAnother: the folder of another user stays, however old: that user sweeps it.
func TestSweepOfAnother(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can make folders of other users")
	}
	dir := t.TempDir()
	theirs, mine := filepath.Join(dir, "payoff-1-1"), filepath.Join(dir, "payoff-2-2")
	for _, folder := range []string{theirs, mine} {
		if err := errors.Join(os.Mkdir(folder, 0o700), os.WriteFile(filepath.Join(folder, lockName), nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chown(theirs, 65534, 65534); err != nil {
		t.Skip(err)
	}
	sweep(dir, time.Now().Add(time.Hour))
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 || entries[0].Name() != "payoff-1-1" {
		t.Errorf("left are %v, %v, want payoff-1-1", entries, err)
	}
}
