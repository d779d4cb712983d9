package patch

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"github.com/gopayoff/payoff/tool/internal/record"
)

// A journal is what the file of that kind holds: which changes are made, and how far
// that is. protocol.md has the rules.
type journal struct {
	State string  `json:"state"`
	Files []entry `json:"files"`
}

// The states. A file that is not there is a fourth: nothing is made.
const (
	applying = "applying" // some files may be changed
	applied  = "applied"  // all are
	undoing  = "undoing"  // some may be changed still
)

// An entry is a change with what it takes to go on with it.
type entry struct {
	Change
	Mode fs.FileMode `json:"mode,omitempty"` // of a file that goes
	Salt string      `json:"salt,omitempty"` // ends the name of the temporary file
}

// temp is the name of the temporary file.
func (e entry) temp() string { return "." + filepath.Base(e.File) + ".payoff-" + e.Salt }

var salts = regexp.MustCompile(`^[A-Z2-7]{26}$`)

func (j *journal) changes() (all []Change) {
	for _, e := range j.Files {
		all = append(all, e.Change)
	}
	return all
}

// readJournal returns nil where there is no journal.
func readJournal(dir *os.Root, name string) (*journal, error) {
	text, err := readRegular(dir, name, record.FileLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir.Name(), name)
	if len(text) > record.FileLimit {
		return nil, &record.LimitError{File: path, Name: "FileLimit", Most: record.FileLimit}
	}
	j := &journal{State: applied}
	var old []Change // all that older versions wrote
	if new(record.Reader).Unmarshal(path, []byte(text), &old) == nil {
		for _, c := range old {
			j.Files = append(j.Files, entry{Change: c, Salt: rand.Text()})
		}
	} else if err := new(record.Reader).Unmarshal(path, []byte(text), j); err != nil {
		return nil, fmt.Errorf("%s is damaged (%w)", path, err)
	}
	if !slices.Contains([]string{applying, applied, undoing}, j.State) {
		return nil, fmt.Errorf("%s is damaged (state %q)", path, j.State)
	}
	for _, e := range j.Files {
		if !salts.MatchString(e.Salt) {
			return nil, fmt.Errorf("%s is damaged (salt %q)", path, e.Salt)
		}
	}
	return j, nil
}

// put replaces the journal, durably.
func (d *disk) put(dir *os.Root, name string, j *journal) error {
	data, err := json.MarshalIndent(j, "", "\t")
	if err != nil {
		return err
	}
	return d.replace(dir, name, string(data)+"\n")
}

// replace gives a file another content, and a link its place back: it is the name
// that is written to, not what it leads to.
func (d *disk) replace(dir *os.Root, name, text string) error {
	tmp := name + ".new"
	if err := d.remove(dir, tmp); err != nil { // of a process that ended
		return err
	}
	err := d.create(dir, tmp, text, 0o644, nil)
	if err == nil {
		err = d.do("rename", name, func() error { return dir.Rename(tmp, name) })
	}
	if err != nil {
		return errors.Join(err, d.remove(dir, tmp))
	}
	return d.sync(dir, ".")
}

// drop removes the journal, durably.
func (d *disk) drop(dir *os.Root, name string) error {
	if err := d.remove(dir, name); err != nil {
		return err
	}
	return d.sync(dir, ".")
}

// lock keeps other processes that change files of these folders out until it is
// called off. It waits a while for them.
func lock(folders ...string) (unlock func(), err error) {
	var held []*flock.Flock
	unlock = func() {
		for _, l := range held {
			l.Close()
		}
	}
	slices.Sort(folders) // in one order, so that no two wait for each other
	for _, dir := range slices.Compact(folders) {
		l := flock.New(lockFile(dir), flock.SetFlag(lockFlags))
		ok, err := l.TryLock() // TryLockContext does not look if its time is up
		if !ok && err == nil {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			ok, err = l.TryLockContext(ctx, 10*time.Millisecond)
			cancel()
		}
		if !ok && (err == nil || errors.Is(err, context.DeadlineExceeded)) {
			err = fmt.Errorf("%s is locked, by another payoff that writes there: nothing is written", dir)
		}
		if err != nil {
			unlock()
			return nil, err
		}
		held = append(held, l)
	}
	return unlock, nil
}

// patience is how long a lock is waited for: its holder writes some files.
var patience = 5 * time.Second

// folders are those of the files.
func folders(files []*file) (all []string) {
	for _, f := range files {
		all = append(all, filepath.Join(f.root.Name(), filepath.Dir(f.name)))
	}
	return all
}

// ErrApplied is the error of an [Apply] of what is made already, ErrNone of an [Undo]
// where nothing is, and ErrInterrupted of an Apply that has to wait for an Undo to
// end what was interrupted.
var (
	ErrApplied     = errors.New("patch: applied already")
	ErrNone        = errors.New("patch: nothing was applied")
	ErrInterrupted = errors.New("patch: interrupted")
)

