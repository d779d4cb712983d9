package reflecthot

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"
)

// A piece of a format is a text, or a verb with its argument.
type piece struct {
	text string
	verb byte // 0: a text
	prec int  // of a float, -1 for the fewest digits that tell it
	plus bool // %+v: the fields of a struct with their names
}

// pieces reads a format whose verbs have neither flags nor widths, but for %+v.
func pieces(format string) (all []piece, ok bool) {
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			all = append(all, piece{text: text.String()})
			text.Reset()
		}
	}
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			text.WriteByte(format[i])
			continue
		}
		if i++; i == len(format) {
			return nil, false
		}
		p := piece{prec: -2}
		if format[i] == '.' {
			j := i + 1
			for j < len(format) && '0' <= format[j] && format[j] <= '9' {
				j++
			}
			n, err := strconv.Atoi(format[i+1 : j])
			if err != nil || n > 99 || j == len(format) {
				return nil, false
			}
			p.prec, i = n, j
		}
		if strings.HasPrefix(format[i:], "+v") {
			p.plus = true
			i++
		}
		p.verb = format[i]
		switch p.verb {
		case '%':
			if p.prec >= 0 {
				return nil, false
			}
			text.WriteByte('%')
			continue
		case 'f', 'e', 'g':
		case 'd', 's', 'v', 't', 'q', 'x', 'c':
			if p.prec >= 0 {
				return nil, false
			}
		default:
			return nil, false
		}
		flush()
		all = append(all, p)
	}
	flush()
	return all, true
}

// A form is how a value becomes text: an expression for the string, and one
// that appends it. Both have the value for %[1]s and a buffer for %[2]s.
type form struct {
	str, app string
	pkg      string   // that they need
	builtins []string // and the predeclared names
	since    string   // and the version of Go for app
}

// form is that of an argument of type t with a verb, and why there is none.
func (s *site) form(p piece, t types.Type) (f form, why string) {
	t = types.Unalias(t)
	switch t.(type) {
	case *types.TypeParam:
		return f, "it is of a type parameter"
	}
	if speaks(t) {
		return f, "its type has methods that fmt calls"
	}
	as := func(target types.BasicKind) string {
		if types.Identical(t, types.Typ[target]) {
			return "%[1]s"
		}
		f.builtins = append(f.builtins, types.Typ[target].Name())
		return types.Typ[target].Name() + "(%[1]s)"
	}
	none := "fmt treats it in a way of its own with %" + string(rune(p.verb))
	if u, ok := t.Underlying().(*types.Slice); ok {
		if e, ok := u.Elem().(*types.Basic); !ok || e.Kind() != types.Byte {
			return f, "it is no basic type"
		}
		switch p.verb {
		case 's':
			return form{str: "string(%[1]s)", app: "append(%[2]s, %[1]s...)", builtins: []string{"string", "append"}}, ""
		case 'x':
			return form{str: "hex.EncodeToString(%[1]s)", app: "hex.AppendEncode(%[2]s, %[1]s)", pkg: "encoding/hex", since: "go1.22"}, ""
		}
		return f, none
	}
	b, ok := t.Underlying().(*types.Basic)
	if _, ptr := t.Underlying().(*types.Pointer); ptr {
		return f, "it is a pointer, which may be nil"
	}
	if !ok {
		return f, "it is no basic type"
	}
	info := b.Info()
	base := map[byte]int{'d': 10, 'v': 10, 'x': 16}[p.verb]
	switch {
	case info&types.IsUntyped != 0:
		return f, none
	case p.verb == 'c' && (b.Kind() == types.Int32 || b.Kind() == types.Uint8):
		x := as(types.Int32)
		f.pkg, f.str, f.app, f.since = "unicode/utf8", "string("+x+")", "utf8.AppendRune(%[2]s, "+x+")", "go1.18"
		f.builtins = append(f.builtins, "string")
		if x != "%[1]s" {
			f.str, f.app = strings.ReplaceAll(f.str, "int32", "rune"), strings.ReplaceAll(f.app, "int32", "rune")
			f.builtins = []string{"string", "rune"}
		}
		return f, ""
	case info&types.IsUnsigned != 0 && base != 0:
		x := as(types.Uint64)
		f.pkg = "strconv"
		f.str, f.app = fmt.Sprintf("strconv.FormatUint(%s, %d)", x, base), fmt.Sprintf("strconv.AppendUint(%%[2]s, %s, %d)", x, base)
		return f, ""
	case info&types.IsInteger != 0 && base != 0:
		f.pkg = "strconv"
		if b.Kind() == types.Int && base == 10 {
			f.str = "strconv.Itoa(" + as(types.Int) + ")"
		}
		x := as(types.Int64)
		f.app = fmt.Sprintf("strconv.AppendInt(%%[2]s, %s, %d)", x, base)
		if f.str == "" {
			f.str = fmt.Sprintf("strconv.FormatInt(%s, %d)", x, base)
		}
		return f, ""
	case info&types.IsFloat != 0 && strings.IndexByte("vgef", p.verb) >= 0:
		verb, prec, bits := p.verb, p.prec, 64
		if verb == 'v' {
			verb = 'g'
		}
		if prec == -2 {
			prec = map[byte]int{'g': -1, 'e': 6, 'f': 6}[verb]
		}
		if b.Kind() == types.Float32 {
			bits = 32
		}
		x := as(types.Float64)
		f.pkg = "strconv"
		f.str = fmt.Sprintf("strconv.FormatFloat(%s, %q, %d, %d)", x, verb, prec, bits)
		f.app = fmt.Sprintf("strconv.AppendFloat(%%[2]s, %s, %q, %d, %d)", x, verb, prec, bits)
		return f, ""
	case info&types.IsBoolean != 0 && (p.verb == 't' || p.verb == 'v'):
		x := as(types.Bool)
		f.pkg, f.str, f.app = "strconv", "strconv.FormatBool("+x+")", "strconv.AppendBool(%[2]s, "+x+")"
		return f, ""
	case info&types.IsString != 0 && (p.verb == 's' || p.verb == 'v'):
		f.str = as(types.String)
		f.app, f.builtins = "append(%[2]s, %[1]s...)", append(f.builtins, "append")
		return f, ""
	case info&types.IsString != 0 && p.verb == 'q':
		x := as(types.String)
		f.pkg, f.str, f.app = "strconv", "strconv.Quote("+x+")", "strconv.AppendQuote(%[2]s, "+x+")"
		return f, ""
	}
	return f, none
}

// speaks reports whether fmt lets values of a type say what they are.
func speaks(t types.Type) bool {
	methods := types.NewMethodSet(t)
	for _, name := range []string{"Format", "Error", "String"} {
		if methods.Lookup(nil, name) != nil {
			return true
		}
	}
	return false
}
