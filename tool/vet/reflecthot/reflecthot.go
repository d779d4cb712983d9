package reflecthot

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds formatting, encoding and reflection.
var Analyzer = shape.Analyzer("reflecthot",
	"find calls that learn at run time what the compiler knew\n\nfmt, encoding/json and reflect walk types and put values into interfaces.",
	find, uses.Analyzer)

// A site is a call of one of the packages.
type site struct {
	pass    *analysis.Pass
	file    *ast.File
	at      inspector.Cursor
	call    *ast.CallExpr
	imports []analysis.TextEdit // that the edit typed needs
	fixes   []shape.Fix
	refused []shape.Refusal
}

func (s *site) offer(name, says string, edits ...analysis.TextEdit) {
	s.fixes = append(s.fixes, shape.Fix{Name: name, Says: says, Edits: edits})
}

func (s *site) typed(says string, edits ...analysis.TextEdit) {
	s.offer("typed", says, append(s.imports, edits...)...)
}

func (s *site) refuse(name string, n ast.Node, why string) {
	s.refused = append(s.refused, shape.Refusal{Name: name, Why: why, Pos: n.Pos()})
}

// importAt is the name of a package at a place of the file.
func (s *site) importAt(path string, at token.Pos) string {
	name, edits := rewrite.Import(s.pass.Pkg, s.file, path, at)
	s.imports = append(s.imports, edits...)
	return name
}

// costs say what a call of each function does at run time.
var costs = map[string]string{
	"fmt.Sprintf":                       "parses its format and puts its arguments into interfaces",
	"fmt.Appendf":                       "parses its format and puts its arguments into interfaces",
	"fmt.Fprintf":                       "parses its format and puts its arguments into interfaces",
	"fmt.Sprint":                        "looks up the types of its arguments",
	"encoding/json.Marshal":             "walks the type of its argument, which it gets as a copy",
	"encoding/json.Unmarshal":           "walks the type of what it fills",
	"(*encoding/json.Encoder).Encode":   "walks the type of its argument",
	"(*encoding/json.Decoder).Decode":   "walks the type of what it fills",
	"encoding/binary.Write":             "walks the type of its argument and makes a buffer",
	"encoding/binary.Read":              "walks the type of what it fills and makes a buffer",
	"reflect.DeepEqual":                 "walks the types of both values",
	"reflect.ValueOf":                   "moves its argument to the heap",
	"(*text/template.Template).Execute": "looks up each name by reflection",
	"(*html/template.Template).Execute": "looks up each name by reflection",
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	equals := map[string]bool{}
	for c := range pass.ResultOf[uses.Analyzer].(*uses.Index).Root.Preorder((*ast.CallExpr)(nil)) {
		call := c.Node().(*ast.CallExpr)
		fn := typeutil.StaticCallee(pass.TypesInfo, call)
		if fn == nil {
			continue
		}
		name := fn.FullName()
		cost, ok := costs[name]
		if !ok {
			continue
		}
		s := site{pass: pass, file: rewrite.File(pass, call.Pos()), at: c, call: call}
		switch name {
		case "fmt.Sprintf", "fmt.Sprint":
			s.text()
		case "fmt.Fprintf":
			s.write()
		case "fmt.Appendf":
			s.append()
		case "encoding/json.Marshal", "(*encoding/json.Encoder).Encode":
			s.refuse("typed", call, "an encoder for the type has to be written or generated")
		case "encoding/json.Unmarshal", "(*encoding/json.Decoder).Decode":
			s.refuse("typed", call, "a decoder for the type has to be written or generated")
		case "reflect.DeepEqual":
			s.deepEqual(equals)
		default:
			s.refuse("typed", call, "what to call instead depends on the types at hand")
		}
		all = append(all, shape.Finding{
			Pos: call.Pos(), End: call.End(), Func: uses.Decl(c),
			Message: rewrite.Text(pass.Fset, call.Fun) + " " + cost,
			Causes:  []string{"reflection", "alloc"}, Hot: []shape.Range{shape.Of(call)},
			Fixes: s.fixes, Refused: s.refused,
		})
	}
	return all, nil
}
