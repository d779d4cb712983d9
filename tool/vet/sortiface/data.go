package sortiface

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// data is the edit of sort.Sort(x), where x is of a slice type whose methods
// are those of a slice.
func (s *sorting) data() ([]analysis.TextEdit, *shape.Refusal) {
	info, down := s.pass.TypesInfo, false
	if len(s.call.Args) != 1 {
		return nil, shape.No(s.call, "it has no argument")
	}
	x := ast.Unparen(s.call.Args[0])
	call, _ := x.(*ast.CallExpr)
	for call != nil && len(call.Args) == 1 {
		if fn := typeutil.StaticCallee(info, call); fn == nil || fn.FullName() != "sort.Reverse" {
			break
		}
		down, x = !down, ast.Unparen(call.Args[0])
		call, _ = x.(*ast.CallExpr)
	}
	named, ok := types.Unalias(uses.Deref(info.TypeOf(x))).(*types.Named)
	if !ok {
		return nil, shape.No(x, "what it sorts has no type of its own")
	}
	xs, text := x, s.text(x)
	if call != nil && len(call.Args) == 1 && info.Types[call.Fun].IsType() {
		xs, text = call.Args[0], s.text(call.Args[0])
	}
	if o := named.Obj(); o.Pkg() != nil && o.Pkg().Path() == "sort" {
		// sort.IntSlice and its like: < of the elements.
		if u, ok := named.Underlying().(*types.Slice); ok && s.stable && floats(u.Elem()) {
			return nil, shape.No(x, nan)
		}
		return s.edit(&less{keys: []key{{}}}, xs, text, info.TypeOf(xs), down)
	}
	return s.method(named, xs, text, down)
}

// method is the edit by the methods of a type.
func (s *sorting) method(named *types.Named, xs ast.Expr, text string, down bool) ([]analysis.TextEdit, *shape.Refusal) {
	methods := map[string]*ast.FuncDecl{}
	for _, f := range s.pass.Files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || fn.Body == nil || len(fn.Recv.List[0].Names) != 1 {
				continue
			}
			if o, ok := s.pass.TypesInfo.Defs[fn.Name].(*types.Func); ok && uses.Named(o.Signature().Recv().Type()) == named {
				methods[fn.Name.Name] = fn
			}
		}
	}
	lessFn, swap, length := methods["Less"], methods["Swap"], methods["Len"]
	if lessFn == nil || swap == nil || length == nil {
		return nil, shape.No(xs, "the methods of its type are declared elsewhere, or it is generic")
	}
	s.runs = []*ast.FuncDecl{lessFn, swap, length}
	recv := func(fn *ast.FuncDecl) string { return fn.Recv.List[0].Names[0].Name }
	if !s.is(length.Body, "return len("+recv(length)+")") {
		return nil, shape.No(length, "Len is not the length of the slice")
	}
	ps := params(swap.Type)
	if len(ps) != 2 {
		return nil, shape.No(swap, "Swap has no names for its indexes")
	}
	a, b := recv(swap)+"["+ps[0].Name+"]", recv(swap)+"["+ps[1].Name+"]"
	if forth, back := a+", "+b, b+", "+a; !s.is(swap.Body, forth+" = "+back) && !s.is(swap.Body, back+" = "+forth) {
		return nil, shape.No(swap, "Swap does more than exchange two elements")
	}
	l, why := s.less(lessFn.Type, lessFn.Body, recv(lessFn))
	if why != nil {
		return nil, why
	}
	return s.edit(l, xs, text, s.pass.TypesInfo.TypeOf(xs), down)
}
