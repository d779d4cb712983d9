package chanperitem

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// ahead says why the senders of a stream must not get further ahead than they
// do: a hand-over is also the moment up to which memory is the other side's.
func (r *reader) ahead(s *stream) reason {
	name := s.v.Name()
	if len(s.handed) > 0 && !plain(r.info.TypeOf(s.elem)) {
		return reason{"who sends on " + name + " may write again to what an item leads to, before it is received", s.handed[0].node}
	}
	for _, e := range s.sends {
		if send := e.node.(*ast.SendStmt); !r.fresh(send.Value, e) && !r.quiet(e) {
			return reason{"who sends on " + name + " may write again to what an item leads to, before it is received", send}
		}
	}
	written := map[types.Object]ast.Node{}
	elements := map[types.Object]ast.Node{}
	for _, e := range s.ranges {
		r.writes(e.node.(*ast.RangeStmt).Body, written, elements)
	}
	for _, e := range s.receives {
		if loop := e.loop(); loop != nil {
			r.writes(loop, written, elements)
		}
	}
	for _, e := range s.sends {
		loop := e.repeated()
		if e.in != nil {
			loop = e.in.decl
		}
		if loop == nil {
			continue
		}
		if o, at := r.reads(e, loop, written, elements); at != nil {
			return reason{"who receives from " + name + " writes to " + o.Name() + ", which who sends reads", at}
		}
	}
	return reason{}
}

// onward says why a loop must not run further ahead of who may stop receiving:
// what it computes for nobody may fail.
func (r *reader) onward(s *stream) reason {
	left := r.left(s)
	if !left && len(s.receives) == 0 {
		return reason{}
	}
	for _, e := range s.sends {
		loop := around(e)
		if f, ok := loop.(*ast.ForStmt); loop == nil || !left && (!ok || f.Cond != nil) {
			continue // its items are counted, and may all be received
		}
		send := e.stmt
		if o, offers := r.offer(e); offers {
			send = o.sel
		} else if e.chosen() {
			continue // it receives as well, which bounds it
		}
		if w := r.vain(e, send); w.why != "" {
			return w
		}
	}
	return reason{}
}

// left reports whether a loop over a stream may end before its items do.
func (r *reader) left(s *stream) bool {
	return slices.ContainsFunc(s.ranges, func(e end) bool {
		return slices.ContainsFunc(rewrite.Leaves(r.info, e.node.(*ast.RangeStmt).Body, false), func(l rewrite.Leave) bool {
			return l.How != "continue" && l.How != "panic"
		})
	})
}

// plain reports whether values of a type lead to no memory that can be written.
// An error counts as one of them.
func plain(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		return terms(p.Constraint())
	}
	if types.Identical(t, types.Universe.Lookup("error").Type()) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Array:
		return plain(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if !plain(f.Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// terms reports whether a constraint allows plain types alone.
func terms(t types.Type) bool {
	switch t := t.(type) {
	case *types.Union:
		for x := range t.Terms() {
			if !terms(x.Type()) {
				return false
			}
		}
		return t.Len() > 0
	}
	c, ok := t.Underlying().(*types.Interface)
	if !ok {
		return plain(t)
	}
	for x := range c.EmbeddedTypes() {
		if terms(x) {
			return true // the others only take away from it
		}
	}
	return false
}

// fresh reports whether a value that an end sends leads to no memory but what
// its iteration has made.
func (r *reader) fresh(v ast.Expr, e end) bool {
	if plain(r.info.TypeOf(v)) || r.info.Types[v].IsNil() {
		return true
	}
	all := func(list []ast.Expr) bool {
		for _, x := range list {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			if !r.fresh(x, e) {
				return false
			}
		}
		return true
	}
	switch x := ast.Unparen(v).(type) {
	case *ast.CompositeLit:
		return all(x.Elts)
	case *ast.UnaryExpr:
		lit, ok := ast.Unparen(x.X).(*ast.CompositeLit)
		return x.Op == token.AND && ok && all(lit.Elts)
	case *ast.CallExpr:
		if r.info.Types[x.Fun].IsType() {
			return r.fresh(x.Args[0], e) && !types.IsInterface(r.info.TypeOf(x))
		}
		switch b, _ := inline.Object(r.info, x.Fun).(*types.Builtin); {
		case b == nil:
			return flow.Of(r.pass).Apart(x)
		case b.Name() == "make", b.Name() == "new" && r.info.Types[x.Args[0]].IsType():
			return true
		case b.Name() == "append":
			if x.Ellipsis.IsValid() {
				return r.fresh(x.Args[0], e) && plain(r.info.TypeOf(x).Underlying().(*types.Slice).Elem())
			}
			return all(x.Args)
		}
	case *ast.Ident:
		o, ok := r.info.Uses[x].(*types.Var)
		return ok && r.own(o, e)
	}
	return false
}

// own reports whether a variable is declared in the iteration that sends it, and
// holds what that has made and keeps for nobody else.
func (r *reader) own(v *types.Var, e end) bool {
	var body *ast.BlockStmt
	switch l := e.loop().(type) {
	case *ast.ForStmt:
		body = l.Body
	case *ast.RangeStmt:
		body = l.Body
	}
	if body == nil || v.Pos() < body.Pos() || body.End() <= v.Pos() {
		return false
	}
	ok, declared := true, false
	var stack []ast.Node
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if id, is := n.(*ast.Ident); is && r.info.ObjectOf(id) == v {
			good, def := r.kept(id, stack, v, e)
			ok, declared = ok && good, declared || def
		}
		stack = append(stack, n)
		return true
	})
	return ok && declared
}

