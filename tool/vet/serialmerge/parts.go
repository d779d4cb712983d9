package serialmerge

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/atonce"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// collected returns the loops, after the goroutines of a site have ended, that go
// over a slice and append to another what a function makes of each element.
func (c *check) collected(s *spawn.Site) (all []shape.Finding) {
	if s.Join == nil || s.Up != nil || s.Func == nil {
		return nil
	}
	join, ok := c.Find(s.Join)
	if !ok {
		return nil
	}
	at, ok := uses.Statement(join)
	for ok {
		if at, ok = at.NextSibling(); !ok {
			break
		}
		r, isRange := at.Node().(*ast.RangeStmt)
		if !isRange || c.seen[r] {
			continue
		}
		p := &parts{c: c, fn: s.Func, loop: at, stmt: r}
		if !p.appends() {
			continue
		}
		c.seen[r] = true
		f := shape.Finding{
			Pos: r.Pos(), End: r.Body.Lbrace,
			Message: fmt.Sprintf("one goroutine makes all of %s, when the others have ended", p.out.Name()),
			Func:    s.Func,
			Causes:  []string{"serial", "imbalance"},
			Hot:     []shape.Range{shape.Of(r)},
			Shared:  shape.All(spawn.Called(c.Pass, r.Body)),
		}
		if edits, why, pos := p.edits(); why != "" {
			f.Refused = []shape.Refusal{{Name: "parts", Why: why, Pos: pos}}
		} else {
			f.Fixes = []shape.Fix{{Name: "parts", Says: "let a goroutine for each processor make a part, and put the parts together in order", Edits: edits,
				Dearer: shape.Memory("what is made", "the parts beside the whole")}}
		}
		all = append(all, f)
	}
	return all
}

// parts is a loop that appends to a slice.
type parts struct {
	c    *check
	fn   *ast.FuncDecl
	loop inspector.Cursor
	stmt *ast.RangeStmt
	out  *types.Var
}

// appends reports whether the loop sets a slice to what it was with more at its
// end, by more than the builtin append, and finds which.
func (p *parts) appends() bool {
	info := p.c.Pass.TypesInfo
	works := false
	ast.Inspect(p.stmt.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if call := appended(n); call != nil && p.out == nil {
				if v := loop.Var(info, n.Lhs[0]); v != nil && v == loop.Var(info, call.Args[0]) {
					p.out = v
				}
			}
		case *ast.CallExpr:
			works = works || loop.Builtin(info, n) == "" && !info.Types[n.Fun].IsType()
		}
		return true
	})
	if p.out == nil || !works || p.stmt.Pos() <= p.out.Pos() && p.out.Pos() < p.stmt.End() {
		return false
	}
	_, slice := p.out.Type().Underlying().(*types.Slice)
	return slice
}

// appended returns the call in s = f(s, …), or nil.
func appended(a *ast.AssignStmt) *ast.CallExpr {
	if a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil
	}
	call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return nil
	}
	return call
}

