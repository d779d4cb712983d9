package spinwait

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// declaration is the type of a signal; the verbs are its name and that of package sync.
const declaration = `

// A %[1]s tells goroutines that wait that something changed. The zero %[1]s is ready.
type %[1]s struct {
	mu   %[2]s.Mutex
	sent chan struct{} // closed by the next send; nil if no goroutine waits for it
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

// send wakes the goroutines that wait.
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
	reach map[*ast.FuncDecl]bool         // functions that looks call
}

func (h *home) edits() ([]analysis.TextEdit, *shape.Refusal) {
	e := &edit{home: h, told: map[*section.Section]token.Pos{}, done: map[ast.Node]bool{}, reach: map[*ast.FuncDecl]bool{}}
	file := rewrite.File(h.pass, h.decl.Node().Pos())
	switch d := uses.Decl(h.decl); {
	case h.typ != nil:
		e.name = h.taken.Fresh(h.pass.Pkg, h.typ, "changed")
	case d != nil:
		e.name = h.taken.Fresh(h.pass.Pkg, d, "changed")
	default: // no function hides it
		e.name = h.taken.Fresh(h.pass.Pkg, file, h.key.Name()+"Changed")
	}
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
	if no := e.whole(); no != nil {
		return nil, no
	}
	for _, v := range vars {
		if no := e.other(v); no != nil {
			return nil, no
		}
		for _, at := range h.sites(v) {
			if no := e.tell(at, v); no != nil {
				return nil, no
			}
		}
	}
	e.sections()
	for _, w := range h.waits {
		e.loop(w)
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

// tell has the signal sent after a piece that changes a variable.
func (e *edit) tell(at inspector.Cursor, v *types.Var) *shape.Refusal {
	n := at.Node()
	if e.done[n] {
		return nil
	}
	e.done[n] = true
	direct := e.direct(at, v)
	base, s := "", e.within(n)
	switch {
	case s != nil:
		base = e.section(s)
	case e.typ == nil:
	case direct != nil && e.is(direct):
		base = types.ExprString(direct)
	default:
		return shape.No(n, v.Name()+" changes here, where nothing says of which "+e.typ.Name.Name)
	}
	switch {
	case e.looks(at):
		if direct == nil || e.always(at) {
			return shape.No(n, "each look may change "+v.Name())
		}
	case s != nil && !slices.ContainsFunc(e.waits, func(w *wait) bool { // that gives the lock back within
		return e.within(w.loop) == s
	}):
		if was, ok := e.told[s]; !ok || n.Pos() < was {
			e.told[s] = n.Pos()
		}
		return nil
	}
	return e.after(at, base)
}

// direct returns what a piece selects a variable from that it assigns to, or changes by
// an atomic operation; the variable itself if it is no field.
func (e *edit) direct(at inspector.Cursor, v *types.Var) (from ast.Expr) {
	of := func(x ast.Expr) {
		ast.Inspect(x, func(n ast.Node) bool {
			if x, ok := n.(ast.Expr); ok && e.Uses.Var(x) == v {
				from = x
				if sel, ok := ast.Unparen(x).(*ast.SelectorExpr); ok {
					from = sel.X
				}
			}
			return from == nil
		})
	}
	for _, to := range rewrite.Assigned(at.Node()) {
		of(to)
	}
	for c := range at.Preorder((*ast.CallExpr)(nil)) {
		if e.atomic(c.Node(), "") {
			of(c.Node().(*ast.CallExpr))
		}
	}
	return from
}

// always reports whether a statement runs in each look.
func (e *edit) always(at inspector.Cursor) bool {
	switch at.Parent().Parent().Node().(type) {
	case *ast.FuncDecl, *ast.ForStmt:
	default:
		return false
	}
	for st, ok := at.PrevSibling(); ok; st, ok = st.PrevSibling() {
		if slices.ContainsFunc(rewrite.Leaves(e.info, &ast.BlockStmt{List: []ast.Stmt{st.Node().(ast.Stmt)}}, false), func(l rewrite.Leave) bool { return l.How != "defer" && l.How != "panic" }) {
			return false
		}
	}
	return true
}

// whole says where a struct is changed as a whole that has what the loops look at.
func (e *edit) whole() *shape.Refusal {
	for at := range e.Uses.Root.Preorder((*ast.AssignStmt)(nil)) {
		for _, to := range rewrite.Assigned(at.Node()) {
			star, ok := ast.Unparen(to).(*ast.StarExpr)
			n := uses.Named(e.info.TypeOf(to))
			if !ok || n == nil {
				continue
			}
			if st, ok := n.Underlying().(*types.Struct); ok {
				for f := range st.Fields() {
					if e.vars[f.Origin()] {
						return shape.No(star, n.Obj().Name()+" changes as a whole here")
					}
				}
			}
		}
	}
	return nil
}

// other says where a variable gets another name, by which code may change it.
func (e *edit) other(v *types.Var) *shape.Refusal {
	for _, use := range e.Uses.Of(v) {
		at, _ := uses.Elements(uses.Whole(use))
		call := at.Parent()
		method, is := at.Node().(*ast.SelectorExpr)
		taken := is && loop.ImplicitAddress(e.info, method)
		if u, ok := call.Node().(*ast.UnaryExpr); ok && u.Op == token.AND {
			taken, call = true, call.Parent()
		}
		if taken && !e.atomic(call.Node(), "") {
			return shape.No(at.Node(), v.Name()+" may change where its address goes")
		}
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
		if slices.ContainsFunc(s.Stmts, func(st inspector.Cursor) bool { return spawn.Within(st.Node(), n) }) {
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

// after sends the signal after a statement.
func (e *edit) after(at inspector.Cursor, base string) *shape.Refusal {
	switch at.Node().(type) {
	case *ast.ExprStmt, *ast.AssignStmt, *ast.IncDecStmt:
		if uses.Listed(at) {
			if next, ok := at.NextSibling(); !ok || !e.follows(next) {
				e.insert(at.Node().End(), "\n"+e.send(base))
			}
			return nil
		}
	case *ast.DeferStmt, *ast.ReturnStmt:
		e.insert(at.Node().Pos(), "defer "+e.send(base)+"\n")
		return nil
	}
	return shape.No(at.Node(), "no statement can follow what changes here")
}

// follows reports whether a statement sends the signal as well, before the lock is given
// back.
func (e *edit) follows(at inspector.Cursor) bool {
	return e.within(at.Node()) != nil && slices.ContainsFunc(slices.Collect(maps.Keys(e.vars)), func(v *types.Var) bool {
		return e.direct(at, v) != nil
	})
}

// sections sends the signals of sections, before they give the lock back.
func (e *edit) sections() {
	for s, from := range e.told {
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
func (e *edit) loop(w *wait) {
	sent := rewrite.Fresh(e.pass.Pkg, uses.Decl(w.at), "sent")
	next := e.of(w.base) + ".next()"
	head := "for "
	if w.loop.Cond != nil {
		head = fmt.Sprintf("for %[1]s := %[2]s; %[3]s; %[1]s = %[2]s ", sent, next, rewrite.Text(e.pass.Fset, w.loop.Cond))
	} else {
		e.insert(w.loop.Body.Lbrace+1, "\n"+sent+" := "+next)
	}
	if w.loop.Cond != nil || w.loop.Init != nil || w.loop.Post != nil {
		e.edits = append(e.edits, analysis.TextEdit{Pos: w.loop.For, End: w.loop.Body.Lbrace, NewText: []byte(head)})
	}
	if w.first || len(w.loop.Body.List) == 0 {
		e.insert(w.loop.Body.Rbrace, "\n<-"+sent+"\n")
	}
	for _, st := range w.rests {
		switch {
		case !uses.Listed(st): // in the head
		case w.first || !e.pauses(st):
			e.edits = append(e.edits, rewrite.Drop(e.pass.Fset, st))
		default:
			e.edits = append(e.edits, rewrite.Replace(st.Node(), "<-"+sent))
		}
		for _, v := range e.clocks(st) {
			def, ok := uses.Statement(e.Uses.Of(v)[0])
			as, is := def.Node().(*ast.AssignStmt)
			if ok && is && !w.rest(as) && len(as.Lhs) == 1 && e.only(w, v) && e.Flow.Within(as.Rhs[0]).First(flow.Changes|flow.Ask) == nil {
				e.edits = append(e.edits, rewrite.Drop(e.pass.Fset, def))
			}
		}
	}
}

// declare puts the signal beside what it tells of.
func (e *edit) declare(file *ast.File) *shape.Refusal {
	typ := "signal"
	if t := e.pass.Pkg.Scope().Lookup(typ); t == nil || types.NewMethodSet(types.NewPointer(t.Type())).Lookup(e.pass.Pkg, "send") == nil {
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
	if at, ok := uses.Statement(e.decl); ok {
		e.insert(at.Node().Pos(), "var "+e.name+" "+typ+"\n")
		return nil
	}
	for d := range e.decl.Enclosing((*ast.GenDecl)(nil)) {
		e.insert(rewrite.Begin(d.Node()), "// "+e.name+" is sent after each change.\nvar "+e.name+" "+typ+"\n\n")
		return nil
	}
	return shape.No(e.decl.Node(), "a parameter or result has no place for a signal beside it")
}
