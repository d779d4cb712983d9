package hotalloc

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/guard"
	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// An object has what its fields make. The value is kept in an atomic.Pointer of it: the
// zero value of the struct stays as good as it was, and what fails or panics does so each time.
type object struct {
	*sharing
	whole  inspector.Cursor // the expression, with the Must of a template around it
	v      *types.Var       // has the object, or a pointer to it
	named  *types.Named     // its type
	fields []*types.Var
}

// object is the object that has all that an expression is made of, or nil.
func (x *sharing) object() *object {
	o := &object{sharing: x, whole: x.at}
	if x.maker == page && x.at.ParentEdgeKind() == edge.CallExpr_Args {
		o.whole = x.at.Parent() // a call of Must, or what made refuses
	}
	if x.maker == match || !o.made(o.whole.Node()) || o.v == nil {
		return nil
	}
	if o.named = uses.Named(o.v.Type()); o.named == nil || o.named.Obj().Parent() != x.pass.Pkg.Scope() || o.named.TypeParams().Len() > 0 {
		return nil
	}
	return o
}

// made reports whether an expression is of constants and fields, and calls nothing but
// what makes the same of the same.
func (o *object) made(e ast.Node) bool {
	info := o.pass.TypesInfo
	return !uses.Any(e, func(n ast.Node) bool { // that is not so
		switch n := n.(type) {
		case *ast.BasicLit, *ast.BinaryExpr, *ast.ParenExpr, *ast.CompositeLit, *ast.KeyValueExpr:
			return false
		case *ast.CallExpr:
			return !repeats(info, n)
		case *ast.SelectorExpr:
			sel := info.Selections[n]
			if sel == nil || sel.Kind() != types.FieldVal {
				_, chain := ast.Unparen(n.X).(*ast.CallExpr)
				return sel != nil && !chain
			}
			id, ok := ast.Unparen(n.X).(*ast.Ident)
			v, _ := info.Uses[id].(*types.Var)
			if ok && v != nil && !uses.Global(v) && (o.v == nil || o.v == v) {
				o.v, o.fields = v, append(o.fields, o.index.Var(n))
			} else if ok || !uses.Under[*types.Struct](info.TypeOf(n.X)) {
				return true
			}
			return len(sel.Index()) > 1
		case *ast.Ident:
			switch u := info.Uses[n].(type) {
			case *types.Var:
				return u != o.v && !u.IsField() && !(uses.Global(u) && o.table(u))
			case *types.Const, *types.TypeName:
				return u.Pkg() == o.pass.Pkg && !uses.Global(u)
			}
			return false
		}
		return true
	})
}

// repeats reports whether a call makes the same of the same arguments.
func repeats(info *types.Info, call *ast.CallExpr) bool {
	basic := func(e ast.Expr) bool { // without methods, which fmt calls
		_, ok := types.Unalias(info.TypeOf(e)).(*types.Basic)
		return ok
	}
	fn := typeutil.StaticCallee(info, call)
	switch {
	case info.Types[call.Fun].IsType():
		return uses.Basic(info.TypeOf(call)) && basic(call.Args[0])
	case fn == nil || fn.Pkg() == nil || call.Ellipsis.IsValid():
		return false
	case makers[fn.FullName()] != nil:
		return true
	}
	switch fn.Pkg().Path() {
	case "text/template", "html/template":
		return slices.Contains([]string{"New", "Must", "Funcs", "Option", "Delims"}, fn.Name())
	case "fmt", "strings", "strconv", "regexp", "path":
		return fn.Signature().Recv() == nil && basic(call) && !slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return !basic(e) })
	}
	return false
}

// edits are those by which the object keeps the value.
func (o *object) edits() ([]analysis.TextEdit, *shape.Refusal) {
	at, name := o.whole.Node(), o.v.Name()
	st, known := layout.Of(o.index, o.named)
	_, pointer := types.Unalias(o.v.Type()).(*types.Pointer)
	switch {
	case !pointer:
		return nil, shape.No(at, name+" is a copy")
	case o.comments(o.whole, at) || name == "made" || name == "err" || !rewrite.Universal(o.pass.Pkg, at.Pos(), "nil", "error"):
		return nil, shape.No(at, "a comment stands in it, or names that the edit needs mean something else")
	case !known || o.index.Left.Uses(o.named.Obj().Name()) != "":
		return nil, shape.No(at, "files of other builds use "+o.named.Obj().Name())
	}
	var why *shape.Refusal
	for _, f := range o.fields {
		why = cmp.Or(why, o.stays(f))
	}
	if why = cmp.Or(why, o.becomes(o.at), o.pointed(o.named.Obj())); why != nil {
		return nil, why
	}
	if why, pos := st.Relied(o.index, o.pass.Pkg); why != "" {
		return nil, &shape.Refusal{Why: why, Pos: pos}
	}
	return o.keep(st), nil
}