// edits lets goroutines append to slices of their own.
func (p *parts) edits() (edits []analysis.TextEdit, why string, pos token.Pos) {
	c, r, info := p.c, p.stmt, p.c.Pass.TypesInfo
	text := func(n ast.Node) string { return rewrite.Text(c.Pass.Fset, n) }
	if _, ok := info.TypeOf(r.X).Underlying().(*types.Slice); !ok || !loop.Chain(r.X) {
		return nil, text(r.X) + " is no slice with a name", r.X.Pos()
	}
	if id, ok := r.Key.(*ast.Ident); r.Key != nil && (!ok || id.Name != "_") || r.Value != nil && r.Tok != token.DEFINE {
		return nil, "the loop numbers its elements", r.Pos()
	}
	if c.Recovers() {
		return nil, "a panic would be another goroutine's", r.Pos()
	}
	for _, x := range rewrite.Leaves(info, r.Body, false) {
		if x.How != "panic" && x.How != "continue" {
			return nil, "the loop may end early, by " + x.How, x.Pos
		}
	}
	// Nothing else has the memory behind the slice.
	for _, use := range c.Uses.Of(p.out) {
		switch n := use.Node(); {
		case c.Uses.Declares(use):
			stmt, ok := uses.Statement(use)
			if !ok || stmt.Parent() != p.loop.Parent() || !made(info, use) {
				return nil, p.out.Name() + " is not made beside the loop", n.Pos()
			}
		case n.Pos() < r.Pos():
			return nil, p.out.Name() + " is used before the loop", n.Pos()
		}
	}
	a := &appending{c: c, own: r, dst: p.out}
	if n := a.list(r.Body.List); n != nil {
		return nil, "the loop does more with " + p.out.Name() + " than to append", n.Pos()
	}
	if bar := a.reads(); bar != nil {
		return nil, "the loop " + bar.Why, bar.At.Pos()
	}
	file := rewrite.File(c.Pass, r.Pos())
	of, ok := rewrite.Type(c.Pass.Pkg, file, r.Pos(), p.out.Type())
	if !ok {
		return nil, "the type of " + p.out.Name() + " has no name here", r.Pos()
	}
	name := func(s string) string { return c.Name(p.fn, r, s) }
	all, group, w, part := name("parts"), name("wg"), name("w"), name("part")
	runtime, edits := rewrite.Import(c.Pass.Pkg, file, "runtime", r.Pos())
	sync, more := rewrite.Import(c.Pass.Pkg, file, "sync", r.Pos())
	out, xs := p.out.Name(), text(r.X)
	begin, end, _ := strings.Cut(inline.Start(info, file, group, "\x00"), "\x00")
	// The first part goes where all went, so that it is not moved.
	before := fmt.Sprintf("%s := make([]%s, max(1, min(%s.GOMAXPROCS(0), len(%s))))\nvar %s %s.WaitGroup\nfor %s := range %s {\n", all, of, runtime, xs, group, sync, w, all) +
		begin + fmt.Sprintf("%s := %[1]s\nif %[2]s > 0 {\n%[1]s = make(%[3]s, 0, (cap(%[1]s)-len(%[1]s))/len(%[4]s))\n}\n", out, w, of, all)
	after := fmt.Sprintf("\n%s[%s] = %s", all, w, out) + end +
		fmt.Sprintf("\n}\n%s.Wait()\n%s = %s[0]\nfor _, %s := range %[3]s[1:] {\n%[2]s = append(%[2]s, %[4]s...)\n}", group, out, all, part)
	return append(append(edits, more...),
		rewrite.Insert(r.Pos(), before),
		rewrite.Insert(r.X.End(), fmt.Sprintf("[len(%s)*%s/len(%s) : len(%[1]s)*(%[2]s+1)/len(%[3]s)]", xs, w, all)),
		rewrite.Insert(r.End(), after)), "", 0
}

// made reports whether a slice is declared as nil or with memory of its own.
func made(info *types.Info, decl inspector.Cursor) bool {
	switch d := decl.Parent().Node().(type) {
	case *ast.ValueSpec:
		return len(d.Values) == 0
	case *ast.AssignStmt:
		if len(d.Lhs) != len(d.Rhs) {
			return false
		}
		switch e := ast.Unparen(d.Rhs[decl.ParentEdgeIndex()]).(type) {
		case *ast.CompositeLit:
			return true
		case *ast.CallExpr:
			return loop.Builtin(info, e) == "make"
		}
	}
	return false
}

// appending is code that does nothing with a slice but append to it.
type appending struct {
	c    *check
	own  ast.Node   // variables that this declares are its own
	dst  *types.Var // the slice
	ends bool       // it is the body of a function, which returns the slice
	rest []ast.Node // what it does beside
}

