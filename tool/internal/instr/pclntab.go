package instr

import (
	"bytes"
	"debug/gosym"
	"encoding/binary"
	"errors"
)

// The first bytes of the table of functions since Go 1.20: magic, two zeros,
// the smallest instruction (1 on amd64, 4 on arm64), the size of a pointer.
var pclnMagic = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0}

// pclntab returns the functions of a stripped binary: the runtime needs the
// table for its tracebacks, so it is always there.
func (img *image) pclntab() ([]symbol, error) {
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
				if funcs := img.functions(data); len(funcs) > 0 {
					return funcs, nil
				}
			}
			data = data[1:] // the same bytes by chance
		}
	}
	return nil, errors.New("no symbols and no table of functions: was it built by the go command?")
}

// functions reads a table; nil if data is none.
func (img *image) functions(data []byte) (funcs []symbol) {
	defer func() {
		if recover() != nil {
			funcs = nil // gosym trusts its input
		}
	}()
	// An entry takes eight bytes; gosym would allocate whatever the number.
	if n := binary.LittleEndian.Uint64(data[8:]); n > uint64(len(data))/8 {
		return nil
	}
	// With cgo, C code may come before Go's. Up to Go 1.25 the table says where
	// that begins; in position-independent code it does so once relocated.
	start := img.text.addr
	if s := binary.LittleEndian.Uint64(data[24:]); s >= start && s < start+img.text.size {
		start = s
	}
	table, err := gosym.NewTable(nil, gosym.NewLineTable(data, start))
	if err != nil {
		return nil
	}
	for _, f := range table.Funcs {
		funcs = append(funcs, symbol{f.Name, f.Entry, f.End})
	}
	return funcs
}
