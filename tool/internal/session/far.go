package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/host/local"
	"github.com/gopayoff/payoff/tool/internal/host/plug"
)

// Far are the [Hosts] of a machine behind a plug. Binaries are compiled here, where
// the sources are, and sent with their testdata.
func Far(m plug.Far) Hosts {
	return func(c *local.Compiler) host.Host { return &far{c, m, map[string]map[string][]byte{}} }
}

type far struct {
	*local.Compiler
	plug.Far
	data map[string]map[string][]byte // testdata by folder
}

// Build implements [host.Host].
func (f *far) Build(ctx context.Context, s host.Source) (b host.Binary, err error) {
	wanted := s.Image
	s.Image = true
	if _, b, err = f.Compile(ctx, s); err != nil || wanted { // that was put before
		return b, err
	}
	if _, ok := f.data[s.Dir]; !ok {
		if f.data[s.Dir], err = testdata(s.Dir); err != nil {
			return b, &host.Fault{Reason: "its testdata cannot be sent: " + err.Error(), Next: "measure it on this machine, without " + cmdline.On}
		}
	}
	b.Files = f.data[s.Dir]
	return f.Put(ctx, b)
}

// mostData is how much testdata is sent: it goes through memory on its way.
const mostData = 256 << 20

// testdata are the files in the testdata of a package, by names from its folder. Links
// are followed no further than the go command follows them: not at all.
func testdata(dir string) (map[string][]byte, error) {
	files, total := map[string][]byte{}, int64(0)
	root := filepath.Join(dir, "testdata")
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == root {
			return nil
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if total += info.Size(); total > mostData {
			return fmt.Errorf("%s has more than %d MB", root, mostData>>20)
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(rel)], err = os.ReadFile(name)
		return err
	})
	return files, err
}

// away connects with the machine that the plan names, if it names one. The binaries are
// for that machine.
func (s *session) away(ctx context.Context) (back func(), err error) {
	if s.plan.On == "" {
		return func() {}, nil
	}
	s.step("asking for a machine")
	c, err := plug.Start(ctx, append(slices.Clip(s.plan.Plug), s.plan.On), func(n string) { s.tell(Notice(n)) })
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", cmdline.On, s.plan.On, err)
	}
	back = func() {
		if err := c.Close(); err != nil {
			s.tell(Notice(err.Error()))
		}
	}
	s.at = &c.Hello
	s.tell(Notice("measuring on " + c.Hello.Machine))
	s.hosts = Far(c)
	if s.plan.Seed == 0 {
		s.plan.Seed = c.Hello.Seed
	}
	if h := c.Hello; h.OS != runtime.GOOS || h.Arch != runtime.GOARCH {
		if p := s.plan.Cure; p != nil && p.Budget > 0 {
			return back, fmt.Errorf("%s %s: edits are tested here, and %s is %s/%s: choose one that is %s/%s", cmdline.On, s.plan.On, h.Machine, h.OS, h.Arch, runtime.GOOS, runtime.GOARCH)
		}
		s.env = []string{"GOOS=" + h.OS, "GOARCH=" + h.Arch}
	}
	return back, nil
}
