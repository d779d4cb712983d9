package hotalloc

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A sharing is an expression of a function whose value is the same each time: one of
// a maker with constants, or a map of constants. A variable of the package can have it.
// Where one argument of the maker is no constant, it is the same for the same
// argument, and a table of the package can have the values.
type sharing struct {
	*search
	*maker
	at     inspector.Cursor
	key    ast.Expr              // the argument that is no constant, or nil
	param  string                // its name outside of the function
	cuts   []analysis.TextEdit   // what its text has to be outside of the function
	holds  string                // what nothing proves, a clause
	asking map[types.Object]bool // those looked at now
}

// share looks at an expression that may be such a one.
func (s *search) share(c inspector.Cursor) {
	x := &sharing{search: s, at: c, asking: map[types.Object]bool{}}
	if strings.HasSuffix(s.pass.Fset.Position(c.Node().Pos()).Filename, "_test.go") || !x.same() || s.once(c) {
		return
	}
	f := s.finding(c, x.at.Node(), x.says(c.Node()))
	f.Causes = append(f.Causes, "work")
	fix := shape.Fix{Name: "share", Says: "make it once, in a variable of the package"}
	if x.maker != table {
		fix.Dearer = "each program that has the package makes it when it starts"
	}
	edits, why := x.edit()
	if x.key != nil {
		if why != nil {
			return // it is kept, which is the other way to make it once
		}
		fix.Says, fix.Dearer = "make it once for each "+x.text(x.key)+", in a table of the package", "the package keeps up to 1000 of them"
	}
	fix.Edits, fix.Holds = edits, x.holds
	s.add(f, fix, why)
}

// once reports whether code runs once: outside of functions and loops, in main or init,
// or in a literal that package sync calls once.
func (s *search) once(c inspector.Cursor) bool {
	fn, ok := uses.Func(c)
	if _, in := loop.Around(s.pass.TypesInfo, c); !ok || in {
		return !ok
	}
	if decl, ok := fn.Node().(*ast.FuncDecl); ok {
		return decl.Recv == nil && (decl.Name.Name == "init" || decl.Name.Name == "main" && s.pass.Pkg.Name() == "main")
	}
	call, _ := fn.Parent().Node().(*ast.CallExpr)
	if call == nil {
		return false
	}
	o, _ := typeutil.Callee(s.pass.TypesInfo, call).(*types.Func)
	return o != nil && o.Pkg() != nil && o.Pkg().Path() == "sync" && (strings.HasPrefix(o.Name(), "Once") || o.Name() == "Do")
}

func (x *sharing) says(of ast.Node) string {
	if x.maker == table {
		return "the map that is made here is the same each time"
	}
	made := "what " + x.text(of.(*ast.CallExpr).Fun) + " makes here is the same "
	if x.key != nil {
		return made + "for the same " + x.text(x.key)
	}
	return made + "each time"
}

// same reports whether the expression is such a one.
func (x *sharing) same() bool {
	info := x.pass.TypesInfo
	if lit, ok := x.at.Node().(*ast.CompositeLit); ok {
		x.maker = table
		return uses.Under[*types.Map](info.TypeOf(lit)) && len(lit.Elts) > 0 && !slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool {
			kv := e.(*ast.KeyValueExpr)
			return info.Types[kv.Key].Value == nil || info.Types[kv.Value].Value == nil
		})
	}
	call := x.at.Node().(*ast.CallExpr)
	fn := typeutil.StaticCallee(info, call)
	if fn == nil || makers[fn.FullName()] == nil {
		return false
	}
	x.maker = makers[fn.FullName()]
	args := x.arguments(call)
	var values []constant.Value
	for _, e := range args {
		text, value := x.constant(e)
		if value == nil || x.try == nil {
			if x.key != nil || x.maker == replacer || !rewrite.Universal(x.pass.Pkg, call.Pos(), "string", "error", "nil", "bool", "false", "byte") || !types.Identical(types.Default(info.TypeOf(e)), types.Typ[types.String]) {
				return false
			}
			x.key, x.param = e, rewrite.Fresh(x.pass.Pkg, call, "key")
			text = x.param
		}
		x.cuts, values = append(x.cuts, rewrite.Replace(e, text)), append(values, value)
	}
	return len(args) > 0 && (x.key != nil || x.works(values))
}

// arguments are those that decide what a call makes. They are of a call of
// Must(New(name).Parse(text)), and of the calls of WithPadding that are part of it.
func (x *sharing) arguments(call *ast.CallExpr) []ast.Expr {
	info, args := x.pass.TypesInfo, call.Args
	switch x.maker {
	case match:
		x.cuts = append(x.cuts, rewrite.Replace(args[1], "in"))
		return args[:1]
	case page:
		parse, of := method(info, args[0])
		made, _ := of.(*ast.CallExpr)
		if parse != "Parse" || len(args) != 1 || made == nil {
			return nil
		}
		if fn := typeutil.StaticCallee(info, made); fn == nil || fn.Name() != "New" || fn.Signature().Recv() != nil {
			return nil
		}
		return append(slices.Clone(made.Args), ast.Unparen(args[0]).(*ast.CallExpr).Args...)
	case encoding:
		for {
			up := x.at.Parent().Parent()
			name, of := "", ast.Expr(nil)
			if e, ok := up.Node().(*ast.CallExpr); ok {
				name, of = method(info, e)
			}
			if of != x.at.Node() || name != "WithPadding" {
				return args
			}
			x.at, args = up, append(slices.Clone(args), up.Node().(*ast.CallExpr).Args...)
		}
	}
	return args
}

