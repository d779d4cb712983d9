package hotalloc

import (
	"encoding/base64"
	"go/constant"
	"regexp"
	"slices"
	"strings"
	"text/template"
)

// A maker makes values that may be shared: nothing but some of their methods changes
// them, and goroutines may use them at once.
type maker struct {
	suffix  string                      // of a variable that has one
	methods string                      // those that change nothing; after a "-" those that do
	reads   bool                        // it is read by an index, len or range, or by the functions of its package
	try     func(args []constant.Value) // makes one: panics where that fails; nil if that is not for constants to say
}

var (
	expression = &maker{"RE", "-Longest UnmarshalText", false, func(args []constant.Value) { regexp.MustCompile(str(args[0])) }}
	posix      = &maker{"RE", "-Longest UnmarshalText", false, func(args []constant.Value) { regexp.MustCompilePOSIX(str(args[0])) }}
	replacer   = &maker{"Replacer", "Replace WriteString", false, func(args []constant.Value) {
		if len(args)%2 > 0 {
			panic("an old text without a new one")
		}
	}}
	page = &maker{"Template", "Execute ExecuteTemplate Name DefinedTemplates", false, func(args []constant.Value) {
		template.Must(template.New(str(args[0])).Parse(str(args[1])))
	}}
	checksum = &maker{"Table", "", true, func([]constant.Value) {}}
	encoding = &maker{"Encoding", "-", true, func(args []constant.Value) {
		e := base64.NewEncoding(str(args[0]))
		for _, p := range args[1:] {
			padding, _ := constant.Int64Val(p)
			e = e.WithPadding(rune(padding))
		}
	}}
	location = &maker{"Location", "String", true, nil}
	match    = &maker{"Match", "", false, nil}
	// A map of constants.
	table = &maker{"Map", "", true, nil}
)

// makers are functions by their full names.
var makers = map[string]*maker{
	"regexp.MustCompile": expression, "regexp.Compile": expression,
	"regexp.MustCompilePOSIX": posix, "regexp.CompilePOSIX": posix,
	"regexp.MatchString": match, "regexp.Match": match,
	"strings.NewReplacer": replacer,
	"text/template.Must":  page, "html/template.Must": page,
	"hash/crc32.MakeTable": checksum, "hash/crc64.MakeTable": checksum,
	"encoding/base64.NewEncoding": encoding,
	"time.LoadLocation":           location,
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
