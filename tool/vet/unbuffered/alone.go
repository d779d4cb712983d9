package unbuffered

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// same says why the file may not be the same one before the loop and in all of
// it.
func (s *stream) same() (at token.Pos, why string) {
	name := types.ExprString(s.of)
	if s.root.Parent() == s.pass.Pkg.Scope() || s.root.Pkg() != s.pass.Pkg {
		return s.of.Pos(), name + " is everybody's"
	}
	in := func(pos token.Pos) bool { return s.loop.Stmt.Pos() <= pos && pos < s.loop.Stmt.End() }
	called := spawn.Called(s.pass, s.loop.Body)
	for _, v := range s.vars(s.of) {
		if v.IsField() {
			for _, use := range s.x.Of(v) {
				pos := use.Node().Pos()
				if uses.Written(uses.Whole(use)) && (in(pos) || slices.ContainsFunc(called, func(d *ast.FuncDecl) bool { return d.Pos() <= pos && pos < d.End() })) {
					return pos, v.Name() + " is set in the loop"
				}
			}
			continue
		}
		for _, w := range loop.Writes(s.info, s.decl, v) {
			if w.Address || w.Captured || in(w.Node.Pos()) {
				return w.Node.Pos(), v.Name() + " may change in the loop"
			}
		}
	}
	if x, ok := ast.Unparen(s.of).(*ast.IndexExpr); ok {
		for _, use := range s.x.Of(s.root) {
			if part, _ := uses.Elements(uses.Whole(use)); uses.Written(part) {
				return part.Node().Pos(), "elements of " + s.root.Name() + " are set"
			}
		}
		site := &spawn.Site{}
		for _, t := range s.sites {
			if t.Body != nil && spawn.Within(t.Body, s.loop.Stmt) {
				site = t
			}
		}
		if !(&local.Loop{Package: s.pkg, Site: site, At: s.loop.At}).Evaluates(x) {
			return x.Pos(), "nothing says that there is " + name + " where the loop does not run"
		}
	}
	return 0, ""
}

// own says who else may use the file while the loop runs.
func (s *stream) own() (at token.Pos, why string) {
	if s.kind == place { // that others read at places is nothing to it
		return 0, ""
	}
	name := types.ExprString(s.of)
	if _, field := ast.Unparen(s.of).(*ast.SelectorExpr); field && !types.IsInterface(s.info.TypeOf(s.of)) {
		return s.of.Pos(), "others may use " + name + " meanwhile"
	}
	if s.kind == write && uses.Is(s.info.TypeOf(s.of), "net", "Conn") && !s.connected() {
		return s.of.Pos(), "each write to " + name + " may be a datagram"
	}
	around := map[*ast.FuncLit]bool{}
	for c := range s.loop.At.Enclosing((*ast.FuncLit)(nil)) {
		lit := c.Node().(*ast.FuncLit)
		if around[lit] = true; spawn.Within(lit, &ast.BadExpr{From: s.root.Pos(), To: s.root.Pos()}) {
			break
		}
		if at, why = s.runs(c, lit); why != "" {
			return at, why
		}
	}
	for _, use := range s.x.Of(s.root) {
		for c := range use.Enclosing((*ast.FuncLit)(nil)) {
			lit := c.Node().(*ast.FuncLit)
			if lit.Pos() <= s.root.Pos() && s.root.Pos() < lit.End() {
				break
			}
			if !around[lit] && lit.Pos() < s.loop.Stmt.End() && !deferred(c) {
				return use.Node().Pos(), "another function uses " + s.root.Name() + ", which may run meanwhile"
			}
		}
	}
	for _, t := range s.sites {
		if t.Decl == s.decl && t.Loop != nil && t.Shared(s.root) {
			return t.Node.Pos(), "several goroutines use " + name
		}
	}
	for _, a := range s.arguments() {
		if s.kind == write && datagrams(s.info.TypeOf(a.arg)) {
			return a.arg.Pos(), "each write to " + types.ExprString(a.arg) + " may be a datagram"
		}
		for _, t := range s.sites {
			if t.Body != nil && t.Loop != nil && spawn.Within(t.Body, a.call) && t.SharedExpr(a.arg) {
				return a.arg.Pos(), "several goroutines use " + types.ExprString(a.arg)
			}
		}
	}
	return 0, ""
}

// runs says why a function literal, which uses a file of the function around it,
// may run beside others that do.
func (s *stream) runs(c inspector.Cursor, lit *ast.FuncLit) (at token.Pos, why string) {
	name := types.ExprString(s.of)
	started := false
	for _, t := range s.sites {
		if t.Body != lit.Body {
			continue
		}
		started = true
		if t.Loop != nil && !t.DiffersExpr(s.of) {
			return s.of.Pos(), "several goroutines use " + name
		}
		for _, use := range s.x.Of(s.root) {
			if t.Loop == nil && use.Node().Pos() >= lit.End() && !closes(use) {
				return use.Node().Pos(), name + " is used beside the goroutine"
			}
		}
	}
	if !started && c.ParentEdgeKind() != edge.CallExpr_Fun {
		return lit.Pos(), "several goroutines may call the function that uses " + name
	}
	return 0, ""
}

// closes reports whether a file is used to close it.
func closes(use inspector.Cursor) bool {
	sel, ok := use.Parent().Node().(*ast.SelectorExpr)
	return ok && sel.X == use.Node() && strings.HasPrefix(sel.Sel.Name, "Close")
}

func deferred(lit inspector.Cursor) bool {
	return lit.ParentEdgeKind() == edge.CallExpr_Fun && lit.Parent().ParentEdgeKind() == edge.DeferStmt_Call
}

