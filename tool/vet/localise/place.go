package localise

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A place is a function that a call calls, to stand where the call is as a statement.
type place struct {
	*Across
	stmt inspector.Cursor // the statement of the call
	call *ast.CallExpr
	fn   *types.Func
	decl *ast.FuncDecl
	body inspector.Cursor

	names map[string]bool     // that the function declares
	args  map[string]bool     // that the arguments have
	lines []string            // declarations before the body
	edits []analysis.TextEdit // of the body
	edit  analysis.TextEdit   // the call becomes this

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
	p := &place{Across: x, stmt: call.Parent(), call: call.Node().(*ast.CallExpr)}
	if call.ParentEdgeKind() != edge.ExprStmt_X || !uses.Listed(p.stmt) {
		p.refuse(p.call.Pos(), "the result of %s is used within a statement", types.ExprString(p.call.Fun))
		return p
	}
	if fn := section.Callee(x.pass.TypesInfo, p.call); fn != nil {
		p.fn = fn.Origin()
	}
	decl, ok := inspector.Cursor{}, false
	if p.fn != nil {
		decl, ok = x.uses.Declaration(p.fn)
	}
	if !ok {
		p.refuse(p.call.Pos(), "it is not known what %s does", types.ExprString(p.call.Fun))
		return p
	}
	p.decl = decl.Node().(*ast.FuncDecl)
	p.body, _ = decl.FindNode(p.decl.Body)
	if sig := p.fn.Signature(); sig.Variadic() || sig.Results().Len() > 0 {
		p.refuse(p.call.Pos(), "%s takes any number of arguments, or returns something", types.ExprString(p.call.Fun))
	} else if p.ends() && p.means() && p.bind() {
		p.write()
	}
	return p
}

// write makes the text.
func (p *place) write() {
	block := p.decl.Body
	text := p.list(block.List, block.Lbrace+1, block.Rbrace)
	text = strings.Join(append(p.lines, strings.TrimSpace(text)), "\n")
	if p.clashes() {
		text = "{\n" + text + "\n}"
	}
	p.edit = rewrite.Replace(p.stmt.Node(), text)
}

// ends reports whether the body is left by its end alone, but for panics and deferred
// calls that give a lock back.
func (p *place) ends() bool {
	block := p.decl.Body
	unlocks := map[token.Pos]bool{}
	for i := range block.List {
		if p.unlocks(block.List, i) != nil {
			unlocks[block.List[i].Pos()] = true
		}
	}
	for _, l := range rewrite.Leaves(p.pass.TypesInfo, block, false) {
		if l.How != "panic" && !(l.How == "defer" && unlocks[l.Pos]) {
			return p.refuse(l.Pos, "it has a %s", l.How)
		}
	}
	n := 0
	for c := range p.body.Preorder((*ast.LabeledStmt)(nil), (*ast.ExprStmt)(nil), (*ast.AssignStmt)(nil), (*ast.IncDecStmt)(nil), (*ast.IfStmt)(nil), (*ast.CallExpr)(nil)) {
		switch s := c.Node().(type) {
		case *ast.LabeledStmt:
			return p.refuse(s.Pos(), "it has a label")
		case *ast.CallExpr:
			if fn := section.Callee(p.pass.TypesInfo, s); fn != nil && fn.Origin() == p.fn {
				return p.refuse(s.Pos(), "%s calls itself", fn.Name())
			}
		default:
			n++
		}
	}
	return n <= 24 || p.refuse(block.Pos(), "it is too long to stand in place of its call")
}

