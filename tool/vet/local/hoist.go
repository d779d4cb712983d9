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

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A form is how a local variable stands for a place.
type form struct {
	*Place
	keep  bool // it begins with the value of the place and is stored back; else it begins with 0 and is added
	guard bool // it is added only if it is not 0: the place may not be there
	late  bool // others may look at the place meanwhile: they see it before the loop, or after
	name  string
}

// A Hoist is what a loop has of the places that were asked for. It comes with the edit
// that keeps them in local variables, or with the reason that there is none, and where
// that is.
type Hoist struct {
	*Loop
	Places []*Place
	Edits  []analysis.TextEdit
	Holds  string // what nothing proves, "" for nothing
	Why    string
	Reason token.Pos
}

// Hoists returns what the loops of a site have, once for each loop. Of those that lie
// within each other it is the outermost that has an edit, or has one on a condition.
func (p *Package) Hoists(s *spawn.Site, seen map[ast.Node]bool, has func(loop inspector.Cursor) []*Place) (all []Hoist) {
	body, _ := p.Find(s.Body)
	all = p.hoists(s, body, seen, has)
	for i, h := range all {
		for at, ok := h.At, h.Edits == nil; ok; at, ok = Innermost(at) {
			x := Hoist{Loop: &Loop{Package: p, Site: s, At: at, assume: true}, Places: has(at)}
			if len(x.Places) < len(h.Places) {
				break
			}
			if x.Edits, x.Why, x.Reason = x.hoist(x.Places); x.Why == "" {
				for _, p := range x.Places {
					x.Holds += " and " + p.Text()
				}
				x.Holds = "nothing looks at " + x.Holds[len(" and "):] + " before the loop is done"
				all[i] = x
			}
		}
	}
	return all
}

func (p *Package) hoists(s *spawn.Site, root inspector.Cursor, seen map[ast.Node]bool, has func(loop inspector.Cursor) []*Place) (all []Hoist) {
	for _, loop := range outermost(root) {
		if seen[loop.Node()] {
			continue
		}
		h := Hoist{Loop: &Loop{Package: p, Site: s, At: loop}, Places: has(loop)}
		if len(h.Places) > 0 {
			h.Edits, h.Why, h.Reason = h.hoist(h.Places)
		}
		var inner []Hoist
		if h.Edits == nil {
			inner = p.hoists(s, loop, seen, has)
		}
		if len(h.Places) > 0 && len(inner) == 0 {
			seen[loop.Node()] = true
			inner = []Hoist{h}
		}
		all = append(all, inner...)
	}
	return all
}

// hoist returns the edit that keeps places in local variables while the loop
// runs, or why there is none and where the reason is.
func (l *Loop) hoist(places []*Place) (edits []analysis.TextEdit, why string, at token.Pos) {
	if why, at = l.Leaves(); why != "" {
		return nil, why, at
	}
	var forms []form
	l.hoisted = slices.Clip(places)
	defer func() { l.hoisted = nil }()
	for _, p := range places {
		confined := l.Confined(p)
		f, why, at := l.form(p, confined)
		if why == "" {
			why, at = l.seen(p, confined, f.late, nil)
		}
		if why == "" {
			why, at = l.Rescued(p)
		}
		if why == "" && f.late && l.assume {
			why, at = l.Watched(p)
		} else if why == "" && f.late && slices.ContainsFunc(forms, func(g form) bool { return g.late }) {
			why, at = "others may look at several of them meanwhile, which would come apart", p.Expr.Pos()
		}
		if why != "" {
			return nil, why, at
		}
		forms = append(forms, f)
	}
	var before, after strings.Builder
	var named []ast.Expr
	for _, f := range forms {
		f.name = l.Name(l.Func(), l.At.Node(), f.Place.Variable())
		if !f.write(l, &before, &after) {
			return nil, "its type has no name here", f.Expr.Pos()
		}
		for _, u := range f.Uses {
			edits = append(edits, f.use(l, u)...)
		}
		f.Late = f.late
		if named = append(named, f.Expr); f.Atomic {
			named = append(named, f.Uses[0].Call.Node().(*ast.CallExpr).Fun)
		}
	}
	more, why, at := l.After(after.String()[1:], named...)
	if why != "" {
		return nil, why, at
	}
	return append(append(edits, rewrite.Insert(l.At.Node().Pos(), before.String())), more...), "", 0
}

