package freelist

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

	"github.com/gopayoff/payoff/tool/vet/guard"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer is the check.
var Analyzer = shape.Analyzer("freelist", "find lists of free objects behind a lock\n\nGoroutines wait for each other to take an object and to give it back.", find, section.Analyzer)

// A check looks at a list of free objects and at the lock that guards it.
type check struct {
	*guard.Lock
	in   *section.Index
	list *types.Var
	elem types.Type
	info *types.Info
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	in := pass.ResultOf[section.Analyzer].(*section.Index)
	for _, l := range in.Locks {
		if l.Var.Pkg() != pass.Pkg || len(l.Sections) < 2 {
			continue
		}
		g := guard.Of(pass, in, l)
		for v := range g.Guarded {
			s, ok := v.Type().Underlying().(*types.Slice)
			if !ok {
				continue
			}
			c := &check{Lock: g, in: in, list: v, elem: s.Elem(), info: pass.TypesInfo}
			if f, ok := c.finding(); ok {
				all = append(all, f)
			}
		}
	}
	slices.SortFunc(all, func(a, b shape.Finding) int { return int(a.Pos - b.Pos) })
	return all, nil
}

// finding returns the finding of the list if some sections append to it and
// others take from it and make an object where there is none.
func (c *check) finding() (f shape.Finding, ok bool) {
	f = shape.Finding{
		Pos: c.Var.Pos(), End: c.Var.Pos() + token.Pos(len(c.Var.Name())),
		Message: fmt.Sprintf("%s is locked to take a free object from %s, and to give it back", c.Var.Name(), c.list.Name()),
		Causes:  []string{"lock", "trueshare", "pool"},
	}
	var takes, puts []*section.Section
	var edits []analysis.TextEdit
	why, at := "", token.NoPos
	refuse := func(because string, pos token.Pos) {
		if why == "" {
			why, at = because, pos
		}
	}
	for _, s := range c.Sections {
		if !c.Does[s].Touches(c.list) {
			continue
		}
		if r := shape.Of(uses.Around(s.Enter)); !slices.Contains(f.Hot, r) {
			f.Hot = append(f.Hot, r)
		}
		known := map[ast.Node]bool{} // uses of the list
		if e := c.put(s, known); e != nil {
			puts, edits = append(puts, s), append(edits, e...)
		}
		if t := c.take(s); t != nil {
			takes = append(takes, s)
			e, because, pos := t.edits(known)
			if because != "" {
				refuse(because, pos)
			}
			edits = append(edits, e...)
		}
		for _, p := range c.Places(c.list) {
			if p.In == s && !known[p.Node()] {
				refuse("something else looks at "+c.list.Name(), p.Node().Pos())
			}
		}
		edits = append(edits, c.Unlocked(s)...)
	}
	if takes == nil || puts == nil {
		return f, false
	}
	more, because, pos := c.pool(len(takes)+len(puts) == len(c.Sections))
	if because != "" {
		why, at = because, pos
	}
	if edits = append(edits, more...); why == "" && rewrite.Overlap(edits, nil) {
		refuse("its uses are within each other", c.list.Pos())
	}
	if why != "" {
		f.Refused = []shape.Refusal{{Name: "pool", Why: why, Pos: at}}
	} else {
		f.Fixes = []shape.Fix{{Name: "pool", Says: fmt.Sprintf("keep the free objects in a sync.Pool in the place of %s", c.list.Name()), Edits: edits}}
	}
	return f, true
}

// pool declares the pool, and takes the lock away if it guards nothing else.
func (c *check) pool(all bool) (edits []analysis.TextEdit, why string, at token.Pos) {
	if why, at := c.Alone(c.list); why != "" {
		return nil, why, at
	}
	if _, pointer := types.Unalias(c.elem).Underlying().(*types.Pointer); !pointer {
		return nil, "its elements are no pointers: each Put would allocate", c.list.Pos()
	}
	if what := lasting(c.elem, map[types.Type]bool{}); what != "" {
		return nil, "a pool forgets objects, and these have " + what, c.list.Pos()
	}
	if c.list.IsField() != c.Var.IsField() {
		return nil, "the lock is elsewhere than the list", c.Var.Pos()
	}
	for _, p := range c.Places(c.list) {
		if p.In == nil {
			return nil, "something else looks at " + c.list.Name(), p.Node().Pos()
		}
		if rewrite.Text(c.Pass.Fset, p.Node()) != c.of(p.In) {
			return nil, "a section uses the list of another value", p.Node().Pos()
		}
	}
	edits, why, at = c.Declared(c.list, func(typ ast.Expr) []analysis.TextEdit {
		name, imports := c.sync(typ.Pos())
		return append(imports, rewrite.Replace(typ, name+".Pool"))
	})
	if why != "" || !all {
		return edits, why, at
	}
	more, why := c.Undeclare()
	return append(edits, more...), why, c.Var.Pos()
}

