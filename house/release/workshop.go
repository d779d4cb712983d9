package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/sumdb/dirhash"
	modzip "golang.org/x/mod/zip"
)

// A workshop is a folder for temporary files in which the release is made and tried.
// Nothing of it is in the user's module cache: the version may be tagged otherwise.
type workshop struct {
	*plan
	tmp    string
	out    io.Writer
	env    []string
	others string        // the proxies that have third parties' modules
	spent  time.Duration // processor time of the commands
}

// A packed is what the go command downloads of a module.
type packed struct {
	size  int64
	files int
	sum   string
}

// newWorkshop makes the repository of a plan's copy.
func newWorkshop(ctx context.Context, dir string, p *plan, out io.Writer) (*workshop, error) {
	w := &workshop{plan: p, tmp: dir, out: out}
	var user struct{ GOCACHE, GOMODCACHE, GOPROXY string }
	if told, err := output(ctx, ".", nil, "go", "env", "-json", "GOCACHE", "GOMODCACHE", "GOPROXY"); err != nil {
		return nil, err
	} else if err := json.Unmarshal([]byte(told), &user); err != nil {
		return nil, err
	}
	// What the user has set would change what the commands mean; so would a
	// repository that git was told of, as in a hook.
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); !strings.HasPrefix(name, "GO") && !strings.HasPrefix(name, "GIT_") && !strings.HasPrefix(name, "PAYOFF_") {
			w.env = append(w.env, v)
		}
	}
	w.others = "file://" + filepath.ToSlash(filepath.Join(user.GOMODCACHE, "cache", "download"))
	w.env = append(w.env,
		"HOME="+filepath.Join(dir, "home"), "XDG_CACHE_HOME="+filepath.Join(dir, "home", "cache"), "XDG_CONFIG_HOME="+filepath.Join(dir, "home", "config"),
		"GOCACHE="+user.GOCACHE, "GOMODCACHE="+filepath.Join(dir, "mod"), "GOWORK=off", "GOTOOLCHAIN=local", "GOSUMDB=off",
		"GOFLAGS=-modcacherw", "GOPROXY=file://"+filepath.ToSlash(w.proxy())+","+w.others)
	if err := os.MkdirAll(filepath.Join(dir, "home"), 0o755); err != nil {
		return nil, err
	}
	// The tree's own modules are never asked for elsewhere, and third parties' only
	// while go.sum is made: what is missing is in the workshop afterwards.
	w.others += "," + user.GOPROXY
	_, err := w.git(ctx, "init", "-q")
	return w, err
}

func (w *workshop) proxy() string { return filepath.Join(w.tmp, "proxy") }