// After returns the edits that put a text behind the loop and before each statement that
// leaves it, where what expressions name is the same.
func (l *Loop) After(text string, named ...ast.Expr) (edits []analysis.TextEdit, why string, at token.Pos) {
	n, info := l.At.Node(), l.Pass.TypesInfo
	for _, pos := range l.Exits() {
		pkg, scope := rewrite.Around(l.Pass.Pkg, pos)
		for _, e := range named {
			for id := range ast.Preorder(e) {
				id, ok := id.(*ast.Ident)
				if o := info.Uses[id]; ok && o != nil && o.Pkg() == pkg && o.Parent() != nil { // no field or method
					if _, is := scope.LookupParent(id.Name, pos); is != o {
						why, at = id.Name+" is another where the loop is left", pos
					}
				}
			}
		}
		edits = append(edits, rewrite.Insert(pos, text+"\n"))
	}
	if f, ok := n.(*ast.ForStmt); !ok || f.Cond != nil || l.breaks() {
		edits = append(edits, rewrite.Insert(n.End(), "\n"+text))
	}
	return edits, why, at
}

// Exits are the statements of the loop that go on elsewhere than behind it.
func (l *Loop) Exits() (all []token.Pos) {
	for _, x := range rewrite.Leaves(l.Pass.TypesInfo, l.At.Node(), true) {
		if exits(x) {
			all = append(all, x.Pos)
		}
	}
	return all
}

// Holding reports whether the loop may be left with a lock that it takes, other than by
// some code of it.
func (l *Loop) Holding(but ...ast.Node) bool {
	return len(l.Exits()) > 0 && flow.Of(l.Pass).Within(l.At.Node(), but...).First(flow.Lock) != nil
}

func exits(x rewrite.Leave) bool {
	return x.How == "return" || strings.HasPrefix(x.How, "labelled")
}

// breaks reports whether a statement of the loop goes on behind it.
func (l *Loop) breaks() bool {
	return slices.ContainsFunc(rewrite.Leaves(l.Pass.TypesInfo, body(l.At), false), func(x rewrite.Leave) bool { return x.How == "break" })
}

// Leaves says why what is to stand after the loop might not run, or not stand there.
func (l *Loop) Leaves() (why string, at token.Pos) {
	n := l.At.Node()
	if !uses.Listed(l.At) {
		return "the loop has a label", n.Pos()
	}
	info := l.Pass.TypesInfo
	for _, x := range rewrite.Leaves(info, n, true) {
		if !exits(x) {
			return "the loop has a " + x.How, x.Pos
		}
	}
	if f, ok := n.(*ast.ForStmt); ok && f.Cond == nil && !l.breaks() && len(l.Exits()) == 0 {
		return "the loop does not end", n.Pos()
	}
	if _, why := loop.New(info, l.At).Before(); why != "" {
		return why, n.Pos()
	}
	return "", 0
}

// Watched says why what others see of a place may count before the loop is done. Nothing
// waits for that, or code looks at it again and again, in a literal, or before the join.
func (l *Loop) Watched(p *Place) (why string, at token.Pos) {
	if l.Site.Join == nil {
		return "nothing waits for the goroutines", l.Site.Node.Pos()
	}
	v := p.root
	for _, s := range p.steps {
		if s.field != nil {
			v = s.field
		}
	}
	for _, c := range l.Uses.Of(v) {
		fn, ok := uses.Func(c)
		if !ok || l.Uses.Declares(c) || uses.Holds(l.At.Node(), c.Node().Pos()) {
			continue
		}
		part, _ := widen(l.Pass.TypesInfo, uses.Whole(c))
		_, again := Innermost(c)
		_, lit := fn.Node().(*ast.FuncLit)
		for up := l.Site; up != nil; up = up.Up {
			lit = lit || up.Join != nil && up.Node.Pos() < c.Node().Pos() && c.Node().Pos() < up.Join.Pos()
		}
		if k := use(l.Pass.TypesInfo, part).Kind; (again || lit) && k != Add && k != Store {
			return p.Text() + " may be looked at here meanwhile", c.Node().Pos()
		}
	}
	return "", 0
}

