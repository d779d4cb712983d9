// Package turn lets one run at a time measure on a machine: two at once would
// measure each other.
//
// The turn is a lock on a file at one place for all users, which the system
// gives back when its holder ends, however it ends. What stands in the file is
// only to be shown: anybody may write it. Anybody may hold the lock for ever, too:
// a run that waits is told of [Env]. Where that file is none of payoff's, one of the user's
// own stands for it, which no other user can take away.
package turn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/gopayoff/payoff/tool/internal/record"
)

// Env is the environment variable that names another file, for containers that
// share a machine and a folder, or is "off": then nobody is waited for, which
// is right where processors are kept apart by other means.
const Env = "PAYOFF_LOCK"

// A Holder is who has the turn, or wants it.
type Holder struct {
	Command []string  `json:"command"`
	PID     int       `json:"pid"`
	User    string    `json:"user"`
	Dir     string    `json:"dir"`
	Since   time.Time `json:"since"`
}

// Me is this process in the folder dir. Since is filled in by [Take].
func Me(command []string, dir string) Holder {
	h := Holder{Command: command, PID: os.Getpid(), Dir: dir}
	if u, err := user.Current(); err == nil {
		h.User = u.Username
	}
	return h
}

// String names the holder. Its words come from a file that others may write.
func (h Holder) String() string {
	if h.PID == 0 {
		return "another run of payoff"
	}
	return fmt.Sprintf("payoff %s (process %d of %s in %s, since %s)", strings.Join(h.Command, " "), h.PID, h.User, h.Dir, h.Since.Local().Format("15:04"))
}

// again is how often a waiting process looks. A look costs some microseconds.
const again = 500 * time.Millisecond

// ErrNoLock says that there is no file to lock, so that nobody knows who else
// measures.
var ErrNoLock = errors.New("no file can be locked")

// Take waits until no other process has the turn. The one that has it is told
// when it is met, and so is each that comes next. release gives the turn back;
// it may be called in any case.
//
// The error is that of ctx if it ended before; a ctx that has ended already
// serves to look just once. Any other is an [ErrNoLock]: then the caller may go
// on, and should say so. It may have the turn among its own user's processes.
func Take(ctx context.Context, me Holder, tell func(Holder)) (release func(), err error) {
	release = func() {}
	if os.Getenv(Env) == "off" {
		return release, nil
	}
	return take(ctx, places(), me, tell)
}

// places are the files to try: the one for all users, then the user's own.
func places() []string {
	if file := os.Getenv(Env); file != "" {
		return []string{file}
	}
	all := []string{shared()}
	if dir, err := os.UserCacheDir(); err == nil {
		all = append(all, filepath.Join(dir, "payoff", "payoff.lock"))
	}
	return all
}

// take is Take with a list of files, the first of which is for all users.
func take(ctx context.Context, files []string, me Holder, tell func(Holder)) (release func(), err error) {
	release = func() {}
	var none []error
	for i, file := range files {
		if i > 0 {
			os.MkdirAll(filepath.Dir(file), 0o755) // or there is no file either
		}
		l, err := wait(ctx, file, tell)
		if err != nil {
			if e := ctx.Err(); e != nil && errors.Is(err, e) { // and not that there is no lock
				return release, e
			}
			none = append(none, err)
			continue
		}
		me.Since = time.Now()
		sign(file, l, me)
		if i > 0 {
			err = fmt.Errorf("%w for all users: %w", ErrNoLock, errors.Join(none...))
		}
		return func() {
			sign(file, l, Holder{})
			l.Close()
		}, err
	}
	return release, fmt.Errorf("%w: %w", ErrNoLock, errors.Join(none...))
}

// wait takes the lock of one file.
func wait(ctx context.Context, file string, tell func(Holder)) (*flock.Flock, error) {
	told, unsigned := "", 0
	for {
		l, err := try(file)
		if l != nil || err != nil && !errors.Is(err, errReplaced) {
			return l, err
		}
		if err == nil {
			h := holder(file)
			if h.PID == 0 {
				unsigned++ // at the first look it may be about to sign, or to go
			} else {
				unsigned = 0
			}
			if unsigned != 1 && told != h.String() {
				told = h.String()
				tell(h)
			}
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(again):
		}
	}
}

var errReplaced = errors.New("turn: the file was replaced")

// try takes the lock if it is free; otherwise it returns nil.
func try(file string) (*flock.Flock, error) {
	// The file is made first and opened after: some systems refuse to create
	// where a file of another user exists.
	if f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o666); err == nil {
		err = errors.Join(f.Chmod(0o666), f.Close()) // whatever the umask: all users take turns
		if err != nil {
			return nil, err
		}
	} else if !errors.Is(err, fs.ErrExist) {
		return nil, err
	} else if foreign(file) {
		return nil, fmt.Errorf("%s is no file of payoff", file)
	}
	l := flock.New(file, flock.SetFlag(open))
	ok, err := l.TryLock()
	if !ok || err != nil {
		return nil, err
	}
	if err := sound(file, l); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// sound refuses what somebody else may have put in the place of the file: only
// a plain file without a second name is written to.
func sound(file string, l *flock.Flock) error {
	locked, err := l.Stat()
	if err != nil {
		return err
	}
	if !locked.Mode().IsRegular() || record.Names(locked) > 1 {
		return fmt.Errorf("%s is no file of payoff", file)
	}
	if now, err := os.Lstat(file); err != nil || !os.SameFile(locked, now) {
		return errReplaced // by one who cleaned up; others lock the new one
	}
	return nil
}

// The first byte of the file is for the lock, which on Windows keeps others
// from reading what it covers.
const first = 1

// foreign reports whether a file holds what nobody signed: then it is not to be
// written to.
func foreign(file string) bool {
	f, err := os.OpenFile(file, open, 0)
	if err != nil {
		return false // to lock it will fail as well, or its first byte is locked
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return false // see sound
	}
	var b [first]byte
	n, _ := f.ReadAt(b[:], 0)
	return n > 0 && b[0] != 0
}

// sign writes who has the lock, or nobody. That is a courtesy: its errors do
// not matter.
func sign(file string, l *flock.Flock, h Holder) {
	f, err := os.OpenFile(file, open, 0)
	if err != nil {
		return
	}
	defer f.Close()
	mine, err := l.Stat()
	if now, e := f.Stat(); err != nil || e != nil || !os.SameFile(mine, now) {
		return
	}
	f.Truncate(first)
	if data, err := json.Marshal(h); err == nil && h.PID != 0 {
		f.WriteAt(data, first)
	}
}

// holder reads who has the lock; it is zero where that cannot be told.
func holder(file string) (h Holder) {
	f, err := os.OpenFile(file, open, 0)
	if err != nil {
		return h
	}
	defer f.Close()
	const most = 16 << 10
	data, err := io.ReadAll(io.NewSectionReader(f, first, most))
	if err != nil || json.Unmarshal(data, &h) != nil {
		return Holder{}
	}
	return h
}
