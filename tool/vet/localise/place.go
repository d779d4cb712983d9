package localise

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
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
	lits   []inspector.Cursor  // calls in the body of literals that the call hands over
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

// returned takes the last statement of the body, which returns a value, and reports
// whether it may stand where the call is. Nothing else in the body returns.
func (p *place) returned(list []ast.Stmt) (value ast.Expr, ok bool) {
	n := len(list)
	if n == 0 || p.sig.Results().Len() != 1 || p.fn == nil || slices.ContainsFunc(list[:n-1], returns) {
		return nil, false
	}
	ret, ok := list[n-1].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return nil, false
	}
	value = ret.Results[0]
	tv := p.pass.TypesInfo.Types[value]
	if tv.Value != nil || !types.Identical(tv.Type, p.sig.Results().At(0).Type()) {
		return nil, false // it would have another type there
	}
	for i := range list { // after the lock is given back
		if _, unlocks := p.unlocks(list, i); unlocks && !p.arithmetic(value) {
			return nil, false
		}
	}
	return value, p.result || p.arithmetic(value)
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

// leaves reports whether the body is left by its end, by returns that the rest can
// stand in the other branch of, or by deferred calls that give a lock back.
func (p *place) leaves() bool {
	info := p.pass.TypesInfo
	block := p.body.Node().(*ast.BlockStmt)
	unlocks := map[token.Pos]bool{}
	for i := range block.List {
		if _, ok := p.unlocks(block.List, i); ok {
			unlocks[block.List[i].Pos()] = true
		}
	}
	for _, l := range rewrite.Leaves(info, block, false) {
		switch l.How {
		case "return", "panic":
		case "defer":
			if !unlocks[l.Pos] {
				return p.refuse(l.Pos, "it has a deferred call")
			}
		default:
			return p.refuse(l.Pos, "it has a %s", l.How)
		}
	}
	n := 0
	for range p.body.Preorder((*ast.LabeledStmt)(nil)) {
		return p.refuse(block.Pos(), "it has a label")
	}
	for c := range p.body.Preorder((*ast.ExprStmt)(nil), (*ast.AssignStmt)(nil), (*ast.IncDecStmt)(nil), (*ast.ReturnStmt)(nil), (*ast.IfStmt)(nil), (*ast.CallExpr)(nil)) {
		switch s := c.Node().(type) {
		case *ast.CallExpr:
			if fn := p.callee(s); fn != nil && fn == p.of {
				return p.refuse(s.Pos(), "%s calls itself", fn.Name())
			}
		default:
			n++
		}
	}
	if n > 24 {
		return p.refuse(block.Pos(), "it is too long to stand in place of its call")
	}
	return true
}

// unlocks reports whether a statement defers to give back the lock that the one
// before it takes.
func (p *place) unlocks(list []ast.Stmt, i int) (call *ast.CallExpr, ok bool) {
	d, ok := list[i].(*ast.DeferStmt)
	if !ok || i == 0 {
		return nil, false
	}
	before, ok := list[i-1].(*ast.ExprStmt)
	if !ok {
		return nil, false
	}
	lock, ok := before.X.(*ast.CallExpr)
	if !ok {
		return nil, false
	}
	a, ok1 := lock.Fun.(*ast.SelectorExpr)
	b, ok2 := d.Call.Fun.(*ast.SelectorExpr)
	if !ok1 || !ok2 || a.Sel.Name != "Lock" || b.Sel.Name != "Unlock" || types.ExprString(a.X) != types.ExprString(b.X) {
		return nil, false
	}
	fn, ok := p.pass.TypesInfo.Uses[b.Sel].(*types.Func)
	return d.Call, ok && fn.Pkg() != nil && fn.Pkg().Path() == "sync"
}

