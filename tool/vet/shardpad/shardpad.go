package shardpad

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/room"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer is the check.
var Analyzer = shape.Analyzer("shardpad", "find shards of locks or counters that share cache lines\n\nA shard of a slice or array that is smaller than a cache line shares it with its neighbours.", find, uses.Analyzer)

// A table is a slice or array of shards.
type table struct {
	v      *types.Var
	at     inspector.Cursor   // its declaration
	elem   types.Type         // pointers are followed
	hot    []inspector.Cursor // uses of what the shards hold
	shared string             // what those are: lock, counter
}

type check struct {
	*analysis.Pass
	*uses.Index
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	c := check{pass, pass.ResultOf[uses.Analyzer].(*uses.Index)}
	var structs []types.Type
	tables := c.tables()
	for _, t := range tables {
		_, isStruct := shard(t.elem)
		if isStruct && slices.ContainsFunc(structs, func(s types.Type) bool { return types.Identical(s, t.elem) }) {
			continue // one edit serves all its tables
		}
		structs = append(structs, t.elem)
		size := pass.TypesSizes.Sizeof(t.elem)
		at, name := t.v.Pos(), t.v.Name()
		if st, ok := layout.Of(c.Index, t.elem); ok && st.Name != nil {
			at, name = st.Name.Pos(), st.Name.Name() // where it is mended
		}
		f := shape.Finding{
			Pos: at, End: at + token.Pos(len(name)),
			Message: fmt.Sprintf("elements of %s are %d bytes, each with a %s: neighbours share a cache line", t.v.Name(), size, t.shared),
			Func:    uses.Decl(t.at),
			Causes:  []string{"falseshare", "lock", "rwmutex", "rmw", "trueshare"},
		}
		for _, use := range t.hot {
			if r := shape.Of(uses.Around(use)); !slices.Contains(f.Hot, r) {
				f.Hot = append(f.Hot, r)
			}
		}
		edits, why, where := c.pad(t, tables)
		f.Offer(shape.Fix{Name: "pad", Says: fmt.Sprintf("fill each element of %s up to %d bytes", t.v.Name(), layout.Line), Edits: edits,
			Dearer: shape.Memory("each", fmt.Sprintf("%d bytes instead of %d", layout.Line, size))}, why, where)
		all = append(all, f)
	}
	return all, nil
}

// tables are the variables whose elements are shards, each once, in the order
// of their first use.
func (c check) tables() (all []*table) {
	seen := map[*types.Var]bool{}
	for at := range c.Root.Preorder((*ast.IndexExpr)(nil)) {
		index := at.Node().(*ast.IndexExpr)
		v := c.Var(index.X)
		if v == nil || seen[v] || v.Pkg() != c.Pkg || !c.chosen(at, index.Index) {
			continue
		}
		seen[v] = true
		if t := c.table(v); t != nil {
			all = append(all, t)
		}
	}
	return all
}

// table returns what v is if its elements are small and hold a lock or a
// counter, else nil.
func (c check) table(v *types.Var) *table {
	elem := element(v.Type())
	if elem == nil {
		return nil
	}
	t := &table{v: v, elem: uses.Deref(elem)}
	st, isStruct := shard(t.elem)
	if n := uses.Named(elem); t.elem != types.Unalias(elem) && (!isStruct || n == nil || !c.inLoop(n.Obj())) {
		return nil // each lies where it was allocated
	}
	if !layout.Sized(t.elem) {
		return nil
	}
	size := c.TypesSizes.Sizeof(t.elem)
	if size == 0 || size >= layout.Line {
		return nil
	}
	if isStruct {
		if last := st.Field(st.NumFields() - 1); size%64 == 0 && c.fills(last) {
			return nil // it was taken care of
		}
		c.fields(t, st)
	} else if t.shared = kind(t.elem); t.shared != "" {
		for _, use := range c.Of(v) {
			if e := uses.Whole(use); e.ParentEdgeKind() == edge.IndexExpr_X && c.shares(e.Parent(), t.shared) {
				t.hot = append(t.hot, use)
			}
		}
	}
	if len(t.hot) == 0 {
		return nil
	}
	for _, use := range c.Of(v) {
		if c.Declares(use) {
			t.at = use
			return t
		}
	}
	return nil
}

// fills reports whether a field is there to fill the cache line, whatever its name:
// nothing uses it.
func (c check) fills(f *types.Var) bool {
	return f.Name() == "_" || !slices.ContainsFunc(c.Of(f), func(use inspector.Cursor) bool { return !c.Declares(use) })
}

// fields finds the locks and counters among the fields of a shard.
func (c check) fields(t *table, st *types.Struct) {
	for f := range st.Fields() {
		if nested, ok := shard(f.Type()); ok {
			c.fields(t, nested)
			continue
		}
		shared := kind(f.Type())
		for _, use := range c.Of(f) {
			_, through := use.Node().(*ast.SelectorExpr)
			if shared == "" || !(through && shared == "lock") && !c.shares(uses.Whole(use), shared) {
				continue
			}
			t.hot = append(t.hot, use)
			if t.shared == "" || shared == "lock" {
				t.shared = shared
			}
		}
	}
}

