package instr

import (
	"bytes"
	"fmt"
	"slices"
)

// An inst is what the rules need to know of an instruction.
type inst struct {
	addr    uint64
	size    int
	kind    Kind
	text    string
	operand operand // in memory; the zero operand without one
	writes  []int   // general registers
	moves   bool    // adds to the operand's register
	target  uint64  // of a jump, 0 if it is not known
	stops   bool    // the next one by address does not come after it
	nop     bool    // does nothing: alignment
	page    uint64  // that ADRP puts in writes[0]; 0 for another instruction
}

// An operand is in memory.
type operand struct {
	text         string
	regs         []int // that the address is made of
	index, stack bool
}

// A lookup returns the symbol that holds an address and where it starts.
type lookup = func(addr uint64) (name string, start uint64)

// A decoder decodes the first instruction of code, which is at pc. It makes
// progress on any bytes.
type decoder func(code []byte, pc uint64, name lookup) inst

// At tells about the instruction at addr and blames one for the samples there.
// An addr outside of the code is taken for one of an executable that the
// system moved: its offset in the file (ELF, Mach-O) or the image (PE).
//
// A sample falls on the instruction that comes after the slow one. Candidates
// are the instruction that was executed before, the one at addr, and the one
// before that by two, in this order; the first that touches memory not on the
// stack is blamed, or else the first that touches the stack, or else the one
// executed before. So is PAUSE, and a call, which hides what was executed.
//
// The instruction executed before is the one before by address, with two
// exceptions. At the top of a loop, where a jump from further down leads, it is
// the one that ends the loop's body: the top is entered from above once and
// from below many times. After an unconditional jump it is whatever leads here.
// Jumps themselves, and padding, are stepped over.
//
// A load and a store of the same address within three instructions are [RMW].
func (b *Binary) At(addr uint64) (Hot, error) {
	fn, err := b.function(addr)
	if err != nil {
		return Hot{}, err
	}
	addr = b.linked(addr)
	insts, err := b.instructions(fn)
	if err != nil {
		return Hot{}, err
	}
	at := len(insts) - 1
	for at > 0 && insts[at].addr > addr {
		at--
	}
	i := blame(insts, at)
	in := insts[i]
	h := Hot{
		Kind: in.kind, Text: in.text, Next: insts[at].text, Func: fn.name, Addr: in.addr,
		Mem: in.operand.text, Index: in.operand.index || in.operand.stack, Stack: in.operand.stack,
	}
	if updates(insts, i) {
		h.Kind = RMW
	}
	return h, nil
}

// Entry returns the address of the first instruction of the inlined body that the
// one at addr is in, if it is that one or the jump right after it: the processor
// executes the two as one. What is slow there may be what came before the body.
// ok is false for an addr at any other place, and without debug information.
func (b *Binary) Entry(addr uint64) (first uint64, ok bool) {
	fn, err := b.function(addr)
	if err != nil {
		return 0, false
	}
	insts, err := b.instructions(fn)
	if err != nil {
		return 0, false
	}
	at := slices.IndexFunc(insts, func(in inst) bool { return in.addr == b.linked(addr) })
	body := b.Frames(b.linked(addr))
	if at < 0 || len(body) < 2 {
		return 0, false
	}
	inside := func(i int) bool {
		f := b.Frames(insts[i].addr)
		n := len(f) - len(body)
		return n >= 0 && f[n].Func == body[0].Func && slices.Equal(f[n+1:], body[1:])
	}
	if insts[at].kind == Branch && at > 0 && inside(at-1) {
		at--
	}
	before := executedBefore(insts, at)
	return addr - (b.linked(addr) - insts[at].addr), before >= 0 && !inside(before)
}

// linked returns where the linker placed the code at addr.
func (b *Binary) linked(addr uint64) uint64 {
	if addr-b.text.addr < b.text.size {
		return addr
	}
	for _, r := range b.regions {
		if addr-r.from < r.size {
			if a := r.addr + addr - r.from; a-b.text.addr < b.text.size {
				return a
			}
		}
	}
	return addr
}

