package spinwait

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// declaration is the type of a signal; the verbs are its name and that of package sync.
const declaration = `

// A %[1]s tells those who wait that something changed. The zero %[1]s is ready.
type %[1]s struct {
	mu   %[2]s.Mutex
	sent chan struct{} // closed by the next send; nil if nobody waits for it
}

// next returns a channel that the next send closes.
func (s *%[1]s) next() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sent == nil {
		s.sent = make(chan struct{})
	}
	return s.sent
}

// send wakes those who wait.
func (s *%[1]s) send() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sent != nil {
		close(s.sent)
		s.sent = nil
	}
}
`

// An edit collects what makes the loops of a home wait for a signal.
type edit struct {
	*home
	name  string // of the signal
	edits []analysis.TextEdit
	told  map[*section.Section]token.Pos // sections that send, and what they change first
	done  map[ast.Node]bool              // pieces that are told
	takes map[*wait]token.Pos            // loops whose looks change something, and where the first does
	reach map[*ast.FuncDecl]bool         // functions that looks call
}

func (h *home) edits() ([]analysis.TextEdit, *shape.Refusal) {
	e := &edit{home: h, told: map[*section.Section]token.Pos{}, done: map[ast.Node]bool{}, takes: map[*wait]token.Pos{}, reach: map[*ast.FuncDecl]bool{}}
	file := rewrite.File(h.pass, h.decl.Node().Pos())
	var in ast.Node = file
	if h.typ != nil {
		in = h.typ
	} else if d := uses.Decl(h.decl); d != nil {
		in = d
	}
	e.name = h.taken.Fresh(h.pass.Pkg, in, "changed")
	for _, w := range h.waits {
		for _, look := range w.looks {
			for _, d := range spawn.Called(h.pass, look.Node()) {
				e.reach[d] = true
			}
		}
	}
	var vars []*types.Var
	for v := range h.vars {
		vars = append(vars, v)
	}
	slices.SortFunc(vars, func(a, b *types.Var) int { return int(a.Pos() - b.Pos()) })
	for _, v := range vars {
		for _, at := range h.sites(v) {
			if e.looks(at) && e.always(at, v) {
				return nil, shape.No(at.Node(), "each look changes "+v.Name())
			}
			if no := e.tell(at, v.Name()); no != nil {
				return nil, no
			}
		}
	}
	e.sections()
	for _, w := range h.waits {
		if no := e.loop(w); no != nil {
			return nil, no
		}
	}
	no := e.declare(file)
	return e.edits, no
}

// insert puts a statement at a place.
func (e *edit) insert(at token.Pos, text string) { e.edits = append(e.edits, rewrite.Insert(at, text)) }

// send is the statement that sends the signal of a base.
func (e *edit) send(base string) string { return e.of(base) + ".send()" }

func (e *edit) of(base string) string {
	if base == "" {
		return e.name
	}
	return base + "." + e.name
}

// tell has the signal sent after a piece that changes name.
func (e *edit) tell(at inspector.Cursor, name string) *shape.Refusal {
	n := at.Node()
	if e.done[n] {
		return nil
	}
	e.done[n] = true
	decl := uses.Decl(at)
	for _, w := range e.waits {
		if slices.ContainsFunc(w.rests, func(st inspector.Cursor) bool { return spawn.Within(st.Node(), n) }) {
			return nil
		}
		if spawn.Within(w.loop, n) {
			if was, ok := e.takes[w]; !ok || n.Pos() < was {
				e.takes[w] = n.Pos()
			}
			return nil
		}
	}
	if decl != nil && e.reach[decl] {
		return e.callers(at, decl, name)
	}
	if s := e.within(n); s != nil {
		if slices.ContainsFunc(e.waits, func(w *wait) bool { return spawn.Within(s.Enter.Parent().Node(), w.loop) && n.End() <= w.loop.Pos() }) {
			return e.after(at, e.section(s)) // the loop gives the lock back
		}
		if was, ok := e.told[s]; !ok || n.Pos() < was {
			e.told[s] = n.Pos()
		}
		return nil
	}
	if base, ok := e.atomic(at); ok {
		return e.after(at, base)
	}
	if e.fresh(at) {
		return nil
	}
	if fn, ok := uses.Func(at); ok && decl != nil && fn.Node() == ast.Node(decl) {
		return e.callers(at, decl, name)
	}
	return shape.No(n, name+" changes here without the lock")
}

