package syncmap

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

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

// methods are those of the new type, with what each does to the map M of K to V.
var methods = []struct{ name, signature, body string }{
	{"Load", "(key K) (value V, ok bool)", "value, ok = M[key]"},
	{"Store", "(key K, value V)", "M[key] = value"},
	{"LoadOrStore", "(key K, value V) (actual V, loaded bool)", "if actual, loaded = M[key]; !loaded {\nM[key] = value\nactual = value\n}"},
	{"LoadAndDelete", "(key K) (value V, loaded bool)", "if value, loaded = M[key]; loaded {\ndelete(M, key)\n}"},
	{"Delete", "(key K)", "delete(M, key)"},
	{"Swap", "(key K, value V) (previous V, loaded bool)", "previous, loaded = M[key]\nM[key] = value"},
	{"CompareAndSwap", "(key K, old, value V) (swapped bool)", "if have, ok := M[key]; ok && have == old {\nM[key] = value\nswapped = true\n}"},
	{"CompareAndDelete", "(key K, old V) (deleted bool)", "if have, ok := M[key]; ok && have == old {\ndelete(M, key)\ndeleted = true\n}"},
	{"Clear", "()", "clear(M)"},
}

var results = map[string]string{
	"Load": "value, ok", "LoadOrStore": "actual, loaded", "LoadAndDelete": "value, loaded",
	"Swap": "previous, loaded", "CompareAndSwap": "swapped", "CompareAndDelete": "deleted",
}

// inside are the names in the methods.
var inside = []string{"key", "value", "ok", "actual", "loaded", "previous", "old", "have", "swapped", "deleted", "x", "m", "f", "keys", "none", "n", "own"}

// clash returns the name in the methods that the types have, or "".
func (t *typed) clash() string {
	for _, word := range strings.FieldsFunc(t.k+" "+t.v, func(r rune) bool { return strings.ContainsRune("[]*. ", r) }) {
		if slices.Contains(inside, word) {
			return word
		}
	}
	return ""
}

// edits make the map one of a new type, with the methods of sync.Map that are
// used.
func (t *typed) edits(w way) []analysis.TextEdit {
	edits := slices.Clone(t.changes)
	for _, e := range t.types {
		edits = append(edits, rewrite.Replace(e, t.name))
	}
	pkg := func(path string) string {
		name, imports := rewrite.Import(t.pass.Pkg, t.file, path, t.at)
		edits = append(edits, imports...)
		return name
	}
	var b strings.Builder
	mapped := fmt.Sprintf("map[%s]%s", t.k, t.v)
	p := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	writes := slices.ContainsFunc(t.calls, call.writes)
	switch w {
	case plain:
		p("// %s is a map that nobody writes while others have it.\ntype %[1]s struct{ m %s }\n\n", t.name, mapped)
	case mutex, rwmutex:
		p("// %s is a map behind a lock.\ntype %[1]s struct {\nmu %s.%s\nm %s\n}\n\n", t.name, pkg("sync"), map[way]string{mutex: "Mutex", rwmutex: "RWMutex"}[w], mapped)
	case copied:
		p("// %s is a map that is copied to be written.\ntype %[1]s struct {\nmu %s.Mutex // for who writes\nm %s.Pointer[%s]\n}\n\n", t.name, pkg("sync"), pkg("sync/atomic"), mapped)
		if writes {
			p("func (x *%s) clone() %s {\nm := %[2]s{}\nif old := x.m.Load(); old != nil {\nfor key, value := range *old {\nm[key] = value\n}\n}\nreturn m\n}\n\n", t.name, mapped)
		}
	}
	for _, m := range methods {
		loads := m.name == "Load" && (t.has("Range") && w != plain || w == copied && t.has("LoadOrStore"))
		if t.has(m.name) || loads {
			signature := strings.NewReplacer("K", t.k, "V", t.v).Replace(m.signature)
			p("func (x *%s) %s%s {\n%s\n}\n\n", t.name, m.name, signature, t.body(w, m.name, m.body))
		}
	}
	if t.has("Range") {
		k, v := t.k, t.v
		if t.anyRange {
			k, v = "any", "any"
		}
		p("func (x *%s) Range(f func(key %s, value %s) bool) {\n", t.name, k, v)
		switch w {
		case plain:
			p("for key, value := range x.m {\nif !f(key, value) {\nreturn\n}\n}\n}\n\n")
		case copied:
			p("m := x.m.Load()\nif m == nil {\nreturn\n}\nfor key := range *m {\nif value, ok := x.Load(key); ok && !f(key, value) {\nreturn\n}\n}\n}\n\n")
		default:
			lock := map[way]string{mutex: "Lock", rwmutex: "RLock"}[w]
			un := map[way]string{mutex: "Unlock", rwmutex: "RUnlock"}[w]
			p("x.mu.%s()\nkeys := make([]%s, 0, len(x.m))\nfor key := range x.m {\nkeys = append(keys, key)\n}\nx.mu.%s()\n", lock, t.k, un)
			p("for _, key := range keys {\nif value, ok := x.Load(key); ok && !f(key, value) { // f may use the map\nreturn\n}\n}\n}\n\n")
		}
	}
	if t.asserts {
		p("// %sValue panics, as it does to assert the type of a nil interface value, if there is no value.\nfunc %[1]sValue(value %s, ok bool) %[2]s {\nif !ok {\nvar none any\nreturn none.(%[2]s)\n}\nreturn value\n}\n\n", t.name, t.v)
	}
	return append(edits, rewrite.Insert(t.at, b.String()))
}

// empty makes a map of a type.
func (t *typed) empty(of string) string {
	if t.room == 0 {
		return of + "{}"
	}
	return fmt.Sprintf("make(%s, %d)", of, t.room)
}

// body is what a method does.
func (t *typed) body(w way, name, do string) string {
	var lines []string
	add := func(s ...string) { lines = append(lines, s...) }
	m := "x.m"
	after := ""
	lock, unlock := "x.mu.Lock()", "x.mu.Unlock()"
	switch {
	case w == copied && name == "Load":
		return "if m := x.m.Load(); m != nil {\n" + strings.ReplaceAll(do, "M", "(*m)") + "\n}\nreturn value, ok"
	case w == copied:
		m, after = "m", "x.m.Store(&m)"
		if name == "LoadOrStore" {
			add("if actual, loaded = x.Load(key); loaded {\nreturn actual, true\n}")
		}
	case w == rwmutex && name == "Load":
		lock, unlock = "x.mu.RLock()", "x.mu.RUnlock()"
	}
	compares := t.value == anyType && strings.HasPrefix(name, "Compare") // which may panic
	if w != plain {
		add(lock)
		if compares {
			add("defer " + unlock)
		}
	}
	switch {
	case w == copied:
		add("m := x.clone()")
	case name == "Store" || name == "LoadOrStore" || name == "Swap":
		add(fmt.Sprintf("if x.m == nil {\nx.m = %s\n}", t.empty(fmt.Sprintf("map[%s]%s", t.k, t.v))))
	}
	add(strings.ReplaceAll(do, "M", m))
	if after != "" {
		add(after)
	}
	if w != plain && !compares {
		add(unlock)
	}
	if r := results[name]; r != "" {
		add("return " + r)
	}
	return strings.Join(lines, "\n")
}
