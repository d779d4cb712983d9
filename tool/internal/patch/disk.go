package patch

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A disk is where all that is written goes, a step at a time.
type disk struct {
	// step takes each, instead of the disk: a test ends a process there, or fills
	// the disk. nil is no test.
	step func(op, name string, f func() error) error
}

func (d *disk) do(op, name string, f func() error) error {
	if d.step == nil {
		return f()
	}
	return d.step(op, name, f)
}

// create writes a new file, durably. like is a file whose owner it shall have.
func (d *disk) create(root *os.Root, name, text string, mode fs.FileMode, like fs.FileInfo) error {
	var f *os.File
	err := d.do("create", name, func() (err error) {
		f, err = root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		return err
	})
	if err != nil {
		return err
	}
	half := len(text) / 2 // so that a test can end it in between
	for _, s := range []struct {
		op string
		f  func() error
	}{
		{"chown", func() error { return own(f, like) }},
		{"chmod", func() error { return f.Chmod(mode) }}, // before the text: see prepare
		{"write", func() error { _, err := io.WriteString(f, text[:half]); return err }},
		{"write", func() error { _, err := io.WriteString(f, text[half:]); return err }},
		{"sync", f.Sync},
	} {
		if err = d.do(s.op, name, s.f); err != nil {
			break
		}
	}
	return errors.Join(err, f.Close())
}

