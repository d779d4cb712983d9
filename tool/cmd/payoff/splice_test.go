package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the recorded figures into the documents")

// splice is a place in a document that shows a file of the record, or one that a
// case of the gallery computes:
//
//	<!-- from record/DATE-CPU/file.txt -->
//	(the file, fenced)
//	<!-- end -->
//
// With "show packed channel, why packed at 2" after the file's name, it shows
// what [cut] leaves of a report.
var splice = regexp.MustCompile(`(?s)<!-- from ((?:record|gallery)/\S+)(?: show ([^,\n]+), (why [^\n]+))? -->\n.*?<!-- end -->`)

// heading is one of a document that is shown in another.
var heading = regexp.MustCompile(`(?m)^#+ `)

// cut returns of a report the first line, the rows of the variants
// and the cause that begins as why. It is not ok where one of them is missing.
func cut(report string, variants []string, why string) (text string, ok bool) {
	lines := strings.Split(report, "\n")
	var rows, cause []string
	row, because := false, false // the line belongs to a row, to the cause
	missing := slices.Clone(variants)
	for _, l := range lines {
		rest, indented := strings.CutPrefix(l, "  ")
		name, _, _ := strings.Cut(rest, " ")
		switch {
		case !indented:
			row = false
		case strings.HasPrefix(l, "  variant "):
			rows = append(rows, l)
			row = false
		case name != "":
			row = slices.Contains(variants, name)
			missing = slices.DeleteFunc(missing, func(v string) bool { return v == name })
		}
		if row {
			rows = append(rows, l)
		}
		because = strings.HasPrefix(l, "  "+why+":") || because && strings.HasPrefix(l, "      ")
		if because {
			cause = append(cause, l)
		}
	}
	text = strings.Join(slices.Concat(lines[:1], []string{""}, rows, []string{""}, cause), "\n")
	return text, len(missing) == 0 && cause != nil
}

func TestCut(t *testing.T) {
	const report = `a pays; b loses

p

  Sum
  variant  procs
  serial       1
               2
  a            1
               2
  b            1

  why b at 1: 50% grain
      m.go:1: here
  why b at 2: none
      m.go:2: there

warning: a, or b
next: payoff why`
	const want = `a pays; b loses

  variant  procs
  a            1
               2

  why b at 1: 50% grain
      m.go:1: here`
	if got, ok := cut(report, []string{"a"}, "why b at 1"); got != want || !ok {
		t.Errorf("cut = %q, %t, want %q", got, ok, want)
	}
	for _, missing := range [][2]string{{"c", "why b at 1"}, {"a", "why b at 4"}} {
		if got, ok := cut(report, missing[:1], missing[1]); ok {
			t.Errorf("cut to %q = %q, want not ok", missing, got)
		}
	}
}

// TestSplices: figures in documents are those of the record, to the letter.
// go test ./tool/cmd/payoff -run Splices -update writes them.
func TestSplices(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	var docs []string
	for _, pattern := range []string{"*.md", "docs/*.md", "record/*/README.md", "queue/*.md", "counter/*.md", "recycle/*.md", "par/*.md", "pipe/*.md", "pool/*.md", "snapmap/*.md", "ctrie/*.md", "topic/*.md", "peers/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, found...)
	}
	n := 0
	for _, doc := range docs {
		old, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		got := splice.ReplaceAllStringFunc(string(old), func(s string) string {
			n++
			m := splice.FindStringSubmatch(s)
			name, mark := m[1], strings.SplitAfterN(s, "\n", 2)[0]
			data, err := os.ReadFile(filepath.Join(root, name))
			if err != nil {
				t.Errorf("%s shows %v", doc, err)
				return s
			}
			text := strings.TrimRight(string(data), "\n")
			if m[2] != "" {
				var ok bool
				if text, ok = cut(text, strings.Fields(m[2]), m[3]); !ok {
					t.Errorf("%s: %s has no rows of all of %s, or no %q", doc, name, m[2], m[3])
				}
			}
			if !strings.HasSuffix(name, ".md") {
				text = "```\n" + text + "\n```"
			} else { // beneath the heading it stands under
				text = heading.ReplaceAllString(text, "##$0")
			}
			return mark + text + "\n<!-- end -->"
		})
		if got == string(old) {
			continue
		}
		if !*update {
			t.Errorf("%s does not show what the record holds: go test ./tool/cmd/payoff -run Splices -update", doc)
			continue
		}
		if err := os.WriteFile(doc, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if n == 0 {
		t.Error("no document shows a figure of the record")
	}
}