// form chooses how a local variable stands for the place.
func (l *Loop) form(p *Place, confined bool) (f form, why string, at token.Pos) {
	info, text := l.Pass.TypesInfo, p.Text()
	f = form{Place: p}
	for _, u := range p.Uses {
		switch {
		case u.Kind == Method || u.Kind == Address:
			return f, "the address of " + text + " is taken", u.At.Node().Pos()
		case u.Kind == Swap:
			return f, text + " is swapped", u.At.Node().Pos()
		case u.Kind == Add && u.Call.ParentEdgeKind() != edge.ExprStmt_X:
			return f, "the result of adding to " + text + " is used", u.At.Node().Pos()
		case u.Kind == Add && !u.adds():
			return f, "bits of " + text + " are set", u.At.Node().Pos()
		case u.Kind.atomic() && !p.Atomic:
			return f, text + " is used with and without atomic operations", p.Expr.Pos()
		}
	}
	sum, there := p.sums(), l.Evaluates(p.Expr) && (!p.through(info) || l.notNil(p.Expr))
	switch {
	case p.Atomic && sum:
		f.guard, f.late = !there, !confined
		if f.late && p.returns(info) {
			return f, text + " goes up and down again: others may go by what is in use", p.Expr.Pos()
		}
	case p.Atomic && !confined:
		return f, "others may read " + text + " while the loop runs", p.Expr.Pos()
	case p.Atomic && !l.Site.DiffersExpr(p.Expr):
		return f, "the goroutines write " + text + " and depend on what others wrote", p.Expr.Pos()
	case there:
		f.keep = true
	case sum:
		f.guard = true
	default:
		return f, text + " may not be there where the loop does not run", p.Expr.Pos()
	}
	return f, "", 0
}

// adds reports whether a use adds to the place, or subtracts.
func (u Use) adds() bool {
	if u.Kind == Add {
		return strings.HasPrefix(ast.Unparen(u.Call.Node().(*ast.CallExpr).Fun).(*ast.SelectorExpr).Sel.Name, "Add")
	}
	a, ok := uses.Whole(u.At).Parent().Node().(*ast.AssignStmt)
	return u.Kind == Update && (!ok || a.Tok == token.ADD_ASSIGN || a.Tok == token.SUB_ASSIGN)
}

// returns reports whether a loop adds to a place and subtracts, as it does to a count
// of what is in use.
func (p *Place) returns(info *types.Info) bool {
	signs := map[int]bool{}
	for _, u := range p.Uses {
		args, sign := u.Call.Node().(*ast.CallExpr).Args, 1
		arg := args[len(args)-1]
		if _, minus := ast.Unparen(arg).(*ast.UnaryExpr); minus {
			sign = -1
		}
		if v := info.Types[arg].Value; v != nil {
			sign = constant.Sign(constant.ToInt(v))
			if n, _ := constant.Uint64Val(constant.ToInt(v)); n > 1<<31-1 {
				sign = -1 // ^uint64(0) subtracts one
			}
		}
		signs[sign] = true
	}
	return signs[1] && signs[-1]
}

// sums reports whether all uses add integers, which may as well be added later.
func (p *Place) sums() bool {
	b, ok := p.Type.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0 && !slices.ContainsFunc(p.Uses, func(u Use) bool { return !u.adds() })
}

// write adds what stands before and after the loop, and reports whether it can be
// written.
func (f *form) write(l *Loop, before, after *strings.Builder) bool {
	text := rewrite.Text(l.Pass.Fset, f.Expr)
	if f.keep {
		load, store := text, text+" = "+f.name
		if f.Atomic {
			load, store = f.atomically(l, "Load", text), f.atomically(l, "Store", text, f.name)
		}
		fmt.Fprintf(before, "%s := %s\n", f.name, load)
		fmt.Fprintf(after, "\n%s", store)
		return true
	}
	typ, ok := l.Spell(f.Type)
	fmt.Fprintf(before, "var %s %s\n", f.name, typ)
	add := text + " += " + f.name
	if f.Atomic {
		add = f.atomically(l, "Add", text, f.name)
	}
	if f.guard {
		add = fmt.Sprintf("if %s != 0 {\n%s\n}", f.name, add)
	}
	after.WriteString("\n" + add)
	return ok
}

