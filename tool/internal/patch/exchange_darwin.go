package patch

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// exchange gives each of two files in a folder the name of the other, in one step.
func exchange(dir *os.File, a, b string) error {
	return able(unix.RenameatxNp(int(dir.Fd()), a, int(dir.Fd()), b, unix.RENAME_SWAP))
}

// renameNew renames a file unless there is one of the new name.
func renameNew(dir *os.File, from, to string) error {
	return able(unix.RenameatxNp(int(dir.Fd()), from, int(dir.Fd()), to, unix.RENAME_EXCL))
}

// able says of what the kernel or the file system does not know that it is not
// supported.
func able(err error) error {
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		return errors.ErrUnsupported
	}
	return err
}
