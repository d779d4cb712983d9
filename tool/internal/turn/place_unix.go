//go:build unix

package turn

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// open follows no link, waits for no pipe and creates nothing.
const open = os.O_RDWR | syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// places are the files to try. /tmp is the same for all users, whatever their
// TMPDIR.
func places() []string {
	if file := os.Getenv(Env); file != "" {
		return []string{file}
	}
	const name = "payoff.lock"
	places := []string{"/tmp/" + name}
	if dir := filepath.Clean(os.TempDir()); dir != "/tmp" {
		places = append(places, filepath.Join(dir, name))
	}
	return places
}

// links is the number of names that a file has.
func links(info fs.FileInfo) int {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Nlink)
	}
	return 1
}
