package spawn

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

// A Weight says how heavy code is, as far as its text tells. Function literals
// count as the code they hold, wherever they run; calls of small functions of
// the package count as their bodies.
type Weight struct {
	Stmts    int // statements, without blocks
	Loops    int // loops
	Small    int // calls known to be small: math, atomics, locks, builtins, small functions of the package
	Unknown  int // calls of anything else: other packages, function values, interfaces
	Dynamic  int // those of Unknown that call function values and methods of interfaces
	Blocking int // calls that wait for the world: net, os, database/sql, time.Sleep, …
	Chans    int // channel operations and selects
}

// Light reports whether the code has no loop and no call that may be heavy or
// wait, and at most n statements.
func (w Weight) Light(n int) bool {
	return w.Loops == 0 && w.Unknown == 0 && w.Blocking == 0 && w.Stmts <= n
}

// callDepth is how far a Weigher follows calls within the package.
const callDepth = 3

// A Weigher weighs code of one package.
type Weigher struct {
	info  *types.Info
	decls map[*types.Func]*ast.FuncDecl
}

// NewWeigher returns the Weigher of the package of the pass.
func NewWeigher(pass *analysis.Pass) *Weigher {
	return &Weigher{info: pass.TypesInfo, decls: Decls(pass)}
}

// Weigh returns the weight of the code under node. A loop counts as one, and
// with its header.
func (g *Weigher) Weigh(node ast.Node) Weight { return g.weigh(node, callDepth) }

func (g *Weigher) weigh(node ast.Node, depth int) Weight {
	var w Weight
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt, *ast.EmptyStmt, *ast.LabeledStmt, *ast.CaseClause:
			return true
		case *ast.ForStmt, *ast.RangeStmt:
			w.Loops++
		case *ast.SendStmt, *ast.SelectStmt:
			w.Chans++
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				w.Chans++
			}
		case *ast.CallExpr:
			w.add(g.call(n, depth))
		}
		if _, ok := n.(ast.Stmt); ok {
			w.Stmts++
		}
		return true
	})
	return w
}

func (w *Weight) add(v Weight) {
	w.Stmts += v.Stmts
	w.Loops += v.Loops
	w.Small += v.Small
	w.Unknown += v.Unknown
	w.Dynamic += v.Dynamic
	w.Blocking += v.Blocking
	w.Chans += v.Chans
}

// call returns the weight of a call without that of its operands.
func (g *Weigher) call(call *ast.CallExpr, depth int) Weight {
	fun := ast.Unparen(call.Fun)
	if tv := g.info.Types[fun]; tv.IsType() || tv.IsBuiltin() {
		return Weight{}
	}
	if _, ok := fun.(*ast.FuncLit); ok {
		return Weight{} // its statements are counted where they stand
	}
	fn, _ := typeutil.Callee(g.info, call).(*types.Func)
	if fn == nil || fn.Pkg() == nil {
		return Weight{Unknown: 1, Dynamic: 1}
	}
	switch kind(fn) {
	case small:
		return Weight{Small: 1}
	case blocking:
		return Weight{Blocking: 1}
	}
	if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		return Weight{Unknown: 1, Dynamic: 1}
	}
	d := g.decls[fn.Origin()]
	if d == nil || depth == 0 {
		return Weight{Unknown: 1}
	}
	w := g.weigh(d.Body, depth-1)
	if w.Light(8) && w.Chans == 0 {
		w.Small++
	}
	return w
}

type calleeKind int

const (
	unknown calleeKind = iota
	small
	blocking
)

// kind says what is known of a function by its package and name alone.
func kind(fn *types.Func) calleeKind {
	path, name := fn.Pkg().Path(), fn.Name()
	switch path {
	case "math", "math/bits", "math/cmplx", "sync/atomic", "cmp", "unicode", "unicode/utf8", "unicode/utf16", "unsafe", "hash/maphash":
		return small
	case "sync":
		if name == "Wait" {
			return blocking
		}
		if name == "Do" || name == "Range" || name == "Go" {
			return unknown
		}
		return small
	case "time":
		if name == "Sleep" {
			return blocking
		}
		if IsMethod(fn, "time", "", "") && name != "Format" && name != "AppendFormat" && name != "String" {
			return small
		}
	case "io", "io/fs", "io/ioutil", "net", "os", "os/exec", "database/sql", "database/sql/driver", "syscall", "log", "log/slog":
		return blocking
	case "context":
		return small
	case "math/rand", "math/rand/v2":
		if name != "Perm" && name != "Shuffle" {
			return small
		}
	}
	if strings.HasPrefix(path, "net/") && path != "net/url" && path != "net/netip" && path != "net/textproto" {
		return blocking
	}
	return unknown
}
