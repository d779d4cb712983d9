package main

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
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
