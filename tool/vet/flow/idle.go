package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// size is how many instructions a function may have, on all its ways, to be
// certainly inlined. The compiler allows 80 nodes of its own.
const size = 40

// Idle reports whether the compiler leaves out a call whose result is not used. It
// inlines the function, and neither that nor the operands can panic, allocate,
// loop or follow a pointer. They write only to variables of their own.
func (x *Index) Idle(call *ast.CallExpr) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	i := x.at(call)
	if i == nil {
		return false
	}
	r := x.reading(i.Parent(), call)
	left := size
	for _, b := range i.Parent().Blocks {
		for _, j := range b.Instrs {
			if call.Pos() <= j.Pos() && j.Pos() < call.End() && !r.idle(j, &left) {
				return false
			}
		}
	}
	return true
}

// idle reports whether one instruction is left out if nothing uses its result.
func (r *reading) idle(i ssa.Instruction, left *int) bool {
	if *left--; *left < 0 {
		return false
	}
	switch i := i.(type) {
	case *ssa.Phi, *ssa.If, *ssa.Jump, *ssa.Return, *ssa.Extract, *ssa.Field, *ssa.ChangeType:
		return true
	case *ssa.Alloc:
		return !i.Heap
	case *ssa.FieldAddr:
		return holder(i) != nil
	case *ssa.Store:
		_, own := holder(i.Addr).(*ssa.Alloc)
		return own
	case *ssa.UnOp:
		return i.Op != token.ARROW && (i.Op != token.MUL || holder(i.X) != nil)
	case *ssa.BinOp:
		var does Effects
		r.does(i, &does)
		return len(does) == 0 && number(i.X)
	case *ssa.Convert:
		return number(i) && number(i.X)
	case *ssa.Call:
		if b, ok := i.Call.Value.(*ssa.Builtin); ok {
			return slices.Contains([]string{"len", "cap", "min", "max", "real", "imag", "complex"}, b.Name())
		}
		fn := i.Call.StaticCallee()
		if fn != nil && fn.Origin() != nil {
			fn = fn.Origin()
		}
		return fn != nil && r.inlined(fn, left)
	}
	return false
}

// holder is the variable that an address is of, or of a field of which, or nil.
func holder(at ssa.Value) ssa.Value {
	switch a := at.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar:
		return at
	case *ssa.FieldAddr:
		return holder(a.X)
	}
	return nil
}

func number(v ssa.Value) bool {
	b, ok := v.Type().Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsNumeric|types.IsBoolean) != 0
}

// inlined reports whether a function is inlined and then left out.
func (r *reading) inlined(fn *ssa.Function, left *int) bool {
	if obj, ok := fn.Object().(*types.Func); ok && !r.owns(obj.Pkg()) { // few instructions of the processor
		s := r.outside(obj)
		return s != nil && obj.Pkg().Path() == "math/bits" && s.Effects.First(Panic) == nil
	}
	decl, ok := fn.Syntax().(*ast.FuncDecl)
	directed := func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:") }
	if !ok || len(fn.Blocks) == 0 || decl.Doc != nil && slices.ContainsFunc(decl.Doc.List, directed) {
		return false
	}
	var follow func(b *ssa.BasicBlock) bool
	follow = func(b *ssa.BasicBlock) bool { // what loops has no end
		return !slices.ContainsFunc(b.Instrs, func(i ssa.Instruction) bool { return !r.idle(i, left) }) &&
			!slices.ContainsFunc(b.Succs, func(b *ssa.BasicBlock) bool { return !follow(b) })
	}
	return follow(fn.Blocks[0])
}
