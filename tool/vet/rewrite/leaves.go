package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// A Leave is a statement or call by which the flow of control goes elsewhere
// than through the end of a body.
type Leave struct {
	Pos token.Pos
	How string // return, goto, labelled break, defer, panic, recover
}

// Stops returns what ends the loop of a body before its items do, nil without it.
func Stops(info *types.Info, body ast.Node) *Leave {
	for _, l := range Leaves(info, body, false) {
		if l.How != "continue" && l.How != "panic" {
			return &l
		}
	}
	return nil
}

// Leaves returns how control leaves body, or what makes it matter that it does.
// It does not look into function literals: what they hold is the matter of where
// they are called. A break or continue of a loop within body stays in it. Those
// of body's own loop do not count if own is true, as body then is that of a loop.
func Leaves(info *types.Info, body ast.Node, own bool) (out []Leave) {
	labels := map[string]bool{} // declared within
	ast.Inspect(body, func(n ast.Node) bool {
		if l, ok := n.(*ast.LabeledStmt); ok {
			labels[l.Label.Name] = true
		}
		return true
	})
	var walk func(n ast.Node, breaks, continues bool)
	walk = func(root ast.Node, breaks, continues bool) {
		ast.Inspect(root, func(n ast.Node) bool {
			if n == nil || n == root {
				return true
			}
			add := func(how string) { out = append(out, Leave{n.Pos(), how}) }
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ForStmt, *ast.RangeStmt:
				walk(n, true, true)
				return false
			case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				walk(n, true, continues)
				return false
			case *ast.ReturnStmt:
				add("return")
			case *ast.DeferStmt:
				add("defer")
			case *ast.BranchStmt:
				switch {
				case n.Tok == token.GOTO:
					add("goto")
				case n.Label != nil && !labels[n.Label.Name]:
					add("labelled " + n.Tok.String())
				case n.Label == nil && n.Tok == token.BREAK && !breaks, n.Label == nil && n.Tok == token.CONTINUE && !continues:
					add(n.Tok.String())
				}
			case *ast.CallExpr:
				if how := never(info, n); how != "" {
					add(how)
				}
			}
			return true
		})
	}
	walk(body, own, own)
	return out
}

// never names a call that does not return, or that stops a panic.
func never(info *types.Info, call *ast.CallExpr) string {
	o := typeutil.Callee(info, call)
	if b, ok := o.(*types.Builtin); ok && (b.Name() == "panic" || b.Name() == "recover") {
		return b.Name()
	}
	if o == nil || o.Pkg() == nil {
		return ""
	}
	switch name := o.Pkg().Path() + "." + o.Name(); name {
	case "runtime.Goexit", "os.Exit", "log.Fatal", "log.Fatalf", "log.Fatalln", "log.Panic", "log.Panicf", "log.Panicln":
		return name
	case "testing.Fatal", "testing.Fatalf", "testing.FailNow", "testing.Skip", "testing.Skipf", "testing.SkipNow":
		return name
	}
	return ""
}
