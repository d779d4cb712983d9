package localise

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A place is what a call calls, to stand where the call is as a statement.
type place struct {
	*Across
	stmt   inspector.Cursor // the statement of the call
	result bool             // the call is a part of it
	call   *ast.CallExpr
	from   token.Pos    // where names have to mean the same: the call, or the one around
	of     types.Object // the function or variable that is called, nil for a literal that was handed over
	fn     *types.Func  // that is declared, or nil
	sig    *types.Signature
	recv   *ast.FieldList
	typ    *ast.FuncType
	body   inspector.Cursor

	around *place              // what the literal of an argument was handed to
	names  map[string]bool     // that what is called declares
	args   map[string]bool     // that the arguments have
	lines  []string            // declarations before the body
	edits  []analysis.TextEdit // of the body
	edit   analysis.TextEdit   // the call becomes this

	why string
	at  token.Pos
}

func (p *place) refuse(at token.Pos, format string, args ...any) bool {
	if p.why == "" {
		p.why, p.at = fmt.Sprintf(format, args...), at
	}
	return false
}

// inPlace has a call stand in its place.
func (x *Across) inPlace(call inspector.Cursor) *place {
	p := &place{Across: x, call: call.Node().(*ast.CallExpr)}
	p.from = p.call.Pos()
	if !p.statement(call) {
		p.refuse(p.call.Pos(), "the result of %s is used within a statement", types.ExprString(p.call.Fun))
		return p
	}
	switch of := x.callee(p.call).(type) {
	case *types.Func:
		decl, ok := x.uses.Declaration(of)
		if !ok {
			p.refuse(p.call.Pos(), "%s is declared elsewhere", of.Name())
			return p
		}
		d := decl.Node().(*ast.FuncDecl)
		p.of, p.fn, p.recv, p.typ = of, of, d.Recv, d.Type
		p.body, _ = decl.FindNode(d.Body)
		if spans(d, p.call.Pos()) {
			p.refuse(p.call.Pos(), "%s calls itself", of.Name())
		}
	case *types.Var:
		lit := x.literal(of)
		if lit == nil {
			p.refuse(p.call.Pos(), "it is not known what %s is", of.Name())
			return p
		}
		p.of, p.typ = of, lit.Node().(*ast.FuncLit).Type
		p.body, _ = lit.FindNode(lit.Node().(*ast.FuncLit).Body)
		if spans(lit.Node(), p.call.Pos()) {
			p.refuse(p.call.Pos(), "%s calls itself", of.Name())
		}
	default:
		p.refuse(p.call.Pos(), "it is not known what is called")
	}
	p.write()
	return p
}

// statement finds the statement of a call, which evaluates nothing before it: v := f(x),
// v += f(x), return f(x), if f(x) or if !f(x).
func (p *place) statement(call inspector.Cursor) bool {
	up := call
	if up.ParentEdgeKind() == edge.UnaryExpr_X && up.Parent().ParentEdgeKind() == edge.IfStmt_Cond {
		up = up.Parent()
	}
	p.stmt = up.Parent()
	switch s := p.stmt.Node().(type) {
	case *ast.ExprStmt:
	case *ast.AssignStmt:
		p.result = len(s.Lhs) == 1 && len(s.Rhs) == 1
	case *ast.ReturnStmt:
		p.result = len(s.Results) == 1
	case *ast.IfStmt:
		p.result = up.ParentEdgeKind() == edge.IfStmt_Cond && s.Init == nil
	}
	_, alone := p.stmt.Node().(*ast.ExprStmt)
	return (alone || p.result) && uses.Listed(p.stmt)
}

// handed has a call of a parameter, within what a call calls, be the literal that
// the parameter stands for.
func (p *place) handed(lit *ast.FuncLit, call inspector.Cursor) {
	if call.ParentEdgeKind() != edge.ExprStmt_X || !uses.Listed(call.Parent()) {
		p.refuse(lit.Pos(), "the result of the literal is used")
		return
	}
	at, ok := p.uses.Root.FindNode(lit)
	if !ok {
		p.refuse(lit.Pos(), "it is not known what is called")
		return
	}
	q := &place{Across: p.Across, stmt: call.Parent(), call: call.Node().(*ast.CallExpr), from: p.from, typ: lit.Type, around: p}
	q.body, _ = at.FindNode(lit.Body)
	q.write()
	if q.why != "" {
		p.refuse(q.at, "%s", q.why)
		return
	}
	p.edits = slices.DeleteFunc(p.edits, func(e analysis.TextEdit) bool { return q.edit.Pos <= e.Pos && e.End <= q.edit.End })
	p.edits = append(p.edits, q.edit)
}

// write makes the text.
func (p *place) write() {
	if p.why != "" {
		return
	}
	p.sig, _ = p.pass.TypesInfo.TypeOf(p.call.Fun).Underlying().(*types.Signature)
	if p.sig == nil || p.sig.Variadic() {
		p.refuse(p.call.Pos(), "%s takes any number of arguments", types.ExprString(p.call.Fun))
		return
	}
	block := p.body.Node().(*ast.BlockStmt)
	var value ast.Expr
	if p.sig.Results().Len() > 0 {
		var ok bool
		if value, ok = p.returned(block.List); !ok {
			p.refuse(p.call.Pos(), "what %s returns cannot stand in its place", types.ExprString(p.call.Fun))
			return
		}
	}
	if !p.leaves() || !p.means() || !p.bind() {
		return
	}
	text, ok := p.list(block.List, block.Lbrace+1, block.Rbrace)
	if !ok {
		p.refuse(block.Pos(), "%s returns early", types.ExprString(p.call.Fun))
		return
	}
	text = strings.Join(append(p.lines, strings.TrimSpace(text)), "\n")
	clash := p.clashes(block)
	switch {
	case !p.result && clash:
		text = "{\n" + text + "\n}"
	case clash:
		p.refuse(p.call.Pos(), "%s has names of the function that calls it", types.ExprString(p.call.Fun))
		return
	}
	p.edit = rewrite.Replace(p.stmt.Node(), text)
	if p.result {
		is := p.text(value.Pos(), value.End())
		if _, cond := p.stmt.Node().(*ast.IfStmt); cond && !plain(value) {
			is = "(" + is + ")"
		}
		before, err := inline.Source(p.pass, p.stmt.Node().Pos(), p.call.Pos(), nil)
		if err != nil {
			p.refuse(p.call.Pos(), "its source is not known")
		}
		p.edit = analysis.TextEdit{Pos: p.stmt.Node().Pos(), End: p.call.End(), NewText: []byte(text + "\n" + before + is)}
	}
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).Underlying().(*types.Pointer)
	return ok
}

func spans(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() }
