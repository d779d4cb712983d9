package unbuffered

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A kind is what a call does to a file.
type kind int

const (
	none  kind = iota
	write      // it writes what comes next
	read       // it reads what comes next
	place      // it reads what is at a place
)

// operation says what a call does to which file: a method of it, a function of
// the standard library, or one of the package that does nothing else to the
// parameter.
func (c *checker) operation(call *ast.CallExpr) (k kind, of ast.Expr) {
	fn := section.Callee(c.info, call)
	if fn == nil || fn.Pkg() == nil {
		return none, nil
	}
	sel, method := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	switch {
	case method && c.info.Selections[sel] != nil:
		switch of = sel.X; fn.Name() {
		case "Write", "WriteString":
			k = write
		case "Read":
			k = read
		case "ReadAt":
			k = place
		}
	case c.decls[fn.Origin()] != nil:
		k, of = c.handed(fn.Origin(), call)
	case len(call.Args) > 0:
		switch of = call.Args[0]; fn.FullName() {
		case "io.WriteString", "fmt.Fprint", "fmt.Fprintf", "fmt.Fprintln", "encoding/binary.Write":
			k = write
		case "io.ReadFull", "encoding/binary.Read":
			k = read
		}
	}
	if k == none || !isFile(c.info.TypeOf(of), k) {
		return none, nil
	}
	return k, of
}

// files are the types of what has no buffer. An interface may be a file: its
// values in the package are looked at where they are handed over.
var files = map[kind][][2]string{
	write: {{"os", "File"}, {"net", "TCPConn"}, {"crypto/tls", "Conn"}, {"io", "PipeWriter"}},
	read:  {{"os", "File"}, {"net", "TCPConn"}, {"crypto/tls", "Conn"}, {"io", "PipeReader"}},
	place: {{"os", "File"}},
}

