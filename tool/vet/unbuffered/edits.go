package unbuffered

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// writer writes through a buffer, which is flushed where the loop ends. What is
// done about an error of a write is done about one of that.
func (s *stream) writer(pos token.Pos, fix *shape.Fix) (at token.Pos, why string) {
	if l, ok := s.loop.Stmt.(*ast.ForStmt); ok && l.Cond == nil {
		return l.Pos(), "nothing says when the loop ends"
	}
	var handled []ast.Node
	bw, flush := s.fresh("bw"), ""
	for _, op := range s.ops {
		f, why := s.fate(op.at)
		if why != "" {
			return op.call.Pos(), why
		}
		if f.body != nil {
			handled = append(handled, f.body)
		}
		if flush == "" && (f.body != nil || f.passed != nil) {
			if flush, at, why = s.flush(f, op.call, bw); why != "" {
				return at, why
			}
		}
	}
	if flush == "" {
		flush = bw + ".Flush()"
	}
	for _, l := range rewrite.Leaves(s.info, s.loop.Body, true) {
		if !holds(handled, l.Pos) {
			return l.Pos, "the loop has a " + l.How
		}
	}
	then := ""
	if _, again := local.Innermost(s.loop.At); !again {
		then = fmt.Sprintf("defer %s.Flush() // what is left if the loop panics\n", bw)
	}
	fix.Says = "write through a buffer and flush it after the loop"
	s.buffered(fix, pos, bw, "NewWriter", then)
	fix.Edits = append(fix.Edits, rewrite.Insert(s.loop.Stmt.End(), "\n"+flush))
	return 0, ""
}

func holds(all []ast.Node, pos token.Pos) bool {
	return slices.ContainsFunc(all, func(n ast.Node) bool { return n.Pos() <= pos && pos < n.End() })
}

// flush is the statement that flushes a buffer, as one does with an error of a
// call.
func (s *stream) flush(f fate, call *ast.CallExpr, bw string) (text string, at token.Pos, why string) {
	if f.passed != nil {
		args := bw + ".Flush()"
		if tuple, ok := s.info.TypeOf(call).(*types.Tuple); ok && tuple.Len() == 2 {
			args = "0, " + args
		}
		return rewrite.Text(s.pass.Fset, f.passed.Fun) + "(" + args + ")", 0, ""
	}
	last := len(f.body.List) - 1
	if last < 0 {
		return "", f.body.Pos(), "the loop goes on after an error"
	}
	if _, ok := f.body.List[last].(*ast.ReturnStmt); !ok { // a buffer takes no more then
		return "", f.body.Pos(), "the loop goes on after an error"
	}
	err, assign := s.info.ObjectOf(f.err), "="
	if uses.Holds(s.loop.Stmt, err.Pos()) {
		assign = ":="
	}
	ast.Inspect(f.body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if o := s.info.Uses[id]; o != nil && o != err && uses.Holds(s.loop.Stmt, o.Pos()) && !uses.Holds(f.body, o.Pos()) {
				why = "what is done about an error has to do with " + id.Name + ", which the loop declares"
			}
		}
		return true
	})
	return fmt.Sprintf("if %s %s %s.Flush(); %s != nil %s", f.err.Name, assign, bw, f.err.Name, rewrite.Text(s.pass.Fset, f.body)), f.body.Pos(), why
}

// reader reads through a buffer. That reads ahead, so nothing else may go on reading
// after the loop, unless the loop ends only where a read fails: nothing is left in
// the buffer then.
func (s *stream) reader(pos token.Pos, fix *shape.Fix) (at token.Pos, why string) {
	var handled []ast.Node
	for _, op := range s.ops {
		fn := section.Callee(s.info, op.call)
		if fn.Name() == "ReadAt" {
			return op.call.Pos(), "a buffer reads what comes next, not what is at a place"
		}
		if fn.Name() == "Read" && fn.Signature().Recv() != nil {
			return op.call.Pos(), "a read of a buffer may return less than one of the file"
		}
		if f, why := s.fate(op.at); why == "" && f.body != nil {
			handled = append(handled, f.body)
		}
	}
	l, ok := s.loop.Stmt.(*ast.ForStmt)
	drained := ok && l.Cond == nil && !slices.ContainsFunc(rewrite.Leaves(s.info, s.loop.Body, false), func(l rewrite.Leave) bool {
		return !holds(handled, l.Pos) && l.How != "continue"
	})
	if !drained {
		return s.of.Pos(), "the loop may end before the file, and others may go on reading " + types.ExprString(s.of)
	}
	fix.Says = "read through a buffer"
	s.buffered(fix, pos, s.fresh("br"), "NewReader", "")
	return 0, ""
}
