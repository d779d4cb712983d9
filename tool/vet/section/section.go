// Package section finds the critical sections of a package. They are what runs
// while a sync.Mutex or sync.RWMutex is held, as far as one list of statements
// says so.
//
// A lock is known by its variable or field, so the locks of all values of a
// type are one. A use of a lock that is no section, like a TryLock or a lock
// given back elsewhere, is kept as such. To see all of a lock, a caller has to
// find none. The index is made of that of package uses.
package section

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer makes the [*Index] of a package.
var Analyzer = &analysis.Analyzer{
	Name:       "section",
	Doc:        "find the critical sections of a package for other analyzers",
	Requires:   []*analysis.Analyzer{flow.Analyzer, uses.Analyzer},
	ResultType: reflect.TypeFor[*Index](),
	Run: func(pass *analysis.Pass) (any, error) {
		return New(pass.ResultOf[uses.Analyzer].(*uses.Index), flow.Of(pass)), nil
	},
}

// An Index has the locks of a package. It is safe for concurrent use.
type Index struct {
	Uses  *uses.Index
	Flow  *flow.Index
	Locks []*Lock // in the order of their first use

	order []*Section // of the source
	known summaries
}

// A Lock is a variable or field that is a mutex.
type Lock struct {
	Var      *types.Var
	RW       bool // a sync.RWMutex
	Sections []*Section
	Others   []inspector.Cursor // uses that neither begin nor end a section
}

// A Section is what runs while a lock is held.
type Section struct {
	Lock     *Lock
	X        ast.Expr         // the lock as written: s.mu, or s where it is embedded
	Read     bool             // RLock
	Enter    inspector.Cursor // the statement that locks
	Leave    inspector.Cursor // the statement that unlocks, or defers it
	Deferred bool
	Stmts    []inspector.Cursor // what runs in between
	Early    []inspector.Cursor // statements within Stmts that unlock as well
}

// New finds the sections in the files of an index.
func New(x *uses.Index, f *flow.Index) *Index {
	in := &Index{Uses: x, Flow: f, known: summaries{funcs: map[*types.Func]*follower{}, sections: map[*Section]*Effects{}}}
	locks := map[*types.Var]bool{}
	for c := range x.Root.Preorder((*ast.Ident)(nil), (*ast.SelectorExpr)(nil)) {
		if v := mutex(x, c); v != nil && !locks[v] {
			locks[v] = true
			in.Locks = append(in.Locks, &Lock{Var: v, RW: uses.Is(v.Type(), "sync", "RWMutex")})
		}
	}
	for _, l := range in.Locks {
		ops := map[ast.Node]op{}
		var enter []op
		for _, c := range x.Of(l.Var) {
			if o, ok := operation(x, c); ok {
				ops[o.stmt.Node()] = o
				if o.name == "Lock" || o.name == "RLock" {
					enter = append(enter, o)
				}
			}
		}
		seen := map[ast.Node]bool{} // statements that begin or end a section
		for _, o := range enter {
			if s := l.section(o, ops); s != nil {
				l.Sections = append(l.Sections, s)
				for _, c := range append([]inspector.Cursor{s.Enter, s.Leave}, s.Early...) {
					seen[c.Node()] = true
				}
			}
		}
		for _, c := range x.Of(l.Var) {
			if op, ok := operation(x, c); !x.Declares(c) && (!ok || !seen[op.stmt.Node()]) {
				l.Others = append(l.Others, c)
			}
		}
	}
	for _, l := range in.Locks {
		in.order = append(in.order, l.Sections...)
	}
	slices.SortStableFunc(in.order, func(a, b *Section) int { return cmp.Compare(a.Enter.Node().Pos(), b.Enter.Node().Pos()) })
	return in
}

// Within returns the sections that begin in the code of a node, in the order of the
// source. They must not be changed.
func (in *Index) Within(n ast.Node) []*Section {
	from := func(pos token.Pos) int {
		i, _ := slices.BinarySearchFunc(in.order, pos, func(s *Section, pos token.Pos) int { return cmp.Compare(s.Enter.Node().Pos(), pos) })
		return i
	}
	return in.order[from(n.Pos()):from(n.End())]
}

