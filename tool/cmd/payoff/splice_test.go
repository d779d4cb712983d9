package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the recorded figures into the documents")

// splice is a place in a document that shows a file of the record, a program, or what a
// case of the gallery computes:
//
//	<!-- from record/DATE-CPU/file.txt -->
//	(the file, fenced)
//	<!-- end -->
//
// The folder of a run stands for the report that payoff replay gives of it. With
// "show packed channel", or "show packed, why packed at 2", after the name, it
// shows what [cut] leaves of a report. Of Go source, "func Packed" shows that
// function.
var splice = regexp.MustCompile(`(?s)<!-- from ((?:record|gallery|tool/testdata)/\S+)(?: func (\w+)| show ([^,\n]+?)(?:, (why [^\n]+))?)? -->\n.*?<!-- end -->`)

// heading is one of a document that is shown in another.
var heading = regexp.MustCompile(`(?m)^#+ `)

// cut returns the rows of the variants, each table with its head. Where why is not
// empty the first line of the report stands before them, and after them the cause
// that begins so. It is not ok where one of all these is missing.
func cut(report string, variants []string, why string) (text string, ok bool) {
	lines := strings.Split(report, "\n")
	var rows, cause []string
	head := ""                   // of the table, until a row of it is shown
	row, because := false, false // the line belongs to a row, to the cause
	missing := slices.Clone(variants)
	for _, l := range lines {
		rest, indented := strings.CutPrefix(l, "  ")
		name, _, _ := strings.Cut(rest, " ")
		switch {
		case !indented:
			row = false
		case strings.HasPrefix(l, "  variant "):
			head, row = l, false
		case name != "":
			row = slices.Contains(variants, name)
			missing = slices.DeleteFunc(missing, func(v string) bool { return v == name })
		}
		if row {
			if head != "" {
				rows = append(rows, head)
				head = ""
			}
			rows = append(rows, l)
		}
		because = why != "" && strings.HasPrefix(l, "  "+why+":") || because && strings.HasPrefix(l, "      ")
		if because {
			cause = append(cause, l)
		}
	}
	if why == "" {
		return strings.Join(rows, "\n"), len(missing) == 0
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

  Other
  variant  procs
  serial       1
  c            1

warning: a, or b
next: payoff why`
	const rows = `  variant  procs
  a            1
               2`
	const want = "a pays; b loses\n\n" + rows + `

  why b at 1: 50% grain
      m.go:1: here`
	if got, ok := cut(report, []string{"a"}, "why b at 1"); got != want || !ok {
		t.Errorf("cut = %q, %t, want %q", got, ok, want)
	}
	if got, ok := cut(report, []string{"a"}, ""); got != rows || !ok {
		t.Errorf("rows of a: %q, %t, want %q", got, ok, rows)
	}
	for _, missing := range [][2]string{{"d", "why b at 1"}, {"a", "why b at 4"}, {"d", ""}} {
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
	for _, pattern := range []string{"*.md", "docs/*.md", "record/*/README.md", "queue/*.md", "counter/*.md", "recycle/*.md", "par/*.md", "pipe/*.md", "pipe/jetstream/*.md", "pool/*.md", "snapmap/*.md", "ctrie/*.md", "topic/*.md", "peers/*.md"} {
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
			text, err := shown(filepath.Join(root, name), m[2])
			if err != nil {
				t.Errorf("%s shows %v", doc, err)
				return s
			}
			if m[3] != "" {
				var ok bool
				if text, ok = cut(text, strings.Fields(m[3]), m[4]); !ok {
					t.Errorf("%s: %s has no rows of all of %s, or no %q", doc, name, m[3], m[4])
				}
			}
			switch filepath.Ext(name) {
			case ".md": // beneath the heading it stands under
				text = heading.ReplaceAllString(text, "##$0")
			case ".go":
				text = "```go\n" + text + "\n```"
			default:
				text = "```\n" + text + "\n```"
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

// shown is the text of a file, of a function in it, or of the report of a run.
func shown(file, function string) (string, error) {
	if exists(filepath.Join(file, "run.json")) {
		var out, errs bytes.Buffer
		if code := run([]string{"payoff", "replay", file}, &out, &errs); code != exitOK {
			return "", fmt.Errorf("%s: exit code %d: %s", file, code, errs.String())
		}
		return strings.TrimRight(out.String(), "\n"), nil
	}
	data, err := os.ReadFile(file)
	if err != nil || function == "" {
		return strings.TrimRight(string(data), "\n"), err
	}
	fset := token.NewFileSet()
	source, err := parser.ParseFile(fset, file, data, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	for _, d := range source.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == function {
			return string(data[fset.Position(f.Pos()).Offset:fset.Position(f.End()).Offset]), nil
		}
	}
	return "", fmt.Errorf("%s: no function %s", file, function)
}
