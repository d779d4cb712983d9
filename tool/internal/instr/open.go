package instr

import (
	"bytes"
	"debug/dwarf"
	"debug/elf"
	"debug/gosym"
	"debug/macho"
	"debug/pe"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
)

// A Binary is an executable whose code can be looked at. Any number of
// goroutines may do so at once.
type Binary struct {
	decode  decoder
	padding string   // bytes between functions
	align   int      // of instructions
	funcs   []symbol // by address
	data    []symbol // by address; empty if stripped
	text    section
	regions []region
	lines   func() *gosym.Table // nil if there is none; read when first asked for
	debug   func() *dwarf.Data  // nil if there is none; read when first asked for
}

// A symbol is the name of [start, end).
type symbol struct {
	name       string
	start, end uint64
}

// A section is the code of a file.
type section struct {
	addr, size uint64
	r          io.ReaderAt
}

// A region says where the linker placed a part of the file. from is where a
// profile of a moved executable has it: see cpuprof.Hot.Addr.
type region struct{ from, size, addr uint64 }

// An image is what the three formats have in common.
type image struct {
	goarch  string
	text    section
	funcs   []symbol // unsorted; end 0 if the format does not say
	data    []symbol
	regions []region
	debug   func() (*dwarf.Data, error)
	// candidates hold the table of functions, in the order to look at them.
	candidates []io.ReaderAt
	sizes      []int64
}

// Func returns the addresses of the function name, end not included. Inlined
// calls are elsewhere; names are the linker's: main.f, example.com/m.(*T).M.
func (b *Binary) Func(name string) (start, end uint64, ok bool) {
	for _, f := range b.funcs {
		if f.name == name {
			return f.start, f.end, true
		}
	}
	return 0, 0, false
}

// Read reads the tables of an ELF, Mach-O or PE file that the go command built,
// stripped or not. The Binary goes on reading from r, which must not change.
func Read(r io.ReaderAt) (b *Binary, err error) {
	// The debug packages are meant for sound files. What they have left to
	// panic about is damage as well.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("damaged file: %v", p)
		}
		if err != nil {
			b, err = nil, fmt.Errorf("instr: %w", err)
		}
	}()
	var magic [4]byte
	if _, err := r.ReadAt(magic[:], 0); err != nil {
		return nil, errors.New("no executable: too short")
	}
	var img *image
	switch m := string(magic[:]); {
	case m == elf.ELFMAG:
		img, err = readELF(r)
	case m == "\xcf\xfa\xed\xfe":
		img, err = readMachO(r)
	case m[:2] == "MZ":
		img, err = readPE(r)
	default:
		return nil, errors.New("no ELF, Mach-O or PE file for a 64-bit machine")
	}
	if err != nil {
		return nil, err
	}
	b = &Binary{text: img.text, regions: img.regions}
	switch img.goarch {
	case "amd64":
		b.decode, b.padding, b.align = decodeAMD64, "\xcc", 1
	case "arm64":
		b.decode, b.padding, b.align = decodeARM64, "\x00", 4
	default:
		return nil, fmt.Errorf("no decoder for GOARCH %s: only for amd64 and arm64", img.goarch)
	}
	if img.text.r == nil {
		return nil, errors.New("no code in it")
	}
	if len(img.funcs) == 0 {
		t, err := img.pclntab()
		if err != nil {
			return nil, err
		}
		img.funcs = symbols(t)
	}
	b.funcs = arrange(img.funcs, img.text.addr, img.text.addr+img.text.size)
	b.lines = sync.OnceValue(func() *gosym.Table {
		t, err := img.pclntab()
		if err != nil {
			return nil
		}
		return t
	})
	b.debug = sync.OnceValue(func() *dwarf.Data {
		defer func() { _ = recover() }() // as above
		d, err := img.debug()
		if err != nil {
			return nil
		}
		return d
	})
	b.data = arrange(img.data, 0, ^uint64(0))
	if len(b.funcs) == 0 {
		return nil, errors.New("no function in it: was it built by the go command?")
	}
	return b, nil
}

// arrange sorts symbols, drops those outside of [low, high), and ends those
// without an end where the next begins.
func arrange(symbols []symbol, low, high uint64) []symbol {
	symbols = slices.DeleteFunc(symbols, func(s symbol) bool { return s.start < low || s.start >= high })
	slices.SortStableFunc(symbols, func(a, b symbol) int {
		switch {
		case a.start < b.start:
			return -1
		case a.start > b.start:
			return 1
		}
		return 0
	})
	next := high
	for i := len(symbols) - 1; i >= 0; i-- {
		s := &symbols[i]
		if s.end <= s.start || s.end > next {
			s.end = next
		}
		if i > 0 && symbols[i-1].start < s.start {
			next = s.start
		}
	}
	return symbols
}

// find returns the symbol that holds addr.
func find(symbols []symbol, addr uint64) (symbol, bool) {
	i, found := slices.BinarySearchFunc(symbols, addr, func(s symbol, a uint64) int {
		switch {
		case s.start < a:
			return -1
		case s.start > a:
			return 1
		}
		return 0
	})
	if !found {
		i--
	}
	if i < 0 || addr >= symbols[i].end {
		return symbol{}, false
	}
	return symbols[i], true
}

