package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A reading of one function. Each value has the roots that it may lead to, each
// root those that its memory may lead to; both only grow, until the instructions
// add nothing.
type reading struct {
	*solver
	fn    *ssa.Function
	vals  map[ssa.Value]Roots
	parts map[ssa.Value][]Roots // of what calls return, if that is several values
	sites map[ssa.Instruction]Root
	holds [roots]Roots
	kept  Roots // what functions get that it was handed, and may keep: callers know which these are
	grew  bool  // something was added

	out *Effects // the effects of the instructions, once the roots are known

	as    ssa.Instruction // a call that is taken for one of asSum
	asSum *Summary

	from, to token.Pos // of the call that is asked for: literals in it are no functions that are handed on
}

// read reads a function until nothing is added.
func (x *solver) read(fn *ssa.Function) *reading { return x.readAs(fn, nil, nil) }

// readAs does with a call taken for one of another function.
func (x *solver) readAs(fn *ssa.Function, as ssa.Instruction, sum *Summary) *reading {
	r := &reading{solver: x, fn: fn, as: as, asSum: sum, vals: map[ssa.Value]Roots{}, parts: map[ssa.Value][]Roots{}, sites: map[ssa.Instruction]Root{}}
	for i, p := range fn.Params {
		r.set(p, Set(Param(i)))
	}
	for i, v := range fn.FreeVars {
		r.set(v, Set(Captured(i)))
	}
	for at := range site0 {
		if at != Fresh {
			r.holds[at] = Set(at.Behind())
		}
	}
	r.settle()
	return r
}

// settle goes over the instructions until nothing is added.
func (r *reading) settle() {
	for r.grew = true; r.grew; {
		r.grew = false
		r.steps()
	}
}

func (r *reading) steps() {
	for _, b := range r.fn.Blocks {
		for _, i := range b.Instrs {
			r.step(i)
		}
	}
}

// does adds the effects of one instruction.
func (r *reading) does(i ssa.Instruction, to *Effects) {
	r.out = to
	r.step(i)
	r.out = nil
}

// all returns the effects of all instructions.
func (r *reading) all() (does Effects) {
	r.out = &does
	r.steps()
	r.out = nil
	return does
}

// summary is what callers have to know.
func (r *reading) summary() *Summary {
	s := &Summary{Endless: true}
	var gone Roots // what others get to see
	out := func(s Roots) Roots {
		gone = gone.Or(s)
		return s.outside()
	}
	for _, e := range r.all() {
		if e.On[1] = 0; e.On[0] != 0 { // not what it makes itself
			e.Given = out(e.Given)
			s.Effects = append(s.Effects, e)
		}
	}
	for _, b := range r.fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || r.fn.Recover == b {
			continue
		}
		first := s.Endless
		s.Endless = false
		for i, v := range ret.Results {
			if first {
				s.Results = append(s.Results, Result{})
			}
			res := &s.Results[i]
			res.Is = res.Is.Or(out(r.of(v)))
			res.Does = nil
			if ts, ok := r.targets(v, 0); ok && len(ts) == 1 && first {
				res.Does = &Made{fn: ts[0].fn, Summary: ts[0].sum}
				for _, b := range ts[0].bound {
					res.Does.Bound = append(res.Does.Bound, out(b))
				}
			}
		}
	}
	for at := range site0 {
		to := r.holds[at]
		to[0] &^= 1<<at | 1<<at.Behind()
		if !to.Empty() {
			s.Links = append(s.Links, Link{at, out(to)})
		}
	}
	var holds Roots // what it made among that leads to
	for more := r.load(Roots{0, gone[1]}); more != holds; more = holds.Or(r.load(Roots{0, holds[1]})) {
		holds = more
	}
	if !holds.Empty() {
		s.Links = append(s.Links, Link{Fresh, holds.outside()})
	}
	return s
}

// of returns the roots of a value.
func (r *reading) of(v ssa.Value) Roots {
	switch v := v.(type) {
	case *ssa.Global:
		return Set(Globals)
	case *ssa.Const, *ssa.Function, *ssa.Builtin:
		return Roots{}
	default:
		return r.vals[v]
	}
}

func (r *reading) set(v ssa.Value, to Roots) {
	if !r.leads(v.Type()) {
		return
	}
	old := r.vals[v]
	if now := old.Or(to); now != old {
		r.vals[v], r.grew = now, true
	}
}

// site is the root of the memory that an instruction makes.
func (r *reading) site(i ssa.Instruction) Root {
	at, ok := r.sites[i]
	if !ok {
		at = min(site0+Root(min(len(r.sites), roots)), roots-1)
		r.sites[i] = at
	}
	return at
}

