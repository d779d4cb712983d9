package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
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
	Waits         []ast.Node          // channel operations, go statements, selects and loops over functions
}

// reach is how many functions of the package are followed from one place; what
// lies beyond is not known.
const reach = 24

// summaries remember what functions and sections do.
type summaries struct {
	mu       sync.Mutex
	funcs    map[*types.Func]*follower
	sections map[*Section]*Effects
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
	e := in.known.sections[s]
	if e == nil {
		e = in.effects(s.Stmts...)
		in.known.sections[s] = e
	}
	return e
}

// Guarded returns what sections of a lock write: fields, and variables that
// are declared outside the function of the section.
func (in *Index) Guarded(l *Lock) map[*types.Var]bool {
	guarded := map[*types.Var]bool{}
	for _, s := range l.Sections {
		for v := range in.Does(s).Writes {
			if s.Shares(v) {
				guarded[v] = true
			}
		}
	}
	return guarded
}

// effects follows what nodes do into the functions that they call.
func (in *Index) effects(nodes ...inspector.Cursor) *Effects {
	all := in.newFollower()
	for _, c := range nodes {
		all.follow(c)
	}
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
	if !ok || uses.Holds(fn.Node(), v.Pos()) {
		return false
	}
	for decl := range s.Enter.Enclosing((*ast.FuncDecl)(nil), (*ast.GenDecl)(nil)) {
		if uses.Holds(decl.Node(), v.Pos()) {
			return true
		}
	}
	return false
}

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
			if part, whole := uses.Elements(e); uses.Written(part) {
				own, indirect := f.reaches(e, part)
				if indirect && !v.IsField() {
					f.Indirect = append(f.Indirect, part.Node())
				}
				if own || indirect { // what a field leads to is taken for a part of it
					f.Writes[v] = true
				}
				if a, ok := part.Parent().Node().(*ast.AssignStmt); ok && whole && a.Tok == token.ASSIGN {
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
			f.call(n)
		case *ast.SendStmt, *ast.SelectStmt, *ast.GoStmt:
			f.Waits = append(f.Waits, n)
		case *ast.RangeStmt:
			switch f.Uses.Info.TypeOf(n.X).Underlying().(type) {
			case *types.Chan, *types.Signature, *types.Interface:
				f.Waits = append(f.Waits, n)
			}
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

// reaches says of a write to part whether it is one to what e stands for, or to
// what it holds. Elements of a map or slice count, what a pointer leads to does not.
// It also says whether the write is to memory that e leads to, and that no field
// stands for.
func (f *follower) reaches(e, part inspector.Cursor) (own, indirect bool) {
	own = true
	field := false
	for c := e; c != part; c = c.Parent() {
		t := f.Uses.Info.TypeOf(c.Node().(ast.Expr)).Underlying()
		_, pointer := t.(*types.Pointer)
		_, array := t.(*types.Array)
		own = own && !pointer
		switch c.ParentEdgeKind() {
		case edge.StarExpr_X:
			indirect = indirect || !field
		case edge.IndexExpr_X, edge.SliceExpr_X:
			indirect = indirect || !field && !array
		case edge.SelectorExpr_X:
			field = true
		}
	}
	return own, indirect
}

// call books what a call does beyond its operands.
func (f *follower) call(call *ast.CallExpr) {
	info := f.Uses.Info
	if info.Types[call.Fun].IsType() {
		return
	}
	if _, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		return // its body is walked
	}
	switch fn := typeutil.Callee(info, call).(type) {
	case *types.Builtin:
		switch fn.Name() {
		case "delete", "clear", "copy", "close", "append": // append: into the room behind the slice
			f.writes(call.Args[0])
		}
		return
	case *types.Func:
		if Locks(fn) {
			return
		}
		if r := fn.Signature().Recv(); r != nil && types.IsInterface(r.Type()) {
			break
		}
		if _, ok := f.Uses.Declaration(fn); ok {
			f.callees = append(f.callees, callee{fn.Origin(), call})
			return
		}
		if known := f.Flow.Func(fn.Origin()); known != nil {
			f.known(call, known)
			return
		}
	}
	f.Unknown = append(f.Unknown, call)
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
	return uses.Under[*types.Signature](f.Uses.Info.TypeOf(e)) && !lit
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
