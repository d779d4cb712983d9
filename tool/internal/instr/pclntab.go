package instr

import (
	"bytes"
	"debug/gosym"
	"encoding/binary"
	"errors"
	"slices"
)

// The first bytes of the table of functions since Go 1.20: magic, two zeros,
// the smallest instruction (1 on amd64, 4 on arm64), the size of a pointer.
var pclnMagic = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0}

// pclntab returns the table of functions and lines: the runtime needs it for
// its tracebacks, so it is there in stripped binaries, too.
func (img *image) pclntab() (*gosym.Table, error) {
	for i, r := range img.candidates {
		data, err := readAll(r, img.sizes[i])
		if err != nil {
			return nil, err
		}
		for {
			at := bytes.Index(data, pclnMagic)
			if at < 0 || at+32 > len(data) {
				break
			}
			data = data[at:]
			if quantum, ptr := data[6], data[7]; (quantum == 1 || quantum == 4) && ptr == 8 {
				if t := img.table(data); t != nil && len(t.Funcs) > 0 {
					return t, nil
				}
			}
			data = data[1:] // the same bytes by chance
		}
	}
	return nil, errors.New("no symbols and no table of functions: was it built by the go command?")
}

// symbols are the functions of a table.
func symbols(t *gosym.Table) []symbol {
	var funcs []symbol
	for _, f := range t.Funcs {
		funcs = append(funcs, symbol{f.Name, f.Entry, f.End})
	}
	return funcs
}

// table reads a table; nil if data is none.
func (img *image) table(data []byte) (t *gosym.Table) {
	defer func() {
		if recover() != nil {
			t = nil // gosym trusts its input
		}
	}()
	// An entry takes eight bytes; gosym would allocate whatever the number.
	if n := binary.LittleEndian.Uint64(data[8:]); n > uint64(len(data))/8 {
		return nil
	}
	// With cgo, C code may come before Go's. A symbol says where that begins, and
	// up to Go 1.25 the table does; in position-independent code once relocated.
	start := img.text.addr
	if s := binary.LittleEndian.Uint64(data[24:]); s >= start && s < start+img.text.size {
		start = s
	}
	if i := slices.IndexFunc(img.funcs, func(s symbol) bool { return s.name == "runtime.text" }); i >= 0 {
		start = img.funcs[i].start
	}
	table, err := gosym.NewTable(nil, gosym.NewLineTable(data, start))
	if err != nil {
		return nil
	}
	return table
}

// Line returns the place in the source of the instruction at addr, as
// [Binary.At] gives it; of inlined code the place where it was written. "" and
// 0 if the binary does not say.
func (b *Binary) Line(addr uint64) (file string, line int) {
	defer func() {
		if recover() != nil {
			file, line = "", 0
		}
	}()
	t := b.lines()
	if t == nil {
		return "", 0
	}
	file, line, _ = t.PCToLine(addr)
	return file, line
}