// list looks at statements and returns what does more with the slice.
func (a *appending) list(list []ast.Stmt) ast.Node {
	for _, s := range list {
		if n := a.stmt(s); n != nil {
			return n
		}
	}
	return nil
}

func (a *appending) stmt(s ast.Stmt) ast.Node {
	info := a.c.Pass.TypesInfo
	switch s := s.(type) {
	case nil:
		return nil
	case *ast.AssignStmt:
		if len(s.Lhs) == 1 && loop.Var(info, s.Lhs[0]) == a.dst && s.Tok == token.ASSIGN && len(s.Rhs) == 1 {
			return a.expr(s.Rhs[0])
		}
	case *ast.ReturnStmt:
		if a.ends && len(s.Results) == 1 {
			return a.expr(s.Results[0])
		}
		return s
	case *ast.BlockStmt:
		return a.list(s.List)
	case *ast.IfStmt:
		if n := a.stmt(s.Init); n != nil {
			return n
		}
		if n := a.list(s.Body.List); n != nil {
			return n
		}
		return either(a.beside(s.Cond), a.stmt(s.Else))
	case *ast.RangeStmt:
		switch info.TypeOf(s.X).Underlying().(type) {
		case *types.Slice, *types.Array, *types.Basic:
			if s.Tok != token.ASSIGN {
				return either(a.beside(s.X), a.list(s.Body.List))
			}
		}
	}
	return a.beside(s)
}

// either returns the first node that there is.
func either(a, b ast.Node) ast.Node {
	if a != nil {
		return a
	}
	return b
}

// expr looks at what the slice is set to.
func (a *appending) expr(e ast.Expr) ast.Node {
	info := a.c.Pass.TypesInfo
	if loop.Var(info, ast.Unparen(e)) == a.dst {
		return nil
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) == 0 || !a.c.appender(call) {
		return e
	}
	for _, x := range call.Args[1:] {
		if n := a.beside(x); n != nil {
			return n
		}
	}
	return a.expr(call.Args[0])
}

// beside books what is not about the slice, and returns where it is.
func (a *appending) beside(n ast.Node) (at ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && a.c.Pass.TypesInfo.Uses[id] == types.Object(a.dst) {
			at = id
		}
		return at == nil
	})
	a.rest = append(a.rest, n)
	return at
}

// reads returns what stands against running the code beside others of its kind.
func (a *appending) reads() *atonce.Bar {
	return a.c.reader.Read(&atonce.Code{Own: a.own}, a.rest...)
}

// appender reports whether a call returns its first operand with more at its end,
// and does nothing else that others see: append, strconv.AppendInt, and functions of
// the package that are made of such.
func (c *check) appender(call *ast.CallExpr) bool {
	if loop.Builtin(c.Pass.TypesInfo, call) == "append" {
		return true
	}
	fn := section.Callee(c.Pass.TypesInfo, call)
	if fn == nil || fn.Signature().Recv() != nil || fn.Pkg() == nil {
		return false
	}
	decl, ok := c.Uses.Declaration(fn)
	if !ok {
		return strings.HasPrefix(fn.Name(), "Append") && slices.Contains([]string{"fmt", "strconv", "unicode/utf8", "encoding/binary"}, fn.Pkg().Path())
	}
	yes, known := c.appenders[fn.Origin()]
	if known {
		return yes
	}
	c.appenders[fn.Origin()] = false // as long as it is asked
	sig, body := fn.Signature(), decl.Node().(*ast.FuncDecl).Body
	if sig.Results().Len() != 1 || sig.Results().At(0).Name() != "" || sig.Params().Len() == 0 || sig.Variadic() && sig.Params().Len() == 1 || !types.Identical(sig.Params().At(0).Type(), sig.Results().At(0).Type()) {
		return false
	}
	a := &appending{c: c, own: decl.Node(), dst: sig.Params().At(0), ends: true}
	yes = a.list(body.List) == nil && a.reads() == nil
	c.appenders[fn.Origin()] = yes
	return yes
}