// atomically is an operation on what text names, in the way of the uses.
func (f *form) atomically(l *Loop, op, text string, args ...string) string {
	sel := ast.Unparen(f.Uses[0].Call.Node().(*ast.CallExpr).Fun).(*ast.SelectorExpr)
	if _, method := l.Pass.TypesInfo.Selections[sel]; method {
		return fmt.Sprintf("%s.%s(%s)", text, op, strings.Join(args, ", "))
	}
	if !f.through(l.Pass.TypesInfo) {
		text = "&" + text
	}
	typ := f.Type.Underlying().(*types.Basic).Name()
	return fmt.Sprintf("%s.%s%s(%s)", types.ExprString(sel.X), op, rewrite.Title(typ), strings.Join(append([]string{text}, args...), ", "))
}

// Spell returns how the file of the loop writes a type.
func (l *Loop) Spell(t types.Type) (string, bool) {
	pos := l.At.Node().Pos()
	return rewrite.Type(l.Pass.Pkg, rewrite.File(l.Pass, pos), pos, t)
}

// use puts the variable in the place of a use.
func (f *form) use(l *Loop, u Use) []analysis.TextEdit {
	if u.Call.Inspector() == nil {
		return []analysis.TextEdit{rewrite.Replace(u.At.Node(), f.name)}
	}
	call := u.Call.Node().(*ast.CallExpr)
	if u.Kind == Load {
		return []analysis.TextEdit{rewrite.Replace(call, f.name)}
	}
	arg := call.Args[len(call.Args)-1]
	op := " = "
	if u.Kind == Add {
		op = " += "
		if v := l.Pass.TypesInfo.Types[arg].Value; v != nil && v.ExactString() == "1" {
			return []analysis.TextEdit{rewrite.Replace(call, f.name+"++")}
		}
	}
	return []analysis.TextEdit{
		{Pos: call.Pos(), End: arg.Pos(), NewText: []byte(f.name + op)},
		{Pos: arg.End(), End: call.End()}}
}

// Variable proposes a name for a variable that stands for the place.
func (p *Place) Variable() string {
	name := p.root.Name()
	for _, s := range p.steps {
		if s.field != nil {
			name = s.field.Name()
		}
	}
	name = strings.ToLower(name[:1]) + name[1:]
	if n := len(p.steps); n > 0 && p.steps[n-1].field == nil {
		one, ok := strings.CutSuffix(name, "s")
		switch {
		case p.steps[n-1].deref:
			return "value"
		case !ok || len(one) < 3 || strings.HasSuffix(one, "s"):
			return "slot"
		}
		return one
	}
	return name
}

// Rescued says why what the place holds after a panic might be looked at.
func (l *Loop) Rescued(p *Place) (why string, at token.Pos) {
	for up := l.Site; up != nil; up = up.Up {
		if up.Body == nil {
			continue
		}
		ast.Inspect(up.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.DeferStmt:
				if why == "" && !harmless(l.Pass.TypesInfo, n.Call) {
					why, at = "a deferred call may stop a panic and look at "+p.Text(), n.Pos()
				}
				return false
			}
			return true
		})
		if decl := up.Decl; why == "" && decl != nil && up == l.Site {
			fn := l.Pass.TypesInfo.Defs[decl.Name].(*types.Func)
			if l.Recovers && (fn.Exported() || len(l.calls[fn]) > 1) || l.Uses.Left.Calls(fn) != "" {
				return "callers of " + fn.Name() + " may stop a panic and look at " + p.Text(), decl.Name.Pos()
			}
		}
	}
	return why, at
}

// harmless reports whether a deferred call neither stops a panic nor looks at
// variables.
func harmless(info *types.Info, call *ast.CallExpr) bool {
	fn := section.Callee(info, call)
	return fn != nil && pkgPath(fn) == "sync" && fn.Name() != "Do" && fn.Name() != "Range"
}
