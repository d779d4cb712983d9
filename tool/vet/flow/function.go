package flow

import (
	"go/token"
	"go/types"
	"math/bits"
	"slices"

	"golang.org/x/tools/go/ssa"
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
	kept  Roots             // what functions get that it was handed, and may keep: callers know which these are
	moves []ssa.Instruction // those that may add to the roots, each behind those whose values it has

	// The moves have to be looked at again where something grew that one of them has
	// seen before: memory that was loaded, a value that comes around in a loop, or
	// any value where they look at those of others.
	grew   bool
	loaded Roots
	turns  map[ssa.Value]bool
	wide   bool

	out   *effects        // the effects of the instructions, once the roots are known
	at    ssa.Instruction // that is looked at for them
	alone bool            // it is the only one
	loops []bool          // the blocks that may run again, by index
	asked []*ssa.Function // that were asked for, of this package

	from, to token.Pos // of the call that is asked for: literals in it are no functions that are handed on
}

// read reads a function until nothing is added.
func (x *solver) read(fn *ssa.Function) *reading {
	r := &reading{solver: x, fn: fn, sites: map[ssa.Instruction]Root{}}
	blocks, at := order(fn)
	for n, b := range blocks {
		for _, i := range b.Instrs {
			if !r.carries(i) {
				continue
			}
			r.moves = append(r.moves, i)
			if phi, ok := i.(*ssa.Phi); ok {
				for k, e := range phi.Edges {
					if at[b.Preds[k].Index] >= n {
						if r.turns == nil {
							r.turns = map[ssa.Value]bool{}
						}
						r.turns[e] = true
					}
				}
			}
		}
	}
	r.vals = make(map[ssa.Value]Roots, len(r.moves)+len(fn.Params)+len(fn.FreeVars))
	leads := func(from, to Root) { r.holds[from] = r.holds[from].Or(Set(to)) }
	leads(Anywhere, Anywhere)
	leads(Globals, Globals)
	for i, p := range fn.Params {
		r.set(p, Set(Param(i)))
	}
	for i, v := range fn.FreeVars {
		r.set(v, Set(Captured(i)))
	}
	for at := param0; at < site0; at++ {
		leads(at, at.Behind())
	}
	r.settle()
	return r
}

// settle goes over what moves memory about until nothing is added.
func (r *reading) settle() {
	for r.grew = true; r.grew; {
		r.grew, r.loaded = false, Roots{}
		for _, i := range r.moves {
			r.step(i)
		}
	}
}

// order returns the blocks of a function, each behind one from which it is reached,
// and the places of all in that order: the reverse of that in which they are left.
func order(fn *ssa.Function) (blocks []*ssa.BasicBlock, at []int) {
	n := len(fn.Blocks)
	blocks, at = make([]*ssa.BasicBlock, n), make([]int, n)
	seen := make([]bool, n)
	next := n
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		seen[b.Index] = true
		for _, to := range b.Succs {
			if !seen[to.Index] {
				visit(to)
			}
		}
		next--
		blocks[next], at[b.Index] = b, next
	}
	for i := n - 1; i > 0; i-- { // where a panic is recovered, which none leads to
		if len(fn.Blocks[i].Preds) == 0 {
			visit(fn.Blocks[i])
		}
	}
	if n > 0 {
		visit(fn.Blocks[0])
	}
	return blocks[next:], at
}

// carries reports whether an instruction may add to the roots of anything.
func (r *reading) carries(i ssa.Instruction) bool {
	switch i := i.(type) {
	case ssa.CallInstruction:
		return true
	case *ssa.Store:
		return r.leads(i.Val.Type())
	case *ssa.MapUpdate:
		return r.leads(i.Key.Type()) || r.leads(i.Value.Type())
	case *ssa.Send:
		return r.leads(i.X.Type())
	case *ssa.Select:
		return true
	case ssa.Value:
		return r.leads(i.Type())
	}
	return false
}