// load is what is found in memory.
func (r *reading) load(at Roots) (to Roots) {
	for from := range at.All() {
		to = to.Or(r.holds[from])
	}
	return to
}

// store puts something into memory.
func (r *reading) store(at, what Roots) {
	for to := range at.All() {
		if now := r.holds[to].Or(what); now != r.holds[to] {
			r.holds[to], r.grew = now, true
		}
	}
}

// reach is all that a set leads to, itself among it.
func (r *reading) reach(s Roots) Roots {
	for next := s; !next.Empty(); {
		next = r.load(next).Without(s)
		s = s.Or(next)
	}
	return s
}

// add enters an effect on each of some roots.
func (r *reading) add(e Effect, on Roots) {
	if r.out != nil && !on.Empty() {
		e.On = on
		r.out.add(e)
	}
}

// note enters an effect that is on no memory.
func (r *reading) note(kind Kind, pos token.Pos) {
	r.add(Effect{Kind: kind, pos: pos}, Set(Anywhere))
}

func (r *reading) touch(kind Kind, at ssa.Value, pos token.Pos) {
	if r.out == nil {
		return
	}
	e := Effect{Kind: kind, v: variable(at), pos: pos}
	if e.v != nil {
		e.Name = e.v.Name()
	}
	r.add(e, r.of(at))
}

// variable is the field or package variable that an address is of: elements of a
// slice, a map or an array are part of the variable that has it.
func variable(at ssa.Value) *types.Var {
	switch a := at.(type) {
	case *ssa.FieldAddr:
		st, ok := uses.Deref(a.X.Type()).Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		return st.Field(a.Field).Origin()
	case *ssa.Global:
		v, _ := a.Object().(*types.Var)
		return v
	case *ssa.IndexAddr:
		return variable(a.X)
	case *ssa.Slice:
		return variable(a.X)
	case *ssa.UnOp:
		if a.Op != token.MUL {
			return nil
		}
		switch a.Type().Underlying().(type) {
		case *types.Slice, *types.Map:
			return variable(a.X)
		}
	}
	return nil
}

// step adds what one instruction does.
func (r *reading) step(i ssa.Instruction) {
	switch i := i.(type) {
	case *ssa.Alloc, *ssa.MakeMap:
		r.set(i.(ssa.Value), Set(r.site(i)))
	case *ssa.MakeSlice:
		r.set(i, Set(r.site(i)))
		if !constant(i.Len) || !constant(i.Cap) && i.Cap != i.Len {
			r.note(Panic, i.Pos())
		}
	case *ssa.MakeChan:
		r.set(i, Set(r.site(i)))
		if !constant(i.Size) {
			r.note(Panic, i.Pos())
		}
	case *ssa.MakeClosure:
		at := Set(r.site(i))
		r.set(i, at)
		for _, b := range i.Bindings {
			r.store(at, r.of(b))
		}
	case *ssa.MakeInterface, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.FieldAddr, *ssa.Field:
		r.set(i.(ssa.Value), r.of(*i.Operands(nil)[0]))
	case *ssa.Phi:
		for _, e := range i.Edges {
			r.set(i, r.of(e))
		}
	case *ssa.SliceToArrayPointer:
		r.set(i, r.of(i.X))
		r.note(Panic, i.Pos())
	case *ssa.Convert, *ssa.MultiConvert:
		r.convert(i.(ssa.Value), *i.Operands(nil)[0])
	case *ssa.Slice:
		r.set(i, r.of(i.X))
		if i.Low != nil || i.High != nil || i.Max != nil {
			r.note(Panic, i.Pos())
		}
	case *ssa.IndexAddr:
		r.set(i, r.of(i.X))
		r.indexes(i, i.X, i.Index)
	case *ssa.Index:
		r.set(i, r.of(i.X))
		r.indexes(i, i.X, i.Index)
	case *ssa.Lookup:
		r.touch(Read, i.X, i.Pos())
		if _, isMap := i.X.Type().Underlying().(*types.Map); isMap {
			r.set(i, r.load(r.of(i.X)))
			r.compares(i, i.Index)
		} else {
			r.indexes(i, i.X, i.Index)
		}
	case *ssa.Next:
		if !i.IsString {
			from := i.Iter.(*ssa.Range).X
			r.touch(Read, from, from.Pos())
			r.set(i, r.load(r.of(from)))
		}
	case *ssa.UnOp:
		switch i.Op {
		case token.MUL:
			r.touch(Read, i.X, i.Pos())
			r.set(i, r.load(r.of(i.X)))
		case token.ARROW:
			r.touch(Receive, i.X, i.Pos())
			r.set(i, r.load(r.of(i.X)))
		}
	case *ssa.BinOp:
		r.operate(i)
	case *ssa.TypeAssert:
		r.set(i, r.of(i.X))
		if !i.CommaOk {
			r.note(Panic, i.Pos())
		}
	case *ssa.Extract:
		if parts := r.parts[i.Tuple]; parts == nil {
			r.set(i, r.of(i.Tuple))
		} else if i.Index < len(parts) {
			r.set(i, parts[i.Index])
		}
	case *ssa.Store:
		r.touch(Write, i.Addr, i.Pos())
		r.store(r.of(i.Addr), r.of(i.Val))
	case *ssa.MapUpdate:
		r.touch(Write, i.Map, i.Pos())
		r.compares(i, i.Key)
		r.store(r.of(i.Map), r.of(i.Key).Or(r.of(i.Value)))
	case *ssa.Send:
		r.touch(Send, i.Chan, i.Pos())
		r.note(Panic, i.Pos())
		r.store(r.of(i.Chan), r.of(i.X))
	case *ssa.Select:
		for _, s := range i.States {
			kind := Receive
			if s.Dir == types.SendOnly {
				kind = Send
				r.store(r.of(s.Chan), r.of(s.Send))
			} else {
				r.set(i, r.load(r.of(s.Chan)))
			}
			r.touch(kind, s.Chan, i.Pos())
		}
		if i.Blocking {
			r.note(Wait, i.Pos())
		}
	case *ssa.Panic:
		r.note(Panic, i.Pos())
	case ssa.CallInstruction:
		if _, ok := i.(*ssa.Go); ok {
			r.note(Spawn, i.Pos())
		}
		r.call(i, i.Common())
	}
}

