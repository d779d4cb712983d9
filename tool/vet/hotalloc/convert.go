package hotalloc

import (
	"go/ast"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// convert looks at []byte(s) and string(b) as an argument.
func (s *search) convert(c inspector.Cursor, conv *ast.CallExpr) {
	info := s.pass.TypesInfo
	if len(conv.Args) != 1 || !info.Types[conv.Fun].IsType() || info.Types[conv].Value != nil || c.ParentEdgeKind() != edge.CallExpr_Args {
		return
	}
	to, from := info.TypeOf(conv), info.TypeOf(conv.Args[0])
	bytes, text := types.NewSlice(types.Typ[types.Byte]), types.Typ[types.String]
	call := c.Parent().Node().(*ast.CallExpr)
	var fix shape.Fix
	switch {
	case types.Identical(to, bytes) && types.Identical(from, text):
		fix = s.written(c, conv, call)
	case types.Identical(to, text) && types.Identical(from, bytes):
		fix = s.searched(c, conv, call)
	}
	if fix.Edits == nil || s.comments(c, call) {
		return
	}
	f := s.finding(c, uses.Around(c), s.text(conv)+" copies what is only read")
	s.add(f, fix, nil)
}

// written: w.Write([]byte(s)) and append(b, []byte(s)...).
func (s *search) written(c inspector.Cursor, conv, call *ast.CallExpr) (fix shape.Fix) {
	info := s.pass.TypesInfo
	x := conv.Args[0]
	bare := []analysis.TextEdit{{Pos: conv.Pos(), End: x.Pos()}, {Pos: x.End(), End: conv.End()}}
	if loop.Builtin(info, call) == "append" && call.Ellipsis.IsValid() && call.Args[1] == ast.Expr(conv) && types.Identical(info.TypeOf(call), types.NewSlice(types.Typ[types.Byte])) {
		return shape.Fix{Name: "direct", Says: "append the string itself", Edits: bare}
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Write" || len(call.Args) != 1 {
		return fix
	}
	fn, ok := info.Uses[sel.Sel].(*types.Func)
	if !ok || !contract(fn) {
		return fix
	}
	l, inLoop := loop.Around(info, c)
	switch t := uses.Deref(info.TypeOf(sel.X)); {
	case uses.Is(t, "bytes", "Buffer"), uses.Is(t, "strings", "Builder"), uses.Is(t, "bufio", "Writer"), uses.Is(t, "os", "File"):
		return shape.Fix{Name: "direct", Says: "write the string itself", Edits: append(bare, rewrite.Replace(sel.Sel, "WriteString"))}
	case inLoop && l.Invariant(x) && uses.Listed(l.Whole()):
		before, why := l.Before()
		if why != "" {
			return fix
		}
		name := s.fresh(loop.Func(l.At), "data")
		return shape.Fix{Name: "hoist", Says: "convert it once before the loop", Edits: []analysis.TextEdit{
			rewrite.Insert(before, name+" := "+s.text(conv)+"\n"), rewrite.Replace(conv, name),
		}}
	}
	return fix
}

// twins are functions that packages strings and bytes have alike.
var twins = map[string]bool{
	"Contains": true, "Count": true, "EqualFold": true, "HasPrefix": true, "HasSuffix": true, "Index": true,
	"IndexAny": true, "IndexByte": true, "IndexRune": true, "LastIndex": true, "ContainsAny": true, "ContainsRune": true,
}

// searched: strings.Contains(string(b), "x").
func (s *search) searched(c inspector.Cursor, conv, call *ast.CallExpr) (fix shape.Fix) {
	info := s.pass.TypesInfo
	fn := typeutil.StaticCallee(info, call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "strings" || !twins[fn.Name()] || call.Args[0] != ast.Expr(conv) || len(call.Args) != 2 {
		return fix
	}
	pkg, edits := rewrite.Import(s.pass.Pkg, s.file(c), "bytes", call.Pos())
	edits = append(edits, rewrite.Replace(call.Fun, pkg+"."+fn.Name()))
	x := conv.Args[0]
	edits = append(edits, analysis.TextEdit{Pos: conv.Pos(), End: x.Pos()}, analysis.TextEdit{Pos: x.End(), End: conv.End()})
	switch fn.Name() {
	case "Contains", "Count", "EqualFold", "HasPrefix", "HasSuffix", "Index", "LastIndex":
		// The second is a slice, too. That of a constant costs nothing.
		arg := call.Args[1]
		if other, ok := ast.Unparen(arg).(*ast.CallExpr); ok && info.Types[other.Fun].IsType() && len(other.Args) == 1 && types.Identical(info.TypeOf(other.Args[0]), types.NewSlice(types.Typ[types.Byte])) {
			edits = append(edits, rewrite.Replace(other, s.text(other.Args[0])))
			break
		}
		if info.Types[arg].Value == nil || !rewrite.Universal(s.pass.Pkg, call.Pos(), "byte") {
			return fix
		}
		edits = append(edits, rewrite.Insert(arg.Pos(), "[]byte("), rewrite.Insert(arg.End(), ")"))
	}
	return shape.Fix{Name: "direct", Says: "look at the bytes themselves, with package " + strconv.Quote("bytes"), Edits: edits}
}
