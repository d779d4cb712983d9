package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Effects are what code does to variables, as far as the package shows it:
// functions that it declares are followed.
type Effects struct {
	Reads, Writes map[*types.Var]bool // fields and variables, also through what they hold: s.m for s.m[k]
	Takes         map[*types.Var]bool // locks
	Indirect      []ast.Node          // writes to what a variable points to, so that it may have other names
	Unknown       []ast.Node          // calls whose effects are unknown
	Calls         []ast.Node          // calls of other packages, known to write nothing but what they get
	Waits         []ast.Node          // channel operations, go statements and selects
}

// Touches reports whether v is read or written.
func (e *Effects) Touches(v *types.Var) bool { return e.Reads[v] || e.Writes[v] }

// reach is how many functions of the package are followed from one place; what
// lies beyond is not known.
const reach = 24

// summaries remember what functions and sections do.
type summaries struct {
	mu       sync.Mutex
	funcs    map[*types.Func]*follower
	called   map[*types.Func]*Effects // with what they call
	sections map[*Section]*Effects
	guarded  map[*Lock]map[*types.Var]bool
	back     map[types.Type][]*types.Func
}

func newSummaries() summaries {
	return summaries{funcs: map[*types.Func]*follower{}, called: map[*types.Func]*Effects{}, sections: map[*Section]*Effects{}, guarded: map[*Lock]map[*types.Var]bool{}, back: map[types.Type][]*types.Func{}}
}

// Effects returns what statements or expressions do.
func (in *Index) Effects(nodes ...inspector.Cursor) *Effects {
	in.known.mu.Lock()
	defer in.known.mu.Unlock()
	return in.effects(nodes...)
}

// Does returns what a section does. It is shared, and callers must not change
// it.
func (in *Index) Does(s *Section) *Effects {
	in.known.mu.Lock()
	defer in.known.mu.Unlock()
	return in.does(s)
}

func (in *Index) does(s *Section) *Effects {
	e := in.known.sections[s]
	if e == nil {
		e = in.effects(s.Stmts...)
		in.known.sections[s] = e
	}
	return e
}

// Guarded returns what sections of a lock write: fields, and variables that
// are declared outside the function of the section. It is shared, and callers
// must not change it.
func (in *Index) Guarded(l *Lock) map[*types.Var]bool {
	in.known.mu.Lock()
	defer in.known.mu.Unlock()
	guarded := in.known.guarded[l]
	if guarded == nil {
		guarded = map[*types.Var]bool{}
		for _, s := range l.Sections {
			for v := range in.does(s).Writes {
				if s.Shares(v) {
					guarded[v] = true
				}
			}
		}
		in.known.guarded[l] = guarded
	}
	return guarded
}

// Called returns what a function does that the package declares. It is shared,
// and callers must not change it.
func (in *Index) Called(fn *types.Func) *Effects {
	in.known.mu.Lock()
	defer in.known.mu.Unlock()
	fn = fn.Origin()
	e := in.known.called[fn]
	if e == nil {
		all := in.newFollower()
		if decl, ok := in.Uses.Declaration(fn); ok {
			all.callees = []callee{{fn, decl.Node()}}
		}
		e = in.through(all)
		in.known.called[fn] = e
	}
	return e
}

// effects follows what nodes do into the functions that they call.
func (in *Index) effects(nodes ...inspector.Cursor) *Effects {
	all := in.newFollower()
	for _, c := range nodes {
		all.follow(c)
	}
	return in.through(all)
}

func (in *Index) through(all *follower) *Effects {
	done := map[*types.Func]bool{}
	for i := 0; i < len(all.callees); i++ { // grows
		fn := all.callees[i]
		if done[fn.fn] {
			continue
		}
		if done[fn.fn] = true; len(done) > reach {
			all.Unknown = append(all.Unknown, fn.call)
			break
		}
		f := in.known.funcs[fn.fn]
		if f == nil {
			f = in.newFollower()
			in.known.funcs[fn.fn] = f
			decl, _ := in.Uses.Declaration(fn.fn)
			f.follow(decl)
		}
		all.add(f)
	}
	return &all.Effects
}

