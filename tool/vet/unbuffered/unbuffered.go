package unbuffered

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds reads and writes of files in loops, without a buffer.
var Analyzer = shape.Analyzer("unbuffered", doc, find, spawn.Reached, uses.Analyzer)

// A checker knows the package.
type checker struct {
	pass  *analysis.Pass
	info  *types.Info
	x     *uses.Index
	w     *spawn.Weigher
	decls map[*types.Func]*ast.FuncDecl
	sites []*spawn.Site // as Reach has them
	pkg   *local.Package
	calls map[*types.Func][]*ast.CallExpr // of functions of the package
	does  map[*types.Var]kind             // see only
}

// A stream is a file that loops of one function read from or write to.
type stream struct {
	*checker
	kind kind
	of   ast.Expr // the file, as the first call has it
	at   []inspector.Cursor
	root *types.Var // the variable that of begins with
	decl *ast.FuncDecl
	file *ast.File

	loop loop.Loop             // that the edit is for
	ops  []inspector.Cursor    // those of at in the loop
	mine map[ast.Node]ast.Expr // the calls of ops, with their file
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	x := pass.ResultOf[uses.Analyzer].(*uses.Index)
	c := &checker{pass: pass, info: pass.TypesInfo, x: x, w: spawn.NewWeigher(pass), decls: spawn.Decls(pass), does: map[*types.Var]kind{}}
	type key struct {
		loop ast.Node
		kind kind
		of   string
	}
	streams := map[key]*stream{}
	var order []*stream
	for at := range x.Root.Preorder((*ast.CallExpr)(nil)) {
		kind, of := c.operation(at.Node().(*ast.CallExpr))
		if kind == none {
			continue
		}
		loops := c.loops(at, of)
		if len(loops) == 0 {
			continue
		}
		k := key{loops[0].Node(), kind, types.ExprString(of)}
		if streams[k] == nil {
			root, _ := c.begins(of).(*types.Var)
			s := &stream{checker: c, kind: kind, of: of, root: root, decl: uses.Decl(at), file: rewrite.File(pass, of.Pos())}
			if root == nil || s.decl == nil || s.file == nil {
				continue
			}
			streams[k] = s
			order = append(order, s)
		}
		streams[k].at = append(streams[k].at, at)
	}
	if len(order) == 0 {
		return nil, nil
	}
	c.pkg = local.New(pass)
	c.sites = pass.ResultOf[spawn.Reached].([]*spawn.Site)
	c.calls = map[*types.Func][]*ast.CallExpr{}
	for at := range x.Root.Preorder((*ast.CallExpr)(nil)) {
		call := at.Node().(*ast.CallExpr)
		if fn := section.Callee(c.info, call); fn != nil && c.decls[fn.Origin()] != nil {
			c.calls[fn.Origin()] = append(c.calls[fn.Origin()], call)
		}
	}
	order = slices.DeleteFunc(order, (*stream).inMemory)
	for _, s := range order {
		all = append(all, s.finding())
	}
	c.pipes(order, all)
	return all, nil
}

// loops are those of the function around a call, the outermost first, in which the
// file may stand for the same in all iterations: none of its variables is declared
// in them.
func (c *checker) loops(at inspector.Cursor, of ast.Expr) (out []inspector.Cursor) {
	for l := range at.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.FuncLit)(nil), (*ast.FuncDecl)(nil)) {
		stmt, ok := l.Node().(ast.Stmt)
		if !ok || slices.ContainsFunc(c.vars(of), func(v *types.Var) bool { return stmt.Pos() <= v.Pos() && v.Pos() < stmt.End() }) {
			break
		}
		if spawn.LoopBody(stmt).Pos() < at.Node().Pos() {
			out = append(out, l)
		}
	}
	slices.Reverse(out)
	return out
}

// vars are the variables in an expression.
func (c *checker) vars(e ast.Node) (out []*types.Var) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := c.info.Uses[id].(*types.Var); ok {
				out = append(out, v)
			}
		}
		return true
	})
	return out
}

