package spinwait

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// mutex makes the word a sync.Mutex. hot are the statements that take it or give
// it back.
func (c *check) mutex(w *word) (edits []analysis.TextEdit, hot []ast.Node, why string, at token.Pos) {
	b := &balance{check: c, does: map[ast.Stmt]step{}, seen: map[ast.Stmt]bool{}}
	for _, s := range w.spins {
		b.does[s.Node().(ast.Stmt)] = c.step(true, s.word)
		b.at = append(b.at, s.Cursor)
	}
	back := c.elsewhere(w)
	for _, u := range back {
		switch {
		case u.v == nil:
			return nil, nil, w.v.Name() + " is asked about or passed on elsewhere", u.Node().Pos()
		case u.name != "Store" || !c.is(false, u.args[0]):
			return nil, nil, w.v.Name() + " is taken or set in another way", u.Node().Pos()
		}
		b.does[u.stmt.Node().(ast.Stmt)] = c.step(false, u.word)
		b.at = append(b.at, u.stmt)
	}
	if why := c.uses.Unseen(w.v); why != "" {
		return nil, nil, why, w.v.Pos()
	}
	why, at = b.through()
	for st := range b.does {
		hot = append(hot, st)
	}
	slices.SortFunc(hot, func(a, b ast.Node) int { return cmp.Compare(a.Pos(), b.Pos()) })
	if why != "" {
		return nil, hot, why, at
	}
	decl, why, at := c.declaration(w)
	if why != "" {
		return nil, hot, why, at
	}
	var typ ast.Expr
	switch d := decl.Node().(type) {
	case *ast.Field:
		typ = d.Type
		st, ok := layout.Around(c.uses, c.name(w))
		if !ok {
			return nil, hot, w.v.Name() + " is a field of a type without a name", d.Pos()
		}
		if why, at := st.Relied(c.uses, c.pass.Pkg); why != "" {
			return nil, hot, why, at
		}
	case *ast.ValueSpec:
		typ = d.Type
	}
	var file *ast.File
	for f := range decl.Enclosing((*ast.File)(nil)) {
		file = f.Node().(*ast.File)
	}
	sync, imports := rewrite.Import(c.pass.Pkg, file, "sync", typ.Pos())
	edits = append(imports, rewrite.Replace(typ, sync+".Mutex"))
	for _, s := range w.spins {
		edits = append(edits, c.put(s, c.text(s.word)+".Lock()"))
	}
	for _, u := range back {
		for call := range u.Enclosing((*ast.CallExpr)(nil)) {
			edits = append(edits, rewrite.Replace(call.Node(), c.text(u.word)+".Unlock()"))
			break
		}
	}
	return edits, hot, "", 0
}

func (c *check) text(n ast.Node) string { return rewrite.Text(c.pass.Fset, n) }

// name is the identifier that declares a word.
func (c *check) name(w *word) (at inspector.Cursor) {
	for _, u := range c.uses.Of(w.v) {
		if c.uses.Declares(u) {
			at = u
		}
	}
	return at
}

// A step takes a lock or gives it back.
type step struct {
	takes bool
	lock  string // as its function names it
	names []*types.Var
}

func (c *check) step(takes bool, lock ...ast.Expr) (s step) {
	s.takes = takes
	for _, e := range lock {
		s.lock += c.text(e)
		ast.Inspect(e, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if v := c.uses.Var(id); v != nil {
					s.names = append(s.names, v)
					s.lock += fmt.Sprint("@", v.Pos()) // a name may stand for two
				}
			}
			return true
		})
	}
	return s
}

// A balance sees whether all who give a lock back have it.
type balance struct {
	*check
	does map[ast.Stmt]step
	at   []inspector.Cursor // its keys

	lock     string // that the function names
	names    map[*types.Var]bool
	deferred bool // it is given back at the end
	// Whether it was held where the innermost loop, and what a break leaves, began.
	loop, entry bool
	seen        map[ast.Stmt]bool
	why         string
	pos         token.Pos
}

func (b *balance) fail(n ast.Node, why string) {
	if b.why == "" {
		b.why, b.pos = why, n.Pos()
	}
}

// through follows all functions that take the lock or give it back. Calls of those
// that do nothing else count as what they do.
func (b *balance) through() (why string, at token.Pos) {
	done := map[ast.Node]bool{}
	for i := 0; i < len(b.at); i++ { // grows
		fn, ok := uses.Func(b.at[i])
		if !ok || done[fn.Node()] {
			continue
		}
		done[fn.Node()] = true
		switch n := fn.Node().(type) {
		case *ast.FuncDecl:
			if len(n.Body.List) == 1 && n.Body.List[0] == b.at[i].Node() && !isDefer(b.at[i]) {
				b.seen[n.Body.List[0]] = true
				b.calls(n, b.does[n.Body.List[0]].takes)
				continue
			}
			b.function(n, n.Body)
		case *ast.FuncLit:
			b.function(n, n.Body)
		}
	}
	for _, at := range b.at {
		if !b.seen[at.Node().(ast.Stmt)] {
			b.fail(at.Node(), "nobody sees what comes before it")
		}
	}
	return b.why, b.pos
}

func isDefer(c inspector.Cursor) bool { _, ok := c.Node().(*ast.DeferStmt); return ok }