// unlocks returns the call of a statement that defers to give back the lock that the
// one before it takes, or nil.
func (p *place) unlocks(list []ast.Stmt, i int) *ast.CallExpr {
	d, ok := list[i].(*ast.DeferStmt)
	if !ok || i == 0 {
		return nil
	}
	before, ok := list[i-1].(*ast.ExprStmt)
	if !ok {
		return nil
	}
	lock, ok := before.X.(*ast.CallExpr)
	if !ok {
		return nil
	}
	a, ok1 := lock.Fun.(*ast.SelectorExpr)
	b, ok2 := d.Call.Fun.(*ast.SelectorExpr)
	if !ok1 || !ok2 || a.Sel.Name != "Lock" || b.Sel.Name != "Unlock" || types.ExprString(a.X) != types.ExprString(b.X) {
		return nil
	}
	if fn := section.Callee(p.pass.TypesInfo, d.Call); fn == nil || !section.Locks(fn) {
		return nil
	}
	return d.Call
}

// list is the text of statements from one position to another. What gives a lock back
// at the end stands there.
func (p *place) list(list []ast.Stmt, from, to token.Pos) string {
	for i, s := range list {
		if call := p.unlocks(list, i); call != nil {
			rest := p.list(list[i+1:], s.End(), to)
			return strings.TrimRight(p.text(from, s.Pos()), " \t\n") + strings.TrimRight(rest, " \t\n") + "\n" + p.text(call.Pos(), call.End())
		}
	}
	return p.text(from, to)
}

// text is the source of the body with its edits.
func (p *place) text(from, to token.Pos) string {
	s, err := inline.Source(p.pass, from, to, p.edits)
	if err != nil {
		p.refuse(from, "its source is not known")
	}
	return s
}

// means reports whether the names in the body mean the same where the call is.
func (p *place) means() bool {
	info := p.pass.TypesInfo
	p.names, p.args = map[string]bool{}, map[string]bool{}
	scope := p.pass.Pkg.Scope().Innermost(p.call.Pos())
	for c := range p.body.Preorder((*ast.Ident)(nil)) {
		id := c.Node().(*ast.Ident)
		if o := info.Defs[id]; o != nil {
			p.names[id.Name] = true
			continue
		}
		o := info.Uses[id]
		if o == nil || c.ParentEdgeKind() == edge.SelectorExpr_Sel {
			continue
		}
		if t, ok := o.(*types.TypeName); ok {
			if _, param := types.Unalias(t.Type()).(*types.TypeParam); param {
				return p.refuse(id.Pos(), "it names its type parameter %s", id.Name)
			}
		}
		if v, ok := o.(*types.Var); spans(p.decl, o.Pos()) || ok && v.IsField() {
			continue
		}
		if _, here := scope.LookupParent(id.Name, p.call.Pos()); !same(o, here) {
			return p.refuse(id.Pos(), "%s is something else where the call stands", id.Name)
		}
	}
	for _, a := range p.operands() {
		ast.Inspect(a, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				p.args[id.Name] = true
			}
			return true
		})
	}
	for name := range p.args {
		if p.names[name] {
			return p.refuse(p.call.Pos(), "%s is something else in what is called", name)
		}
	}
	was, is := info.FileVersions[rewrite.File(p.pass, p.decl.Pos())], info.FileVersions[rewrite.File(p.pass, p.call.Pos())]
	return was == is || p.refuse(p.call.Pos(), "it is written for another version of Go")
}

func same(a, b types.Object) bool {
	x, ok1 := a.(*types.PkgName)
	y, ok2 := b.(*types.PkgName)
	if ok1 && ok2 {
		return x.Imported() == y.Imported()
	}
	return a == b
}

// clashes reports whether what the text declares needs a block around it.
func (p *place) clashes() bool {
	declares := len(p.lines) > 0
	for _, s := range p.decl.Body.List {
		a, ok := s.(*ast.AssignStmt)
		_, decl := s.(*ast.DeclStmt)
		declares = declares || decl || ok && a.Tok == token.DEFINE
	}
	if !declares {
		return false
	}
	clash := false
	ast.Inspect(uses.Decl(p.stmt), func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		clash = clash || ok && p.names[id.Name]
		return !clash
	})
	for name := range p.names {
		clash = clash || p.taken[name]
	}
	if !clash {
		maps.Copy(p.taken, p.names)
	}
	return clash
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).Underlying().(*types.Pointer)
	return ok
}

func spans(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() }
