package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// size is how many instructions a function may have to be certainly inlined. The
// compiler allows 80 nodes of its own.
const size = 40

// Idle reports whether the compiler leaves out a call whose result is not used. It
// inlines the function, and neither that nor the operands can panic, allocate,
// loop or follow a pointer. They write only to variables of their own.
func (x *Index) Idle(call *ast.CallExpr) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.ready()
	i := x.at(call)
	if i == nil {
		return false
	}
	r := x.reading(i.Parent())
	left := size
	for _, b := range i.Parent().Blocks {
		for _, j := range b.Instrs {
			if call.Pos() <= j.Pos() && j.Pos() < call.End() && !r.idle(j, &left, 0) {
				return false
			}
		}
	}
	return true
}

// idle reports whether one instruction is left out if nothing uses its result.
func (r *reading) idle(i ssa.Instruction, left *int, depth int) bool {
	if *left--; *left < 0 {
		return false
	}
	switch i := i.(type) {
	case *ssa.Alloc:
		return !i.Heap
	case *ssa.Phi, *ssa.If, *ssa.Jump, *ssa.Return, *ssa.Extract, *ssa.Field, *ssa.ChangeType, *ssa.DebugRef:
		return true
	case *ssa.FieldAddr:
		return variable(i.X)
	case *ssa.Store:
		a, ok := i.Addr.(*ssa.FieldAddr)
		return own(i.Addr) || ok && own(a.X)
	case *ssa.UnOp:
		a, ok := i.X.(*ssa.FieldAddr)
		return i.Op != token.ARROW && (i.Op != token.MUL || variable(i.X) || ok && variable(a.X))
	case *ssa.BinOp, *ssa.Convert:
		does := effects{}
		r.does(i, &does)
		return len(does.all) == 0
	case ssa.CallInstruction:
		return r.idleCall(i, left, depth)
	}
	return false
}

func (r *reading) idleCall(i ssa.CallInstruction, left *int, depth int) bool {
	c := i.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		return slices.Contains([]string{"len", "cap", "min", "max", "real", "imag", "complex"}, b.Name())
	}
	fn := c.StaticCallee()
	if _, called := i.(*ssa.Call); !called || fn == nil || depth > 2 {
		return false
	}
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	if obj, ok := fn.Object().(*types.Func); ok && len(fn.Blocks) == 0 {
		s := r.outside(obj)
		return s != nil && s.Instant
	}
	decl, ok := fn.Syntax().(*ast.FuncDecl)
	if !ok || len(fn.Blocks) == 0 || slices.Contains(loops(fn), true) || directed(decl) {
		return false
	}
	for _, b := range fn.Blocks {
		for _, j := range b.Instrs {
			if !r.idle(j, left, depth+1) {
				return false
			}
		}
	}
	return true
}

// directed reports whether a function has a word for the compiler.
func directed(decl *ast.FuncDecl) bool {
	return decl.Doc != nil && slices.ContainsFunc(decl.Doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:") })
}

// own reports whether an address is that of a variable of the function.
func own(at ssa.Value) bool {
	_, ok := at.(*ssa.Alloc)
	return ok
}

// variable reports whether an address is that of a variable, which is never nil.
func variable(at ssa.Value) bool {
	switch at.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar:
		return true
	}
	return false
}
