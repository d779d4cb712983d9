package session

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/gocmd/gocmdtest"
	"github.com/gopayoff/payoff/tool/internal/problem"
)

// TestUnchanged: a package is the same where nothing that its test binary is built of
// or may read has changed.
func TestUnchanged(t *testing.T) {
	const bench = "import \"testing\"\n\nfunc BenchmarkX(b *testing.B) {}\n"
	base := map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.22\n", "README.md": "one\n", "testdata/in": "1\n",
		"a/a.go": "package a\n\n// A is.\nfunc A() int { return 1 }\n", "a/a_test.go": "package a_test\n\nimport _ \"example.com/m/a\"\n" + bench, "a/data": "x",
		"b/b.go": "package b\n\nimport _ \"embed\"\n\n//go:embed word\nvar W string\n", "b/word": "w", "b/b_test.go": "package b\n\n" + bench,
	}
	for _, tt := range []struct {
		name    string
		changed map[string]string
		want    string
	}{
		{"nothing", nil, "a b"},
		{"a document", map[string]string{"README.md": "two\n", "a/doc.md": "new\n"}, "a b"},
		{"a comment", map[string]string{"a/a.go": "// Package a is.\npackage a\n\n// A is more.\nfunc A() int { return /* one */ 1 } // one\n"}, "a b"},
		{"a directive", map[string]string{"a/a.go": "package a\n\n// A is.\n//go:noinline\nfunc A() int { return 1 }\n"}, "b"},
		{"code", map[string]string{"a/a.go": "package a\n\n// A is.\nfunc A() int { return 2 }\n"}, "b"},
		{"a test", map[string]string{"b/b_test.go": "package b\n\n" + bench + "\nvar x = 1\n"}, "a"},
		{"a new file", map[string]string{"a/new.go": "package a\n"}, "b"},
		{"what is embedded", map[string]string{"b/word": "v"}, "a"},
		{"what may be read", map[string]string{"a/data": "y"}, "b"},
		{"testdata anywhere", map[string]string{"testdata/in": "2\n"}, ""},
		{"the language", map[string]string{"go.mod": "module example.com/m\n\ngo 1.23\n"}, ""},
	} {
		oldDir, old := gocmdtest.Module(t, base)
		files := map[string]string{}
		for name, text := range base {
			files[name] = text
		}
		c := &codes{oldTop: oldDir}
		for name, text := range tt.changed {
			files[name] = text
			c.changed = append(c.changed, name)
		}
		newDir, tc := gocmdtest.Module(t, files)
		c.newTop = newDir
		var targets []discover.Target
		for _, pkg := range []string{"a", "b"} {
			targets = append(targets, discover.Target{Package: "example.com/m/" + pkg, Dir: filepath.Join(newDir, pkg)})
		}
		got := strings.ReplaceAll(strings.Join(c.unchanged(t.Context(), old, tc, targets), " "), "example.com/m/", "")
		if got != tt.want {
			t.Errorf("%s: %q are the same, want %q", tt.name, got, tt.want)
		}
	}
}

// TestSameCode: comments are no code, save those that are.
func TestSameCode(t *testing.T) {
	const code = "package p\n\nfunc F() { G(1); G(2) }\n"
	for _, tt := range []struct {
		other string
		want  bool
	}{
		{code, true}, {"package p // p\n\n// F is.\nfunc F() { G(1); G( /* two */ 2) }\n", true},
		{"package p\n\nfunc F() { G(2); G(1) }\n", false}, {"//go:build linux\n\n" + code, false}, {"package p\n\n//line x.go:1\nfunc F() { G(1); G(2) }\n", false},
		{"package p\n\nfunc F() { G(1); G(2", false}, {"package p\n\nfunc F() { G(1); G(`2`) }\n", false}, {"package p\n\x00", false},
	} {
		if got := sameCode([]byte(code), []byte(tt.other)); got != tt.want {
			t.Errorf("%q: the same is %t, want %t", tt.other, got, tt.want)
		}
	}
}

