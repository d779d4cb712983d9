package instr

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// built are the programs built so far: several tests look at the same one.
var built = struct {
	dir   string
	paths map[string]string // by system, architecture and flags
}{paths: map[string]string{}}

func TestMain(m *testing.M) {
	var err error
	if built.dir, err = os.MkdirTemp("", "instr"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	code := m.Run()
	os.RemoveAll(built.dir)
	os.Exit(code)
}

// build builds testdata/code and returns the path of the program.
func build(t *testing.T, system, goarch string, flags ...string) string {
	t.Helper()
	key := strings.Join(append([]string{system, goarch}, flags...), " ")
	if path, ok := built.paths[key]; ok {
		return path
	}
	path := filepath.Join(built.dir, fmt.Sprintf("code%d", len(built.paths)))
	args := append([]string{"build", "-o", path}, flags...)
	cmd := exec.Command("go", append(args, filepath.Join("testdata", "code", "main.go"))...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+goarch, "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0")
	if out, err := cmd.CombinedOutput(); err != nil {
		if _, lookErr := exec.LookPath("go"); lookErr != nil {
			t.Skip("no go command to build a program with")
		}
		t.Fatalf("go %v: %v\n%s", args, err, out)
	}
	built.paths[key] = path
	return path
}

func opened(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func openBuilt(t *testing.T, system, goarch string, flags ...string) *Binary {
	t.Helper()
	b, err := Read(opened(t, build(t, system, goarch, flags...)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// decoded returns the instructions of the function main.name.
func decoded(t *testing.T, b *Binary, name string) []inst {
	t.Helper()
	start, end, ok := b.Func("main." + name)
	if !ok || end <= start {
		t.Fatalf("Func(main.%s) = %#x, %#x, %t, want a function", name, start, end, ok)
	}
	insts, err := b.instructions(symbol{name, start, end})
	if err != nil {
		t.Fatal(err)
	}
	return insts
}

// facts are what the loops of the program wait for.
var facts = []struct {
	name     string
	kind     Kind
	mem      string // a part of the operand
	noSymbol string // the same where variables have no names; "" for mem
	index    bool
	stack    bool
}{
	{name: "atomicAdd", kind: Locked, mem: "("},
	{name: "atomicNeighbours", kind: Locked, mem: "("},
	{name: "addEach", kind: RMW, mem: ")(", index: true},
	{name: "addFloat", kind: RMW, mem: ")(", index: true},
	{name: "addGlobal", kind: RMW, mem: "main.total(SB)", noSymbol: "(SB)"},
	{name: "sum", kind: Load, mem: ")(", index: true},
	{name: "fill", kind: Store, mem: ")(", index: true},
	{name: "chase", kind: Load, mem: "("},
}

// TestAt asks for the instruction after each one of the kind in question, as a
// profile does, in every format, with and without symbols.
func TestAt(t *testing.T) {
	for _, c := range []struct {
		system, goarch string
		flags          []string
		long           bool // to build
	}{
		{"linux", "amd64", nil, false},
		{"linux", "amd64", []string{"-ldflags=-s -w"}, false},
		{"linux", "amd64", []string{"-buildmode=pie", "-ldflags=-s -w"}, true},
		{"linux", "arm64", nil, false},
		{"linux", "arm64", []string{"-ldflags=-s -w"}, false},
		{"darwin", "arm64", nil, true},
		{"darwin", "arm64", []string{"-ldflags=-s -w"}, true},
		{"windows", "amd64", nil, true},
		{"windows", "amd64", []string{"-ldflags=-s -w"}, true},
	} {
		t.Run(strings.Join(append([]string{c.system, c.goarch}, c.flags...), " "), func(t *testing.T) {
			if c.long && !stress.Long() {
				t.Skip("builds the runtime for another system")
			}
			b := openBuilt(t, c.system, c.goarch, c.flags...)
			for _, f := range facts {
				mem := f.mem
				if f.noSymbol != "" && len(b.data) == 0 {
					mem = f.noSymbol
				}
				insts := decoded(t, b, f.name)
				found := 0
				for i, in := range insts {
					kind := in.kind
					if updates(insts, i) {
						kind = RMW
					}
					// The arguments spilled at the start, and the nil check and
					// the test for LSE that arm64 makes, are not what is meant.
					if kind != f.kind || in.operand.stack || !strings.Contains(in.operand.text, mem) || i+1 == len(insts) {
						continue
					}
					if f.kind == RMW && in.kind == Load {
						continue // the store that follows is the better place
					}
					found++
					next := insts[i+1].addr
					h, err := b.At(next)
					if err != nil {
						t.Fatal(err)
					}
					want := Hot{
						Kind: f.kind, Text: in.text, Next: insts[i+1].text, Mem: in.operand.text,
						Index: f.index, Stack: f.stack, Func: "main." + f.name, Addr: in.addr,
					}
					if in.kind == Locked && strings.HasPrefix(in.text, "LDAXR") {
						continue // its loop's STLXR is as good
					}
					if h != want {
						t.Errorf("At(%#x) in %s = %+v, want %+v", next, f.name, h, want)
					}
				}
				if found == 0 {
					t.Errorf("%s has no instruction of kind %s with %s: %v", f.name, f.kind, mem, texts(insts))
				}
			}
			for _, in := range decoded(t, b, "accumulate") {
				if h, err := b.At(in.addr); err != nil || h.Kind != Compute || h.Mem != "" {
					t.Errorf("At(%#x) in accumulate = %+v, %v, want compute", in.addr, h, err)
				}
			}
			if !slices.ContainsFunc(decoded(t, b, "main"), func(in inst) bool { return in.kind == Call }) {
				t.Error("main has no call")
			}
		})
	}
}

func texts(insts []inst) (s []string) {
	for _, in := range insts {
		s = append(s, in.text)
	}
	return s
}

func TestStackAndStream(t *testing.T) {
	b := openBuilt(t, "linux", "amd64")
	ok := slices.ContainsFunc(decoded(t, b, "onStack"), func(in inst) bool {
		return in.kind == RMW && in.operand.stack && in.operand.index
	})
	if !ok {
		t.Errorf("onStack has no update of the stack: %v", texts(decoded(t, b, "onStack")))
	}
	for _, in := range decoded(t, b, "onStack") {
		if h, err := b.At(in.addr); err != nil || h.Stack && !h.Index {
			t.Errorf("At(%#x) = %+v, %v, want an index with the stack", in.addr, h, err)
		}
	}
	for _, in := range decoded(t, b, "copyBlock") {
		if in.kind != Stream && in.kind != Branch && !in.nop {
			t.Errorf("copyBlock: %q is %s, want stream", in.text, in.kind)
		}
	}
}

// TestMoved asks with the addresses that a profile of a moved executable has.
func TestMoved(t *testing.T) {
	for _, c := range []struct {
		system, goarch string
		flags          []string
	}{
		{"linux", "amd64", []string{"-buildmode=pie", "-ldflags=-s -w"}},
		{"darwin", "arm64", nil},
		{"windows", "amd64", nil},
	} {
		if !stress.Long() && c.system != "linux" {
			continue
		}
		b := openBuilt(t, c.system, c.goarch, c.flags...)
		want, _, _ := b.Func("main.sum")
		moved := false
		for _, r := range b.regions {
			if want-r.addr >= r.size {
				continue
			}
			h, err := b.At(want - r.addr + r.from)
			if err != nil || h.Func != "main.sum" {
				t.Errorf("%s/%s: At(%#x) = %+v, %v, want main.sum", c.system, c.goarch, want-r.addr+r.from, h, err)
			}
			moved = moved || r.addr != r.from
		}
		if !moved {
			t.Errorf("%s/%s: no region of main.sum that was moved: %x", c.system, c.goarch, b.regions)
		}
	}
}

func TestReadErrors(t *testing.T) {
	sound, err := os.ReadFile(build(t, "linux", "amd64"))
	if err != nil {
		t.Fatal(err)
	}
	riscv := bytes.Clone(sound)
	riscv[18] = 243 // e_machine: EM_RISCV
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":  {nil, "too short"},
		"script": {[]byte("#!/bin/sh\necho\n"), "no ELF, Mach-O or PE file"},
		"header": {sound[:64], "instr: "},
		"riscv":  {riscv, "no decoder for GOARCH riscv64: only for amd64 and arm64"},
	} {
		b, err := Read(bytes.NewReader(c.data))
		if b != nil || err == nil || !strings.HasPrefix(err.Error(), "instr: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Read(%s) = %v, %v, want an error with %q", name, b, err, c.want)
		}
	}

	b := openBuilt(t, "linux", "amd64")
	for _, addr := range []uint64{0, 1, ^uint64(0), b.text.addr + b.text.size} {
		if h, err := b.At(addr); err == nil {
			t.Errorf("At(%#x) = %+v, want an error", addr, h)
		}
	}
	if _, _, ok := b.Func("main.none"); ok {
		t.Error("Func(main.none) found it")
	}
}

// TestDamaged changes a program byte by byte where its tables are. Nothing may
// panic or hang; errors and nonsense are both fine.
func TestDamaged(t *testing.T) {
	for _, flags := range [][]string{nil, {"-ldflags=-s -w"}} {
		sound, err := os.ReadFile(build(t, "linux", "amd64", flags...))
		if err != nil {
			t.Fatal(err)
		}
		at := 0 // of the table of functions
		if at = bytes.Index(sound, append(slices.Clone(pclnMagic), 1, 8)); at < 0 {
			t.Fatal("no table of functions")
		}
		for i := range 160 {
			damaged := &patched{sound, int64(i * 3), 0xff}
			if i >= 100 {
				damaged.at = int64(at + i - 100)
			}
			b, err := Read(damaged)
			if err != nil {
				continue
			}
			b.At(b.funcs[len(b.funcs)/2].start)
		}
	}
}

// A patched is a file with one byte flipped.
type patched struct {
	data []byte
	at   int64
	flip byte
}

func (p *patched) ReadAt(b []byte, off int64) (int, error) {
	if off < 0 || off >= int64(len(p.data)) {
		return 0, io.EOF
	}
	n := copy(b, p.data[off:])
	if i := p.at - off; i >= 0 && i < int64(n) {
		b[i] ^= p.flip
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}
