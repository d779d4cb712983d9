// Package patch writes changes into the user's files, all of them or none, and
// takes them back.
//
// A file that is not what the change was made from is left alone, and with it
// all others. Each is written beside its place and moved there, so that whoever
// reads it meanwhile sees one or the other. It is not for trying changes: an
// overlay does that without touching a file. To apply one costs a copy of each
// file.
package patch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Change is what a file is and what it shall be.
type Change struct {
	File   string `json:"file"`             // absolute
	Before string `json:"before,omitempty"` // its content
	After  string `json:"after,omitempty"`
	New    bool   `json:"new,omitempty"`  // there is no such file before
	Gone   bool   `json:"gone,omitempty"` // there is none after
}

// Reverse returns what takes the changes back.
func Reverse(changes []Change) (back []Change) {
	for _, c := range slices.Backward(changes) {
		back = append(back, Change{c.File, c.After, c.Before, c.Gone, c.New})
	}
	return back
}

// Rewrites reports whether a line of the file, from 1 on, goes or becomes another.
func (c Change) Rewrites(line int) bool {
	at := 0 // the next line of the file that a hunk shows
	for text := range strings.Lines(Diff("", []Change{c})) {
		switch {
		case strings.HasPrefix(text, "@@ -"):
			fmt.Sscanf(text, "@@ -%d", &at)
		case at == 0: // the head
		case strings.HasPrefix(text, "-") && at == line:
			return true
		case strings.HasPrefix(text, "-"), strings.HasPrefix(text, " "):
			at++
		}
	}
	return false
}

// Apply makes the changes. After an error all files are as they were, unless it
// says otherwise.
func Apply(changes []Change) (err error) {
	var all []*writing
	defer func() {
		for _, w := range all {
			if w.tmp != "" {
				os.Remove(w.tmp)
			}
		}
	}()
	for _, c := range changes {
		w := &writing{Change: c, mode: 0o644}
		all = append(all, w)
		if err := w.prepare(); err != nil {
			return err
		}
	}
	for i, w := range all {
		err := w.check()
		if err == nil {
			err = w.move()
		}
		if err == nil {
			continue
		}
		if i > 0 {
			var done []Change
			for _, w := range all[:i] {
				done = append(done, w.Change)
			}
			if back := Apply(Reverse(done)); back != nil {
				err = fmt.Errorf("%w; and what was written before cannot be taken back: %w", err, back)
			}
		}
		return err
	}
	return nil
}

// A writing is one file of a change being made.
type writing struct {
	Change
	path string // of the file itself, where File is a link
	mode fs.FileMode
	tmp  string // what is to be moved there; "" if there is nothing
}

// prepare writes what the file shall be beside it.
func (w *writing) prepare() (err error) {
	w.path = w.File
	if !w.New {
		if w.path, err = filepath.EvalSymlinks(w.File); err != nil {
			return w.missing(err)
		}
		info, err := os.Stat(w.path)
		if err != nil {
			return err
		}
		w.mode = info.Mode().Perm()
	}
	if err := w.check(); err != nil || w.Gone {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(w.path), "."+filepath.Base(w.path)+".payoff-*")
	if err != nil {
		return err
	}
	w.tmp = f.Name()
	_, err = f.WriteString(w.After)
	return errors.Join(err, f.Chmod(w.mode), f.Sync(), f.Close())
}

// check refuses a file that is not as the change wants it.
func (w *writing) check() error {
	now, err := os.ReadFile(w.path)
	switch {
	case w.New && errors.Is(err, fs.ErrNotExist):
		return nil
	case w.New && err == nil:
		return fmt.Errorf("%s is there by now: nothing is written", w.File)
	case err != nil:
		return w.missing(err)
	case string(now) != w.Before:
		return fmt.Errorf("%s has changed meanwhile: nothing is written", w.File)
	}
	return nil
}

func (w *writing) missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is not there any more: nothing is written", w.File)
	}
	return err
}

func (w *writing) move() error {
	if w.Gone {
		return os.Remove(w.path)
	}
	err := os.Rename(w.tmp, w.path)
	if err == nil {
		w.tmp = ""
	}
	return err
}