// of is the list of the value whose lock a section takes.
func (c *check) of(s *section.Section) string {
	if !c.list.IsField() {
		return c.list.Name()
	}
	return strings.TrimSuffix(types.ExprString(s.X), "."+c.Var.Name()) + "." + c.list.Name()
}

func (c *check) sync(at token.Pos) (name string, edits []analysis.TextEdit) {
	for _, f := range c.Pass.Files {
		if f.FileStart <= at && at < f.FileEnd {
			return rewrite.Import(c.Pass.Pkg, f, "sync", at)
		}
	}
	return "sync", nil
}

// lasting returns what of an object has to be looked after when it is no longer
// used, or "": a method to close it, a goroutine at a channel.
func lasting(t types.Type, seen map[types.Type]bool) string {
	if seen[t] || uses.Is(t, "sync", "Mutex") || uses.Is(t, "sync", "RWMutex") {
		return ""
	}
	seen[t] = true
	for _, name := range []string{"Close", "Stop", "Release", "Shutdown", "Cancel"} {
		o, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		if _, ok := o.(*types.Func); ok {
			return "a method " + name
		}
	}
	switch u := uses.Deref(t).Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if what := lasting(f.Type(), seen); what != "" {
				return what
			}
		}
	case *types.Slice:
		return lasting(u.Elem(), seen)
	case *types.Array:
		return lasting(u.Elem(), seen)
	case *types.Map:
		return lasting(u.Elem(), seen)
	case *types.Chan:
		return "a channel"
	case *types.Signature:
		return "a function to call"
	}
	return ""
}

// is reports whether an expression is the list.
func (c *check) is(e ast.Expr) bool { return c.Uses.Var(e) == c.list }

// put returns the edits of a section that appends an object.
func (c *check) put(s *section.Section, known map[ast.Node]bool) (edits []analysis.TextEdit) {
	for _, stmt := range s.Stmts {
		for at := range stmt.Preorder((*ast.AssignStmt)(nil)) {
			a := at.Node().(*ast.AssignStmt)
			if a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 || !c.is(a.Lhs[0]) {
				continue
			}
			call, ok := a.Rhs[0].(*ast.CallExpr)
			if !ok || len(call.Args) != 2 || call.Ellipsis.IsValid() || !c.is(call.Args[0]) || !c.builtin(call, "append") || !types.Identical(c.info.TypeOf(call.Args[1]), c.elem) {
				continue
			}
			known[a.Lhs[0]], known[call.Args[0]] = true, true
			edits = append(edits,
				analysis.TextEdit{Pos: a.Lhs[0].End(), End: call.Args[1].Pos(), NewText: []byte(".Put(")})
		}
	}
	return edits
}

func (c *check) builtin(call *ast.CallExpr, name string) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := c.info.Uses[id].(*types.Builtin)
	return ok && b.Name() == name
}

// fresh reports whether an expression makes a new object and does nothing else
// that shows.
func (c *check) fresh(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		lit, ok := ast.Unparen(x.X).(*ast.CompositeLit)
		return x.Op == token.AND && ok && c.quiet(lit)
	case *ast.CallExpr:
		if c.builtin(x, "new") {
			return true
		}
		return c.in.Flow.Made(x) && c.in.Flow.Pure(x) == ""
	}
	return false
}

// quiet reports whether a literal calls nothing but what makes values.
func (c *check) quiet(lit *ast.CompositeLit) bool {
	ok := true
	ast.Inspect(lit, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			ok = ok && (c.info.Types[n.Fun].IsType() || c.builtin(n, "make") || c.builtin(n, "new") || c.builtin(n, "len"))
		case *ast.FuncLit, *ast.IndexExpr:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		}
		return ok
	})
	return ok
}

func list(c inspector.Cursor) bool {
	switch c.ParentEdgeKind() {
	case edge.BlockStmt_List, edge.CaseClause_Body, edge.CommClause_Body:
		return true
	}
	return false
}
