package serialform

import (
	"go/ast"
	"go/parser"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A form is a function with its serial form.
type form struct {
	pass   *analysis.Pass
	p, s   *types.Func
	decl   *ast.FuncDecl // of p
	named  string        // what stands before the arguments of a call of the serial form
	call   string        // of the serial form, in the function
	taken  []*types.Var  // parameters that it takes
	unused []string      // parameters that it does not take
	alike  int           // the more, the likelier it is meant
}

// name is the serial form as a comment names it.
func (x *form) name() string {
	if r := x.s.Signature().Recv(); r != nil {
		return uses.Named(r.Type()).Obj().Name() + "." + x.s.Name()
	}
	return x.s.Name()
}

// match returns s as the serial form of p, nil if it is not. Whether the call compiles is
// for [form.compiles].
func match(pass *analysis.Pass, p, s *types.Func, decl *ast.FuncDecl) *form {
	sig := s.Signature()
	if sig.Params().Len() > p.Signature().Params().Len() || sig.Results().Len() != p.Signature().Results().Len() {
		return nil
	}
	x := &form{pass: pass, p: p, s: s, decl: decl, alike: alike(p.Name(), s.Name())}
	callee, of := x.callee()
	if callee == "" || x.alike == 0 && !(serial(s.Name()) && same(sig.Params(), p.Signature().Params())) {
		return nil
	}
	if sig.TypeParams() != nil || sig.RecvTypeParams() != nil {
		if sig, _ = x.typeOf(callee + of).(*types.Signature); sig == nil || sig.TypeParams() != nil {
			return nil
		}
	}
	if !types.Identical(p.Signature().Results(), sig.Results()) {
		return nil
	}
	var args []string
	for want := range sig.Params().Variables() {
		v := parameter(p.Signature().Params(), want, x.taken)
		if v == nil {
			return nil
		}
		x.taken = append(x.taken, v)
		args = append(args, v.Name())
	}
	for v := range p.Signature().Params().Variables() {
		if slices.Contains(x.taken, v) {
			x.alike++
			continue
		}
		if !integer(v.Type()) {
			return nil
		}
		if v.Name() != "" && v.Name() != "_" {
			x.unused = append(x.unused, v.Name())
		}
	}
	x.named = callee
	x.call = x.with(args)
	return x
}

// with is a call of the serial form with arguments.
func (x *form) with(args []string) string {
	text := strings.Join(args, ", ")
	if x.s.Signature().Variadic() {
		text += "..."
	}
	return x.named + "(" + text + ")"
}

// compiles reports whether the call does, where the function begins: a name may be
// another's there, or it cannot tell type arguments.
func (x *form) compiles() bool { return x.typeOf(x.call) != nil }

// callee is what stands before the arguments in a call of the serial form, and the type
// arguments of that, both "" if the function cannot call it.
func (x *form) callee() (text, of string) {
	pr, sr := x.p.Signature().Recv(), x.s.Signature().Recv()
	switch {
	case pr == nil && sr == nil:
		if x.s.Signature().TypeParams() != nil {
			var names []string
			for t := range x.p.Signature().TypeParams().TypeParams() {
				names = append(names, t.Obj().Name())
			}
			of = "[" + strings.Join(names, ", ") + "]"
		}
		return x.s.Name(), of
	case pr == nil || sr == nil:
	case uses.Named(pr.Type()) == uses.Named(sr.Type()):
		return pr.Name() + "." + x.s.Name(), ""
	case x.p.Name() == x.s.Name():
		if st, ok := sr.Type().Underlying().(*types.Struct); ok && st.NumFields() == 0 {
			return uses.Named(sr.Type()).Obj().Name() + "{}." + x.s.Name(), ""
		}
	}
	return "", ""
}

// typeOf is the type of an expression at the start of the function, nil if it is wrong
// there or does not name the serial form.
func (x *form) typeOf(text string) types.Type {
	e, err := parser.ParseExpr(text)
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	if err != nil || types.CheckExpr(x.pass.Fset, x.pass.Pkg, x.decl.Body.Lbrace+1, e, info) != nil {
		return nil
	}
	for _, o := range info.Uses {
		if fn, ok := o.(*types.Func); ok && fn.Origin() == x.s {
			return info.Types[e].Type
		}
	}
	return nil
}

func integer(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// parameter returns the one of those that are not taken that is meant: of the same type
// and name, or the only one of the type. The n of many is not the i of one.
func parameter(of *types.Tuple, want *types.Var, taken []*types.Var) (only *types.Var) {
	n := 0
	for v := range of.Variables() {
		if slices.Contains(taken, v) || v.Name() == "" || v.Name() == "_" || !types.Identical(v.Type(), want.Type()) {
			continue
		}
		if v.Name() == want.Name() {
			return v
		}
		only = v
		n++
	}
	if n != 1 || uses.Basic(want.Type()) {
		return nil
	}
	return only
}

// alike is how much the name of a serial form is like that of a function: by the words
// that they share, the first above all, and those of its own. 0: they share none.
func alike(name, serial string) (n int) {
	own := 0
	of := split(name)
	for i, w := range split(serial) {
		switch j := slices.Index(of, w); {
		case i == 0 && j == 0:
			n += 5
		case j >= 0:
			n += 2
		default:
			own++
		}
	}
	if n == 0 {
		return 0
	}
	return max(n-own, 1)
}

// serial reports whether a name says that things are done one after the other, and no more.
func serial(name string) bool {
	return !slices.ContainsFunc(split(name), func(w string) bool {
		switch w {
		case "serial", "serially", "sequential", "sequentially", "seq", "single", "naive", "plain", "loop", "inline", "direct", "simple", "synchronous", "basic", "in", "order", "inorder", "one", "by":
			return false
		}
		return true
	})
}

// same reports whether parameters have the same names and types.
func same(a, b *types.Tuple) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		if a.At(i).Name() != b.At(i).Name() || !types.Identical(a.At(i).Type(), b.At(i).Type()) {
			return false
		}
	}
	return a.Len() > 0
}

// split are the words of a name, in lower case.
func split(name string) (all []string) {
	start := 0
	word := func(end int) {
		if w := strings.Trim(name[start:end], "_"); w != "" {
			all = append(all, strings.ToLower(w))
		}
		start = end
	}
	for i, r := range name {
		if r == '_' || unicode.IsUpper(r) {
			word(i)
		}
	}
	word(len(name))
	return all
}
