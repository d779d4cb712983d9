package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/browsertest"
	"github.com/gopayoff/payoff/tool/internal/session"
)

var pictures = flag.Bool("pictures", false, "make the picture of docs/session.md")

// TestPictures makes the picture of docs/session.md: the page of a recorded run. go test ./tool/cmd/payoff -run Pictures -pictures
func TestPictures(t *testing.T) {
	if !*pictures {
		t.Skip("-pictures is not set")
	}
	img, err := filepath.Abs(filepath.Join("..", "..", "..", "docs", "img"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join("..", "..", "..", "record", "2026-11-23-epyc-2cpu"))
	end := replayOf(t.Context(), "fix-falseshare", session.Wanted)
	if end.Doc == nil || end.Err != nil {
		t.Fatal(end.Err)
	}
	page := filepath.Join(t.TempDir(), "page.html")
	if err := writeHTML(page, end); err != nil {
		t.Fatal(err)
	}
	b := browsertest.Open(t)
	b.Show("file://"+page, 1280, "light")
	browsertest.Ask[bool](b, `dispatchEvent(new Event("beforeprint"))`)
	if err := os.WriteFile(filepath.Join(img, "page.png"), b.Part(0, 0, 1280, 1250), 0o644); err != nil {
		t.Fatal(err)
	}
}
