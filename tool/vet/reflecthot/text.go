package reflecthot

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

const strconvSays = "format with package strconv, which knows the types"

// parts are those of a call whose format and arguments begin at the argument
// first. Where there are none it refuses, and reports false.
func (s *site) parts(first int) (all []part, ok bool) {
	refuse := func(n ast.Node, why string) ([]part, bool) {
		s.refuse("typed", n, why)
		return nil, false
	}
	args := s.call.Args[min(first, len(s.call.Args)):]
	if s.call.Ellipsis.IsValid() || len(args) == 0 {
		return refuse(s.call, "its arguments come as a slice")
	}
	fn := typeutil.StaticCallee(s.pass.TypesInfo, s.call)
	switch s.at.ParentEdgeKind() {
	case edge.ExprStmt_X, edge.DeferStmt_Call, edge.GoStmt_Call:
		if fn.Name() != "Fprintf" {
			return refuse(s.call, "its result is not used")
		}
	}
	format := "%v" // fmt.Sprint of one argument
	if fn.Name() != "Sprint" {
		v := s.pass.TypesInfo.Types[args[0]].Value
		if v == nil {
			return refuse(args[0], "its format is no constant")
		}
		format, args = constant.StringVal(v), args[1:]
	}
	if e := s.early(args); e != nil {
		return refuse(e, "a call beside it may change "+rewrite.Text(s.pass.Fset, e)+", which is read before")
	}
	split, ok := pieces(format)
	if !ok {
		return refuse(s.call, "its format has flags, widths or verbs that strconv has not")
	}
	for _, p := range split {
		if p.verb == 0 {
			all = append(all, text(p.text))
			continue
		}
		if len(args) == 0 {
			return refuse(s.call, "its arguments are not those of its format")
		}
		more, why := s.value(p, args[0])
		if why != "" {
			return refuse(args[0], rewrite.Text(s.pass.Fset, args[0])+" is not formatted by strconv: "+why)
		}
		all, args = append(all, more...), args[1:]
	}
	switch {
	case len(args) > 0 || len(all) == 0:
		return refuse(s.call, "its arguments are not those of its format")
	case rewrite.Comments(s.file, s.call):
		return refuse(s.call, "a comment stands in it")
	case !rewrite.Universal(s.pass.Pkg, s.call.Pos(), "append", "byte", "nil", "string"):
		return refuse(s.call, "a predeclared name means something else here")
	}
	return all, true
}

func joined(parts []part) string {
	var texts []string
	for _, p := range parts {
		texts = append(texts, p.str)
	}
	return strings.Join(texts, " + ")
}

// nested appends the parts to a buffer.
func nested(buf string, parts []part) string {
	for _, p := range parts {
		buf = p.by + "(" + buf + ", " + p.and + ")"
	}
	return buf
}

// text are the edits of fmt.Sprintf and fmt.Sprint.
func (s *site) text() {
	s.instead()
	parts, ok := s.parts(0)
	if !ok {
		return
	}
	text := joined(parts)
	switch s.at.ParentEdgeKind() {
	case edge.IndexExpr_X, edge.SliceExpr_X:
		text = "(" + text + ")"
	}
	s.typed(strconvSays, rewrite.Replace(s.call, text))
}

// isMemory reports whether t is or points to a buffer in memory: writing to it in
// several steps is the same as in one.
func isMemory(t types.Type) bool {
	return slices.Contains([]string{"strings.Builder", "bytes.Buffer", "bufio.Writer"}, types.TypeString(uses.Deref(t), nil))
}

