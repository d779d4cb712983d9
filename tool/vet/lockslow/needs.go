package lockslow

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// needs returns why code has to stay under the lock, and where: it uses what
// the lock guards or what others can reach, or others would see its effects in
// another order. Variables in set count as guarded.
func (c *check) needs(nodes []inspector.Cursor, set map[*types.Var]bool) (why string, at token.Pos) {
	info := c.Uses.Info
	e := c.Effects(nodes...)
	where := nodes[0].Node().Pos()
	switch {
	case len(e.Unknown) > 0:
		return "nobody knows what " + types.ExprString(e.Unknown[0].(*ast.CallExpr).Fun) + " does", e.Unknown[0].Pos()
	case len(e.Waits) > 0:
		return "others would see it wait, send or start something in another order", e.Waits[0].Pos()
	case len(e.Indirect) > 0:
		return "it writes through a pointer or slice", e.Indirect[0].Pos()
	case len(e.Takes) > 0:
		return "it takes a lock", where
	}
	for v := range e.Writes {
		if c.guarded[v] || c.Shares(v) {
			return v.Name() + " is written", where
		}
	}
	for v := range e.Reads {
		switch {
		case slices.Contains(c.copies, v):
		case c.guarded[v] || set[v]:
			return "it uses " + v.Name() + ", which is written under the lock", where
		case c.Shares(v) && c.Uses.LeftOut(v) != "":
			return c.Uses.LeftOut(v), where
		case c.Shares(v) && c.unknown() && c.written(v):
			return "it uses " + v.Name() + ", which a call under the lock may write", where
		case c.Shares(v) && refers(v.Type()) && !section.Shareable(v.Type()):
			if name := c.alias(v); name != "" {
				return "through " + v.Name() + " it can reach " + name + ", which is written under the lock", where
			}
		}
	}
	given := ""
	for _, n := range nodes {
		for x := range n.Preorder((*ast.Ident)(nil), (*ast.DeferStmt)(nil)) {
			id, ok := x.Node().(*ast.Ident)
			if !ok {
				return "it defers a call", x.Node().Pos()
			}
			v, ok := info.Uses[id].(*types.Var)
			if !ok || v.IsField() || x.ParentEdgeKind() == edge.SelectorExpr_X || c.Shares(v) {
				continue
			}
			if f := c.reaches(v.Type(), 0, map[types.Type]bool{}); f != "" {
				return "through " + v.Name() + " it can reach " + f + ", which is written under the lock", x.Node().Pos()
			}
			if refers(v.Type()) && c.tainted(v) {
				return v.Name() + " leads to what the lock guards", x.Node().Pos()
			}
			switch x.ParentEdgeKind() {
			case edge.BinaryExpr_X, edge.BinaryExpr_Y, edge.ReturnStmt_Results, edge.AssignStmt_Rhs:
				continue // nobody looks behind it
			}
			if name := c.overlaps(v.Type()); name != "" && c.given(v, map[*types.Var]bool{}) {
				given, where = "through "+v.Name()+" it may reach "+name+", which is written under the lock", x.Node().Pos()
			}
		}
	}
	for _, x := range e.Calls {
		if why := c.ordered(x.(*ast.CallExpr)); why != "" {
			return why, x.Pos()
		}
	}
	if given != "" {
		return given, where
	}
	return "", 0
}

// unknown reports whether a section of the lock makes a call of which nobody
// knows what it writes.
func (c *check) unknown() bool {
	return slices.ContainsFunc(c.Lock.Sections, func(s *section.Section) bool { return len(c.Does(s).Unknown) > 0 })
}

// written reports whether the package writes v anywhere.
func (c *check) written(v *types.Var) bool {
	return slices.ContainsFunc(c.Uses.Of(v), func(use inspector.Cursor) bool {
		part, _ := uses.Elements(uses.Whole(use))
		return !c.Uses.Declares(use) && uses.Written(part)
	})
}

// alias returns what the lock guards and v leads to, or may be another name of.
func (c *check) alias(v *types.Var) string {
	for g := range c.guarded {
		if types.Identical(g.Type(), v.Type()) {
			return g.Name()
		}
	}
	return cmp.Or(c.reaches(v.Type(), 0, map[types.Type]bool{}), c.overlaps(v.Type()))
}

// reaches returns a field that the lock guards and that a value of type t leads
// to, or "".
func (c *check) reaches(t types.Type, depth int, seen map[types.Type]bool) string {
	if depth > 6 || seen[t] {
		return ""
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return c.reaches(u.Elem(), depth+1, seen)
	case *types.Slice:
		return c.reaches(u.Elem(), depth+1, seen)
	case *types.Array:
		return c.reaches(u.Elem(), depth+1, seen)
	case *types.Map:
		return c.reaches(u.Elem(), depth+1, seen)
	case *types.Struct:
		for f := range u.Fields() {
			if c.guarded[f.Origin()] && depth > 0 { // a struct itself is a copy
				return f.Name()
			}
			if name := c.reaches(f.Type(), depth+1, seen); name != "" {
				return name
			}
		}
	}
	return ""
}