// begins is the variable that fs[w] and s.f begin with, nil for what else there is.
func (c *checker) begins(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return c.info.Uses[e]
	case *ast.SelectorExpr:
		if c.info.Selections[e] != nil {
			return c.begins(e.X)
		}
		return c.info.Uses[e.Sel] // of another package
	case *ast.IndexExpr:
		if loop.Var(c.info, e.Index) != nil || c.info.Types[e.Index].Value != nil {
			return c.begins(e.X)
		}
	}
	return nil
}

// finding is the stream with the edit of the outermost loop that can have it.
func (s *stream) finding() shape.Finding {
	does := map[kind]string{write: "each write to %s %s: a buffer makes one of many", read: "each read of %s %s: a buffer makes one of many", place: "each read at a place of %s %s: what is read ahead saves those that follow"}
	f := shape.Finding{
		Pos: s.at[0].Node().Pos(), End: s.at[0].Node().End(), Func: s.decl,
		Message: fmt.Sprintf(does[s.kind], types.ExprString(s.of), costs(s.info.TypeOf(s.of))),
		Causes:  []string{"syscalls", "handoff", "network"},
	}
	edits := map[kind][]edit{write: {{"buffer", s.writer}}, read: {{"buffer", s.reader}}, place: {{"ahead", s.ahead}}}
	for _, l := range s.loops(s.at[0], s.of) {
		s.within(l)
		f.Refused = nil // an inner loop has reasons of its own
		for _, e := range edits[s.kind] {
			fix := shape.Fix{Name: e.name}
			if at, why := s.try(e, &fix); why != "" {
				f.Refused = append(f.Refused, shape.Refusal{Name: e.name, Why: why, Pos: at})
			} else {
				f.Fixes = append(f.Fixes, fix)
			}
		}
		if len(f.Fixes) > 0 {
			break
		}
	}
	f.Hot = append(f.Hot, shape.Of(s.loop.Stmt))
	for call := range s.mine {
		if d := s.helper(call.(*ast.CallExpr)); d != nil {
			f.Shared = append(f.Shared, shape.Of(d))
		}
	}
	return f
}

// within takes a loop as that of the edit.
func (s *stream) within(l inspector.Cursor) {
	s.loop, s.ops, s.mine = loop.New(s.info, l), nil, map[ast.Node]ast.Expr{}
	for _, at := range s.at {
		if l.Contains(at) {
			call := at.Node().(*ast.CallExpr)
			_, of := s.operation(call)
			s.ops = append(s.ops, at)
			s.mine[call] = of
		}
	}
}

// An edit is one of those that a stream may have.
type edit struct {
	name string
	make func(*shape.Fix) (at token.Pos, why string)
}

func (s *stream) try(e edit, fix *shape.Fix) (at token.Pos, why string) {
	for _, check := range []func() (token.Pos, string){s.same, s.own, s.other} {
		if at, why = check(); why != "" {
			return at, why
		}
	}
	return e.make(fix)
}

// before is where the buffer is made, and whether that is in a loop of the
// function.
func (s *stream) before() (pos token.Pos, again bool, why string) {
	if pos, why = s.loop.Before(); why != "" {
		return pos, false, why
	}
	if !uses.Listed(s.loop.Whole()) {
		return pos, false, "the loop is no statement of a list"
	}
	_, again = local.Innermost(s.loop.At)
	return pos, again, ""
}

// fresh is a name for a variable of the function.
func (s *stream) fresh(name string) string { return s.pkg.Name(s.decl, s.decl, name) }

func (s *stream) text(n ast.Node) string { return rewrite.Text(s.pass.Fset, n) }

// replace puts another file in the place of that of the calls.
func (s *stream) replace(name string) (edits []analysis.TextEdit) {
	for _, at := range s.ops {
		edits = append(edits, rewrite.Replace(s.mine[at.Node()], name))
	}
	return edits
}