// TestInBoth: what failed before the change as well is a note, once; what fails since
// it is a problem.
func TestInBoth(t *testing.T) {
	x := func(bench, reason string, note bool) problem.Problem {
		return problem.Problem{Package: "p", Benchmark: bench, Reason: reason, Next: "mend it", Note: note}
	}
	got := inBoth([]problem.Problem{x("DB", "fails (a.go:1)", false), x("Old", "fails", false), x("", "crashed", false), x("S", "skips", true)},
		[]problem.Problem{x("DB", "fails (a.go:2)", false), x("New", "fails", false), x("", "crashed", false), x("S", "skips", true)})
	want := []problem.Problem{
		x("DB", "fails (a.go:2), before the change as well", true), x("New", "fails, in the new code alone", false), x("", "crashed, before the change as well", true),
		x("S", "skips", true), x("Old", "fails, in the old code alone: there is nothing to compare with", true),
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

// TestCodesOfModules: without packages, all modules of go.work are compared, and those
// that share a time have a part of it each; what is the same is named.
func TestCodesOfModules(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	bench := func(pkg string) string {
		return "package " + pkg + "\n\nimport \"testing\"\n\nfunc BenchmarkX(b *testing.B) {}\n"
	}
	dir, _ := gocmdtest.Module(t, map[string]string{
		".gitignore": "out\n", "go.work": "go 1.22\n\nuse (\n\t./a\n\t./deep/b\n\t./c\n)\n",
		"a/go.mod": "module example.com/a\n\ngo 1.22\n", "a/x_test.go": bench("a"), "a/wall": "10000",
		"deep/b/go.mod": "module example.com/b\n\ngo 1.22\n", "deep/b/x_test.go": bench("b"), "deep/b/wall": "10000",
		"c/go.mod": "module example.com/c\n\ngo 1.22\n", "c/x_test.go": bench("c"), "c/wall": "10000",
	})
	t.Setenv("GOWORK", "")
	t.Setenv("GOFLAGS", "")
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-q", "-m", "one"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
	}
	for name, text := range map[string]string{"a/wall": "20000", "deep/b/wall": "5000", "c/README.md": "more\n"} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	h := &paced{fake: fake{cores: 2}}
	end := h.carried(t, h.plan(dir, Plan{Within: 10_000_000_000, Compare: &Compare{Old: "HEAD", All: true}}))
	if end.Err != nil || end.Doc == nil {
		t.Fatal(end.Err)
	}
	if got, want := changes(end.Doc), []string{"example.com/a BenchmarkX 1 slower 100", "example.com/a BenchmarkX 2 slower 100", "example.com/b BenchmarkX 1 faster -50", "example.com/b BenchmarkX 2 faster -50"}; !slices.Equal(got, want) {
		t.Errorf("changes %q, want %q", got, want)
	}
	if got, want := end.Doc.Compared.Same, []string{"example.com/c"}; !slices.Equal(got, want) || !strings.HasSuffix(end.Doc.Summary, ", 1 package the same") {
		t.Errorf("the same: %q in %q, want %q", got, end.Doc.Summary, want)
	}
	if got := end.Series[0].Budget.Seconds(); got != 5 {
		t.Errorf("a package of two has %v s of 10", got)
	}
}

// TestAlike: what compiles to the same code is not measured, though its source is
// another, and where that is so of all packages there is nothing to compare.
func TestAlike(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil || testing.Short() {
		t.Skip("builds packages of a repository")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	bench := func(pkg string) string {
		return "package " + pkg + "\n\nimport \"testing\"\n\nfunc BenchmarkX(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tF(i)\n\t}\n}\n"
	}
	code := func(pkg string) string {
		return "package " + pkg + "\n\n//go:noinline\nfunc F(n int) (s int) {\n\tfor i := 0; i < n; i++ {\n\t\ts += i\n\t}\n\treturn s\n}\n"
	}
	files := map[string]string{"go.mod": "module example.com/m\n\ngo 1.22\n"}
	for _, pkg := range []string{"a", "b", "c", "d"} {
		files[pkg+"/f.go"], files[pkg+"/f_test.go"] = code(pkg), bench(pkg)
	}
	files["d/data"] = "1"
	dir, _ := gocmdtest.Module(t, files)
	t.Setenv("GOFLAGS", "")
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-q", "-m", "one"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a/f.go", strings.NewReplacer("s int", "sum int", "s +=", "sum +=", "return s", "return sum").Replace(code("a"))) // another name
	write("c/f.go", strings.Replace(code("c"), "s int", "s /* of all */ int", 1))
	look := func() (*session, error) {
		s := &session{plan: Plan{Dir: dir, Compare: &Compare{Old: "HEAD", All: true}}, tell: func(Event) {}}
		t.Cleanup(func() { s.work.Remove() })
		err := s.find(t.Context())
		if err == nil {
			err = s.alike(t.Context())
		}
		return s, err
	}
	if _, err := look(); !errors.Is(err, ErrSame) || !strings.Contains(err.Error(), "(4 packages)") {
		t.Errorf("all the same: %v, want %v of 4 packages", err, ErrSame)
	}
	write("b/f.go", strings.Replace(code("b"), "s += i", "s -= i", 1))                                                // other code
	write("d/f.go", strings.NewReplacer("s int", "t int", "s +=", "t +=", "return s", "return t").Replace(code("d"))) // the same, beside other data
	write("d/data", "2")
	s, err := look()
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, x := range s.targets {
		left = append(left, x.Package)
	}
	if got, want := s.codes.Same, []string{"example.com/m/a", "example.com/m/c"}; !slices.Equal(got, want) || !slices.Equal(left, []string{"example.com/m/b", "example.com/m/d"}) {
		t.Errorf("the same: %q, left %q, want %q and the others", got, left, want)
	}
}
