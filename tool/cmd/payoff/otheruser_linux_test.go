package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/tune"
	"github.com/gopayoff/payoff/tool/internal/turn"
)

// An otherUser runs payoff as somebody else than this process, which is root's.
type otherUser struct{ payoff, home, lock string }

const otherUID = 65534

// newOther copies payoff to where every user can run it. The test is skipped where this
// process may not be another user, or that user has no go command.
func newOther(t *testing.T) otherUser {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can be another user")
	}
	dir := t.TempDir()
	o := otherUser{filepath.Join(dir, "payoff"), filepath.Join(dir, "home"), filepath.Join(dir, "lock")}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(open(dir), os.WriteFile(o.payoff, data, 0o755), os.Mkdir(o.home, 0o755), os.Chown(o.home, otherUID, otherUID)); err != nil {
		t.Fatal(err)
	}
	for _, words := range [][]string{{o.payoff, "version"}, {"go", "version"}} {
		if out, err := o.command(o.home, words...).CombinedOutput(); err != nil {
			t.Skipf("as another user, %s: %v: %s", words, err, out)
		}
	}
	return o
}

// open lets all users into a folder of t.TempDir.
func open(dir string) error {
	return errors.Join(os.Chmod(dir, 0o755), os.Chmod(filepath.Dir(dir), 0o755))
}

// command is a command of the other user's.
func (o otherUser) command(dir string, words ...string) *exec.Cmd {
	c := exec.Command(words[0], words[1:]...)
	c.Dir = dir
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + o.home, "TMPDIR=" + o.home, "GOTOOLCHAIN=local", "GOPROXY=off", "GOFLAGS=", turn.Env + "=" + o.lock}
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: otherUID, Gid: otherUID}}
	return c
}

// run runs payoff in a folder.
func (o otherUser) run(t *testing.T, dir string, words ...string) (code int, said string) {
	t.Helper()
	c := o.command(dir, append([]string{o.payoff}, words...)...)
	out, err := c.CombinedOutput()
	if c.ProcessState == nil {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), string(out)
}

// want runs payoff and holds what it says.
func (o otherUser) want(t *testing.T, dir string, code int, says string, words ...string) {
	t.Helper()
	if got, said := o.run(t, dir, words...); got != code || !strings.Contains(said, says) {
		t.Errorf("payoff %s: exit code %d:\n%swant %d and %q", strings.Join(words, " "), got, said, code, says)
	}
}

// give makes all in a folder the other user's.
func give(t *testing.T, dir string) {
	t.Helper()
	if err := filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(name, otherUID, otherUID))
	}); err != nil {
		t.Fatal(err)
	}
}

// In a tree of another user payoff reads what it may, says what it may not, and neither
// keeps it from the user's own runs.
func TestRunsOfAnother(t *testing.T) {
	o := newOther(t)
	f := newHanded(t)
	if err := open(filepath.Dir(f.module)); err != nil {
		t.Fatal(err)
	}
	theirs := filepath.Join(f.module, ".payoff", "runs", "20261123-100000")
	mine := filepath.Join(o.home, ".cache", "payoff", "runs", "20261122-100000")
	for _, dir := range []string{theirs, mine} {
		if err := os.CopyFS(dir, os.DirFS(fixRecord)); err != nil {
			t.Fatal(err)
		}
	}
	give(t, filepath.Join(o.home, ".cache"))
	o.want(t, f.module, exitOK, "20261123-100000", "log")
	o.want(t, f.module, exitOK, "the index of the runs cannot be kept", "log")
	o.want(t, f.module, exitFailed, "permission denied: name another file with -o", "report", theirs)
	o.want(t, f.module, exitOK, "page.html", "report", "-o", filepath.Join(o.home, "page.html"), theirs)

	hidden := func(dir string, f func()) {
		about, err := os.Stat(dir)
		if err != nil {
			t.Fatal(err)
		}
		os.Chmod(dir, 0)
		f()
		os.Chmod(dir, about.Mode())
	}
	hidden(theirs, func() {
		o.want(t, f.module, exitOK, "20261122-100000", "log")
		o.want(t, f.module, exitFailed, "permission denied", "replay", theirs)
		o.want(t, f.module, exitOK, "20261123-100000 cannot be read", "vet", "./...")
	})
	hidden(filepath.Join(theirs, "run.json"), func() { o.want(t, f.module, exitOK, "permission denied", "log") })
	hidden(filepath.Join(f.module, ".payoff"), func() {
		o.want(t, f.module, exitOK, "runs cannot be read", "log")
		o.want(t, f.module, exitOK, "20261122-100000", "log")
		o.want(t, f.module, exitOK, "runs cannot be read", "vet", "./...")
	})

	o.want(t, f.module, exitFailed, "not deleted: "+theirs, "prune", "-keep", "0", "-delete")
	if exists(mine) || !exists(filepath.Join(theirs, "01-demo", "fix.json")) {
		t.Errorf("after prune the user's own run is there: %t, want it deleted, and the other whole", exists(mine))
	}
}