// list is the text of statements from one position to another, in which nothing
// returns: what stands after a branch that did is its other branch.
func (p *place) list(list []ast.Stmt, from, to token.Pos) (text string, ok bool) {
	for i, s := range list {
		if call, ok := p.unlocks(list, i); ok {
			rest, ok := p.list(list[i+1:], s.End(), to)
			return strings.TrimRight(p.text(from, s.Pos()), " \t\n") + strings.TrimRight(rest, " \t\n") + "\n" + p.text(call.Pos(), call.End()), ok
		}
		if _, last := s.(*ast.ReturnStmt); last {
			return p.text(from, s.Pos()) + p.text(s.End(), to), true
		}
		if !returns(s) {
			continue
		}
		guard, ok := s.(*ast.IfStmt)
		if !ok || guard.Init != nil || guard.Else != nil {
			return "", false
		}
		n := len(guard.Body.List)
		ret, ok := guard.Body.List[n-1].(*ast.ReturnStmt)
		if !ok || slices.ContainsFunc(guard.Body.List[:n-1], returns) {
			return "", false
		}
		rest, ok := p.list(list[i+1:], guard.End(), to)
		switch {
		case !ok:
			return "", false
		case strings.TrimSpace(rest) == "":
			return p.text(from, ret.Pos()) + p.text(ret.End(), guard.End()) + rest, true
		case n == 1:
			return p.text(from, guard.Pos()) + "if " + p.not(guard.Cond) + " {\n" + strings.TrimSpace(rest) + "\n}", true
		}
		return p.text(from, ret.Pos()) + "} else {\n" + strings.TrimSpace(rest) + "\n}", true
	}
	return p.text(from, to), true
}

func returns(s ast.Stmt) (found bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		_, lit := n.(*ast.FuncLit)
		_, ret := n.(*ast.ReturnStmt)
		found = found || ret
		return !lit && !found
	})
	return found
}

// not is the text of the opposite of a condition.
func (p *place) not(e ast.Expr) string {
	switch x := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			return p.text(x.X.Pos(), x.X.End())
		}
	case *ast.BinaryExpr:
		other := map[token.Token]token.Token{token.EQL: token.NEQ, token.NEQ: token.EQL}
		if b, ok := p.pass.TypesInfo.TypeOf(x.X).Underlying().(*types.Basic); ok && b.Info()&(types.IsInteger|types.IsString) != 0 {
			other[token.LSS], other[token.GEQ], other[token.GTR], other[token.LEQ] = token.GEQ, token.LSS, token.LEQ, token.GTR
		}
		if op, ok := other[x.Op]; ok {
			return p.text(x.X.Pos(), x.OpPos) + op.String() + p.text(x.OpPos+token.Pos(len(x.Op.String())), x.Y.End())
		}
		return "!(" + p.text(e.Pos(), e.End()) + ")"
	}
	return "!" + p.text(e.Pos(), e.End())
}

// text is the source of the body with its edits.
func (p *place) text(from, to token.Pos) string {
	s, err := inline.Source(p.pass, from, to, p.edits)
	if err != nil {
		p.refuse(from, "it is handed on twice")
	}
	return s
}

