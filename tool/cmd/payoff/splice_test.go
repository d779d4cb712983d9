package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the recorded figures into the documents")

// splice is a place in a document that shows a file of the record:
//
//	<!-- from record/DATE-CPU/file.txt -->
//	(the file, fenced)
//	<!-- end -->
var splice = regexp.MustCompile(`(?s)<!-- from (record/\S+) -->\n.*?<!-- end -->`)

// TestSplices: figures in documents are those of the record, to the letter.
// go test -run Splices -update ./tool/cmd/payoff writes them.
func TestSplices(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	var docs []string
	for _, pattern := range []string{"*.md", "docs/*.md", "record/*/README.md", "queue/*.md", "counter/*.md", "recycle/*.md", "par/*.md"} {
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
			name := splice.FindStringSubmatch(s)[1]
			data, err := os.ReadFile(filepath.Join(root, name))
			if err != nil {
				t.Errorf("%s shows %v", doc, err)
				return s
			}
			text := strings.TrimRight(string(data), "\n")
			if !strings.HasSuffix(name, ".md") {
				text = "```\n" + text + "\n```"
			}
			return "<!-- from " + name + " -->\n" + text + "\n<!-- end -->"
		})
		if got == string(old) {
			continue
		}
		if !*update {
			t.Errorf("%s does not show what the record holds: go test -run Splices -update ./tool/cmd/payoff", doc)
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