// add enters what a function does.
func (f *follower) add(g *follower) {
	maps.Copy(f.Reads, g.Reads)
	maps.Copy(f.Writes, g.Writes)
	maps.Copy(f.Takes, g.Takes)
	first := func(to *[]ast.Node, from []ast.Node) { // one is enough to say why
		if len(*to) == 0 && len(from) > 0 {
			*to = append(*to, from[0])
		}
	}
	first(&f.Unknown, g.Unknown)
	first(&f.Waits, g.Waits)
	first(&f.Indirect, g.Indirect)
	f.Calls = append(f.Calls, g.Calls...)
	f.callees = append(f.callees, g.callees...)
}

// Shares reports whether others than one run of the section's function may see
// v. It is a field, a variable of the package, or of a function around it.
func (s *Section) Shares(v *types.Var) bool {
	if v.IsField() || v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
		return true
	}
	fn, ok := uses.Func(s.Enter)
	if !ok || within(v, fn.Node()) {
		return false
	}
	for decl := range s.Enter.Enclosing((*ast.FuncDecl)(nil), (*ast.GenDecl)(nil)) {
		if within(v, decl.Node()) {
			return true
		}
	}
	return false
}

func within(v *types.Var, n ast.Node) bool { return n.Pos() <= v.Pos() && v.Pos() < n.End() }

// A follower collects what code does by itself, and what it calls.
type follower struct {
	*Index
	Effects
	callees []callee
}

type callee struct {
	fn   *types.Func
	call ast.Node
}

func (in *Index) newFollower() *follower {
	return &follower{Index: in, Effects: Effects{Reads: map[*types.Var]bool{}, Writes: map[*types.Var]bool{}, Takes: map[*types.Var]bool{}}}
}

func (f *follower) follow(root inspector.Cursor) {
	for c := range root.Preorder() {
		switch n := c.Node().(type) {
		case *ast.Ident:
			v, ok := f.Uses.Info.Uses[n].(*types.Var)
			if !ok {
				continue
			}
			v = v.Origin()
			if isMutex(v.Type()) {
				f.takes(v, c)
				continue
			}
			e := uses.Whole(c)
			part, whole := uses.Elements(e)
			if uses.Written(part) && !v.IsField() && !whole && f.indirect(e, part) {
				f.Indirect = append(f.Indirect, part.Node())
			}
			if uses.Written(part) && f.reaches(e, part) {
				f.Writes[v] = true
				if e == part && part.ParentEdgeKind() == edge.AssignStmt_Lhs && part.Parent().Node().(*ast.AssignStmt).Tok == token.ASSIGN {
					continue
				}
			}
			f.Reads[v] = true
		case *ast.SelectorExpr:
			for _, v := range f.Uses.Through(n) {
				if isMutex(v.Type()) {
					f.takes(v, c)
				}
			}
		case *ast.CallExpr:
			f.call(c, n)
		case *ast.SendStmt, *ast.SelectStmt, *ast.GoStmt:
			f.Waits = append(f.Waits, n)
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				f.Waits = append(f.Waits, n)
			}
		}
	}
}

// takes books that a lock is taken, or goes elsewhere.
func (f *follower) takes(v *types.Var, c inspector.Cursor) {
	if o, ok := operation(f.Uses, c); !ok || o.name != "Unlock" && o.name != "RUnlock" {
		f.Takes[v] = true
	}
}

// indirect reports whether a write to part of a variable is one to memory that
// it leads to, and that no field stands for.
func (f *follower) indirect(e, part inspector.Cursor) bool {
	for c := e; c != part; c = c.Parent() {
		switch c.ParentEdgeKind() {
		case edge.StarExpr_X:
			return true
		case edge.IndexExpr_X, edge.SliceExpr_X:
			t := f.Uses.Info.TypeOf(c.Node().(ast.Expr))
			if _, array := types.Unalias(t).Underlying().(*types.Array); !array {
				return true
			}
		case edge.SelectorExpr_X:
			return false // the field stands for it
		}
	}
	return false
}

