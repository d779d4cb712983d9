// Package outfile writes files where others may have been before: a file that a user
// or the environment names, the files of a folder that was unpacked or that others can
// write to.
//
// Nothing is written through a link, which may have been put there for that, nor into a
// file that has a second name. What a name leads to is asked of the open file, so that
// nothing can take its place in between; a pipe without a reader is an error and no
// wait. Files that payoff writes into the user's source are those of package patch.
package outfile

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"syscall"

	"github.com/gopayoff/payoff/tool/internal/record"
)

// Write gives a file its content, whole: until all of it is there, and where it fails,
// the file is what it was. A file keeps its mode, and a second name of it what it led
// to. What is no file, such as a terminal or /dev/null, is written to as it is.
func Write(file string, write func(io.Writer) error) (err error) {
	f, about, err := open(file, os.O_WRONLY)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case !about.Mode().IsRegular():
		return errors.Join(write(f), f.Close())
	default:
		f.Close() // it can be written to, and another takes its place
	}
	// The name is not to be foreseen, and nothing is there: O_EXCL follows no link.
	var salt [8]byte
	rand.Read(salt[:])
	tmp := file + "." + hex.EncodeToString(salt[:]) + ".new"
	f, err = os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(tmp)
		}
	}()
	if about != nil {
		err = f.Chmod(about.Mode().Perm())
	}
	if err == nil {
		err = write(f)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(tmp, file) // a link that came meanwhile is replaced, and not followed
}

// String writes a text.
func String(file, text string) error {
	return Write(file, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

var unfinished = regexp.MustCompile(`^(.+?)(\.[0-9a-f]{16})?\.new$`)

// Unfinished returns the name of the file that a file was to become that [Write], or an
// older payoff, left when it was killed; or the name itself.
func Unfinished(name string) string {
	if m := unfinished.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return name
}

// Open opens a regular file to change it or, with os.O_APPEND, to add to its end. It
// makes one where there is none. flag is os.O_WRONLY or os.O_RDWR besides.
func Open(file string, flag int) (*os.File, error) {
	f, about, err := openOrMake(file, flag)
	if err == nil && !about.Mode().IsRegular() {
		f.Close()
		return nil, &fs.PathError{Op: "open", Path: file, Err: record.ErrIrregular}
	}
	return f, err
}

// Append opens a file to add to its end, or what is no file, such as a terminal.
func Append(file string) (*os.File, error) {
	f, _, err := openOrMake(file, os.O_WRONLY|os.O_APPEND)
	return f, err
}

func openOrMake(file string, flag int) (*os.File, fs.FileInfo, error) {
	f, about, err := open(file, flag)
	if errors.Is(err, fs.ErrNotExist) {
		if f, err = os.OpenFile(file, flag|os.O_CREATE|os.O_EXCL, 0o644); err == nil {
			about, err = f.Stat()
		}
	}
	if f == nil {
		return nil, nil, err
	}
	if err == nil && about.Mode().IsRegular() && record.Names(about) > 1 {
		err = fmt.Errorf("%s has a second name elsewhere: name another file", file)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, about, nil
}

// open opens what is there, without waiting for it or changing it. It refuses a file
// that a link leads to.
func open(file string, flag int) (*os.File, fs.FileInfo, error) {
	f, err := os.OpenFile(file, flag|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		if _, e := os.Lstat(file); e == nil {
			err = isLink(file)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	about, err := f.Stat()
	if err == nil && about.Mode().IsRegular() {
		if now, e := os.Lstat(file); e != nil || !os.SameFile(about, now) {
			err = isLink(file)
		}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, about, nil
}

func isLink(file string) error { return fmt.Errorf("%s is a link: name the file itself", file) }
