package unbuffered

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

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
	w := &waits{stream: s, done: map[*ast.FuncDecl]bool{}, skip: map[ast.Node]bool{}}
	for _, at := range s.ops {
		f := s.fate(at)
		for _, b := range f.body {
			w.skip[b.Node()] = true
		}
		if f.passed != nil {
			w.skip[f.passed.Fun] = true
		}
	}
	v := s.root
	if sel, ok := ast.Unparen(s.of).(*ast.SelectorExpr); ok {
		v = s.x.Var(sel)
	}
	for _, use := range s.x.Of(v) {
		n := use.Node()
		if !spawn.Within(s.loop.Stmt, n) || ours(n) || s.answers(use) || closes(use) && w.failed(n) {
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
	w.code(s.loop.Stmt)
	return w.at, w.why
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

// waits looks for what may wait, in a loop and in the functions that it calls.
type waits struct {
	*stream
	done map[*ast.FuncDecl]bool
	skip map[ast.Node]bool // what is done about errors

	at  token.Pos
	why string
}

// failed reports whether code runs only once the file has failed.
func (w *waits) failed(n ast.Node) bool {
	for body := range w.skip {
		if spawn.Within(body, n) {
			return true
		}
	}
	return false
}

func (w *waits) refuse(n ast.Node, does string) {
	if w.why == "" {
		w.at, w.why = n.Pos(), "the loop "+does+", which may "+map[kind]string{write: "have to do with what it has written", place: "change what it is to read"}[w.kind]
	}
}

func (w *waits) code(root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil || w.skip[n] || w.why != "" {
			return false
		}
		switch n := n.(type) {
		case *ast.SendStmt:
			w.refuse(n, "sends")
		case *ast.SelectStmt:
			w.refuse(n, "has a select")
		case *ast.GoStmt:
			w.refuse(n, "starts goroutines")
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				w.refuse(n, "receives")
			}
		case *ast.RangeStmt:
			switch w.info.TypeOf(n.X).Underlying().(type) {
			case *types.Chan:
				w.refuse(n, "receives")
			case *types.Signature, *types.Interface: // an interface is that of a type parameter
				w.refuse(n, "is over "+types.ExprString(n.X))
			}
		case *ast.CallExpr:
			w.call(n)
		}
		return true
	})
}

func (w *waits) call(call *ast.CallExpr) {
	if w.mine[call] != nil {
		if d := w.helper(call); d != nil {
			w.into(d, true)
		}
		return
	}
	if w.info.Types[call.Fun].IsType() || w.skip[call.Fun] {
		return
	}
	if b := loop.Builtin(w.info, call); b != "" {
		if b == "close" {
			w.refuse(call, "closes a channel")
		}
		return
	}
	if _, lit := ast.Unparen(call.Fun).(*ast.FuncLit); lit {
		return // its body is walked
	}
	fn := section.Callee(w.info, call)
	switch {
	case fn == nil:
		w.refuse(call, "calls "+types.ExprString(call.Fun))
	case w.decls[fn.Origin()] != nil:
		w.into(w.decls[fn.Origin()], false)
	case !quiet(fn) || slices.ContainsFunc(call.Args, w.calls):
		w.refuse(call, "calls "+types.ExprString(call.Fun))
	}
}

// calls reports whether an argument is a function that is not written there.
func (w *waits) calls(arg ast.Expr) bool {
	_, lit := ast.Unparen(arg).(*ast.FuncLit)
	_, sig := w.info.TypeOf(arg).Underlying().(*types.Signature)
	return sig && !lit
}

// into looks at a function of the package. What it does to the file, if it is
// handed that, is known.
func (w *waits) into(d *ast.FuncDecl, handed bool) {
	if w.done[d] {
		return
	}
	w.done[d] = true
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && handed {
			if k, of := w.operation(call); k == w.kind && w.helper(call) != d {
				if v := loop.Var(w.info, of); v != nil && d.Type.Pos() <= v.Pos() && v.Pos() < d.Type.End() && w.only(v, k) {
					w.mine[call] = of
				}
			}
		}
		return true
	})
	w.code(d.Body)
}

// quiet reports whether a function of the standard library computes and nothing
// else: it waits for nobody, and reads and writes no file.
func quiet(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return true // err.Error
	}
	name := fn.Name()
	if name == "ReadFrom" || name == "WriteTo" {
		return false
	}
	switch path := fn.Pkg().Path(); path {
	case "bytes", "cmp", "errors", "hash", "html", "maps", "math", "net/url", "path", "slices", "sort", "strconv", "strings", "unicode":
		return true
	case "encoding/binary":
		return name != "Read" && name != "Write" && name != "ReadUvarint" && name != "ReadVarint"
	case "encoding/json":
		return strings.HasPrefix(name, "Marshal") || name == "Unmarshal" || name == "Valid"
	case "fmt":
		return strings.HasPrefix(name, "Sprint") || strings.HasPrefix(name, "Append") || name == "Errorf"
	case "time":
		return !slices.Contains([]string{"Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker", "Stop", "Reset"}, name)
	default:
		for _, p := range []string{"crypto/md5", "crypto/sha", "encoding/base", "encoding/hex", "hash/", "math/", "unicode/"} {
			if strings.HasPrefix(path, p) {
				return true
			}
		}
		return false
	}
}
