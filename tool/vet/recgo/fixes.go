package recgo

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// Where the size is that of the data, a part of some hundred elements takes
// about as long as the start of a goroutine, and some ten thousand take a
// thousand times as long.
var sizes = []int{256, 1024, 4096, 16384, 65536}

// Where each level makes two calls with a number that is smaller by one or
// two, the work grows by 1.6 to 2 for each: 8 to 24 is the same range.
var powers = []int{8, 12, 16, 20, 24}

// Three levels of halves have a part for each of eight processors. More let those
// that are done early help, as far as calls of one level differ.
var depths = []int{3, 6, 10}

// fixes enters the edits of a finding and what was refused of them.
func (r *recursion) fixes(f *shape.Finding, sites []*spawn.Site) {
	var one []analysis.TextEdit // the twin in one goroutine
	if r.below == "" {
		serial, no := inline.Edits(r.pass, r.decl, sites)
		if no != nil && r.holds == "" {
			r.holds = no.Holds
		} else if no != nil && no.Holds != "" {
			r.holds += ", and " + no.Holds
		}
		if (no == nil || no.Holds != "") && slices.ContainsFunc(r.params, func(p *types.Var) bool { return p.Name() == "" || p.Name() == "_" }) {
			no = shape.No(r.decl, "a parameter has no name by which it could be handed on")
		}
		if no == nil || no.Holds != "" {
			var twin analysis.TextEdit
			twin, no = r.behind(r.name("Serial"), "in one goroutine", serial)
			one = append(one, twin)
		}
		if no != nil {
			for _, name := range []string{"threshold", "serial"} {
				f.Refused = append(f.Refused, shape.Refusal{Name: name, Why: no.Why, Pos: no.Pos})
			}
			return
		}
		r.below = r.ends(r.name("Serial"), "")
		f.Fixes = append(f.Fixes, shape.Fix{Name: "serial", Serial: true, Says: "make the calls one after the other", Edits: serial})
	}
	if expr, values := r.measure(); expr != "" {
		for _, k := range values {
			f.Fixes = append(f.Fixes, shape.Fix{
				Name: "threshold", Value: k,
				Says:  fmt.Sprintf("go on in one goroutine where %s is at most %d", expr, k),
				Edits: append(slices.Clip(one), r.guard(fmt.Sprintf("%s <= %d", expr, k))),
			})
		}
	} else {
		f.Refused = append(f.Refused, shape.Refusal{Name: "threshold", Pos: r.decl.Pos(),
			Why: "nothing that the calls are given tells how much there is to do"})
		r.levels(f, one)
	}
	for i := range f.Fixes {
		f.Fixes[i].Holds = r.holds
	}
}

// measure is what may tell how much a call has to do, with the values to try; "" where
// the arguments tell nothing. Whether it does tell is for a trial.
func (r *recursion) measure() (expr string, values []int) {
	var ints []*types.Var
	for i, p := range r.params {
		t, basic := p.Type().Underlying().(*types.Basic)
		_, slice := p.Type().Underlying().(*types.Slice)
		switch {
		case r.steady(p):
		case (slice || basic && t.Info()&types.IsString != 0) && r.passes(i, isPart) && rewrite.Universal(r.pass.Pkg, r.decl.Body.Rbrace, "len"):
			return "len(" + p.Name() + ")", sizes
		case types.Identical(p.Type(), types.Typ[types.Int]):
			ints = append(ints, p)
		}
	}
	switch len(ints) {
	case 1:
		if i := slices.Index(r.params, ints[0]); r.passes(i, isLess) {
			return ints[0].Name(), powers
		}
		return ints[0].Name(), sizes
	case 2:
		return ints[1].Name() + "-" + ints[0].Name(), sizes
	}
	return "", nil
}

// passes reports whether the i-th argument of each call of itself is as is says.
func (r *recursion) passes(i int, is func(ast.Expr) bool) bool {
	return !slices.ContainsFunc(r.calls, func(c *ast.CallExpr) bool { return !is(ast.Unparen(r.args(c)[i])) })
}

// isPart reports whether an expression may be a stretch of a slice.
func isPart(e ast.Expr) bool {
	switch e.(type) {
	case *ast.SliceExpr, *ast.Ident:
		return true
	}
	return false
}

func isLess(e ast.Expr) bool {
	b, ok := e.(*ast.BinaryExpr)
	return ok && b.Op == token.SUB
}

// behind puts the function with the edits behind itself, under another name.
func (r *recursion) behind(name, how string, edits []analysis.TextEdit) (twin analysis.TextEdit, no *shape.Refusal) {
	text, err := inline.Twin(r.pass, r.decl, name, edits)
	if err != nil {
		return twin, shape.No(r.decl, err.Error())
	}
	return rewrite.Insert(r.decl.End(), fmt.Sprintf("\n\n// %s is %s %s.\n%s", name, r.decl.Name.Name, how, text)), nil
}

// name is a free name for a twin of the function.
func (r *recursion) name(suffix string) string { return inline.TwinName(r.pass, r.decl, suffix) }

// guard has the function go on in one goroutine under a condition.
func (r *recursion) guard(cond string) analysis.TextEdit {
	return rewrite.Insert(r.decl.Body.Lbrace+1, fmt.Sprintf("\nif %s {\n%s\n}", cond, r.below))
}

// ends is the text that ends a call of the function by one of a twin that is
// given more, and the same.
func (r *recursion) ends(twin, more string) string {
	sig, params := r.fn.Signature(), r.params
	if sig.Recv() != nil {
		twin = sig.Recv().Name() + "." + twin
		params = params[1:]
	}
	var typeArgs, args []string
	for tp := range sig.TypeParams().TypeParams() {
		typeArgs = append(typeArgs, tp.Obj().Name())
	}
	if typeArgs != nil {
		twin += "[" + strings.Join(typeArgs, ", ") + "]"
	}
	for _, v := range params {
		args = append(args, v.Name())
	}
	call := twin + "(" + more + strings.Join(args, ", ") + ")"
	if sig.Results().Len() == 0 {
		return call + "\nreturn"
	}
	return "return " + call
}

// levels starts goroutines for the first levels of calls alone: where nothing
// tells how much a call has to do, how many there are above it does.
func (r *recursion) levels(f *shape.Finding, one []analysis.TextEdit) {
	left := rewrite.Fresh(r.pass.Pkg, r.decl, "levels")
	edits := []analysis.TextEdit{
		rewrite.Insert(r.decl.Type.Params.Opening+1, left+" int, "),
		r.guard(left + " == 0"),
	}
	for _, c := range r.calls {
		edits = append(edits, rewrite.Insert(c.Lparen+1, left+"-1, "))
	}
	name := r.name("Levels")
	twin, no := r.behind(name, "with goroutines for the first levels of calls", edits)
	if r.named != len(r.calls) {
		no = shape.No(r.decl, "the function is used as a value, which cannot be given more")
	}
	if no != nil {
		no.Name = "levels"
		f.Refused = append(f.Refused, *no)
		return
	}
	for _, k := range depths {
		first := analysis.TextEdit{
			Pos: r.decl.Body.Lbrace + 1, End: r.decl.Body.Rbrace,
			NewText: []byte("\n" + strings.TrimSuffix(r.ends(name, fmt.Sprintf("%d, ", k)), "\nreturn") + "\n"),
		}
		f.Fixes = append(f.Fixes, shape.Fix{
			Name: "levels", Value: k,
			Says:  fmt.Sprintf("start goroutines for the first %d levels of calls alone", k),
			Edits: append(slices.Clip(one), first, twin),
		})
	}
}
