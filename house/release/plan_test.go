package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

const lib = "github.com/gopayoff/payoff"

// tree is a repository in order, by file.
func tree() map[string]string {
	return map[string]string{
		"go.mod":                         "module " + lib + "\n\ngo 1.26.0\n",
		"LICENSE":                        "free\n",
		"docs/ci/x.yml":                  "      - run: go install " + lib + "/tool/cmd/tool@v0.1.0\n      - uses: actions/checkout@v4\n",
		"CHANGELOG.md":                   "# Changelog\n\n## Unreleased\n\n- lib: New.\n",
		"go.work":                        "go 1.26.0\n\nuse (\n\t.\n\t./gallery\n\t./peers\n\t./pipe/jetstream\n\t./tool\n\t./tool/fleet\n)\n\nreplace (\n\t" + lib + " v0.1.0 => .\n\t" + lib + "/gallery v0.1.0 => ./gallery\n\t" + lib + "/tool v0.1.0 => ./tool\n)\n",
		"lib.go":                         "// Package lib is a library.\npackage lib\n\n// One is 1.\nconst One = 1\n",
		"gallery/go.mod":                 "module " + lib + "/gallery\n\ngo 1.26.0\n\nrequire " + lib + " v0.1.0\n",
		"gallery/gallery.go":             "// Package gallery has cases.\npackage gallery\n\nimport \"" + lib + "\"\n\n// Cases returns them.\nfunc Cases() int { return lib.One }\n",
		"tool/go.mod":                    "module " + lib + "/tool\n\ngo 1.26.0\n\nrequire (\n\t" + lib + " v0.1.0\n\t" + lib + "/gallery v0.1.0 // the cases\n)\n",
		"tool/main.go":                   "// Command tool counts.\npackage main\n\nimport (\n\t\"" + lib + "\"\n\t\"" + lib + "/gallery\"\n)\n\nfunc main() { println(lib.One, gallery.Cases()) }\n",
		"tool/fleet/go.mod":              "module " + lib + "/tool/fleet\n\ngo 1.26.0\n\nrequire " + lib + "/tool v0.1.0\n\nrequire (\n\t" + lib + " v0.1.0 // indirect\n\t" + lib + "/gallery v0.1.0 // indirect\n)\n",
		"tool/fleet/fleet.go":            "// Command fleet counts elsewhere.\npackage main\n\nimport \"" + lib + "/tool/internal/door\"\n\nfunc main() { println(door.Open()) }\n",
		"tool/internal/door/door.go":     "// Package door opens.\npackage door\n\nimport \"" + lib + "/gallery\"\n\n// Open does.\nfunc Open() int { return gallery.Cases() }\n",
		"pipe/jetstream/go.mod":          "module " + lib + "/pipe/jetstream\n\ngo 1.26.0\n\nrequire " + lib + " v0.1.0\n",
		"pipe/jetstream/example/main.go": "// Command example sends one away.\npackage main\n\nimport \"" + lib + "\"\n\nfunc main() { println(lib.One) }\n",
		"peers/go.mod":                   "module " + lib + "/peers\n\ngo 1.26.0\n\nrequire " + lib + " v0.1.0\n",
		"peers/peers.go":                 "// Package peers compares.\npackage peers\n\nimport _ \"" + lib + "\"\n",
		"record/go.mod":                  "module " + lib + "/record\n\ngo 1.26.0\n",
		"record/raw.txt":                 "1 2 3\n",
		"tool/testdata/go.mod":           "module none\n",
	}
}

// read reads the modules of a tree, some of whose files are others; one without
// content is not there.
func read(t *testing.T, others map[string]string) []*mod {
	t.Helper()
	fsys, files := fstest.MapFS{}, tree()
	for name, text := range others {
		files[name] = text
	}
	var names []string
	for name, text := range files {
		if text != "" {
			fsys[name] = &fstest.MapFile{Data: []byte(text)}
			names = append(names, name)
		}
	}
	mods, err := readModules(fsys, names)
	if err != nil {
		t.Fatal(err)
	}
	return mods
}

