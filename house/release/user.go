package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A user is one Go release, outside of the repository, and what it is used for.
type user struct {
	*workshop
	toolchain
	work string // the folder of a module of theirs
}

// do runs a command as the user.
func (u *user) do(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	env = append([]string{"PATH=" + u.bin + string(os.PathListSeparator) + os.Getenv("PATH")}, env...)
	return u.workshop.run(ctx, dir, env, name, args...)
}

// goDo runs the go command. Paths are trimmed, so that what it compiles is found
// in its cache by the next proof, which works in another folder.
func (u *user) goDo(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	return u.do(ctx, dir, append([]string{"GOFLAGS=-modcacherw -trimpath"}, env...), u.command, args...)
}

func (u *user) payoff() string { return filepath.Join(u.dir, "bin", "payoff") }

func (u *user) modulePath(dir string) string {
	return u.modules[slices.IndexFunc(u.modules, func(m *mod) bool { return m.dir == dir })].path
}

// proveModules: without go.work each module that is tagged builds against what it
// requires, and vets, and asks for nothing that its go.sum does not have. For the
// library, which requires nothing, go.work changes nothing.
func (u *user) proveModules(ctx context.Context) (string, error) {
	n := 0
	for _, m := range u.modules {
		if m.packed == nil || len(m.requires) == 0 {
			continue
		}
		n++
		dir, env := filepath.Join(u.tree, m.dir), []string{"GOFLAGS=-modcacherw -trimpath -buildvcs=false -mod=readonly"}
		for _, args := range [][]string{{"build", "./..."}, {"vet", "./..."}, {"mod", "verify"}, {"mod", "graph"}} {
			if _, err := u.goDo(ctx, dir, env, args...); err != nil {
				return "", fmt.Errorf("in %s: %w", m.path, err)
			}
		}
	}
	return fmt.Sprintf("%d modules", n), nil
}

// proveInstall: the commands of the version are built of the modules of the version,
// although there is a later gallery.
func (u *user) proveInstall(ctx context.Context) (string, error) {
	told := ""
	at := u.modulePath("tool") + "/cmd/payoff@" + u.version
	for _, at := range []string{at, u.modulePath("tool/fleet") + "/cmd/payoff-fleet@" + u.version, u.modulePath("pipe/jetstream") + "/example@" + u.version} {
		if _, err := u.goDo(ctx, u.dir, []string{"GOBIN=" + filepath.Dir(u.payoff())}, "install", at); err != nil {
			return "", err
		}
	}
	for _, name := range []string{u.payoff(), u.payoff() + "-fleet", filepath.Join(filepath.Dir(u.payoff()), "example")} {
		of, err := u.goDo(ctx, u.dir, nil, "version", "-m", name)
		if err != nil {
			return "", err
		}
		told += of
	}
	var of []string
	for _, m := range u.modules {
		if m.packed == nil {
			continue
		}
		if !slices.ContainsFunc(strings.Split(told, "\n"), func(line string) bool {
			f := strings.Fields(line)
			return len(f) > 2 && f[1] == m.path && f[2] == u.version
		}) {
			return "", fmt.Errorf("go install %s takes other versions than %s of %s:\n%s", at, u.version, m.path, told)
		}
		of = append(of, m.tag(u.version))
	}
	return "of " + strings.Join(of, ", "), nil
}

// proveBroken: what proveInstall shows is no accident.
func (u *user) proveBroken(ctx context.Context) (string, error) {
	dir := filepath.Join(u.dir, "broken")
	if err := u.module(ctx, dir, u.modulePath("tool")+"@"+u.version, u.modulePath("gallery")+"@"+after(u.version)); err != nil {
		return "", err
	}
	said, err := u.goDo(ctx, dir, []string{"GOFLAGS=-modcacherw -trimpath -mod=mod"}, "build", "-o", os.DevNull, u.modulePath("tool")+"/cmd/payoff")
	if err == nil {
		return "", fmt.Errorf("it builds:\n%s", said)
	}
	for line := range strings.Lines(err.Error()) {
		if strings.Contains(line, "undefined: gallery.") {
			_, what, _ := strings.Cut(strings.TrimSpace(line), ": ")
			return what, nil
		}
	}
	return "", fmt.Errorf("it fails for another reason: %w", err)
}

