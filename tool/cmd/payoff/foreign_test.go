package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v3"

	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/tune"
)

// A handed is a module in which payoff stands, a folder beside it, and a record of
// which somebody else wrote every byte.
type handed struct{ module, beside, rec string }

// fixRecord is a recorded run of payoff fix, from wherever a test stands.
var fixRecord, _ = filepath.Abs(filepath.Join("testdata", "fix"))

// newHanded makes the module, with a.go, and what lies beside it.
func newHanded(t *testing.T) handed {
	t.Helper()
	dir := t.TempDir()
	f := handed{filepath.Join(dir, "m"), filepath.Join(dir, "beside"), filepath.Join(dir, "rec")}
	put(t, filepath.Join(f.module, "go.mod"), "module example.com/m\n\ngo 1.22\n")
	put(t, filepath.Join(f.module, "a.go"), "package m\n")
	put(t, filepath.Join(f.module, "notes"), "mine\n")
	put(t, filepath.Join(f.beside, "b.go"), "package b\n")
	if err := os.Mkdir(f.rec, 0o755); err != nil {
		t.Fatal(err)
	}
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

// A verb writes the edits of a record, in which save put the changes.
var writes = []struct {
	verb string
	save func(t *testing.T, f handed, c patch.Change, root, diff string)
}{
	{"tune", func(t *testing.T, f handed, c patch.Change, _, diff string) {
		r := &tune.Record{Constant: tune.Constant{Name: "n", Package: "m", Present: 1}, Margin: 0.03, Alpha: 0.05, Trials: []tune.Trial{{Value: 1, Text: "1"}}}
		if err := (&tune.Saved{Changes: []patch.Change{c}, Patch: diff, Records: []*tune.Record{r}}).Save(f.rec); err != nil {
			t.Fatal(err)
		}
	}},
	{"fix", func(t *testing.T, f handed, c patch.Change, root, diff string) {
		if err := os.CopyFS(f.rec, os.DirFS(fixRecord)); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(f.rec, "01-demo", "fix.json")
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var part map[string]any
		if err := json.Unmarshal(data, &part); err != nil {
			t.Fatal(err)
		}
		told := part["prescription"].(map[string]any)
		told["root"] = root
		for _, x := range told["fixes"].([]any) {
			fix := x.(map[string]any)
			fix["changes"], fix["diff"] = []patch.Change{c}, diff
			fix["packages"] = []map[string]string{{"path": "example.com/m", "dir": filepath.Dir(c.File)}}
		}
		if data, err = json.Marshal(part); err != nil {
			t.Fatal(err)
		}
		put(t, name, string(data))
	}},
}

// What -apply and -patch write of a record is what it shows: the same changes, of Go
// files in the module where payoff stands, wherever the record says that its root is.
func TestApplyOfForeign(t *testing.T) {
	for what, spoil := range map[string]func(f handed) patch.Change{
		"": func(f handed) patch.Change { // what may be written is
			return patch.Change{File: filepath.Join(f.module, "a.go"), Before: "package m\n", After: "package m // new\n"}
		},
		"beside the module": func(f handed) patch.Change {
			return patch.Change{File: filepath.Join(f.beside, "b.go"), Before: "package b\n", After: "package evil\n"}
		},
		"a new file by ..": func(f handed) patch.Change {
			return patch.Change{File: f.module + "/../beside/c.go", After: "package evil\n", New: true}
		},
		"no Go file": func(f handed) patch.Change {
			return patch.Change{File: filepath.Join(f.module, "authorized_keys"), After: "evil\n", New: true}
		},
		"go.mod": func(f handed) patch.Change {
			return patch.Change{File: filepath.Join(f.module, "go.mod"), Before: "module example.com/m\n\ngo 1.22\n", After: "module evil\n"}
		},
		"not what it was made from": func(f handed) patch.Change {
			return patch.Change{File: filepath.Join(f.module, "a.go"), Before: "package mine\n", After: "package evil\n"}
		},
		"a name of two lines": func(f handed) patch.Change {
			return patch.Change{File: filepath.Join(f.module, "x\n+++ b/y.go"), After: "package evil\n", New: true}
		},
		"a linked folder": func(f handed) patch.Change {
			if err := os.Symlink(f.beside, filepath.Join(f.module, "sub")); err != nil {
				t.Skip(err)
			}
			return patch.Change{File: filepath.Join(f.module, "sub", "b.go"), Before: "package b\n", After: "package evil\n"}
		},
	} {
		for _, w := range writes {
			for _, root := range []string{"the module", "/"} {
				f := newHanded(t)
				c := spoil(f)
				where := f.module
				if root == "/" {
					where = filepath.VolumeName(f.module) + string(filepath.Separator)
				}
				w.save(t, f, c, where, patch.Diff(f.module, []patch.Change{{File: filepath.Join(f.module, "a.go"), Before: "package m\n", After: "package m // better\n"}}))
				label := fmt.Sprintf("%s, %q, root %s", w.verb, what, root)
				was := f.all(t)
				var out, errs bytes.Buffer
				code := run([]string{"payoff", w.verb, "-from", f.rec, "-apply"}, &out, &errs)
				if what == "" {
					if code != exitOK || f.all(t) == was || !exists(filepath.Join(f.rec, appliedFile)) {
						t.Errorf("%s: exit code %d, %s, want it written", label, code, &errs)
					}
				} else {
					if code != exitFailed || !strings.Contains(errs.String(), "nothing is written") {
						t.Errorf("%s: exit code %d, %s, want %d and that nothing is written", label, code, &errs, exitFailed)
					}
					if is := f.all(t); is != was || exists(filepath.Join(f.rec, appliedFile)) {
						t.Errorf("%s: the files are\n%s, want\n%s", label, is, was)
					}
				}
				// What is shown is what is written.
				out.Reset()
				if run([]string{"payoff", w.verb, "-from", f.rec}, &out, &errs); strings.Contains(out.String(), "better") || !strings.Contains(out.String(), "+"+strings.TrimSuffix(c.After, "\n")) {
					t.Errorf("%s: shown is\n%s, want the change itself: %q", label, &out, c.After)
				}

				diff := filepath.Join(t.TempDir(), "x.patch")
				code = run([]string{"payoff", w.verb, "-from", f.rec, "-patch", diff}, io.Discard, io.Discard)
				text, _ := os.ReadFile(diff)
				if code == exitOK != (len(text) > 0) || what == "" && code != exitOK {
					t.Errorf("%s: -patch: exit code %d and %q", label, code, text)
				}
				for line := range strings.Lines(string(text)) {
					if name, ok := strings.CutPrefix(strings.TrimSpace(line), "+++ "); ok {
						if name = strings.TrimPrefix(name, "b/"); !filepath.IsLocal(filepath.FromSlash(name)) || filepath.Ext(name) != ".go" {
							t.Errorf("%s: -patch names %q", label, name)
						}
					}
				}
			}
		}
	}
}

// A workspace is as far as its folder goes: a repository names in its go.work whatever it
// likes. What GOWORK names is the user's word.
func TestApplyInWorkspace(t *testing.T) {
	for _, tt := range []struct {
		name string
		work string // where go.work is
		says string // go.work
		env  bool
		ok   bool
	}{
		{"beneath go.work", "..", "go 1.22\n\nuse ./m\nuse ./beside\n", false, true},
		{"beside go.work", ".", "go 1.22\n\nuse .\nuse ../beside\n", false, false},
		{"through a link", ".", "go 1.22\n\nuse .\nuse ./linked\n", false, false},
		{"by GOWORK", ".", "go 1.22\n\nuse .\nuse ../beside\n", true, true},
	} {
		f := newHanded(t)
		put(t, filepath.Join(f.beside, "go.mod"), "module example.com/beside\n\ngo 1.22\n")
		if err := os.Symlink(f.beside, filepath.Join(f.module, "linked")); err != nil {
			t.Skip(err)
		}
		work := filepath.Join(f.module, tt.work, "go.work")
		put(t, work, tt.says)
		t.Setenv("GOWORK", "")
		if tt.env {
			t.Setenv("GOWORK", work)
		}
		t.Setenv("GOFLAGS", "")
		file := filepath.Join(f.beside, "b.go")
		if strings.Contains(tt.says, "linked") {
			file = filepath.Join(f.module, "linked", "b.go")
		}
		c := patch.Change{File: file, Before: "package b\n", After: "package b // new\n"}
		writes[0].save(t, f, c, "", "")
		for _, line := range [][]string{{"-from", f.rec, "-apply"}, {"-undo", f.rec}} {
			was := f.all(t)
			var out, errs bytes.Buffer
			code := run(append([]string{"payoff", "tune"}, line...), &out, &errs)
			if is := f.all(t); (code == exitOK) != tt.ok || (is != was) != tt.ok {
				t.Errorf("%s: %s: exit code %d, %s, and the files are\n%swere\n%s", tt.name, line[0], code, &errs, is, was)
			}
			if !tt.ok && line[0] == "-from" && !strings.Contains(errs.String(), "nothing is written") {
				t.Errorf("%s: says %s, want that nothing is written", tt.name, &errs)
			}
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

// A patch is written to the file of that name, never to what a link of that name leads
// to, which a repository may have made; a device is no file to be lost.
func TestPatchThroughLink(t *testing.T) {
	dir := t.TempDir()
	precious := filepath.Join(dir, "precious")
	changes := []patch.Change{{File: filepath.Join(dir, "a.go"), Before: "package m\n", After: "package m // better\n"}}
	link := filepath.Join(dir, "fix.patch")
	for _, to := range []string{precious, filepath.Join(dir, "nosuch")} {
		put(t, precious, "mine\n")
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
		if err := writePatch(link, dir, changes); err == nil || !strings.Contains(err.Error(), "is a link: name the file itself") {
			t.Errorf("through a link to %s: %v, want it refused", to, err)
		}
		if data, err := os.ReadFile(precious); err != nil || string(data) != "mine\n" || exists(filepath.Join(dir, "nosuch")) {
			t.Errorf("through a link to %s: %q, %v, want nothing written", to, data, err)
		}
		if err := os.Remove(link); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{link, precious} { // one that is not there, and one that is
		if err := writePatch(file, dir, changes); err != nil {
			t.Error(err)
		}
		if data, err := os.ReadFile(file); err != nil || string(data) != patch.Diff(dir, changes) {
			t.Errorf("%s has %q, %v, want the diff", file, data, err)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	out := filepath.Join(dir, "out")
	if err := os.Symlink(os.DevNull, out); err != nil {
		t.Fatal(err)
	}
	if err := writePatch(out, dir, changes); err != nil {
		t.Errorf("through a link to a device: %v", err)
	}
}

// A page is written through no link either, and no file takes the place of a device.
func TestPageForeign(t *testing.T) {
	dir := t.TempDir()
	precious, page := filepath.Join(dir, "precious"), filepath.Join(dir, "page.html")
	put(t, precious, "mine\n")
	for _, line := range [][]string{{"report", "-o", page, fixRecord}, {"replay", "-html", page, fixRecord}} {
		if err := os.Symlink(precious, page); err != nil {
			t.Skip(err)
		}
		var out, errs bytes.Buffer
		code := run(append([]string{"payoff"}, line...), &out, &errs)
		if data, err := os.ReadFile(precious); err != nil || string(data) != "mine\n" || code != exitFailed || !strings.Contains(errs.String(), "is a link: name the file itself") {
			t.Errorf("%s through a link: exit code %d, %s; it leads to %q, %v", line[0], code, &errs, data, err)
		}
		if err := os.Remove(page); err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS == "windows" {
			continue
		}
		null := append([]string{"payoff"}, line...)
		null[slices.Index(null, page)] = os.DevNull
		if code := run(null, &out, &errs); code != exitOK {
			t.Errorf("%s to %s: exit code %d, %s", line[0], os.DevNull, code, &errs)
		}
		if about, err := os.Lstat(os.DevNull); err != nil || about.Mode()&os.ModeCharDevice == 0 {
			t.Fatalf("%s is %v, %v", os.DevNull, about, err)
		}
	}
}

// Commands that look at a repository or a record run nothing of it: no test, no init, no
// generator. What they start is the go command, to list and to compile.
func TestLooks(t *testing.T) {
	f := newHanded(t)
	ran := filepath.Join(t.TempDir(), "ran")
	t.Setenv("PAYOFF_TEST_RAN", ran)
	t.Setenv("GOFLAGS", "")
	const trap = "\n//go:generate go test -run=^$ .\n\nvar ran = os.WriteFile(os.Getenv(\"PAYOFF_TEST_RAN\"), nil, 0o644)\n"
	put(t, filepath.Join(f.module, "a.go"), "package m\n\nimport \"os\"\n"+trap)
	put(t, filepath.Join(f.module, "a_test.go"), "package m\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) {\n\tos.WriteFile(os.Getenv(\"PAYOFF_TEST_RAN\"), nil, 0o644)\n\tos.Exit(m.Run())\n}\n\nfunc BenchmarkA(b *testing.B) {}\n")
	kept := filepath.Join(f.module, ".payoff", "runs", "20261123-100000")
	if err := os.CopyFS(kept, os.DirFS(fixRecord)); err != nil {
		t.Fatal(err)
	}
	for _, line := range [][]string{{"vet", "./..."}, {"vet", "-hints", "./..."}, {"log"}, {"show"}, {"replay", kept}, {"why", "-from", kept}, {"fix", "-from", kept}, {"fix", "-undo", kept}, {"prune"}} {
		var out, errs bytes.Buffer
		run(append([]string{"payoff"}, line...), &out, &errs)
		if exists(ran) {
			t.Fatalf("payoff %s ran the repository's code", strings.Join(line, " "))
		}
	}
	if out, err := exec.Command("go", "test", "-run=^$", ".").CombinedOutput(); err != nil || !exists(ran) {
		t.Errorf("go test ran nothing, and this test tests nothing: %v, %s", err, out)
	}
}

// A path of several lines in an error is no command of the system that runs payoff.
func TestErrorsOfPaths(t *testing.T) {
	f := newHanded(t)
	for _, line := range [][]string{{"replay"}, {"why", "-from"}, {"fix", "-from"}, {"fix", "-undo"}, {"tune", "-from"}, {"run", "-resume"}, {"vet"}, {"vet", "-from"}, {"show"}, {"report"}} {
		for _, path := range []string{"x\n::error file=a::b", "x\n \t::set-output name=a::b", "x##[error]y"} {
			var out, errs bytes.Buffer
			run(append(append([]string{"payoff"}, line...), filepath.Join(f.beside, path)), &out, &errs)
			for said := range strings.Lines(out.String() + errs.String()) {
				if strings.HasPrefix(strings.TrimSpace(said), "::") || strings.Contains(said, "##[") {
					t.Errorf("payoff %s %q says %q", strings.Join(line, " "), path, said)
				}
			}
			if errs.Len() == 0 {
				t.Errorf("payoff %s %q says nothing", strings.Join(line, " "), path)
			}
		}
	}
}

// Nor is what a command line says wrongly: a command, a flag, or its value.
func TestErrorsOfFlags(t *testing.T) {
	const evil = "x\n::error file=a::b\r::error::c ##[error]d"
	lines := [][]string{{evil}, {"-" + evil}, {"help", evil}}
	for _, c := range rootCommand(io.Discard, io.Discard).Commands {
		lines = append(lines, []string{c.Name, "-" + evil}, []string{c.Name, "-" + evil + "=1"})
		for _, f := range c.Flags {
			if _, text := f.(*cli.StringFlag); !text { // those are names and paths, and go further: see above
				lines = append(lines, []string{c.Name, "-" + f.Names()[0] + "=" + evil})
			}
		}
	}
	t.Chdir(t.TempDir())
	for _, line := range lines {
		var out, errs bytes.Buffer
		code := run(append([]string{"payoff"}, line...), &out, &errs)
		for said := range strings.Lines(strings.ReplaceAll(out.String()+errs.String(), "\r", "\n")) {
			if strings.HasPrefix(strings.TrimSpace(said), "::") || strings.Contains(said, "##[") {
				t.Errorf("payoff %q says %q", line, said)
			}
		}
		if code != exitFailed || errs.Len() == 0 {
			t.Errorf("payoff %q: exit code %d, %q, want %d and why", line, code, &errs, exitFailed)
		}
	}
	if len(lines) < 60 {
		t.Errorf("%d command lines: want those of all commands", len(lines))
	}
}
