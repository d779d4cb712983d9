package reflecthot

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
)

// A value is an argument or a field of it.
type value struct {
	arg  ast.Expr // the argument that it is, or is in; nil: it is zero
	expr string
	typ  types.Type
	part bool // it is in arg, not arg itself
}

// argument are the parts that an argument becomes by a verb.
func (s *site) argument(p piece, arg ast.Expr) (all []part, why string) {
	info := s.pass.TypesInfo
	e := ast.Unparen(arg)
	amp, ok := e.(*ast.UnaryExpr)
	if ok && amp.Op == token.AND {
		e = ast.Unparen(amp.X)
	}
	if !isStruct(info.TypeOf(e)) || p.verb != 'v' {
		return s.basic(p, value{arg: arg, expr: rewrite.Text(s.pass.Fset, arg), typ: info.TypeOf(arg)})
	}
	if speaks(info.TypeOf(arg)) || speaks(info.TypeOf(e)) {
		return nil, "its type has methods that fmt calls"
	}
	all, why = s.fields(p, value{arg: e, typ: info.TypeOf(e)})
	if amp != nil {
		all = add([]part{{text: "&"}}, all...)
	}
	return all, why
}

func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// basic is the part of a value that is no struct.
func (s *site) basic(p piece, v value) (all []part, why string) {
	f, why := s.form(p, v.typ)
	if why == "" && !rewrite.Universal(s.pass.Pkg, s.call.Pos(), f.builtins...) {
		why = "a predeclared name means something else here"
	}
	return []part{{arg: v.arg, expr: v.expr, form: f}}, why
}

// fields are the parts of a struct as fmt prints it: {1 x}, or by %+v {N:1 S:x}.
func (s *site) fields(p piece, v value) (all []part, why string) {
	st := v.typ.Underlying().(*types.Struct)
	elements, why := s.elements(&v, st)
	if why != "" {
		return nil, why
	}
	all = []part{{text: "{"}}
	for i := range st.NumFields() {
		f := st.Field(i)
		if f.Embedded() || f.Name() == "_" || !f.Exported() && f.Pkg() != s.pass.Pkg {
			return nil, "a field of it cannot be named"
		}
		var text string
		if i > 0 {
			text = " "
		}
		if p.plus {
			text += f.Name() + ":"
		}
		field := value{arg: v.arg, expr: v.expr + "." + f.Name(), typ: f.Type(), part: true}
		if elements != nil {
			field = value{arg: elements[i], typ: f.Type()}
		}
		if speaks(f.Type()) {
			return nil, "its field " + f.Name() + ": its type has methods that fmt calls"
		}
		more, why := s.field(p, field)
		if why != "" {
			return nil, "its field " + f.Name() + ": " + why
		}
		all = add(add(all, part{text: text}), more...)
	}
	if elements == nil && !slices.ContainsFunc(all, func(p part) bool { return p.arg != nil }) {
		return nil, "nothing of it is printed"
	}
	return add(all, part{text: "}"}), ""
}

// torn reports whether a call among es may change a struct between the uses of
// its fields, where fmt had a copy of it.
func (s *site) torn(parts []part, es ...ast.Expr) bool {
	i := slices.IndexFunc(parts, func(p part) bool { return p.arg != nil && isStruct(s.pass.TypesInfo.TypeOf(p.arg)) })
	if i < 0 || !slices.ContainsFunc(es, s.calls) {
		return false
	}
	s.refuse("typed", s.call, "a call among its arguments may change "+rewrite.Text(s.pass.Fset, parts[i].arg))
	return true
}

// field are the parts of a field.
func (s *site) field(p piece, v value) (all []part, why string) {
	switch t := v.typ.Underlying().(type) {
	case *types.Struct:
		return s.fields(p, v)
	case *types.Basic:
		if text, ok := s.known(t, v); ok {
			return []part{{text: text}}, ""
		}
	}
	if v.arg == nil {
		return nil, "it is no basic type"
	}
	if !v.part {
		if s.shifts(v.arg) {
			return nil, "the type of a shift depends on where it stands"
		}
		v.expr = rewrite.Text(s.pass.Fset, v.arg)
	}
	return s.basic(piece{verb: 'v', prec: -2}, v)
}

// known is the text of a field that is zero or constant.
func (s *site) known(t *types.Basic, v value) (text string, ok bool) {
	var c constant.Value
	if v.arg != nil && !v.part {
		c = s.pass.TypesInfo.Types[v.arg].Value
	}
	if v.arg != nil && c == nil {
		return "", false
	}
	switch info := t.Info(); {
	case info&types.IsString != 0:
		if c != nil {
			text = constant.StringVal(c)
		}
	case info&types.IsBoolean != 0:
		text = "false"
		if c != nil {
			text = c.String()
		}
	case info&types.IsInteger != 0:
		text = "0"
		if c != nil {
			text = constant.ToInt(c).ExactString()
		}
	case info&types.IsFloat != 0 && c == nil:
		text = "0"
	default:
		return "", false
	}
	return text, true
}

// elements are those of a literal, by field, nil where it has none and the field
// is zero. A struct that is no literal has none, and is named, for its fields.
func (s *site) elements(v *value, st *types.Struct) (all []ast.Expr, why string) {
	if v.part {
		return nil, ""
	}
	if v.arg == nil {
		return make([]ast.Expr, st.NumFields()), ""
	}
	v.arg = ast.Unparen(v.arg)
	lit, ok := v.arg.(*ast.CompositeLit)
	if !ok {
		if v.expr, ok = s.name(v.arg); !ok || st.NumFields() == 0 {
			return nil, "it is no variable"
		}
		return nil, ""
	}
	all = make([]ast.Expr, st.NumFields())
	last, order, sure := -1, true, true
	for i, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			key, ok := kv.Key.(*ast.Ident)
			if !ok {
				return nil, "it has keys"
			}
			for i = 0; st.Field(i).Name() != key.Name; i++ {
			}
			e = kv.Value
		}
		all[i] = e
		order, last = order && i > last, i
		sure = sure && s.sure(e)
	}
	if !order && !sure {
		return nil, "its fields are evaluated in another order"
	}
	return all, ""
}

// name is how a struct is named as often as it has fields: x.y, xs[i], (*p).
func (s *site) name(e ast.Expr) (text string, ok bool) {
	text = rewrite.Text(s.pass.Fset, e)
	switch e := e.(type) {
	case *ast.StarExpr:
		return rewrite.Text(s.pass.Fset, e.X), loop.Chain(e.X)
	case *ast.IndexExpr:
		_, isMap := s.pass.TypesInfo.TypeOf(e.X).Underlying().(*types.Map)
		return text, !isMap && loop.Chain(e.X) && s.sure(e.Index)
	}
	return text, loop.Chain(e)
}

// shifts reports whether a constant is shifted, whose type is that of what the
// result becomes.
func (s *site) shifts(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		found = found || ok && (b.Op == token.SHL || b.Op == token.SHR) && s.pass.TypesInfo.Types[b.X].Value != nil
		return !found
	})
	return found
}