func (u *user) proveVersion(ctx context.Context) (string, error) {
	said, err := u.do(ctx, u.dir, nil, u.payoff(), "version")
	if err != nil {
		return "", err
	}
	if want := "payoff version " + u.version + "\n"; said != want {
		return "", fmt.Errorf("it says %q, want %q", said, want)
	}
	return strings.TrimSpace(said), nil
}

// proveRun makes the user's module, and measures it too shortly for a verdict.
func (u *user) proveRun(ctx context.Context) (string, error) {
	if err := u.module(ctx, u.work); err != nil {
		return "", err
	}
	if err := u.lay("testdata/user", u.work); err != nil {
		return "", err
	}
	return patiently(time.Second, func(budget string) (string, error) {
		said, err := u.do(ctx, u.work, nil, u.payoff(), "run", "-budget", budget, "-verdicts", ".")
		if err != nil {
			return "", err
		}
		return nextOf(said, "Squares")
	})
}

// nextOf is the last line of a report, which is a command, if the report has a word.
func nextOf(report, word string) (string, error) {
	lines := strings.Split(strings.TrimSpace(report), "\n")
	next := lines[len(lines)-1]
	if !strings.Contains(report, word) || !strings.HasPrefix(next, "next: ") {
		return "", fmt.Errorf("no report of %s that ends with the next command:\n%s", word, report)
	}
	return next, nil
}

func (u *user) proveGallery(ctx context.Context) (string, error) {
	return patiently(time.Second, func(budget string) (string, error) {
		said, err := u.do(ctx, u.dir, nil, u.payoff(), "gallery", "run", "-budget", budget, "-verdicts", "dispatch")
		if err != nil {
			return "", err
		}
		return nextOf(said, "dispatch")
	})
}

// proveFix: an edit that uses the library builds and passes the user's tests. It
// takes the library from payoff: the user's module does not require it.
func (u *user) proveFix(ctx context.Context) (string, error) {
	return patiently(8*time.Second, func(budget string) (string, error) {
		// Without cgo there is no race detector, whose standard library would have
		// to be compiled.
		said, err := u.do(ctx, u.work, []string{"CGO_ENABLED=0"}, u.payoff(), "fix", "-lib", "-fresh", "-only", "goperelem", "-procs", "2", "-budget", budget, "-json", "BenchmarkSquares/variant=each", ".")
		if err != nil {
			return "", err
		}
		return triedOf(said, u.modulePath(".")+"/par")
	})
}

