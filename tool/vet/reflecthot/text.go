package reflecthot

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
)

// A part is a text, or a value and how it becomes text.
type part struct {
	text string
	arg  ast.Expr // the argument that it is, or is in; nil: a text
	expr string   // the value
	form form
}

// add puts parts behind others: of two texts it makes one.
func add(all []part, more ...part) []part {
	for _, p := range more {
		if n := len(all); p.arg == nil && n > 0 && all[n-1].arg == nil {
			all[n-1].text += p.text
		} else {
			all = append(all, p)
		}
	}
	return all
}

// parts are those of a call whose format and arguments begin at the argument
// first. Where there are none it refuses, and reports false.
func (s *site) parts(first int) (all []part, ok bool) {
	args := s.call.Args[first:]
	if s.call.Ellipsis.IsValid() || len(args) == 0 {
		s.refuse("typed", s.call, "its arguments come as a slice")
		return nil, false
	}
	format := "%v" // fmt.Sprint of one argument
	if fn := typeutil.StaticCallee(s.pass.TypesInfo, s.call); fn.Name() != "Sprint" {
		v := s.pass.TypesInfo.Types[args[0]].Value
		if v == nil {
			s.refuse("typed", args[0], "its format is no constant")
			return nil, false
		}
		format, args = constant.StringVal(v), args[1:]
	}
	split, ok := pieces(format)
	if !ok {
		s.refuse("typed", s.call, "its format has flags, widths or verbs that strconv has not")
		return nil, false
	}
	for _, p := range split {
		if p.verb == 0 {
			all = add(all, part{text: p.text})
			continue
		}
		if len(args) == 0 {
			s.refuse("typed", s.call, "its arguments are not those of its format")
			return nil, false
		}
		more, why := s.argument(p, args[0])
		if why != "" {
			s.refuse("typed", args[0], rewrite.Text(s.pass.Fset, args[0])+" is not formatted by strconv: "+why)
			return nil, false
		}
		all = add(all, more...)
		args = args[1:]
	}
	if len(args) > 0 {
		s.refuse("typed", s.call, "its arguments are not those of its format")
		return nil, false
	}
	if rewrite.Comments(s.file, s.call) {
		s.refuse("typed", s.call, "a comment stands in it")
		return nil, false
	}
	return all, !s.torn(all, s.call.Args...)
}

// expr fills in a form, under the name that the file has for its package.
func (s *site) expr(p part, pattern, buf string) (text string, edits []analysis.TextEdit) {
	if path := p.form.pkg; path != "" && strings.Contains(pattern, lastOf(path)+".") {
		name, more := rewrite.Import(s.pass.Pkg, s.file, path, s.call.Pos())
		pattern, edits = strings.Replace(pattern, lastOf(path)+".", name+".", 1), more
	}
	// Either argument may be missing in the pattern.
	return fmt.Sprintf(pattern+"%[3]s", p.expr, buf, ""), edits
}

