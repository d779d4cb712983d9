package local

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A form is how a local variable stands for a place.
type form struct {
	*Place
	keep  bool        // it begins with the value of the place and is stored back; else it begins with 0 and is added
	op    token.Token // of the addition: += |= ^=
	guard bool        // it is added only if it is not 0: the place may not be there
	late  bool        // others may look at the place meanwhile: they see it before the loop, or after
	name  string
}

// Hoisted tells of the places that a loop of a site has, once for each loop. It
// comes with the edit that keeps them in local variables, of the outermost loop
// that has one. Else it comes with the reason that there is none, and where
// that is. It reports whether there was anything to tell.
func (p *Package) Hoisted(s *spawn.Site, loop inspector.Cursor, seen map[ast.Node]bool, has func(loop inspector.Cursor) []*Place,
	tell func(l *Loop, places []*Place, edits []analysis.TextEdit, why string, at token.Pos)) (told bool) {
	if seen[loop.Node()] {
		return false
	}
	places := has(loop)
	l := &Loop{Package: p, Site: s, At: loop}
	why, at := "", token.NoPos
	if len(places) > 0 {
		var edits []analysis.TextEdit
		if edits, why, at = l.Hoist(places); why == "" {
			seen[loop.Node()] = true
			tell(l, places, edits, "", 0)
			return true
		}
	}
	for inner := range Outermost(loop) {
		if p.Hoisted(s, inner, seen, has, tell) {
			told = true
		}
	}
	if len(places) > 0 && !told {
		seen[loop.Node()] = true
		tell(l, places, nil, why, at)
		told = true
	}
	return told
}

// Caller returns the call that leads to a site and the loop around it.
func (p *Package) Caller(s *spawn.Site) (call, loop inspector.Cursor, ok bool) {
	if s.Up == nil || s.Decl == nil {
		return call, loop, false
	}
	if call, ok = p.Find(s.Node); !ok {
		return call, loop, false
	}
	loop, ok = Innermost(call)
	return call, loop, ok
}

// Calling is Caller for loops that do little in an iteration.
func (p *Package) Calling(s *spawn.Site, w *spawn.Weigher) (call, loop inspector.Cursor, ok bool) {
	call, loop, ok = p.Caller(s)
	return call, loop, ok && Light(w, loop)
}

// Hoist returns the edit that keeps places in local variables while the loop
// runs, or why there is none and where the reason is.
func (l *Loop) Hoist(places []*Place) (edits []analysis.TextEdit, why string, at token.Pos) {
	if why, at = l.Leaves(); why != "" {
		return nil, why, at
	}
	var forms []form
	l.hoisted = slices.Clip(places)
	defer func() { l.hoisted = nil }()
	for _, p := range places {
		confined := l.hidden(p)
		f, why, at := l.form(p, confined)
		if why == "" {
			why, at = l.seen(p, confined, f.late)
		}
		if why == "" {
			why, at = l.Rescued(p)
		}
		if why != "" {
			return nil, why, at
		}
		if i := slices.IndexFunc(forms, func(g form) bool { return g.late && f.late }); i >= 0 {
			return nil, "others may look at " + forms[i].Text() + " and " + p.Text() + " meanwhile, which would come apart", p.Expr.Pos()
		}
		forms = append(forms, f)
	}
	var before, after strings.Builder
	for i := range forms {
		f := &forms[i]
		f.name = l.Name(l.Func(), l.At.Node(), f.Place.Variable())
		if why := f.write(l, &before, &after); why != "" {
			return nil, why, f.Expr.Pos()
		}
		for _, u := range f.Uses {
			edits = append(edits, f.use(l.Pass.TypesInfo, u)...)
		}
		f.Late = f.late
	}
	edits = append(edits, rewrite.Insert(l.At.Node().Pos(), before.String()), rewrite.Insert(l.At.Node().End(), after.String()))
	return edits, "", 0
}

