package unbuffered

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
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
	decls map[*types.Func]*ast.FuncDecl
	sites []*spawn.Site // as Reach has them
	pkg   *local.Package
}

// An operation is a call, and what it does something to.
type operation struct {
	at   inspector.Cursor
	call *ast.CallExpr
	of   ast.Expr
}

// A stream is a file that loops of one function read from or write to.
type stream struct {
	*checker
	kind kind
	of   ast.Expr // the file, as the first call has it
	all  []operation
	root *types.Var   // the variable that of begins with
	vars []*types.Var // all in it
	decl *ast.FuncDecl

	loop loop.Loop   // that the edit is for
	ops  []operation // those of all in the loop
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	x := pass.ResultOf[uses.Analyzer].(*uses.Index)
	c := &checker{pass: pass, info: pass.TypesInfo, x: x, decls: spawn.Decls(pass)}
	type key struct {
		loop ast.Node
		kind kind
		of   string
	}
	streams := map[key]*stream{}
	var order []*stream
	for at := range x.Root.Preorder((*ast.CallExpr)(nil)) {
		kind, of := c.operation(at.Node().(*ast.CallExpr))
		vars := c.path(of)
		loops := c.loops(at, vars)
		if kind == none || len(vars) == 0 || len(loops) == 0 || uses.Decl(at) == nil {
			continue
		}
		k := key{loops[0].Node(), kind, types.ExprString(of)}
		if streams[k] == nil {
			streams[k] = &stream{checker: c, kind: kind, of: of, root: vars[0], vars: vars, decl: uses.Decl(at)}
			order = append(order, streams[k])
		}
		streams[k].all = append(streams[k].all, operation{at, at.Node().(*ast.CallExpr), of})
	}
	if len(order) == 0 {
		return nil, nil
	}
	c.pkg = local.New(pass)
	c.sites = pass.ResultOf[spawn.Reached].([]*spawn.Site)
	order = slices.DeleteFunc(order, (*stream).inMemory)
	for _, s := range order {
		all = append(all, s.finding())
	}
	c.pipes(order, all)
	return all, nil
}

// path returns the variables of f and s.f, nil for what else there is.
func (c *checker) path(e ast.Expr) []*types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v := loop.Var(c.info, e); v != nil {
			return []*types.Var{v}
		}
	case *ast.SelectorExpr:
		v, ok := c.info.Uses[e.Sel].(*types.Var)
		if ok && !v.IsField() {
			return []*types.Var{v} // of another package
		}
		if before := c.path(e.X); ok && before != nil {
			return append(before, v)
		}
	}
	return nil
}

// loops are those of the function around a call, the outermost first, in which the
// file may stand for the same in all iterations: they do not declare it.
func (c *checker) loops(at inspector.Cursor, vars []*types.Var) (out []inspector.Cursor) {
	for l := range at.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.FuncLit)(nil), (*ast.FuncDecl)(nil)) {
		stmt, ok := l.Node().(ast.Stmt)
		if !ok || len(vars) == 0 || uses.Holds(stmt, vars[0].Pos()) {
			break
		}
		if spawn.LoopBody(stmt).Pos() < at.Node().Pos() {
			out = append(out, l)
		}
	}
	slices.Reverse(out)
	return out
}

// pipes has the edits at the two ends of a pipe tried together, as those of the
// function that makes it: a buffer at one end leaves half of the calls.
func (c *checker) pipes(streams []*stream, all []shape.Finding) {
	for at := range c.x.Root.Preorder((*ast.CallExpr)(nil)) {
		fn, decl := section.Callee(c.info, at.Node().(*ast.CallExpr)), uses.Decl(at)
		if fn == nil || decl == nil || fn.FullName() != "io.Pipe" && fn.FullName() != "os.Pipe" {
			continue
		}
		ends := map[kind][]int{}
		for i, s := range streams {
			if len(all[i].Fixes) > 0 && uses.Mentions(c.info, decl, c.info.Defs[s.decl.Name]) {
				ends[s.kind] = append(ends[s.kind], i)
			}
		}
		if in, out := ends[read], ends[write]; len(in) == 1 && len(out) == 1 {
			all[in[0]].Func, all[out[0]].Func = decl, decl
		}
	}
}

