package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/tune"
)

// What a recorded run recommends is written with -apply, once, and only to a file
// that is what it was.
func TestTuneApply(t *testing.T) {
	dir := t.TempDir()
	file, rec := filepath.Join(dir, "m.go"), filepath.Join(dir, "rec")
	const was, is = "package m\n\nconst n = 1\n", "package m\n\nconst n = 2\n"
	if err := os.Mkdir(rec, 0o755); err != nil {
		t.Fatal(err)
	}
	changes := []patch.Change{{File: file, Before: was, After: is}}
	c := tune.Constant{Name: "n", Package: "m", Present: 1}
	r := &tune.Record{Constant: c, Margin: 0.03, Alpha: 0.05, Trials: []tune.Trial{{Value: 1, Text: "1"}}}
	saved := &tune.Saved{Changes: changes, Patch: patch.Diff(dir, changes), Records: []*tune.Record{r}}
	if err := saved.Save(rec); err != nil {
		t.Fatal(err)
	}
	payoff := func(args ...string) (code int, stderr string) {
		var out, errs bytes.Buffer
		code = run(append([]string{"payoff", "tune", "-from", rec}, args...), &out, &errs)
		if !strings.Contains(out.String(), "+const n = 2\n") {
			t.Errorf("the report has no diff:\n%s", &out)
		}
		return code, errs.String()
	}
	holds := func(want string) {
		t.Helper()
		if data, err := os.ReadFile(file); err != nil || string(data) != want {
			t.Errorf("the file has %q, %v, want %q", data, err, want)
		}
	}
	t.Chdir(dir)
	put(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.22\n")
	if err := os.WriteFile(file, []byte(was), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _ := payoff(); code != exitOK {
		t.Errorf("without -apply: exit code %d", code)
	}
	holds(was)
	diff := filepath.Join(dir, "n.patch")
	if code, _ := payoff("-patch", diff); code != exitOK {
		t.Errorf("-patch: exit code %d", code)
	}
	if data, err := os.ReadFile(diff); err != nil || string(data) != saved.Patch {
		t.Errorf("-patch wrote %q, %v", data, err)
	}
	holds(was)
	code, said := payoff("-apply")
	if code != exitOK || !strings.Contains(said, "payoff: wrote "+file) || !strings.Contains(said, "payoff: to undo it: payoff tune -undo "+rec) {
		t.Errorf("-apply: exit code %d, %s", code, said)
	}
	holds(is)
	if code, said = payoff("-apply"); code != exitFailed || !strings.Contains(said, "are applied already: payoff tune -undo "+rec) {
		t.Errorf("-apply of what was applied: exit code %d, %s", code, said)
	}
	holds(is)
	undo := func() (code int, stderr string) {
		var out, errs bytes.Buffer
		code = run([]string{"payoff", "tune", "-undo", rec}, &out, &errs)
		return code, errs.String()
	}
	if err := os.WriteFile(file, []byte(is+"\nvar x int\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, said := undo(); code != exitFailed || !strings.Contains(said, "git apply -R "+filepath.Join(rec, "tune.patch")+" may take back a part") || !exists(filepath.Join(rec, "tune.patch")) {
		t.Errorf("-undo of what was edited since: exit code %d, %s", code, said)
	}
	if err := os.WriteFile(file, []byte(is), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, said := undo(); code != exitOK {
		t.Errorf("-undo: exit code %d, %s", code, said)
	}
	holds(was)
	const edited = was + "\nvar x int\n"
	if err := os.WriteFile(file, []byte(edited), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, said = payoff("-apply"); code != exitFailed || !strings.Contains(said, "has changed meanwhile: nothing is written") {
		t.Errorf("-apply to a file that has changed: exit code %d, %s", code, said)
	}
	holds(edited)
}