// means reports whether the names in the body mean the same where the call is.
func (p *place) means() bool {
	info := p.pass.TypesInfo
	p.names, p.args = map[string]bool{}, map[string]bool{}
	inside := func(o types.Object) bool {
		return o.Pos() >= p.typ.Pos() && o.Pos() < p.body.Node().End() || p.recv != nil && spans(p.recv, o.Pos())
	}
	scope := p.pass.Pkg.Scope().Innermost(p.from)
	for c := range p.body.Preorder((*ast.Ident)(nil)) {
		id := c.Node().(*ast.Ident)
		if o := info.Defs[id]; o != nil {
			p.names[id.Name] = true
			continue
		}
		o := info.Uses[id]
		if o == nil || c.ParentEdgeKind() == edge.SelectorExpr_Sel || inside(o) {
			continue
		}
		if v, ok := o.(*types.Var); ok && v.IsField() {
			continue
		}
		if p.around != nil && p.around.names[id.Name] {
			return p.refuse(id.Pos(), "%s is something else where the literal is called", id.Name)
		}
		if _, here := scope.LookupParent(id.Name, p.from); !same(o, here) {
			return p.refuse(id.Pos(), "%s is something else where the call stands", id.Name)
		}
	}
	for _, a := range p.operands() {
		ast.Inspect(a, func(n ast.Node) bool {
			if _, lit := n.(*ast.FuncLit); lit {
				return false // its names are looked at where it stands
			}
			if s, ok := n.(*ast.SelectorExpr); ok {
				ast.Inspect(s.X, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok {
						p.args[id.Name] = true
					}
					return true
				})
				return false
			}
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
	if p.around != nil {
		return true
	}
	was, is := info.FileVersions[rewrite.File(p.pass, p.body.Node().Pos())], info.FileVersions[rewrite.File(p.pass, p.call.Pos())]
	return was == is || p.refuse(p.call.Pos(), "it is written for another version of Go")
}

// operands are the arguments, and the receiver.
func (p *place) operands() []ast.Expr {
	if sel, ok := ast.Unparen(p.call.Fun).(*ast.SelectorExpr); ok && p.recv != nil {
		return append([]ast.Expr{sel.X}, p.call.Args...)
	}
	return p.call.Args
}

func same(a, b types.Object) bool {
	x, ok1 := a.(*types.PkgName)
	y, ok2 := b.(*types.PkgName)
	if ok1 && ok2 {
		return x.Imported() == y.Imported()
	}
	return a == b
}

// bind puts the arguments in place of the parameters, or declares these.
func (p *place) bind() bool {
	info := p.pass.TypesInfo
	var params []*ast.Ident
	for _, list := range []*ast.FieldList{p.recv, p.typ.Params} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			params = append(params, f.Names...)
			if len(f.Names) == 0 {
				params = append(params, nil)
			}
		}
	}
	operands := p.operands()
	if len(params) != len(operands) {
		return p.refuse(p.call.Pos(), "what is called is handed several values by one call")
	}
	if sel, ok := ast.Unparen(p.call.Fun).(*ast.SelectorExpr); ok && p.recv != nil {
		if s := info.Selections[sel]; s == nil || s.Kind() != types.MethodVal || len(s.Index()) != 1 {
			return p.refuse(sel.Pos(), "its method is that of a part of %s", types.ExprString(sel.X))
		}
	}
	var lits []func()
	for i, id := range params {
		arg := operands[i]
		var v *types.Var
		if id != nil && id.Name != "_" {
			v = info.Defs[id].(*types.Var)
		}
		var at []inspector.Cursor
		if v != nil {
			at = slices.DeleteFunc(slices.Clone(p.uses.Of(v)), p.uses.Declares)
		}
		if lit, ok := ast.Unparen(arg).(*ast.FuncLit); ok {
			if len(at) != 1 || at[0].ParentEdgeKind() != edge.CallExpr_Fun {
				return p.refuse(arg.Pos(), "the literal is not called once")
			}
			lits = append(lits, func() { p.handed(lit, at[0].Parent()) })
			continue
		}
		typ := info.TypeOf(arg)
		if i -= len(operands) - p.sig.Params().Len(); i >= 0 {
			typ = p.sig.Params().At(i).Type()
		}
		if !p.put(v, at, arg, typ, i < 0) {
			return false
		}
	}
	for _, f := range lits { // they take what the body has by now
		f()
	}
	return p.why == ""
}

// put puts an argument in place of a parameter, which has the type and is used
// there; or declares the parameter.
func (p *place) put(v *types.Var, at []inspector.Cursor, arg ast.Expr, typ types.Type, recv bool) bool {
	info := p.pass.TypesInfo
	text := p.argument(arg)
	lit := slices.ContainsFunc(at, func(c inspector.Cursor) bool { return mustFunc(c) != mustFunc(p.first()) })
	address := recv && v != nil && isPointer(v.Type()) && !isPointer(typ)
	if u, ok := ast.Unparen(arg).(*ast.UnaryExpr); ok && u.Op == token.AND && len(at) > 0 && !slices.ContainsFunc(at, p.changed) && types.Identical(info.TypeOf(arg), typ) {
		if v := p.uses.Var(u.X); v != nil && !v.IsField() || p.memory(u.X, lit) {
			p.addressed(at, p.argument(u.X))
			return true
		}
	}
	switch {
	case len(at) == 0:
		if id, ok := ast.Unparen(arg).(*ast.Ident); ok && p.around != nil {
			p.around.forgets(id)
		}
		if p.settled(arg, false) || info.Types[arg].Value != nil {
			return true
		}
		p.lines = append(p.lines, "_ = "+text)
		return true
	case recv && !address && v != nil && !isPointer(v.Type()) && !p.reads(at):
		return p.refuse(arg.Pos(), "its method has a copy of %s", types.ExprString(arg))
	case slices.ContainsFunc(at, p.changed):
	case info.Types[arg].Value == nil && (p.settled(arg, lit) || address && p.memory(arg, lit)) && (recv || types.Identical(info.TypeOf(arg), typ)):
		if address {
			p.addressed(at, text)
			return true
		}
		for _, c := range at {
			p.edits = append(p.edits, rewrite.Replace(c.Node(), text))
		}
		return true
	case info.Types[arg].Value != nil && !slices.ContainsFunc(at, func(c inspector.Cursor) bool { return !p.takes(c, typ) }):
		for _, c := range at {
			p.edits = append(p.edits, rewrite.Replace(c.Node(), text))
		}
		return true
	case len(at) == 1 && !lit && info.Types[arg].Value == nil && p.arithmetic(arg) && types.Identical(info.TypeOf(arg), typ) && !p.inLoop(at[0]):
		if !direct(at[0]) && !plain(arg) {
			text = "(" + text + ")"
		}
		p.edits = append(p.edits, rewrite.Replace(at[0].Node(), text))
		return true
	}
	if address {
		return p.refuse(arg.Pos(), "%s may be another until then", types.ExprString(arg))
	}
	name := v.Name()
	if p.args[name] || p.around != nil && (p.around.names[name] || p.around.args[name]) {
		name = rewrite.Fresh(p.pass.Pkg, uses.Decl(p.stmt), name+"Now")
		for _, c := range at {
			p.edits = append(p.edits, rewrite.Replace(c.Node(), name))
		}
	}
	p.names[name] = true
	_, basic := types.Unalias(typ).(*types.Basic)
	switch value := info.Types[arg].Value; {
	case value == nil && types.Identical(info.TypeOf(arg), typ):
		p.lines = append(p.lines, name+" := "+text)
	case value != nil && basic: // it may be a constant of another type there
		p.lines = append(p.lines, fmt.Sprintf("%s := %s(%s)", name, typ, text))
	default:
		return p.refuse(arg.Pos(), "%s is converted for the call", types.ExprString(arg))
	}
	return true
}

