// Package record opens the files of a record, which others may have made.
//
// A record travels: people attach it, unpack it, clone it. So nothing in it is
// trusted to be a file, or to end. Open takes regular files alone and never waits
// for one; a Reader holds what it reads to limits, so that a record costs no more
// memory and time than the largest that payoff writes. An error names the limit.
package record

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// The limits. The largest record of this repository has files of 5 MB unpacked,
// lines of 53 kB.
const (
	FileLimit   = 64 << 20  // bytes of a file that is read whole
	LineLimit   = 4 << 20   // bytes of a line
	TotalLimit  = 512 << 20 // bytes of all that is read of a record, unpacked
	ValueLimit  = 4 << 20   // elements of lists and objects in it: "{}" can be a hundred times as large in memory
	FolderLimit = 100_000   // entries of a folder
	EditLimit   = 10_000    // edits, findings and trials of a package
)

// A LimitError says which limit a file exceeds.
type LimitError struct {
	File string
	Name string
	Most int64
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("%s exceeds %s, %d: it is no record of payoff, or a damaged one", e.File, e.Name, e.Most)
}

// ErrIrregular is of what is no regular file: a named pipe, a device, a folder.
var ErrIrregular = errors.New("not a regular file")

// Open opens a regular file, or one that a link leads to. It does not wait.
func Open(file string) (*os.File, error) {
	// Before it is opened, since opening alone does something to some devices.
	about, err := os.Stat(file)
	if err == nil && !about.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: file, Err: ErrIrregular}
	}
	if err != nil {
		return nil, err
	}
	// And after it, since it may be another by then: a pipe would wait.
	f, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if about, err = f.Stat(); err == nil && !about.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: file, Err: ErrIrregular}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Folder returns the entries of a folder, by name.
func Folder(dir string) ([]fs.DirEntry, error) {
	about, err := os.Stat(dir)
	if err == nil && !about.IsDir() {
		err = &fs.PathError{Op: "open", Path: dir, Err: syscall.ENOTDIR}
	}
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := f.ReadDir(FolderLimit + 1)
	if err == io.EOF {
		return nil, nil
	}
	if len(all) > FolderLimit {
		return nil, &LimitError{dir, "FolderLimit", FolderLimit}
	}
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return all, err
}

// ReadFile reads a file whole.
func ReadFile(file string) ([]byte, error) { return new(Reader).ReadFile(file) }

// JSON reads a file of JSON.
func JSON(file string, v any) error { return new(Reader).JSON(file, v) }

// A Reader reads the files of one record. What it has read of all of them
// together has a limit. The zero Reader is ready; it is for one goroutine.
type Reader struct {
	bytes  int64
	values int64
}

// ReadFile reads a file whole.
func (r *Reader) ReadFile(file string) ([]byte, error) {
	f, err := Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, FileLimit+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > FileLimit:
		return nil, &LimitError{file, "FileLimit", FileLimit}
	}
	return data, r.took(file, len(data))
}

// took counts what has been read.
func (r *Reader) took(file string, n int) error {
	if r.bytes += int64(n); r.bytes > TotalLimit {
		return &LimitError{file, "TotalLimit", TotalLimit}
	}
	return nil
}

// JSON reads a file of JSON. What stands in it wrongly is a *json.SyntaxError or
// the like.
func (r *Reader) JSON(file string, v any) error {
	data, err := r.ReadFile(file)
	if err != nil {
		return err
	}
	return r.Unmarshal(file, data, v)
}

// Unmarshal is json.Unmarshal of a part of a file.
func (r *Reader) Unmarshal(file string, data []byte, v any) error {
	if r.values += values(data); r.values > ValueLimit {
		return &LimitError{file, "ValueLimit", ValueLimit}
	}
	return json.Unmarshal(data, v)
}

// values counts what decoding makes values of: all but the fields of the outermost
// object, which are there in any case.
func values(data []byte) (n int64) {
	depth, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted:
			switch c {
			case '\\':
				i++
			case '"':
				quoted = false
			}
		case c == '"':
			quoted = true
		case c == '{' || c == '[':
			depth++
			n++
		case c == '}' || c == ']':
			depth--
		case c == ',' && depth > 1:
			n++
		}
	}
	return n
}

// Lines hands the whole lines of a file to take, with their numbers, until take
// returns an error. What follows the last line feed was cut off by a crash. Of a
// file that is not there it reads what gzip made of it; at is the one that it read.
func (r *Reader) Lines(file string, take func(n int, data []byte) error) (at string, err error) {
	f, err := Open(file)
	at = file
	var in io.Reader = f
	if errors.Is(err, fs.ErrNotExist) {
		at += ".gz"
		if f, err = Open(at); err == nil {
			if in, err = gzip.NewReader(f); err != nil {
				f.Close()
			}
		}
	}
	if err != nil {
		return at, err
	}
	defer f.Close()
	b := bufio.NewReader(in)
	var long []byte
	for n := 1; ; n++ {
		data, err := b.ReadSlice('\n')
		for long = long[:0]; errors.Is(err, bufio.ErrBufferFull); {
			if long = append(long, data...); len(long) > LineLimit {
				return at, &LimitError{fmt.Sprintf("%s:%d", at, n), "LineLimit", LineLimit}
			}
			data, err = b.ReadSlice('\n')
		}
		if len(long) > 0 {
			long = append(long, data...)
			data = long
		}
		if e := r.took(at, len(data)); e != nil {
			return at, e
		}
		if err == io.EOF {
			return at, nil
		}
		if err != nil {
			return at, err
		}
		if err := take(n, data); err != nil {
			return at, err
		}
	}
}

// Own refuses a folder that is to be written into where a part of it is a link, has
// a second name, or is neither file nor folder: what is written would be elsewhere.
func Own(dir string) error {
	return filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		about, err := e.Info()
		if err != nil {
			return err
		}
		if !about.Mode().IsRegular() {
			return fmt.Errorf("%s is no file of payoff's (%s): nothing is written into this folder", name, about.Mode().Type())
		}
		if Names(about) > 1 {
			return fmt.Errorf("%s has a second name elsewhere: nothing is written into this folder", name)
		}
		return nil
	})
}

// ProfileLimit is that of a profile, unpacked: what is decoded of it is a hundred
// times as large.
const ProfileLimit = 8 << 20

var gzipped = []byte{0x1f, 0x8b}

// Profile reads the bytes of a profile, unpacked.
func Profile(file string) ([]byte, error) {
	data, err := ReadFile(file)
	if err != nil {
		return nil, err
	}
	var in io.Reader = bytes.NewReader(data)
	if bytes.HasPrefix(data, gzipped) {
		if in, err = gzip.NewReader(in); err != nil {
			return nil, err
		}
	}
	data, err = io.ReadAll(io.LimitReader(in, ProfileLimit+1))
	if err == nil && len(data) > ProfileLimit {
		err = &LimitError{file, "ProfileLimit", ProfileLimit}
	}
	return data, err
}
