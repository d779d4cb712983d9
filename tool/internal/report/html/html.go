// Package html writes a report as one page for a browser: a file that needs nothing
// else, no network and no server. What it says is there before any script runs; the
// pictures are drawn by the script, each with its figures as a table.
//
// It takes a [report.Doc] and nothing else. Names, messages and source are untrusted:
// they are escaped as text, and a Content-Security-Policy lets the page run nothing but
// its own script, and fetch nothing.
package html

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/report"
)

var (
	// Style is the page's. It says what its classes look like in the other pages, too.
	//
	//go:embed page.css
	Style string
	//go:embed page.js
	script string
	//go:embed page.tmpl
	body string
	// These draw the pictures; lib/README.md names versions and licences.
	//go:embed lib/d3.js
	d3 string
	//go:embed lib/plot.js
	plot string
	//go:embed lib/flamegraph.js
	flames string

	// Library draws the pictures: D3, Observable Plot and d3-flame-graph.
	Library = d3 + "\n" + plot + "\n// d3-flame-graph 5.0.0 Copyright Martin Spier, licensed under https://www.apache.org/licenses/LICENSE-2.0\n" + flames

	page = template.Must(template.New("page").Funcs(template.FuncMap{"percent": percent, "times": times, "named": named}).Parse(body))

	// Plot puts this rule into each picture.
	plotStyle = ":where(.plot) {\n  --plot-background: white;\n  display: block;\n  height: auto;\n  height: intrinsic;\n  max-width: 100%;\n}\n:where(.plot text),\n:where(.plot tspan) {\n  white-space: pre;\n}"
)

// flameStyle is what d3-flame-graph puts into the page.
func flameStyle() string {
	_, rest, _ := strings.Cut(flames, ".textContent=`")
	style, _, _ := strings.Cut(rest, "`")
	return style
}

// Options say what else the page holds.
type Options struct {
	Bench []byte // the raw results in Go's benchmark format, to be downloaded
	// Strips are the samples, in the order in which they were taken.
	Strips []report.Strip
	Home   string // where a list of all runs is; "" in a page that stands alone
}

// more is what the script draws besides the report.
type more struct {
	Strips []report.Strip `json:"strips"`
	Sizes  []report.Sized `json:"sizes"`
}

// Write writes the page.
func Write(w io.Writer, doc *report.Doc, o Options) error {
	var indented, compact bytes.Buffer
	if err := doc.JSON(&indented); err != nil {
		return err
	}
	if err := json.Compact(&compact, indented.Bytes()); err != nil { // more of it fits into the compressor's window
		return err
	}
	data, err := packed(func(w io.Writer) error { _, err := compact.WriteTo(w); return err })
	if err != nil {
		return err
	}
	bench, err := packed(func(w io.Writer) error { _, err := w.Write(o.Bench); return err })
	if err != nil {
		return err
	}
	more, err := packed(func(w io.Writer) error { return json.NewEncoder(w).Encode(more{o.Strips, doc.Sizes()}) })
	if err != nil {
		return err
	}
	d := plain.All(*doc)
	var b bytes.Buffer
	if err := page.Execute(&b, newView(&d, doc)); err != nil {
		return err
	}
	program := strings.Join([]string{Library, script}, "\n")
	title := template.HTMLEscapeString("payoff: " + d.Summary)
	for _, part := range []string{
		"<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
		"<meta http-equiv=\"Content-Security-Policy\" content=\"", Policy(program), "\">\n",
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n",
		"<title>", title, "</title>\n<style>", Style, "</style>\n</head>\n<body>\n", home(o.Home), b.String(),
		"<script type=\"application/octet-stream\" id=\"doc\">", data, "</script>\n",
		"<script type=\"application/octet-stream\" id=\"bench\">", bench, "</script>\n",
		"<script type=\"application/octet-stream\" id=\"more\">", more, "</script>\n",
		"<script>", program, "</script>\n</body>\n</html>\n",
	} {
		if _, err := io.WriteString(w, part); err != nil {
			return err
		}
	}
	return nil
}

// Policy is the Content-Security-Policy of a page that runs that script.
func Policy(program string) string {
	return fmt.Sprintf("default-src 'none'; script-src %s; style-src %s %s; base-uri 'none'; form-action 'none'", hash(program), hash(Style), LibraryStyles())
}

// LibraryStyles are what a policy says to let the library put its rules into pages.
func LibraryStyles() string { return hash(plotStyle) + " " + hash(flameStyle()) }

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// home is a way back to the others.
func home(to string) string {
	if to == "" {
		return ""
	}
	what := "all runs"
	if strings.HasPrefix(to, "/traces") {
		what = "all traces"
	}
	return "<nav><a href=\"" + template.HTMLEscapeString(to) + "\">" + what + "</a></nav>\n"
}

// packed is what write writes, compressed, in base64: nothing in it can end a script.
func packed(write func(io.Writer) error) (string, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if err := write(z); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}
