package reflecthot

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A piece of a format is a text, or a verb with its argument.
type piece struct {
	text string
	verb byte // 0: a text
	prec int  // of a float, -2 if it has none
	plus bool // %+v: the fields of a struct with their names
}

// pieces reads a format whose verbs have neither flags nor widths, but for %+v.
func pieces(format string) (all []piece, ok bool) {
	text := ""
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			text += format[i : i+1]
			continue
		}
		p := piece{prec: -2}
		rest := format[i+1:]
		if after, ok := strings.CutPrefix(rest, "."); ok {
			rest = strings.TrimLeft(after, "0123456789")
			n, err := strconv.Atoi(after[:len(after)-len(rest)])
			if err != nil || n > 99 {
				return nil, false
			}
			p.prec = n
		}
		if strings.HasPrefix(rest, "+v") {
			p.plus, rest = true, rest[1:]
		}
		if rest == "" {
			return nil, false
		}
		i, p.verb = len(format)-len(rest), rest[0]
		if verbs := "dsvtqxc%feg"; !strings.Contains(verbs, rest[:1]) || p.prec >= 0 && !strings.Contains("feg", rest[:1]) {
			return nil, false
		}
		if p.verb == '%' {
			text += "%"
			continue
		}
		if text != "" {
			all = append(all, piece{text: text})
		}
		all, text = append(all, p), ""
	}
	if text != "" {
		all = append(all, piece{text: text})
	}
	return all, true
}

// A part is a text, or a value and how it becomes text.
type part struct {
	arg ast.Expr // nil: a text
	str string   // an expression for the string
	by  string   // the function that appends it to a buffer,
	and string   // and what that takes besides
}

// text is the part of a text.
func text(s string) part {
	s = strconv.Quote(s)
	return part{str: s, by: "append", and: s + "..."}
}

// value are the parts that an argument becomes by a verb, and why there are none.
func (s *site) value(p piece, arg ast.Expr) (all []part, why string) {
	info, e, begin := s.pass.TypesInfo, ast.Unparen(arg), "{"
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e, begin = ast.Unparen(u.X), "&{"
	}
	if st, ok := info.TypeOf(e).Underlying().(*types.Struct); ok && p.verb == 'v' {
		if speaks(info.TypeOf(arg)) || speaks(info.TypeOf(e)) {
			return nil, "its type has methods that fmt calls"
		}
		return s.fields(p, e, begin, st)
	}
	f, why := s.part(p, arg, rewrite.Text(s.pass.Fset, arg), info.TypeOf(arg))
	return []part{f}, why
}

// fields are the parts of a struct as fmt prints it: {1 x}, or by %+v {N:1 S:x}.
func (s *site) fields(p piece, of ast.Expr, begin string, st *types.Struct) (all []part, why string) {
	lit, ok := of.(*ast.CompositeLit)
	if st.NumFields() == 0 || ok && len(lit.Elts) != st.NumFields() || !ok && (!loop.Chain(of) || slices.ContainsFunc(s.call.Args, s.calls)) {
		return nil, "it is neither written here nor a variable that stays"
	}
	for i := range st.NumFields() {
		f := st.Field(i)
		if f.Embedded() || f.Name() == "_" || !f.Exported() && f.Pkg() != s.pass.Pkg {
			return nil, "a field of it cannot be named"
		}
		arg, x := of, rewrite.Text(s.pass.Fset, of)+"."+f.Name()
		if lit != nil {
			if arg, x = lit.Elts[i], rewrite.Text(s.pass.Fset, lit.Elts[i]); !s.sure(arg) {
				return nil, "its fields are more than variables"
			}
		}
		v, why := s.part(piece{verb: 'v', prec: -2}, arg, x, f.Type())
		if why != "" {
			return nil, "its field " + f.Name() + ": " + why
		}
		if p.plus {
			begin += f.Name() + ":"
		}
		all, begin = append(all, text(begin), v), " "
	}
	return append(all, text("}")), ""
}

// speaks reports whether fmt lets values of a type say what they are.
func speaks(t types.Type) bool {
	methods := types.NewMethodSet(t)
	return slices.ContainsFunc([]string{"Format", "Error", "String"}, func(name string) bool { return methods.Lookup(nil, name) != nil })
}

