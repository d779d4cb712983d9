package instr

import (
	"debug/dwarf"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// Frames returns the places in the source of the instruction at addr, as
// [Binary.At] gives it: the one where it was written, and then, if that is
// inlined code, where each was called. Without debug information there are none.
// Functions are named as in profiles.
func (b *Binary) Frames(addr uint64) (frames []source.Place) {
	defer func() {
		if recover() != nil {
			frames = nil // the debug packages are meant for sound files
		}
	}()
	d := b.debug()
	if d == nil {
		return nil
	}
	r := d.Reader()
	unit, err := r.SeekPC(addr)
	if err != nil {
		return nil
	}
	lines, err := d.LineReader(unit)
	if err != nil || lines == nil {
		return nil
	}
	at := source.Place{}
	at.File, at.Line = b.Line(addr)
	var scopes []*dwarf.Entry // that hold addr, a function and what is inlined into it
	for {
		e, err := r.Next()
		if err != nil || e == nil || e.Tag == dwarf.TagCompileUnit || e.Tag == dwarf.TagSubprogram && scopes != nil {
			break // the next unit, or the next function
		}
		switch e.Tag {
		case dwarf.TagSubprogram, dwarf.TagInlinedSubroutine, dwarf.TagLexDwarfBlock:
			switch holds, err := covers(d, e, addr); {
			case err != nil:
				return nil
			case !holds:
				r.SkipChildren()
			case e.Tag != dwarf.TagLexDwarfBlock:
				scopes = append(scopes, e)
			}
		default:
			r.SkipChildren()
		}
	}
	for _, e := range slices.Backward(scopes) {
		at.Func = name(d, e)
		frames = append(frames, at)
		if e.Tag == dwarf.TagSubprogram {
			break
		}
		file, _ := e.Val(dwarf.AttrCallFile).(int64)
		line, _ := e.Val(dwarf.AttrCallLine).(int64)
		at = source.Place{File: lines.Files()[file].Name, Line: int(line)}
	}
	return frames
}

// covers reports whether the code of an entry holds addr.
func covers(d *dwarf.Data, e *dwarf.Entry, addr uint64) (bool, error) {
	ranges, err := d.Ranges(e)
	return slices.ContainsFunc(ranges, func(r [2]uint64) bool { return r[0] <= addr && addr < r[1] }), err
}

// name is the function that an entry is an instance of.
func name(d *dwarf.Data, e *dwarf.Entry) string {
	if origin, ok := e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset); ok {
		r := d.Reader()
		r.Seek(origin)
		if o, err := r.Next(); err == nil && o != nil {
			e = o
		}
	}
	s, _ := e.Val(dwarf.AttrName).(string)
	if i, j := strings.IndexByte(s, '['), strings.LastIndexByte(s, ']'); 0 <= i && i < j {
		s = s[:i] + "[...]" + s[j+1:] // type arguments
	}
	return s
}
