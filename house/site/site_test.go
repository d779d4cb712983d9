package main

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestSite: links lead to pages, or to the forge, and code is left as it is.
func TestSite(t *testing.T) {
	tree := fstest.MapFS{
		"README.md":           {Data: []byte("# P\n\n[a](docs/a.md#x), [q](queue/README.md), [d](queue), [s](tool/x.go#L3), [f](tool/vet), [w](https://go.dev), [h](#p), ![i](docs/img/p.png)\n\n```\n[a](docs/a.md)\n```\n")},
		"docs/a.md":           {Data: []byte("# A\n\n<!-- from record/x.txt -->\n[up](../README.md)\n<!-- end -->\n")},
		"queue/README.md":     {Data: []byte("# queue\n\n[a](../docs/a.md) [p](protocol.md)\n")},
		"peers/README.md":     {Data: []byte("# peers\n")},
		"tool/vet/vet.go":     {Data: []byte("package vet\n\nvar all = []*A{\n\t\tone.Analyzer,\n\t\tshape.Analyzer(x),\n\t}\n")},
		"tool/vet/one/a.go":   {Data: []byte("package one\n")},
		"tool/vet/one/doc.go": {Data: []byte("// Package one finds a | b.\n//\n//\tx := 1\n//\n//\ty := 2\n//\n// # Edits\n//\n// None.\npackage one\n")},
	}
	for _, file := range []string{"CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "docs/causes.md", "docs/checks.md", "docs/vet.md"} {
		tree[file] = &fstest.MapFile{Data: []byte("# " + file + "\n")}
	}
	c := cause{Slug: "grain", Title: "Goroutines too small", Do: "Cut larger pieces", Evidence: []string{"e"}, Before: "a()", After: "b()", Wrong: "w", Cures: []string{"par.For"}, See: []string{"s"}}
	c.Edits = append(c.Edits, struct{ Check, Title, Edits string }{"one", "t", "e"})
	pages, err := site(tree, []cause{c})
	if err != nil {
		t.Fatal(err)
	}
	for page, want := range map[string]string{
		"index.md":         "# P\n\n[a](a.md#x), [q](library/queue.md), [d](library/queue.md), [s](" + forge + "blob/main/tool/x.go#L3), [f](" + forge + "tree/main/tool/vet), [w](https://go.dev), [h](#p), ![i](img/p.png)\n\n```\n[a](docs/a.md)\n```\n",
		"a.md":             "# A\n\n[up](index.md)\n",
		"library/queue.md": "# queue\n\n[a](../a.md) [p](" + forge + "blob/main/queue/protocol.md)\n",
	} {
		if pages[page] != want {
			t.Errorf("%s:\n%q, want\n%q", page, pages[page], want)
		}
	}
	if _, ok := pages["library/peers.md"]; ok {
		t.Error("peers is a page of the library")
	}
	checks, err := checksPage(tree)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| [one](#one) | a \\| b. |\n\n## one\n", "\n## one\n\nIt finds a | b.\n\n```go\nx := 1\n\ny := 2\n```\n\n**Edits**\n\nNone.\n"} {
		if !strings.Contains(checks, want) || strings.Contains(checks, "shape") {
			t.Errorf("checks lack %q: %s", want, checks)
		}
	}
	if page := pages["cause/grain.md"]; !strings.Contains(page, "[`one`](../checks.md#one)") || !strings.Contains(page, "```go\nb()\n```") {
		t.Errorf("cause: %s", page)
	}
	if broken := pages.broken(); broken != nil {
		t.Errorf("broken links: %v", broken)
	}
	pages["a.md"] += "[none](none.md#x)\n```\n[code](none.md)\n```\n"
	if got, want := pages.broken(), []string{"a.md: none.md#x"}; !slices.Equal(got, want) {
		t.Errorf("broken links: %v, want %v", got, want)
	}
	text := config(pages)
	for _, want := range []string{"    - index.md\n", "    - cause/grain.md\n", "    - checks.md\n", "    - library/queue.md\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("mkdocs.yml lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "read.md") {
		t.Error("mkdocs.yml names a page that is not there")
	}
}

var update = flag.Bool("update", false, "write docs/checks.md")

// TestChecks: docs/checks.md is what the packages of the checks say.
func TestChecks(t *testing.T) {
	want, err := checksPage(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	const file = "../../docs/checks.md"
	got, err := os.ReadFile(file)
	if err == nil && string(got) == want {
		return
	}
	if !*update {
		t.Fatalf("docs/checks.md is not what the checks say of themselves (%v): go test ./house/site -run Checks -update", err)
	}
	if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestHere: each page of this repository's site is in its navigation, and no link of
// one leads nowhere.
func TestHere(t *testing.T) {
	pages, err := site(os.DirFS("../.."), nil)
	if err != nil {
		t.Fatal(err)
	}
	text := config(pages)
	for page := range pages {
		if !strings.Contains(text, "    - "+page+"\n") {
			t.Errorf("%s is in no section: add it to sections", page)
		}
	}
	if broken := pages.broken(); broken != nil {
		t.Errorf("broken links: %v", broken)
	}
}
