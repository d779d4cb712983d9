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
	"sync"
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

// Cures returns what the checks offer against the cause with the slug. The first
// call reads their sources, which takes some tens of milliseconds.
func Cures(slug string) []Cure { return cures()[slug] }

// cures has what the checks offer, by cause.
var cures = sync.OnceValue(func() map[string][]Cure {
	by := map[string][]Cure{}
	for _, a := range All() {
		about, edits := says(a.Name)
		if a.Name == apart || edits == "" {
			continue
		}
		title, _, _ := strings.Cut(a.Doc, "\n")
		slices.Sort(about)
		for _, slug := range slices.Compact(about) {
			by[slug] = append(by[slug], Cure{a.Name, title, edits})
		}
	}
	return by
})

// says is what the source of a check says of its causes and edits.
func says(check string) (about []string, edits string) {
	files, _ := fs.Glob(sources, check+"/*.go")
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, _ := sources.ReadFile(name)
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		about = append(about, causes(f)...)
		if path.Base(name) == "doc.go" {
			edits = editsOf(f.Doc.Text())
		}
	}
	return about, edits
}

// apart is about benchmarks: its edits cure no cause.
const apart = "benchvet"

// causes are the slugs that a file of a check gives its findings.
func causes(f *ast.File) (slugs []string) {
	collect := func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok {
			if s, err := strconv.Unquote(lit.Value); err == nil {
				slugs = append(slugs, s)
			}
		}
		return true
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Causes" {
				ast.Inspect(n.Value, collect)
			}
		case *ast.AssignStmt: // f.Causes = append(f.Causes, "handoff")
			if x, ok := n.Lhs[0].(*ast.SelectorExpr); ok && x.Sel.Name == "Causes" {
				ast.Inspect(n.Rhs[0], collect)
			}
		}
		return true
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
	headed := slices.ContainsFunc(d.Content, heading)
	in := false
	for _, b := range d.Content {
		_, title := b.(*comment.Heading)
		switch {
		case headed && title:
			in = heading(b)
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

// heading reports whether a block is the heading of the edits.
func heading(b comment.Block) bool {
	h, ok := b.(*comment.Heading)
	return ok && len(h.Text) == 1 && h.Text[0] == comment.Plain("Edits")
}