func (b *Binary) function(addr uint64) (symbol, error) {
	fn, ok := find(b.funcs, b.linked(addr))
	if !ok {
		return symbol{}, fmt.Errorf("instr: no function at %#x: is the profile of another build?", addr)
	}
	return fn, nil
}

// instructions decodes a function. There is at least one instruction.
func (b *Binary) instructions(fn symbol) ([]inst, error) {
	const most = 16 << 20 // no function is as long; a damaged table may say so
	code := make([]byte, min(fn.end-fn.start, most))
	if _, err := b.text.r.ReadAt(code, int64(fn.start-b.text.addr)); err != nil {
		return nil, fmt.Errorf("instr: code of %s: %w", fn.name, err)
	}
	// A table without sizes counts the padding up to the next function in.
	if n := len(bytes.TrimRight(code, b.padding)); n > 0 {
		code = code[:min((n+b.align-1)&^(b.align-1), len(code))]
	}
	name := func(addr uint64) (string, uint64) {
		s, ok := find(b.funcs, addr)
		if !ok {
			s, _ = find(b.data, addr)
		}
		return s.name, s.start
	}
	var insts []inst
	for pc := fn.start; len(code) > 0; {
		in := b.decode(code, pc, name)
		if last := len(insts) - 1; last >= 0 && insts[last].page != 0 {
			in.operand = in.operand.global(insts[last], name)
		}
		insts = append(insts, in)
		n := min(in.size, len(code))
		code, pc = code[n:], pc+uint64(n)
	}
	return insts, nil
}

// blame returns the index of the instruction to blame for samples at insts[at].
func blame(insts []inst, at int) int {
	before := executedBefore(insts, at)
	if before < 0 {
		return at
	}
	candidates := []int{before, at}
	if insts[before].kind != Call {
		if i := executedBefore(insts, before); i >= 0 && insts[i].kind != Call {
			candidates = append(candidates, i)
		}
	}
	for _, onStack := range []bool{false, true} {
		for _, i := range candidates {
			switch in := insts[i]; in.kind {
			case Locked, RMW, Store, Load, Stream:
				if in.operand.stack == onStack {
					return i
				}
			case Pause:
				return i
			}
		}
	}
	return before
}

// executedBefore returns the index of the instruction executed before
// insts[at], jumps and padding left out; -1 if the function does not say.
func executedBefore(insts []inst, at int) int {
	// A loop of nothing but jumps has no end.
	for range 4 {
		at = predecessor(insts, at)
		if at < 0 || insts[at].kind != Branch && !insts[at].nop {
			return at
		}
	}
	return -1
}

func predecessor(insts []inst, at int) int {
	if at == 0 {
		return -1 // its caller; the jump here is the one after the stack has grown
	}
	from := -1
	for i := len(insts) - 1; i >= 0; i-- {
		if insts[i].target != insts[at].addr {
			continue
		}
		if i >= at {
			return i // the loop's last
		}
		from = i // the first of those that skip forward to here
		break
	}
	if !insts[at-1].stops {
		return at - 1
	}
	return from
}

// updates reports whether insts[i] is half of a load and a store of one address.
func updates(insts []inst, i int) bool {
	switch insts[i].kind {
	case Store:
		for j := i - 1; j >= 0 && j >= i-3; j-- {
			if pair(insts, j, i) {
				return true
			}
		}
	case Load:
		for j := i + 1; j < len(insts) && j <= i+3; j++ {
			if pair(insts, i, j) {
				return true
			}
		}
	}
	return false
}

// pair reports whether insts[load] and insts[store], in this order, go to the
// same address: written alike, and no register of it written in between.
func pair(insts []inst, load, store int) bool {
	l, s := insts[load], insts[store]
	if l.kind != Load || s.kind != Store || l.operand.text != s.operand.text || l.moves || s.moves {
		return false
	}
	for _, in := range insts[load:store] {
		if in.kind == Call || in.kind == Branch {
			return false
		}
		for _, w := range in.writes {
			if w >= 0 && slices.Contains(s.operand.regs, w) {
				return false
			}
		}
		if in.moves && slices.ContainsFunc(in.operand.regs, func(r int) bool { return slices.Contains(s.operand.regs, r) }) {
			return false
		}
	}
	return true
}