// always reports whether a piece assigns to a variable in each look.
func (e *edit) always(at inspector.Cursor, v *types.Var) bool {
	if !slices.ContainsFunc(rewrite.Assigned(at.Node()), func(to ast.Expr) bool { return uses.Mentions(e.info, to, v) }) {
		return false
	}
	body := at.Parent()
	switch up := body.Parent().Node().(type) {
	case *ast.FuncDecl:
	case *ast.ForStmt:
		if !slices.ContainsFunc(e.waits, func(w *wait) bool { return w.loop == up }) {
			return false
		}
	default:
		return false
	}
	for st, ok := at.PrevSibling(); ok; st, ok = st.PrevSibling() {
		if len(rewrite.Leaves(e.info, &ast.BlockStmt{List: []ast.Stmt{st.Node().(ast.Stmt)}}, false)) > 0 {
			if _, deferred := st.Node().(*ast.DeferStmt); !deferred {
				return false
			}
		}
	}
	return true
}

// callers has the signal sent where a function is called.
func (e *edit) callers(at inspector.Cursor, decl *ast.FuncDecl, name string) *shape.Refusal {
	fn, _ := e.info.Defs[decl.Name].(*types.Func)
	if e.done[decl] {
		return nil
	}
	e.done[decl] = true
	calls := 0
	for id := range e.Uses.Root.Preorder((*ast.Ident)(nil)) {
		f, ok := e.info.Uses[id.Node().(*ast.Ident)].(*types.Func)
		if !ok || f.Origin() != fn {
			continue
		}
		use := uses.Whole(id)
		if call, ok := use.Parent().Node().(*ast.CallExpr); !ok || call.Fun != use.Node() {
			return shape.No(id.Node(), decl.Name.Name+", which changes "+name+", is handed on")
		}
		calls++
		from, ok := piece(use)
		if !ok {
			return shape.No(id.Node(), decl.Name.Name+", which changes "+name+", is called here")
		}
		if sel, ok := use.Node().(*ast.SelectorExpr); ok && e.reach[decl] && e.is(sel.X) && e.within(from.Node()) == nil && !e.looks(from) {
			if no := e.after(from, types.ExprString(sel.X)); no != nil {
				return no
			}
			continue
		}
		if no := e.tell(from, name); no != nil {
			return no
		}
	}
	if calls == 0 || ast.IsExported(decl.Name.Name) && e.pass.Pkg.Name() != "main" && !e.reach[decl] {
		return shape.No(at.Node(), name+" changes here without the lock")
	}
	return nil
}

// looks reports whether a place is in a waiting loop, or in a function that one calls.
func (e *edit) looks(at inspector.Cursor) bool {
	return e.reach[uses.Decl(at)] || slices.ContainsFunc(e.waits, func(w *wait) bool { return spawn.Within(w.loop, at.Node()) })
}

// within returns the section of the loops' lock that a node is in.
func (e *edit) within(n ast.Node) *section.Section {
	if e.lock == nil {
		return nil
	}
	for _, s := range e.lock.Sections {
		if !s.Read && slices.ContainsFunc(s.Stmts, func(st inspector.Cursor) bool { return spawn.Within(st.Node(), n) }) {
			return s
		}
	}
	return nil
}

// section returns the base of a section's lock.
func (e *edit) section(s *section.Section) string {
	if e.typ == nil {
		return ""
	}
	if sel, ok := ast.Unparen(s.X).(*ast.SelectorExpr); ok && !e.is(s.X) {
		return types.ExprString(sel.X)
	}
	return types.ExprString(s.X)
}

// atomic returns the base of an atomic operation.
func (e *edit) atomic(at inspector.Cursor) (base string, ok bool) {
	for c := range at.Preorder((*ast.CallExpr)(nil)) {
		call := c.Node().(*ast.CallExpr)
		fn := section.Callee(e.info, call)
		if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sync/atomic" {
			continue
		}
		x := call.Fun
		if sel, is := ast.Unparen(x).(*ast.SelectorExpr); is && fn.Signature().Recv() != nil {
			x = sel.X
		} else if u, is := ast.Unparen(call.Args[0]).(*ast.UnaryExpr); is {
			x = u.X
		}
		if v := e.Uses.Var(x); v == nil || !e.vars[v] {
			continue
		}
		if e.typ == nil {
			return "", true
		}
		if sel, is := ast.Unparen(x).(*ast.SelectorExpr); is && e.is(sel.X) {
			return types.ExprString(sel.X), true
		}
	}
	return "", false
}