// Leaves says why what stands after the loop might not run, or not stand there.
func (l *Loop) Leaves() (why string, at token.Pos) {
	n := l.At.Node()
	switch l.At.ParentEdgeKind() {
	case edge.BlockStmt_List, edge.CaseClause_Body, edge.CommClause_Body:
	default:
		return "the loop has a label", n.Pos()
	}
	info := l.Pass.TypesInfo
	for _, x := range rewrite.Leaves(info, n, true) {
		return "the loop has a " + x.How, x.Pos
	}
	if f, ok := n.(*ast.ForStmt); ok && f.Cond == nil {
		ends := false
		for _, x := range rewrite.Leaves(info, f.Body, false) {
			ends = ends || x.How == "break"
		}
		if !ends {
			return "the loop does not end", n.Pos()
		}
	}
	if fn, ok := uses.Func(l.At); ok {
		for c := range fn.Preorder((*ast.BranchStmt)(nil)) {
			if c.Node().(*ast.BranchStmt).Tok == token.GOTO {
				return "a goto may jump over the variable", c.Node().Pos()
			}
		}
	}
	return "", 0
}

// form chooses how a local variable stands for the place.
func (l *Loop) form(p *Place, confined bool) (f form, why string, at token.Pos) {
	text := p.Text()
	f = form{Place: p}
	atomics, methods := 0, false
	for _, u := range p.Uses {
		switch u.Kind {
		case Method:
			if why, at := l.method(p, u, confined); why != "" {
				return f, why, at
			}
			methods = true
		case Address:
			return f, "the address of " + text + " is taken", u.At.Node().Pos()
		case Swap:
			return f, text + " is swapped", u.At.Node().Pos()
		case Add:
			if u.Call.ParentEdgeKind() != edge.ExprStmt_X {
				return f, "the result of adding to " + text + " is used", u.At.Node().Pos()
			}
		}
		if u.Kind == Load || u.Kind == Store || u.Kind == Add {
			atomics++
		}
	}
	if atomics > 0 && !p.Atomic {
		return f, text + " is used with and without atomic operations", p.Expr.Pos()
	}
	sum, there := f.adds(), l.Evaluates(p.Expr) && (!p.through(l.Pass.TypesInfo) || l.notNil(p.Expr))
	switch {
	case p.Elems && !sum:
		return f, "the loop does more with the elements of " + text + " than add to them", p.Expr.Pos()
	case p.Elems && !there:
		return f, text + " may not be there where the loop does not run", p.Expr.Pos()
	case p.Atomic && !confined && !sum:
		return f, "others may read " + text + " while the loop runs", p.Expr.Pos()
	case p.Atomic && sum:
		f.guard, f.late = !there, !confined && !l.unwatched(p)
		if f.late && p.returns(l.Pass.TypesInfo) {
			return f, text + " goes up and down again: others may go by what is in use", p.Expr.Pos()
		}
	case p.Atomic && !l.Site.DiffersExpr(p.Expr):
		return f, "the goroutines write " + text + " and depend on what others wrote", p.Expr.Pos()
	case there:
		f.keep = true
	case sum:
		f.guard = true
	default:
		return f, text + " may not be there where the loop does not run", p.Expr.Pos()
	}
	if t, ok := p.Type.Underlying().(*types.Struct); ok && t.NumFields() > 4 && !methods {
		return f, "it is a large struct", p.Expr.Pos()
	}
	if _, ok := p.Type.Underlying().(*types.Array); ok {
		return f, "it is an array", p.Expr.Pos()
	}
	return f, "", 0
}

// op returns the assignment that a use of kind Update or Add is.
func (u Use) op() token.Token {
	if u.Kind == Add {
		name := ast.Unparen(u.Call.Node().(*ast.CallExpr).Fun).(*ast.SelectorExpr).Sel.Name
		switch {
		case strings.HasPrefix(name, "And"):
			return token.AND_ASSIGN
		case strings.HasPrefix(name, "Or"):
			return token.OR_ASSIGN
		}
		return token.ADD_ASSIGN
	}
	c := u.At
	for c.ParentEdgeKind() == edge.ParenExpr_X {
		c = c.Parent()
	}
	if a, ok := c.Parent().Node().(*ast.AssignStmt); ok {
		return a.Tok
	}
	return token.ADD_ASSIGN
}

// returns reports whether a loop adds constants to a place and subtracts some, as it
// does to a count of what is in use.
func (p *Place) returns(info *types.Info) bool {
	signs := map[int]bool{}
	for _, u := range p.Uses {
		if u.Kind != Add {
			continue
		}
		arg := u.Call.Node().(*ast.CallExpr).Args
		if v := info.Types[arg[len(arg)-1]].Value; v != nil {
			sign := constant.Sign(constant.ToInt(v))
			if n, _ := constant.Uint64Val(constant.ToInt(v)); n > 1<<31-1 {
				sign = -1 // ^uint64(0) subtracts one
			}
			signs[sign] = true
		}
	}
	return signs[1] && signs[-1]
}

