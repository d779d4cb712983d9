package hotcode

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// looks reports whether a line is in a loop that only looks.
func (s *shapely) looks(line int) bool { return s != nil && s.looked[line] }

// wait enters the lines of a loop that only looks, but those on which it leaves.
func (s *shapely) wait(loop ast.Stmt) {
	w := waitLoop{found: map[string]string{}, carried: map[string]bool{}}
	if !w.looks(loop) {
		return
	}
	lines := func(from, to ast.Node, is bool) {
		for l := s.fset.Position(from.Pos()).Line; l <= s.fset.Position(to.End()).Line; l++ {
			s.looked[l] = is
		}
	}
	lines(loop, loop, true)
	for _, end := range w.ends {
		lines(end[0], end[len(end)-1], false)
	}
}

// A waitLoop is what a loop does in each pass. It only looks if it loads the same
// words each time, changes nothing but counts, and what it loads decides whether
// it goes on: it ends when another goroutine has stored. What it does before it
// leaves, once it has seen that, is not part of it.
//
// A loop of compare-and-swap on no other word than it loads does not wait: where
// it fails, another one has succeeded. Nor does one that goes through a list or a
// table, since each pass loads another word.
type waitLoop struct {
	conds   []ast.Expr        // decide whether it goes on
	ends    [][]ast.Stmt      // what it does before it leaves
	words   []ast.Expr        // that it loads
	swapped []string          // words that it compares and swaps
	found   map[string]string // names of what it loads, with the word
	made    []*ast.AssignStmt
	carried map[string]bool // names whose value comes from the pass before
	more    bool            // it does something else
}

func (w *waitLoop) looks(loop ast.Stmt) bool {
	switch loop := loop.(type) {
	case *ast.ForStmt:
		w.expr(loop.Cond)
		w.stmt(loop.Post)
		w.conds = append(w.conds, loop.Cond)
		w.body(loop.Body.List)
	case *ast.RangeStmt:
		if id, ok := loop.Key.(*ast.Ident); ok {
			w.carried[id.Name] = true
		}
		w.more = loop.Value != nil
		w.body(loop.Body.List)
	}
	for range w.made { // until no name is new
		for _, s := range w.made {
			w.carry(s)
		}
	}
	for _, s := range w.made {
		w.more = w.more || s.Tok == token.ASSIGN && w.uses(s.Rhs[0], w.isCarried) // it computes
	}
	return !w.more && !slices.ContainsFunc(w.words, func(x ast.Expr) bool { return w.uses(x, w.isCarried) }) && slices.ContainsFunc(w.conds, w.asks)
}

// asks reports whether a condition asks for a word other than those that are
// compared and swapped.
func (w *waitLoop) asks(cond ast.Expr) bool {
	other := func(word string) bool { return !slices.Contains(w.swapped, word) }
	return cond != nil && (w.uses(cond, func(name string) bool { return w.found[name] != "" && other(w.found[name]) }) || slices.ContainsFunc(loads(cond), func(x ast.Expr) bool { return other(types.ExprString(x)) }))
}

// body reads the statements of the loop. Where they end by leaving it, what comes
// after the last continue is what it does before.
func (w *waitLoop) body(list []ast.Stmt) {
	if n := len(list); n > 0 && ends(list, token.BREAK, token.GOTO) {
		for k := n - 2; k >= 0; k-- {
			if s, ok := list[k].(*ast.IfStmt); ok && s.Else == nil && ends(s.Body.List, token.CONTINUE) {
				w.conds = append(w.conds, s.Cond)
				w.ends = append(w.ends, list[k+1:])
				list = list[:k+1]
				break
			}
		}
	}
	for _, s := range list {
		w.stmt(s)
	}
}

// ends reports whether a list of statements ends in such a branch, or returns
// where it may break.
func ends(list []ast.Stmt, branches ...token.Token) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return slices.Contains(branches, token.BREAK)
	case *ast.BranchStmt:
		return slices.Contains(branches, s.Tok)
	}
	return false
}