// fresh reports whether a piece assigns to what the function has just made.
func (e *edit) fresh(at inspector.Cursor) bool {
	as, ok := at.Node().(*ast.AssignStmt)
	if !ok {
		return false
	}
	for _, to := range as.Lhs {
		sel, ok := ast.Unparen(to).(*ast.SelectorExpr)
		if !ok || !e.is(sel.X) {
			return false
		}
		v := e.Uses.Var(sel.X)
		if v == nil || v.IsField() {
			return false
		}
		made := false
		for _, use := range e.Uses.Of(v) {
			def, is := use.Parent().Node().(*ast.AssignStmt)
			if !e.Uses.Declares(use) || !is || len(def.Rhs) != len(def.Lhs) {
				continue
			}
			x := ast.Unparen(def.Rhs[slices.Index(def.Lhs, ast.Expr(use.Node().(*ast.Ident)))])
			if u, is := x.(*ast.UnaryExpr); is && u.Op == token.AND {
				x = u.X
			}
			_, made = x.(*ast.CompositeLit)
		}
		if !made {
			return false
		}
	}
	return true
}

// after sends the signal after a statement.
func (e *edit) after(at inspector.Cursor, base string) *shape.Refusal {
	switch at.Node().(type) {
	case *ast.ExprStmt, *ast.AssignStmt, *ast.IncDecStmt:
		if uses.Listed(at) {
			e.insert(at.Node().End(), "\n"+e.send(base))
			return nil
		}
	case *ast.DeferStmt, *ast.ReturnStmt:
		e.insert(at.Node().Pos(), "defer "+e.send(base)+"\n")
		return nil
	}
	return shape.No(at.Node(), "no statement can follow what changes here")
}

// sections sends the signals of sections, before they give the lock back.
func (e *edit) sections() {
	if e.lock == nil {
		return
	}
	for _, s := range e.lock.Sections {
		from, ok := e.told[s]
		if !ok {
			continue
		}
		send := e.send(e.section(s))
		if s.Deferred {
			e.insert(s.Leave.Node().End(), "\ndefer "+send)
			continue
		}
		for _, leave := range append(slices.Clone(s.Early), s.Leave) {
			looped := false
			for l := range leave.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
				looped = looped || spawn.Within(s.Enter.Parent().Node(), l.Node())
			}
			if leave == s.Leave || (looped || leave.Node().Pos() > from) && !e.looks(leave) {
				e.insert(leave.Node().Pos(), send+"\n")
			}
		}
	}
}

// loop makes a loop wait for the signal.
func (e *edit) loop(w *wait) *shape.Refusal {
	base, no := e.base(w)
	if no != nil {
		return no
	}
	decl := uses.Decl(w.at)
	next := rewrite.Fresh(e.pass.Pkg, decl, "sent")
	call := e.of(base) + ".next()"
	for _, part := range []ast.Stmt{w.loop.Init, w.loop.Post} {
		if part != nil && !slices.ContainsFunc(w.rests, func(st inspector.Cursor) bool { return st.Node() == ast.Node(part) }) {
			return shape.No(part, "the loop counts")
		}
	}
	text := func(n ast.Node) string { return rewrite.Text(e.pass.Fset, n) }
	begin := "for "
	if w.loop.Cond != nil {
		begin = "for " + next + " := " + call + "; " + text(w.loop.Cond) + "; " + next + " = " + call + " "
	}
	if w.loop.Cond != nil || w.loop.Init != nil || w.loop.Post != nil {
		e.edits = append(e.edits, analysis.TextEdit{Pos: w.loop.For, End: w.loop.Body.Lbrace, NewText: []byte(begin)})
	}
	if w.loop.Cond == nil {
		e.insert(w.loop.Body.Lbrace+1, "\n"+next+" := "+call)
	}
	if len(w.loop.Body.List) == 0 {
		e.insert(w.loop.Body.Rbrace, "\n<-"+next+"\n")
	}
	for _, st := range w.rests {
		switch {
		case st.Node() == ast.Node(w.loop.Init) || st.Node() == ast.Node(w.loop.Post):
		case !e.pauses(st):
			e.edits = append(e.edits, rewrite.Drop(e.pass.Fset, st))
		case e.last(w, st):
			e.edits = append(e.edits, rewrite.Replace(st.Node(), "<-"+next))
		case w.loop.Cond == nil && w.loop.Body.List[0] == st.Node() && !leaves(e, w, "continue"):
			e.edits = append(e.edits, rewrite.Drop(e.pass.Fset, st))
			e.insert(w.loop.Body.Rbrace, "<-"+next+"\n")
		default:
			return shape.No(st.Node(), "the loop also looks after it has waited")
		}
	}
	for _, v := range e.clocksOf(w) {
		for _, use := range e.Uses.Of(v) {
			if e.Uses.Declares(use) {
				if st, ok := uses.Statement(use); ok && st.Node().Pos() < w.loop.Pos() {
					if as, is := st.Node().(*ast.AssignStmt); is && len(as.Lhs) == 1 && e.Flow.Within(as.Rhs[0]).First(flow.Changes|flow.Ask) == nil {
						e.edits = append(e.edits, rewrite.Drop(e.pass.Fset, st))
					}
				}
			}
		}
	}
	return e.exits(w, base)
}