// reaches reports whether a write to part is one to what e stands for, or to
// what it holds: elements of a map or slice count, what a pointer leads to
// does not.
func (f *follower) reaches(e, part inspector.Cursor) bool {
	for c := e; c != part; c = c.Parent() {
		x, ok := c.Node().(ast.Expr)
		if !ok {
			continue
		}
		if _, pointer := types.Unalias(f.Uses.Info.TypeOf(x)).Underlying().(*types.Pointer); pointer {
			return false
		}
	}
	return true
}

// call books what a call does beyond its operands.
func (f *follower) call(c inspector.Cursor, call *ast.CallExpr) {
	info := f.Uses.Info
	if info.Types[call.Fun].IsType() {
		return
	}
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.FuncLit:
		return // its body is walked
	case *ast.Ident:
		if b, ok := info.Uses[fun].(*types.Builtin); ok {
			switch b.Name() {
			case "delete", "clear", "copy", "close":
				f.writes(call.Args[0])
			case "append": // into the room behind the slice
				f.writes(call.Args[0])
			}
			return
		}
	}
	fn := Callee(info, call)
	switch {
	case fn == nil:
		f.Unknown = append(f.Unknown, call)
		return
	case Locks(fn):
		return
	}
	sig := fn.Signature()
	if sig.Recv() != nil && types.IsInterface(sig.Recv().Type()) {
		f.Unknown = append(f.Unknown, call)
		return
	}
	if _, ok := f.Uses.Declaration(fn); ok {
		f.callees = append(f.callees, callee{fn.Origin(), call})
		return
	}
	if known := f.Flow.Func(fn.Origin()); known != nil {
		f.known(call, known)
		return
	}
	for _, a := range call.Args {
		for _, m := range f.back(info.TypeOf(a)) {
			f.callees = append(f.callees, callee{m, call})
		}
	}
	if !Standard(fn) {
		f.Unknown = append(f.Unknown, call)
		return
	}
	f.Calls = append(f.Calls, call)
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && sig.Recv() != nil && !Shareable(sig.Recv().Type()) {
		f.writes(sel.X)
	}
	for i, a := range call.Args {
		if t := info.TypeOf(a); uses.Refers(t) && !Shareable(t) && !reads(fn, i) {
			f.writes(a)
		}
		if f.function(a) {
			f.Unknown = append(f.Unknown, call)
		}
	}
}

// known books what a call of another package does of which that is known: to its
// operands by itself, and by functions and methods that it is handed.
func (f *follower) known(call *ast.CallExpr, s *flow.Summary) {
	does := f.Flow.Call(call)
	if does.First(flow.Unknown|flow.Call) != nil {
		f.Unknown = append(f.Unknown, call)
		return
	}
	if does.First(flow.Send|flow.Receive|flow.Close) != nil {
		f.Waits = append(f.Waits, call)
	}
	if does.First(flow.Changes) != nil || does.First(flow.Ask) != nil {
		f.Calls = append(f.Calls, call)
	}
	operands := call.Args
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && f.Uses.Info.Selections[sel] != nil {
		operands = append([]ast.Expr{sel.X}, operands...)
	}
	for _, e := range does {
		switch v := e.Var(); {
		case !e.Back || e.Kind&(flow.Read|flow.Write|flow.Sync|flow.Lock) == 0:
		case v == nil || e.Kind == flow.Lock:
			if e.Kind == flow.Lock || slices.ContainsFunc(operands, f.function) {
				f.Unknown = append(f.Unknown, call) // of which variables is not told
			}
		case e.Kind == flow.Read:
			f.Reads[v] = true
		default:
			f.Writes[v] = true
		}
	}
	for _, e := range s.Effects {
		if e.Kind&(flow.Write|flow.Sync|flow.Lock) == 0 && (e.Kind != flow.Call || does.First(flow.Write|flow.Sync) == nil) {
			continue
		}
		for i, a := range operands {
			if e.On.Has(flow.Param(i)) || e.On.Has(flow.Param(i).Behind()) {
				f.writes(a)
			}
		}
	}
}

