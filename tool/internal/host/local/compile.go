package local

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/probe"
)

// A Compiler builds test binaries with the user's toolchain, for this machine
// or for a host that gets the image. One call at a time.
type Compiler struct {
	tc         *gocmd.Toolchain
	dir, cache string
	variants   []*variant
}

// A variant is one state of the code of a package.
type variant struct {
	pkg     string
	change  overlay.Overlay
	plain   bool // asked for so
	race    bool
	bare    bool
	askers  bool
	dir     string
	tc      *gocmd.Toolchain // that builds it
	index   string           // of the overlay; "" without one
	probed  bool
	missing []string
	layouts map[int]string // executables
}

// NewCompiler returns a compiler that writes to dir, which must exist, and
// keeps what outlives it in cache, or in dir if that is "".
func NewCompiler(tc *gocmd.Toolchain, dir, cache string) *Compiler {
	if cache == "" {
		cache = dir
	}
	return &Compiler{tc: tc, dir: dir, cache: cache}
}

// Compile builds s and returns the path of the executable, and what
// [host.Host.Build] tells of it but for its ID. What is there stays; a layout
// costs some tenths of a second for a small package, the first one its
// compilation.
func (c *Compiler) Compile(ctx context.Context, s host.Source) (file string, b host.Binary, err error) {
	v, err := c.variant(ctx, s)
	if err != nil {
		return "", b, err
	}
	file, ok := v.layouts[s.Layout]
	if !ok {
		if !v.tc.Orders() {
			return "", b, &host.Fault{Reason: "the functions cannot be put into another order, since GOFLAGS sets -ldflags for some packages alone"}
		}
		if file, err = v.build(ctx, s.Layout); err != nil {
			return "", b, unordered(err, v.tc.Version)
		}
	}
	b = host.Binary{OS: v.tc.OS, Probed: v.probed, Missing: v.missing}
	if s.Image {
		b.Image, err = os.ReadFile(file)
	}
	return file, b, err
}

// known returns the place of the variant of s, -1 if it was not compiled.
func (c *Compiler) known(s host.Source) int {
	return slices.IndexFunc(c.variants, func(v *variant) bool {
		return v.pkg == s.Package && v.plain == s.Plain && v.race == s.Race && v.bare == s.Bare && v.askers == s.Askers && reflect.DeepEqual(v.change, s.Change)
	})
}

// Forget takes the binary of s from the disk, or with Layout 0 those of all its
// layouts.
func (c *Compiler) Forget(s host.Source) {
	i := c.known(s)
	switch {
	case i < 0:
	case s.Layout == 0:
		os.RemoveAll(c.variants[i].dir)
		c.variants = slices.Delete(c.variants, i, i+1)
	default:
		if file, ok := c.variants[i].layouts[s.Layout]; ok {
			os.Remove(file)
			delete(c.variants[i].layouts, s.Layout)
		}
	}
}

// variant returns that of s, with the binary of its first layout.
func (c *Compiler) variant(ctx context.Context, s host.Source) (*variant, error) {
	if i := c.known(s); i >= 0 {
		return c.variants[i], nil
	}
	dir, err := os.MkdirTemp(c.dir, "binary-")
	if err != nil {
		return nil, err
	}
	v := &variant{pkg: s.Package, change: s.Change, plain: s.Plain, race: s.Race, bare: s.Bare, askers: s.Askers, dir: dir, layouts: map[int]string{}}
	tc := c.tc
	if s.Race {
		tc = tc.Race()
	}
	if s.Bare {
		tc = tc.Bare()
	}
	reason := "switched off"
	if !s.Plain {
		switch err = v.probe(ctx, tc, c.cache); {
		case err == nil:
			if !countsGoroutines(v.tc.Version) {
				v.missing = append(v.missing, "goroutines created: needs Go 1.26, the package is built by "+v.tc.Version)
			}
			if v.tc.OS != "linux" {
				v.missing = append(v.missing, "what other processes ran: only Linux tells it, so samples that they disturbed are not dropped")
			}
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case untested(err):
			return nil, err
		default:
			reason = compilerSays(err.Error())
		}
	}
	if s.Askers && !v.probed {
		return nil, &host.Fault{Reason: "no runtime can be made of it that tells of more processors than it has (" + reason + ")"}
	}
	if !v.probed {
		v.tc, v.index = tc, ""
		if len(s.Change) > 0 {
			if v.index, err = s.Change.Write(v.dir); err != nil {
				return nil, err
			}
		}
		if _, err := v.build(ctx, 0); err != nil {
			return nil, err
		}
		reason, _, _ = strings.Cut(reason, "\n")
		v.missing = []string{"CPU time, cores, goroutines, context switches, mutex wait and GC of the timed region: the testing package cannot be probed (" + reason + "), and RunParallel is measured with its counter"}
	}
	c.variants = append(c.variants, v)
	return v, nil
}

