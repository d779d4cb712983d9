package vet

import (
	"embed"
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// The checks themselves say which causes they are about and which edits they
// offer: in their source and in its documentation, and nowhere else.
//
//go:embed */*.go
var sources embed.FS

// A Cure is what a check offers against a cause.
type Cure struct {
	Check string `json:"check"`
	Title string `json:"title"` // what the check finds
	Edits string `json:"edits"` // the edits and when they are refused, in paragraphs
}

// Cures returns what the checks offer against the cause with the slug. It reads
// their documentation, which takes some milliseconds.
func Cures(slug string) (cures []Cure) {
	for _, a := range All() {
		files, err := fs.Glob(sources, a.Name+"/*.go")
		if err != nil || a.Name == apart {
			continue
		}
		about, edits := false, ""
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			src, err := sources.ReadFile(name)
			if err != nil {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				continue
			}
			about = about || slices.Contains(causes(f), slug)
			if path.Base(name) == "doc.go" {
				edits = editsOf(f.Doc.Text())
			}
		}
		if about && edits != "" {
			title, _, _ := strings.Cut(a.Doc, "\n")
			cures = append(cures, Cure{a.Name, title, edits})
		}
	}
	return cures
}

// apart is about benchmarks: its edits cure no cause.
const apart = "benchvet"

// causes are the slugs that a file of a check gives its findings.
func causes(f *ast.File) (slugs []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		kv, ok := n.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		if key, ok := kv.Key.(*ast.Ident); !ok || key.Name != "Causes" {
			return true
		}
		ast.Inspect(kv.Value, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok {
				if s, err := strconv.Unquote(lit.Value); err == nil {
					slugs = append(slugs, s)
				}
			}
			return true
		})
		return false
	})
	return slugs
}

// editsOf is what a documentation says of edits: what stands under that heading,
// or from the paragraph on that names them first.
func editsOf(doc string) string {
	var p comment.Parser
	var printer comment.Printer
	printer.TextWidth = -1
	d := p.Parse(doc)
	var out comment.Doc
	headed := slices.ContainsFunc(d.Content, func(b comment.Block) bool { return heading(&printer, b) == "Edits" })
	in := false
	for _, b := range d.Content {
		h := heading(&printer, b)
		switch {
		case headed && h != "":
			in = h == "Edits"
			continue
		case !headed && !in:
			text := string(printer.Text(&comment.Doc{Content: []comment.Block{b}}))
			in = strings.Contains(text, "The edit") || strings.HasPrefix(text, "There is no edit")
		}
		if _, code := b.(*comment.Code); in && !code {
			out.Content = append(out.Content, b)
		}
	}
	return strings.TrimSpace(string(printer.Text(&out)))
}

func heading(p *comment.Printer, b comment.Block) string {
	h, ok := b.(*comment.Heading)
	if !ok {
		return ""
	}
	return strings.TrimSpace(strings.TrimPrefix(string(p.Text(&comment.Doc{Content: []comment.Block{h}})), "#"))
}
