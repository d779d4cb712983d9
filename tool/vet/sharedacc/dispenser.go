package sharedacc

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// blocks are how many items a goroutine takes at once.
var blocks = []int{16, 64, 256, 1024}

// A dispenser is a loop of goroutines that take the number of the next item,
// one at a time, until there are no more:
//
//	for i := next.Add(1) - 1; i < n; i = next.Add(1) - 1 {
//		…
//	}
//
//	for {
//		i := int(next.Add(1)) - 1
//		if i >= n {
//			break
//		}
//		…
//	}
type dispenser struct {
	*check
	l     *local.Loop
	next  *types.Var       // the counter
	i     *types.Var       // the item
	names []ast.Node       // i where it is the first of a block
	takes []ast.Expr       // what gives i
	adds  []ast.Node       // where the counter is used
	inc   ast.Stmt         // next++ under a lock, nil if the additions are atomic
	test  *ast.IfStmt      // that leaves the loop, nil if its header does
	item  ast.Expr         // i in the test: i or int(i)
	n     ast.Expr         // the number of items
	from  token.Pos        // where the body begins
	whole inspector.Cursor // the body of the loop
}

// block offers to take several items at once, if the loop is a dispenser.
func (c *check) block(f *shape.Finding, l *local.Loop, p *local.Place) {
	d := &dispenser{check: c, l: l, next: c.Uses.Var(p.Expr)}
	for _, u := range p.Uses {
		if u.Kind != local.Add || u.Call.ParentEdgeKind() == edge.ExprStmt_X {
			return
		}
		d.adds = append(d.adds, u.Call.Node())
	}
	if d.next == nil || !d.parse() {
		return
	}
	d.offer(f, p)
}

// offer makes the edits, or says why there are none.
func (d *dispenser) offer(f *shape.Finding, p *local.Place) {
	if why, at := d.refused(p); why != "" {
		f.Refused = append(f.Refused, shape.Refusal{Name: "block", Why: why, Pos: at})
		return
	}
	loop := d.l.At.Node().(*ast.ForStmt)
	from, to := d.Name(d.l.Func(), loop, "from"), d.Name(d.l.Func(), loop, "to")
	xs, elements := d.elements()
	x := ""
	if elements != nil {
		x = d.Name(d.l.Func(), loop, "item")
	}
	for _, k := range blocks {
		var edits []analysis.TextEdit
		for _, id := range d.names {
			edits = append(edits, rewrite.Replace(id, from))
		}
		for _, e := range d.takes {
			edits = append(edits, d.take(e, k)...)
		}
		if d.inc != nil {
			edits = append(edits, rewrite.Replace(d.inc, fmt.Sprintf("%s += %d", p.Text(), k)))
		}
		n := rewrite.Text(d.Pass.Fset, d.n)
		head := fmt.Sprintf("\nfor %[1]s, %[2]s := %[3]s, min(%[3]s+%[4]d, %[5]s); %[1]s < %[2]s; %[1]s++ {", d.i.Name(), to, from, k, n)
		if _, plain := ast.Unparen(d.item).(*ast.Ident); !plain {
			head = fmt.Sprintf("\nfor %[1]s := %[2]s; %[1]s < %[2]s+%[3]d && %[4]s < %[5]s; %[1]s++ {", d.i.Name(), from, k, rewrite.Text(d.Pass.Fset, d.item), n)
		}
		if elements != nil {
			head = fmt.Sprintf("\nfor _, %[1]s := range %[2]s[%[3]s:min(%[3]s+%[4]d, %[5]s)] {", x, xs, from, k, n)
			for _, e := range elements {
				edits = append(edits, rewrite.Replace(e, x))
			}
		}
		edits = append(edits, rewrite.Insert(d.from, head), rewrite.Insert(loop.Body.Rbrace, "}\n"))
		f.Fixes = append(f.Fixes, shape.Fix{
			Name: "block", Value: k,
			Says:  fmt.Sprintf("take %d items at once", k),
			Edits: edits,
		})
	}
}