// clocksOf are the variables that only say how long a loop has waited.
func (e *edit) clocksOf(w *wait) (all []*types.Var) {
	for _, st := range w.rests {
		for id := range st.Preorder((*ast.Ident)(nil)) {
			v := e.Uses.Var(id.Node().(*ast.Ident))
			if v != nil && !v.IsField() && !slices.Contains(all, v) && e.local(v) && !slices.ContainsFunc(e.Uses.Of(v), func(use inspector.Cursor) bool {
				return !e.Uses.Declares(use) && !slices.ContainsFunc(w.rests, func(st inspector.Cursor) bool { return spawn.Within(st.Node(), use.Node()) })
			}) {
				all = append(all, v)
			}
		}
	}
	return all
}

func (c *check) local(v *types.Var) bool { return !v.IsField() && v.Parent() != c.pass.Pkg.Scope() }

func leaves(e *edit, w *wait, how string) bool {
	return slices.ContainsFunc(rewrite.Leaves(e.info, w.loop.Body, false), func(l rewrite.Leave) bool { return l.How == how })
}

// last reports whether nothing looks between a pause and the next turn of its loop.
func (e *edit) last(w *wait, st inspector.Cursor) bool {
	for at := st; at.Node() != ast.Node(w.loop.Body); at = at.Parent() {
		if !uses.Listed(at) {
			continue
		}
		for next, ok := at.NextSibling(); ok && uses.Listed(next); next, ok = next.NextSibling() {
			rest := slices.ContainsFunc(w.rests, func(st inspector.Cursor) bool { return st == next })
			b, is := next.Node().(*ast.BranchStmt)
			if is && b.Tok == token.CONTINUE {
				break
			}
			if x, ok := next.Node().(*ast.ExprStmt); ok {
				call, ok := x.X.(*ast.CallExpr)
				fn := (*types.Func)(nil)
				if ok {
					fn = section.Callee(e.info, call)
				}
				rest = rest || fn != nil && section.Locks(fn)
			}
			if !rest {
				return false
			}
		}
	}
	return true
}

// exits sends the signal where a loop ends whose looks take something.
func (e *edit) exits(w *wait, base string) *shape.Refusal {
	from, ok := e.takes[w]
	if !ok {
		return nil
	}
	if w.loop.Cond != nil && from < w.loop.Body.Pos() {
		e.insert(w.loop.End(), "\n"+e.send(base))
	}
	for _, l := range rewrite.Leaves(e.info, w.loop.Body, false) {
		switch l.How {
		case "continue", "panic", "recover":
			continue
		case "defer":
			return &shape.Refusal{Why: "the loop defers a call", Pos: l.Pos}
		}
		if l.Pos < from {
			continue
		}
		defers := ""
		for at := range w.at.Preorder((*ast.ReturnStmt)(nil)) {
			if at.Node().Pos() == l.Pos && len(e.Effects(at).Writes) > 0 {
				defers = "defer "
			}
		}
		e.insert(l.Pos, defers+e.send(base)+"\n")
	}
	return nil
}

// declare puts the signal beside what it tells of.
func (e *edit) declare(file *ast.File) *shape.Refusal {
	typ := "signal"
	if !e.declared() {
		typ = rewrite.Fresh(e.pass.Pkg, file, "signal")
		name, edits := rewrite.Import(e.pass.Pkg, file, "sync", file.End())
		e.edits = append(e.edits, edits...)
		e.insert(file.FileEnd, fmt.Sprintf(declaration, typ, name))
	}
	if e.typ != nil {
		st := e.typ.Type.(*ast.StructType)
		e.insert(st.Fields.Closing, "\n"+e.name+" "+typ+" // sent after each change\n")
		return nil
	}
	at, ok := uses.Statement(e.decl)
	if ok {
		e.insert(at.Node().Pos(), "var "+e.name+" "+typ+"\n")
		return nil
	}
	for d := range e.decl.Enclosing((*ast.GenDecl)(nil)) {
		e.insert(rewrite.Begin(d.Node()), "// "+e.name+" is sent after each change.\nvar "+e.name+" "+typ+"\n\n")
		return nil
	}
	return shape.No(e.decl.Node(), "there is no place for a signal beside "+e.names())
}

// declared reports whether the package has the type of a signal already.
func (e *edit) declared() bool {
	t, ok := e.pass.Pkg.Scope().Lookup("signal").(*types.TypeName)
	if !ok {
		return false
	}
	methods := types.NewMethodSet(types.NewPointer(t.Type()))
	return methods.Lookup(e.pass.Pkg, "next") != nil && methods.Lookup(e.pass.Pkg, "send") != nil
}