func isFile(t types.Type, k kind) bool {
	if t == nil {
		return false
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return slices.ContainsFunc(files[k], func(f [2]string) bool { return uses.Is(p.Elem(), f[0], f[1]) })
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && types.IsInterface(n) && n.Obj().Pkg() != nil && (n.Obj().Pkg().Path() == "io" || uses.Is(n, "net", "Conn"))
}

// costs says what a read or a write takes, as far as the type tells: what is
// behind an interface may be in memory.
func costs(t types.Type) string {
	switch {
	case uses.Is(uses.Deref(t), "io", "PipeWriter"):
		return "waits for a reader"
	case uses.Is(uses.Deref(t), "io", "PipeReader"):
		return "waits for a writer"
	case types.IsInterface(t):
		return "is a call of the system where that is a file or a connection, and waits where it is a pipe"
	}
	return "is a call of the system"
}

// handed says what a function of the package does to a reader or writer that it
// is handed, where it does nothing else to it and returns no more than an error.
func (c *checker) handed(fn *types.Func, call *ast.CallExpr) (k kind, of ast.Expr) {
	sig := fn.Signature()
	if sig.Variadic() || sig.TypeParams() != nil || sig.Results().Len() != 1 || !isError(sig.Results().At(0).Type()) {
		return none, nil
	}
	for i := range sig.Params().Len() {
		p := sig.Params().At(i)
		switch {
		case uses.Is(p.Type(), "io", "Writer"):
			k = write
		case uses.Is(p.Type(), "io", "Reader"):
			k = read
		default:
			continue
		}
		if i < len(call.Args) && c.only(p, k) {
			return k, call.Args[i]
		}
	}
	return none, nil
}

// only reports whether all that happens to a parameter is calls of a kind.
func (c *checker) only(p *types.Var, k kind) bool {
	if known, ok := c.does[p]; ok {
		return known == k
	}
	c.does[p] = none // a function that calls itself
	for _, use := range c.x.Of(p) {
		if c.x.Declares(use) {
			continue
		}
		call, ok := use.Parent().Node().(*ast.CallExpr)
		if !ok { // of.Write
			call, ok = use.Parent().Parent().Node().(*ast.CallExpr)
		}
		if !ok {
			return false
		}
		if got, of := c.operation(call); got != k || ast.Unparen(of) != use.Node() {
			return false
		}
	}
	c.does[p] = k
	return true
}

// helper is the function of the package that makes an operation.
func (c *checker) helper(call *ast.CallExpr) *ast.FuncDecl {
	fn := section.Callee(c.info, call)
	if fn == nil {
		return nil
	}
	return c.decls[fn.Origin()]
}

// inMemory reports whether the function is handed nothing but what is in memory,
// or has a buffer.
func (s *stream) inMemory() bool {
	args := s.arguments()
	return len(args) > 0 && !s.decl.Name.IsExported() && !slices.ContainsFunc(args, func(a argument) bool { return !buffered(s.info.TypeOf(a.arg)) })
}

func buffered(t types.Type) bool {
	for _, b := range [][2]string{{"bufio", "Writer"}, {"bufio", "Reader"}, {"bytes", "Buffer"}, {"bytes", "Reader"}, {"strings", "Builder"}, {"strings", "Reader"}} {
		if uses.Is(uses.Deref(t), b[0], b[1]) {
			return true
		}
	}
	return false
}

// An argument is what a call hands over.
type argument struct {
	call *ast.CallExpr
	arg  ast.Expr
}

// arguments are what the package hands over for the file, if that is a parameter
// of the declared function.
func (s *stream) arguments() (out []argument) {
	fn, _ := s.info.Defs[s.decl.Name].(*types.Func)
	if fn == nil || loop.Var(s.info, s.of) == nil {
		return nil
	}
	for i := range fn.Signature().Params().Len() {
		for _, call := range s.calls[fn] {
			if fn.Signature().Params().At(i) == s.root && i < len(call.Args) {
				out = append(out, argument{call, call.Args[i]})
			}
		}
	}
	return out
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// A fate is what becomes of the error of a call.
type fate struct {
	call   *ast.CallExpr
	count  *ast.Ident         // the number of bytes, nil if nobody asks
	err    *ast.Ident         // the error, nil if nobody looks at it
	body   []inspector.Cursor // what is done if it is not nil: blocks
	passed *ast.CallExpr      // a function that is handed both
	why    string             // it is not one of these
}

// fate returns what becomes of what a call returns.
func (s *stream) fate(at inspector.Cursor) (f fate) {
	f.call = at.Node().(*ast.CallExpr)
	for at.ParentEdgeKind() == edge.ParenExpr_X {
		at = at.Parent()
	}
	parent := at.Parent()
	switch at.ParentEdgeKind() {
	case edge.ExprStmt_X:
		return f
	case edge.CallExpr_Args:
		f.passed = parent.Node().(*ast.CallExpr)
		if len(f.passed.Args) != 1 || !s.onlyPanics(f.passed) {
			f.why = "what a call returns is handed on"
		}
		return f
	case edge.AssignStmt_Rhs:
	default:
		f.why = "what a call returns is used at once"
		return f
	}
	as := parent.Node().(*ast.AssignStmt)
	if len(as.Rhs) != 1 {
		f.why = "what a call returns is assigned beside others"
		return f
	}
	name := func(e ast.Expr) *ast.Ident {
		id, ok := e.(*ast.Ident)
		if !ok {
			f.why = "what a call returns is kept in " + types.ExprString(e)
		} else if id.Name != "_" {
			return id
		}
		return nil
	}
	f.err = name(as.Lhs[len(as.Lhs)-1])
	if len(as.Lhs) == 2 {
		f.count = name(as.Lhs[0])
	}
	if f.err == nil || f.why != "" {
		return f
	}
	if parent.ParentEdgeKind() == edge.IfStmt_Init {
		f.looks(s, parent.Parent())
	} else {
		for next, ok := parent.NextSibling(); ok && f.looks(s, next); next, ok = next.NextSibling() {
		}
	}
	if len(f.body) == 0 {
		f.why = "what becomes of " + f.err.Name + " is not seen"
	}
	return f
}

// looks enters an if statement that looks at the error and at nothing else.
func (f *fate) looks(s *stream, at inspector.Cursor) bool {
	st, ok := at.Node().(*ast.IfStmt)
	if !ok || st.Else != nil || st.Init != nil && !spawn.Within(st.Init, f.err) || !s.fails(st.Cond, s.info.ObjectOf(f.err)) {
		return false
	}
	body, ok := at.FindNode(st.Body)
	if ok {
		f.body = append(f.body, body)
	}
	return ok
}

// fails reports whether a condition holds only where err is an error:
// err != nil, err == io.EOF, errors.Is(err, io.EOF).
func (c *checker) fails(cond ast.Expr, err types.Object) bool {
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && err != nil && c.info.Uses[id] == err
	}
	isNil := func(e ast.Expr) bool { return c.info.Types[e].IsNil() }
	switch e := ast.Unparen(cond).(type) {
	case *ast.BinaryExpr:
		switch e.Op.String() {
		case "!=":
			return is(e.X) && isNil(e.Y)
		case "==":
			sel, ok := ast.Unparen(e.Y).(*ast.SelectorExpr)
			return is(e.X) && ok && c.info.Selections[sel] == nil // io.EOF
		case "||":
			return c.fails(e.X, err) && c.fails(e.Y, err)
		}
	case *ast.CallExpr:
		fn := section.Callee(c.info, e)
		if fn == nil || fn.FullName() != "errors.Is" || !is(e.Args[0]) {
			return false
		}
		sel, ok := ast.Unparen(e.Args[1]).(*ast.SelectorExpr)
		return ok && c.info.Selections[sel] == nil
	}
	return false
}

// onlyPanics reports whether a function does nothing where the error that it is
// handed is nil, and panics where it is not, as must.
func (c *checker) onlyPanics(call *ast.CallExpr) bool {
	d := c.helper(call)
	if d == nil || d.Recv != nil {
		return false
	}
	var err types.Object
	for _, f := range d.Type.Params.List {
		for _, id := range f.Names {
			err = c.info.Defs[id]
		}
	}
	for _, st := range d.Body.List {
		switch st := st.(type) {
		case *ast.IfStmt:
			last, _ := st.Body.List[len(st.Body.List)-1].(*ast.ExprStmt)
			if st.Init != nil || st.Else != nil || last == nil || !c.fails(st.Cond, err) {
				return false
			}
			if p, ok := last.X.(*ast.CallExpr); !ok || loop.Builtin(c.info, p) != "panic" {
				return false
			}
		case *ast.ReturnStmt:
			for _, e := range st.Results {
				if _, ok := ast.Unparen(e).(*ast.Ident); !ok {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}