// Modules come after those that they require, and what is tagged before the rest.
func TestInOrder(t *testing.T) {
	require := func(of, what string) string {
		return "module " + lib + "/" + of + "\n\nrequire " + lib + what + " v0.1.0\n"
	}
	for _, test := range []struct {
		name   string
		others map[string]string
		tagged []string
		want   string // directories, or what the error says
	}{
		{"as it is", nil, []string{".", "gallery", "tool"}, ". gallery tool peers pipe/jetstream record tool/fleet"},
		{"not as it is written down", nil, []string{"tool", "gallery", "."}, ". gallery tool peers pipe/jetstream record tool/fleet"},
		{"gallery requires the tool", map[string]string{"gallery/go.mod": require("gallery", "/tool"), "tool/go.mod": require("tool", "")}, tagged, ". tool gallery tool/fleet pipe/jetstream peers record"},
		{"in a circle", map[string]string{"gallery/go.mod": require("gallery", "/tool")}, tagged, "module " + lib + "/gallery requires itself: gallery requires tool requires gallery"},
		{"of what has no versions", map[string]string{"gallery/go.mod": require("gallery", "/peers")}, tagged, "module " + lib + "/gallery requires " + lib + "/peers, which is never tagged"},
		{"a folder is gone", map[string]string{"gallery/go.mod": "", "tool/go.mod": require("tool", "")}, tagged, "there is no module in gallery"},
	} {
		order, err := inOrder(read(t, test.others), test.tagged)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			var dirs []string
			for _, m := range order {
				dirs = append(dirs, m.dir)
				if is, want := m.packed != nil, slices.Contains(test.tagged, m.dir); is != want {
					t.Errorf("%s: %s is tagged: %t, want %t", test.name, m.dir, is, want)
				}
			}
			got = strings.Join(dirs, " ")
		}
		if got != test.want {
			t.Errorf("%s: order %q, want %q", test.name, got, test.want)
		}
	}
}

// What has no Go file has no code: only its go.mod is copied.
func TestCode(t *testing.T) {
	for _, m := range read(t, map[string]string{"record/testdata/x.txt": "x"}) {
		if want := m.dir != "record"; m.code != want {
			t.Errorf("%s has code: %t, want %t", m.dir, m.code, want)
		}
	}
}

// A tag is the version behind the directory.
func TestTag(t *testing.T) {
	for dir, want := range map[string]string{".": "v0.1.0", "tool": "tool/v0.1.0", "tool/fleet": "tool/fleet/v0.1.0", "pipe/jetstream": "pipe/jetstream/v0.1.0"} {
		if got := (&mod{dir: dir}).tag("v0.1.0"); got != want {
			t.Errorf("tag in %s = %s, want %s", dir, got, want)
		}
	}
}

// A version that cannot be tagged is refused, and so is one that is.
func TestCheck(t *testing.T) {
	mods, err := inOrder(read(t, nil), tagged)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ version, tags, want string }{
		{"v0.1.0", "", ""},
		{"v1.0.0", "v0.1.0 gallery/v0.1.0 tool/v0.1.0", ""},
		{"v0.2.0-rc.1", "v0.1.0", ""},
		{"v0.1.0", "peers/v0.1.0", ""}, // another module's: it has no versions
		{"", "", `"" is no version`},
		{"0.1.0", "", `"0.1.0" is no version`},
		{"v0.1", "", `"v0.1" is no version`},
		{"v01.0.0", "", `"v01.0.0" is no version`},
		{"latest", "", `"latest" is no version`},
		{"v0.1.0+meta", "", `"v0.1.0+meta" is no version`},
		{"v0.1.1-0.20261127015740-b2c5b7c03c77", "", "is a pseudo-version"},
		{"v2.0.0", "", "module " + lib + " cannot have v2.0.0"},
		{"v0.1.0", "v0.1.0", "tag v0.1.0 is there already"},
		{"v0.1.0", "v0.0.9 tool/v0.1.0", "tag tool/v0.1.0 is there already"},
	} {
		got := ""
		if err := check(test.version, mods, strings.Fields(test.tags)); err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, test.want) || test.want == "" && got != "" {
			t.Errorf("check of %q beside the tags %q: %q, want %q", test.version, test.tags, got, test.want)
		}
	}
}

// What is rehearsed is what the modules require of each other, or what comes after.
func TestNext(t *testing.T) {
	for tags, want := range map[string]string{"": "v0.1.0", "v0.0.9 tool/v0.1.0": "v0.1.0", "v0.1.0": "v0.2.0", "v0.1.0 v0.2.0": "v0.3.0"} {
		if got, err := next(read(t, nil), strings.Fields(tags)); got != want || err != nil {
			t.Errorf("next beside the tags %q = %s, %v, want %s", tags, got, err, want)
		}
	}
	alone := map[string]string{"gallery/go.mod": "", "tool/go.mod": "", "tool/fleet/go.mod": "", "peers/go.mod": "", "pipe/jetstream/go.mod": ""}
	if got, err := next(read(t, alone), nil); err == nil {
		t.Errorf("next of one module = %s", got)
	}
	for version, want := range map[string]string{"v0.1.0": "v0.2.0", "v0.9.3": "v0.10.0", "v1.2.3-rc.1": "v1.3.0"} {
		if got := after(version); got != want {
			t.Errorf("after %s comes %s, want %s", version, got, want)
		}
	}
}

