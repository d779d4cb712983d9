package onestage

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/atonce"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A keeper knows what a loop adds up of its items.
type keeper struct {
	info *types.Info
	r    *atonce.Reader
	uses *uses.Index
	loop ast.Stmt
	how  map[types.Object]string // by what it is added to: the variable or field
	at   []ast.Expr              // the operands that are written
}

var merges = map[token.Token]string{
	token.ADD_ASSIGN: "+", token.SUB_ASSIGN: "+", token.MUL_ASSIGN: "*",
	token.AND_ASSIGN: "&", token.OR_ASSIGN: "|", token.XOR_ASSIGN: "^",
}

// write reports whether a statement adds to an integer, so that the order of
// what it adds does not matter.
func (k *keeper) write(x ast.Expr, at ast.Node) bool {
	t, ok := k.info.TypeOf(x).Underlying().(*types.Basic)
	if !ok || t.Info()&types.IsInteger == 0 {
		return false
	}
	how := ""
	switch n := at.(type) {
	case *ast.IncDecStmt:
		how = "+"
	case *ast.AssignStmt:
		if len(n.Lhs) != 1 {
			return false
		}
		how = merges[n.Tok]
		if n.Tok == token.ASSIGN {
			var arg ast.Expr
			if how, arg = inline.Extreme(k.info, x, n.Rhs[0]); how != "" {
				k.at = append(k.at, arg)
			}
		}
	}
	o := k.root(x)
	if how == "" || o == nil || k.how[o] != "" && k.how[o] != how {
		return false
	}
	k.how[o] = how
	k.at = append(k.at, x)
	return true
}

// root is what stands for the memory of an operand: a variable of a function, a
// field, or a map or slice that a function made.
func (k *keeper) root(x ast.Expr) types.Object {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return k.info.Uses[x]
	case *ast.SelectorExpr:
		if v, ok := k.info.Uses[x.Sel].(*types.Var); ok {
			return v
		}
	case *ast.IndexExpr:
		id, ok := ast.Unparen(x.X).(*ast.Ident)
		if !ok {
			return nil
		}
		if v, ok := k.info.Uses[id].(*types.Var); ok && k.r.Made(v) {
			return v
		}
	}
	return nil
}

// looks returns where the loop looks at what it keeps.
func (k *keeper) looks(code *atonce.Code) (at ast.Node, what string) {
	own := map[ast.Node]bool{}
	for _, x := range k.at {
		own[last(x)] = true
	}
	for o := range k.how {
		v := o.(*types.Var)
		_, number := v.Type().Underlying().(*types.Basic)
		led := code.Behind.Leads || code.Here.Leads && number
		if code.Behind.Reads[v] || led && (!number || v.IsField() || k.addressed(v)) {
			return k.at[0], v.Name()
		}
	}
	ast.Inspect(k.loop, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !own[id] && at == nil {
			if o := k.info.Uses[id]; o != nil && k.how[o] != "" {
				at, what = id, id.Name
			}
		}
		return at == nil
	})
	return at, what
}

// addressed reports whether the address of a variable is taken.
func (k *keeper) addressed(v *types.Var) bool {
	return slices.ContainsFunc(k.uses.Of(v), func(c inspector.Cursor) bool {
		e := uses.Whole(c)
		u, ok := e.Parent().Node().(*ast.UnaryExpr)
		return ok && u.Op == token.AND
	})
}

// last is the identifier of what root returns.
func last(x ast.Expr) ast.Node {
	switch x := ast.Unparen(x).(type) {
	case *ast.SelectorExpr:
		return x.Sel
	case *ast.IndexExpr:
		return ast.Unparen(x.X)
	default:
		return x
	}
}
