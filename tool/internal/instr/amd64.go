package instr

import (
	"fmt"

	"golang.org/x/arch/x86/x86asm"
)

// readsOnly are the operations whose first operand, if in memory, is not written.
var readsOnly = map[x86asm.Op]bool{
	x86asm.CMP: true, x86asm.TEST: true, x86asm.BT: true, x86asm.PUSH: true,
	x86asm.MUL: true, x86asm.IMUL: true, x86asm.DIV: true, x86asm.IDIV: true,
	x86asm.LDMXCSR: true, x86asm.FLD: true, x86asm.FILD: true,
}

// readsToo are the operations that read their first operand before they write it.
var readsToo = map[x86asm.Op]bool{
	x86asm.ADD: true, x86asm.SUB: true, x86asm.INC: true, x86asm.DEC: true,
	x86asm.ADC: true, x86asm.SBB: true, x86asm.AND: true, x86asm.OR: true, x86asm.XOR: true,
	x86asm.NOT: true, x86asm.NEG: true, x86asm.SHL: true, x86asm.SHR: true, x86asm.SAR: true,
	x86asm.ROL: true, x86asm.ROR: true, x86asm.RCL: true, x86asm.RCR: true, x86asm.SHLD: true, x86asm.SHRD: true,
	x86asm.BTS: true, x86asm.BTR: true, x86asm.BTC: true, x86asm.XADD: true,
	x86asm.CMPXCHG: true, x86asm.CMPXCHG8B: true, x86asm.CMPXCHG16B: true,
}

// noAccess are the operations whose memory operand is an address and no more.
var noAccess = map[x86asm.Op]bool{
	x86asm.LEA: true, x86asm.NOP: true, x86asm.CLFLUSH: true, x86asm.INVLPG: true,
	x86asm.PREFETCHNTA: true, x86asm.PREFETCHT0: true, x86asm.PREFETCHT1: true, x86asm.PREFETCHT2: true, x86asm.PREFETCHW: true,
}

var stringOps = map[x86asm.Op]bool{
	x86asm.MOVSB: true, x86asm.MOVSW: true, x86asm.MOVSD: true, x86asm.MOVSQ: true,
	x86asm.STOSB: true, x86asm.STOSW: true, x86asm.STOSD: true, x86asm.STOSQ: true,
}

// decodeAMD64 decodes the first instruction of code, which is at pc.
func decodeAMD64(code []byte, pc uint64, name lookup) (in inst) {
	x, err := decodeX86(code)
	if err != nil || x.Op == 0 || x.Len == 0 {
		return inst{addr: pc, size: 1, kind: Compute, text: "?"}
	}
	in = inst{addr: pc, size: x.Len, kind: Compute, text: x86asm.GoSyntax(x, pc, x86asm.SymLookup(name))}
	switch x.Op {
	case x86asm.CALL, x86asm.LCALL, x86asm.SYSCALL:
		in.kind = Call
		return in
	case x86asm.JMP, x86asm.RET, x86asm.LRET, x86asm.UD2, x86asm.INT:
		in.kind, in.stops = Branch, true
	case x86asm.PAUSE:
		in.kind = Pause
	case x86asm.NOP:
		in.nop = true
	}
	if rel, ok := x.Args[0].(x86asm.Rel); ok {
		in.kind, in.target = Branch, pc+uint64(x.Len)+uint64(int64(rel))
	}
	if in.kind == Branch {
		return in
	}

	memory := -1
	for i, a := range x.Args {
		switch a := a.(type) {
		case x86asm.Reg:
			if i == 0 && !readsOnly[x.Op] {
				in.writes = append(in.writes, general(a))
			}
		case x86asm.Mem:
			if memory >= 0 {
				break // MOVSQ: its destination says more than its source
			}
			memory = i
			in.operand = operand{
				text:  memAMD64(a, pc+uint64(x.Len), name),
				regs:  []int{general(a.Base), general(a.Index)},
				index: a.Index != 0 && a.Scale != 0,
				stack: a.Base == x86asm.RSP,
			}
		}
	}
	switch {
	case stringOps[x.Op]:
		in.kind = Stream
	case memory < 0:
	case noAccess[x.Op]:
		in.operand = operand{}
	case locked(x) || x.Op == x86asm.XCHG:
		in.kind = Locked
	case x.MemBytes >= 16 && !readsToo[x.Op]:
		in.kind = Stream
	case memory > 0 || readsOnly[x.Op]:
		in.kind = Load
	case readsToo[x.Op]:
		in.kind = RMW
	default:
		in.kind = Store
	}
	return in
}

// decodeX86 keeps a flaw of the decoder, meant for code, from ending the
// program when it meets the data that assembly may hold.
func decodeX86(code []byte) (x x86asm.Inst, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return x86asm.Decode(code[:min(len(code), 15)], 64)
}

func locked(x x86asm.Inst) bool {
	for _, p := range x.Prefix {
		if p&^(x86asm.PrefixImplicit|x86asm.PrefixIgnored) == x86asm.PrefixLOCK {
			return true
		}
	}
	return false
}

// general returns the number of the register that r is a part of, -1 if it is
// no general one.
func general(r x86asm.Reg) int {
	switch {
	case r >= x86asm.RAX && r <= x86asm.R15:
		return int(r - x86asm.RAX)
	case r >= x86asm.EAX && r <= x86asm.R15L:
		return int(r - x86asm.EAX)
	case r >= x86asm.AX && r <= x86asm.R15W:
		return int(r - x86asm.AX)
	case r >= x86asm.AL && r <= x86asm.BL:
		return int(r - x86asm.AL)
	case r >= x86asm.AH && r <= x86asm.BH:
		return int(r - x86asm.AH)
	case r >= x86asm.SPB && r <= x86asm.R15B:
		return int(r-x86asm.SPB) + 4
	}
	return -1
}

// memAMD64 writes an operand like 0x8(AX)(CX*8), or name+8(SB) for a variable.
func memAMD64(m x86asm.Mem, next uint64, name lookup) string {
	if m.Base == x86asm.RIP && m.Index == 0 {
		return globalName(next+uint64(m.Disp), name)
	}
	s := ""
	if m.Segment != 0 {
		s = m.Segment.String() + ":"
	}
	if m.Disp != 0 || m.Base == 0 {
		s += fmt.Sprintf("%#x", m.Disp)
	}
	if m.Base != 0 {
		s += "(" + goReg(m.Base) + ")"
	}
	if m.Index != 0 && m.Scale != 0 {
		s += fmt.Sprintf("(%s*%d)", goReg(m.Index), m.Scale)
	}
	return s
}

// globalName writes the address of a variable as name+8(SB).
func globalName(addr uint64, name lookup) string {
	switch s, start := name(addr); {
	case s == "":
		return fmt.Sprintf("%#x(SB)", addr) // stripped
	case addr != start:
		return fmt.Sprintf("%s+%d(SB)", s, addr-start)
	default:
		return s + "(SB)"
	}
}

// goReg names a register as Go's assembler does.
func goReg(r x86asm.Reg) string {
	if n := general(r); n >= 0 {
		return [16]string{"AX", "CX", "DX", "BX", "SP", "BP", "SI", "DI", "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15"}[n]
	}
	return r.String()
}