// Versions of the modules are set, those of others and comments stay.
func TestSetVersions(t *testing.T) {
	for name, test := range map[string][2]string{
		"go.mod": {
			"module " + lib + "/tool\n\ngo 1.26.0\n\nrequire (\n\t" + lib + " v0.1.0\n\t" + lib + "/gallery v0.1.0 // the cases\n\t" + lib + "rary v0.1.0\n\tgolang.org/x/mod v0.1.0\n)\n",
			"module " + lib + "/tool\n\ngo 1.26.0\n\nrequire (\n\t" + lib + " v0.2.0\n\t" + lib + "/gallery v0.2.0 // the cases\n\t" + lib + "rary v0.1.0\n\tgolang.org/x/mod v0.1.0\n)\n",
		},
		"go.work": {
			"go 1.26.0\n\nuse .\n\nreplace (\n\t" + lib + " v0.1.0 => .\n\t" + lib + "/gallery v0.1.0 => ./gallery // here\n\tgolang.org/x/mod v0.1.0 => ./mod\n)\n",
			"go 1.26.0\n\nuse .\n\nreplace (\n\t" + lib + " v0.2.0 => .\n\t" + lib + "/gallery v0.2.0 => ./gallery // here\n\tgolang.org/x/mod v0.1.0 => ./mod\n)\n",
		},
		"one/go.work": {
			"go 1.26.0\n\nreplace " + lib + " v0.1.0 => .\n",
			"go 1.26.0\n\nreplace " + lib + " v0.2.0 => .\n",
		},
	} {
		got, err := setVersions(name, []byte(test[0]), read(t, nil), "v0.2.0")
		if string(got) != test[1] || err != nil {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, test[1])
		}
	}
}

// A release changes the modules' own lines of go.sum, and no other of it or of go.mod.
func TestUntidy(t *testing.T) {
	const (
		others = "golang.org/x/mod v0.42.0 h1:a=\ngolang.org/x/mod v0.42.0/go.mod h1:b=\n" + lib + "rary v0.1.0 h1:c=\n"
		old    = lib + " v0.1.0 h1:d=\n" + lib + " v0.1.0/go.mod h1:e=\n"
		new    = lib + " v0.2.0 h1:f=\n" + lib + " v0.2.0/go.mod h1:g=\n" + lib + "/gallery v0.2.0 h1:h=\n"
	)
	mods := read(t, nil)
	if got := withoutOurs(old+others, mods); got != others {
		t.Errorf("withoutOurs = %q, want %q", got, others)
	}
	for _, test := range []struct{ mod, gotMod, sum, gotSum, want string }{
		{"m", "m", old + others, new + others, ""},
		{"m", "m", others, others + new, ""},
		{"m", "m", "", new, ""},
		{"require a v1", "require a v1\nrequire b v1", others, others, "gallery/go.mod\n+require b v1"},
		{"require a v1\nrequire b v1", "require b v1", others, others, "gallery/go.mod\n-require a v1"},
		{"a\nb", "b\na", others, others, "gallery/go.mod\nthe order of the lines"},
		{"m", "m", others, new + others + "golang.org/x/sys v0.49.0 h1:i=\n", "gallery/go.sum\n+golang.org/x/sys v0.49.0 h1:i="},
		{"m", "m", others + "golang.org/x/sys v0.49.0 h1:i=\n", others, "gallery/go.sum\n-golang.org/x/sys v0.49.0 h1:i="},
	} {
		want := ""
		if test.want != "" {
			want = "go mod tidy would change more than the versions:\n" + test.want
		}
		got := ""
		if err := untidy(&mod{dir: "gallery"}, []byte(test.mod), []byte(test.gotMod), test.sum, test.gotSum, mods); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("go.mod %q to %q, go.sum %q to %q: %q, want %q", test.mod, test.gotMod, test.sum, test.gotSum, got, want)
		}
	}
}

