package spawn

import (
	"go/ast"
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
	Unknown  int // calls of anything else: other packages, function values, interfaces
	Dynamic  int // those of Unknown that call function values and methods of interfaces
	Blocking int // calls that wait for the world: net, os, database/sql, time.Sleep, …
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
	w.Unknown += v.Unknown
	w.Dynamic += v.Dynamic
	w.Blocking += v.Blocking
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
	if w, ok := known(fn); ok {
		return w
	}
	if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		return Weight{Unknown: 1, Dynamic: 1}
	}
	d := g.decls[fn.Origin()]
	if d == nil || depth == 0 {
		return Weight{Unknown: 1}
	}
	return g.weigh(d.Body, depth-1)
}

// known returns the weight of a call of a function whose package and name tell it.
func known(fn *types.Func) (w Weight, ok bool) {
	small, blocking := Weight{}, Weight{Blocking: 1}
	path, name := fn.Pkg().Path(), fn.Name()
	switch path {
	case "math", "math/bits", "math/cmplx", "sync/atomic", "cmp", "context", "unicode", "unicode/utf8", "unicode/utf16", "unsafe", "hash/maphash":
		return small, true
	case "sync":
		if name == "Wait" {
			return blocking, true
		}
		return small, name != "Do" && name != "Range" && name != "Go"
	case "time":
		if name == "Sleep" {
			return blocking, true
		}
		return small, IsMethod(fn, "time", "", "") && name != "Format" && name != "AppendFormat" && name != "String"
	case "math/rand", "math/rand/v2":
		return small, name != "Perm" && name != "Shuffle"
	case "io", "io/fs", "io/ioutil", "net", "os", "os/exec", "database/sql", "database/sql/driver", "syscall", "log", "log/slog":
		return blocking, true
	}
	return blocking, strings.HasPrefix(path, "net/") && path != "net/url" && path != "net/netip" && path != "net/textproto"
}