func (d *disk) remove(root *os.Root, name string) error {
	err := d.do("remove", name, func() error { return root.Remove(name) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// sync makes durable which files a folder has.
func (d *disk) sync(root *os.Root, dir string) error {
	return d.do("sync", dir, func() error {
		f, err := root.Open(dir)
		if err != nil {
			return err
		}
		defer f.Close()
		return syncFolder(f)
	})
}

// prepare writes what the file shall be beside it. What is there already is used: it
// is from a process that ended, or what an earlier move displaced, and to move that
// back takes no space on the disk.
func (d *disk) prepare(f *file) error {
	switch text, err := f.besides(); {
	case err != nil:
		return err
	case text != nil && *text == f.After:
		return d.do("sync", f.temp, func() error {
			x, err := f.root.OpenFile(f.temp, os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			return errors.Join(x.Sync(), x.Close())
		})
	case text != nil && !f.leftover(*text, before):
		return f.stray()
	case text != nil:
		if err := d.remove(f.root, f.temp); err != nil {
			return err
		}
	}
	like, err := f.root.Lstat(f.name)
	if err != nil {
		like = nil
	}
	return d.create(f.root, f.temp, f.After, cmp.Or(f.mode, 0o644), like)
}

// besides is what lies in the place of the temporary file; nil: nothing.
func (f *file) besides() (*string, error) {
	info, err := f.root.Lstat(f.temp)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	text := "\x00"
	if info.Mode().IsRegular() {
		text, err = f.read(f.temp, info)
	}
	return &text, err
}

// leftover reports whether a temporary file with this text is payoff's alone, where
// its file is in the state: no program saves into it before it is moved.
func (f *file) leftover(text string, s state) bool {
	return text == f.Before && !f.New || text == f.After && !f.Gone || s == before && strings.HasPrefix(f.After, text)
}

func (f *file) stray() error {
	return fmt.Errorf("%s was saved by another program while payoff wrote it: what that saved is in %s", f.File, filepath.Join(f.root.Name(), f.temp))
}

// move moves what was prepared into its place, if the file still is what the change
// wants.
func (d *disk) move(f *file) error {
	if s, err := f.look(); err != nil {
		return err
	} else if s != before {
		return f.changed()
	}
	dir, err := f.root.Open(filepath.Dir(f.name))
	if err != nil {
		return err
	}
	defer dir.Close()
	name, temp := filepath.Base(f.name), filepath.Base(f.temp)
	switch {
	case f.New:
		err := d.do("rename", f.name, func() error { return f.rename(dir, temp, name) })
		if errors.Is(err, fs.ErrExist) {
			return f.changed()
		}
		return err
	case f.Gone:
		undo := func() error { return f.rename(dir, temp, name) }
		return d.displace(f, func() error { return f.rename(dir, name, temp) }, undo)
	}
	swap := func() error { return exchange(dir, temp, name) }
	err = d.displace(f, swap, swap)
	if errors.Is(err, errors.ErrUnsupported) {
		// What is saved between the look and this is lost.
		err = d.do("rename", f.name, func() error { return f.root.Rename(f.temp, f.name) })
	}
	return err
}

// rename renames a file of a folder, never over another as far as the system knows
// how to.
func (f *file) rename(dir *os.File, from, to string) error {
	err := renameNew(dir, from, to)
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	at := filepath.Dir(f.name)
	if _, err := f.root.Lstat(filepath.Join(at, to)); err == nil {
		return fs.ErrExist
	}
	return f.root.Rename(filepath.Join(at, from), filepath.Join(at, to))
}

// displace moves the file to where the temporary one is. A program may have saved it
// since the look: then undo moves it back.
func (d *disk) displace(f *file, move, undo func() error) error {
	if err := d.do("rename", f.name, move); err != nil {
		return err
	}
	text, err := f.besides()
	if err == nil && text != nil && *text == f.Before {
		return nil
	}
	return errors.Join(err, f.changed(), d.do("rename", f.name, undo))
}

// make brings all files from before their change to after it. Those that are there
// stay. After an error those that it moved are where they were, unless it says
// otherwise.
func (d *disk) make(files []*file) error {
	var todo []*file
	for _, f := range files {
		switch s, err := f.look(); {
		case err != nil:
			return err
		case s == other:
			return f.changed()
		case s == before:
			todo = append(todo, f)
		}
	}
	for _, f := range todo {
		if !f.Gone {
			if err := d.prepare(f); err != nil {
				return err
			}
		}
	}
	for i, f := range todo {
		err := d.move(f)
		if err == nil && i == len(todo)-1 {
			if err = d.syncAll(todo); err == nil {
				break
			}
			i++
		}
		if err != nil {
			if e := d.undo(todo[:i]); e != nil {
				err = &halfway{err, e}
			}
			return err
		}
	}
	return nil
}

// undo moves files back of which each is as its change left it.
func (d *disk) undo(files []*file) error {
	if len(files) == 0 {
		return nil
	}
	return d.make(back(files))
}

// A halfway is the error after which files are neither all as they were nor all as
// they shall be.
type halfway struct{ why, back error }

func (e *halfway) Error() string {
	return fmt.Sprintf("%v; and what was written before cannot be taken back: %v", e.why, e.back)
}

func (e *halfway) Unwrap() []error { return []error{e.why, e.back} }

func (d *disk) syncAll(files []*file) error {
	for i, f := range files {
		dir := filepath.Dir(f.name)
		if i > 0 && files[i-1].root.Name() == f.root.Name() && filepath.Dir(files[i-1].name) == dir {
			continue
		}
		if err := d.sync(f.root, dir); err != nil {
			return err
		}
	}
	return nil
}

// clean removes the temporary files of changes that are made, or that were not begun,
// or not ended. One that another program wrote into stays, and
// is an error.
func (d *disk) clean(files []*file) (err error) {
	for _, f := range files {
		text, e := f.besides()
		if e == nil && text != nil {
			s, _ := f.look() // after an error: other
			if e = f.stray(); f.leftover(*text, s) {
				e = d.remove(f.root, f.temp)
			}
		}
		err = errors.Join(err, e)
	}
	return err
}

// readRegular reads a regular file of at most so many bytes, and waits for nothing.
func readRegular(root *os.Root, name string, most int) (string, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|noWait, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return "", err
	} else if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is no regular file", filepath.Join(root.Name(), name))
	}
	data, err := io.ReadAll(io.LimitReader(f, int64(most)+1))
	return string(data), err
}
