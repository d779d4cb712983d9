package unbuffered

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// writer writes through a buffer, which is flushed where the loop ends. What is
// done about an error of a write is done about one of that.
func (s *stream) writer(fix *shape.Fix) (at token.Pos, why string) {
	pos, again, why := s.before()
	if why != "" {
		return pos, why
	}
	out, counted := s.fresh("bw"), 0
	var end fate // whose error that of the flush is treated like
	var edits []analysis.TextEdit
	var handled []inspector.Cursor
	for _, op := range s.ops {
		f := s.fate(op)
		if f.why == "" && len(f.body) > 1 {
			f.why = "what becomes of " + f.err.Name + " depends on which it is"
		}
		if f.why != "" {
			return op.Node().Pos(), f.why
		}
		handled = append(handled, f.body...)
		if len(f.body) == 1 {
			if at, why := s.leaves(f.body[0]); why != "" {
				return at, why
			}
		}
		sum, at, why := s.count(f)
		if why != "" {
			return at, why
		}
		if sum != "" {
			counted++
			edits = append(edits, rewrite.Insert(f.body[0].Node().Pos()+1, fmt.Sprintf("\n%s += %s - %s.Buffered() // what has got out", sum, f.count.Name, out)))
		}
		if end.call == nil || end.err == nil && end.passed == nil {
			end = f
		}
	}
	if counted > 1 || counted == 1 && len(s.ops) > 1 {
		return s.ops[0].Node().Pos(), "what several calls have written is counted"
	}
	flush, brk, at, why := s.flush(end, out)
	if why != "" {
		return at, why
	}
	for _, l := range rewrite.Leaves(s.info, s.loop.Body, true) {
		if slices.ContainsFunc(handled, func(b inspector.Cursor) bool { return b.Node().Pos() <= l.Pos && l.Pos < b.Node().End() }) {
			continue
		}
		c, ok := s.loop.At.FindByPos(l.Pos, l.Pos)
		if ok {
			c, ok = uses.Statement(c)
		}
		switch {
		case !ok || l.How == "goto" || l.How == "defer" || l.How == "recover":
			return l.Pos, "the loop has a " + l.How
		case brk:
			return l.Pos, "the loop ends in several ways"
		}
		edits = append(edits, rewrite.Insert(c.Node().Pos(), flush+"\n"))
	}
	bufio, imports := rewrite.Import(s.pass.Pkg, s.file, "bufio", pos)
	made := fmt.Sprintf("%s := %s.NewWriter(%s)\n", out, bufio, s.text(s.of))
	if !again {
		made += fmt.Sprintf("defer %s.Flush() // what is left if the loop panics\n", out)
	}
	edits = append(edits, imports...)
	edits = append(edits, rewrite.Insert(pos, made))
	edits = append(edits, s.replace(out)...)
	if s.ends() {
		edits = append(edits, rewrite.Insert(s.loop.Stmt.End(), "\n"+flush))
	}
	fix.Says = "write through a buffer and flush it after the loop"
	fix.Edits = edits
	return 0, ""
}

// ends reports whether control comes to what follows the loop.
func (s *stream) ends() bool {
	l, ok := s.loop.Stmt.(*ast.ForStmt)
	if !ok || l.Cond != nil {
		return true
	}
	found := false
	for c := range s.loop.At.Preorder((*ast.BranchStmt)(nil)) {
		found = found || c.Node().(*ast.BranchStmt).Tok == token.BREAK && s.breaks(c)
	}
	return found
}

// breaks reports whether a break is one of the loop.
func (s *stream) breaks(c inspector.Cursor) bool {
	b := c.Node().(*ast.BranchStmt)
	if b.Label != nil {
		l, ok := s.loop.At.Parent().Node().(*ast.LabeledStmt)
		return ok && l.Label.Name == b.Label.Name
	}
	for in := range c.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.SwitchStmt)(nil), (*ast.TypeSwitchStmt)(nil), (*ast.SelectStmt)(nil), (*ast.FuncLit)(nil)) {
		return in == s.loop.At
	}
	return false
}

// leaves says why the loop goes on after an error: a buffer takes no more then.
func (s *stream) leaves(body inspector.Cursor) (at token.Pos, why string) {
	last, ok := body.LastChild()
	if ok {
		switch st := last.Node().(type) {
		case *ast.ReturnStmt:
			return 0, ""
		case *ast.BranchStmt:
			if st.Tok == token.BREAK && s.breaks(last) {
				return 0, ""
			}
		case *ast.ExprStmt:
			for _, l := range rewrite.Leaves(s.info, body.Node(), false) {
				if l.Pos == st.Pos() {
					return 0, ""
				}
			}
		}
	}
	return body.Node().Pos(), "the loop goes on after an error"
}