// calls enters the calls of a function that does one step.
func (b *balance) calls(d *ast.FuncDecl, takes bool) {
	fn := b.info.Defs[d.Name].(*types.Func)
	open := fn.Exported() && b.pass.Pkg.Name() != "main"
	left := b.uses.Left.Uses(fn.Name())
	if recv := fn.Signature().Recv(); recv != nil {
		t := uses.Named(recv.Type())
		open, left = open && t != nil && t.Obj().Exported(), b.uses.Left.Selects(fn.Name())
	}
	if left != "" {
		b.fail(d.Name, left)
		return
	}
	if open {
		b.fail(d.Name, "other packages may call "+fn.Name())
		return
	}
	for id := range b.uses.Root.Preorder((*ast.Ident)(nil)) {
		o, ok := b.info.Uses[id.Node().(*ast.Ident)].(*types.Func)
		if !ok || o.Origin() != fn {
			continue
		}
		whole := uses.Whole(id)
		call := whole.Parent()
		if whole.ParentEdgeKind() != edge.CallExpr_Fun {
			b.fail(id.Node(), fn.Name()+" is used as a value")
			return
		}
		stmt := call.Parent()
		if k := call.ParentEdgeKind(); k != edge.ExprStmt_X && k != edge.DeferStmt_Call || takes && isDefer(stmt) {
			b.fail(id.Node(), fn.Name()+" is called where nobody sees what comes before it")
			return
		}
		lock := call.Node().(*ast.CallExpr).Args
		if sel, ok := whole.Node().(*ast.SelectorExpr); ok {
			lock = append([]ast.Expr{sel.X}, lock...)
		}
		b.does[stmt.Node().(ast.Stmt)] = b.step(takes, lock...)
		b.at = append(b.at, stmt)
	}
}

// function follows one that must have given back, at each end, what it took.
func (b *balance) function(fn ast.Node, body *ast.BlockStmt) {
	b.lock, b.names, b.deferred, b.loop, b.entry = "", nil, false, false, false
	if held, ends := b.list(body.List, false); !ends {
		b.end(body, held)
	}
}

// stays sees that what names the lock means the same one while it is held.
func (b *balance) stays(st ast.Stmt) {
	ast.Inspect(st, func(n ast.Node) bool {
		for _, e := range rewrite.Assigned(n) {
			if v := b.uses.Var(e); v != nil && b.names[v] {
				b.fail(e, "the lock that is meant may change")
			}
		}
		return true
	})
}

// end is where a function is left.
func (b *balance) end(at ast.Node, held bool) {
	if held != b.deferred {
		b.fail(at, "a function may leave with the lock held")
	}
}

// list follows statements, and reports whether the lock is held after them, or
// that nothing comes after.
func (b *balance) list(list []ast.Stmt, held bool) (after, ends bool) {
	for _, st := range list {
		if held, ends = b.stmt(st, held); ends || b.why != "" {
			return held, ends
		}
	}
	return held, false
}

func (b *balance) stmt(st ast.Stmt, held bool) (after, ends bool) {
	if s, ok := b.does[st]; ok {
		b.seen[st] = true
		if b.names == nil {
			b.lock, b.names = s.lock, map[*types.Var]bool{}
			for _, v := range s.names {
				b.names[v] = true
			}
		}
		_, deferred := st.(*ast.DeferStmt)
		switch {
		case b.lock != s.lock:
			b.fail(st, "a function has two of the locks")
		case s.takes == held, b.deferred:
			b.fail(st, "the lock may be given back by who does not have it")
		case deferred:
			b.deferred = true
			return held, false
		}
		return s.takes, false
	}
	if held {
		b.stays(st)
	}
	switch st := st.(type) {
	case *ast.BlockStmt:
		return b.list(st.List, held)
	case *ast.LabeledStmt:
		return b.stmt(st.Stmt, held)
	case *ast.IfStmt:
		a, aEnds := b.list(st.Body.List, held)
		e, eEnds := held, false
		if st.Else != nil {
			e, eEnds = b.stmt(st.Else, held)
		}
		switch {
		case aEnds:
			return e, eEnds
		case !eEnds && a != e:
			b.fail(st, "the lock is held in one way through a function and not in another")
		}
		return a, false
	case *ast.ForStmt:
		return b.again(held, st.Body), false
	case *ast.RangeStmt:
		return b.again(held, st.Body), false
	case *ast.SwitchStmt:
		return b.around(held, st.Body), false
	case *ast.TypeSwitchStmt:
		return b.around(held, st.Body), false
	case *ast.SelectStmt:
		return b.around(held, st.Body), false
	case *ast.CaseClause:
		return b.around(held, &ast.BlockStmt{List: st.Body}), false
	case *ast.CommClause:
		return b.around(held, &ast.BlockStmt{List: st.Body}), false
	case *ast.ReturnStmt:
		b.end(st, held)
		return held, true
	case *ast.BranchStmt:
		was := b.entry
		if st.Tok == token.CONTINUE {
			was = b.loop
		}
		if st.Tok == token.GOTO || st.Label != nil || st.Tok != token.FALLTHROUGH && held != was {
			b.fail(st, "a jump leads to where the lock may be held or not")
		}
		return held, true
	}
	return held, false
}

// again follows the body of a loop.
func (b *balance) again(held bool, body *ast.BlockStmt) bool {
	loop := b.loop
	b.loop = held
	b.around(held, body)
	b.loop = loop
	return held
}

// around follows what may be done several times, or not at all: it leaves the lock
// as it was.
func (b *balance) around(held bool, body *ast.BlockStmt) bool {
	entry, deferred := b.entry, b.deferred
	b.entry = held
	if after, ends := b.list(body.List, held); !ends && after != held || b.deferred != deferred {
		b.fail(body, "the lock is held in one way through a function and not in another")
	}
	b.entry = entry
	return held
}