// Apply makes the changes in files of the tree, and keeps in a file, the journal,
// what takes them back. After an error all files are as they were, unless it says
// otherwise. If a process ended while it made the same changes, Apply goes on.
func Apply(at string, tree Tree, changes []Change) error { return new(disk).apply(at, tree, changes) }

// Undo takes back what the journal has, whole or not, and returns the changes. It
// first asks allow, for which they may be what anybody wrote into the file: allow says
// in which tree they may be taken back.
func Undo(at string, allow func([]Change) (Tree, error)) ([]Change, error) {
	return new(disk).takeBack(at, allow)
}

// opened locks and opens the folder of a journal and reads it.
func (d *disk) opened(at string) (dir *os.Root, name string, j *journal, closed func(), err error) {
	name = filepath.Base(at)
	path, err := filepath.EvalSymlinks(filepath.Dir(at))
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err == nil {
		// To open what is no folder can wait for ever.
		if info, e := os.Stat(path); e != nil || !info.IsDir() {
			err = cmp.Or(e, error(&fs.PathError{Op: "open", Path: path, Err: syscall.ENOTDIR}))
		}
	}
	if err != nil {
		return nil, "", nil, nil, err
	}
	unlock, err := lock(path)
	if err != nil {
		return nil, "", nil, nil, err
	}
	if dir, err = os.OpenRoot(path); err == nil {
		// What a process that ended left of a journal to be is not looked at.
		if err = d.remove(dir, name+".new"); err == nil {
			j, err = readJournal(dir, name)
		}
		if err != nil {
			dir.Close()
		}
	}
	if err != nil {
		unlock()
		return nil, "", nil, nil, err
	}
	return dir, name, j, func() { dir.Close(); unlock() }, nil
}

func (d *disk) apply(at string, tree Tree, changes []Change) error {
	dir, name, j, closed, err := d.opened(at)
	if err != nil {
		return err
	}
	defer closed()
	fresh := j == nil
	if fresh {
		j = &journal{State: applying}
		for _, c := range changes {
			j.Files = append(j.Files, entry{Change: c, Salt: rand.Text()})
		}
	}
	switch same := slices.Equal(j.changes(), changes); {
	case j.State == applied && !same: // of another checkout, or of an older payoff
		return ErrApplied
	case j.State == undoing, j.State == applying && !same:
		return ErrInterrupted
	}
	files, err := tree.open(j.Files)
	defer func() { closeAll(files) }()
	if err != nil {
		return err
	}
	unlock, err := lock(folders(files)...)
	if err != nil {
		return err
	}
	defer unlock()
	if j.State == applied {
		return errors.Join(ErrApplied, d.clean(files))
	}
	if fresh {
		for i, f := range files {
			if s, err := f.look(); err != nil {
				return err
			} else if s != before {
				return f.changed()
			}
			j.Files[i].Mode = f.mode
		}
		if err := d.put(dir, name, j); err != nil {
			return errors.Join(err, d.drop(dir, name)) // it may be there
		}
	}
	err = d.make(files)
	if err == nil {
		j.State = applied
		if err = d.put(dir, name, j); err == nil {
			return d.clean(files)
		}
		if e := d.undo(files); e != nil {
			return &halfway{err, e}
		}
	}
	var half *halfway
	if errors.As(err, &half) || !fresh {
		return err // the journal stays, and what is besides it
	}
	if e := d.clean(files); e != nil {
		return errors.Join(err, e)
	}
	return errors.Join(err, d.drop(dir, name))
}

func (d *disk) takeBack(at string, allow func([]Change) (Tree, error)) ([]Change, error) {
	dir, name, j, closed, err := d.opened(at)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, err
	}
	defer closed()
	if j == nil {
		return nil, ErrNone
	}
	tree, err := allow(j.changes())
	if err != nil {
		return nil, err
	}
	files, err := tree.open(j.Files)
	defer func() { closeAll(files) }()
	if err != nil {
		return nil, err
	}
	unlock, err := lock(folders(files)...)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if was := *j; j.State == applied {
		for _, f := range files {
			if s, err := f.look(); err != nil {
				return nil, err
			} else if s == other {
				return nil, f.changed()
			}
		}
		j.State = undoing
		if err := d.put(dir, name, j); err != nil {
			return nil, err
		}
		if err := d.make(back(files)); err != nil {
			if half := new(halfway); errors.As(err, &half) {
				return nil, err
			}
			// If the disk is full the journal still says undoing, which is as good.
			return nil, errors.Join(err, d.clean(back(files)), d.put(dir, name, &was))
		}
	} else if err := d.make(back(files)); err != nil {
		return nil, err
	}
	if err := d.clean(files); err != nil {
		return nil, err
	}
	return j.changes(), d.drop(dir, name)
}

// Replace gives a file in a folder that others may have made, such as a record, its
// content, in one step. Where the name is a link it becomes the file: what the link
// leads to stays as it is.
func Replace(file, text string) error {
	dir, err := os.OpenRoot(filepath.Dir(file))
	if err != nil {
		return err
	}
	defer dir.Close()
	return new(disk).replace(dir, filepath.Base(file), text)
}
