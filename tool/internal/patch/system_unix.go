//go:build unix

package patch

import (
	"io/fs"
	"os"
	"syscall"
)

const (
	noWait    = syscall.O_NONBLOCK // for the other end of a pipe
	lockFlags = os.O_RDONLY | syscall.O_NONBLOCK
)

// lockFile is the file whose lock stands for that of a folder: the folder itself,
// which leaves nothing behind.
func lockFile(dir string) string { return dir }

// own gives f the owner and the group of like, if there is one.
func own(f *os.File, like fs.FileInfo) error {
	if like == nil {
		return nil
	}
	want, ok := like.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && (st.Uid != want.Uid || st.Gid != want.Gid) {
		return f.Chown(int(want.Uid), int(want.Gid))
	}
	return nil
}

func syncFolder(f *os.File) error { return f.Sync() }