// addressed puts a variable in place of a pointer to it.
func (p *place) addressed(at []inspector.Cursor, text string) {
	for _, c := range at {
		switch c.ParentEdgeKind() {
		case edge.SelectorExpr_X:
			p.edits = append(p.edits, rewrite.Replace(c.Node(), text))
		case edge.StarExpr_X:
			p.edits = append(p.edits, rewrite.Replace(c.Parent().Node(), text))
		default:
			p.edits = append(p.edits, rewrite.Replace(c.Node(), "&"+text))
		}
	}
}

// forgets takes a variable away from the loop that sets it, if it is used nowhere but
// at id.
func (p *place) forgets(id *ast.Ident) {
	v, ok := p.pass.TypesInfo.Uses[id].(*types.Var)
	if !ok || len(p.uses.Of(v)) != 2 {
		return
	}
	at := p.uses.Of(v)[0]
	r, ok := at.Parent().Node().(*ast.RangeStmt)
	if !ok || !spans(p.body.Node(), r.Pos()) {
		return
	}
	key, _ := r.Key.(*ast.Ident)
	switch value := at.ParentEdgeKind() == edge.RangeStmt_Value; {
	case value && (key == nil || key.Name != "_"):
		p.edits = append(p.edits, analysis.TextEdit{Pos: r.Key.End(), End: r.Value.End()})
	case !value && r.Value != nil:
		p.edits = append(p.edits, rewrite.Replace(r.Key, "_"))
	default:
		p.edits = append(p.edits, analysis.TextEdit{Pos: r.Key.Pos(), End: r.Range})
	}
}

// first is a node of the body that is in no literal of it.
func (p *place) first() inspector.Cursor {
	for c := range p.body.Children() {
		return c
	}
	return p.body
}

// argument is the text of an argument: of a call within a body that has edits, with
// these.
func (p *place) argument(arg ast.Expr) string {
	if p.around != nil {
		return p.around.text(arg.Pos(), arg.End())
	}
	return rewrite.Text(p.pass.Fset, arg)
}

// changed reports whether a use of a parameter sets it, or a part that is its own.
func (p *place) changed(c inspector.Cursor) bool {
	for part := uses.Whole(c); ; part = part.Parent() {
		if uses.Written(part) {
			return true
		}
		switch part.ParentEdgeKind() {
		case edge.SelectorExpr_X, edge.IndexExpr_X:
		default:
			return false
		}
		switch p.pass.TypesInfo.TypeOf(part.Node().(ast.Expr)).Underlying().(type) {
		case *types.Struct, *types.Array:
		default:
			return false
		}
	}
}