// probe builds v with the probe.
func (v *variant) probe(ctx context.Context, tc *gocmd.Toolchain, cache string) (err error) {
	if v.tc, err = tc.Unlock(cache); err != nil {
		return err
	}
	files, err := probe.Overlay(v.tc.Root, v.tc.OS)
	if err != nil {
		return err
	}
	if v.askers {
		more, err := probe.Askers(v.tc.Root)
		if err != nil {
			return err
		}
		maps.Copy(files, more)
	}
	maps.Copy(files, v.change)
	if v.index, err = files.Write(v.dir); err != nil {
		return err
	}
	_, err = v.build(ctx, 0)
	v.probed = err == nil
	return err
}

// layoutSeed makes the seeds of layouts numbers of equal length.
const layoutSeed = 1000

// build links a layout. The error is a [*host.Fault] with what the compiler or
// the linker said.
func (v *variant) build(ctx context.Context, layout int) (file string, err error) {
	file, seed := filepath.Join(v.dir, "test"), 0
	if layout > 0 {
		file, seed = fmt.Sprintf("%s-%d", file, layout), layoutSeed+layout
	}
	file += exe(v.tc.OS)
	if err = v.tc.BuildTest(ctx, v.pkg, file, v.index, seed); err == nil {
		if _, e := os.Stat(file); e != nil {
			return "", &host.Fault{Reason: "the package has no test files", NoTests: true}
		}
	}
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil {
		fault := &host.Fault{Reason: compilerSays(err.Error())}
		if strings.Contains(err.Error(), syscall.ENOSPC.Error()) { // the go command passes on what its tools say
			fault.Next = "free some space, or set TMPDIR and GOCACHE to other folders"
		}
		return "", fault
	}
	v.layouts[layout] = file
	return file, nil
}

// unordered says in words what a linker says with its usage that has no orders of
// functions.
func unordered(err error, version string) error {
	if strings.Contains(err.Error(), "not defined: -randlayout") {
		return &host.Fault{Reason: "the linker of " + version + " cannot put functions into another order, which newer ones can"}
	}
	return err
}

// untested reports whether there is no binary since the package has no tests.
func untested(err error) bool {
	var fault *host.Fault
	return errors.As(err, &fault) && fault.NoTests
}

// exe is what names of executables end with.
func exe(goos string) string {
	if goos == "windows" {
		return ".exe"
	}
	return ""
}

var goVersion = regexp.MustCompile(`^go1\.(\d+)`)

// countsGoroutines reports whether the runtime of this version counts the
// goroutines it creates.
func countsGoroutines(version string) bool {
	m := goVersion.FindStringSubmatch(version)
	return m == nil || len(m[1]) > 2 || m[1] >= "26"
}

// compilerSays makes one line of what the go command printed: the first
// three complaints.
func compilerSays(s string) string {
	var said []string
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "FAIL") {
			said = append(said, line)
		}
	}
	const most = 3
	more := len(said) - most
	if more > 0 {
		said = append(slices.Clip(said[:most]), fmt.Sprintf("and %d more lines", more))
	}
	return strings.Join(said, "; ")
}
