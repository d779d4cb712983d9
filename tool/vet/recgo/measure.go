package recgo

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/gopayoff/payoff/tool/vet/inline"
)

// A measure is what tells how much a call of the recursion has to do.
type measure struct {
	expr   string // len(xs), hi-lo, n
	values []int  // thresholds to try
	why    string // how that is known
}

// Where the size is that of the data, a part of some hundred elements takes
// about as long as the start of a goroutine, and some ten thousand take a
// thousand times as long.
var sizes = []int{256, 1024, 4096, 16384, 65536}

// Where each level makes two calls with a number that is smaller by one or
// two, the work grows by 1.6 to 2 for each: 8 to 24 is the same range.
var levels = []int{8, 12, 16, 20, 24}

// measure returns nil where the arguments tell nothing of the size.
func (r *recursion) measure() *measure {
	for i, p := range r.params {
		if m := r.length(i, p); m != nil {
			return m
		}
	}
	if m := r.span(); m != nil {
		return m
	}
	for i, p := range r.params {
		if m := r.number(i, p); m != nil {
			return m
		}
	}
	return nil
}

// length: each call gets a part of a slice or string.
func (r *recursion) length(i int, p *types.Var) *measure {
	switch t := p.Type().Underlying().(type) {
	case *types.Slice:
	case *types.Basic:
		if t.Info()&types.IsString == 0 {
			return nil
		}
	default:
		return nil
	}
	for _, c := range r.calls {
		args := r.args(c)
		if args == nil || !r.part(args[i], p, 0) {
			return nil
		}
	}
	return &measure{"len(" + p.Name() + ")", sizes, "each call gets a part of " + p.Name()}
}

// part reports whether an expression is a stretch of the slice p.
func (r *recursion) part(e ast.Expr, p *types.Var, depth int) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.SliceExpr:
		return r.same(x.X, p) || r.part(x.X, p, depth+1)
	case *ast.Ident:
		v, ok := r.info.ObjectOf(x).(*types.Var)
		return ok && v != p && depth < 4 && len(r.from[v]) > 0 &&
			!slices.ContainsFunc(r.from[v], func(e ast.Expr) bool { return !r.part(e, p, depth+1) })
	}
	return false
}

// span: each call gets one end of two as it is, and for the other something
// between them.
func (r *recursion) span() *measure {
	for i, lo := range r.params {
		for j, hi := range r.params {
			if i == j || !integer(lo) || !integer(hi) || !types.Identical(lo.Type(), hi.Type()) {
				continue
			}
			left, right := 0, 0
			for _, c := range r.calls {
				args := r.args(c)
				if args == nil {
					return nil
				}
				switch l, h := r.same(args[i], lo), r.same(args[j], hi); {
				case l && !h && r.mentions(args[j], lo) && r.mentions(args[j], hi):
					left++
				case h && !l && r.mentions(args[i], lo) && r.mentions(args[i], hi):
					right++
				default:
					left = -len(r.calls) - 1
				}
			}
			// Which is the lower end shows where the middle is computed or the
			// two are compared; hi-lo if neither does.
			if left > 0 && right > 0 && !r.reversed(lo, hi) {
				return &measure{hi.Name() + "-" + lo.Name(), sizes, "the calls share what lies between " + lo.Name() + " and " + hi.Name()}
			}
		}
	}
	return nil
}

// mentions reports whether an expression is computed from the parameter.
func (r *recursion) mentions(e ast.Expr, p *types.Var) bool {
	var look func(e ast.Expr, depth int) bool
	look = func(e ast.Expr, depth int) (found bool) {
		ast.Inspect(e, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && !found {
				if v, ok := r.info.ObjectOf(id).(*types.Var); ok {
					found = v == p || depth < 4 && !slices.Contains(r.params, v) && slices.ContainsFunc(r.from[v], func(e ast.Expr) bool { return look(e, depth+1) })
				}
			}
			return !found
		})
		return found
	}
	return look(e, 0)
}

// reversed reports whether the function takes lo for the upper end: it says
// lo-hi, or compares so.
func (r *recursion) reversed(lo, hi *types.Var) bool {
	var with, against int
	ast.Inspect(r.decl.Body, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if !ok {
			return true
		}
		x, y := inline.Object(r.info, b.X), inline.Object(r.info, b.Y)
		switch {
		case b.Op == token.SUB && x == hi && y == lo:
			with++
		case b.Op == token.SUB && x == lo && y == hi:
			against++
		case x == lo && y == hi && (b.Op == token.LSS || b.Op == token.GEQ):
			with++
		case x == hi && y == lo && (b.Op == token.GTR || b.Op == token.LEQ):
			with++
		case x == hi && y == lo && (b.Op == token.LSS || b.Op == token.GEQ):
			against++
		case x == lo && y == hi && (b.Op == token.GTR || b.Op == token.LEQ):
			against++
		}
		return true
	})
	if with == against {
		// The order of the parameters decides.
		return slices.Index(r.params, lo) > slices.Index(r.params, hi)
	}
	return with < against
}

// number: each call gets less of a number.
func (r *recursion) number(i int, p *types.Var) *measure {
	if !integer(p) {
		return nil
	}
	halves := true
	for _, c := range r.calls {
		args := r.args(c)
		if args == nil {
			return nil
		}
		if !r.fraction(args[i], p, 0) {
			halves = false
		}
	}
	if halves {
		return &measure{p.Name(), sizes, "each call gets a fraction of " + p.Name()}
	}
	if r.down(i, p) && len(r.calls) > 1 {
		return &measure{p.Name(), levels, "each level is one less of " + p.Name() + ", and makes several calls"}
	}
	return nil
}

// down reports whether every call passes p less a constant.
func (r *recursion) down(i int, p *types.Var) bool {
	return r.steps(p) > 0 && !slices.ContainsFunc(r.calls, func(c *ast.CallExpr) bool {
		b := ast.Unparen(r.args(c)[i]).(*ast.BinaryExpr)
		return b.Op != token.SUB
	})
}

// fraction reports whether an expression is p over a constant, or p less that.
func (r *recursion) fraction(e ast.Expr, p *types.Var, depth int) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		_, k := r.constant(x.Y)
		switch x.Op {
		case token.QUO, token.SHR:
			return k && r.same(x.X, p)
		case token.SUB:
			return r.same(x.X, p) && r.fraction(x.Y, p, depth+1)
		}
	case *ast.Ident:
		v, ok := r.info.ObjectOf(x).(*types.Var)
		return ok && v != p && depth < 4 && len(r.from[v]) == 1 && r.fraction(r.from[v][0], p, depth+1)
	}
	return false
}

func integer(v *types.Var) bool {
	t, ok := v.Type().Underlying().(*types.Basic)
	return ok && t.Info()&types.IsInteger != 0
}