// method is the method that an expression calls, and of what.
func method(info *types.Info, e ast.Expr) (name string, of ast.Expr) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return "", nil
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if fn, is := typeutil.Callee(info, call).(*types.Func); !ok || !is || fn.Signature().Recv() == nil {
		return "", nil
	}
	return sel.Sel.Name, ast.Unparen(sel.X)
}

// constant is the value of an expression that never changes, nil of another, and its
// text outside of the function.
func (x *sharing) constant(e ast.Expr) (text string, value constant.Value) {
	info := x.pass.TypesInfo
	if v := loop.Var(info, e); v != nil && v.Parent() == x.pass.Pkg.Scope() && x.index.Unseen(v) == "" {
		for _, c := range x.index.Of(v) {
			if spec, ok := c.Parent().Node().(*ast.ValueSpec); ok && x.index.Declares(c) {
				if len(spec.Names) == len(spec.Values) {
					value = info.Types[spec.Values[c.ParentEdgeIndex()]].Value
				}
			} else if uses.Written(uses.Whole(c)) {
				return "", nil
			}
		}
		return v.Name(), value
	}
	value = info.Types[e].Value
	if value != nil && x.local(e) != nil {
		return value.ExactString(), value
	}
	return x.text(e), value
}

// local is a name in code that only the function knows, nil if there is none.
func (x *sharing) local(code ast.Node) (found ast.Node) {
	ast.Inspect(code, func(n ast.Node) bool {
		id, _ := n.(*ast.Ident)
		o := x.pass.TypesInfo.Uses[id]
		if o == nil || code.Pos() <= o.Pos() && o.Pos() < code.End() {
			return found == nil
		}
		switch o := o.(type) {
		case *types.PkgName, *types.Builtin, *types.Nil:
			return found == nil
		case *types.Var:
			if o.IsField() {
				return found == nil
			}
		case *types.Func:
			return found == nil
		}
		if o.Parent() != types.Universe && o.Pkg() == x.pass.Pkg && o.Parent() != x.pass.Pkg.Scope() {
			found = id
		}
		return found == nil
	})
	return found
}

// edit are the edits by which a variable of the package has the value.
func (x *sharing) edit() ([]analysis.TextEdit, *shape.Refusal) {
	n := x.at.Node()
	if x.comments(x.at, n) {
		return nil, shape.No(n, "a comment stands in it")
	}
	if why := x.movable(); why != nil && x.key == nil {
		return nil, why
	}
	if x.maker == match {
		name, edits := x.declare("")
		return append(edits, rewrite.Replace(n, name)), nil
	}
	st, _ := uses.Statement(x.at)
	if _, two := x.pass.TypesInfo.TypeOf(n.(ast.Expr)).(*types.Tuple); two {
		return x.compiled(n.(*ast.CallExpr))
	}
	d, ok := x.declaration(st)
	if ok = ok && d.init == n; !ok || x.key != nil {
		if why := x.follow(x.at); why != nil {
			return nil, why
		}
		name, edits := x.declare("")
		return append(edits, rewrite.Replace(n, name)), nil
	}
	if why := x.variable(d.v); why != nil {
		return nil, why
	}
	name, edits := x.declare(d.v.Name())
	if x.comments(st, st.Node()) || !types.Identical(d.v.Type(), x.pass.TypesInfo.TypeOf(d.init)) ||
		slices.ContainsFunc(x.index.Of(d.v), func(c inspector.Cursor) bool { return !x.index.Declares(c) && uses.Written(uses.Whole(c)) }) {
		return append(edits, rewrite.Replace(n, name)), nil
	}
	return append(append(edits, rewrite.Drop(x.pass.Fset, st)), x.instead(d.v, name)...), nil
}

// instead are the edits that put a name in the place of a local variable.
func (x *sharing) instead(v *types.Var, name string) (edits []analysis.TextEdit) {
	for _, c := range x.index.Of(v) {
		if !x.index.Declares(c) {
			edits = append(edits, rewrite.Replace(c.Node(), name))
		}
	}
	return edits
}

