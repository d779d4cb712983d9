//go:build unix

package record

import (
	"io/fs"
	"syscall"
)

// names is how many names a file has.
func names(about fs.FileInfo) int {
	if st, ok := about.Sys().(*syscall.Stat_t); ok {
		return int(st.Nlink)
	}
	return 1
}