// elements returns the slice whose elements the items are, and where the loop reads
// one, if it does nothing else with the number: to range over a part of the slice
// takes no look at its bounds for each item.
func (d *dispenser) elements() (xs string, all []ast.Expr) {
	info := d.Pass.TypesInfo
	if _, plain := ast.Unparen(d.item).(*ast.Ident); !plain {
		return "", nil
	}
	n := ast.Unparen(d.n)
	for {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return "", nil
		}
		n = ast.Unparen(call.Args[0])
		if b, ok := info.Uses[callee(call)].(*types.Builtin); ok && b.Name() == "len" {
			break
		}
	}
	of, _ := n.(*ast.Ident)
	v, ok := info.Uses[of].(*types.Var)
	if !ok || v.Parent() == d.Pass.Pkg.Scope() || d.sections.Effects(d.whole).Writes[v] {
		return "", nil
	}
	slice, ok := v.Type().Underlying().(*types.Slice)
	if !ok {
		return "", nil
	}
	if _, small := slice.Elem().Underlying().(*types.Basic); !small {
		return "", nil
	}
	for _, use := range d.Uses.Of(d.i) {
		if use.Node().Pos() < d.from || d.l.At.Node().End() <= use.Node().Pos() {
			continue
		}
		at := use.Parent()
		x, ok := at.Node().(*ast.IndexExpr)
		if !ok || use.ParentEdgeKind() != edge.IndexExpr_Index || d.Uses.Var(x.X) != v || uses.Written(uses.Whole(at)) {
			return "", nil
		}
		all = append(all, x)
	}
	return of.Name, all
}

// blockLocked offers the same where the section of a lock is what takes an item:
//
//	mu.Lock()
//	i := next
//	next++
//	mu.Unlock()
func (c *check) blockLocked(f *shape.Finding, l *local.Loop, s *section.Section) {
	loop, ok := l.At.Node().(*ast.ForStmt)
	if !ok || len(loop.Body.List) < 6 || len(s.Stmts) != 2 || s.Enter.Node() != ast.Node(loop.Body.List[0]) || s.Leave.Node() != ast.Node(loop.Body.List[3]) {
		return
	}
	get, ok := loop.Body.List[1].(*ast.AssignStmt)
	inc, isInc := loop.Body.List[2].(*ast.IncDecStmt)
	if !ok || !isInc || inc.Tok != token.INC || len(get.Rhs) != 1 {
		return
	}
	p, ok := local.PlaceOf(c.Uses, inc.X, l.At)
	if !ok || !p.Same(c.Pass.TypesInfo, get.Rhs[0]) {
		return
	}
	d := &dispenser{check: c, l: l, next: c.Uses.Var(inc.X), inc: inc, adds: []ast.Node{get, inc}}
	if d.next == nil || d.next.IsField() != s.Lock.Var.IsField() || !d.parse() {
		return
	}
	d.offer(f, p)
}

// parse finds the parts of the loop.
func (d *dispenser) parse() bool {
	loop, ok := d.l.At.Node().(*ast.ForStmt)
	if !ok {
		return false
	}
	if d.whole, ok = d.l.At.FindNode(loop.Body); !ok {
		return false
	}
	if loop.Init != nil && d.inc == nil {
		post, ok := loop.Post.(*ast.AssignStmt)
		if !ok || post.Tok != token.ASSIGN || !d.taken(loop.Init, token.DEFINE) || !d.taken(post, token.ASSIGN) ||
			types.ExprString(d.takes[0]) != types.ExprString(d.takes[1]) {
			return false
		}
		d.from = loop.Body.Lbrace + 1
		return d.bound(loop.Cond, token.LSS, token.GTR) && len(d.adds) == 2
	}
	list, first, after := loop.Body.List, 0, 1
	if d.inc != nil {
		first, after = 1, 4
	}
	if loop.Init != nil || loop.Cond != nil || loop.Post != nil || len(list) < after+2 || !d.taken(list[first], token.DEFINE) {
		return false
	}
	test, ok := list[after].(*ast.IfStmt)
	if !ok || test.Init != nil || test.Else != nil || !d.bound(test.Cond, token.GEQ, token.LEQ) {
		return false
	}
	switch last := test.Body.List; {
	case len(last) == 0:
		return false
	default:
		b, isBranch := last[len(last)-1].(*ast.BranchStmt)
		_, isReturn := last[len(last)-1].(*ast.ReturnStmt)
		if !isReturn && (!isBranch || b.Tok != token.BREAK || b.Label != nil) {
			return false
		}
	}
	d.test, d.from = test, test.End()
	return len(d.adds) == 1 || d.inc != nil
}

// taken takes i := next.Add(1) - 1.
func (d *dispenser) taken(s ast.Stmt, tok token.Token) bool {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != tok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return false
	}
	v := d.Uses.Var(a.Lhs[0])
	if v == nil || d.i != nil && v != d.i {
		return false
	}
	d.i, d.names = v, append(d.names, a.Lhs[0])
	if d.inc != nil {
		return true
	}
	d.takes = append(d.takes, a.Rhs[0])
	return d.number(a.Rhs[0]) != nil
}

// A number is how an item is made of what the addition returns.
type number struct {
	add *ast.CallExpr
	off *ast.BinaryExpr // with a constant, or nil
}