// kept reports whether a use of a variable leaves what it holds to it, and
// whether it is its declaration.
func (r *reader) kept(id *ast.Ident, stack []ast.Node, v *types.Var, e end) (ok, declares bool) {
	for _, n := range stack {
		if _, lit := n.(*ast.FuncLit); lit {
			return false, false
		}
	}
	if spawn.Within(e.node, id) {
		return true, false
	}
	if id.Pos() > e.node.End() {
		return false, false
	}
	// The whole operand: v.a[i] of v.
	var x ast.Expr = id
	i := len(stack) - 1
	for ; i >= 0; i-- {
		if sel, is := stack[i].(*ast.SelectorExpr); is && sel.X == x && r.info.Selections[sel].Kind() == types.FieldVal {
			x = sel
		} else if ix, is := stack[i].(*ast.IndexExpr); is && ix.X == x {
			x = ix
		} else {
			break
		}
	}
	switch p := stack[i].(type) {
	case *ast.ValueSpec:
		for _, value := range p.Values {
			if !r.fresh(value, e) {
				return false, false
			}
		}
		return true, true
	case *ast.AssignStmt:
		for j, l := range p.Lhs {
			if l == x {
				return len(p.Lhs) == len(p.Rhs) && (r.grows(p.Rhs[j], v, e) || r.fresh(p.Rhs[j], e)), p.Tok == token.DEFINE
			}
		}
	case *ast.CallExpr:
		if b, is := inline.Object(r.info, p.Fun).(*types.Builtin); is {
			switch b.Name() {
			case "len", "cap", "copy", "clear":
				return b.Name() != "copy" || plain(r.info.TypeOf(p.Args[0]).Underlying().(*types.Slice).Elem()), false
			case "append":
				a, is := stack[i-1].(*ast.AssignStmt)
				return is && len(a.Lhs) == 1 && inline.Object(r.info, a.Lhs[0]) == types.Object(v) && r.grows(p, v, e), false
			}
		}
	case *ast.RangeStmt:
		return p.X == x && (p.Value == nil || plain(r.info.TypeOf(p.Value))), false
	}
	return plain(r.info.TypeOf(x)), false
}

// grows reports whether a value is append(v, x) with plain or fresh operands.
func (r *reader) grows(value ast.Expr, v *types.Var, e end) bool {
	c, ok := ast.Unparen(value).(*ast.CallExpr)
	if !ok || len(c.Args) == 0 || inline.Object(r.info, c.Args[0]) != types.Object(v) {
		return false
	}
	if b, ok := inline.Object(r.info, c.Fun).(*types.Builtin); !ok || b.Name() != "append" {
		return false
	}
	if _, name := c.Args[0].(*ast.Ident); !name {
		return false
	}
	t, ok := r.info.TypeOf(c).Underlying().(*types.Slice)
	if !ok || c.Ellipsis.IsValid() {
		return ok && plain(t.Elem())
	}
	for _, a := range c.Args[1:] {
		if !r.fresh(a, e) {
			return false
		}
	}
	return true
}

