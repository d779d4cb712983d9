package syncmap

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
)

// A way is how a map is kept.
type way int

const (
	plain   way = iota
	mutex       // behind a lock
	rwmutex     // behind a lock for many readers
	copied      // whole, to be written
)

// methods are those of the new type, with what each does to the map M.
var methods = []struct{ name, signature, body, results string }{
	{"Load", "(key K) (value V, ok bool)", "value, ok = M[key]", "value, ok"},
	{"Store", "(key K, value V)", "M[key] = value", ""},
	{"LoadOrStore", "(key K, value V) (actual V, loaded bool)", "if actual, loaded = M[key]; !loaded {\nM[key] = value\nactual = value\n}", "actual, loaded"},
	{"LoadAndDelete", "(key K) (value V, loaded bool)", "if value, loaded = M[key]; loaded {\ndelete(M, key)\n}", "value, loaded"},
	{"Delete", "(key K)", "delete(M, key)", ""},
	{"Swap", "(key K, value V) (previous V, loaded bool)", "previous, loaded = M[key]\nM[key] = value", "previous, loaded"},
	{"CompareAndSwap", "(key K, old, value V) (swapped bool)", "if have, ok := M[key]; ok && any(have) == any(old) {\nM[key] = value\nswapped = true\n}", "swapped"},
	{"CompareAndDelete", "(key K, old V) (deleted bool)", "if have, ok := M[key]; ok && any(have) == any(old) {\ndelete(M, key)\ndeleted = true\n}", "deleted"},
	{"Clear", "()", "clear(M)", ""},
}

const clone = `func (x *%[1]s[K, V]) clone() map[K]V {
	m := map[K]V{}
	if old := x.m.Load(); old != nil {
		for key, value := range *old {
			m[key] = value
		}
	}
	return m
}

`

// ranges are what Range does. A function that it calls may use the map.
var ranges = map[way]string{
	plain: `	for key, value := range x.m {
		if !f(key, value) {
			return
		}
	}
`,
	mutex: `	x.mu.Lock()
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
`,
	copied: `	m := x.m.Load()
	if m == nil {
		return
	}
	for key := range *m {
		if value, ok := x.Load(key); ok && !f(key, value) {
			return
		}
	}
`,
}

// edits make the map one of a new type, with the methods of sync.Map that are
// used.
func (x *check) edits(w way) []analysis.TextEdit {
	decl := x.decl
	for decl.ParentEdgeKind() != edge.File_Decls {
		decl = decl.Parent()
	}
	at := rewrite.Begin(decl.Node())
	edits := []analysis.TextEdit{rewrite.Replace(x.typ, fmt.Sprintf("%s[%s, %s]", x.name, x.key, x.value))}
	pkg := func(path string) string {
		name, imports := rewrite.Import(x.Pkg, rewrite.File(x.Pass, at), path, at)
		edits = append(edits, imports...)
		return name
	}
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	lock := map[way]string{mutex: "Mutex", rwmutex: "RWMutex"}[w]
	switch w {
	case plain:
		p("// %s is a map that one goroutine has.\ntype %[1]s[K comparable, V any] struct{ m map[K]V }\n\n", x.name)
	case copied:
		p("// %s is a map that is copied to be written.\ntype %[1]s[K comparable, V any] struct {\nmu %s.Mutex // for writers\nm %s.Pointer[map[K]V]\n}\n\n", x.name, pkg("sync"), pkg("sync/atomic"))
		if slices.ContainsFunc(x.calls, call.writes) {
			p(clone, x.name)
		}
	default:
		p("// %s is a map behind a lock.\ntype %[1]s[K comparable, V any] struct {\nmu %s.%s\nm map[K]V\n}\n\n", x.name, pkg("sync"), lock)
	}
	for _, m := range methods {
		if !x.has(m.name) && !(m.name == "Load" && (x.has("Range") && w != plain || x.has("LoadOrStore") && w == copied)) {
			continue
		}
		p("func (x *%s[K, V]) %s%s {\n", x.name, m.name, m.signature)
		body := strings.ReplaceAll(m.body, "M", "x.m")
		switch {
		case w == copied && m.name == "Load":
			body = "if m := x.m.Load(); m != nil {\nvalue, ok = (*m)[key]\n}"
		case w == copied:
			if m.name == "LoadOrStore" {
				p("if actual, loaded = x.Load(key); loaded {\nreturn actual, true\n}\n")
			}
			body = "x.mu.Lock()\ndefer x.mu.Unlock()\nm := x.clone()\n" + strings.ReplaceAll(m.body, "M", "m") + "\nx.m.Store(&m)"
		case w == rwmutex && m.name == "Load":
			p("x.mu.RLock()\ndefer x.mu.RUnlock()\n")
		case w != plain:
			p("x.mu.Lock()\ndefer x.mu.Unlock()\n")
		}
		if w != copied && (m.name == "Store" || m.name == "LoadOrStore" || m.name == "Swap") {
			p("if x.m == nil {\nx.m = map[K]V{}\n}\n")
		}
		p("%s\n", body)
		if m.results != "" {
			p("return %s\n", m.results)
		}
		p("}\n\n")
	}
	if x.has("Range") {
		body := ranges[w]
		if w == rwmutex {
			body = strings.NewReplacer("Lock", "RLock", "Unlock", "RUnlock").Replace(ranges[mutex])
		}
		p("func (x *%s[K, V]) Range(f func(key, value any) bool) {\n%s}\n\n", x.name, body)
	}
	return append(edits, rewrite.Insert(at, b.String()))
}