// finding is the stream with the edit of the outermost loop that can have it.
func (s *stream) finding() shape.Finding {
	says := map[kind]string{write: "write to ", read: "read of "}[s.kind]
	f := shape.Finding{
		Pos: s.all[0].call.Pos(), End: s.all[0].call.End(), Func: s.decl,
		Message: "each " + says + types.ExprString(s.of) + " may be a call of the system: a buffer makes one of many",
		Causes:  []string{"syscalls", "handoff", "network"},
	}
	edit := map[kind]func(token.Pos, *shape.Fix) (token.Pos, string){write: s.writer, read: s.reader}[s.kind]
	for _, l := range s.loops(s.all[0].at, s.vars) {
		s.loop, s.ops = loop.New(s.info, l), slices.DeleteFunc(slices.Clone(s.all), func(op operation) bool { return !l.Contains(op.at) })
		fix := shape.Fix{Name: "buffer"}
		if s.kind == write && types.IsInterface(s.info.TypeOf(s.of)) {
			fix.Holds = "what is written to has no buffer of its own" // it would be emptied as well
		}
		at, why := s.alone()
		if why == "" {
			at, why = s.loop.Before()
		}
		if why == "" {
			at, why = edit(at, &fix)
		}
		if why == "" {
			f.Fixes, f.Refused = []shape.Fix{fix}, nil
			break
		}
		f.Refused = []shape.Refusal{{Name: "buffer", Why: why, Pos: at}} // an inner loop has reasons of its own
	}
	f.Hot = append(f.Hot, shape.Of(s.loop.Stmt))
	return f
}

// alone says what else than the calls may have to do with the file while the loop
// runs.
func (s *stream) alone() (at token.Pos, why string) {
	if s.root.Parent() == s.pass.Pkg.Scope() || s.root.Pkg() != s.pass.Pkg {
		return s.of.Pos(), types.ExprString(s.of) + " is not the function's alone"
	}
	for _, w := range loop.Writes(s.info, s.decl, s.root) {
		if w.Address || w.Captured || spawn.Within(s.loop.Stmt, w.Node) {
			return w.Node.Pos(), s.root.Name() + " may change in the loop"
		}
	}
	if at, why = s.own(); why != "" {
		return at, why
	}
	code := []ast.Node{s.loop.Stmt}
	for _, d := range spawn.Called(s.pass, s.loop.Body) {
		code = append(code, d)
	}
	for _, v := range s.vars[min(1, len(s.vars)-1):] { // a field, or the variable alone
		for _, use := range s.x.Of(v) {
			if n := use.Node(); !s.ours(n) && holds(code, n.Pos()) {
				return n.Pos(), "the loop uses " + v.Name() + " otherwise, too"
			}
		}
	}
	if s.kind == read { // it waits for nothing that it did not wait for before
		return 0, ""
	}
	var known []ast.Node
	for _, op := range s.ops {
		known = append(known, itself(op.call))
		if f, _ := s.fate(op.at); f.body != nil {
			known = append(known, f.body)
		} else if f.passed != nil {
			known = append(known, itself(f.passed))
		}
	}
	return s.sees(s.loop.Stmt, known)
}

// ours reports whether a use of the file is that of one of the calls.
func (s *stream) ours(use ast.Node) bool {
	return slices.ContainsFunc(s.ops, func(op operation) bool { return spawn.Within(op.of, use) })
}

