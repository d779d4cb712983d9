package gocmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A toolchain outside of the module cache may be overlaid where it is.
func TestUnlockElsewhere(t *testing.T) {
	for _, tc := range []*Toolchain{
		{Root: filepath.FromSlash("/usr/local/go"), ModCache: filepath.FromSlash("/home/me/go/pkg/mod")},
		{Root: filepath.FromSlash("/usr/local/go")},
		{Root: filepath.FromSlash("/mod-cache"), ModCache: filepath.FromSlash("/mod")},
	} {
		cache := t.TempDir()
		u, err := tc.Unlock(cache)
		if err != nil || u != tc {
			t.Errorf("Unlock of %s beside %s = %+v, %v; want it unchanged", tc.Root, tc.ModCache, u, err)
		}
		if entries, _ := os.ReadDir(cache); len(entries) != 0 {
			t.Errorf("Unlock left %v", entries)
		}
	}
}

// One in the module cache is reached through a link at a place that is always
// the same: the go command's own cache goes by path.
func TestUnlockModCache(t *testing.T) {
	dir := t.TempDir()
	mod, cache := filepath.Join(dir, "mod"), filepath.Join(dir, "cache")
	toolchain := func(name string) *Toolchain {
		root := filepath.Join(mod, "golang.org", name)
		if err := os.MkdirAll(filepath.Join(root, "bin"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, "bin", "go"), []byte(name), 0o755); err != nil {
			t.Fatal(err)
		}
		return &Toolchain{Dir: dir, Root: root, ModCache: mod, Version: name, Tags: "x", cmd: filepath.Join(dir, "bin", "go")}
	}
	old := toolchain("toolchain@v0.0.1-go1.30.1")
	if err := os.Symlink(old.Root, filepath.Join(dir, "try")); err != nil {
		t.Skipf("this user may not make symbolic links: %v", err)
	}
	check := func(tc *Toolchain) string {
		t.Helper()
		u, err := tc.Unlock(cache)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(u.Root, mod) || filepath.Base(u.Root) != tc.Version {
			t.Errorf("Root = %s, want %s outside of the module cache", u.Root, tc.Version)
		}
		if to, err := os.Readlink(u.Root); err != nil || to != tc.Root {
			t.Errorf("%s leads to %s, %v; want %s", u.Root, to, err, tc.Root)
		}
		if data, err := os.ReadFile(u.cmd); err != nil || string(data) != tc.Version {
			t.Errorf("the go command is %s (%q, %v), want that of %s", u.cmd, data, err, tc.Version)
		}
		if got := strings.Join(u.env, " "); got != "GOROOT="+u.Root+" GOTOOLCHAIN=local" {
			t.Errorf("environment %s: want it to stay with this toolchain", got)
		}
		if u.Version != tc.Version || u.Dir != tc.Dir || u.Tags != tc.Tags || tc.env != nil || tc.Root == u.Root {
			t.Errorf("Unlock = %+v of %+v: want a changed copy", u, tc)
		}
		return u.Root
	}
	first := check(old)
	if again := check(old); again != first {
		t.Errorf("the second link is %s, want %s again", again, first)
	}
	if other := check(toolchain("toolchain@v0.0.1-go1.31.0")); other == first {
		t.Errorf("two toolchains share the link %s", other)
	}
	// A link that leads elsewhere, of a module cache that moved, is renewed.
	if err := os.Remove(first); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "gone"), first); err != nil {
		t.Fatal(err)
	}
	check(old)

	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := old.Unlock(filepath.Join(dir, "file")); err == nil {
		t.Error("Unlock with a file for a cache = nil error")
	}
}

func TestFindWithoutGo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Find(context.Background(), ".", ""); !errors.Is(err, ErrNoGo) {
		t.Errorf("Find = %v, want %v", err, ErrNoGo)
	}
}

