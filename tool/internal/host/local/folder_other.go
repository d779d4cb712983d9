//go:build !unix

package local

import "os"

// lockFlags open the lock of a folder that others may have made, and create nothing.
const lockFlags = os.O_RDWR
