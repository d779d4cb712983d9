package vet_test

import (
	"flag"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet"
)

// Shared rooms of this folder, that are no checks.
var shared = []string{"atonce", "flow", "fuzz", "golangci", "guard", "heat", "inline", "layout", "local", "loop", "privatize", "rewrite", "room", "section", "shape", "spawn", "testdata", "traps", "unbuilt", "uses"}

func names() (out []string) {
	for _, a := range vet.All() {
		out = append(out, a.Name)
	}
	return out
}

// Each check is in the suite once and by name; each folder holds a check or is
// one of the shared ones.
func TestAll(t *testing.T) {
	all := names()
	if !slices.IsSorted(all) || len(slices.Compact(slices.Clone(all))) != len(all) {
		t.Errorf("%q: want each once, sorted", all)
	}
	if err := analysis.Validate(vet.Tool()); err != nil {
		t.Error(err)
	}
	dirs, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		if d.IsDir() && !slices.Contains(shared, d.Name()) && !slices.Contains(all, d.Name()) {
			t.Errorf("vet/%s: neither in vet.All nor among what the checks share", d.Name())
		}
	}
}

var (
	title = regexp.MustCompile(`^[a-z][^\n.]{9,79}(\n|$)`)
	goods = regexp.MustCompile(`(?i)\b(good|right|better|instead)\b`)
)

// Each check has its folder with documentation and goldens: positives,
// negatives, and the results of its edits.
func TestRooms(t *testing.T) {
	for _, a := range vet.All() {
		if !title.MatchString(a.Doc) {
			t.Errorf("%s: doc %q: want a first line of 10 to 80 letters, no capital, no full stop", a.Name, firstLine(a.Doc))
		}
		doc, err := parser.ParseFile(token.NewFileSet(), filepath.Join(a.Name, "doc.go"), nil, parser.ParseComments)
		if err != nil {
			t.Errorf("%s: %v", a.Name, err)
			continue
		}
		if text := doc.Doc.Text(); !strings.HasPrefix(text, "Package "+a.Name+" ") || !goods.MatchString(text) {
			t.Errorf("vet/%s/doc.go: want the package's comment, with the bad and the good form", a.Name)
		}
		src, _ := filepath.Glob(filepath.Join(a.Name, "testdata", "src", "*", "*.go"))
		wants := 0
		for _, f := range src {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			wants += strings.Count(string(data), "// want ")
		}
		if wants < 2 {
			t.Errorf("vet/%s/testdata: %d lines with findings in %d files, want some", a.Name, wants, len(src))
		}
	}
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// A vet tool takes the evidence of a run by a flag.
func TestToolFlags(t *testing.T) {
	for _, a := range vet.Tool() {
		if a.Name == "heat" {
			if f := a.Flags.Lookup("run"); f == nil || f.Value.(flag.Getter) == nil {
				t.Error("no -heat.run")
			}
			return
		}
	}
	t.Error("no heat in the tool: its flags would be unknown to go vet")
}