// reads reports whether uses of a receiver that is a copy select its fields alone,
// and neither set them nor have a method do so.
func (p *place) reads(at []inspector.Cursor) bool {
	if s := flow.Of(p.pass).Func(p.fn); s == nil || s.Effects.First(flow.Write) != nil {
		return false
	}
	return !slices.ContainsFunc(at, func(c inspector.Cursor) bool {
		if c.ParentEdgeKind() != edge.SelectorExpr_X {
			return true
		}
		sel := p.pass.TypesInfo.Selections[c.Parent().Node().(*ast.SelectorExpr)]
		return sel == nil || sel.Kind() != types.FieldVal || uses.Written(c.Parent())
	})
}

// settled reports whether an operand is the same until what is called has ended, or,
// if it is used later, always: a local variable, or a field on the way from one that
// what is called does not set.
func (p *place) settled(e ast.Expr, always bool) bool {
	info := p.pass.TypesInfo
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := info.Uses[e].(*types.Var)
		if !ok {
			return e.Name == "nil"
		}
		if v.Parent() == p.pass.Pkg.Scope() {
			return p.keeps(v)
		}
		for _, use := range p.uses.Of(v) {
			if p.uses.Declares(use) || !uses.Written(uses.Whole(use)) {
				continue
			}
			in, _ := uses.Func(use)
			if always || !spans(in.Node(), p.call.Pos()) || !spans(in.Node(), v.Pos()) {
				return false
			}
		}
		return true
	case *ast.SelectorExpr:
		sel := info.Selections[e]
		if sel == nil {
			v, ok := info.Uses[e.Sel].(*types.Var)
			return ok && p.keeps(v)
		}
		v, ok := sel.Obj().(*types.Var)
		return ok && !always && p.settled(e.X, always) && p.keeps(v)
	}
	return false
}

// memory reports whether an operand stands for the same memory until then: an
// element of what is settled, or a field of such.
func (p *place) memory(e ast.Expr, always bool) bool {
	info := p.pass.TypesInfo
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		return info.Selections[e] != nil && !isPointer(info.TypeOf(e.X)) && (p.settled(e.X, always) || p.memory(e.X, always))
	case *ast.IndexExpr:
		switch info.TypeOf(e.X).Underlying().(type) {
		case *types.Array:
			return (p.settled(e.X, always) || p.memory(e.X, always)) && (info.Types[e.Index].Value != nil || p.settled(e.Index, always))
		case *types.Slice:
			return p.settled(e.X, always) && (info.Types[e.Index].Value != nil || p.settled(e.Index, always))
		}
	}
	return false
}

// keeps reports whether what is called does not set a variable of a package, or a
// field.
func (p *place) keeps(v *types.Var) bool {
	if p.fn == nil {
		return false
	}
	s := flow.Of(p.pass).Func(p.fn)
	if s == nil {
		return false
	}
	for _, e := range s.Effects {
		if e.Kind&(flow.Unknown|flow.Call|flow.Wait|flow.Receive) != 0 || e.Kind == flow.Write && (e.Var() == nil || e.Var().Origin() == v.Origin()) {
			return false
		}
	}
	return true
}

// arithmetic reports whether an operand is computed of constants and local variables
// that stay, and cannot panic.
func (p *place) arithmetic(e ast.Expr) bool {
	info := p.pass.TypesInfo
	if info.Types[e].Value != nil {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := info.Uses[e].(*types.Var)
		return ok && v.Parent() != p.pass.Pkg.Scope() && p.settled(e, false)
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && e.Op != token.AND && p.arithmetic(e.X)
	case *ast.BinaryExpr:
		if e.Op == token.QUO || e.Op == token.REM || e.Op == token.SHL || e.Op == token.SHR {
			if info.Types[e.Y].Value == nil {
				return false
			}
		}
		b, ok := info.TypeOf(e.X).Underlying().(*types.Basic)
		return ok && b.Info()&(types.IsNumeric|types.IsBoolean) != 0 && p.arithmetic(e.X) && p.arithmetic(e.Y)
	case *ast.CallExpr:
		b, ok := info.TypeOf(e).Underlying().(*types.Basic)
		return info.Types[e.Fun].IsType() && ok && b.Info()&types.IsNumeric != 0 && p.arithmetic(e.Args[0])
	}
	return false
}

// plain reports whether an operand needs no parentheses.
func plain(e ast.Expr) bool {
	switch e.(type) {
	case *ast.Ident, *ast.CallExpr, *ast.SelectorExpr, *ast.ParenExpr, *ast.BasicLit, *ast.IndexExpr:
		return true
	}
	return false
}