// kind names what goroutines share in a value of type t: a lock, an atomic
// counter or a number, which may be one; "" for anything else. Atomic pointers
// and flags are slots of tables and are set, not counted.
func kind(t types.Type) string {
	if uses.Is(t, "sync", "Mutex") || uses.Is(t, "sync", "RWMutex") {
		return "lock"
	}
	for _, name := range []string{"Int32", "Int64", "Uint32", "Uint64"} {
		if uses.Is(t, "sync/atomic", name) {
			return "counter"
		}
	}
	if b, ok := types.Unalias(t).(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
		return "counter" // if it is added to by functions of sync/atomic
	}
	return ""
}

// shares reports whether an expression for a lock or counter is locked or added to.
func (c check) shares(e inspector.Cursor, kind string) bool {
	up := e.Parent()
	switch p := up.Node().(type) {
	case *ast.SelectorExpr:
		sel := p.Sel.Name
		return up.ParentEdgeKind() == edge.CallExpr_Fun && (kind == "lock" && (sel == "Lock" || sel == "RLock") || kind == "counter" && sel == "Add")
	case *ast.UnaryExpr:
		if _, plain := types.Unalias(c.Info.TypeOf(p.X)).(*types.Basic); !plain {
			return true // used by its address
		}
		call, ok := up.Parent().Node().(*ast.CallExpr)
		if !ok {
			return false
		}
		fn := typeutil.StaticCallee(c.Info, call)
		return fn != nil && strings.HasPrefix(fn.FullName(), "sync/atomic.Add")
	}
	return false
}

// chosen reports whether an index picks one element: by a remainder, a mask, a
// hash, or by the caller; not if a loop of the same function goes over them.
func (c check) chosen(at inspector.Cursor, index ast.Expr) bool {
	if c.Info.Types[index].Value != nil {
		return false
	}
	switch e := ast.Unparen(index).(type) {
	case *ast.BinaryExpr:
		return e.Op == token.REM || e.Op == token.AND || e.Op == token.SHR || e.Op == token.AND_NOT
	case *ast.CallExpr, *ast.SelectorExpr:
		return true
	case *ast.Ident:
		v := c.Var(e)
		if v == nil {
			return false // m[nil]
		}
		fn, _ := uses.Func(at)
		for _, use := range c.Of(v) {
			if c.Declares(use) {
				by, _ := uses.Func(use)
				_, ranges := use.Parent().Node().(*ast.RangeStmt)
				return by != fn || !ranges && use.Parent().ParentEdgeKind() != edge.ForStmt_Init
			}
		}
	}
	return false
}

// inLoop reports whether values of a struct type are allocated in a loop, one after
// the other.
func (c check) inLoop(t *types.TypeName) bool {
	for _, lit := range c.Literals(t) {
		if lit.ParentEdgeKind() == edge.UnaryExpr_X {
			for range lit.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
				return true
			}
		}
	}
	return false
}

// element is the element type of a slice or array, or of what points to one.
func element(t types.Type) types.Type {
	switch u := uses.Deref(t).Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	}
	return nil
}

// shard returns the struct type that t is, if it is none of package sync or sync/atomic.
func shard(t types.Type) (*types.Struct, bool) {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && (n.Obj().Pkg().Path() == "sync" || n.Obj().Pkg().Path() == "sync/atomic") {
		return nil, false
	}
	st, ok := types.Unalias(t).Underlying().(*types.Struct)
	return st, ok && st.NumFields() > 0
}

// pad returns the edits that give each shard of a table its cache line, or why
// there are none, and where the reason is.
func (c check) pad(t *table, tables []*table) (edits []analysis.TextEdit, why string, at token.Pos) {
	size := c.TypesSizes.Sizeof(t.elem)
	if _, ok := shard(t.elem); ok {
		st, ok := layout.Of(c.Index, t.elem)
		if !ok {
			return nil, "its type is declared elsewhere, or is generic", t.v.Pos()
		}
		if room.TooLarge(t.v.Type()) {
			return nil, room.Large, t.v.Pos()
		}
		return st.Fill(c.Index, c.Pkg, c.Fset, size)
	}
	m := room.Elements(c.Index, t.v)
	if why, at = m.Find(); why != "" {
		return nil, why, at
	}
	// Tables of one kind share the new type, so that their edits go together.
	home := tables[slices.IndexFunc(tables, func(x *table) bool {
		if !types.Identical(x.elem, t.elem) {
			return false
		}
		why, _ := room.Elements(c.Index, x.v).Find()
		return why == ""
	})]
	of, edits := room.Declare(rewrite.Names{}, c.Pkg, home.at, t.elem, size)
	return append(edits, room.Edits(m.Changes(c.Fset, of))...), "", 0
}
