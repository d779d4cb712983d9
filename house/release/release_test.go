package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A release on a small repository: what it says, what its patch does, and that it
// leaves the repository alone. Applied, the patch makes a tree that is ready, and
// whose tags have the sums that go.sum has.
func TestRelease(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: runs the go command")
	}
	dir, git := repository(t, tree())
	t.Chdir(dir)
	patch := filepath.Join(t.TempDir(), "patch")
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	carryOut := func(o options) string {
		t.Helper()
		var out bytes.Buffer
		if err := release(t.Context(), o, now, &out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	before := git("log", "--all", "--format=%H") + git("tag") + git("status", "--porcelain", "--ignored")
	said := carryOut(options{version: "v0.2.0", patch: patch})
	if after := git("log", "--all", "--format=%H") + git("tag") + git("status", "--porcelain", "--ignored"); after != before {
		t.Errorf("the repository has changed: %q, want %q", after, before)
	}
	for _, want := range []string{
		"  v0.2.0 ", "  gallery/v0.2.0 ", "  tool/v0.2.0 ",
		"  gallery/go.mod\n    -require " + lib + " v0.1.0\n    +require " + lib + " v0.2.0\n  gallery/go.sum\n    +" + lib + " v0.2.0 h1:",
		"  docs/ci/x.yml\n    -      - run: go install " + lib + "/tool/cmd/tool@v0.1.0\n    +      - run: go install " + lib + "/tool/cmd/tool@v0.2.0\n",
		"  go.work\n", "  peers/go.mod\n", "  peers/go.sum\n", "    +" + lib + "/gallery v0.2.0/go.mod h1:",
		"CHANGELOG.md has of v0.2.0:\n\n- lib: New.\n",
		"\nnext:\n  git apply --index " + patch + " && git commit -m 'release v0.2.0'\n  go run ./house/release v0.2.0\n",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not say %q:\n%s", want, said)
		}
	}
	if i, j, k := strings.Index(said, "  v0.2.0 "), strings.Index(said, "  gallery/v0.2.0 "), strings.Index(said, "  tool/v0.2.0 "); i > j || j > k {
		t.Errorf("the order of the tags is another than library, gallery, tool:\n%s", said)
	}

	git("apply", "--index", patch)
	git("commit", "-q", "-m", "release v0.2.0")
	if text, err := os.ReadFile("CHANGELOG.md"); string(text) != "# Changelog\n\n## Unreleased\n\n## v0.2.0 (2026-11-27)\n\n- lib: New.\n" {
		t.Errorf("CHANGELOG.md = %q, %v", text, err)
	}
	now = now.AddDate(0, 0, 1) // the day of the tag counts for nothing
	if said := carryOut(options{version: "v0.2.0"}); !strings.Contains(said, "\nthe tree is ready: nothing has to be changed\n") || !strings.Contains(said, "\n  git tag v0.2.0\n  git tag gallery/v0.2.0\n  git tag tool/v0.2.0\n  git tag tool/fleet/v0.2.0\n  git tag pipe/jetstream/v0.2.0\n  git push --atomic origin HEAD v0.2.0 gallery/v0.2.0 tool/v0.2.0 tool/fleet/v0.2.0 pipe/jetstream/v0.2.0\n") {
		t.Errorf("after the release's commit it says\n%s", said)
	}
	// Nothing has to be ready for a rehearsal.
	if said := carryOut(options{}); !strings.Contains(said, "rehearsal of v0.2.0\n") || strings.Contains(said, "next:") {
		t.Errorf("a rehearsal says\n%s", said)
	}

	// After it nothing is new, which is no release but can be rehearsed.
	for _, tag := range []string{"v0.2.0", "gallery/v0.2.0", "tool/v0.2.0", "tool/fleet/v0.2.0", "pipe/jetstream/v0.2.0"} {
		git("tag", tag)
	}
	if err := release(t.Context(), options{version: "v0.3.0"}, now, t.Output()); err == nil || err.Error() != "CHANGELOG.md: nothing stands under Unreleased" {
		t.Errorf("a release with nothing new: %v", err)
	}
	if said := carryOut(options{}); !strings.Contains(said, "rehearsal of v0.3.0\n") || !strings.Contains(said, "\nCHANGELOG.md: nothing stands under Unreleased\n") {
		t.Errorf("a rehearsal with nothing new says\n%s", said)
	}
	git("tag", "-d", "v0.2.0", "gallery/v0.2.0", "tool/v0.2.0", "tool/fleet/v0.2.0", "pipe/jetstream/v0.2.0")

	// What goes in besides is not ready any more: the sums are others.
	if err := os.WriteFile("lib.go", []byte("// Package lib is a library.\npackage lib\n\n// One is 1.\nconst One int = 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if said := carryOut(options{version: "v0.2.0", dirty: true}); strings.Contains(said, "the tree is ready") || !strings.Contains(said, "  tool/go.sum\n    -"+lib+" v0.2.0 h1:") {
		t.Errorf("with a change after the release's commit it says\n%s", said)
	}
}

// The sums that go.sum gets are those that the go command finds by the tags; a
// module has the repository's licence, and nothing of the other modules.
func TestFromTags(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: runs the go command")
	}
	dir, _ := repository(t, tree())
	t.Chdir(dir)
	tmp := t.TempDir()
	p, err := newPlan(t.Context(), dir, filepath.Join(tmp, "tree"), options{version: "v0.1.0"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	w, err := newWorkshop(t.Context(), tmp, p, t.Output())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.makeCommit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := w.fromTags(t.Context()); err != nil {
		t.Error(err)
	}
	files := map[string]int{".": 6, "gallery": 4, "tool": 5, "tool/fleet": 4, "pipe/jetstream": 4} // with LICENSE, and go.sum where others are required
	for _, m := range p.modules {
		if m.packed != nil && m.packed.files != files[m.dir] {
			t.Errorf("the zip of %s has %d files, want %d", m.dir, m.packed.files, files[m.dir])
		}
	}
	p.modules[1].packed.sum = p.modules[0].packed.sum
	if _, err := w.fromTags(t.Context()); err == nil || !strings.Contains(err.Error(), lib+"/gallery has sum ") {
		t.Errorf("a wrong sum is told by %v", err)
	}

	// A go.mod that lacks something is told of, not mended.
	m := p.modules[2]
	m.file = []byte(strings.Replace(string(m.file), "\t"+lib+"/gallery v0.1.0 // the cases\n", "", 1))
	if err := w.tidy(t.Context(), m); err == nil || !strings.Contains(err.Error(), "go mod tidy would change more than the versions:\ntool/go.mod\n") {
		t.Errorf("a go.mod that lacks a requirement is told by %v", err)
	}
}