// function reports whether an atomic use is a call of a function and not of a
// method, and how the package is named there.
func (u Use) function(info *types.Info) (pkg string, ok bool) {
	sel := ast.Unparen(u.Call.Node().(*ast.CallExpr).Fun).(*ast.SelectorExpr)
	fn, ok := info.Uses[sel.Sel].(*types.Func)
	return types.ExprString(sel.X), ok && fn.Signature().Recv() == nil
}

// adds reports whether all uses add something that may as well be added later,
// in one way, and notes which.
func (f *form) adds() bool {
	f.op = token.ILLEGAL
	for _, u := range f.Uses {
		if u.Kind != Update && u.Kind != Add {
			return false
		}
		op := u.op()
		switch op {
		case token.SUB_ASSIGN:
			op = token.ADD_ASSIGN
		case token.ADD_ASSIGN, token.OR_ASSIGN, token.XOR_ASSIGN:
		default:
			return false
		}
		if f.op != token.ILLEGAL && f.op != op {
			return false
		}
		f.op = op
	}
	return integer(f.Type)
}

func integer(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// write adds what stands before and after the loop.
func (f *form) write(l *Loop, before, after *strings.Builder) (why string) {
	text := rewrite.Text(l.Pass.Fset, f.Expr)
	if f.keep {
		load, store := text, text+" = "+f.name
		if f.Atomic {
			load, store = f.atomically(l, "Load", text, ""), f.atomically(l, "Store", text, f.name)
		}
		fmt.Fprintf(before, "%s := %s\n", f.name, load)
		fmt.Fprintf(after, "\n%s", store)
		return ""
	}
	typ, ok := l.Spell(f.Type)
	if !ok {
		return "its type has no name here"
	}
	switch {
	case f.Elems:
		i, sum := l.Name(l.Func(), l.At.Node(), "i"), l.Name(l.Func(), l.At.Node(), "sum")
		fmt.Fprintf(before, "%s := make([]%s, len(%s))\n", f.name, typ, text)
		fmt.Fprintf(after, "\nfor %s, %s := range %s {\nif %s != 0 {\n%s\n}\n}", i, sum, f.name, sum, f.add(l, text+"["+i+"]", sum))
		return ""
	case f.guard:
		fmt.Fprintf(after, "\nif %s != 0 {\n%s\n}", f.name, f.add(l, text, f.name))
	default:
		fmt.Fprintf(after, "\n%s", f.add(l, text, f.name))
	}
	fmt.Fprintf(before, "var %s %s\n", f.name, typ)
	return ""
}

// add adds a sum to what text names.
func (f *form) add(l *Loop, text, sum string) string {
	switch {
	case !f.Atomic:
		return fmt.Sprintf("%s %s %s", text, f.op, sum)
	case f.op == token.OR_ASSIGN:
		return f.atomically(l, "Or", text, sum)
	}
	return f.atomically(l, "Add", text, sum)
}

// atomically is an operation on what text names, in the way of the uses.
func (f *form) atomically(l *Loop, op, text, arg string) string {
	pkg, isFunc := f.Uses[0].function(l.Pass.TypesInfo)
	if !isFunc {
		return fmt.Sprintf("%s.%s(%s)", text, op, arg)
	}
	if !f.through(l.Pass.TypesInfo) {
		text = "&" + text
	}
	if arg != "" {
		arg = ", " + arg
	}
	return fmt.Sprintf("%s.%s%s(%s%s)", pkg, op, basicName(f.Type), text, arg)
}

// Spell returns how the file of the loop writes a type.
func (l *Loop) Spell(t types.Type) (string, bool) {
	ok := true
	s := types.TypeString(t, func(p *types.Package) string {
		if p == l.Pass.Pkg {
			return ""
		}
		for _, s := range l.file().Imports {
			if n := l.Pass.TypesInfo.PkgNameOf(s); n != nil && n.Imported() == p && n.Name() != "." && n.Name() != "_" {
				return n.Name()
			}
		}
		ok = false
		return p.Name()
	})
	return s, ok
}

func basicName(t types.Type) string {
	n := t.Underlying().(*types.Basic).Name()
	return strings.ToUpper(n[:1]) + n[1:]
}

// use puts the variable in the place of a use.
func (f *form) use(info *types.Info, u Use) []analysis.TextEdit {
	if u.Call.Inspector() == nil || u.Kind == Method {
		return []analysis.TextEdit{rewrite.Replace(u.At.Node(), f.name)}
	}
	call := u.Call.Node().(*ast.CallExpr)
	if u.Kind == Load {
		return []analysis.TextEdit{rewrite.Replace(call, f.name)}
	}
	var edits []analysis.TextEdit
	from, name := call.Pos(), f.name
	if f.Elems { // the index stays where it is
		elem, _ := u.element()
		x := elem.Node().(*ast.IndexExpr)
		edits = append(edits, analysis.TextEdit{Pos: from, End: x.Lbrack, NewText: []byte(name)})
		from, name = x.Rbrack+1, ""
	}
	arg := call.Args[len(call.Args)-1]
	op := " = "
	if u.Kind == Add {
		op = " " + u.op().String() + " "
		if v := info.Types[arg].Value; v != nil && u.op() == token.ADD_ASSIGN {
			step := ""
			if n, ok := constant.Int64Val(constant.ToInt(v)); ok && n == 1 {
				step = "++"
			} else if ok && n == -1 {
				step = "--"
			}
			if step != "" {
				return append(edits, analysis.TextEdit{Pos: from, End: call.End(), NewText: []byte(name + step)})
			}
		}
	}
	return append(edits,
		analysis.TextEdit{Pos: from, End: arg.Pos(), NewText: []byte(name + op)},
		analysis.TextEdit{Pos: arg.End(), End: call.End()})
}

// Variable proposes a name for a variable that stands for the place.
func (p *Place) Variable() string {
	if p.Elems {
		return (&Place{path: path{root: p.root, steps: p.steps[:len(p.steps)-1]}}).Variable()
	}
	if len(p.steps) == 0 {
		return p.root.Name()
	}
	switch s := p.steps[len(p.steps)-1]; {
	case s.field != nil:
		n := s.field.Name()
		return strings.ToLower(n[:1]) + n[1:]
	case s.index != nil:
		name := p.root.Name()
		for _, s := range p.steps {
			if s.field != nil {
				name = s.field.Name()
			}
		}
		one, ok := strings.CutSuffix(strings.ToLower(name[:1])+name[1:], "s")
		if ok && len(one) > 2 && !strings.HasSuffix(one, "s") && !token.IsKeyword(one) && types.Universe.Lookup(one) == nil {
			return one
		}
		return "slot"
	}
	return "value"
}

// Rescued says why what the place holds after a panic might be looked at.
func (l *Loop) Rescued(p *Place) (why string, at token.Pos) {
	roots := l.roots(p)
	for up := l.Site; up != nil; up = up.Up {
		if up.Body == nil {
			continue
		}
		ast.Inspect(up.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.DeferStmt:
				if why == "" && !l.harmless(roots, n.Call) {
					why, at = "a deferred call may stop a panic and look at "+p.Text(), n.Pos()
				}
				return false
			}
			return true
		})
		if decl := up.Decl; why == "" && decl != nil && up == l.Site {
			fn := l.Pass.TypesInfo.Defs[decl.Name].(*types.Func)
			if l.recovers && (fn.Exported() || len(l.calls[fn]) > 1) || l.Uses.Left.Calls(fn) != "" {
				return "callers of " + fn.Name() + " may stop a panic and look at " + p.Text(), decl.Name.Pos()
			}
		}
	}
	return why, at
}

// harmless reports whether a deferred call neither stops a panic nor looks at
// variables.
func (l *Loop) harmless(roots []*types.Var, call *ast.CallExpr) bool {
	info := l.Pass.TypesInfo
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.FuncLit:
		ok := true
		ast.Inspect(fun.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				ok = ok && (info.Types[n.Fun].IsType() || l.harmless(roots, n))
			case *ast.Ident:
				v, _ := info.Uses[n].(*types.Var)
				ok = ok && !slices.Contains(roots, v)
			}
			return ok
		})
		return ok
	case *ast.Ident:
		if b, ok := info.Uses[fun].(*types.Builtin); ok {
			return b.Name() != "recover"
		}
		return uses.Is(info.TypeOf(fun), "context", "CancelFunc")
	case *ast.SelectorExpr:
		fn, ok := info.Uses[fun.Sel].(*types.Func)
		return ok && pkgPath(fn) == "sync" && fn.Name() != "Do" && fn.Name() != "Range"
	}
	return false
}

// writtenAt reports whether a use of a variable changes it.
func writtenAt(c inspector.Cursor) bool { return uses.Written(uses.Whole(c)) }
