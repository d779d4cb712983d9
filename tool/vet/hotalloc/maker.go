package hotalloc

import (
	"go/constant"
	"regexp"
	"slices"
	"strings"
)

// A maker makes values that may be shared: nothing but some of their methods changes
// them, and goroutines may use them at once.
type maker struct {
	suffix  string                      // of a variable that has one
	kept    string                      // a field that has one
	methods string                      // those that change nothing; after a "-" those that do
	reads   bool                        // the functions of its package only read it
	try     func(args []constant.Value) // makes one: panics where that fails; nil if that is not for constants to say
}

var (
	expression = &maker{"RE", "compiled", "-Longest UnmarshalText", false, func(args []constant.Value) { regexp.MustCompile(str(args[0])) }}
	replacer   = &maker{"Replacer", "replacer", "Replace WriteString", false, func(args []constant.Value) {
		if len(args)%2 > 0 {
			panic("an old text without a new one")
		}
	}}
	checksum = &maker{"Table", "table", "", true, func([]constant.Value) {}}
	location = &maker{"Location", "loaded", "String", true, nil}
	match    = &maker{"Match", "", "", false, nil}
	page     = &maker{"Template", "parsed", "Execute ExecuteTemplate Name DefinedTemplates", false, nil}
)

// makers are functions by their full names.
var makers = map[string]*maker{
	"regexp.MustCompile": expression, "regexp.Compile": expression,
	"regexp.MatchString": match, "regexp.Match": match,
	"strings.NewReplacer":  replacer,
	"hash/crc32.MakeTable": checksum, "hash/crc64.MakeTable": checksum,
	"time.LoadLocation":               location,
	"(*text/template.Template).Parse": page, "(*html/template.Template).Parse": page,
}

func str(v constant.Value) string { return constant.StringVal(v) }

// works reports whether such a value can be made of constants.
func (m *maker) works(args []constant.Value) (ok bool) {
	defer func() { ok = recover() == nil }()
	m.try(args)
	return true
}

// allows reports whether a method changes nothing.
func (m *maker) allows(name string) bool {
	not, all := strings.CutPrefix(m.methods, "-")
	return slices.Contains(strings.Fields(not), name) != all
}