func TestTakeSection(t *testing.T) {
	const head = "# Changelog\n\nA line.\n\n"
	for _, test := range []struct{ name, text, changed, section, err string }{
		{"the first", head + "## Unreleased\n\n- a: b.\n- c: d.\n", head + "## Unreleased\n\n## v0.2.0 (2026-11-27)\n\n- a: b.\n- c: d.\n", "- a: b.\n- c: d.", ""},
		{
			"before others", head + "## Unreleased\n- a: b.\n\n### c\n\n## v0.1.0 (2026-01-02)\n\n- e: f.\n",
			head + "## Unreleased\n\n## v0.2.0 (2026-11-27)\n\n- a: b.\n\n### c\n\n## v0.1.0 (2026-01-02)\n\n- e: f.\n", "- a: b.\n\n### c", "",
		},
		{"ready", head + "## Unreleased\n\n## v0.2.0 (2026-11-26)\n\n- a: b.\n\n## v0.1.0 (2026-01-02)\n", head + "## Unreleased\n\n## v0.2.0 (2026-11-26)\n\n- a: b.\n\n## v0.1.0 (2026-01-02)\n", "- a: b.", ""},
		{"ready, the first", "## Unreleased\n## v0.2.0\n- a: b.\n", "## Unreleased\n## v0.2.0\n- a: b.\n", "- a: b.", ""},
		{"ready, and more", "## Unreleased\n- c\n## v0.2.0\n- a: b.\n", "", "", "a section v0.2.0 and something under Unreleased as well"},
		{"empty", head + "## Unreleased\n\n \n", "", "", "nothing stands under Unreleased"},
		{"empty, others", head + "## Unreleased\n\n## v0.2.0-rc.1 (2026-01-02)\n\n- a: b.\n", "", "", "nothing stands under Unreleased"},
		{"none", head + "## v0.1.0 (2026-01-02)\n\n- e: f.\n", "", "", "has no section ## Unreleased"},
		{"in a line", "- a: ## Unreleased\n- b\n", "", "", "has no section ## Unreleased"},
	} {
		changed, section, err := takeSection(test.text, "v0.2.0", "2026-11-27")
		if changed != test.changed || section != test.section || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: takeSection(%q) = %q, %q, %v, want %q, %q, %q", test.name, test.text, changed, section, err, test.changed, test.section, test.err)
		}
	}
}

func TestChangesOf(t *testing.T) {
	changes := changesOf("diff --git a/CHANGELOG.md b/CHANGELOG.md\nindex 1..2 100644\n--- a/CHANGELOG.md\n+++ b/CHANGELOG.md\n@@ -1,0 +2 @@\n+x\n" +
		"diff --git a/tool/go.sum b/tool/go.sum\nnew file mode 100644\nindex 0..2\n--- /dev/null\n+++ b/tool/go.sum\n@@ -0,0 +1,2 @@ h\n+a\n+b\n" +
		"diff --git a/go.work b/go.work\nindex 1..2 100644\n--- a/go.work\n+++ b/go.work\n@@ -1 +1 @@\n-\tc\n+\td\n\\ No newline at end of file\n")
	var got []string
	for _, c := range changes {
		got = append(got, c.name+": "+strings.Join(c.lines, "|"))
	}
	if want := []string{"tool/go.sum: +a|+b", "go.work: -\tc|+\td"}; !slices.Equal(got, want) {
		t.Errorf("changesOf = %q, want %q", got, want)
	}
}

func TestParse(t *testing.T) {
	o, err := parse([]string{"-dirty", "-proof=false", "-go", "local", "-patch", "p", "v0.1.0"})
	if err != nil || o.version != "v0.1.0" || !o.dirty || o.proof || o.patch != "p" || !slices.Equal(o.gos, []string{"local"}) {
		t.Errorf("parse = %+v, %v", o, err)
	}
	if o, err := parse(nil); err != nil || o.version != "" || o.dirty || !o.proof || len(o.gos) != 2 {
		t.Errorf("parse of nothing = %+v, %v", o, err)
	}
	for _, args := range [][]string{{"v0.1.0", "v0.2.0"}, {"-what"}} {
		if o, err := parse(args); err == nil {
			t.Errorf("parse(%q) = %+v", args, o)
		}
	}
}

func TestNextOf(t *testing.T) {
	for report, want := range map[string]string{"Sum pays\nnext: payoff x\n": "next: payoff x", "Sum\nnext: a\nmore\n": "", "next: payoff x\n": "", "": ""} {
		if got, err := nextOf(report, "Sum"); got != want || (err == nil) != (want != "") {
			t.Errorf("nextOf(%q) = %q, %v, want %q", report, got, err, want)
		}
	}
}

