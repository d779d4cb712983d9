//go:build !linux && !darwin

package patch

import (
	"errors"
	"os"
)

// exchange would give each of two files the name of the other, in one step.
func exchange(*os.File, string, string) error { return errors.ErrUnsupported }

// renameNew would rename a file unless there is one of the new name.
func renameNew(*os.File, string, string) error { return errors.ErrUnsupported }
