package sharing

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// templates reads a module from testdata.
func templates(t *testing.T, name string) map[string]string {
	t.Helper()
	root := filepath.Join("testdata", name)
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		files[strings.TrimSuffix(filepath.ToSlash(rel), ".txt")] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// lineOf is the number of the first line of text with the words.
func lineOf(t *testing.T, text, words string) int {
	t.Helper()
	before, _, ok := strings.Cut(text, words)
	if !ok {
		t.Fatalf("no %q in the file", words)
	}
	return strings.Count(before, "\n") + 1
}

func at(file string, line int) source.Place { return source.Place{File: file, Line: line} }
