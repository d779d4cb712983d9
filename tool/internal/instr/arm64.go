package instr

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/arch/arm64/arm64asm"
)

// decodeARM64 decodes the first instruction of code, which is at pc.
func decodeARM64(code []byte, pc uint64, name lookup) (in inst) {
	in = inst{addr: pc, size: 4, kind: Compute, text: "?"}
	if len(code) < 4 {
		return in
	}
	if atomic, ok := decodeLSE(binary.LittleEndian.Uint32(code), pc); ok {
		return atomic
	}
	x, text, ok := decodeARM(code[:4], pc, name)
	if !ok {
		return in
	}
	in.text = text
	op := x.Op.String()
	switch x.Op {
	case arm64asm.BL, arm64asm.BLR, arm64asm.SVC:
		in.kind = Call
		return in
	case arm64asm.B:
		_, conditional := x.Args[0].(arm64asm.Cond)
		in.kind, in.stops = Branch, !conditional
	case arm64asm.BR, arm64asm.RET, arm64asm.BRK:
		in.kind, in.stops = Branch, true
	case arm64asm.CBZ, arm64asm.CBNZ, arm64asm.TBZ, arm64asm.TBNZ:
		in.kind = Branch
	case arm64asm.YIELD:
		in.kind = Pause
		return in
	case arm64asm.NOP:
		in.nop = true
		return in
	}
	for i, a := range x.Args {
		switch a := a.(type) {
		case arm64asm.PCRel:
			switch {
			case x.Op == arm64asm.ADRP:
				in.page = pc&^0xfff + uint64(a)
			case in.kind == Branch:
				in.target = pc + uint64(a)
			case strings.HasPrefix(op, "LDR"): // a constant beside the code
				in.operand = operand{text: globalName(pc+uint64(a), name)}
			}
		case arm64asm.Reg:
			if i == 0 || i == 1 && strings.HasPrefix(op, "LD") {
				in.writes = append(in.writes, number(a))
			}
		case arm64asm.RegSP:
			if i == 0 {
				in.writes = append(in.writes, number(arm64asm.Reg(a)))
			}
		case arm64asm.MemImmediate:
			in.operand = operand{text: memARM64(text, a.String()), regs: []int{number(arm64asm.Reg(a.Base))}, stack: isSP(a.Base)}
			if a.Mode != arm64asm.AddrOffset {
				in.moves = true
			}
		case arm64asm.MemExtend:
			in.operand = operand{
				text:  memARM64(text, a.String()),
				regs:  []int{number(arm64asm.Reg(a.Base)), number(a.Index)},
				index: true,
				stack: isSP(a.Base),
			}
		}
	}
	vector := false
	switch a := x.Args[0].(type) {
	case arm64asm.Reg:
		vector = a >= arm64asm.Q0 && a <= arm64asm.Q31
	case arm64asm.RegisterWithArrangement, arm64asm.RegisterWithArrangementAndIndex:
		vector = true
	}
	load := strings.HasPrefix(op, "LD")
	store := strings.HasPrefix(op, "ST")
	switch {
	case in.kind == Branch, in.operand.text == "":
	case strings.HasPrefix(op, "PRF"):
		in.operand = operand{}
	case strings.HasPrefix(op, "LDX"), strings.HasPrefix(op, "LDAX"), strings.HasPrefix(op, "STX"), strings.HasPrefix(op, "STLX"):
		in.kind = Locked
	case vector && (load || store):
		in.kind = Stream
	case load:
		in.kind = Load
	case store:
		in.kind, in.writes = Store, nil
	}
	return in
}

// decodeARM keeps a flaw of the decoder from ending the program: assembly may
// hold data.
func decodeARM(code []byte, pc uint64, name lookup) (x arm64asm.Inst, text string, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	x, err := arm64asm.Decode(code)
	if err != nil {
		return x, "", false
	}
	return x, arm64asm.GoSyntax(x, pc, name, nothing{}), true
}

// nothing stands for the text that GoSyntax reads constants from: they say
// nothing here.
type nothing struct{}

func (nothing) ReadAt([]byte, int64) (int, error) { return 0, fmt.Errorf("not read") }

func isSP(r arm64asm.RegSP) bool { return r == arm64asm.RegSP(arm64asm.SP) }

// number returns the number of a general register, -1 for another.
func number(r arm64asm.Reg) int {
	switch {
	case r <= arm64asm.WZR:
		return int(r)
	case r >= arm64asm.X0 && r <= arm64asm.XZR:
		return int(r - arm64asm.X0)
	}
	return -1
}

// global returns the operand with the name of the variable, if its register
// holds a page that adrp, the instruction before, put there.
func (o operand) global(adrp inst, name lookup) operand {
	var offset uint64
	if o.index || len(o.regs) != 1 || !slices.Equal(o.regs, adrp.writes) {
		return o
	}
	if text, _, _ := strings.Cut(o.text, "("); text != "" {
		if _, err := fmt.Sscan(text, &offset); err != nil {
			return o
		}
	}
	addr := adrp.page + offset
	return operand{text: globalName(addr, name)}
}

// operandOf finds the operand with an address in an instruction's text.
var operandOf = regexp.MustCompile(`[-+\w]*\((R\d+|RSP|g)\)(\([^)]*\))?`)

func memARM64(text, otherwise string) string {
	if s := operandOf.FindString(text); s != "" {
		return s
	}
	return otherwise
}

// decodeLSE decodes the atomics of ARMv8.1, which arm64asm does not know; see
// the Arm Architecture Reference Manual, C4.1 "Atomic memory operations" and
// "Compare and swap".
func decodeLSE(w uint32, pc uint64) (inst, bool) {
	var op string
	var acquire, release bool
	switch size := w >> 30; {
	case w&0x3f200c00 == 0x38200000: // size 111 0 00 A R 1 Rs o3 opc 00 Rn Rt
		acquire, release = w>>23&1 == 1, w>>22&1 == 1
		switch opc := w >> 12 & 15; {
		case opc < 8:
			op = [...]string{"LDADD", "LDCLR", "LDEOR", "LDSET", "LDSMAX", "LDSMIN", "LDUMAX", "LDUMIN"}[opc]
		case opc == 8:
			op = "SWP"
		default:
			return inst{}, false // LDAPR: a plain load
		}
	case w&0x3fa07c00 == 0x08a07c00: // size 001000 1 L 1 Rs o0 11111 Rn Rt
		op, acquire, release = "CAS", w>>22&1 == 1, w>>15&1 == 1
	case w&0xbfa07c00 == 0x08207c00 && size < 2: // 0 sz 001000 0 L 1 Rs o0 11111 Rn Rt
		op, acquire, release = "CASP", w>>22&1 == 1, w>>15&1 == 1
	default:
		return inst{}, false
	}
	if acquire {
		op += "A"
	}
	if release {
		op += "L"
	}
	if strings.HasPrefix(op, "CASP") {
		op += [...]string{"W", "D"}[w>>30&1]
	} else {
		op += [...]string{"B", "H", "W", "D"}[w>>30]
	}
	rs, rn, rt := int(w>>16&31), int(w>>5&31), int(w&31)
	mem := fmt.Sprintf("(R%d)", rn)
	if rn == 31 {
		mem = "(RSP)"
	}
	result := fmt.Sprintf("R%d", rt)
	if rt == 31 {
		result = "ZR" // not wanted
	}
	return inst{
		addr: pc, size: 4, kind: Locked, text: fmt.Sprintf("%s R%d, %s, %s", op, rs, mem, result),
		operand: operand{text: mem, regs: []int{rn}, stack: rn == 31}, writes: []int{rs, rt},
	}, true
}