// does adds the effects of the function, or of one instruction of it.
func (r *reading) does(only ssa.Instruction, to *effects) {
	if r.loops == nil {
		r.loops = loops(r.fn)
	}
	r.out = to
	if r.at, r.alone = only, only != nil; r.alone {
		r.step(only)
	} else {
		for _, b := range r.fn.Blocks {
			for _, r.at = range b.Instrs {
				r.step(r.at)
			}
		}
	}
	r.out = nil
}

// loops returns the blocks of a function that may run again: those that lead to
// themselves, by the algorithm of Tarjan for strong components.
func loops(fn *ssa.Function) []bool {
	n := len(fn.Blocks)
	all := make([]bool, n)
	if n == 1 {
		return all
	}
	order, low, done := make([]int, n), make([]int, n), make([]bool, n)
	var stack []*ssa.BasicBlock
	next := 0
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		next++
		order[b.Index], low[b.Index] = next, next
		at := len(stack)
		stack = append(stack, b)
		for _, to := range b.Succs {
			if order[to.Index] == 0 {
				visit(to)
			}
			if !done[to.Index] {
				low[b.Index] = min(low[b.Index], low[to.Index])
			}
			if to == b {
				all[b.Index] = true
			}
		}
		if low[b.Index] < order[b.Index] {
			return
		}
		for _, c := range stack[at:] {
			done[c.Index] = true
			if len(stack) > at+1 {
				all[c.Index] = true
			}
		}
		stack = stack[:at]
	}
	for _, b := range fn.Blocks {
		if order[b.Index] == 0 {
			visit(b)
		}
	}
	return all
}

// summary is what callers have to know.
func (r *reading) summary() *Summary {
	s := &Summary{Endless: true}
	var gone Roots // what others get to see
	out := func(s Roots) Roots {
		gone = gone.Or(s)
		return s.outside()
	}
	does := r.collector()
	r.does(nil, does)
	kept := does.all[:0]
	for _, e := range does.all {
		if e.On[1] = 0; e.On[0] != 0 { // not what it makes itself
			e.Given = out(e.Given)
			kept = append(kept, e)
		}
	}
	s.Effects = slices.Clone(kept)
	r.spare = append(r.spare, does)
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
	for more := r.load(made(gone)); more != holds; more = holds.Or(r.load(made(holds))) {
		holds = more
	}
	if !holds.Empty() {
		s.Links = append(s.Links, Link{Fresh, holds.outside()})
	}
	return s
}

// made are the roots of a set that the function makes.
func made(s Roots) Roots { return Roots{0, s[1]} }

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
		r.vals[v] = now
		r.unsettled = r.unsettled || r.out != nil
		r.grew = r.grew || r.wide || r.turns[v]
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
	r.loaded = r.loaded.Or(at)
	for w, word := range at {
		for ; word != 0; word &= word - 1 {
			h := &r.holds[w*64+bits.TrailingZeros64(word)]
			to[0] |= h[0]
			to[1] |= h[1]
		}
	}
	return to
}