// function reports whether an operand is a function, and no literal.
func (f *follower) function(e ast.Expr) bool {
	_, lit := ast.Unparen(e).(*ast.FuncLit)
	_, fn := f.Uses.Info.TypeOf(e).Underlying().(*types.Signature)
	return fn && !lit
}

// back are the methods of the package that a function of another one may call on a
// value of type t or on what that leads to: it formats, encodes, sorts or writes to
// it.
func (in *Index) back(t types.Type) (all []*types.Func) {
	if all, ok := in.known.back[t]; ok {
		return all
	}
	for t := range uses.LeadsTo(t, 5) {
		n, ok := t.(*types.Named)
		if !ok {
			continue
		}
		for m := range n.Methods() {
			if _, ok := in.Uses.Declaration(m); ok && callback(m.Name()) {
				all = append(all, m.Origin())
			}
		}
	}
	in.known.back[t] = all
	return all
}

// callback reports whether the standard library calls methods of the name on
// what it is handed.
func callback(name string) bool {
	for _, prefix := range []string{"Marshal", "Unmarshal", "Append", "Gob", "Read", "Write"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	switch name {
	case "String", "Error", "Format", "GoString", "LogValue", "Scan", "Value", "Len", "Less", "Swap", "Push", "Pop", "Close", "Is", "As", "Unwrap":
		return true
	}
	return false
}

// reads reports whether a function of the standard library only reads what its
// i-th argument leads to.
func reads(fn *types.Func, i int) bool {
	name := fn.Name()
	for _, prefix := range []string{"Marshal", "Encode", "Sum", "Print", "Equal", "Compare"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	switch name {
	case "Write", "WriteString", "WriteFile":
		return true
	case "Unmarshal":
		return i == 0
	}
	return strings.HasPrefix(name, "Fprint") && i > 0
}

// writes books a write to what an operand holds or leads to.
func (f *follower) writes(e ast.Expr) {
	for {
		if v := f.Uses.Var(e); v != nil {
			f.Writes[v] = true
		}
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
			if _, pointer := types.Unalias(f.Uses.Info.TypeOf(e)).Underlying().(*types.Pointer); pointer {
				return
			}
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.UnaryExpr:
			e = x.X
		default:
			return
		}
	}
}

// Callee returns the function or method that a call names, or nil.
func Callee(info *types.Info, call *ast.CallExpr) *types.Func {
	fn, _ := typeutil.Callee(info, call).(*types.Func)
	return fn
}

// Locks reports whether fn is a method of a mutex.
func Locks(fn *types.Func) bool {
	r := fn.Signature().Recv()
	return r != nil && isMutex(uses.Deref(r.Type()))
}

// Standard reports whether fn is a function or method of the standard library.
func Standard(fn *types.Func) bool {
	return fn.Pkg() != nil && source.Standard(fn.Pkg().Path()) // nil: error.Error
}

// shareable are types of the standard library whose values goroutines may use
// at the same time.
var shareable = [][2]string{
	{"context", "Context"}, {"database/sql", "DB"}, {"html/template", "Template"}, {"log", "Logger"}, {"log/slog", "Logger"},
	{"net/http", "Client"}, {"regexp", "Regexp"}, {"text/template", "Template"}, {"time", "Location"},
}

// Shareable reports whether goroutines may use a value of type t, or what it
// points to, at the same time.
func Shareable(t types.Type) bool {
	t = uses.Deref(t)
	return slices.ContainsFunc(shareable, func(s [2]string) bool { return uses.Is(t, s[0], s[1]) })
}