// operate is an operation with two operands.
func (r *reading) operate(i *ssa.BinOp) {
	x, _ := i.X.Type().Underlying().(*types.Basic)
	y, _ := i.Y.Type().Underlying().(*types.Basic)
	switch i.Op {
	case token.QUO, token.REM:
		if (x == nil || x.Info()&types.IsInteger != 0) && !constant(i.Y) {
			r.note(Panic, i.Pos())
		}
	case token.SHL, token.SHR: // by a number that is negative
		if (y == nil || y.Info()&types.IsUnsigned == 0) && !constant(i.Y) {
			r.note(Panic, i.Pos())
		}
	case token.EQL, token.NEQ:
		if !isNil(i.X) && !isNil(i.Y) {
			r.compares(i, i.X)
		}
	}
}

// indexes adds that an index may be outside: it is no constant within an array, nor
// that of a range over the same.
func (r *reading) indexes(i ssa.Instruction, x, index ssa.Value) {
	if next, ok := index.(*ssa.BinOp); ok && next.Op == token.ADD {
		from, _ := next.X.(*ssa.Phi)
		last, _ := next.Block().Instrs[len(next.Block().Instrs)-1].(*ssa.If)
		if from != nil && from.Comment == "rangeindex" && last != nil {
			cond := last.Cond.(*ssa.BinOp) // with the length
			if n, ok := cond.Y.(*ssa.Call); ok && cond.X == next && n.Call.Args[0] == x {
				return
			}
		}
	}
	if _, array := uses.Deref(x.Type()).Underlying().(*types.Array); !array || !constant(index) {
		r.note(Panic, i.Pos())
	}
}

// compares adds that values of the type of v are compared, which panics where an
// interface among them holds what cannot be.
func (r *reading) compares(i ssa.Instruction, v ssa.Value) {
	switch v.Type().Underlying().(type) {
	case *types.Interface, *types.Array, *types.Struct:
		r.note(Panic, i.Pos())
	}
}

// convert is a conversion: of bytes to a string and back it copies.
func (r *reading) convert(i ssa.Value, from ssa.Value) {
	_, toSlice := i.Type().Underlying().(*types.Slice)
	switch {
	case r.leads(from.Type()) && !r.leads(i.Type()):
		r.touch(Read, from, i.Pos())
	case r.leads(from.Type()):
		r.set(i, r.of(from))
	case toSlice:
		r.set(i, Set(r.site(i.(ssa.Instruction))))
	default: // an address made of a number
		r.set(i, Set(Anywhere))
	}
}

func constant(v ssa.Value) bool {
	_, ok := v.(*ssa.Const)
	return ok
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}