// direct reports whether an operand stands by itself.
func direct(c inspector.Cursor) bool {
	switch c.ParentEdgeKind() {
	case edge.IndexExpr_Index, edge.AssignStmt_Rhs, edge.CallExpr_Args, edge.ParenExpr_X:
		return true
	}
	return false
}

// takes reports whether a constant means the same where a parameter of a type is used.
func (p *place) takes(c inspector.Cursor, typ types.Type) bool {
	info := p.pass.TypesInfo
	switch n := c.Parent().Node().(type) {
	case *ast.AssignStmt:
		return c.ParentEdgeKind() == edge.AssignStmt_Rhs && n.Tok != token.DEFINE && len(n.Lhs) == len(n.Rhs) && types.Identical(info.TypeOf(n.Lhs[c.ParentEdgeIndex()]), typ)
	case *ast.IndexExpr:
		m, isMap := info.TypeOf(n.X).Underlying().(*types.Map)
		return c.ParentEdgeKind() == edge.IndexExpr_Index && (!isMap || types.Identical(m.Key(), typ))
	case *ast.CallExpr:
		sig, ok := info.TypeOf(n.Fun).Underlying().(*types.Signature)
		return ok && c.ParentEdgeKind() == edge.CallExpr_Args && !sig.Variadic() && types.Identical(sig.Params().At(c.ParentEdgeIndex()).Type(), typ)
	}
	return false
}

// inLoop reports whether a use is in a loop of the body.
func (p *place) inLoop(c inspector.Cursor) bool {
	for up := range c.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		return spans(p.body.Node(), up.Node().Pos())
	}
	return false
}

// clashes reports whether what the text declares needs a block around it.
func (p *place) clashes(block *ast.BlockStmt) bool {
	declares := len(p.lines) > 0
	for _, s := range block.List {
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

// literal returns the literal that a local variable has, if it is set nowhere else.
func (x *Across) literal(v *types.Var) *inspector.Cursor {
	var lit *inspector.Cursor
	for _, use := range x.uses.Of(v) {
		if !x.uses.Declares(use) {
			if uses.Written(uses.Whole(use)) {
				return nil
			}
			continue
		}
		a, ok := use.Parent().Node().(*ast.AssignStmt)
		if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			return nil
		}
		if l, ok := a.Rhs[0].(*ast.FuncLit); ok {
			if c, ok := use.Parent().FindNode(l); ok {
				lit = &c
			}
		}
	}
	return lit
}

// unused are the edits that take away what was called n times, and is called
// nowhere else.
func (x *Across) unused(of types.Object, n int) []analysis.TextEdit {
	switch of := of.(type) {
	case *types.Var:
		all := x.uses.Of(of)
		if len(all) != n+1 {
			return nil
		}
		for _, use := range all {
			if x.uses.Declares(use) {
				return []analysis.TextEdit{rewrite.Drop(x.pass.Fset, use.Parent())}
			}
		}
	case *types.Func:
		if of.Exported() || x.uses.Left.Calls(of) != "" || x.implements(of) {
			return nil
		}
		named := 0
		for _, o := range x.pass.TypesInfo.Uses {
			if fn, ok := o.(*types.Func); ok && fn.Origin() == of {
				named++
			}
		}
		decl, ok := x.uses.Declaration(of)
		if !ok || named != n {
			return nil
		}
		from, to := rewrite.Begin(decl.Node()), decl.Node().End()
		if next, ok := decl.NextSibling(); ok {
			to = rewrite.Begin(next.Node())
			for _, g := range rewrite.File(x.pass, from).Comments {
				if g.Pos() > decl.Node().End() && g.Pos() < to {
					to = decl.Node().End() // a comment of its own
					break
				}
			}
		}
		return []analysis.TextEdit{{Pos: from, End: to}}
	}
	return nil
}

// implements reports whether a method may be that of an interface.
func (x *Across) implements(fn *types.Func) bool {
	if fn.Signature().Recv() == nil {
		return false
	}
	for _, tv := range x.pass.TypesInfo.Types {
		if i, ok := tv.Type.(*types.Interface); ok && tv.IsType() {
			for m := range i.Methods() {
				if m.Name() == fn.Name() {
					return true
				}
			}
		}
	}
	return false
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).Underlying().(*types.Pointer)
	return ok
}

func spans(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() }