// part is that of a value, which is an argument or in it, and why there is none.
func (s *site) part(p piece, arg ast.Expr, x string, t types.Type) (f part, why string) {
	t = types.Unalias(t)
	if _, ok := t.(*types.TypeParam); ok {
		return f, "it is of a type parameter"
	}
	if speaks(t) {
		return f, "its type has methods that fmt calls"
	}
	as := func(name string) string {
		if types.Identical(t, types.Universe.Lookup(name).Type()) {
			return x
		}
		if !rewrite.Universal(s.pass.Pkg, s.call.Pos(), name) {
			why = "a predeclared name means something else here"
		}
		return name + "(" + x + ")"
	}
	f.arg = arg
	format := func(fn, args string) {
		pkg := s.importAt("strconv", s.call.Pos())
		f.str, f.by, f.and = pkg+".Format"+fn+"("+args+")", pkg+".Append"+fn, args
	}
	u, slice := t.Underlying().(*types.Slice)
	b, ok := t.Underlying().(*types.Basic)
	switch {
	case slice && types.Identical(u.Elem(), types.Typ[types.Byte]) && p.verb == 's':
		f.str, f.by, f.and = as("string"), "append", x+"..."
		return f, why
	case slice && types.Identical(u.Elem(), types.Typ[types.Byte]) && p.verb == 'x':
		f.str = s.importAt("encoding/hex", s.call.Pos()) + ".EncodeToString(" + x + ")"
		f.by, f.and = "append", f.str+"..."
		return f, why
	case !ok:
		return f, "it is no basic type"
	}
	base := map[byte]string{'d': ", 10", 'v': ", 10", 'x': ", 16"}[p.verb]
	switch info := b.Info(); {
	case info&types.IsUntyped != 0:
		why = "it has no type"
	case p.verb == 'c' && (b.Kind() == types.Int32 || b.Kind() == types.Uint8):
		f.str, f.by = "string("+as("rune")+")", "append"
		f.and = f.str + "..."
	case info&types.IsUnsigned != 0 && base != "":
		format("Uint", as("uint64")+base)
	case info&types.IsInteger != 0 && base != "":
		format("Int", as("int64")+base)
		if b.Kind() == types.Int && p.verb != 'x' {
			f.str = strings.TrimSuffix(f.by, "AppendInt") + "Itoa(" + as("int") + ")"
		}
	case info&types.IsFloat != 0 && strings.IndexByte("vgef", p.verb) >= 0:
		verb, prec, bits := p.verb, p.prec, 64
		if verb == 'v' {
			verb = 'g'
		}
		if prec == -2 {
			prec = map[byte]int{'g': -1, 'e': 6, 'f': 6}[verb]
		}
		if b.Kind() == types.Float32 {
			bits = 32
		}
		format("Float", fmt.Sprintf("%s, %q, %d, %d", as("float64"), verb, prec, bits))
	case info&types.IsBoolean != 0 && (p.verb == 't' || p.verb == 'v'):
		format("Bool", as("bool"))
	case info&types.IsString != 0 && (p.verb == 's' || p.verb == 'v'):
		f.str, f.by, f.and = as("string"), "append", x+"..."
	case info&types.IsString != 0 && p.verb == 'q':
		pkg := s.importAt("strconv", s.call.Pos())
		f.str, f.by, f.and = pkg+".Quote("+as("string")+")", pkg+".AppendQuote", as("string")
	default:
		why = "fmt treats it in a way of its own with %" + string(rune(p.verb))
	}
	return f, why
}

// apart reports whether the parts can be written one after the other: no
// argument is evaluated, or read, after an earlier part has been written.
func (s *site) apart(parts []part) bool {
	for _, p := range parts {
		if p.arg == nil || len(parts) == 1 {
			continue
		}
		if _, ok := s.pass.TypesInfo.TypeOf(p.arg).Underlying().(*types.Slice); ok || s.calls(p.arg) {
			s.refuse("typed", p.arg, "what is written may have to do with "+rewrite.Text(s.pass.Fset, p.arg))
			return false
		}
	}
	return true
}

// calls reports whether evaluating e calls anything.
func (s *site) calls(e ast.Expr) bool {
	return inline.Calls(e, s.pass.TypesInfo) || inline.Receives(e)
}

// early is an argument that strconv reads before a call in a later one may change
// it, nil if there is none. fmt reads it after that.
func (s *site) early(args []ast.Expr) ast.Expr {
	info := s.pass.TypesInfo
	for i, a := range args {
		call, ok := ast.Unparen(a).(*ast.CallExpr)
		result := ok && !info.Types[call.Fun].IsType() && !info.Types[call.Fun].IsBuiltin() && uses.Basic(info.TypeOf(a))
		if info.Types[a].Value == nil && !result && slices.ContainsFunc(args[i+1:], s.acts) {
			return a
		}
	}
	return nil
}

// acts reports whether evaluating e may change anything.
func (s *site) acts(e ast.Expr) (found bool) {
	info := s.pass.TypesInfo
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = found || !info.Types[n.Fun].IsType() && !info.Types[n.Fun].IsBuiltin() && flow.Of(s.pass).Pure(n) != ""
		case *ast.FuncLit:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// sure reports whether evaluating e cannot panic. It knows variables, fields
// of values, and arithmetic without division.
func (s *site) sure(e ast.Expr) bool {
	info, ok := s.pass.TypesInfo, true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.Ident, *ast.BasicLit, *ast.ParenExpr:
		case *ast.SelectorExpr:
			sel := info.Selections[n]
			ok = ok && (sel == nil || sel.Kind() == types.FieldVal && !sel.Indirect())
		case *ast.BinaryExpr:
			safe := n.Op != token.QUO && n.Op != token.REM && n.Op != token.SHL && n.Op != token.SHR
			ok = ok && safe && uses.Basic(info.TypeOf(n.X)) && uses.Basic(info.TypeOf(n.Y))
		case *ast.CallExpr:
			ok = ok && (loop.Builtin(info, n) == "len" || info.Types[n.Fun].IsType() && uses.Basic(info.TypeOf(n)))
		default:
			ok = false
		}
		return ok
	})
	return ok
}
