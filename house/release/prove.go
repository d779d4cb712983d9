package main

import (
	"context"
	"embed"
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

// programs are what users write: a package with benchmarks, and by their packages
// tests of what the library has no example of.
//
//go:embed testdata/user testdata/library
var programs embed.FS

// A toolchain is a Go release that the proof is made with.
type toolchain struct {
	goVersion string // go1.26.8
	command   string // its go command
	bin       string // folder of that
	dir       string // for what is made with it
}

// find finds a Go release by its name, be it local or downloaded by the go command,
// which keeps it where it keeps the user's.
func (w *workshop) find(ctx context.Context, name string) (toolchain, error) {
	var env []string
	if name != "local" {
		env = append(env, "GOTOOLCHAIN="+name)
	}
	told, err := output(ctx, ".", env, "go", "env", "GOVERSION", "GOROOT")
	if err != nil {
		return toolchain{}, err
	}
	version, root, _ := strings.Cut(strings.TrimSpace(told), "\n")
	t := toolchain{goVersion: version, bin: filepath.Join(root, "bin"), dir: filepath.Join(w.tmp, version)}
	t.command = filepath.Join(t.bin, "go")
	return t, os.MkdirAll(t.dir, 0o755)
}

// prove does what users do with what is tagged.
func (w *workshop) prove(ctx context.Context, names []string) error {
	fmt.Fprintln(w.out, "\nproof:")
	if err := w.step("the go command makes the same of the tags", func() (string, error) { return w.fromTags(ctx) }); err != nil {
		return err
	}
	if err := w.step("a gallery that breaks the tool is published", func() (string, error) { return w.breakGallery(ctx) }); err != nil {
		return err
	}
	var done []string
	for _, name := range names {
		t, err := w.find(ctx, name)
		if err != nil && name != "local" {
			fmt.Fprintf(w.out, "left out: %s cannot be had here: %s\n", name, last(err.Error()))
			continue
		}
		if err != nil {
			return err
		}
		if slices.Contains(done, t.goVersion) {
			continue
		}
		done = append(done, t.goVersion)
		fmt.Fprintf(w.out, "with %s:\n", t.goVersion)
		u := &user{workshop: w, toolchain: t, work: filepath.Join(t.dir, "user")}
		for _, s := range []struct {
			name string
			do   func(context.Context) (string, error)
		}{
			{"each module builds against what it requires", u.proveModules},
			{"payoff is installed", u.proveInstall},
			{"the tool would not build with the later gallery", u.proveBroken},
			{"payoff version", u.proveVersion},
			{"payoff run", u.proveRun},
			{"payoff gallery run dispatch", u.proveGallery},
			{"payoff fix -lib", u.proveFix},
			{"go vet -vettool", u.proveVettool},
			{"each package of the library", u.proveLibrary},
		} {
			if err := w.step(s.name, func() (string, error) { return s.do(ctx) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// step does a part of the proof and says what came of it.
func (w *workshop) step(name string, do func() (string, error)) error {
	from, spent := time.Now(), w.spent
	note, err := do()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	fmt.Fprintf(w.out, "  ok  %-50s %5.1f s, %5.1f s of processor time   %s\n", name, time.Since(from).Seconds(), (w.spent - spent).Seconds(), note)
	return nil
}

// fromTags has the go command make the zips of the repository with its tags, as a
// proxy does, and compares their sums with those in go.sum. A wrong one there could
// never be mended: versions are for good.
func (w *workshop) fromTags(ctx context.Context) (string, error) {
	env := []string{
		"GOPROXY=direct", "GOMODCACHE=" + filepath.Join(w.tmp, "direct"), "GIT_CONFIG_COUNT=1",
		"GIT_CONFIG_KEY_0=url.file://" + filepath.ToSlash(w.tree) + ".insteadOf", "GIT_CONFIG_VALUE_0=https://" + w.modules[0].path,
	}
	n := 0
	for _, m := range w.modules {
		if m.packed == nil {
			continue
		}
		told, err := w.run(ctx, w.tmp, env, "go", "mod", "download", "-json", m.path+"@"+w.version)
		if err != nil {
			return "", err
		}
		var got struct{ Sum string }
		if err := json.Unmarshal([]byte(told), &got); err != nil {
			return "", err
		}
		if got.Sum != m.packed.sum {
			return "", fmt.Errorf("%s has sum %s, and go.sum has %s", m.path, got.Sum, m.packed.sum)
		}
		n++
	}
	return fmt.Sprintf("%d zips", n), nil
}

// renamed is a function of the gallery that the tool calls.
var renamed = regexp.MustCompile(`\bCases\(`)

// breakGallery publishes a later version of the gallery in which a function has
// another name. The copy is as before when it is done.
func (w *workshop) breakGallery(ctx context.Context) (string, error) {
	i := slices.IndexFunc(w.modules, func(m *mod) bool { return m.dir == "gallery" })
	if i < 0 {
		return "", fmt.Errorf("there is no gallery")
	}
	m, n := w.modules[i], 0
	files, err := filepath.Glob(filepath.Join(w.tree, m.dir, "*.go"))
	if err != nil {
		return "", err
	}
	for _, file := range files {
		if err := w.edit(filepath.ToSlash(filepath.Join(m.dir, filepath.Base(file))), func(data []byte) ([]byte, error) {
			n += len(renamed.FindAll(data, -1))
			return renamed.ReplaceAll(data, []byte("EveryCase(")), nil
		}); err != nil {
			return "", err
		}
	}
	if n == 0 {
		return "", fmt.Errorf("the gallery has no function Cases any more: name another one that the tool calls")
	}
	if _, err := w.publish(ctx, m, after(w.version)); err != nil {
		return "", err
	}
	_, err = w.git(ctx, "reset", "-q", "--hard")
	return fmt.Sprintf("%s@%s has EveryCase for Cases", m.path, after(w.version)), err
}

// A user is somebody with one Go release, outside of the repository.
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

// proveInstall: the command of the version is built of the modules of the version,
// although there is a later gallery.
func (u *user) proveInstall(ctx context.Context) (string, error) {
	at := u.modulePath("tool") + "/cmd/payoff@" + u.version
	if _, err := u.goDo(ctx, u.dir, []string{"GOBIN=" + filepath.Dir(u.payoff())}, "install", at); err != nil {
		return "", err
	}
	told, err := u.goDo(ctx, u.dir, nil, "version", "-m", u.payoff())
	if err != nil {
		return "", err
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
	said, err := u.do(ctx, u.work, nil, u.payoff(), "run", "-budget", "1s", "-verdicts", "-o", "run", ".")
	if err != nil {
		return "", err
	}
	return nextOf(said, "Squares")
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
	said, err := u.do(ctx, u.dir, nil, u.payoff(), "gallery", "run", "-budget", "1s", "-verdicts", "-o", "dispatch", "dispatch")
	if err != nil {
		return "", err
	}
	return nextOf(said, "dispatch")
}

// proveFix: an edit that uses the library builds and passes the user's tests. It
// takes the library from payoff: the user's module does not require it.
func (u *user) proveFix(ctx context.Context) (string, error) {
	var told string
	for budget := 8 * time.Second; budget < 2*time.Minute; budget *= 2 { // on a busy machine the first is too short
		// Without cgo there is no race detector, whose standard library would have
		// to be compiled.
		said, err := u.do(ctx, u.work, []string{"CGO_ENABLED=0"}, u.payoff(), "fix", "-lib", "-fresh", "-only", "goperelem", "-procs", "2", "-budget", budget.String(), "-json", "BenchmarkSquares/variant=each", ".")
		if err != nil {
			return "", err
		}
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
		if err := json.Unmarshal([]byte(said), &doc); err != nil {
			return "", fmt.Errorf("%w\n%s", err, said)
		}
		for _, p := range doc.Fixes {
			for _, f := range p.Findings {
				for _, e := range f.Fixes {
					if e.Needs == u.modulePath(".")+"/par" {
						told = fmt.Sprintf("%s passed %s: %s, %s", e.ID, strings.Join(e.Checks, ", "), e.Word, e.Why)
						if slices.Contains(e.Checks, "tests") {
							return told, nil
						}
					}
				}
			}
		}
	}
	return "", fmt.Errorf("no edit that uses the library was tried: %s", told)
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
