package syncmap

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// methods are those of the new type, with what each does.
var methods = []struct{ name, signature, body, results string }{
	{"Load", "(key K) (value V, ok bool)", "value, ok = x.m[key]", "value, ok"},
	{"Store", "(key K, value V)", "x.m[key] = value", ""},
	{"LoadOrStore", "(key K, value V) (actual V, loaded bool)", "if actual, loaded = x.m[key]; !loaded {\nx.m[key] = value\nactual = value\n}", "actual, loaded"},
	{"LoadAndDelete", "(key K) (value V, loaded bool)", "if value, loaded = x.m[key]; loaded {\ndelete(x.m, key)\n}", "value, loaded"},
	{"Delete", "(key K)", "delete(x.m, key)", ""},
	{"Swap", "(key K, value V) (previous V, loaded bool)", "previous, loaded = x.m[key]\nx.m[key] = value", "previous, loaded"},
	{"CompareAndSwap", "(key K, old, value V) (swapped bool)", "if have, ok := x.m[key]; ok && any(have) == any(old) {\nx.m[key] = value\nswapped = true\n}", "swapped"},
	{"CompareAndDelete", "(key K, old V) (deleted bool)", "if have, ok := x.m[key]; ok && any(have) == any(old) {\ndelete(x.m, key)\ndeleted = true\n}", "deleted"},
	{"Clear", "()", "clear(x.m)", ""},
	{"Range", "(f func(key, value any) bool)", "for key, value := range x.m {\nif !f(key, value) {\nreturn\n}\n}", ""},
}

// edits make the map one of a new type, with the methods of sync.Map that are used.
func (x *check) edits() []analysis.TextEdit {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	p("// %s is a map that nothing writes while another goroutine has it.\ntype %[1]s[K comparable, V any] struct{ m map[K]V }\n\n", x.name)
	for _, m := range methods {
		if !slices.ContainsFunc(x.calls, func(c call) bool { return c.of == m.name }) {
			continue
		}
		p("func (x *%s[K, V]) %s%s {\n", x.name, m.name, m.signature)
		if m.name == "Store" || m.name == "LoadOrStore" || m.name == "Swap" {
			p("if x.m == nil {\nx.m = map[K]V{}\n}\n")
		}
		p("%s\n", m.body)
		if m.results != "" {
			p("return %s\n", m.results)
		}
		p("}\n\n")
	}
	return []analysis.TextEdit{
		rewrite.Replace(x.typ, fmt.Sprintf("%s[%s, %s]", x.name, x.key, x.value)),
		rewrite.Insert(rewrite.Begin(uses.Top(x.decl).Node()), b.String()),
	}
}
