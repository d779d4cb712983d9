package patch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
)

// errKilled is the error of all that a process does after its end.
var errKilled = errors.New("killed")

// killed is a disk whose process ends before step n, from 1 on. It counts steps.
func killed(n int, steps *int) *disk {
	return &disk{step: func(op, name string, f func() error) error {
		if *steps++; n > 0 && *steps >= n {
			return errKilled
		}
		return unsynced(op, f)
	}}
}

// full is a disk on which step n fails, and from there on all that takes space.
func full(n int, steps *int) *disk {
	return &disk{step: func(op, name string, f func() error) error {
		*steps++
		if *steps == n || *steps > n && (op == "create" || op == "write") {
			return &fs.PathError{Op: op, Path: name, Err: syscall.ENOSPC}
		}
		return unsynced(op, f)
	}}
}

// unsynced takes a step. To sync would take most of the time of these tests, and no
// power fails in them.
func unsynced(op string, f func() error) error {
	if op == "sync" {
		return nil
	}
	return f()
}

// A crashed is a tree with a record beside it.
type crashed struct {
	dir, at       string
	before, after map[string]string
	changes       []Change
}

func newCrashed(t *testing.T) *crashed {
	t.Helper()
	before, after, _ := three("")
	c := &crashed{dir: tree(t, before), at: filepath.Join(t.TempDir(), "applied.json"), before: before, after: after}
	_, _, c.changes = three(c.dir)
	return c
}

func (c *crashed) apply(d *disk) error { return d.apply(c.at, Tree{c.dir}, c.changes) }

func (c *crashed) undo(d *disk) error {
	_, err := d.takeBack(c.at, in(c.dir))
	return err
}

// verbs are what a user can do, and what the files are then.
var verbs = []struct {
	name string
	do   func(*crashed, *disk) error
	want func(*crashed) map[string]string
}{
	{"apply", (*crashed).apply, func(c *crashed) map[string]string { return c.after }},
	{"undo", (*crashed).undo, func(c *crashed) map[string]string { return c.before }},
}

// whole holds that the files are all as they were, or all as they shall be, that the
// record says so, and that nothing else is left.
func (c *crashed) whole(t *testing.T, what string) {
	t.Helper()
	want := c.before
	rec := read(t, filepath.Dir(c.at))
	if rec["applied.json"] != "" {
		want = c.after
		if !strings.Contains(rec["applied.json"], `"state": "applied"`) {
			t.Errorf("%s: the record has %s", what, rec["applied.json"])
		}
	}
	if delete(rec, "applied.json"); len(rec) > 0 {
		t.Errorf("%s: the record has %v besides", what, rec)
	}
	same(t, what, c.dir, want)
}

// ends is an error after which all is whole: what was to be done is done.
func ends(err error) bool {
	return err == nil || errors.Is(err, ErrApplied) || errors.Is(err, ErrNone)
}

// Wherever a process ends, and wherever the next one does, -apply or -undo after it
// ends whole.
func TestKilled(t *testing.T) {
	places, again := 0, 0
	for _, first := range verbs {
		for n := 1; ; n++ {
			run := func(prepare func(c *crashed) string) (steps int) {
				t.Helper()
				c := newCrashed(t)
				if first.name == "undo" {
					if err := c.apply(killed(0, new(int))); err != nil {
						t.Fatal(err)
					}
				}
				err := first.do(c, killed(n, &steps))
				if steps < n {
					if err != nil {
						t.Fatalf("%s: %v", first.name, err)
					}
					return steps
				}
				if !errors.Is(err, errKilled) {
					t.Fatalf("%s, killed before step %d: %v", first.name, n, err)
				}
				what := fmt.Sprintf("%s, killed before step %d%s", first.name, n, prepare(c))
				for i, last := range verbs {
					err := last.do(c, killed(0, new(int)))
					if i == 0 && errors.Is(err, ErrInterrupted) {
						continue // -undo has to end it
					}
					if !ends(err) {
						t.Errorf("%s, then %s: %v", what, last.name, err)
					}
					c.whole(t, what+", then "+last.name)
					if got := read(t, c.dir); !maps.Equal(got, last.want(c)) {
						t.Errorf("%s, then %s: %q, want %q", what, last.name, got, last.want(c))
					}
				}
				return steps
			}
			if steps := run(func(*crashed) string { return "" }); steps < n {
				break
			}
			places++
			if !stress.Long() && n%7 != 0 {
				continue
			}
			for _, second := range verbs {
				for m, steps := 1, 0; steps >= m-1; m++ {
					steps = 0
					run(func(c *crashed) string {
						second.do(c, killed(m, &steps))
						again++
						return fmt.Sprintf(", %s, killed before step %d", second.name, m)
					})
				}
			}
		}
	}
	t.Logf("killed at %d places, and %d times again after it", places, again)
	if places < 60 {
		t.Errorf("killed at %d places, want 60 or more", places)
	}
}