// count returns what the numbers of bytes written are added to, if they are.
func (s *stream) count(f fate) (sum string, at token.Pos, why string) {
	if f.count == nil {
		return "", 0, ""
	}
	n := s.info.ObjectOf(f.count)
	for _, use := range s.x.Of(n.(*types.Var)) {
		as, ok := use.Parent().Node().(*ast.AssignStmt)
		if s.x.Declares(use) || use.Node() == f.count {
			continue
		}
		inHandler := f.body != nil && f.body[0].Contains(use)
		if !ok || sum != "" || inHandler || as.Tok != token.ADD_ASSIGN || f.body == nil || s.helper(f.call) != nil || !uses.Listed(use.Parent()) {
			return "", use.Node().Pos(), "what is done with the number of bytes depends on each write"
		}
		if !types.Identical(s.info.TypeOf(as.Lhs[0]), types.Typ[types.Int]) || !s.stays(as.Lhs[0]) {
			return "", as.Pos(), "bytes are added up in what may be another variable after the loop"
		}
		sum = s.text(as.Lhs[0])
	}
	return sum, 0, ""
}

// stays reports whether an operand is the same variable after the loop: s, s[w].
func (s *stream) stays(e ast.Expr) bool {
	for i, v := range s.vars(e) {
		in := func(pos token.Pos) bool { return s.loop.Stmt.Pos() <= pos && pos < s.loop.Stmt.End() }
		if in(v.Pos()) || v.IsField() {
			return false
		}
		for _, w := range loop.Writes(s.info, s.loop.Stmt, v) {
			if _, whole := ast.Unparen(e).(*ast.Ident); i > 0 || !whole || w.Address {
				return false
			}
		}
	}
	return s.begins(e) != nil
}

// flush is the statement that flushes a buffer, as one does with an error of a
// call. brk reports that the call's error ended the loop, and nothing else.
func (s *stream) flush(f fate, out string) (text string, brk bool, at token.Pos, why string) {
	switch {
	case f.passed != nil:
		args := out + ".Flush()"
		if tuple, ok := s.info.TypeOf(f.call).(*types.Tuple); ok && tuple.Len() == 2 {
			args = "0, " + args
		}
		return s.text(f.passed.Fun) + "(" + args + ")", false, 0, ""
	case f.err == nil:
		return out + ".Flush()", false, 0, ""
	}
	body := f.body[0].Node().(*ast.BlockStmt)
	last := body.List[len(body.List)-1]
	var edits []analysis.TextEdit
	if _, brk = last.(*ast.BranchStmt); brk {
		// The error of a write that ended the loop is that of the flush once more.
		if len(body.List) > 1 {
			return "", false, body.Pos(), "what is done about an error would be done twice"
		}
		if err := s.info.ObjectOf(f.err); s.loop.Stmt.Pos() <= err.Pos() && err.Pos() < s.loop.Stmt.End() {
			return out + ".Flush()", true, 0, ""
		}
		return fmt.Sprintf("if %[1]s == nil {\n%[1]s = %s.Flush()\n}", f.err.Name, out), true, 0, ""
	}
	if sum, _, _ := s.count(f); sum != "" {
		edits = append(edits, rewrite.Insert(body.Lbrace+1, fmt.Sprintf("\n%s -= %s.Buffered()", sum, out)))
	}
	// What the loop declares is not there after it.
	err := s.info.ObjectOf(f.err)
	for _, v := range s.vars(body) {
		if v == err || v.IsField() || v.Pos() < s.loop.Stmt.Pos() || s.loop.Stmt.End() <= v.Pos() || body.Pos() <= v.Pos() && v.Pos() < body.End() {
			continue
		}
		ret, ok := last.(*ast.ReturnStmt)
		if !ok || len(body.List) > 1 || len(ret.Results) == 0 || !isError(s.info.TypeOf(ret.Results[len(ret.Results)-1])) ||
			slices.ContainsFunc(ret.Results[:len(ret.Results)-1], func(e ast.Expr) bool { return slices.Contains(s.vars(e), v) }) {
			return "", false, body.Pos(), "what is done about an error has to do with " + v.Name() + ", which the loop declares"
		}
		edits = append(edits, rewrite.Replace(ret.Results[len(ret.Results)-1], f.err.Name))
		break
	}
	text, e := inline.Source(s.pass, body.Lbrace, body.Rbrace+1, edits)
	if e != nil {
		return "", false, body.Pos(), e.Error()
	}
	assign := "="
	if s.loop.Stmt.Pos() <= err.Pos() && err.Pos() < s.loop.Stmt.End() {
		assign = ":="
	}
	return fmt.Sprintf("if %s %s %s.Flush(); %s != nil %s", f.err.Name, assign, out, f.err.Name, text), false, 0, ""
}
