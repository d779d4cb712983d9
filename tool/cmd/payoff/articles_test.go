package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/gallery"
	"github.com/gopayoff/payoff/tool/internal/articles"
)

// told is a place in docs/articles.md that shows what the record says of an
// article, or, as "all", how much of all of them holds.
var told = regexp.MustCompile(`(?s)<!-- then and now: (\w+) -->\n.*?<!-- end -->`)

// recordedPage sets all cases beside their articles, by the newest run of each.
func recordedPage(t *testing.T) *articles.Page {
	t.Helper()
	root := filepath.Join("..", "..", "..")
	var runs []articles.Run
	dirs := newest(t)
	for _, pkg := range slices.Sorted(maps.Keys(dirs)) {
		dir := dirs[pkg]
		run, all := load(t, dir)
		name, err := filepath.Rel(root, dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			if s.Package == pkg {
				runs = append(runs, articles.Run{Name: filepath.ToSlash(name), Dir: dir, Rule: run.Rule, Bounds: run.Bounds, Series: s})
			}
		}
	}
	cases, err := gallery.Cases()
	if err != nil {
		t.Fatal(err)
	}
	page, err := articles.New(cases, runs)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// TestArticles: docs/articles.md shows what the record says, of every line and
// every conclusion of every article.
// go test ./tool/cmd/payoff -run 'Articles|Splices' -update writes it.
func TestArticles(t *testing.T) {
	page := recordedPage(t)
	tables := map[string]string{"all": page.Summary + ".\n"}
	known, err := gallery.Articles()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range known {
		tables[a.Key] = ""
	}
	for _, a := range page.Articles {
		var b strings.Builder
		if err := a.Markdown(&b, articles.Links{
			Case: func(name string) string { return "../gallery/" + name + "/doc.go" },
			Run: func(run string) string {
				_, name, _ := strings.Cut(run, "/")
				return fmt.Sprintf("[%s](../%s)", name, run)
			},
		}); err != nil {
			t.Fatal(err)
		}
		tables[a.About.Key] = b.String()
		for _, f := range a.Figures {
			if strings.HasPrefix(f.Missing, "several") {
				t.Errorf("%s: %s: %s at %q", f.Case, f.Name, f.Missing, f.At)
			}
		}
	}
	doc := filepath.Join("..", "..", "..", "docs", "articles.md")
	old, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	got := told.ReplaceAllStringFunc(string(old), func(s string) string {
		key := told.FindStringSubmatch(s)[1]
		shown[key] = true
		if _, ok := tables[key]; !ok {
			t.Errorf("%s: no article %q", doc, key)
		}
		return fmt.Sprintf("<!-- then and now: %s -->\n%s<!-- end -->", key, tables[key])
	})
	for key := range tables {
		if !shown[key] {
			t.Errorf("%s does not show %s", doc, key)
		}
	}
	if got == string(old) {
		return
	}
	if *update {
		if err := os.WriteFile(doc, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s is not what the record says: go test ./tool/cmd/payoff -run 'Articles|Splices' -update", doc)
}