func (d *dispenser) number(e ast.Expr) (num *number) {
	info := d.Pass.TypesInfo
	num = &number{}
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.BinaryExpr:
			if num.off != nil || x.Op != token.SUB && x.Op != token.ADD || info.Types[x.Y].Value == nil {
				return nil
			}
			num.off, e = x, x.X
		case *ast.CallExpr:
			if info.Types[x.Fun].IsType() && wide(info.TypeOf(x)) {
				e = x.Args[0]
				continue
			}
			if !slices.Contains(d.adds, ast.Node(x)) {
				return nil
			}
			one := info.Types[x.Args[len(x.Args)-1]].Value
			if one == nil || !constant.Compare(one, token.EQL, constant.MakeInt64(1)) {
				return nil
			}
			num.add = x
			return num
		default:
			return nil
		}
	}
}

// take makes an item the first of k.
func (d *dispenser) take(e ast.Expr, k int) (edits []analysis.TextEdit) {
	num := d.number(e)
	off := int64(0)
	if x := num.off; x != nil {
		off, _ = constant.Int64Val(constant.ToInt(d.Pass.TypesInfo.Types[x.Y].Value))
		if x.Op == token.SUB {
			off = -off
		}
	}
	edits = append(edits, rewrite.Replace(num.add.Args[len(num.add.Args)-1], fmt.Sprint(k)))
	text := fmt.Sprintf(" - %d", int64(k-1)-off)
	if off > int64(k-1) {
		text = fmt.Sprintf(" + %d", off-int64(k-1))
	}
	if num.off != nil {
		return append(edits, analysis.TextEdit{Pos: num.off.X.End(), End: num.off.Y.End(), NewText: []byte(text)})
	}
	return append(edits, rewrite.Insert(e.End(), text))
}

// bound takes i < n, or n > i.
func (d *dispenser) bound(e ast.Expr, op, turned token.Token) bool {
	x, ok := e.(*ast.BinaryExpr)
	if !ok {
		return false
	}
	switch x.Op {
	case op:
		d.item, d.n = x.X, x.Y
	case turned:
		d.item, d.n = x.Y, x.X
	default:
		return false
	}
	id := ast.Unparen(d.item)
	if call, ok := id.(*ast.CallExpr); ok && d.Pass.TypesInfo.Types[call.Fun].IsType() {
		id = ast.Unparen(call.Args[0])
	}
	if d.Uses.Var(id) != d.i {
		return false
	}
	d.names = append(d.names, id)
	return true
}

// refused says why items are not taken in blocks.
func (d *dispenser) refused(p *local.Place) (why string, at token.Pos) {
	info := d.Pass.TypesInfo
	switch d.l.At.ParentEdgeKind() {
	case edge.BlockStmt_List, edge.CaseClause_Body, edge.CommClause_Body:
	default:
		return "the loop has a label", d.from
	}
	for _, t := range []types.Type{p.Type, d.i.Type()} {
		if !wide(t) {
			return d.next.Name() + " or " + d.i.Name() + " may overflow: it grows beyond the last item, by a block for each goroutine", p.Expr.Pos()
		}
	}
	if !rewrite.Universal(d.Pass.Pkg, d.from, "min") {
		return "min means something else here", d.from
	}
	if d.next.IsField() && d.inc == nil && types.Identical(d.next.Type(), p.Type) {
		return "a copy of the struct may have " + d.next.Name(), d.next.Pos() // atomics and locks are not copied
	}
	if why, at := d.alone(); why != "" {
		return why, at
	}
	for _, x := range rewrite.Leaves(info, d.whole.Node(), false) {
		if x.How != "continue" && !(d.test != nil && d.test.Pos() <= x.Pos && x.Pos < d.test.End()) {
			return "by a " + x.How + " a goroutine leaves the items that it has taken", x.Pos
		}
	}
	if why, at := d.l.Rescued(p); why != "" {
		return why, at
	}
	fn, _ := uses.Func(d.l.At)
	for _, use := range d.Uses.Of(d.i) {
		pos := use.Node().Pos()
		switch in, _ := uses.Func(use); {
		case in != fn:
			return "a function literal has " + d.i.Name(), pos
		case pos >= d.from && uses.Written(uses.Whole(use)):
			return "the loop sets " + d.i.Name(), pos
		case d.test != nil && pos > d.test.Cond.End() && pos < d.from:
			return d.i.Name() + " is used after the last item", pos
		}
	}
	return d.waits()
}

// wide reports whether t is an integer of 64 bits, or of the size of addresses.
func wide(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return false
	}
	switch b.Kind() {
	case types.Int, types.Int64, types.Uint, types.Uint64, types.Uintptr:
		return true
	}
	return false
}