// instead are the edits that keep the format and save the string.
func (s *site) instead() {
	info := s.pass.TypesInfo
	fun, ok := ast.Unparen(s.call.Fun).(*ast.SelectorExpr)
	if !ok || fun.Sel.Name != "Sprintf" || len(s.call.Args) == 0 {
		return
	}
	up := s.at.Parent()
	call, ok := up.Node().(*ast.CallExpr)
	if !ok {
		return
	}
	// The arguments stay where they are.
	replace := func(fn string, to string) []analysis.TextEdit {
		text := rewrite.Text(s.pass.Fset, fun.X) + "." + fn + "(" + to + ", "
		return []analysis.TextEdit{
			{Pos: call.Pos(), End: s.call.Args[0].Pos(), NewText: []byte(text)},
			{Pos: s.call.Rparen, End: call.Rparen},
		}
	}
	bytes := types.NewSlice(types.Typ[types.Byte])
	if loop.Builtin(info, call) == "append" && len(call.Args) == 2 && call.Ellipsis.IsValid() {
		if types.Identical(info.TypeOf(call), bytes) && rewrite.Since(s.pass, s.file, "go1.19") {
			s.offer("append", "append to the buffer without a string between", replace("Appendf", rewrite.Text(s.pass.Fset, call.Args[0]))...)
		}
		return
	}
	arg := ast.Expr(s.call)
	if info.Types[call.Fun].IsType() && types.Identical(info.TypeOf(call), bytes) {
		// w.Write([]byte(fmt.Sprintf(…)))
		up, arg = up.Parent(), call
		if call, ok = up.Node().(*ast.CallExpr); !ok {
			return
		}
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) != 1 || call.Args[0] != arg {
		return
	}
	f, ok := info.Uses[sel.Sel].(*types.Func)
	if !ok || f.Signature().Recv() == nil || !(f.Name() == "Write" && types.Identical(f.Signature(), transfers) || f.Name() == "WriteString" && isMemory(info.TypeOf(sel.X))) {
		return
	}
	switch up.ParentEdgeKind() {
	case edge.DeferStmt_Call, edge.GoStmt_Call:
		s.refuse("direct", call, "it would be formatted when the call runs, not where the statement stands")
		return
	}
	w := rewrite.Text(s.pass.Fset, sel.X)
	if loop.ImplicitAddress(info, sel) && info.Types[sel.X].Addressable() {
		w = "&" + w
	}
	s.offer("direct", "write it without a string between", replace("Fprintf", w)...)
}

// transfers is the signature of Write of an io.Writer.
var transfers = types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewVar(0, nil, "", types.NewSlice(types.Typ[types.Byte]))),
	types.NewTuple(types.NewVar(0, nil, "", types.Typ[types.Int]), types.NewVar(0, nil, "", types.Universe.Lookup("error").Type())), false)

// append is the edit of fmt.Appendf(buf, …). It appends at once: others, which see
// what lies behind the buffer's length, might tell that from several steps.
func (s *site) append() {
	parts, ok := s.parts(1)
	if !ok {
		return
	}
	buf := s.call.Args[0]
	text := rewrite.Text(s.pass.Fset, buf)
	switch {
	case s.pass.TypesInfo.Types[buf].IsNil():
		text = "[]byte(nil)"
	case !types.Identical(s.pass.TypesInfo.TypeOf(buf), types.NewSlice(types.Typ[types.Byte])):
		s.refuse("typed", buf, "what it appends to is no []byte")
		return
	}
	if len(parts) > 1 {
		parts = []part{{by: "append", and: joined(parts) + "..."}}
	}
	s.typed(strconvSays, rewrite.Replace(s.call, nested(text, parts)))
}

// write is the edit of a statement fmt.Fprintf(w, …) that writes to a buffer in
// memory.
func (s *site) write() {
	info := s.pass.TypesInfo
	w := ast.Unparen(s.call.Args[0])
	if !isMemory(info.TypeOf(w)) {
		s.refuse("typed", w, "it writes to what may tell one write from several")
		return
	}
	if u, ok := w.(*ast.UnaryExpr); ok {
		w = u.X // &buf
	}
	if st := s.at.Parent(); !uses.Listed(st) || !loop.Chain(w) || s.at.ParentEdgeKind() != edge.ExprStmt_X {
		s.refuse("typed", s.call, "it is no statement of a list that writes to a variable")
		return
	}
	parts, ok := s.parts(1)
	if !ok || !s.apart(parts) {
		return
	}
	name := rewrite.Text(s.pass.Fset, w)
	digits := slices.ContainsFunc(parts, func(p part) bool { return p.by != "append" }) && !slices.ContainsFunc(s.call.Args[1:], s.calls)
	if types.TypeString(uses.Deref(info.TypeOf(w)), nil) != "strings.Builder" && digits && rewrite.Since(s.pass, s.file, "go1.21") {
		s.typed(strconvSays, rewrite.Replace(s.call, name+".Write("+nested(name+".AvailableBuffer()", parts)+")"))
		return
	}
	if slices.ContainsFunc(parts[1:], func(p part) bool { return p.arg != nil && !s.sure(p.arg) }) {
		parts = []part{{str: joined(parts)}} // the panic of an argument comes before the write
	}
	var lines []string
	for _, p := range parts {
		lines = append(lines, name+".WriteString("+p.str+")")
	}
	s.typed(strconvSays, rewrite.Replace(s.call, strings.Join(lines, "\n")))
}
