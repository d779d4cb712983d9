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
// a maker with constants. A variable of the package can have it. Where one argument of
// the maker is no constant, or it returns an error, it is the same for the same argument,
// and a table of the package can have the values.
type sharing struct {
	*search
	*maker
	at     inspector.Cursor
	call   *ast.CallExpr
	key    ast.Expr              // the argument that is no constant, or nil
	param  string                // its name outside of the function
	cuts   []analysis.TextEdit   // what its text has to be outside of the function
	asking map[types.Object]bool // those looked at now
}

// share looks at an expression that may be such a one.
func (s *search) share(c inspector.Cursor, call *ast.CallExpr) {
	fn := typeutil.StaticCallee(s.pass.TypesInfo, call)
	if fn == nil || makers[fn.FullName()] == nil || rewrite.InTest(s.pass.Fset, call) || s.once(c) {
		return
	}
	x := &sharing{search: s, maker: makers[fn.FullName()], at: c, call: call}
	f := s.finding(c, c.Node(), "")
	f.Causes = append(f.Causes, "work")
	if o := x.object(); o != nil {
		f.Message = "what " + x.text(call.Fun) + " makes here is the same for the same " + o.v.Name()
		fix := shape.Fix{Name: "once", Says: "make it once for each " + o.v.Name() + ", which keeps it", Dearer: "each of them keeps what it made"}
		edits, why := o.edits()
		if fix.Edits = edits; why == nil {
			s.add(f, fix, nil)
			return
		}
		f.Refused = append(f.Refused, shape.Refusal{Name: fix.Name, Why: why.Why, Pos: why.Pos})
	}
	fix := shape.Fix{Name: "share", Says: "make it once, in a variable of the package", Dearer: "each program that has the package makes it when it starts"}
	ok, why := x.same(fn), (*shape.Refusal)(nil)
	if ok {
		fix.Edits, why = x.edit()
	}
	if !ok || x.key != nil && why != nil { // it is kept, which is the other way to make it once
		if len(f.Refused) > 0 {
			s.found = append(s.found, f)
		}
		return
	}
	if x.key != nil {
		fix.Says, fix.Dearer = "make it once for each "+x.text(x.key)+", in a table of the package", "the package keeps up to 1000 of them"
	}
	f.Message = x.says()
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

func (x *sharing) says() string {
	made := "what " + x.text(x.call.Fun) + " makes here is the same "
	if x.key != nil {
		return made + "for the same " + x.text(x.key)
	}
	return made + "each time"
}

// same reports whether the expression is such a one.
func (x *sharing) same(fn *types.Func) bool {
	info, call := x.pass.TypesInfo, x.call
	template := &object{sharing: x}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); x.maker == page && (!ok || !template.made(sel.X) || template.v != nil) {
		return false
	}
	args := call.Args
	_, two := info.TypeOf(call).(*types.Tuple)
	if x.maker == match {
		x.cuts = append(x.cuts, rewrite.Replace(args[1], "in"))
		args = args[:1]
	}
	var values []constant.Value
	for _, e := range args {
		value := info.Types[e].Value
		text := x.text(e)
		if value != nil && x.local(e) {
			text = value.ExactString()
		}
		if value == nil || x.try == nil || two {
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

// table reports whether a variable is a map that only templates get.
func (x *sharing) table(v *types.Var) bool {
	return uses.Under[*types.Map](v.Type()) && x.index.Unseen(v) == "" && !slices.ContainsFunc(x.index.Of(v), func(use inspector.Cursor) bool {
		call, _ := use.Parent().Node().(*ast.CallExpr)
		return !x.index.Declares(use) && (use.ParentEdgeKind() != edge.CallExpr_Args || !repeats(x.pass.TypesInfo, call))
	})
}

// local reports whether a constant has a name in it that only the function knows.
func (x *sharing) local(e ast.Expr) bool {
	for n := range ast.Preorder(e) {
		id, _ := n.(*ast.Ident)
		o := x.pass.TypesInfo.Uses[id]
		if _, pkg := o.(*types.PkgName); o != nil && !pkg && o.Pkg() == x.pass.Pkg && o.Parent() != x.pass.Pkg.Scope() {
			return true
		}
	}
	return false
}

// edit are the edits by which a variable of the package has the value.
func (x *sharing) edit() ([]analysis.TextEdit, *shape.Refusal) {
	n := x.at.Node()
	if x.comments(x.at, n) {
		return nil, shape.No(n, "a comment stands in it")
	}
	if decl := uses.Decl(x.at); decl != nil && x.key == nil {
		if at := x.early(decl); at != nil {
			return nil, shape.No(at, "a variable of the package may be set by way of it, and before")
		}
	}
	if x.maker != match {
		if why := x.becomes(x.at); why != nil {
			return nil, why
		}
	}
	name, edits := x.declare()
	return append(edits, rewrite.Replace(n, name)), nil
}

// early is what sets a variable of the package and may come to a function in a way that
// the language does not see: by a method of an interface, or in another package. The
// function might then find what it uses of the package not made yet.
func (x *sharing) early(decl *ast.FuncDecl) (found ast.Node) {
	is := func(o types.Object) bool {
		fn, ok := o.(*types.Func)
		return ok && fn.Origin() == x.pass.TypesInfo.Defs[decl.Name]
	}
	comes := func(d *ast.FuncDecl) bool { return d == decl || spawn.Reaches(x.pass, d.Body, is) != nil }
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

// name is one for what is made in a declaration.
func (x *sharing) name(top ast.Node) string {
	name := "shared" + x.suffix
	if fn, ok := top.(*ast.FuncDecl); ok {
		name = rewrite.Lower(fn.Name.Name) + x.suffix
	}
	if ast.IsExported(name) {
		name = "shared" + name
	}
	return name
}

// declare is the edit that declares the variable above what the expression is in.
func (x *sharing) declare() (name string, edits []analysis.TextEdit) {
	top := uses.Top(x.at)
	name = x.free(x.name(top.Node()))
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