// alone says why somebody else than the loop might look at the counter.
func (d *dispenser) alone() (why string, at token.Pos) {
	known := func(use inspector.Cursor) bool {
		pos := use.Node().Pos()
		return slices.ContainsFunc(d.adds, func(a ast.Node) bool { return a.Pos() <= pos && pos < a.End() })
	}
	if _, param := d.l.Site.Args[d.next]; param {
		return d.next.Name() + " is a parameter: its caller may look at it", d.next.Pos()
	}
	if why := d.Uses.Unseen(d.next); why != "" {
		return why, d.next.Pos()
	}
	for _, use := range d.Uses.Of(d.next) {
		if !d.Uses.Declares(use) && !known(use) && !d.resets(use) {
			return "something else uses " + d.next.Name(), use.Node().Pos()
		}
	}
	return "", 0
}

// resets reports whether a use sets the counter before the goroutines start.
func (d *dispenser) resets(use inspector.Cursor) bool {
	st, ok := uses.Statement(use)
	if !ok {
		return false
	}
	switch x := st.Node().(type) {
	case *ast.AssignStmt:
		if x.Tok != token.ASSIGN || uses.Whole(use).ParentEdgeKind() != edge.AssignStmt_Lhs {
			return false
		}
	case *ast.ExprStmt:
		call, ok := x.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		fn := section.Callee(d.Pass.TypesInfo, call)
		if fn == nil || !atomically(fn) || !strings.HasPrefix(fn.Name(), "Store") {
			return false
		}
	default:
		return false
	}
	fn, ok := uses.Func(use)
	for s := d.l.Site; s != nil && ok; s = s.Up {
		if s.Join != nil && s.Func != nil && fn.Node() == ast.Node(s.Func) && use.Node().Pos() < s.Node.Pos() {
			return true
		}
	}
	return false
}

// waits says how an item may wait for another one, which the same goroutine may
// have taken, or change how many there are.
func (d *dispenser) waits() (why string, at token.Pos) {
	e := d.sections.Effects(d.whole)
	switch {
	case len(e.Waits) > 0:
		return "an item may wait for another", e.Waits[0].Pos()
	case len(e.Unknown) > 0:
		return "it calls what may wait for another item", e.Unknown[0].Pos()
	}
	for _, n := range e.Calls {
		if fn := section.Callee(d.Pass.TypesInfo, n.(*ast.CallExpr)); spawn.IsMethod(fn, "sync", "", "Wait") || spawn.IsMethod(fn, "sync", "Once", "Do") {
			return "an item may wait for another", n.Pos()
		}
	}
	if at := d.looks(d.whole, map[*types.Func]bool{}); at.IsValid() {
		return "an item looks at what another may have set", at
	}
	ast.Inspect(d.n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			b, ok := d.Pass.TypesInfo.Uses[callee(n)].(*types.Builtin)
			if !d.Pass.TypesInfo.Types[n.Fun].IsType() && (!ok || b.Name() != "len") {
				why = types.ExprString(n) + " may be another number each time"
			}
		case *ast.IndexExpr, *ast.StarExpr:
			why = types.ExprString(d.n) + " may be another number each time"
		case *ast.Ident:
			v, ok := d.Pass.TypesInfo.Uses[n].(*types.Var)
			if ok && (e.Writes[v.Origin()] || v == d.i || v == d.next) {
				why = v.Name() + " changes in the loop"
			}
		}
		return why == ""
	})
	return why, d.n.Pos()
}

func callee(call *ast.CallExpr) *ast.Ident {
	id, _ := ast.Unparen(call.Fun).(*ast.Ident)
	return id
}

// looks returns where code, or a function of the package that it calls, reads an
// atomic, other than by adding to it.
func (d *dispenser) looks(root inspector.Cursor, done map[*types.Func]bool) token.Pos {
	for c := range root.Preorder((*ast.CallExpr)(nil)) {
		fn := section.Callee(d.Pass.TypesInfo, c.Node().(*ast.CallExpr))
		if fn == nil || done[fn] {
			continue
		}
		done[fn] = true
		if atomically(fn) && !strings.HasPrefix(fn.Name(), "Add") && !strings.HasPrefix(fn.Name(), "Store") {
			return c.Node().Pos()
		}
		if decl, ok := d.Uses.Declaration(fn); ok {
			if at := d.looks(decl, done); at.IsValid() {
				return at
			}
		}
	}
	return token.NoPos
}

func atomically(fn *types.Func) bool { return fn.Pkg() != nil && fn.Pkg().Path() == "sync/atomic" }
