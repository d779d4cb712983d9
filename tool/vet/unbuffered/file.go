package unbuffered

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A kind is what a call does to a file.
type kind int

const (
	none  kind = iota
	write      // it writes what comes next
	read       // it reads
)

// operation says what a call does to which file: a method of it, or a function of
// the standard library.
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
		case "Read", "ReadAt":
			k = read
		}
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

// files are the types of what has no buffer, by what is done to them. An interface
// may be a file.
var files = map[kind][]string{
	write: {"os.File", "net.TCPConn", "crypto/tls.Conn", "io.PipeWriter"},
	read:  {"os.File", "net.TCPConn", "crypto/tls.Conn", "io.PipeReader"},
}

var (
	buffers   = []string{"bufio.Writer", "bufio.Reader", "bytes.Buffer", "bytes.Reader", "strings.Builder", "strings.Reader"}
	datagrams = []string{"net.Conn", "net.UDPConn", "net.UnixConn", "net.IPConn"} // what a write to them may be
)

// isOne reports whether a type, or what it points to, is one of those.
func isOne(t types.Type, names []string) bool {
	return slices.Contains(names, types.TypeString(uses.Deref(t), nil))
}

func isFile(t types.Type, k kind) bool {
	t = types.Unalias(t)
	if types.IsInterface(t) {
		return strings.HasPrefix(types.TypeString(t, nil), "io.") || uses.Is(t, "net", "Conn")
	}
	_, pointer := t.(*types.Pointer)
	return pointer && isOne(t, files[k])
}

// itself is the place of a call, without its operands.
func itself(call *ast.CallExpr) ast.Node {
	return &ast.BadExpr{From: call.Lparen, To: call.Lparen + 1}
}

// A fate is what becomes of the error of a call. Nothing looks at it if all is nil.
type fate struct {
	err    *ast.Ident
	body   *ast.BlockStmt // what is done if err is not nil
	passed *ast.CallExpr  // a function that is handed it, and panics then
}

// fate returns what becomes of what a call returns, and why that is nothing known.
func (s *stream) fate(at inspector.Cursor) (f fate, why string) {
	parent := at.Parent()
	switch at.ParentEdgeKind() {
	case edge.ExprStmt_X:
		return f, ""
	case edge.CallExpr_Args:
		f.passed = parent.Node().(*ast.CallExpr)
		if len(f.passed.Args) != 1 || !s.onlyPanics(f.passed) {
			return f, "what a call returns is handed on"
		}
		return f, ""
	}
	as, ok := parent.Node().(*ast.AssignStmt)
	if !ok || len(as.Rhs) != 1 {
		return f, "what a call returns is used at once"
	}
	for i, e := range as.Lhs {
		id, ok := e.(*ast.Ident)
		switch {
		case ok && id.Name == "_":
		case ok && i == len(as.Lhs)-1:
			f.err = id
		case !ok || s.kind == write:
			return f, "more is done with what a call returns than to look at the error"
		}
	}
	if f.err == nil {
		return f, ""
	}
	var next ast.Node
	if parent.ParentEdgeKind() == edge.IfStmt_Init {
		next = parent.Parent().Node()
	} else if c, ok := parent.NextSibling(); ok {
		next = c.Node()
	}
	st, ok := next.(*ast.IfStmt)
	if !ok || st.Init != nil && st.Init != as || !s.fails(st, s.info.ObjectOf(f.err)) {
		return f, "what becomes of " + f.err.Name + " is not seen"
	}
	f.body = st.Body
	return f, ""
}

// fails reports whether a statement does something if err is not nil, and nothing
// else.
func (c *checker) fails(st *ast.IfStmt, err types.Object) bool {
	e, ok := ast.Unparen(st.Cond).(*ast.BinaryExpr)
	return ok && st.Else == nil && e.Op == token.NEQ && err != nil && loop.Var(c.info, e.X) == err && c.info.Types[e.Y].IsNil()
}

// onlyPanics reports whether a function does nothing where the error that it is
// handed is nil, and panics where it is not, as must.
func (c *checker) onlyPanics(call *ast.CallExpr) bool {
	fn := section.Callee(c.info, call)
	if fn == nil || c.decls[fn.Origin()] == nil || fn.Signature().Recv() != nil {
		return false
	}
	list, params := c.decls[fn.Origin()].Body.List, fn.Origin().Signature().Params()
	if len(list) == 0 || len(list) > 2 {
		return false
	}
	st, ok := list[0].(*ast.IfStmt)
	if !ok || st.Init != nil || !c.fails(st, params.At(params.Len()-1)) || len(st.Body.List) != 1 {
		return false
	}
	if last, ok := list[len(list)-1].(*ast.ReturnStmt); len(list) == 2 && !(ok && len(last.Results) == 1 && loop.Var(c.info, last.Results[0]) == params.At(0)) {
		return false
	}
	x, ok := st.Body.List[0].(*ast.ExprStmt)
	if !ok {
		return false
	}
	p, ok := x.X.(*ast.CallExpr)
	return ok && loop.Builtin(c.info, p) == "panic"
}