// A full disk, or whatever else fails a step, leaves all as it was, and the next
// -apply or -undo ends whole.
func TestFull(t *testing.T) {
	for _, first := range verbs {
		for n := 1; ; n++ {
			c := newCrashed(t)
			if first.name == "undo" {
				if err := c.apply(killed(0, new(int))); err != nil {
					t.Fatal(err)
				}
			}
			steps := 0
			was := read(t, c.dir)
			err := first.do(c, full(n, &steps))
			if steps < n {
				break
			}
			what := fmt.Sprintf("%s, step %d fails", first.name, n)
			if err == nil {
				t.Errorf("%s: no error", what)
			}
			got := read(t, c.dir)
			maps.DeleteFunc(got, func(name, _ string) bool { return strings.Contains(name, ".payoff-") }) // it may be their removal that fails
			if !maps.Equal(got, was) && !maps.Equal(got, first.want(c)) {
				t.Errorf("%s: %q, want %q or %q", what, got, was, first.want(c))
			}
			if err := c.undo(killed(0, new(int))); !ends(err) {
				t.Errorf("%s, then undo: %v", what, err)
			}
			c.whole(t, what+", then undo")
			if err := c.apply(killed(0, new(int))); !ends(err) {
				t.Errorf("%s, then undo and apply: %v", what, err)
			}
			c.whole(t, what+", then undo and apply")
		}
	}
}

// Of two that apply at once one wins, wherever the other begins, from the same record or
// from another: the winner's record is whole and takes the changes back, and the loser
// leaves none.
func TestTwo(t *testing.T) {
	defer func(d time.Duration) { patience = d }(patience)
	patience = time.Millisecond // a look
	for _, same := range []bool{true, false} {
		places, seconds := 0, 0
		for n := 1; ; n++ {
			c := newCrashed(t)
			at := c.at
			if !same {
				at = filepath.Join(t.TempDir(), "applied.json")
			}
			steps := 0
			var second error
			first := c.apply(&disk{step: func(op, name string, f func() error) error {
				if steps++; steps == n {
					second = killed(0, new(int)).apply(at, Tree{c.dir}, c.changes)
				}
				return unsynced(op, f)
			}})
			if steps < n {
				break
			}
			places++
			what := fmt.Sprintf("the same record: %t, the second begins at step %d", same, n)
			if (first == nil) == (second == nil) {
				t.Fatalf("%s: the first ends with %v, the second with %v, want one that wins", what, first, second)
			}
			if got := read(t, c.dir); !maps.Equal(got, c.after) {
				t.Errorf("%s: %q, want %q", what, got, c.after)
			}
			won, lost := c.at, at
			if second == nil {
				seconds++
				won, lost = at, c.at
			}
			if !same {
				if rec := read(t, filepath.Dir(lost)); len(rec) > 0 {
					t.Errorf("%s: the loser's record has %v", what, rec)
				}
			}
			if rec := read(t, filepath.Dir(won)); len(rec) != 1 || !strings.Contains(rec["applied.json"], `"state": "applied"`) {
				t.Errorf("%s: the winner's record has %v", what, rec)
			}
			if _, err := killed(0, new(int)).takeBack(won, in(c.dir)); err != nil {
				t.Errorf("%s, then undo: %v", what, err)
			}
			if got := read(t, c.dir); !maps.Equal(got, c.before) {
				t.Errorf("%s, then undo: %q, want %q", what, got, c.before)
			}
		}
		if places < 20 || same && seconds > 0 || !same && seconds == 0 {
			t.Errorf("the same record: %t: begun at %d places, and the second wins at %d", same, places, seconds)
		}
	}
}

// TestForged: a journal that somebody else wrote names no temporary files but payoff's,
// and of those none that holds anything else.
func TestForged(t *testing.T) {
	for _, salt := range []string{"", "..", "/../../a", strings.Repeat("a", 26), strings.Repeat("A", 25), strings.Repeat("A", 27), strings.Repeat("A", 25) + "/", strings.Repeat("A", 26) + "\n", strings.Repeat("A", 26)} {
		for _, state := range []string{applying, applied, undoing} {
			c := newCrashed(t)
			mine := filepath.Join(c.dir, ".a.go.payoff-"+strings.Repeat("A", 26))
			if err := os.WriteFile(mine, []byte("mine"), 0o640); err != nil {
				t.Fatal(err)
			}
			j := &journal{State: state}
			for _, x := range c.changes {
				j.Files = append(j.Files, entry{Change: x, Salt: salt})
			}
			data, err := json.Marshal(j)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(c.at, data, 0o644); err != nil {
				t.Fatal(err)
			}
			was := read(t, c.dir)
			what := fmt.Sprintf("salt %q, %s", salt, state)
			errs := []error{c.undo(killed(0, new(int))), c.apply(killed(0, new(int)))}
			if got := read(t, c.dir); got[filepath.Base(mine)] != "mine" {
				t.Errorf("%s: the user's own file has %q", what, got[filepath.Base(mine)])
			}
			if salt == strings.Repeat("A", 26) {
				continue
			}
			for _, err := range errs {
				if err == nil || !strings.Contains(err.Error(), "is damaged (salt") {
					t.Errorf("%s: %v, want it refused", what, err)
				}
			}
			if got := read(t, c.dir); !maps.Equal(got, was) {
				t.Errorf("%s: %q, want %q", what, got, was)
			}
		}
	}
}