// connected reports whether a connection is known to be a stream of bytes.
func (s *stream) connected() bool {
	found := false
	ast.Inspect(s.decl, func(n ast.Node) bool {
		as, ok := n.(*ast.AssignStmt)
		if !ok || len(as.Rhs) != 1 || loop.Var(s.info, as.Lhs[0]) != s.root {
			return true
		}
		call, ok := ast.Unparen(as.Rhs[0]).(*ast.CallExpr)
		if !ok {
			return true
		}
		fn := section.Callee(s.info, call)
		switch {
		case fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "net":
		case fn.Name() == "Accept":
			found = true
		case (fn.Name() == "Dial" || fn.Name() == "DialTimeout") && fn.Signature().Recv() == nil:
			v := s.info.Types[call.Args[0]].Value
			found = v != nil && (strings.HasPrefix(constant.StringVal(v), "tcp") || constant.StringVal(v) == "unix")
		}
		return true
	})
	return found
}

// datagrams reports whether a write of a type may be one.
func datagrams(t types.Type) bool {
	for _, n := range []string{"Conn", "UDPConn", "UnixConn", "IPConn"} {
		if uses.Is(uses.Deref(t), "net", n) {
			return true
		}
	}
	return false
}

// other says what the loop does to the file besides, or what may have to do with
// it: wait for the answer to what it wrote, change what it is to read.
func (s *stream) other() (at token.Pos, why string) {
	ours := func(n ast.Node) bool {
		for _, of := range s.mine {
			if spawn.Within(of, n) {
				return true
			}
		}
		return false
	}
	var failing, known []ast.Node // what is done about errors
	for _, at := range s.ops {
		f := s.fate(at)
		for _, b := range f.body {
			failing = append(failing, b.Node())
		}
		if f.passed != nil {
			known = append(known, itself(f.passed))
		}
	}
	failed := func(n ast.Node) bool {
		return slices.ContainsFunc(failing, func(body ast.Node) bool { return spawn.Within(body, n) })
	}
	v := s.root
	if sel, ok := ast.Unparen(s.of).(*ast.SelectorExpr); ok {
		v = s.x.Var(sel)
	}
	for _, use := range s.x.Of(v) {
		n := use.Node()
		if !spawn.Within(s.loop.Stmt, n) || ours(n) || s.answers(use) || closes(use) && failed(n) {
			continue
		}
		if call, ok := use.Parent().Node().(*ast.CallExpr); ok && loop.Builtin(s.info, call) == "len" {
			continue
		}
		return n.Pos(), "the loop uses " + v.Name() + " otherwise, too"
	}
	if s.kind == read { // it waits for nothing that it did not wait for before
		return 0, ""
	}
	known = append(known, failing...)
	called := map[*ast.FuncDecl]bool{}
	for call := range s.mine {
		known = append(known, s.handed(call.(*ast.CallExpr), called)...)
	}
	bodies := []ast.Node{s.loop.Stmt}
	for d := range called {
		bodies = append(bodies, d.Body)
	}
	slices.SortFunc(bodies, func(a, b ast.Node) int { return cmp.Compare(a.Pos(), b.Pos()) })
	for _, body := range bodies {
		if at, why = s.sees(body, known); why != "" {
			return at, why
		}
	}
	return 0, ""
}

// itself is the place of a call, without its operands.
func itself(call *ast.CallExpr) ast.Node {
	return &ast.BadExpr{From: call.Lparen, To: call.Lparen + 1}
}

// handed returns the places of a call of the loop and of those that do in its stead
// to the file what it is for, in functions that it is handed to, which are entered.
func (s *stream) handed(call *ast.CallExpr, called map[*ast.FuncDecl]bool) (known []ast.Node) {
	known = append(known, itself(call))
	d := s.helper(call)
	if d == nil || called[d] {
		return known
	}
	called[d] = true
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if k, of := s.operation(call); k == s.kind && s.helper(call) != d {
				if v := loop.Var(s.info, of); v != nil && d.Type.Pos() <= v.Pos() && v.Pos() < d.Type.End() && s.only(v, k) {
					known = append(known, s.handed(call, called)...)
				}
			}
		}
		return true
	})
	return known
}

// sees says what code does, beside what is known, that may have to do with what was
// written or will be read: it waits for others, or changes or asks the world. The
// clock and random numbers are nothing to the file.
func (s *stream) sees(code ast.Node, known []ast.Node) (at token.Pos, why string) {
	for _, e := range flow.Of(s.pass).Within(code, known...) {
		if e.Kind&^(flow.Read|flow.Write|flow.Panic|flow.Alloc) == 0 ||
			e.Kind == flow.Ask && (strings.HasPrefix(e.Name, "time.") || strings.HasPrefix(e.Name, "math/rand")) {
			continue
		}
		return e.Pos(), "the loop " + e.String() + ", which may " + map[kind]string{write: "have to do with what it has written", place: "change what it is to read"}[s.kind]
	}
	return 0, ""
}

// answers reports whether a connection that is read from is written to: what is
// read ahead is not in the way of that.
func (s *stream) answers(use inspector.Cursor) bool {
	t := s.info.TypeOf(s.of)
	if s.kind != read || uses.Is(uses.Deref(t), "os", "File") { // reads and writes of a file share a place
		return false
	}
	for _, c := range []inspector.Cursor{use.Parent(), use.Parent().Parent()} {
		if call, ok := c.Node().(*ast.CallExpr); ok {
			k, of := s.operation(call)
			return k == write && ast.Unparen(of) == use.Node()
		}
	}
	return false
}