func TestFindAndList(t *testing.T) {
	dir := module(t)
	tc, err := Find(context.Background(), dir, "extra")
	if errors.Is(err, ErrNoGo) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(tc.Version, "go1.") || tc.OS != runtime.GOOS || tc.Arch == "" || tc.Root == "" || tc.ModCache == "" {
		t.Errorf("Find = %+v, want all fields filled", tc)
	}
	if work, _ := filepath.EvalSymlinks(tc.Work); work != dir {
		t.Errorf("Work = %s, want %s", tc.Work, dir)
	}
	pkgs, err := tc.List(context.Background(), []string{"./..."})
	if err != nil || len(pkgs) != 1 {
		t.Fatalf("List = %+v, %v; want one package", pkgs, err)
	}
	p := pkgs[0]
	if p.ImportPath != "example.com/m" || p.Name != "m" || strings.Join(p.GoFiles, " ") != "m.go" ||
		strings.Join(p.TestGoFiles, " ") != "extra_test.go m_test.go" || strings.Join(p.XTestGoFiles, " ") != "x_test.go" {
		t.Errorf("List = %+v", p)
	}
	if pkgs, err := tc.List(context.Background(), []string{"./absent"}); err != nil || len(pkgs) != 1 || pkgs[0].Error == nil {
		t.Errorf("List(./absent) = %+v, %v; want a package with an error", pkgs, err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("enough"))
	if _, err := tc.List(ctx, nil); err == nil || !strings.Contains(err.Error(), "enough") {
		t.Errorf("List after cancel = %v, want its cause", err)
	}
}

func module(t *testing.T) string {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod":        "module example.com/m\n\ngo 1.22\n",
		"m.go":          "package m\n",
		"m_test.go":     "package m\n",
		"extra_test.go": "//go:build extra\n\npackage m\n",
		"other_test.go": "//go:build other\n\npackage m\n",
		"x_test.go":     "package m_test\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	return dir
}

func TestInstruments(t *testing.T) {
	for flags, want := range map[string]string{
		"": "", "-mod=mod -trimpath": "", "-tags=race": "", "-race=false": "", "'-ldflags=-X a=-race'": "",
		"-race": "-race", "-v --race=true": "-race", "-msan": "-msan", "-asan": "-asan", "-cover": "-cover", "-race -race=false": "",
	} {
		if got := (&Toolchain{Flags: flags}).Instruments(); got != want {
			t.Errorf("Instruments with GOFLAGS=%s = %q, want %q", flags, got, want)
		}
	}
}

// TestLinker: what GOFLAGS has for the linker, and whether the flag of a layout can be
// added to it.
func TestLinker(t *testing.T) {
	for flags, want := range map[string]struct {
		linker string
		orders bool
	}{
		"": {"", true}, "-mod=mod -trimpath": {"", true}, "-ldflags=-s": {"-s", true}, "--ldflags=-w -v": {"-w", true},
		"-v '-ldflags=-s -w' -x": {"-s -w", true}, "\"-ldflags= -X 'a.b=c d'\"": {"-X 'a.b=c d'", true},
		"-ldflags=-s -ldflags=-w": {"-w", true}, "-ldflags=": {"", true}, "-gcflags=-ldflags=-s": {"", true},
		"'-ldflags=all=-s -w'": {"all=-s -w", true}, "-ldflags=example.com/m=-s": {"example.com/m=-s", false}, "-ldflags=std=-s": {"std=-s", false},
		"'-ldflags=-s": {"-s", true}, // the go command will refuse it
	} {
		tc := &Toolchain{Flags: flags}
		if got, _ := tc.linker(); got != want.linker || tc.Orders() != want.orders {
			t.Errorf("GOFLAGS=%s: linker %q, orders %t, want %q, %t", flags, got, tc.Orders(), want.linker, want.orders)
		}
	}
}

// TestLayoutKeepsFlags: a layout is another binary, and what GOFLAGS has the linker do
// is done in each.
func TestLayoutKeepsFlags(t *testing.T) {
	dir := module(t)
	text := "package m\n\nimport \"testing\"\n\nvar v string\n\nfunc TestV(t *testing.T) {\n\tif v != \"set\" {\n\t\tt.Fatal(v)\n\t}\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "m_test.go"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOFLAGS", "'-ldflags=-s -X example.com/m.v=set'")
	tc, err := Find(t.Context(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	var before []byte
	for _, layout := range []int{0, 1001, 1002} {
		bin := filepath.Join(t.TempDir(), "m.test")
		if err := tc.BuildTest(t.Context(), "example.com/m", bin, "", layout); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(bin, "-test.run=^TestV$").CombinedOutput(); err != nil {
			t.Errorf("layout %d: %v\n%s", layout, err, out)
		}
		data, err := os.ReadFile(bin)
		if err != nil || bytes.Equal(data, before) {
			t.Errorf("layout %d: %v, or the binary of the layout before", layout, err)
		}
		before = data
	}
}

func TestOwnTree(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"mod/x@v1.0.0", "go/src", "mine", "go-mine", "..go"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	root := filepath.VolumeName(dir) + string(filepath.Separator)
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "mod"), link); err != nil {
		t.Log(err)
		link = filepath.Join(dir, "mod")
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, test := range []struct {
		work, cache string
		own         bool
	}{
		{"", at("mod"), false},
		{root, at("mod"), false},
		{at("mine"), at("mod"), true},
		{at("mine"), "", true},
		{at("go-mine"), at("mod"), true},
		{at("..go"), dir + "/mod", true},
		{at("mod/x@v1.0.0"), at("mod"), false},
		{at("mod/x@v1.0.0"), link, false},
		{filepath.Join(link, "x@v1.0.0"), at("mod"), false},
		{at("go/src"), at("mod"), false},
		{at("go"), at("mod"), false},
	} {
		want := ""
		if test.own {
			want = test.work
		}
		tc := &Toolchain{Work: test.work, ModCache: test.cache, Root: at("go")}
		if got := tc.OwnTree(); got != want {
			t.Errorf("working in %q with the module cache %q: %q, want %q", test.work, test.cache, got, want)
		}
	}
}

// TestUnder: files of an overlay are seen, by what they are built of too, and a module
// that is not here is a fault, for which no network is asked.
func TestUnder(t *testing.T) {
	dir := module(t)
	asked := 0
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		http.NotFound(w, nil)
	}))
	defer proxy.Close()
	t.Setenv("GOPROXY", proxy.URL)
	t.Setenv("GONOPROXY", "none")
	t.Setenv("GOPRIVATE", "")
	t.Setenv("GOFLAGS", "-mod=mod") // it looks for what go.mod has not
	tc, err := Find(t.Context(), dir, "")
	if errors.Is(err, ErrNoGo) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	index := filepath.Join(t.TempDir(), "overlay.json")
	under := func(text string) *Toolchain {
		t.Helper()
		file := filepath.Join(t.TempDir(), "new.go")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(index, fmt.Appendf(nil, `{"Replace": {%q: %q}}`, filepath.Join(dir, "q", "q.go"), file), 0o644); err != nil {
			t.Fatal(err)
		}
		return tc.Under(index)
	}
	if pkgs, err := under("package q\n").List(t.Context(), []string{"./..."}); err != nil || len(pkgs) != 2 || pkgs[1].ImportPath != "example.com/m/q" {
		t.Errorf("List = %+v, %v, want the new package as well", pkgs, err)
	}
	if pkgs, err := tc.List(t.Context(), []string{"./..."}); err != nil || len(pkgs) != 1 {
		t.Errorf("without the overlay: %+v, %v, want one package", pkgs, err)
	}
	if inputs, faults, err := under("package q\n").Loaded(t.Context(), []string{"example.com/m"}); err != nil || len(faults) > 0 || len(inputs["example.com/m"]) == 0 {
		t.Errorf("Loaded: %d inputs, faults %q, %v", len(inputs["example.com/m"]), faults, err)
	}
	_, faults, err := under("package q\n\nimport _ \"example.com/absent\"\n").Loaded(t.Context(), []string{"example.com/m/q"})
	if err != nil || len(faults) != 1 || !strings.Contains(faults[0], "example.com/absent") {
		t.Errorf("of a module that is not here: faults %q, %v, want one", faults, err)
	}
	if asked > 0 {
		t.Errorf("the network was asked %d times", asked)
	}
}