// A file of another user stays that user's, with its mode, or is not written.
func TestApplyToAnother(t *testing.T) {
	o := newOther(t)
	for _, wide := range []bool{false, true} { // who may write into the folder
		for _, whose := range []string{"root", "other"} {
			f := newHanded(t)
			file := filepath.Join(f.module, "a.go")
			c := patch.Change{File: file, Before: "package m\n", After: "package m // new\n"}
			r := &tune.Record{Constant: tune.Constant{Name: "n", Package: "m", Present: 1}, Margin: 0.03, Alpha: 0.05, Trials: []tune.Trial{{Value: 1, Text: "1"}}}
			if err := errors.Join(open(filepath.Dir(f.module)), (&tune.Saved{Changes: []patch.Change{c}, Records: []*tune.Record{r}}).Save(f.rec)); err != nil {
				t.Fatal(err)
			}
			give(t, f.rec)
			label := fmt.Sprintf("a file of root, folder of all: %t", wide)
			says := "permission denied"
			if wide {
				os.Chmod(f.module, 0o777)
				says = "operation not permitted"
			}
			if whose == "root" {
				// The other user may not write, whatever the folder allows: the file would change hands.
				was := f.all(t)
				o.want(t, f.module, exitFailed, says, "tune", "-from", f.rec, "-apply")
				if is := f.all(t); is != was || exists(filepath.Join(f.rec, appliedFile)) {
					t.Errorf("%s: the files are\n%s, want\n%s, and nothing applied", label, is, was)
				}
				// What root wrote, the other user cannot take back, nor spoil for root.
				var out, errs strings.Builder
				if code := run([]string{"payoff", "tune", "-from", f.rec, "-apply"}, &out, &errs); code != exitOK {
					t.Fatalf("%s: exit code %d, %s", label, code, &errs)
				}
				is := f.all(t)
				o.want(t, f.module, exitFailed, says, "tune", "-undo", f.rec)
				if now := f.all(t); now != is {
					t.Errorf("%s: the files are\n%s, want\n%s", label, now, is)
				}
				if code := run([]string{"payoff", "tune", "-undo", f.rec}, &out, &errs); code != exitOK || f.all(t) != was {
					t.Errorf("%s: exit code %d, %s, and\n%s, want\n%s", label, code, &errs, f.all(t), was)
				}
				continue
			}
			// Root may, and the file stays the other user's.
			give(t, f.module)
			if err := os.Chmod(file, 0o640); err != nil {
				t.Fatal(err)
			}
			for _, line := range [][]string{{"tune", "-from", f.rec, "-apply"}, {"tune", "-undo", f.rec}} {
				var out, errs strings.Builder
				if code := run(append([]string{"payoff"}, line...), &out, &errs); code != exitOK {
					t.Errorf("payoff %s: exit code %d, %s", strings.Join(line, " "), code, &errs)
				}
				about, err := os.Stat(file)
				if err != nil {
					t.Fatal(err)
				}
				if st := about.Sys().(*syscall.Stat_t); st.Uid != otherUID || st.Gid != otherUID || about.Mode() != 0o640 {
					t.Errorf("after payoff %s the file is of %d:%d, %v, want %d:%d, -rw-r-----", strings.Join(line, " "), st.Uid, st.Gid, about.Mode(), otherUID, otherUID)
				}
			}
		}
	}
}

// git takes no repository of another user, and payoff says what would have it taken.
func TestRepositoryOfAnother(t *testing.T) {
	o := newOther(t)
	f := newHanded(t)
	if err := open(filepath.Dir(f.module)); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("git", "init", "-q", f.module).CombinedOutput(); err != nil {
		t.Skipf("%v: %s", err, out)
	}
	o.want(t, f.module, exitFailed, "safe.directory", "compare", "HEAD")
}

// A lock that another user keeps to itself, or holds for ever, is told, with what helps.
func TestLockOfAnother(t *testing.T) {
	o := newOther(t)
	if err := os.WriteFile(o.lock, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	o.want(t, o.home, exitOK, "whether another payoff measured meanwhile", "machine")
	if err := os.Chmod(o.lock, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv(turn.Env, o.lock)
	release, err := turn.Take(t.Context(), turn.Me([]string{"run"}, "/"), func(turn.Holder) {})
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	o.want(t, o.home, exitFailed, turn.Env+" names another file to take turns by", "machine", "-wait", "1ms")
}
