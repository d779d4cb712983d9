package atonce

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// call looks at what a call does beyond its operands.
func (c *Code) call(call *ast.CallExpr) {
	info := c.r.info
	if info.Types[call.Fun].IsType() {
		return
	}
	switch name := loop.Builtin(info, call); name {
	case "":
	case "append", "copy", "delete", "clear":
		c.bar(call, "changes "+types.ExprString(call.Args[0]))
		return
	case "close", "recover", "print", "println":
		c.bar(call, "calls "+name)
		return
	default:
		return
	}
	name := types.ExprString(call.Fun)
	fn := section.Callee(info, call)
	switch {
	case fn == nil:
	case section.Locks(fn):
		c.bar(call, "takes a lock")
		return
	case fn.Pkg() == nil: // error.Error
		return
	case c.r.decls[fn.Origin()] != nil && c.r.flow.Pure(call) == "" && !slices.ContainsFunc(c.r.flow.Func(fn.Origin()).Effects, ofField):
		for _, e := range c.r.flow.Func(fn.Origin()).Effects {
			if v := e.Var(); v != nil {
				c.Behind[v] = true
			}
		}
		return
	case c.r.decls[fn.Origin()] != nil:
		c.follow(call, name, c.r.decls[fn.Origin()])
		return
	case section.Standard(fn):
		if !c.standard(fn, call) {
			c.bar(call, "calls "+name)
		}
		return
	}
	c.bar(call, "calls "+name+", which may not be meant for several goroutines at once")
}

// ofField reports whether an effect is on a field: of which variable it does not say.
func ofField(e flow.Effect) bool { return e.Var() != nil && e.Var().IsField() }

// follow reads a function of the package that a call names.
func (c *Code) follow(call *ast.CallExpr, name string, fn *ast.FuncDecl) {
	f := c.r.funcs[fn]
	switch {
	case f == nil:
		f = &Code{Own: fn, body: true}
		c.r.funcs[fn] = f
		c.r.Read(f, fn.Body)
	case !f.done:
		c.bar(call, "calls "+name+", which calls it")
		return
	}
	if f.Bar != nil {
		c.bar(call, "calls "+name+", which "+f.Bar.Why)
		return
	}
	maps.Copy(c.Behind, f.Here)
	maps.Copy(c.Behind, f.Behind)
}

// asks are functions of the standard library that ask the world, and change
// nothing that another run would see.
var asks = map[string][]string{
	"time":     {"Sleep"},
	"os":       {"Open"},
	"net":      {"Dial", "DialTimeout", "LookupAddr", "LookupHost", "LookupIP", "ParseIP", "JoinHostPort"},
	"net/http": {"Get", "Head", "NewRequest", "NewRequestWithContext"},
	"fmt":      {"Errorf"},
	"runtime":  {"Gosched"},
}

// handed are packages whose functions and methods do nothing but to what they
// are handed.
var handed = []string{
	"bufio", "bytes", "cmp", "compress", "container", "context", "crypto", "encoding", "hash", "html", "io", "iter",
	"maps", "math", "mime", "net/netip", "net/url", "path", "regexp", "slices", "sort", "strconv", "strings", "unicode",
}

// standard reports whether a call of the standard library may be made at once.
func (c *Code) standard(fn *types.Func, call *ast.CallExpr) bool {
	path, recv := fn.Pkg().Path(), fn.Signature().Recv()
	in := func(p string) bool { return path == p || strings.HasPrefix(path, p+"/") }
	switch {
	case c.r.flow.Pure(call) == "":
		return true
	case recv == nil && slices.Contains(asks[path], fn.Name()):
		return true
	case recv == nil && !slices.ContainsFunc(handed, in):
		return false
	case recv != nil && path == "net/http" && section.Shareable(recv.Type()):
		return fn.Name() == "Get" || fn.Name() == "Head"
	case recv != nil && (path == "log" || path == "log/slog" || path == "database/sql" || path == "sync/atomic" || path == "sync"):
		return false
	}
	return c.operands(call)
}

// operands reports whether what a call is handed is the run's own, or leads
// nowhere.
func (c *Code) operands(call *ast.CallExpr) bool {
	info := c.r.info
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && info.Selections[sel] != nil && !c.mine(sel.X) {
		return false
	}
	return !slices.ContainsFunc(call.Args, func(a ast.Expr) bool { return !c.mine(a) })
}

// mine reports whether a value leads to nothing that the run did not make.
func (c *Code) mine(e ast.Expr) bool {
	info := c.r.info
	if t := info.TypeOf(e); uses.Basic(t) || section.Shareable(t) || info.Types[e].IsNil() {
		return true
	}
	v, _ := c.r.path(e)
	return c.given(v)
}

// answered reports whether an expression is what the standard library makes of
// nothing but the run's own.
func (c *Code) answered(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := section.Callee(c.r.info, call)
	return fn != nil && section.Standard(fn) && c.operands(call)
}