// stays refuses a field that may not have the value for long that its struct was made with.
func (o *object) stays(f *types.Var) *shape.Refusal {
	if f.Exported() || o.index.LeftOut(f) != "" {
		return &shape.Refusal{Why: "other code may change " + f.Name(), Pos: f.Pos()}
	}
	table := uses.Under[*types.Map](f.Type())
	for _, c := range o.index.Of(f) {
		whole := uses.Whole(c)
		part, _ := uses.Elements(whole)
		at, up := part.ParentEdgeKind(), part.Parent().Node()
		ok := !uses.Written(part) && at != edge.CallExpr_Fun // of a method, which may have a pointer
		switch sel, _ := part.Node().(*ast.SelectorExpr); {
		case o.index.Declares(c):
			ok = true
		case at == edge.KeyValueExpr_Key && part == c:
			_, lit := ast.Unparen(up.(*ast.KeyValueExpr).Value).(*ast.CompositeLit)
			ok = !table || lit
		case table:
			ok = part == whole && at == edge.CallExpr_Args && repeats(o.pass.TypesInfo, up.(*ast.CallExpr))
		case at == edge.AssignStmt_Lhs && part == whole && sel != nil: // where its struct is made, and is another variable's
			ok = o.index.Var(sel.X) != o.v && guard.Unshared(o.index, part)
		case uses.Under[*types.Struct](f.Type()): // whose array may be sliced
			_, slice := part.Node().(*ast.SliceExpr)
			ok = ok && !slice
		}
		if !ok {
			return shape.No(part.Node(), o.text(whole.Node())+" may change")
		}
	}
	return nil
}

// pointed refuses a struct that is used without a pointer to it: it may be copied.
func (o *object) pointed(t *types.TypeName) *shape.Refusal {
	info := o.pass.TypesInfo
	for c := range o.index.Root.Preorder((*ast.Ident)(nil), (*ast.StarExpr)(nil)) {
		id, _ := c.Node().(*ast.Ident)
		tv, up := info.Types[c.Node().(ast.Expr)], c.Parent().Node()
		u, _ := c.Parent().Parent().Node().(*ast.UnaryExpr)
		call, _ := up.(*ast.CallExpr)
		switch at := c.ParentEdgeKind(); {
		case id == nil && (!tv.IsValue() || !types.Identical(tv.Type, t.Type())), id != nil && info.Uses[id] != types.Object(t):
		case id != nil && (at == edge.StarExpr_X || at == edge.CompositeLit_Type && u != nil && u.Op == token.AND || call != nil && zero(info, call)):
		default:
			return shape.No(c.Node(), t.Name()+" may be copied")
		}
	}
	return nil
}

// keep are the edits that add the field, and a method that keeps the value in it. A method
// that does no more than make the value keeps it itself.
func (o *object) keep(st layout.Struct) []analysis.TextEdit {
	pkg, n, name := o.pass.Pkg, o.whole.Node(), o.v.Name()
	top := uses.Top(o.whole).Node()
	t := o.pass.TypesInfo.TypeOf(n.(ast.Expr))
	null, err := "", ""
	if both, two := t.(*types.Tuple); two {
		t, null, err = both.At(0).Type(), ", nil", ", err"
	}
	elem := uses.Named(t).Obj()
	field, file := o.free(o.kept), o.file(st.Under)
	of, edits := rewrite.Import(pkg, file, elem.Pkg().Path(), st.Node.Pos())
	atomic, more := rewrite.Import(pkg, file, "sync/atomic", st.Node.Pos())
	edits = append(append(edits, more...), rewrite.Insert(st.Node.Fields.Closing, fmt.Sprintf("\n%s %s.Pointer[%s.%s] // nil until it is made\n", field, atomic, of, elem.Name())))
	store := fmt.Sprintf("%s.%s.Store(made)\n", name, field)
	if err != "" {
		store = "if err == nil {\n" + store + "}\n"
	}
	body := fmt.Sprintf("if made := %s.%s.Load(); made != nil {\nreturn made%s\n}\nmade%s := %s\n%sreturn made%s", name, field, null, err, o.text(n), store, err)
	if decl, ok := top.(*ast.FuncDecl); ok && o.whole.ParentEdgeKind() == edge.ReturnStmt_Results && len(decl.Body.List) == 1 && decl.Body.List[0] == o.whole.Parent().Node() {
		sig := o.pass.TypesInfo.TypeOf(decl.Name).(*types.Signature)
		if r := sig.Results().At(0); sig.Recv() == o.v && sig.Params().Len() == 0 && r.Name() == "" && types.Identical(r.Type(), t) {
			return append(edits, rewrite.Replace(o.whole.Parent().Node(), body))
		}
	}
	of, more = rewrite.Import(pkg, o.file(o.whole), elem.Pkg().Path(), top.Pos())
	results, call := "*"+of+"."+elem.Name(), o.free(o.name(top))
	if err != "" {
		results = "(" + results + ", error)"
	}
	return append(append(edits, more...), rewrite.Replace(n, name+"."+call+"()"), rewrite.Insert(rewrite.Begin(top), fmt.Sprintf(
		"// %s makes what %s keeps, at the first time.\nfunc (%s *%s) %[1]s() %[5]s {\n%[6]s\n}\n\n", call, field, name, o.named.Obj().Name(), results, body)))
}