// run runs a command in a folder, with more in its environment, and returns what it
// prints.
func (w *workshop) run(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, slices.Concat(w.env, env, []string{"PWD=" + dir})
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if cmd.ProcessState != nil {
		w.spent += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	if err != nil {
		return string(out), &failure{strings.Join(append([]string{filepath.Base(name)}, args...), " "), string(out) + stderr.String(), err}
	}
	return string(out), nil
}

// A failure is a command that failed, with what it printed.
type failure struct {
	command, said string
	err           error
}

func (f *failure) Error() string { return fmt.Sprintf("%s: %v\n%s", f.command, f.err, f.said) }
func (f *failure) Unwrap() error { return f.err }

// git runs git in the copy, whatever the user has configured.
func (w *workshop) git(ctx context.Context, args ...string) (string, error) {
	own := []string{"-c", "user.name=release", "-c", "user.email=release@localhost", "-c", "commit.gpgsign=false", "-c", "tag.gpgsign=false", "-c", "core.autocrlf=false", "-c", "init.defaultBranch=main"}
	return w.run(ctx, w.tree, []string{"GIT_CONFIG_NOSYSTEM=1"}, "git", append(own, args...)...)
}

// commit commits the copy as it stands.
func (w *workshop) commit(ctx context.Context, message string) error {
	if _, err := w.git(ctx, "add", "-A", "-f"); err != nil {
		return err
	}
	_, err := w.git(ctx, "commit", "-q", "--allow-empty", "-m", message)
	return err
}

// makeCommit makes the commit of the release in the copy, and its tags. A module's
// go.sum has the sum of those before it, so they are packed one after the other.
func (w *workshop) makeCommit(ctx context.Context) error {
	if err := w.commit(ctx, "the tree"); err != nil {
		return err
	}
	if err := w.edit(changelogName, func(data []byte) ([]byte, error) {
		text, section, err := takeSection(string(data), w.version, w.date)
		if w.rehearsal && errors.Is(err, errNothingNew) {
			return data, nil
		}
		w.section = section
		return []byte(text), err
	}); err != nil {
		return err
	}
	if err := w.edit("go.work", func(data []byte) ([]byte, error) { return setVersions("go.work", data, w.modules, w.version) }); err != nil {
		return err
	}
	workflows, err := filepath.Glob(filepath.Join(w.tree, filepath.FromSlash(workflowNames)))
	if err != nil {
		return err
	}
	for _, file := range workflows {
		name := path.Join(path.Dir(workflowNames), filepath.Base(file))
		if err := w.edit(name, func(data []byte) ([]byte, error) { return setInstalled(data, w.version), nil }); err != nil {
			return err
		}
	}
	for _, m := range w.modules {
		if m.code {
			if err := w.tidy(ctx, m); err != nil {
				return err
			}
		}
		if m.packed == nil {
			continue
		}
		var err error
		if *m.packed, err = w.publish(ctx, m, w.version); err != nil {
			return err
		}
	}
	if err := w.commit(ctx, "release "+w.version); err != nil {
		return err
	}
	for _, m := range w.modules {
		if m.packed != nil {
			if _, err := w.git(ctx, "tag", m.tag(w.version)); err != nil {
				return err
			}
		}
	}
	if w.patch, err = w.git(ctx, "diff", "HEAD~", "HEAD"); err != nil {
		return err
	}
	diff, err := w.git(ctx, "diff", "-U0", "HEAD~", "HEAD")
	w.changes = changesOf(diff)
	return err
}

// edit changes a file of the copy.
func (w *workshop) edit(name string, change func(data []byte) ([]byte, error)) error {
	file := filepath.Join(w.tree, filepath.FromSlash(name))
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if data, err = change(data); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}

// tidy sets the versions in a module's go.mod and has the go command write its
// go.sum. It fails where they were not tidy before.
func (w *workshop) tidy(ctx context.Context, m *mod) error {
	dir := filepath.Join(w.tree, filepath.FromSlash(m.dir))
	want, err := setVersions("go.mod", m.file, w.modules, w.version)
	if err != nil {
		return err
	}
	sumFile := filepath.Join(dir, "go.sum")
	sum, err := os.ReadFile(sumFile)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), want, 0o644); err != nil {
		return err
	}
	if len(sum) > 0 {
		if err := os.WriteFile(sumFile, []byte(withoutOurs(string(sum), w.modules)), 0o644); err != nil {
			return err
		}
	}
	if _, err := w.run(ctx, dir, []string{"GOPROXY=file://" + filepath.ToSlash(w.proxy()) + "," + w.others}, "go", "mod", "tidy"); err != nil {
		return err
	}
	got, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return err
	}
	gotSum, err := os.ReadFile(sumFile)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return untidy(m, want, got, string(sum), string(gotSum), w.modules)
}

// publish puts a version of a module into the proxy, as it stands in the copy.
func (w *workshop) publish(ctx context.Context, m *mod, version string) (p packed, err error) {
	if _, err := w.git(ctx, "add", "-A", "-f"); err != nil {
		return p, err
	}
	tree, err := w.git(ctx, "write-tree")
	if err != nil {
		return p, err
	}
	dir := filepath.Join(w.proxy(), filepath.FromSlash(m.path), "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return p, err
	}
	name := filepath.Join(dir, version)
	f, err := os.Create(name + ".zip")
	if err != nil {
		return p, err
	}
	defer f.Close()
	sub := m.dir
	if sub == "." {
		sub = ""
	}
	v := module.Version{Path: m.path, Version: version}
	if err := errors.Join(modzip.CreateFromVCS(f, v, w.tree, strings.TrimSpace(tree), sub), f.Close()); err != nil {
		return p, err
	}
	info, err := json.Marshal(map[string]any{"Version": version, "Time": time.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return p, err
	}
	goMod, err := os.ReadFile(filepath.Join(w.tree, filepath.FromSlash(m.dir), "go.mod"))
	if err != nil {
		return p, err
	}
	list, err := os.OpenFile(filepath.Join(dir, "list"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return p, err
	}
	_, err = fmt.Fprintln(list, version)
	if err := errors.Join(err, list.Close(), os.WriteFile(name+".info", info, 0o644), os.WriteFile(name+".mod", goMod, 0o644)); err != nil {
		return p, err
	}
	return weigh(name+".zip", v)
}

// weigh says of a module's zip what the go command will find.
func weigh(file string, v module.Version) (p packed, err error) {
	checked, err := modzip.CheckZip(v, file)
	if err != nil {
		return p, err
	}
	info, err := os.Stat(file)
	if err != nil {
		return p, err
	}
	p.size, p.files = info.Size(), len(checked.Valid)
	p.sum, err = dirhash.HashZip(file, dirhash.Hash1)
	return p, err
}
