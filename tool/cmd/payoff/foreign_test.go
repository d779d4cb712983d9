package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/tune"
)

// A handed is a module in which payoff stands, a folder beside it, and a record of
// which somebody else wrote every byte.
type handed struct{ module, beside, rec string }

// newHanded makes the module, with a.go, and what lies beside it.
func newHanded(t *testing.T) handed {
	t.Helper()
	dir := t.TempDir()
	f := handed{filepath.Join(dir, "m"), filepath.Join(dir, "beside"), filepath.Join(dir, "rec")}
	put(t, filepath.Join(f.module, "go.mod"), "module example.com/m\n\ngo 1.22\n")
	put(t, filepath.Join(f.module, "a.go"), "package m\n")
	put(t, filepath.Join(f.module, "notes"), "mine\n")
	put(t, filepath.Join(f.beside, "b.go"), "package b\n")
	put(t, filepath.Join(f.rec, "run.json"), "{}")
	t.Chdir(f.module)
	return f
}

// all is every file of the module and beside it.
func (f handed) all(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	for _, dir := range []string{f.module, f.beside} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			data, _ := os.ReadFile(filepath.Join(dir, e.Name()))
			out.WriteString(filepath.Join(dir, e.Name()) + ": " + string(data))
		}
	}
	return out.String()
}

// The undo of a record changes Go files of the module where payoff stands, in the way
// that the record's own edits do, and nothing else, whatever its applied.json says.
func TestUndoOfForeign(t *testing.T) {
	for what, spoil := range map[string]func(f handed) (c patch.Change, edits []patch.Change){
		"a file is made beside the module": func(f handed) (patch.Change, []patch.Change) {
			c := patch.Change{File: filepath.Join(f.beside, "new.go"), Gone: true, Before: "package evil\n"}
			return c, []patch.Change{c}
		},
		"a file is removed beside the module": func(f handed) (patch.Change, []patch.Change) {
			c := patch.Change{File: filepath.Join(f.beside, "b.go"), New: true, After: "package b\n"}
			return c, []patch.Change{c}
		},
		"by a path with ..": func(f handed) (patch.Change, []patch.Change) {
			c := patch.Change{File: f.module + "/../beside/b.go", Before: "package evil\n", After: "package b\n"}
			return c, []patch.Change{c}
		},
		"no Go file": func(f handed) (patch.Change, []patch.Change) {
			c := patch.Change{File: filepath.Join(f.module, "notes"), Before: "evil\n", After: "mine\n"}
			return c, []patch.Change{c}
		},
		"go.mod": func(f handed) (patch.Change, []patch.Change) {
			c := patch.Change{File: filepath.Join(f.module, "go.mod"), Before: "toolchain evil\n", After: "module example.com/m\n\ngo 1.22\n"}
			return c, []patch.Change{c}
		},
		"no edit of the record": func(f handed) (patch.Change, []patch.Change) {
			c := patch.Change{File: filepath.Join(f.module, "a.go"), Before: "package evil\n", After: "package m\n"}
			other := c
			other.Before = "package better\n"
			return c, []patch.Change{other}
		},
		"a link out of the module": func(f handed) (patch.Change, []patch.Change) {
			if err := os.Symlink(filepath.Join(f.beside, "b.go"), filepath.Join(f.module, "c.go")); err != nil {
				t.Skip(err)
			}
			c := patch.Change{File: filepath.Join(f.module, "c.go"), Before: "package evil\n", After: "package b\n"}
			return c, []patch.Change{c}
		},
	} {
		for _, state := range []string{"applied", "applying", "undoing", "of before"} {
			f := newHanded(t)
			c, edits := spoil(f)
			if err := (&tune.Saved{Changes: edits}).Save(f.rec); err != nil {
				t.Fatal(err)
			}
			type entry struct {
				patch.Change
				Salt string `json:"salt"`
			}
			var journal any = map[string]any{"state": state, "files": []entry{{c, "AAAAAAAAAAAAAAAAAAAAAAAAAA"}}}
			if state == "of before" {
				journal = []patch.Change{c}
			}
			data, err := json.Marshal(journal)
			if err != nil {
				t.Fatal(err)
			}
			put(t, filepath.Join(f.rec, appliedFile), string(data))
			was := f.all(t)
			var out, errs bytes.Buffer
			if code := run([]string{"payoff", "fix", "-undo", f.rec}, &out, &errs); code != exitFailed || !strings.Contains(errs.String(), "nothing is written") {
				t.Errorf("%s, %s: exit code %d, %s, want %d and that nothing is written", what, state, code, &errs, exitFailed)
			}
			if is := f.all(t); is != was {
				t.Errorf("%s, %s: the files are\n%s, want\n%s", what, state, is, was)
			}
		}
	}
}