// quiet reports whether the loop that sends writes to nothing but its variables,
// and calls nobody who could.
func (r *reader) quiet(e end) bool {
	st := around(e)
	if st == nil || e.in != nil && (e.fn != ast.Node(e.in.decl) || len(e.in.own) > 0) {
		return false
	}
	ok := true
	local := func(x ast.Expr) {
		_, name := ast.Unparen(x).(*ast.Ident)
		ok = ok && name
	}
	ast.Inspect(st, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				local(l)
			}
		case *ast.IncDecStmt:
			local(n.X)
		case *ast.UnaryExpr:
			// The address of a variable that the loop keeps leads to memory that
			// it writes by its name.
			ok = ok && n.Op != token.AND
		case *ast.CallExpr:
			if r.info.Types[n.Fun].IsType() {
				return true
			}
			b, builtin := inline.Object(r.info, n.Fun).(*types.Builtin)
			ok = ok && builtin && b.Name() != "append" && b.Name() != "copy" && b.Name() != "clear" && b.Name() != "delete"
		case *ast.SliceExpr:
			// Nor that of an array.
			_, array := r.info.TypeOf(n.X).Underlying().(*types.Array)
			ok = ok && !array
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				local(n.Key)
				if n.Value != nil {
					local(n.Value)
				}
			}
			if _, calls := r.info.TypeOf(n.X).Underlying().(*types.Signature); calls {
				ok = false
			}
		}
		return ok
	})
	return ok
}

// writes enters the variables that code of the receiver writes to, and those of
// which it writes elements or fields.
func (r *reader) writes(code ast.Node, whole, parts map[types.Object]ast.Node) {
	to := func(e ast.Expr) {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			if o := r.info.Uses[x]; o != nil {
				whole[o] = x
			}
		default:
			for _, o := range r.roots(inline.Root(r.info, e)) {
				parts[o] = e
			}
		}
	}
	ast.Inspect(code, func(n ast.Node) bool {
		for _, e := range rewrite.Assigned(n) {
			to(e)
		}
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				to(n.X)
			}
		case *ast.CallExpr:
			b, ok := inline.Object(r.info, n.Fun).(*types.Builtin)
			if ok && (b.Name() == "copy" || b.Name() == "clear" || b.Name() == "delete") {
				for _, o := range r.roots(inline.Root(r.info, n.Args[0])) {
					parts[o] = n
				}
			}
		}
		return true
	})
}

// reads returns a variable of the written ones that a loop of a sender reads.
// How long a slice is, is no part of what its elements are.
func (r *reader) reads(e end, loop ast.Node, whole, parts map[types.Object]ast.Node) (o types.Object, at ast.Node) {
	length := map[ast.Node]bool{}
	ast.Inspect(loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if n.Value == nil {
				length[n.X] = true
			}
		case *ast.CallExpr:
			if b, ok := inline.Object(r.info, n.Fun).(*types.Builtin); ok && (b.Name() == "len" || b.Name() == "cap") {
				length[n.Args[0]] = true
			}
		case *ast.Ident:
			v, ok := r.info.Uses[n].(*types.Var)
			if !ok || at != nil {
				return at == nil
			}
			for _, v := range r.roots(v) {
				if w := whole[v]; w != nil && !spawn.Within(loop, w) || parts[v] != nil && !spawn.Within(loop, parts[v]) && !length[n] {
					o, at = v, n
				}
			}
		}
		return at == nil
	})
	return o, at
}

// looks returns what of the world beside its streams the code waits for or looks
// at, itself or in a function of the package that it calls: locks, atomic words,
// other goroutines.
func (r *reader) looks(code ast.Node) ast.Node {
	return spawn.Reaches(r.pass, code, func(o types.Object) bool {
		fn, ok := o.(*types.Func)
		if !ok || fn.Pkg() == nil {
			return false
		}
		switch fn.Pkg().Path() {
		case "sync":
			switch fn.Name() {
			case "Unlock", "RUnlock", "Done", "Add", "Go", "Put", "Get":
				return false
			}
			return true
		case "sync/atomic":
			return true
		case "runtime":
			return fn.Name() == "Gosched"
		case "time":
			return fn.Name() == "Sleep"
		}
		return false
	})
}

// waits returns what calls a function of the package that receives or waits,
// itself or in what it calls.
func (r *reader) waits(code ast.Node) (at ast.Node) {
	ast.Inspect(code, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || at != nil {
			return at == nil
		}
		if fn := typeutil.StaticCallee(r.info, c); fn == nil || r.decls[fn.Origin()] == nil {
			return true
		}
		for _, e := range flow.Of(r.pass).Call(c) {
			if e.Kind == flow.Receive || e.Kind == flow.Wait && e.Name != "time.Sleep" {
				at = c
			}
		}
		return at == nil
	})
	return at
}
