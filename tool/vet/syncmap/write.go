package syncmap

import (
	"fmt"
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
}

// Range calls a function, which may use the map.
const ranges = `	x.mu.Lock()
	keys := make([]K, 0, len(x.m))
	for key := range x.m {
		keys = append(keys, key)
	}
	x.mu.Unlock()
	for _, key := range keys {
		if value, ok := x.Load(key); ok && !f(key, value) { // f may use the map
			return
		}
	}
`

// edits make the map one of a new type, with the methods of sync.Map that are
// used, behind a lock where it needs one.
func (x *check) edits(locked bool) []analysis.TextEdit {
	at := rewrite.Begin(uses.Top(x.decl).Node())
	edits := []analysis.TextEdit{rewrite.Replace(x.typ, fmt.Sprintf("%s[%s, %s]", x.name, x.key, x.value))}
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	lock, body := "", "for key, value := range x.m {\nif !f(key, value) {\nreturn\n}\n}\n"
	if !locked {
		p("// %s is a map that nothing writes while another goroutine has it.\ntype %[1]s[K comparable, V any] struct{ m map[K]V }\n\n", x.name)
	} else {
		sync, imports := rewrite.Import(x.Pkg, rewrite.File(x.Pass, at), "sync", at)
		edits, lock, body = append(edits, imports...), "x.mu.Lock()\ndefer x.mu.Unlock()\n", ranges
		p("// %s is a map behind a lock.\ntype %[1]s[K comparable, V any] struct {\nmu %s.Mutex\nm map[K]V\n}\n\n", x.name, sync)
	}
	for _, m := range methods {
		if !x.has(m.name) && !(m.name == "Load" && x.has("Range") && locked) {
			continue
		}
		p("func (x *%s[K, V]) %s%s {\n%s", x.name, m.name, m.signature, lock)
		if m.name == "Store" || m.name == "LoadOrStore" || m.name == "Swap" {
			p("if x.m == nil {\nx.m = map[K]V{}\n}\n")
		}
		p("%s\n", m.body)
		if m.results != "" {
			p("return %s\n", m.results)
		}
		p("}\n\n")
	}
	if x.has("Range") {
		p("func (x *%s[K, V]) Range(f func(key, value any) bool) {\n%s}\n\n", x.name, body)
	}
	return append(edits, rewrite.Insert(at, b.String()))
}