// store puts something into memory.
func (r *reading) store(at, what Roots) {
	if what.Empty() {
		return
	}
	for w, word := range at {
		for ; word != 0; word &= word - 1 {
			h := &r.holds[w*64+bits.TrailingZeros64(word)]
			if now := h.Or(what); now != *h {
				*h = now
				r.unsettled = r.unsettled || r.out != nil
				r.grew = r.grew || r.loaded[w]&(word&-word) != 0
			}
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
		_, started := r.at.(*ssa.Go)
		e.Often, e.Apart = e.Often || !r.alone && r.loops[r.at.Block().Index], e.Apart || started && e.Kind != Spawn
		r.out.add(e)
	}
}

// note enters an effect that is on no memory.
func (r *reading) note(kind Kind, pos token.Pos, name string) {
	r.add(Effect{Kind: kind, Name: name, pos: pos}, Set(Anywhere))
}

func (r *reading) touch(kind Kind, at ssa.Value, pos token.Pos) {
	if r.out == nil {
		return
	}
	v := place(at)
	name := ""
	if v != nil {
		name = v.Name()
	}
	r.add(Effect{Kind: kind, Name: name, v: v, pos: pos}, r.of(at))
}

// place is the field or package variable that an address is of: elements of a
// slice, a map or an array are part of the variable that has it.
func place(at ssa.Value) *types.Var {
	switch a := at.(type) {
	case *ssa.FieldAddr:
		st, ok := deref(a.X.Type()).Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		return st.Field(a.Field).Origin()
	case *ssa.Global:
		v, _ := a.Object().(*types.Var)
		return v
	case *ssa.IndexAddr:
		return place(a.X)
	case *ssa.Slice:
		return place(a.X)
	case *ssa.UnOp:
		if a.Op != token.MUL {
			return nil
		}
		switch a.Type().Underlying().(type) {
		case *types.Slice, *types.Map:
			return place(a.X)
		}
	}
	return nil
}

func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// step adds what one instruction does.
func (r *reading) step(i ssa.Instruction) {
	switch i := i.(type) {
	case *ssa.Alloc:
		r.set(i, Set(r.site(i)))
		if i.Heap {
			r.note(Alloc, i.Pos(), "")
		}
	case *ssa.MakeSlice:
		r.set(i, Set(r.site(i)))
		r.note(Alloc, i.Pos(), "")
		if !constant(i.Len) || !constant(i.Cap) && i.Cap != i.Len {
			r.note(Panic, i.Pos(), "")
		}
	case *ssa.MakeMap:
		r.set(i, Set(r.site(i)))
		r.note(Alloc, i.Pos(), "")
	case *ssa.MakeChan:
		r.set(i, Set(r.site(i)))
		r.note(Alloc, i.Pos(), "")
		if !constant(i.Size) {
			r.note(Panic, i.Pos(), "")
		}
	case *ssa.MakeClosure:
		at := Set(r.site(i))
		r.set(i, at)
		for _, b := range i.Bindings {
			r.store(at, r.of(b))
		}
		r.note(Alloc, i.Pos(), "")
	case *ssa.MakeInterface:
		r.set(i, r.of(i.X))
	case *ssa.Phi:
		for _, e := range i.Edges {
			r.set(i, r.of(e))
		}
	case *ssa.ChangeType:
		r.set(i, r.of(i.X))
	case *ssa.ChangeInterface:
		r.set(i, r.of(i.X))
	case *ssa.SliceToArrayPointer:
		r.set(i, r.of(i.X))
		r.note(Panic, i.Pos(), "")
	case *ssa.Convert:
		r.convert(i, i.X)
	case *ssa.MultiConvert:
		r.convert(i, i.X)
	case *ssa.Slice:
		r.set(i, r.of(i.X))
		if i.Low != nil || i.High != nil || i.Max != nil {
			r.note(Panic, i.Pos(), "")
		}
	case *ssa.FieldAddr:
		r.set(i, r.of(i.X))
	case *ssa.Field:
		r.set(i, r.of(i.X))
	case *ssa.IndexAddr:
		r.set(i, r.of(i.X))
		if !inside(i.X, i.Index) {
			r.note(Panic, i.Pos(), "")
		}
	case *ssa.Index:
		r.set(i, r.of(i.X))
		if !inside(i.X, i.Index) {
			r.note(Panic, i.Pos(), "")
		}
	case *ssa.Lookup:
		r.touch(Read, i.X, i.Pos())
		if _, isMap := i.X.Type().Underlying().(*types.Map); isMap {
			r.set(i, r.load(r.of(i.X)))
			r.compares(i, i.Index)
		} else if !inside(i.X, i.Index) {
			r.note(Panic, i.Pos(), "")
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
			r.note(Panic, i.Pos(), "")
		}
	case *ssa.Extract:
		if parts := r.parts[i.Tuple]; parts != nil {
			if i.Index < len(parts) {
				r.set(i, parts[i.Index])
			}
		} else {
			r.set(i, r.of(i.Tuple))
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
		r.note(Panic, i.Pos(), "")
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
			r.note(Wait, i.Pos(), "")
		}
	case *ssa.Panic:
		r.note(Panic, i.Pos(), "")
	case *ssa.Go:
		r.note(Spawn, i.Pos(), "")
		r.call(i, &i.Call)
	case *ssa.Defer:
		r.call(i, &i.Call)
	case *ssa.Call:
		r.call(i, &i.Call)
	}
}

// operate is an operation with two operands.
func (r *reading) operate(i *ssa.BinOp) {
	x, _ := i.X.Type().Underlying().(*types.Basic)
	y, _ := i.Y.Type().Underlying().(*types.Basic)
	switch i.Op {
	case token.QUO, token.REM:
		if (x == nil || x.Info()&types.IsInteger != 0) && !constant(i.Y) {
			r.note(Panic, i.Pos(), "")
		}
	case token.SHL, token.SHR: // by a number that is negative
		if (y == nil || y.Info()&types.IsUnsigned == 0) && !constant(i.Y) {
			r.note(Panic, i.Pos(), "")
		}
	case token.ADD:
		if x != nil && x.Info()&types.IsString != 0 {
			r.note(Alloc, i.Pos(), "")
		}
	case token.EQL, token.NEQ:
		if !isNil(i.X) && !isNil(i.Y) {
			r.compares(i, i.X)
		}
	}
}

// compares adds that values of the type of v are compared, which panics where an
// interface among them holds what cannot be.
func (r *reading) compares(i ssa.Instruction, v ssa.Value) {
	if r.out != nil && hides(v.Type()) {
		r.note(Panic, i.Pos(), "")
	}
}

// hides reports whether a value of a type has an interface in it.
func hides(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Array:
		return hides(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if hides(f.Type()) {
				return true
			}
		}
	}
	return false
}

