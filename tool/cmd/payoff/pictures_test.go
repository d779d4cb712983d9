package main

import (
	"bytes"
	"flag"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/browsertest"
	"github.com/gopayoff/payoff/tool/internal/report/text"
	"github.com/gopayoff/payoff/tool/internal/session"
)

var pictures = flag.Bool("pictures", false, "make the pictures of the README and of docs/session.md")

// TestPictures makes the pictures of the README and of docs/session.md from a recorded
// run: what a terminal shows of it, and its page. go test ./tool/cmd/payoff -run Pictures -pictures
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
	var out bytes.Buffer
	if err := text.Report(&out, end.Doc, text.Options{Width: 150, Colours: true, Bars: text.Unicode}); err != nil {
		t.Fatal(err)
	}
	terminal := filepath.Join(t.TempDir(), "terminal.html")
	if err := os.WriteFile(terminal, []byte(screen(end.Doc.Asked.Command(), out.String())), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(img, 0o755); err != nil {
		t.Fatal(err)
	}
	b := browsertest.Open(t)
	shoot := func(name, file string, scheme string, height func() float64) {
		b.Show("file://"+file, 1280, scheme)
		browsertest.Ask[bool](b, `dispatchEvent(new Event("beforeprint"))`)
		if err := os.WriteFile(filepath.Join(img, name), b.Part(0, 0, 1280, height()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	shoot("page.png", page, "light", func() float64 { return 1250 })
	shoot("terminal.png", terminal, "dark", func() float64 {
		return browsertest.Ask[float64](b, `Math.ceil(document.body.getBoundingClientRect().height)`)
	})
}

// escapes are what the text has for colours.
var escapes = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// screen is a page that looks like a terminal.
func screen(command, out string) string {
	style := map[string]string{"1": "b", "2": "f", "31": "r", "32": "g", "33": "y"}
	body := escapes.ReplaceAllStringFunc(html.EscapeString(out), func(s string) string {
		if class := style[escapes.FindStringSubmatch(s)[1]]; class != "" {
			return "<span class=" + class + ">"
		}
		return "</span>"
	})
	return `<!doctype html><html data-ready="true"><meta charset="utf-8"><style>
body { margin: 0; padding: 16px 20px; width: max-content; min-width: 1240px; background: #14171a; color: #e6e9ec; font: 13px/1.35 "DejaVu Sans Mono", monospace; }
pre { margin: 0; font: inherit; } .b { font-weight: bold; } .f { color: #8b949e; } .r { color: #ff8a80; } .g { color: #6fd598; } .y { color: #f0bf63; }
</style><pre>$ ` + html.EscapeString(command) + "\n" + strings.TrimRight(body, "\n") + "</pre>"
}
