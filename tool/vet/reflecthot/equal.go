package reflecthot

import (
	"fmt"
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// deepEqual is the edit of reflect.DeepEqual(x, y) of two values of one type: a
// function of the package compares what is in them. made are those that edits
// have named.
func (s *site) deepEqual(made map[string]bool) {
	info, decl := s.pass.TypesInfo, uses.Decl(s.at)
	if len(s.call.Args) != 2 || s.call.Ellipsis.IsValid() || decl == nil {
		return
	}
	t := info.TypeOf(s.call.Args[0])
	if !types.Identical(t, info.TypeOf(s.call.Args[1])) {
		s.refuse("typed", s.call, "its arguments are of two types")
		return
	}
	sig := info.Defs[decl.Name].(*types.Func).Signature()
	text, ok := rewrite.Type(s.pass.Pkg, s.file, decl.Pos(), t)
	if !ok || sig.TypeParams() != nil || sig.RecvTypeParams() != nil {
		s.refuse("typed", s.call, "the type has no name outside of the function")
		return
	}
	if !rewrite.Universal(s.pass.Pkg, s.call.Pos(), "bool", "nil") || !rewrite.Since(s.pass, s.file, "go1.21") {
		s.refuse("typed", s.call, "packages slices and maps came with Go 1.21, or a predeclared name means something else here")
		return
	}
	e := equality{site: s, decl: decl}
	test := e.equal("a", "b", t, 0)
	if e.why != "" {
		s.refuse("typed", s.call, e.why)
		return
	}
	base := "equal"
	if n := uses.Named(t); n != nil {
		base += rewrite.Title(n.Obj().Name())
	}
	name := base
	for n := 2; made[name] || rewrite.Fresh(s.pass.Pkg, decl, name) != name; n++ {
		name = base + strconv.Itoa(n)
	}
	made[name] = true
	s.typed("compare the fields themselves",
		rewrite.Insert(rewrite.Begin(decl), fmt.Sprintf("// %s reports what reflect.DeepEqual does.\nfunc %s(a, b %s) bool {\nreturn %s\n}\n\n", name, name, text, test)),
		rewrite.Replace(s.call.Fun, name))
}

// An equality writes the comparison of two values as reflect.DeepEqual makes it.
type equality struct {
	*site
	decl  ast.Node
	why   string
	parts int // compared so far
}

// mostParts is how many comparisons are written out: types lead to each other by
// more ways than can be counted, and to themselves.
const mostParts = 100

func (e *equality) refused(why string) string {
	if e.why == "" {
		e.why = why
	}
	return ""
}

// equal is the text that compares a and b. shared counts the slices and maps
// around them: where two are the same, DeepEqual does not look at what is in them.
func (e *equality) equal(a, b string, t types.Type, shared int) string {
	if e.parts++; e.why != "" || e.parts > mostParts {
		return e.refused("there is too much in it to be written out")
	}
	if plain(t, shared > 0) {
		return a + " == " + b
	}
	nils := fmt.Sprintf("(%s == nil) == (%s == nil) && ", a, b)
	switch u := t.Underlying().(type) {
	case *types.Struct:
		var fields []string
		for f := range u.Fields() {
			if f.Name() == "_" || !f.Exported() && f.Pkg() != e.pass.Pkg {
				return e.refused("a field of it cannot be named")
			}
			fields = append(fields, e.equal(a+"."+f.Name(), b+"."+f.Name(), f.Type(), shared))
		}
		return strings.Join(fields, " && ")
	case *types.Pointer:
		if _, ok := u.Elem().Underlying().(*types.Struct); !ok {
			return e.refused("it has pointers to what is no struct")
		}
		in := fmt.Sprintf("*%s == *%s", a, b)
		if !plain(u.Elem(), shared > 0) {
			in = e.equal(a, b, u.Elem(), shared)
		}
		return fmt.Sprintf("(%s == %s || %s != nil && %s != nil && %s)", a, b, a, b, in)
	case *types.Slice:
		return nils + e.each("slices", a, b, u.Elem(), shared)
	case *types.Map:
		if !plain(u.Key(), true) {
			return e.refused("a map has keys that may not equal themselves")
		}
		return nils + e.each("maps", a, b, u.Elem(), shared)
	}
	return e.refused("it has floats in a slice or map, interfaces, functions or arrays of such")
}

// each compares the elements of slices or maps.
func (e *equality) each(pkg, a, b string, elem types.Type, shared int) string {
	name := e.importAt(pkg, e.decl.Pos())
	if plain(elem, true) {
		return fmt.Sprintf("%s.Equal(%s, %s)", name, a, b)
	}
	text, ok := rewrite.Type(e.pass.Pkg, e.file, e.decl.Pos(), elem)
	if !ok {
		return e.refused("a type of it cannot be written here")
	}
	x, y := fmt.Sprintf("x%d", shared+1), fmt.Sprintf("y%d", shared+1)
	return fmt.Sprintf("%s.EqualFunc(%s, %s, func(%s, %s %s) bool { return %s })", name, a, b, x, y, text, e.equal(x, y, elem, shared+1))
}

// plain reports whether == says of two values of a type what DeepEqual does: with
// strict, also that each equals itself.
func plain(t types.Type, strict bool) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.Invalid && u.Info()&types.IsUntyped == 0 && !(strict && u.Info()&(types.IsFloat|types.IsComplex) != 0)
	case *types.Array:
		return plain(u.Elem(), strict)
	case *types.Struct:
		for f := range u.Fields() {
			if f.Name() == "_" || !plain(f.Type(), strict) {
				return false
			}
		}
		return true
	}
	return false
}