// mutex returns the variable or field used at c if it is a mutex by value.
func mutex(x *uses.Index, c inspector.Cursor) *types.Var {
	id, ok := c.Node().(*ast.Ident)
	if !ok {
		for _, v := range x.Through(c.Node().(*ast.SelectorExpr)) {
			if isMutex(v.Type()) {
				return v
			}
		}
		return nil
	}
	v, ok := x.Info.ObjectOf(id).(*types.Var)
	if !ok || !isMutex(v.Type()) {
		return nil
	}
	return v.Origin()
}

func isMutex(t types.Type) bool {
	return uses.Is(t, "sync", "Mutex") || uses.Is(t, "sync", "RWMutex")
}

// An op is a statement that calls a method of a lock and does nothing else.
type op struct {
	name     string
	x        ast.Expr // the lock
	of       string   // x as text
	stmt     inspector.Cursor
	deferred bool
}

// operation returns the statement that the use of a lock makes.
func operation(x *uses.Index, c inspector.Cursor) (op, bool) {
	var sel inspector.Cursor
	if _, ok := c.Node().(*ast.SelectorExpr); ok { // s.Lock of an embedded lock
		sel = c
	} else {
		e := uses.Whole(c)
		if e.ParentEdgeKind() != edge.SelectorExpr_X {
			return op{}, false
		}
		sel = e.Parent()
	}
	if sel.ParentEdgeKind() != edge.CallExpr_Fun {
		return op{}, false
	}
	call := sel.Parent()
	s := sel.Node().(*ast.SelectorExpr)
	o := op{name: s.Sel.Name, x: s.X, of: types.ExprString(s.X), stmt: call.Parent()}
	switch call.ParentEdgeKind() {
	case edge.ExprStmt_X:
	case edge.DeferStmt_Call:
		o.deferred = true
	default:
		return op{}, false
	}
	return o, true
}

// section returns what runs after a lock was taken until it is given back, or
// nil if the list of statements does not say.
func (l *Lock) section(enter op, ops map[ast.Node]op) *Section {
	if enter.deferred {
		return nil
	}
	s := &Section{Lock: l, X: enter.x, Read: enter.name == "RLock", Enter: enter.stmt}
	leave := "Unlock"
	if s.Read {
		leave = "RUnlock"
	}
	leaves := func(n ast.Node) (op, bool) {
		o, ok := ops[n]
		return o, ok && o.name == leave && o.of == enter.of
	}
	for stmt, ok := enter.stmt.NextSibling(); ok; stmt, ok = stmt.NextSibling() {
		if !uses.Listed(stmt) {
			break
		}
		if o, is := leaves(stmt.Node()); is {
			if !o.deferred {
				if s.Deferred {
					return nil // unlocked twice
				}
				s.Leave = stmt
				return s
			}
			if s.Deferred || !first(s) {
				return nil
			}
			s.Deferred, s.Leave = true, stmt
			continue
		}
		s.Stmts = append(s.Stmts, stmt)
		for c := range stmt.Preorder((*ast.ExprStmt)(nil), (*ast.DeferStmt)(nil)) {
			if _, is := leaves(c.Node()); is {
				s.Early = append(s.Early, c)
			}
		}
	}
	// A deferred unlock in an inner block holds beyond the block.
	if !s.Deferred || len(s.Early) > 0 || !body(enter.stmt) {
		return nil
	}
	return s
}

// first reports whether nothing that can fail runs before the unlock is
// deferred; other deferred calls may.
func first(s *Section) bool {
	return !slices.ContainsFunc(s.Stmts, func(c inspector.Cursor) bool {
		_, ok := c.Node().(*ast.DeferStmt)
		return !ok
	})
}

// body reports whether a statement is in the outermost list of its function.
func body(stmt inspector.Cursor) bool {
	if stmt.ParentEdgeKind() != edge.BlockStmt_List {
		return false
	}
	switch stmt.Parent().ParentEdgeKind() {
	case edge.FuncDecl_Body, edge.FuncLit_Body:
		return true
	}
	return false
}