func (w *waitLoop) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case nil, *ast.EmptyStmt, *ast.BranchStmt:
	case *ast.BlockStmt:
		for _, x := range s.List {
			w.stmt(x)
		}
	case *ast.ExprStmt:
		w.expr(s.X)
	case *ast.IncDecStmt:
		w.count(s.X)
	case *ast.IfStmt:
		w.stmt(s.Init)
		w.expr(s.Cond)
		if s.Else == nil && ends(s.Body.List, token.BREAK, token.GOTO) {
			w.conds = append(w.conds, s.Cond)
			w.ends = append(w.ends, s.Body.List)
			return
		}
		w.stmt(s.Body)
		w.stmt(s.Else)
	case *ast.ForStmt: // it passes time
		w.stmt(s.Init)
		w.expr(s.Cond)
		w.stmt(s.Post)
		w.stmt(s.Body)
	case *ast.RangeStmt:
		w.more = w.more || s.Value != nil
		w.stmt(s.Body)
	case *ast.AssignStmt:
		w.assign(s)
	default:
		w.more = true
	}
}

// count is of a name: memory may be what others wait for.
func (w *waitLoop) count(x ast.Expr) {
	id, ok := x.(*ast.Ident)
	if !ok {
		w.more = true
		return
	}
	w.carried[id.Name] = true
}

func (w *waitLoop) assign(s *ast.AssignStmt) {
	id, ok := s.Lhs[0].(*ast.Ident)
	if !ok || len(s.Lhs) > 1 {
		w.more = true
		return
	}
	w.expr(s.Rhs[0])
	_, literal := s.Rhs[0].(*ast.BasicLit)
	switch {
	case s.Tok != token.DEFINE && (literal || s.Tok != token.ASSIGN):
		w.count(id)
		w.more = w.more || !literal // it adds something up
		return
	case s.Tok == token.ASSIGN:
		w.carried[id.Name] = true
	}
	w.made = append(w.made, s)
	if words := loads(s.Rhs[0]); len(words) > 0 {
		w.found[id.Name] = types.ExprString(words[0])
	}
}

// carry enters a name that is made of what the pass before has left.
func (w *waitLoop) carry(s *ast.AssignStmt) {
	if w.uses(s.Rhs[0], w.isCarried) {
		w.carried[s.Lhs[0].(*ast.Ident).Name] = true
	}
}

func (w *waitLoop) isCarried(name string) bool { return w.carried[name] }

// uses reports whether an expression has such a name.
func (w *waitLoop) uses(x ast.Expr, is func(name string) bool) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			found = found || w.uses(sel.X, is) // a field is no name
			return false
		}
		id, ok := n.(*ast.Ident)
		found = found || ok && is(id.Name)
		return !found
	})
	return found
}

// expr reads an expression, which may load, compare and swap, and yield.
func (w *waitLoop) expr(x ast.Expr) {
	if x == nil {
		return
	}
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			w.more = true
		case *ast.UnaryExpr:
			w.more = w.more || n.Op == token.ARROW
		case *ast.CallExpr:
			w.call(n)
		}
		return !w.more
	})
}

func (w *waitLoop) call(call *ast.CallExpr) {
	switch name, word := atomicCall(call); {
	case strings.HasPrefix(name, "Load"):
		w.words = append(w.words, word)
	case name != "":
		w.swapped = append(w.swapped, types.ExprString(word))
	default:
		fun := types.ExprString(call.Fun)
		w.more = w.more || fun != "runtime.Gosched" && types.Universe.Lookup(fun) == nil // or a conversion
	}
}

// loads are the words that an expression loads.
func loads(x ast.Expr) []ast.Expr {
	var words []ast.Expr
	ast.Inspect(x, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if name, word := atomicCall(call); strings.HasPrefix(name, "Load") {
				words = append(words, word)
			}
		}
		return true
	})
	return words
}

// atomicCall returns the name of the load or the compare-and-swap that a call is,
// "" for others, and its word.
func atomicCall(call *ast.CallExpr) (name string, word ast.Expr) {
	name, word, args := operation(call)
	if strings.HasPrefix(name, "Load") && len(args) == 0 || strings.HasPrefix(name, "CompareAndSwap") && len(args) == 2 {
		return name, word
	}
	return "", nil
}

// operation takes the call of a method, or of a function of package atomic, apart: its
// name, the word and what else it is given.
func operation(call *ast.CallExpr) (name string, word ast.Expr, args []ast.Expr) {
	fun := call.Fun
	if index, ok := fun.(*ast.IndexExpr); ok {
		fun = index.X
	}
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return "", nil, nil
	}
	name, word, args = sel.Sel.Name, sel.X, call.Args
	if x, ok := sel.X.(*ast.Ident); ok && x.Name == "atomic" && len(args) > 0 {
		word, args = args[0], args[1:] // the address
		if x, ok := word.(*ast.UnaryExpr); ok {
			word = x.X
		}
	}
	return name, word, args
}