// tainted reports whether a variable gets its value, in the section, from
// something that the lock guards.
func (c *check) tainted(v *types.Var) bool {
	for _, use := range c.Uses.Of(v) {
		from := source(use)
		if from == nil {
			continue
		}
		if c.made(from) {
			continue
		}
		x, ok := use.Parent().FindNode(from)
		if !ok {
			return true
		}
		e := c.Effects(x)
		for r := range e.Reads {
			if c.guarded[r] {
				return true
			}
		}
	}
	return false
}

// source is what a use of a variable assigns to it, nil if it does not.
func source(use inspector.Cursor) (from ast.Expr) {
	switch use.ParentEdgeKind() {
	case edge.AssignStmt_Lhs:
		a := use.Parent().Node().(*ast.AssignStmt)
		from = a.Rhs[0]
		if _, i := use.ParentEdge(); len(a.Rhs) == len(a.Lhs) {
			from = a.Rhs[i]
		}
	case edge.RangeStmt_Key, edge.RangeStmt_Value:
		from = use.Parent().Node().(*ast.RangeStmt).X
	case edge.ValueSpec_Names:
		if vs := use.Parent().Node().(*ast.ValueSpec); len(vs.Values) > 0 {
			from = vs.Values[0]
		}
	}
	return from
}

// made reports whether an expression is new memory that leads nowhere else.
func (c *check) made(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && c.Flow.Apart(call)
}

// ordered returns why a call has to keep its turn: others see what it does to
// the world. What goes to something that only this call knows does not.
func (c *check) ordered(call *ast.CallExpr) (why string) {
	info := c.Uses.Info
	fn := section.Callee(info, call)
	switch library(fn) {
	case read:
		return ""
	case wait:
		if fn.Name() == "Sleep" {
			return "to sleep under the lock may be meant to hold others up"
		}
		return "who waits for others under the lock may mean to keep them out"
	}
	var to ast.Expr // where its effect goes
	path := fn.Pkg().Path()
	switch first, _, _ := strings.Cut(path, "/"); {
	case fn.Signature().Recv() != nil:
		to = ast.Unparen(call.Fun).(*ast.SelectorExpr).X
	case path == "fmt" && strings.HasPrefix(fn.Name(), "Fprint"), path == "io" && (fn.Name() == "WriteString" || fn.Name() == "Copy"):
		to = call.Args[0]
	case first == "encoding" && strings.HasPrefix(fn.Name(), "New"), library(fn) == encode, path == "bytes", path == "strings", path == "slices", path == "sort", path == "maps":
		return ""
	case library(fn) == write, first == "os", first == "net", first == "log", first == "database", first == "syscall":
		return "others would see what " + types.ExprString(call.Fun) + " does in another order"
	default:
		return ""
	}
	if c.private(to) {
		return ""
	}
	return "others may use " + types.ExprString(to) + " and would see its effects in another order"
}

// private reports whether only this call of the function knows what e stands
// for: a buffer of its own, or the answer to its request.
func (c *check) private(e ast.Expr) bool {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.UnaryExpr:
			e = x.X
			continue
		case *ast.CallExpr: // json.NewEncoder(w).Encode
			fn := section.Callee(c.Uses.Info, x)
			if fn == nil || fn.Pkg() == nil || !strings.HasPrefix(fn.Name(), "New") || len(x.Args) == 0 {
				return false
			}
			e = x.Args[0]
			continue
		}
		break
	}
	t := c.Uses.Info.TypeOf(e)
	if uses.Is(t, "net/http", "ResponseWriter") {
		return true
	}
	v := c.Uses.Var(e)
	if v == nil || v.IsField() || c.Shares(v) {
		return false
	}
	own := false
	for _, use := range c.Uses.Of(v) {
		if c.Uses.Declares(use) && use.ParentEdgeKind() == edge.Field_Names {
			return false // a parameter
		}
		own = own || c.Uses.Declares(use)
	}
	d := uses.Deref(t)
	return own && (uses.Is(d, "bytes", "Buffer") || uses.Is(d, "strings", "Builder") || uses.Is(d, "encoding/json", "Encoder") || uses.Is(d, "strings", "Reader") || uses.Is(d, "bytes", "Reader"))
}

// refers reports whether a value of type t leads to memory that others may
// share. A string does not change.
func refers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Array:
		return refers(u.Elem())
	case *types.Struct:
		if uses.Is(t, "time", "Time") {
			return false
		}
		for v := range u.Fields() {
			if refers(v.Type()) {
				return true
			}
		}
		return false
	case *types.Interface:
		return t.String() != "error"
	}
	return true
}

// reason is why the slow part has to stay where it is.
func (c *check) reason(slow *part) (why string, at token.Pos) {
	if why, at := c.needs([]inspector.Cursor{slow.at}, nil); why != "" {
		return why, at
	}
	for _, stmt := range c.Stmts {
		if stmt.Contains(slow.at) {
			if why, at := c.needs([]inspector.Cursor{stmt}, nil); why != "" {
				return "its statement has to stay: " + why, at
			}
		}
	}
	return "it is between statements that need the lock", slow.at.Node().Pos()
}