// convert is a conversion: of bytes to a string and back it copies.
func (r *reading) convert(i ssa.Instruction, from ssa.Value) {
	v := i.(ssa.Value)
	_, toSlice := v.Type().Underlying().(*types.Slice)
	switch b, _ := v.Type().Underlying().(*types.Basic); {
	case r.leads(from.Type()) && !r.leads(v.Type()):
		r.touch(Read, from, i.Pos())
		if b != nil && b.Info()&types.IsString != 0 {
			r.note(Alloc, i.Pos(), "")
		}
	case r.leads(from.Type()):
		r.set(v, r.of(from))
	case toSlice:
		r.set(v, Set(r.site(i)))
		r.note(Alloc, i.Pos(), "")
	default: // an address made of a number
		r.set(v, Set(Anywhere))
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

// inside reports whether an index is known to be within its slice or array: it
// is a constant within an array, or that of a range over the same.
func inside(x, index ssa.Value) bool {
	if constant(index) {
		_, array := deref(x.Type()).Underlying().(*types.Array)
		return array
	}
	next, ok := index.(*ssa.BinOp)
	if !ok || next.Op != token.ADD {
		return false
	}
	from, ok := next.X.(*ssa.Phi)
	if !ok || from.Comment != "rangeindex" || next.Referrers() == nil {
		return false
	}
	for _, use := range *next.Referrers() {
		cond, ok := use.(*ssa.BinOp)
		if !ok || cond.Op != token.LSS || cond.X != next {
			continue
		}
		switch n := cond.Y.(type) {
		case *ssa.Call:
			b, ok := n.Call.Value.(*ssa.Builtin)
			return ok && b.Name() == "len" && n.Call.Args[0] == x
		case *ssa.Const:
			a, ok := deref(x.Type()).Underlying().(*types.Array)
			return ok && n.Int64() == a.Len()
		}
	}
	return false
}