// What -apply and -patch write of a record is what it shows: the same changes, of Go
// files in the module where payoff stands.
func TestApplyOfForeign(t *testing.T) {
	for what, spoil := range map[string]func(f handed) patch.Change{
		"beside the module": func(f handed) patch.Change {
			return patch.Change{File: filepath.Join(f.beside, "b.go"), Before: "package b\n", After: "package evil\n"}
		},
		"a new file by ..": func(f handed) patch.Change {
			return patch.Change{File: f.module + "/../beside/c.go", After: "package evil\n", New: true}
		},
		"no Go file": func(f handed) patch.Change {
			return patch.Change{File: filepath.Join(f.module, "authorized_keys"), After: "evil\n", New: true}
		},
		"a linked folder": func(f handed) patch.Change {
			if err := os.Symlink(f.beside, filepath.Join(f.module, "sub")); err != nil {
				t.Skip(err)
			}
			return patch.Change{File: filepath.Join(f.module, "sub", "b.go"), Before: "package b\n", After: "package evil\n"}
		},
	} {
		f := newHanded(t)
		c := spoil(f)
		harmless := patch.Diff(f.module, []patch.Change{{File: filepath.Join(f.module, "a.go"), Before: "package m\n", After: "package m // better\n"}})
		r := &tune.Record{Constant: tune.Constant{Name: "n", Package: "m", Present: 1}, Margin: 0.03, Alpha: 0.05, Trials: []tune.Trial{{Value: 1, Text: "1"}}}
		if err := (&tune.Saved{Changes: []patch.Change{c}, Patch: harmless, Records: []*tune.Record{r}}).Save(f.rec); err != nil {
			t.Fatal(err)
		}
		was := f.all(t)
		var out, errs bytes.Buffer
		if code := run([]string{"payoff", "tune", "-from", f.rec, "-apply"}, &out, &errs); code != exitFailed || !strings.Contains(errs.String(), "nothing is written") {
			t.Errorf("%s: exit code %d, %s, want %d and that nothing is written", what, code, &errs, exitFailed)
		}
		if strings.Contains(out.String(), "better") || !strings.Contains(out.String(), "+"+strings.TrimSuffix(c.After, "\n")) {
			t.Errorf("%s: shown is\n%s, want the change itself: %q", what, &out, c.After)
		}
		if is := f.all(t); is != was || exists(filepath.Join(f.rec, appliedFile)) {
			t.Errorf("%s: the files are\n%s, want\n%s", what, is, was)
		}
	}
}

// The diff of an edit is made from its changes: what the record calls its diff is not
// shown.
func TestDiffOfForeign(t *testing.T) {
	rec := filepath.Join(t.TempDir(), "rec")
	if err := os.CopyFS(rec, os.DirFS(filepath.Join("testdata", "fix"))); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(rec, "01-demo", "fix.json")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lied := strings.ReplaceAll(string(data), `fills the cache line\n`, `fills the line\n`)
	first := strings.Index(lied, `"diff": "`)
	if lied == string(data) || first < 0 {
		t.Fatal("testdata/fix has no such edit")
	}
	// The changes have the other words; the diffs are as harmless as they were.
	for i := strings.Index(lied, `"diff": "`); i >= 0; {
		end := i + strings.IndexByte(lied[i:], '\n')
		lied = lied[:i] + strings.ReplaceAll(lied[i:end], "fills the line", "fills the cache line") + lied[end:]
		next := strings.Index(lied[end:], `"diff": "`)
		if next < 0 {
			break
		}
		i = end + next
	}
	put(t, file, lied)
	var out, errs bytes.Buffer
	if code := run([]string{"payoff", "fix", "-from", rec}, &out, &errs); code != exitOK {
		t.Fatalf("exit code %d, %s", code, &errs)
	}
	if s := out.String(); strings.Contains(s, "// fills the cache line") || !strings.Contains(s, "// fills the line") {
		t.Errorf("shown is the record's diff, want that of its changes:\n%s", s)
	}
}