// An edit that needs the package and passed the tests is told of.
func TestTriedOf(t *testing.T) {
	report := func(edit string) string { return `{"fixes":[{"findings":[{"fixes":[{"id":"z"},` + edit + `]}]}]}` }
	for _, test := range []struct{ report, want string }{
		{report(`{"id":"a","needs":"m/par","word":"kept","why":"b","checks":["build","tests"]}`), "a passed build, tests: kept, b"},
		{report(`{"id":"a","needs":"m/par","checks":["build"]}`), ""},
		{report(`{"id":"a","needs":"m/pool","checks":["build","tests"]}`), ""},
		{report(`{"id":"a","checks":["tests"]}`), ""},
		{"{}", ""},
		{"fatal", ""},
	} {
		if got, err := triedOf(test.report, "m/par"); got != test.want || (err == nil) != (test.want != "") {
			t.Errorf("triedOf(%s) = %q, %v, want %q", test.report, got, err, test.want)
		}
	}
}

// Budgets grow until one is enough, and then no more; what never succeeds ends.
func TestPatiently(t *testing.T) {
	for enough, want := range map[string]string{"8s": "8s", "16s": "8s 16s", "never": "8s 16s 32s 1m4s"} {
		var tried []string
		note, err := patiently(8*time.Second, func(budget string) (string, error) {
			if tried = append(tried, budget); budget != enough {
				return "", errors.New("too short")
			}
			return "done", nil
		})
		if got := strings.Join(tried, " "); got != want || (err == nil) != (enough != "never") || err == nil && note != "done" {
			t.Errorf("where %s is enough it tries %s and returns %q, %v, want %s", enough, got, note, err, want)
		}
	}
}

func TestPassed(t *testing.T) {
	got := passed("{\"Action\":\"run\",\"Package\":\"a\",\"Test\":\"X\"}\n{\"Action\":\"pass\",\"Package\":\"a\",\"Test\":\"X\"}\n{\"Action\":\"pass\",\"Package\":\"a\"}\n{\"Action\":\"skip\",\"Package\":\"b\",\"Test\":\"Y\"}\nno JSON\n{\"Action\":\"pass\",\"Package\":\"b\"}\n")
	if got["a"] != 1 || got["b"] != 0 {
		t.Errorf("passed = %v, want one of a", got)
	}
}

// repository writes a tree into a new git repository and commits it.
func repository(t *testing.T, files map[string]string) (dir string, git func(args ...string) string) {
	t.Helper()
	dir = t.TempDir()
	git = func(args ...string) string {
		t.Helper()
		out, err := output(t.Context(), dir, []string{"GIT_CONFIG_GLOBAL=" + os.DevNull}, "git", append([]string{"-c", "user.name=x", "-c", "user.email=x@localhost"}, args...)...)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(out)
	}
	for name, text := range files {
		if err := write(filepath.Join(dir, filepath.FromSlash(name)), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-q", "-m", "lib: all of it")
	return dir, git
}

// A tree with changes is refused, or taken as it stands: with what is new, without
// what is deleted.
func TestDirty(t *testing.T) {
	dir, git := repository(t, tree())
	plan := func(o options) (string, error) {
		copied := filepath.Join(t.TempDir(), "tree")
		_, err := newPlan(context.Background(), dir, copied, o, time.Now())
		return copied, err
	}
	if _, err := plan(options{version: "v0.1.0"}); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"lib.go": "package lib\n", "new.go": "package lib\n", "ignored.txt": "", ".gitignore": "ignored.txt\n"} {
		if err := write(filepath.Join(dir, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(dir, "LICENSE")); err != nil {
		t.Fatal(err)
	}
	if _, err := plan(options{version: "v0.1.0"}); err == nil || !strings.Contains(err.Error(), "what is not committed is in no release") || !strings.Contains(err.Error(), " D LICENSE") {
		t.Errorf("a tree with changes: %v", err)
	}
	copied, err := plan(options{version: "v0.1.0", dirty: true})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"lib.go": true, "new.go": true, "tool/main.go": true, "LICENSE": false, "ignored.txt": false, "record/go.mod": true, "record/raw.txt": false, ".git": false} {
		if _, err := os.Stat(filepath.Join(copied, name)); (err == nil) != want {
			t.Errorf("%s is copied: %t, want %t", name, err == nil, want)
		}
	}
	if data, err := os.ReadFile(filepath.Join(copied, "lib.go")); string(data) != "package lib\n" {
		t.Errorf("lib.go is copied as %q, %v", data, err)
	}
	git("reset", "-q", "--hard")
	git("clean", "-fdqx")
	git("tag", "gallery/v0.1.0")
	if _, err := plan(options{version: "v0.1.0"}); err == nil || err.Error() != "tag gallery/v0.1.0 is there already" {
		t.Errorf("a version that is tagged: %v", err)
	}
	if _, err := plan(options{}); err == nil { // the library's tag says which is next
		t.Error("a rehearsal of a version that is tagged in part is planned")
	}
}