// triedOf is what a report in JSON says of an edit that needs a package, if it has
// passed the tests.
func triedOf(report, needs string) (string, error) {
	var doc struct {
		Fixes []struct {
			Findings []struct {
				Fixes []struct {
					ID, Needs, Word, Why string
					Checks               []string
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(report), &doc); err != nil {
		return "", fmt.Errorf("%w\n%s", err, report)
	}
	for _, p := range doc.Fixes {
		for _, f := range p.Findings {
			for _, e := range f.Fixes {
				if e.Needs == needs && slices.Contains(e.Checks, "tests") {
					return fmt.Sprintf("%s passed %s: %s, %s", e.ID, strings.Join(e.Checks, ", "), e.Word, e.Why), nil
				}
			}
		}
	}
	return "", fmt.Errorf("no edit that needs %s has passed the tests:\n%s", needs, report)
}

// patiently does what measures with ever larger budgets, up to a minute: on a busy
// machine the first one is too short for anything.
func patiently(budget time.Duration, do func(budget string) (string, error)) (string, error) {
	for {
		note, err := do(budget.String())
		if err == nil || budget > time.Minute {
			return note, err
		}
		budget *= 2
	}
}

// idle is what is wrong in package idle. The folder before it may be that of an
// earlier proof, of which the go command remembers what was said.
var idle = regexp.MustCompile(`\bidle_test\.go:\d+:\d+: .+`)

// proveVettool: go vet runs payoff, and fails for what it finds.
func (u *user) proveVettool(ctx context.Context) (string, error) {
	said, err := u.goDo(ctx, u.work, nil, "vet", "-vettool="+u.payoff(), "./...")
	if err == nil {
		return "", fmt.Errorf("it finds nothing:\n%s", said)
	}
	if found := idle.FindString(err.Error()); found != "" {
		return found, nil
	}
	return "", fmt.Errorf("it does not find what is wrong in idle: %w", err)
}

// proveLibrary: whoever gets the library can use each of its packages. The examples
// of its documentation are run in a module of the user's.
func (u *user) proveLibrary(ctx context.Context) (string, error) {
	dir := filepath.Join(u.dir, "library")
	root := u.modulePath(".")
	if err := u.module(ctx, dir, root+"@"+u.version); err != nil {
		return "", err
	}
	if err := u.lay("testdata/library", dir); err != nil {
		return "", err
	}
	told, err := u.goDo(ctx, u.tree, nil, "list", "-f", "{{if .GoFiles}}{{.ImportPath}}{{end}}", "./...")
	if err != nil {
		return "", err
	}
	var names []string
	for _, pkg := range strings.Fields(told) {
		name := strings.TrimPrefix(pkg, root+"/")
		if pkg == root || slices.Contains(strings.Split(name, "/"), "internal") {
			continue // the tool's, and what nobody can import
		}
		names = append(names, name)
		examples, err := filepath.Glob(filepath.Join(u.tree, filepath.FromSlash(name), "*example*_test.go"))
		if err != nil {
			return "", err
		}
		for _, file := range examples {
			data, err := os.ReadFile(file)
			if err != nil {
				return "", err
			}
			if err := write(filepath.Join(dir, filepath.FromSlash(name), filepath.Base(file)), data); err != nil {
				return "", err
			}
		}
	}
	said, err := u.goDo(ctx, dir, nil, "test", "-json", "./...")
	if err != nil {
		return "", err
	}
	ran := passed(said)
	tests := 0
	for _, name := range names {
		n := ran["example.com/user/"+name]
		if n == 0 {
			return "", fmt.Errorf("package %s has no example that runs: write one, or a test in house/release/testdata/library/%[1]s", name)
		}
		tests += n
	}
	return fmt.Sprintf("%d packages, %d examples", len(names), tests), nil
}

// passed counts the tests that go test -json says passed, by package.
func passed(events string) map[string]int {
	n := make(map[string]int)
	for line := range strings.Lines(events) {
		var e struct{ Action, Package, Test string }
		if json.Unmarshal([]byte(line), &e) == nil && e.Action == "pass" && e.Test != "" {
			n[e.Package]++
		}
	}
	return n
}

// module makes a module of the user's that requires others.
func (u *user) module(ctx context.Context, dir string, requires ...string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if _, err := u.goDo(ctx, dir, nil, "mod", "init", "example.com/user"); err != nil {
		return err
	}
	if len(requires) == 0 {
		return nil
	}
	_, err := u.goDo(ctx, dir, nil, append([]string{"get"}, requires...)...)
	return err
}

// lay writes the programs of a folder to another.
func (u *user) lay(from, to string) error {
	return fs.WalkDir(programs, from, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := programs.ReadFile(name)
		if err != nil {
			return err
		}
		return write(filepath.Join(to, filepath.FromSlash(strings.TrimPrefix(name, from+"/"))), data)
	})
}

func write(file string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}

// last is the last line of a text that says something.
func last(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
