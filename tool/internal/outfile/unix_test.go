//go:build unix

package outfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/internal/record"
)

// TestPipe: a pipe that nobody reads holds up nothing, and one that is read gets what
// is written, also by a link to it; a device stays one.
func TestPipe(t *testing.T) {
	for name, way := range ways {
		dir := t.TempDir()
		pipe, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "link")
		if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.Symlink(pipe, link)); err != nil {
			t.Skip(err)
		}
		stress.Within(t, time.Minute, name+" of a pipe without a reader", func() {
			if err := way(pipe); err == nil {
				t.Errorf("%s of a pipe without a reader: no error", name)
			}
		})
		if name != "Write" && name != "Append" {
			if err := way(os.DevNull); !errors.Is(err, record.ErrIrregular) {
				t.Errorf("%s of a device: %v, want %v", name, err, record.ErrIrregular)
			}
			continue
		}
		if err := way(os.DevNull); err != nil {
			t.Errorf("%s of a device: %v", name, err)
		}
		if about, err := os.Lstat(os.DevNull); err != nil || about.Mode()&os.ModeCharDevice == 0 {
			t.Fatalf("%s: %s is %v, %v", name, os.DevNull, about, err)
		}
		for _, at := range []string{pipe, link} {
			r, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
			if err != nil {
				t.Fatal(err)
			}
			if err := way(at); err != nil {
				t.Errorf("%s of %s: %v", name, at, err)
			}
			if data, err := io.ReadAll(r); err != nil || string(data) != "new" {
				t.Errorf("%s of %s: the reader has %q, %v", name, at, data, err)
			}
			r.Close()
		}
	}
}

// TestMode: a new file has what the umask leaves, one that is there keeps its mode.
func TestMode(t *testing.T) {
	old := syscall.Umask(0o027)
	defer syscall.Umask(old)
	for name, way := range ways {
		file := filepath.Join(t.TempDir(), "file")
		for _, want := range []os.FileMode{0o640, 0o600, 0o666} {
			if err := way(file); err != nil {
				t.Fatal(err)
			}
			about, err := os.Stat(file)
			if err != nil || about.Mode() != want {
				t.Errorf("%s: the mode is %v, %v, want %v", name, about.Mode(), err, want)
			}
			next := map[os.FileMode]os.FileMode{0o640: 0o600, 0o600: 0o666}[want]
			if next != 0 {
				os.Chmod(file, next)
			}
		}
	}
}

// TestRace: nor is anything written through a link that comes and goes.
func TestRace(t *testing.T) {
	tries := 3000
	if testing.Short() {
		tries = 300
	}
	for name, way := range ways {
		dir := t.TempDir()
		mine, none, file := filepath.Join(dir, "mine"), filepath.Join(dir, "none"), filepath.Join(dir, "file")
		put(t, mine, "mine")
		done, stopped := make(chan bool), make(chan bool)
		go func() { // its errors are those of the race
			defer close(stopped)
			for i := 0; ; i++ {
				select {
				case <-done:
					return
				default:
				}
				os.Remove(file)
				switch i % 4 {
				case 0:
					os.Symlink(mine, file)
				case 1:
					os.Symlink(none, file)
				case 2:
					syscall.Mkfifo(file, 0o600)
				}
			}
		}()
		stress.Within(t, time.Minute, name+" in a race", func() {
			for range tries {
				way(file)
			}
		})
		close(done)
		<-stopped
		if _, err := os.Lstat(none); err == nil || text(mine) != "mine" {
			t.Errorf("%s: the file behind a link has %d bytes, want the 4 it had; the other one: %v, want none", name, len(text(mine)), err)
		}
	}
}