// compiled are the edits for x, err := regexp.Compile(…), whose error is nil if its
// argument is constant.
func (x *sharing) compiled(call *ast.CallExpr) ([]analysis.TextEdit, *shape.Refusal) {
	n := x.at.Node()
	st, ok := x.at.Parent().Node().(*ast.AssignStmt)
	if !ok || len(st.Lhs) != 2 || !rewrite.Universal(x.pass.Pkg, n.Pos(), "error", "nil") {
		return nil, shape.No(n, "its error is not assigned to a variable")
	}
	if why := x.assigned(st.Lhs[0]); why != nil {
		return nil, why
	}
	if x.key != nil {
		name, edits := x.declare("")
		return append(edits, rewrite.Replace(n, name)), nil
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil, shape.No(n, "its package has no name here")
	}
	x.cuts = append(x.cuts, rewrite.Insert(sel.Sel.Pos(), "Must"))
	of := ""
	if id, ok := st.Lhs[0].(*ast.Ident); ok {
		of = strings.Trim(id.Name, "_")
	}
	name, edits := x.declare(of)
	if id, ok := st.Lhs[1].(*ast.Ident); ok && id.Name == "_" {
		return append(edits, analysis.TextEdit{Pos: st.Lhs[0].End(), End: id.End()}, rewrite.Replace(n, name)), nil
	}
	return append(edits, rewrite.Replace(n, name+", error(nil)")), nil
}

// movable says why the value cannot be made before all else.
func (x *sharing) movable() *shape.Refusal {
	n := x.at.Node()
	if x.maker == table {
		if at := x.local(n); at != nil {
			return shape.No(at, x.text(at)+" is the function's own")
		}
	}
	if decl := uses.Decl(x.at); decl != nil {
		if at := x.early(decl); at != nil {
			return shape.No(at, "a variable of the package may be set by way of it, and before")
		}
	}
	return nil
}

// is reports whether an object is the function, or nil for none.
func (x *sharing) is(decl *ast.FuncDecl) func(types.Object) bool {
	return func(o types.Object) bool {
		fn, ok := o.(*types.Func)
		return ok && fn.Origin() == x.pass.TypesInfo.Defs[decl.Name]
	}
}

// early is what sets a variable of the package and may come to a function in a way that
// the language does not see: by a method of an interface, or in another package. The
// function might then find what it uses of the package not made yet.
func (x *sharing) early(decl *ast.FuncDecl) (found ast.Node) {
	comes := func(d *ast.FuncDecl) bool { return d == decl || spawn.Reaches(x.pass, d.Body, x.is(decl)) != nil }
	for _, init := range x.pass.TypesInfo.InitOrder {
		found := spawn.Reaches(x.pass, init.Rhs, func(o types.Object) bool {
			fn, ok := o.(*types.Func)
			if !ok {
				return false
			}
			if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
				return slices.ContainsFunc(spawn.Callees(x.pass, fn), comes)
			}
			return fn.Pkg() != x.pass.Pkg && asks(fn.Signature()) && x.called(comes)
		})
		if found != nil {
			return found
		}
	}
	return nil
}

// asks reports whether a function may call methods of what it is handed.
func asks(sig *types.Signature) bool {
	for p := range sig.Params().Variables() {
		for t := range uses.LeadsTo(p.Type(), 3) {
			if types.IsInterface(t) {
				return true
			}
		}
	}
	return false
}

// called reports whether one of the package's methods that others can call is so.
func (x *sharing) called(is func(*ast.FuncDecl) bool) bool {
	for c := range x.index.Root.Preorder((*ast.FuncDecl)(nil)) {
		if d := c.Node().(*ast.FuncDecl); d.Recv != nil && d.Body != nil && d.Name.IsExported() && is(d) {
			return true
		}
	}
	return false
}

// declare is the edit that declares the variable above what the expression is in.
func (x *sharing) declare(of string) (name string, edits []analysis.TextEdit) {
	top := x.at
	for top.ParentEdgeKind() != edge.File_Decls {
		top = top.Parent()
	}
	if fn, ok := top.Node().(*ast.FuncDecl); ok && (of == "" || len(of) <= 2 || strings.EqualFold(of, x.suffix)) {
		of = fn.Name.Name
	}
	name = lower(cmp.Or(of, "shared")) + x.suffix
	if ast.IsExported(name) {
		name = "shared" + name
	}
	name = x.free(name)
	n := x.at.Node()
	tf := x.pass.Fset.File(n.Pos())
	src, err := x.pass.ReadFile(tf.Name())
	if err != nil {
		panic(err) // it was parsed
	}
	text, last := "", n.Pos()
	cut := func(from, to token.Pos) string { return string(src[tf.Offset(from):tf.Offset(to)]) }
	slices.SortFunc(x.cuts, func(a, b analysis.TextEdit) int { return cmp.Compare(a.Pos, b.Pos) })
	for _, e := range x.cuts {
		text += cut(last, e.Pos) + string(e.NewText)
		last = max(e.Pos, e.End)
	}
	text += cut(last, n.End())
	if x.key != nil {
		return x.keyed(rewrite.Begin(top.Node()), name, text)
	}
	return name, []analysis.TextEdit{rewrite.Insert(rewrite.Begin(top.Node()), "// "+name+" is made once, and nothing changes it.\nvar "+name+" = "+text+"\n\n")}
}