// own says what else may use the file while the loop runs.
func (s *stream) own() (at token.Pos, why string) {
	name, fn := types.ExprString(s.of), loop.Func(s.loop.At)
	if !uses.Holds(fn, s.root.Pos()) {
		return s.of.Pos(), "the function around it has " + name + ", too"
	}
	for _, use := range s.x.Of(s.root) {
		c, _ := uses.Func(use)
		deferred := c.ParentEdgeKind() == edge.CallExpr_Fun && c.Parent().ParentEdgeKind() == edge.DeferStmt_Call
		if c.Node() != fn && use.Node().Pos() < s.loop.Stmt.End() && !deferred {
			return use.Node().Pos(), "another function uses " + s.root.Name() + ", which may run meanwhile"
		}
	}
	gets := map[*types.Var]ast.Node{} // what hands over a variable for the file
	for _, t := range s.sites {
		if t.Up == nil && spawn.Within(fn, t.Node) && t.Node.Pos() < s.loop.Stmt.End() && uses.Mentions(s.info, t.Call, s.root) {
			return t.Node.Pos(), "a goroutine has " + name + ", too"
		}
		if of := s.path(t.Args[s.root]); of != nil && t.Decl == s.decl {
			v := of[len(of)-1]
			if gets[v] != nil && gets[v] != t.Node {
				return t.Node.Pos(), "several goroutines use " + name
			}
			gets[v] = t.Node
		}
		if t.Decl == s.decl && t.Loop != nil && t.Shared(s.root) {
			return t.Node.Pos(), "several goroutines use " + name
		}
		for _, v := range s.vars[1:] {
			for _, use := range s.x.Of(v) {
				if t.Body != nil && spawn.Within(t.Body, use.Node()) {
					return use.Node().Pos(), "goroutines use " + name
				}
			}
		}
	}
	if s.kind == read {
		return 0, ""
	}
	if isOne(s.info.TypeOf(s.of), datagrams) {
		return s.of.Pos(), "each write to " + name + " may be a datagram"
	}
	for _, arg := range s.arguments() {
		if isOne(s.info.TypeOf(arg), datagrams) {
			return arg.Pos(), "each write to " + types.ExprString(arg) + " may be a datagram"
		}
	}
	return 0, ""
}

// arguments are what the package hands over for the file, if that is a parameter
// of the declared function.
func (s *stream) arguments() (out []ast.Expr) {
	fn, _ := s.info.Defs[s.decl.Name].(*types.Func)
	i := slices.Index(slices.Collect(fn.Signature().Params().Variables()), s.root)
	for at := range s.x.Root.Preorder((*ast.CallExpr)(nil)) {
		call := at.Node().(*ast.CallExpr)
		if got := section.Callee(s.info, call); got != nil && got.Origin() == fn && i >= 0 && i < len(call.Args) {
			out = append(out, call.Args[i])
		}
	}
	return out
}

// inMemory reports whether the function is handed nothing but what is in memory,
// or has a buffer.
func (s *stream) inMemory() bool {
	args := s.arguments()
	return len(args) > 0 && !s.decl.Name.IsExported() && !slices.ContainsFunc(args, func(a ast.Expr) bool { return !isOne(s.info.TypeOf(a), buffers) })
}

// sees says what code does, beside what is known, that may have to do with what was
// written or will be read: it waits for others, or changes or asks the world. The
// clock and random numbers are nothing to the file.
func (c *checker) sees(code ast.Node, known []ast.Node) (at token.Pos, why string) {
	for _, e := range flow.Of(c.pass).Within(code, known...) {
		if e.Kind&^(flow.Read|flow.Write|flow.Panic) == 0 ||
			e.Kind == flow.Ask && (strings.HasPrefix(e.Name, "time.") || strings.HasPrefix(e.Name, "math/rand")) {
			continue
		}
		return e.Pos(), "the loop " + e.String() + ", which may have to do with the file"
	}
	return 0, ""
}

// buffered reads or writes through a buffer that is made before the loop.
func (s *stream) buffered(fix *shape.Fix, pos token.Pos, name, makes, then string) {
	bufio, imports := rewrite.Import(s.pass.Pkg, rewrite.File(s.pass, pos), "bufio", pos)
	text := fmt.Sprintf("%s := %s.%s(%s)\n%s", name, bufio, makes, rewrite.Text(s.pass.Fset, s.of), then)
	fix.Edits = append(imports, rewrite.Insert(pos, text))
	for _, op := range s.ops {
		fix.Edits = append(fix.Edits, rewrite.Replace(op.of, name))
	}
}

func (s *stream) fresh(name string) string { return s.pkg.Name(s.decl, s.decl, name) }
