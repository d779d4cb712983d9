package local

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/overlay"
)

// TestVariants: a binary is known by its package, its change, and whether it has
// the probe and the race detector; what is forgotten goes with its files, and
// nothing else does.
func TestVariants(t *testing.T) {
	dir := t.TempDir()
	change := overlay.Overlay{"/m/x.go": []byte("a")}
	sources := []host.Source{
		{Package: "p"}, {Package: "q"}, {Package: "p", Plain: true}, {Package: "p", Race: true}, {Package: "p", Race: true, Plain: true},
		{Package: "p", Change: change}, {Package: "p", Change: overlay.Overlay{"/m/x.go": []byte("b")}}, {Package: "p", Change: overlay.Overlay{"/m/y.go": []byte("a")}},
	}
	c := NewCompiler(nil, dir, "")
	for i, s := range sources {
		if got := c.known(s); got != -1 {
			t.Errorf("%+v is known as %d before it is built", s, got)
		}
		v := &variant{pkg: s.Package, change: s.Change, plain: s.Plain, race: s.Race, tc: &gocmd.Toolchain{OS: "linux"}, probed: !s.Plain, dir: filepath.Join(dir, string(rune('a'+i))), layouts: map[int]string{}}
		if err := os.Mkdir(v.dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for layout := range 3 {
			v.layouts[layout] = filepath.Join(v.dir, string(rune('0'+layout)))
			if err := os.WriteFile(v.layouts[layout], []byte(v.layouts[layout]), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		c.variants = append(c.variants, v)
	}
	for i, s := range sources {
		for layout := range 3 {
			s.Layout, s.Image = layout, layout == 1
			file, b, err := c.Compile(t.Context(), s)
			if want := c.variants[i].layouts[layout]; err != nil || file != want || b.OS != "linux" || b.Probed == s.Plain || (string(b.Image) == want) != s.Image {
				t.Errorf("%+v: %s, %+v, %v, want what is there, %s", s, file, b, err, want)
			}
		}
	}
	// One more layout cannot be had where flags of the linker are of some packages.
	c.variants[0].tc.Flags = "-ldflags=example.com/m=-s"
	var fault *host.Fault
	if _, _, err := c.Compile(t.Context(), host.Source{Package: "p", Layout: 3}); !errors.As(err, &fault) {
		t.Errorf("a layout where GOFLAGS has -ldflags: %v, want a fault", err)
	}
	files := func() (n int) {
		all, err := filepath.Glob(filepath.Join(dir, "*", "*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	forget := func(s host.Source, layout, want int) {
		t.Helper()
		s.Layout = layout
		c.Forget(s)
		if n := files(); n != want {
			t.Errorf("after %+v is forgotten: %d files, want %d", s, n, want)
		}
	}
	forget(host.Source{Package: "none"}, 0, 24)
	forget(sources[5], 7, 24)
	forget(sources[5], 2, 23)
	forget(sources[5], 2, 23)
	if i := c.known(sources[5]); len(c.variants[i].layouts) != 2 {
		t.Errorf("layouts %v, want two", c.variants[i].layouts)
	}
	forget(sources[5], 0, 21)
	forget(sources[5], 0, 21)
	forget(sources[0], 0, 18)
	for i, s := range sources {
		if known := c.known(s) >= 0; known == slices.Contains([]int{0, 5}, i) {
			t.Errorf("%+v: known %t", s, known)
		}
	}
	for cache, want := range map[string]string{"": "d", "c": "c"} {
		if c := NewCompiler(nil, "d", cache); c.cache != want || c.dir != "d" {
			t.Errorf("cache %q: it stays in %q, want %q", cache, c.cache, want)
		}
	}
}

func TestCountsGoroutines(t *testing.T) {
	for version, want := range map[string]bool{"go1.22": false, "go1.25.9": false, "go1.26": true, "go1.26rc1": true, "go1.30.1": true, "go1.100": true, "devel go1.27-abc": true} {
		if got := countsGoroutines(version); got != want {
			t.Errorf("countsGoroutines(%q) = %t, want %t", version, got, want)
		}
	}
}
