//go:build unix

package record

import (
	"io/fs"
	"syscall"
)

// Names is how many names a file has.
func Names(about fs.FileInfo) int {
	if st, ok := about.Sys().(*syscall.Stat_t); ok {
		return int(st.Nlink)
	}
	return 1
}
