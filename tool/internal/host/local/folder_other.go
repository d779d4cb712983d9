//go:build !unix

package local

import (
	"io/fs"
	"os"
)

// lockFlags open the lock of a folder that others may have made, and create nothing.
const lockFlags = os.O_RDWR

// mine: the folder for temporary files is the user's own.
func mine(fs.FileInfo) bool { return true }
