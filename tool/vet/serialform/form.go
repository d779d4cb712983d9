package serialform

import (
	"fmt"
	"go/types"
	"strings"
	"unicode"
)

// A form is a function with its serial form.
type form struct {
	p, s   function
	call   string   // of the serial form, in the function
	unused []string // parameters that it does not take
	alike  int      // the more, the likelier it is meant
}

// name is the serial form as a comment names it.
func (x *form) name() string {
	if r := x.s.Signature().Recv(); r != nil {
		return named(r.Type()).Obj().Name() + "." + x.s.Name()
	}
	return x.s.Name()
}

func named(t types.Type) *types.Named {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, _ := types.Unalias(t).(*types.Named)
	return n
}

// match returns s as the serial form of p, nil if it is not.
func match(pkg *types.Package, p, s function) *form {
	x := &form{p: p, s: s}
	ps, ss := p.Signature(), asIn(s.Func, p.Func)
	if ss == nil || !types.Identical(ps.Results(), ss.Results()) || ps.Variadic() != ss.Variadic() {
		return nil
	}
	on, ok := x.receiver()
	if !ok {
		return nil
	}
	if x.alike = words(p.Name(), s.Name()); x.alike == 0 {
		return nil
	}
	taken := map[*types.Var]bool{}
	var args []string
	for want := range ss.Params().Variables() {
		v := parameter(ps.Params(), want, taken)
		if v == nil {
			return nil
		}
		taken[v] = true
		args = append(args, v.Name())
	}
	if ss.Variadic() {
		if last := ps.Params().At(ps.Params().Len() - 1); args[len(args)-1] != last.Name() {
			return nil
		}
		args[len(args)-1] += "..."
	}
	for v := range ps.Params().Variables() {
		if taken[v] {
			x.alike++
			continue
		}
		b, ok := v.Type().(*types.Basic)
		if !ok || b.Info()&types.IsInteger == 0 {
			return nil
		}
		if v.Name() != "" && v.Name() != "_" {
			x.unused = append(x.unused, v.Name())
		}
	}
	x.call = fmt.Sprintf("%s%s(%s)", on, s.Name(), strings.Join(args, ", "))
	// A name of the package may mean something else within the function.
	if on == "" && pkg.Scope().Lookup(s.Name()) == nil || shadowed(ps, s.Name()) && on == "" {
		return nil
	}
	return x
}

// asIn is the signature of s with the type parameters of p, as a call in p has it; nil
// where that names types that it cannot tell.
func asIn(s, p *types.Func) *types.Signature {
	ps, ss := p.Signature(), s.Signature()
	if ss.RecvTypeParams().Len() > 0 {
		if ps.Recv() == nil {
			return nil
		}
		o, _, _ := types.LookupFieldOrMethod(ps.Recv().Type(), true, s.Pkg(), s.Name())
		if fn, ok := o.(*types.Func); ok && fn.Origin() == s {
			return fn.Signature()
		}
		return nil
	}
	if ss.TypeParams().Len() == 0 {
		return ss
	}
	if ss.TypeParams().Len() != ps.TypeParams().Len() {
		return nil
	}
	var args []types.Type
	for t := range ps.TypeParams().TypeParams() {
		args = append(args, t)
	}
	for t := range ss.TypeParams().TypeParams() {
		if !mentions(ss.Params(), t) {
			return nil
		}
	}
	of, err := types.Instantiate(nil, ss, args, true)
	if err != nil {
		return nil
	}
	return of.(*types.Signature)
}

// mentions reports whether a type parameter can be told from arguments.
func mentions(t types.Type, p *types.TypeParam) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return t == p
	case *types.Tuple:
		for v := range t.Variables() {
			if mentions(v.Type(), p) {
				return true
			}
		}
	case *types.Signature:
		return mentions(t.Params(), p) || mentions(t.Results(), p)
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			if mentions(a, p) {
				return true
			}
		}
	case *types.Map:
		return mentions(t.Key(), p) || mentions(t.Elem(), p)
	case interface{ Elem() types.Type }:
		return mentions(t.Elem(), p)
	}
	return false
}

func shadowed(sig *types.Signature, name string) bool {
	for _, all := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range all.Variables() {
			if v.Name() == name {
				return true
			}
		}
	}
	return sig.Recv() != nil && sig.Recv().Name() == name
}

// parameter returns the one of those that are not taken that is meant: of the same type
// and name, or the only one of the type.
func parameter(of *types.Tuple, want *types.Var, taken map[*types.Var]bool) (only *types.Var) {
	n := 0
	for v := range of.Variables() {
		if taken[v] || v.Name() == "" || v.Name() == "_" || !types.Identical(v.Type(), want.Type()) {
			continue
		}
		if v.Name() == want.Name() {
			return v
		}
		only = v
		n++
	}
	if n != 1 {
		return nil
	}
	return only
}

// receiver is what stands before the serial form's name in a call of it, with the dot.
func (x *form) receiver() (on string, ok bool) {
	pr, sr := x.p.Signature().Recv(), x.s.Signature().Recv()
	switch {
	case sr == nil:
		return "", pr == nil
	case pr == nil:
		return "", false
	}
	pn, sn := named(pr.Type()), named(sr.Type())
	_, pointer := sr.Type().(*types.Pointer)
	if pn == nil || sn == nil {
		return "", false
	}
	hasName := pr.Name() != "" && pr.Name() != "_"
	if pn.Obj() == sn.Obj() {
		_, given := pr.Type().(*types.Pointer)
		return pr.Name() + ".", hasName && (given || !pointer)
	}
	if x.p.Name() != x.s.Name() {
		return "", false
	}
	st, ok := pn.Underlying().(*types.Struct)
	if !ok {
		return "", false
	}
	for v := range st.Fields() {
		if n := named(v.Type()); v.Embedded() && n != nil && n.Obj() == sn.Obj() {
			_, given := v.Type().(*types.Pointer)
			return pr.Name() + "." + v.Name() + ".", hasName && (given || !pointer)
		}
	}
	empty, ok := sn.Underlying().(*types.Struct)
	return sn.Obj().Name() + "{}.", ok && empty.NumFields() == 0 && !pointer
}

// parameters are the types of what a function takes.
func parameters(sig *types.Signature, receiver bool) (all []types.Type) {
	if receiver && sig.Recv() != nil {
		all = append(all, sig.Recv().Type())
	}
	for v := range sig.Params().Variables() {
		all = append(all, v.Type())
	}
	return all
}

// words is how many words two names share.
func words(a, b string) (n int) {
	of := split(b)
	for _, w := range split(a) {
		for _, v := range of {
			if w == v {
				n++
				break
			}
		}
	}
	return n
}

// split are the words of a name, in lower case.
func split(name string) (all []string) {
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			all = append(all, word.String())
			word.Reset()
		}
	}
	for _, r := range name {
		if r == '_' || unicode.IsUpper(r) {
			end()
		}
		if r != '_' {
			word.WriteRune(unicode.ToLower(r))
		}
	}
	end()
	return all
}
