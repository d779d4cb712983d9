package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestPageData: the reports that pages are tested with are what payoff says today of
// recorded runs. go test ./tool/cmd/payoff -run PageData -update writes them.
func TestPageData(t *testing.T) {
	pages, err := filepath.Abs(filepath.Join("..", "..", "internal", "report", "html", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join("..", "..", "..", "record", "2026-11-23-epyc-2cpu"))
	for _, dir := range []string{"fix-falseshare", "gallery-sort"} {
		var out, errs bytes.Buffer
		if code := run([]string{"payoff", "replay", "-json", dir}, &out, &errs); code != exitOK {
			t.Fatalf("%s: exit code %d\n%s", dir, code, errs.String())
		}
		file := filepath.Join(pages, dir+".json")
		if *update {
			if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if old, err := os.ReadFile(file); err != nil || !bytes.Equal(old, out.Bytes()) {
			t.Errorf("%s is not what %s gives (%v): go test ./tool/cmd/payoff -run PageData -update", file, dir, err)
		}
	}
}