func readELF(r io.ReaderAt) (*image, error) {
	f, err := elf.NewFile(r)
	if err != nil {
		return nil, err
	}
	img := &image{debug: f.DWARF, goarch: map[elf.Machine]string{
		elf.EM_X86_64: "amd64", elf.EM_AARCH64: "arm64", elf.EM_386: "386", elf.EM_ARM: "arm",
		elf.EM_RISCV: "riscv64", elf.EM_S390: "s390x", elf.EM_PPC64: "ppc64", elf.EM_LOONGARCH: "loong64", elf.EM_MIPS: "mips",
	}[f.Machine]}
	if img.goarch == "" {
		img.goarch = f.Machine.String()
	}
	if s := f.Section(".text"); s != nil && s.Type == elf.SHT_PROGBITS {
		img.text = section{s.Addr, s.Size, s}
	}
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD {
			img.regions = append(img.regions, region{p.Off, p.Filesz, p.Vaddr})
		}
	}
	// Position-independent executables keep the table among the relocated data.
	for _, name := range []string{".gopclntab", ".data.rel.ro.gopclntab", ".data.rel.ro"} {
		if s := f.Section(name); s != nil && s.Type == elf.SHT_PROGBITS {
			img.candidate(s, s.Size)
		}
	}
	symbols, err := f.Symbols()
	if err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		return nil, err
	}
	for _, s := range symbols {
		sym := symbol{s.Name, s.Value, s.Value + s.Size}
		switch elf.ST_TYPE(s.Info) {
		case elf.STT_FUNC:
			img.funcs = append(img.funcs, sym)
		case elf.STT_OBJECT:
			img.data = append(img.data, sym)
		}
	}
	return img, nil
}

func readMachO(r io.ReaderAt) (*image, error) {
	f, err := macho.NewFile(r)
	if err != nil {
		return nil, err
	}
	img := &image{debug: f.DWARF, goarch: map[macho.Cpu]string{macho.CpuAmd64: "amd64", macho.CpuArm64: "arm64"}[f.Cpu]}
	if img.goarch == "" {
		img.goarch = f.Cpu.String()
	}
	text := 0 // number of the section, from 1
	for i, s := range f.Sections {
		switch s.Name {
		case "__text":
			img.text, text = section{s.Addr, s.Size, s}, i+1
		case "__gopclntab":
			img.candidate(s, s.Size)
		}
	}
	for _, l := range f.Loads {
		if s, ok := l.(*macho.Segment); ok && s.Filesz > 0 {
			img.regions = append(img.regions, region{s.Offset, s.Filesz, s.Addr})
		}
	}
	if f.Symtab != nil {
		for _, s := range f.Symtab.Syms {
			const debug = 0xe0 // any of these bits: for debuggers
			switch sym := (symbol{name: strings.TrimPrefix(s.Name, "_"), start: s.Value}); {
			case s.Type&debug != 0 || s.Sect == 0:
			case int(s.Sect) == text:
				img.funcs = append(img.funcs, sym)
			default:
				img.data = append(img.data, sym)
			}
		}
	}
	// What the system's linker leaves of a stripped symbol table names no Go
	// function: the name of one holds a dot.
	if !slices.ContainsFunc(img.funcs, func(s symbol) bool { return strings.HasPrefix(s.name, "runtime.") }) {
		img.funcs = nil
	}
	return img, nil
}

func readPE(r io.ReaderAt) (*image, error) {
	f, err := pe.NewFile(r)
	if err != nil {
		return nil, err
	}
	img := &image{debug: f.DWARF, goarch: map[uint16]string{
		pe.IMAGE_FILE_MACHINE_AMD64: "amd64", pe.IMAGE_FILE_MACHINE_ARM64: "arm64", pe.IMAGE_FILE_MACHINE_I386: "386",
	}[f.Machine]}
	if img.goarch == "" {
		img.goarch = fmt.Sprintf("of machine %#x", f.Machine)
	}
	header, ok := f.OptionalHeader.(*pe.OptionalHeader64)
	if !ok {
		return img, nil
	}
	text := 0
	for i, s := range f.Sections {
		img.regions = append(img.regions, region{uint64(s.VirtualAddress), uint64(s.VirtualSize), header.ImageBase + uint64(s.VirtualAddress)})
		switch s.Name {
		case ".text":
			img.text = section{header.ImageBase + uint64(s.VirtualAddress), min(uint64(s.VirtualSize), uint64(s.Size)), s}
			text = i + 1
		case ".rdata", ".data":
			img.candidate(s, uint64(s.Size))
		}
	}
	for _, s := range f.Symbols {
		n := int(s.SectionNumber)
		if n < 1 || n > len(f.Sections) {
			continue
		}
		sym := symbol{name: s.Name, start: header.ImageBase + uint64(f.Sections[n-1].VirtualAddress) + uint64(s.Value)}
		if n == text {
			img.funcs = append(img.funcs, sym)
		} else {
			img.data = append(img.data, sym)
		}
	}
	return img, nil
}

func (img *image) candidate(r io.ReaderAt, size uint64) {
	img.candidates = append(img.candidates, r)
	img.sizes = append(img.sizes, int64(min(size, 1<<30)))
}

// readAll reads what there is of a table; a size that the file only claims to
// have must not allocate.
func readAll(r io.ReaderAt, size int64) ([]byte, error) {
	var b bytes.Buffer
	_, err := io.Copy(&b, io.NewSectionReader(r, 0, size))
	return b.Bytes(), err
}
