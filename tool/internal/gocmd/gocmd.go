// Package gocmd asks the user's go command: which toolchain rules in a
// directory, which packages match a pattern, build this test binary.
//
// It never changes go.mod, go.sum or a source file.
package gocmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ErrNoGo says that no go command can be run.
var ErrNoGo = errors.New("no go command in PATH: install Go 1.22 or later, or add its bin folder to PATH")

// A Toolchain is the go command as it answers in one directory: go.mod, go.work
// and GOTOOLCHAIN decide its version. Its methods may be called at once.
type Toolchain struct {
	Dir      string // where it was asked, and runs
	Version  string // go1.26.8
	Root     string // GOROOT
	OS, Arch string // of the binaries it builds
	ModCache string
	Work     string // folder of go.work, else of go.mod, else ""
	Flags    string // GOFLAGS
	Tags     string // build tags handed to every call

	cmd   string
	env   []string
	race  bool
	bare  bool
	index string // of the overlay that List and Inputs see; see Under
}

// Find asks the go command in dir. Variables in env, as KEY=VALUE, are set for
// each call, over what the environment has.
func Find(ctx context.Context, dir, tags string, env ...string) (*Toolchain, error) {
	cmd, err := exec.LookPath("go")
	if err != nil {
		return nil, ErrNoGo
	}
	t := &Toolchain{Dir: dir, Tags: tags, cmd: cmd, env: env}
	out, err := t.run(ctx, "env", "-json", "GOVERSION", "GOROOT", "GOOS", "GOARCH", "GOMODCACHE", "GOWORK", "GOMOD", "GOFLAGS")
	if err != nil {
		return nil, fmt.Errorf("go env in %s: %w", dir, err)
	}
	var said struct{ GOVERSION, GOROOT, GOOS, GOARCH, GOMODCACHE, GOWORK, GOMOD, GOFLAGS string }
	if err := json.Unmarshal(out, &said); err != nil {
		return nil, fmt.Errorf("go env in %s: %w", dir, err)
	}
	t.Version, t.Root, t.OS, t.Arch, t.ModCache, t.Flags = said.GOVERSION, said.GOROOT, said.GOOS, said.GOARCH, said.GOMODCACHE, said.GOFLAGS
	for _, f := range []string{said.GOWORK, said.GOMOD} {
		if f != "" && f != "off" && f != os.DevNull {
			t.Work = filepath.Dir(f)
			break
		}
	}
	return t, nil
}

// OwnTree is the folder of the module or workspace that the user works in, ""
// where the go command was asked outside of any, or in a tree that is not the
// user's to write to: the module cache, GOROOT, the root of the file system.
func (t *Toolchain) OwnTree() string {
	if t.Work == "" || filepath.Dir(t.Work) == t.Work || Within(t.ModCache, t.Work) || Within(t.Root, t.Work) {
		return ""
	}
	return t.Work
}

// Holds reports whether a module in dir belongs to the tree where the go command was
// asked. Whoever wrote go.work can name a folder anywhere in it; one outside of its own
// folder is the user's to name, by GOWORK.
func (t *Toolchain) Holds(dir string) bool { return os.Getenv("GOWORK") != "" || Within(t.Work, dir) }

// Within reports whether path is dir or lies beneath it, by whatever links; nothing
// lies beneath "".
func Within(dir, path string) bool {
	if dir == "" {
		return false
	}
	for _, p := range []*string{&dir, &path} {
		if real, err := filepath.EvalSymlinks(*p); err == nil {
			*p = real
		}
	}
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// Unlock returns a toolchain whose standard library an overlay may replace.
// The go command refuses that for files beneath the module cache, and that is
// where a downloaded toolchain lies; through a link at a fixed place under
// cache it is the same toolchain elsewhere. The first build through the link
// compiles the standard library once more.
func (t *Toolchain) Unlock(cache string) (*Toolchain, error) {
	rel, err := filepath.Rel(t.ModCache, t.Root)
	if err != nil || t.ModCache == "" || strings.HasPrefix(rel, "..") {
		return t, nil
	}
	link := filepath.Join(cache, "goroot", filepath.Base(t.Root))
	if to, err := os.Readlink(link); err != nil || to != t.Root {
		if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
			return nil, err
		}
		if err := os.Remove(link); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		if err := os.Symlink(t.Root, link); err != nil && !errors.Is(err, os.ErrExist) {
			return nil, err
		}
	}
	u := *t
	u.Root = link
	u.cmd = filepath.Join(link, "bin", filepath.Base(t.cmd))
	u.env = slices.Concat(t.env, []string{"GOROOT=" + link, "GOTOOLCHAIN=local"})
	return &u, nil
}

// Under returns a toolchain whose List, Inputs and Loaded see the files of an overlay,
// by the path that writing it gave. It asks no network for a module that is not here:
// that the code needs one is then a fault.
func (t *Toolchain) Under(index string) *Toolchain {
	u := *t
	u.index = index
	u.env = append(slices.Clone(t.env), "GOPROXY=off")
	return &u
}

// A Package is what go list tells of one.
type Package struct {
	ImportPath string
	Dir        string
	Name       string
	Standard   bool
	Module     *struct {
		Path, Version, Dir, GoVersion string
		Main                          bool
	}
	GoFiles      []string
	TestGoFiles  []string
	XTestGoFiles []string
	Error        *struct{ Err string }
}

