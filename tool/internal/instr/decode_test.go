package instr

import (
	"encoding/binary"
	"testing"
)

func noName(uint64) (string, uint64) { return "", 0 }

func TestDecodeAMD64(t *testing.T) {
	for _, c := range []struct {
		code  string
		kind  Kind
		text  string
		mem   string
		index bool
		stack bool
	}{
		{"\xf0\x48\x0f\xc1\x08", Locked, "LOCK XADDQ CX, 0(AX)", "(AX)", false, false},
		{"\xf0\x0f\xb1\x4b\x08", Locked, "LOCK CMPXCHGL CX, 0x8(BX)", "0x8(BX)", false, false},
		{"\x48\x87\x08", Locked, "XCHGQ CX, 0(AX)", "(AX)", false, false}, // locks without the prefix
		{"\x48\x87\xc8", Compute, "XCHGQ CX, AX", "", false, false},       // registers only
		{"\x48\x01\x3c\xc8", RMW, "ADDQ DI, 0(AX)(CX*8)", "(AX)(CX*8)", true, false},
		{"\x48\xff\x44\x24\x10", RMW, "INCQ 0x10(SP)", "0x10(SP)", false, true},
		{"\x48\x89\x0d\x10\x00\x00\x00", Store, "MOVQ CX, 0x10(IP)", "0x1017(SB)", false, false},
		{"\x48\x8b\x48\xf8", Load, "MOVQ -0x8(AX), CX", "-0x8(AX)", false, false},
		{"\x48\x3b\x08", Load, "CMPQ CX, 0(AX)", "(AX)", false, false},
		{"\x48\x39\x08", Load, "CMPQ 0(AX), CX", "(AX)", false, false},
		{"\x48\xf7\x38", Load, "IDIVQ 0(AX)", "(AX)", false, false},
		{"\xf3\x48\xa5", Stream, "REP; MOVSQ DS:0(SI), ES:0(DI)", "ES:(DI)", false, false},
		{"\xf3\x0f\x6f\x06", Stream, "MOVDQU 0(SI), X0", "(SI)", false, false},
		{"\xf2\x0f\x10\x04\xc8", Load, "MOVSD_XMM 0(AX)(CX*8), X0", "(AX)(CX*8)", true, false},
		{"\xf3\x90", Pause, "PAUSE", "", false, false},
		{"\x48\x8d\x04\xc8", Compute, "LEAQ 0(AX)(CX*8), AX", "", false, false},
		{"\x0f\x1f\x40\x00", Compute, "NOPL 0(AX)", "", false, false},
		{"\xe8\x00\x00\x00\x00", Call, "CALL 0x1005", "", false, false},
		{"\x75\xfe", Branch, "JNE 0x1000", "", false, false},
		{"\xc3", Branch, "RET", "", false, false},
		{"\x06", Compute, "?", "", false, false}, // no instruction of amd64
		{"\x48", Compute, "?", "", false, false}, // cut short
	} {
		in := decodeAMD64([]byte(c.code), 0x1000, noName)
		if in.kind != c.kind || in.text != c.text || in.operand.text != c.mem || in.operand.index != c.index || in.operand.stack != c.stack {
			t.Errorf("% x is %s %q with %+v, want %s %q with %q", c.code, in.kind, in.text, in.operand, c.kind, c.text, c.mem)
		}
		if in.size < 1 || in.size > len(c.code) {
			t.Errorf("% x has %d bytes, want 1 to %d", c.code, in.size, len(c.code))
		}
	}
}

func TestDecodeARM64(t *testing.T) {
	for _, c := range []struct {
		word uint32
		kind Kind
		text string
		mem  string
	}{
		{0xf8e30004, Locked, "LDADDALD R3, (R0), R4", "(R0)"},
		{0xb82103ff, Locked, "LDADDW R1, (RSP), ZR", "(RSP)"},
		{0xf8e18002, Locked, "SWPALD R1, (R0), R2", "(R0)"},
		{0xc8e1fc02, Locked, "CASALD R1, (R0), R2", "(R0)"},
		{0x88a17c02, Locked, "CASW R1, (R0), R2", "(R0)"},
		{0x4860fc82, Locked, "CASPALD R0, (R4), R2", "(R4)"},
		{0xc85ffc04, Locked, "LDAXR (R0), R4", "(R0)"},
		{0xc81bfc04, Locked, "STLXR R4, (R0), R27", "(R0)"},
		{0xc89ffc01, Store, "STLR R1, (R0)", "(R0)"},
		{0xf8627804, Load, "MOVD (R0)(R2<<3), R4", "(R0)(R2<<3)"},
		{0xf9000be0, Store, "MOVD R0, 16(RSP)", "16(RSP)"},
		{0xad000440, Stream, "FSTPQ (F0, F1), (R2)", "(R2)"},
		{0xd503203f, Pause, "YIELD", ""},
		{0xd65f03c0, Branch, "RET", ""},
		{0x94000001, Call, "CALL 1(PC)", ""},
		{0x8b030084, Compute, "ADD R3, R4, R4", ""},
		{0x00000000, Compute, "?", ""},
	} {
		var code [4]byte
		binary.LittleEndian.PutUint32(code[:], c.word)
		in := decodeARM64(code[:], 0x1000, noName)
		if in.kind != c.kind || in.text != c.text || in.operand.text != c.mem {
			t.Errorf("%#08x is %s %q with %+v, want %s %q with %q", c.word, in.kind, in.text, in.operand, c.kind, c.text, c.mem)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("\xf0\x48\x0f\xc1\x08\x48\x01\x3c\xc8\xf3\x48\xa5\x62\xf1\x7c\x48\x10\x06"))
	f.Add([]byte{0x04, 0x00, 0xe3, 0xf8, 0x3f, 0x20, 0x03, 0xd5})
	f.Fuzz(func(t *testing.T, code []byte) {
		code = code[:min(len(code), 500)] // blaming each instruction is quadratic
		for _, decode := range []decoder{decodeAMD64, decodeARM64} {
			var insts []inst
			for rest, pc := code, uint64(0x1000); len(rest) > 0; {
				in := decode(rest, pc, noName)
				if in.size < 1 || in.kind == "" || in.addr != pc {
					t.Fatalf("% x decodes to %+v: want progress, a kind and the address", rest, in)
				}
				insts = append(insts, in)
				n := min(in.size, len(rest))
				rest, pc = rest[n:], pc+uint64(n)
			}
			for at := range insts {
				if i := blame(insts, at); i < 0 || i >= len(insts) {
					t.Fatalf("blame(%d) = %d of %d", at, i, len(insts))
				}
				updates(insts, at)
			}
		}
	})
}