func lastOf(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// text are the edits of fmt.Sprintf.
func (s *site) text() {
	if s.at.ParentEdgeKind() == edge.ExprStmt_X {
		return // go vet has it
	}
	s.instead()
	parts, ok := s.parts(0)
	if !ok {
		return
	}
	if _, buf, ok := s.appended(); ok {
		s.appends(s.at.Parent(), buf, parts)
		return
	}
	if st, w, ok := s.written(); ok {
		s.writes(st, w, parts)
		return
	}
	text, edits := s.joined(parts)
	switch s.at.ParentEdgeKind() {
	case edge.IndexExpr_X, edge.SliceExpr_X:
		text = "(" + text + ")"
	}
	s.offer("typed", "format with package strconv, which knows the types", append(edits, rewrite.Replace(s.call, text))...)
}

// joined is a string of the parts.
func (s *site) joined(parts []part) (text string, edits []analysis.TextEdit) {
	var texts []string
	for _, p := range parts {
		if p.arg == nil {
			texts = append(texts, strconv.Quote(p.text))
			continue
		}
		text, more := s.expr(p, p.form.str, "")
		texts, edits = append(texts, text), append(edits, more...)
	}
	return strings.Join(texts, " + "), edits
}

// appended finds append(buf, fmt.Sprintf(…)...) around the call.
func (s *site) appended() (call *ast.CallExpr, buf ast.Expr, ok bool) {
	call, ok = s.at.Parent().Node().(*ast.CallExpr)
	if !ok || loop.Builtin(s.pass.TypesInfo, call) != "append" || len(call.Args) != 2 || call.Args[1] != s.call || !call.Ellipsis.IsValid() {
		return nil, nil, false
	}
	return call, call.Args[0], types.Identical(s.pass.TypesInfo.TypeOf(call), types.NewSlice(types.Typ[types.Byte]))
}

// written finds a statement w.WriteString(fmt.Sprintf(…)) around the call.
func (s *site) written() (st inspector.Cursor, w ast.Expr, ok bool) {
	call, ok := s.at.Parent().Node().(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || call.Args[0] != s.call {
		return st, nil, false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "WriteString" || memory(s.pass.TypesInfo.TypeOf(sel.X)) == "" {
		return st, nil, false
	}
	st = s.at.Parent().Parent()
	_, ok = st.Node().(*ast.ExprStmt)
	return st, sel.X, ok
}

// memory names the type of a buffer in memory that w is or points to: writing
// to it in several steps is the same as in one.
func memory(t types.Type) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	switch name := types.TypeString(t, nil); name {
	case "strings.Builder", "bytes.Buffer", "bufio.Writer":
		return name
	}
	return ""
}

// instead are the edits that keep the format and save the string.
func (s *site) instead() {
	info := s.pass.TypesInfo
	fn := typeutil.StaticCallee(info, s.call)
	if fn.Name() != "Sprintf" || len(s.call.Args) == 0 {
		return
	}
	fun, ok := ast.Unparen(s.call.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	pkg := rewrite.Text(s.pass.Fset, fun.X)
	// The arguments stay where they are.
	first := s.call.Args[0]
	if call, buf, ok := s.appended(); ok {
		if rewrite.Since(s.pass, s.file, "go1.19") {
			s.offer("append", "append to the buffer without a string between",
				analysis.TextEdit{Pos: call.Pos(), End: first.Pos(), NewText: []byte(pkg + ".Appendf(" + rewrite.Text(s.pass.Fset, buf) + ", ")},
				analysis.TextEdit{Pos: s.call.Rparen, End: call.Rparen})
		}
		return
	}
	up := s.at.Parent()
	call, ok := up.Node().(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || call.Args[0] != s.call {
		return
	}
	if info.Types[call.Fun].IsType() && types.Identical(info.TypeOf(call), types.NewSlice(types.Typ[types.Byte])) {
		// w.Write([]byte(fmt.Sprintf(…)))
		up = up.Parent()
		conv := call
		if call, ok = up.Node().(*ast.CallExpr); !ok || len(call.Args) != 1 || call.Args[0] != conv {
			return
		}
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	f, ok := info.Uses[sel.Sel].(*types.Func)
	if !ok || f.Signature().Recv() == nil || !(f.Name() == "Write" && isWrite(f.Signature()) || f.Name() == "WriteString" && memory(info.TypeOf(sel.X)) != "") {
		return
	}
	switch up.ParentEdgeKind() {
	case edge.DeferStmt_Call, edge.GoStmt_Call:
		s.refuse("direct", call, "it would be formatted when the call runs, not where the statement stands")
		return
	}
	w := rewrite.Text(s.pass.Fset, sel.X)
	if loop.ImplicitAddress(info, sel) {
		w = "&" + w
	}
	s.offer("direct", "write it without a string between",
		analysis.TextEdit{Pos: call.Pos(), End: first.Pos(), NewText: []byte(pkg + ".Fprintf(" + w + ", ")},
		analysis.TextEdit{Pos: s.call.Rparen, End: call.Rparen})
}

// isWrite reports whether a method is that of io.Writer.
func isWrite(sig *types.Signature) bool {
	return sig.Params().Len() == 1 && sig.Results().Len() == 2 && !sig.Variadic() &&
		types.Identical(sig.Params().At(0).Type(), types.NewSlice(types.Typ[types.Byte])) &&
		types.Identical(sig.Results().At(0).Type(), types.Typ[types.Int]) &&
		types.Identical(sig.Results().At(1).Type(), types.Universe.Lookup("error").Type())
}

// append is the edit of fmt.Appendf(buf, …).
func (s *site) append() {
	if len(s.call.Args) < 2 {
		return
	}
	buf := s.call.Args[0]
	if !s.pass.TypesInfo.Types[buf].IsNil() && !types.Identical(s.pass.TypesInfo.TypeOf(buf), types.NewSlice(types.Typ[types.Byte])) {
		s.refuse("typed", buf, "what it appends to is no []byte")
		return
	}
	if parts, ok := s.parts(1); ok {
		s.appends(s.at, buf, parts)
	}
}

// appends is the edit of a call that appends formatted text, append(buf,
// fmt.Sprintf(…)...) or fmt.Appendf(buf, …): one append in another, where nobody
// can tell that from a single one.
func (s *site) appends(at inspector.Cursor, buf ast.Expr, parts []part) {
	const says = "append with package strconv, which knows the types"
	if rewrite.Comments(s.file, at.Node()) {
		s.refuse("typed", at.Node(), "a comment stands in it")
		return
	}
	if !rewrite.Universal(s.pass.Pkg, s.call.Pos(), "append") {
		s.refuse("typed", at.Node(), "a predeclared name means something else here")
		return
	}
	if s.torn(parts, buf) {
		return
	}
	text := rewrite.Text(s.pass.Fset, buf)
	if s.pass.TypesInfo.Types[buf].IsNil() {
		if text = "[]byte(nil)"; !rewrite.Universal(s.pass.Pkg, s.call.Pos(), "byte") {
			s.refuse("typed", at.Node(), "a predeclared name means something else here")
			return
		}
	}
	if len(parts) > 1 && !s.own(at, buf, parts) {
		joined, edits := s.joined(parts)
		s.offer("typed", says, append(edits, rewrite.Replace(at.Node(), "append("+text+", "+joined+"...)"))...)
		return
	}
	if !s.later(parts) || !s.apart(parts) {
		return
	}
	text, edits := s.nested(text, parts)
	s.offer("typed", says, append(edits, rewrite.Replace(at.Node(), text))...)
}

// nested appends the parts to a buffer.
func (s *site) nested(buf string, parts []part) (text string, edits []analysis.TextEdit) {
	text = buf
	for _, p := range parts {
		if p.arg == nil {
			text = "append(" + text + ", " + strconv.Quote(p.text) + "...)"
			continue
		}
		var more []analysis.TextEdit
		text, more = s.expr(p, p.form.app, text)
		edits = append(edits, more...)
	}
	return text, edits
}

// later reports whether the appending forms of the parts are there in the
// version of Go that the file asks for.
func (s *site) later(parts []part) bool {
	for _, p := range parts {
		if p.form.since != "" && !rewrite.Since(s.pass, s.file, p.form.since) {
			s.refuse("typed", p.arg, "the function that appends it came with "+p.form.since)
			return false
		}
	}
	return true
}

// write is the edit of fmt.Fprintf(w, …) to a buffer in memory.
func (s *site) write() {
	if len(s.call.Args) < 2 {
		return
	}
	w := ast.Unparen(s.call.Args[0])
	if memory(s.pass.TypesInfo.TypeOf(w)) == "" {
		s.refuse("typed", w, "it writes to what may tell one write from several")
		return
	}
	st := s.at.Parent()
	if _, ok := st.Node().(*ast.ExprStmt); !ok {
		s.refuse("typed", s.call, "its results are used")
		return
	}
	parts, ok := s.parts(1)
	if !ok {
		return
	}
	if u, ok := w.(*ast.UnaryExpr); ok {
		w = u.X // &buf
	}
	s.writes(st, w, parts)
}

// writes is the edit of a statement that writes formatted text to w: a write
// for each part, or one of all of them.
func (s *site) writes(st inspector.Cursor, w ast.Expr, parts []part) {
	switch st.ParentEdgeKind() {
	case edge.BlockStmt_List, edge.CaseClause_Body, edge.CommClause_Body:
	default:
		s.refuse("typed", st.Node(), "it is not a statement of a list")
		return
	}
	if !loop.Chain(w) {
		s.refuse("typed", w, "what it writes to is not named by a variable")
		return
	}
	if !s.apart(parts) {
		return
	}
	const says = "write with package strconv, which knows the types"
	name := rewrite.Text(s.pass.Fset, w)
	if !s.certain(parts) {
		// In one write: the panic of an argument comes before it.
		text, edits := s.joined(parts)
		s.offer("typed", says, append(edits, rewrite.Replace(st.Node(), name+".WriteString("+text+")"))...)
		return
	}
	kind := memory(s.pass.TypesInfo.TypeOf(w))
	buffer := kind != "strings.Builder" && rewrite.Since(s.pass, s.file, map[string]string{"bytes.Buffer": "go1.21", "bufio.Writer": "go1.18"}[cmp.Or(kind, "-")])
	if !rewrite.Universal(s.pass.Pkg, s.call.Pos(), "append") {
		buffer = false
	}
	if buffer && slices.ContainsFunc(parts, func(p part) bool { return p.arg != nil && p.form.pkg != "" }) {
		if s.later(parts) {
			text, edits := s.nested(name+".AvailableBuffer()", parts)
			s.offer("typed", says, append(edits, rewrite.Replace(st.Node(), name+".Write("+text+")"))...)
		}
		return
	}
	var edits []analysis.TextEdit
	var lines []string
	for _, p := range parts {
		text := strconv.Quote(p.text)
		if p.arg != nil {
			var more []analysis.TextEdit
			text, more = s.expr(p, p.form.str, "")
			edits = append(edits, more...)
		}
		lines = append(lines, name+".WriteString("+text+")")
	}
	s.offer("typed", says, append(edits, rewrite.Replace(st.Node(), strings.Join(lines, "\n")))...)
}