// List returns the packages that match the patterns. A pattern that matches
// nothing or a package that cannot be loaded is a Package with an Error.
func (t *Toolchain) List(ctx context.Context, patterns []string) ([]Package, error) {
	args := []string{"list", "-e", "-json=ImportPath,Dir,Name,Standard,Module,GoFiles,TestGoFiles,XTestGoFiles,Error"}
	if t.Tags != "" {
		args = append(args, "-tags", t.Tags)
	}
	if t.index != "" {
		args = append(args, "-overlay", t.index)
	}
	out, err := t.run(ctx, append(append(args, "--"), patterns...)...)
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", strings.Join(patterns, " "), err)
	}
	var pkgs []Package
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p Package
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list %s: %w", strings.Join(patterns, " "), err)
		}
		pkgs = append(pkgs, p)
	}
}

// BuildTest compiles the test binary of pkg to out, under the overlay file
// unless that is "". A layout other than 0 is a seed for the order in which the
// linker lays out functions; only the link is done again for each. The error
// holds what the compiler or the linker said.
func (t *Toolchain) BuildTest(ctx context.Context, pkg, out, overlay string, layout int) error {
	args := []string{"test", "-c", "-vet=off", "-trimpath=false", "-o", out} // places are files that can be opened
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	flags, _ := t.linker()
	if layout != 0 {
		flags = fmt.Sprintf("%s -randlayout=%d", flags, layout)
	}
	if t.bare {
		flags += " -w -buildid="
	}
	if layout != 0 || t.bare {
		args = append(args, "-ldflags="+strings.TrimSpace(flags))
	}
	if t.race {
		args = append(args, "-race")
	}
	if t.Tags != "" {
		args = append(args, "-tags", t.Tags)
	}
	_, err := t.run(ctx, append(args, pkg)...)
	return err
}

// Race returns the toolchain with the race detector in the binaries it builds.
func (t *Toolchain) Race() *Toolchain {
	r := *t
	r.race = true
	return &r
}

// Bare returns the toolchain without debugging information and build IDs in the binaries
// it builds.
func (t *Toolchain) Bare() *Toolchain {
	b := *t
	b.bare = true
	return &b
}

// Vet returns what go vet complains of in packages, a line each with its place,
// under the overlay file unless that is "". The error says why it could not
// look.
func (t *Toolchain) Vet(ctx context.Context, pkgs []string, overlay string) ([]string, error) {
	args := []string{"vet"}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	if t.Tags != "" {
		args = append(args, "-tags", t.Tags)
	}
	_, err := t.run(ctx, append(args, pkgs...)...)
	if err == nil || ctx.Err() != nil {
		return nil, err
	}
	var said []string
	for line := range strings.Lines(err.Error()) {
		if line = strings.TrimRight(line, "\r\n"); complaint.MatchString(line) {
			said = append(said, line)
		}
	}
	if len(said) == 0 {
		return nil, fmt.Errorf("go vet: %w", err)
	}
	return said, nil
}

// complaint is a line of go vet that begins with a place. The lines below one
// that is of several are indented.
var complaint = regexp.MustCompile(`^(vet: )?[^#\s].*\.go:\d+(:\d+)?: `)

// Orders reports whether binaries can be linked in other orders of their functions:
// not where GOFLAGS has flags for the linker that are of some packages alone. To those
// of all packages the flag for an order is added, which would replace them else.
func (t *Toolchain) Orders() bool {
	_, ok := t.linker()
	return ok
}

// linker is what GOFLAGS has for the linker, and whether that is for all packages.
func (t *Toolchain) linker() (flags string, ok bool) {
	for _, f := range fields(t.Flags) {
		if name, value, set := strings.Cut("-"+strings.TrimLeft(f, "-"), "="); set && name == "-ldflags" {
			flags = strings.TrimSpace(value)
		}
	}
	return flags, flags == "" || strings.HasPrefix(flags, "-") || strings.HasPrefix(flags, "all=")
}

// fields are those of GOFLAGS: one that begins with a quote ends with it.
func fields(s string) (all []string) {
	for {
		if s = strings.TrimLeft(s, " \t\r\n"); s == "" {
			return all
		}
		end, rest := strings.IndexAny(s, " \t\r\n"), 0
		if q := s[0]; q == '\'' || q == '"' {
			s = s[1:]
			end, rest = strings.IndexByte(s, q), 1
		}
		if end < 0 {
			return append(all, s)
		}
		all = append(all, s[:end])
		s = s[end+rest:]
	}
}

// Instruments returns the flag in GOFLAGS that puts something into the code
// which would be measured with it, or "".
func (t *Toolchain) Instruments() (flag string) {
	for _, f := range strings.Fields(t.Flags) {
		name, value, set := strings.Cut("-"+strings.TrimLeft(f, "-"), "=")
		switch name {
		case "-race", "-msan", "-asan", "-cover":
			if on, err := strconv.ParseBool(value); !set || on && err == nil {
				flag = name
			} else if flag == name {
				flag = ""
			}
		}
	}
	return flag
}

func (t *Toolchain) run(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, t.cmd, args...)
	cmd.Dir = t.Dir
	cmd.Env = append(os.Environ(), t.env...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // it takes its work folder away
	cmd.WaitDelay = 5 * time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		msg := strings.TrimSpace(stderr.String())
		if msg == "" {
			msg = strings.TrimSpace(string(out))
		}
		if msg == "" {
			msg = err.Error()
		}
		return nil, errors.New(msg) // with newlines, as go prints them
	}
	return out, nil
}
