package onestage

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/atonce"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A keeper knows what a loop adds up of its items, in variables.
type keeper struct {
	info *types.Info
	uses *uses.Index
	loop ast.Stmt
	how  map[*types.Var]string // by what it is added to
	at   []ast.Expr            // the operands that are written
}

var merges = map[token.Token]string{
	token.ADD_ASSIGN: "+", token.SUB_ASSIGN: "+", token.INC: "+", token.DEC: "+", token.MUL_ASSIGN: "*",
	token.AND_ASSIGN: "&", token.OR_ASSIGN: "|", token.XOR_ASSIGN: "^",
}

// write reports whether a statement adds to an integer, so that the order of
// what it adds does not matter.
func (k *keeper) write(x ast.Expr, at ast.Node) bool {
	v := loop.Var(k.info, x)
	if v == nil {
		return false
	}
	if t, ok := v.Type().Underlying().(*types.Basic); !ok || t.Info()&types.IsInteger == 0 {
		return false
	}
	how := ""
	switch n := at.(type) {
	case *ast.IncDecStmt:
		how = merges[n.Tok]
	case *ast.AssignStmt:
		how = merges[n.Tok]
	}
	if how == "" || k.how[v] != "" && k.how[v] != how {
		return false
	}
	k.how[v] = how
	k.at = append(k.at, x)
	return true
}

// looks returns where the loop looks at what it keeps.
func (k *keeper) looks(code *atonce.Code) (at ast.Node, what string) {
	for v := range k.how {
		addressed := slices.ContainsFunc(k.uses.Of(v), func(c inspector.Cursor) bool {
			u, ok := uses.Whole(c).Parent().Node().(*ast.UnaryExpr)
			return ok && u.Op == token.AND
		})
		if code.Behind[v] || addressed {
			return k.at[0], v.Name()
		}
	}
	ast.Inspect(k.loop, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && at == nil {
			v, _ := k.info.Uses[id].(*types.Var)
			own := slices.ContainsFunc(k.at, func(x ast.Expr) bool { return ast.Unparen(x) == ast.Expr(id) })
			if v != nil && k.how[v] != "" && !own {
				at, what = id, id.Name
			}
		}
		return at == nil
	})
	return at, what
}
