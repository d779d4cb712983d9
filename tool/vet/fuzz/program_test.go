package fuzz

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// prelude is in each program: what its holes call. The checks see all of it but
// package out, of which they know nothing.
const prelude = `
var (
	hits  atomic.Int64 // may be added to anywhere
	calls int          // of what only one goroutine calls at a time
	last  []int
)

func twice(x int) int { return 2*x - 1 }

func odd(x int) bool { return x%2 != 0 }

func must(x int) int {
	if x == 13 {
		panic("13")
	}
	return x + 1
}

// bump and keep change variables of the package.
func bump(x int) int {
	calls += x & 7
	return calls & 63
}

func keep(xs []int) int {
	last = append(last[:0], xs...)
	return len(last)
}

func apply(f func(int) int, x int) int { return f(x) }

type doer interface{ do(int) int }

type plus struct{ k int }

func (p plus) do(x int) int { return x + p.k }

// An acc has methods that change it, among them some that fit as callbacks.
type acc struct {
	n    int
	seen []int
}

func (a *acc) do(x int) int {
	a.n += x & 15
	return a.n
}

func (a *acc) is(x int) bool {
	a.n++
	return x > a.n
}

func (a *acc) cmp(x, y int) int {
	a.n++
	return x - y
}

func (a *acc) all(yield func(int) bool) {
	for _, x := range a.seen {
		a.n++
		if !yield(x + a.n) {
			return
		}
	}
}

func (a *acc) letter(r rune) rune {
	a.n++
	return r + rune(a.n&1)
}

var _, _ doer = plus{}, (*acc)(nil)
`

// A gen makes one program.
type gen struct {
	*rand.Rand
	labels int
	busy   int // of 100 holes for statements, as many are filled
}

func pick[T any](g *gen, xs ...T) T { return xs[g.IntN(len(xs))] }

var (
	choice = regexp.MustCompile(`<<((?:[^<>]|<[^<]|>[^>])*)>>`)
	hole   = regexp.MustCompile(`\$([a-z]+)\(([^()]*)\)`)
)

// fill returns the text of a form with one of <<a||b>> for each choice, and
// random code in its holes:
//
//	$e(x,i)               an int, of these variables
//	$b(x,i)               a condition
//	$k()                  a small constant
//	$f(x)                 a function from int to int, of variables that it may look at
//	$own(x,i;sum;return)  statements of a goroutine: they may read x, i and sum,
//	                      change sum and end by return
//	$any(x;sum;return)    those of code that nothing runs beside: they may change what
//	                      the package has, call back, and panic
func (g *gen) fill(text string) string {
	for choice.MatchString(text) {
		text = choice.ReplaceAllStringFunc(text, func(s string) string {
			return pick(g, strings.Split(s[2:len(s)-2], "||")...)
		})
	}
	return hole.ReplaceAllStringFunc(text, func(s string) string {
		m := hole.FindStringSubmatch(s)
		parts := append(strings.Split(m[2], ";"), "", "")
		names := func(s string) (out []string) {
			for n := range strings.SplitSeq(s, ",") {
				if n = strings.TrimSpace(n); n != "" {
					out = append(out, n)
				}
			}
			return out
		}
		sc := scope{read: names(parts[0]), write: names(parts[1]), exits: names(parts[2]), serial: m[1] == "any"}
		switch m[1] {
		case "e":
			return g.expr(sc, 2)
		case "b":
			return g.cond(sc)
		case "k":
			return strconv.Itoa(1 + g.IntN(9))
		case "f":
			return g.function(sc)
		case "own", "any":
			sc.read = append(sc.read, sc.write...)
			var b strings.Builder
			for g.IntN(100) < g.busy {
				b.WriteString(g.stmt(sc, 2) + "\n")
			}
			return b.String()
		}
		panic("fuzz: no such hole: " + s)
	})
}

var ranges = regexp.MustCompile(`for (\w+)(?:, (\w+))? := range ([^\n]*) \{\n`)

// tidy takes variables away from range loops that do not use them.
func tidy(text string) string {
	from := 0
	for {
		m := ranges.FindStringSubmatchIndex(text[from:])
		if m == nil {
			return text
		}
		for i := range m {
			m[i] += from
		}
		end := m[1]
		for depth := 1; depth > 0; end++ {
			switch text[end] {
			case '{':
				depth++
			case '}':
				depth--
			}
		}
		used := func(name string) bool {
			return regexp.MustCompile(`\b` + name + `\b`).MatchString(text[m[1]:end])
		}
		key, value, over := text[m[2]:m[3]], "_", text[m[6]:m[7]]
		if m[4] >= from {
			value = text[m[4]:m[5]]
		}
		head := "for range " + over
		switch k, v := used(key), value != "_" && used(value); {
		case v && k:
			head = "for " + key + ", " + value + " := range " + over
		case v:
			head = "for _, " + value + " := range " + over
		case k:
			head = "for " + key + " := range " + over
		}
		head += " {\n"
		text = text[:m[0]] + head + text[m[1]:]
		from = m[0] + len(head)
	}
}

// A scope is what statements may do.
type scope struct {
	read, write, exits []string
	serial             bool
}

func (s scope) with(name string) scope {
	s.read = append(slices.Clip(s.read), name)
	s.write = append(slices.Clip(s.write), name)
	return s
}

// without keeps the exits that mean the same in a loop within.
func (s scope) without() scope {
	s.exits = slices.DeleteFunc(slices.Clone(s.exits), func(e string) bool { return e == "continue" || e == "break" })
	return s
}

// expr is an int.
func (g *gen) expr(s scope, depth int) string {
	v := strconv.Itoa(g.IntN(20) - 4)
	if len(s.read) > 0 && g.IntN(4) > 0 {
		v = pick(g, s.read...)
	}
	if depth == 0 {
		return v
	}
	rest := func() string { return g.expr(s, depth-1) }
	switch g.IntN(14) {
	case 0, 1, 2:
		return "(" + v + pick(g, " + ", " - ", " * ", " ^ ", " & ") + rest() + ")"
	case 3:
		return v + pick(g, "%7", "/3", "&15", "&^1")
	case 4:
		return "twice(" + rest() + ")"
	case 5:
		return pick(g, "min", "max") + "(" + v + ", " + rest() + ")"
	case 6:
		return "(plus{" + strconv.Itoa(g.IntN(5)) + "}).do(" + rest() + ")"
	case 7:
		return "apply(" + g.function(s) + ", " + v + ")"
	case 8:
		return "len(fmt.Sprint(" + v + "))"
	case 9:
		if s.serial {
			return pick(g, "bump", "must") + "(" + v + ")"
		}
		return "must(" + v + "&7)" // never 13
	}
	return v
}

func (g *gen) cond(s scope) string {
	a, b := g.expr(s, 1), g.expr(s, 0)
	switch g.IntN(5) {
	case 0:
		return "odd(" + a + ")"
	case 1:
		return a + "%3 == 0"
	case 2:
		return a + " > " + b + " && odd(" + b + ")"
	}
	return a + pick(g, " < ", " == ", " > ", " != ") + b
}

// function is a func(int) int.
func (g *gen) function(s scope) string {
	switch g.IntN(5) {
	case 0:
		return "twice"
	case 1:
		return "(plus{" + strconv.Itoa(g.IntN(5)) + "}).do"
	case 2:
		if s.serial {
			return pick(g, "bump", "new(acc).do", "must")
		}
		return "new(acc).do"
	}
	return "func(v int) int { return v + " + g.expr(s, 0) + " }"
}

// stmt is a statement, or some.
func (g *gen) stmt(s scope, depth int) string {
	if len(s.write) == 0 {
		if s.serial {
			return pick(g, "calls++", "bump("+g.expr(s, 1)+")", "hits.Add(1)")
		}
		return "hits.Add(" + "int64(" + g.expr(s, 1) + "))"
	}
	w, e := pick(g, s.write...), g.expr(s, 2)
	inner := func(s scope) string {
		if depth == 0 {
			return w + " += " + e
		}
		return g.stmt(s, depth-1)
	}
	switch g.IntN(24) {
	case 0, 1:
		return w + pick(g, " = ", " += ", " -= ", " ^= ") + e
	case 2:
		return w + pick(g, "++", "--")
	case 3, 4:
		return "if " + g.cond(s) + " {\n" + inner(s) + "\n}"
	case 5:
		return "if " + g.cond(s) + " {\n" + inner(s) + "\n} else {\n" + inner(s) + "\n}"
	case 6: // a shadow
		return fmt.Sprintf("{\n%s := %s\n%s++\n_ = %[1]s\n%[4]s\n}", w, e, w, inner(s))
	case 7:
		return "func() {\n" + inner(s.returns()) + "\n}()"
	case 8:
		return "func() {\ndefer func() { " + w + "++ }()\n" + inner(s.returns()) + "\n}()"
	case 9: // labels
		g.labels++
		l := "l" + strconv.Itoa(g.labels)
		return fmt.Sprintf("%s:\nfor j := range 3 {\nfor k := range 2 {\nif %s {\n%s %[1]s\n}\n%s\n}\n}", l, g.cond(s.with("j").with("k")), pick(g, "continue", "break"), inner(s.without().looks("j", "k")))
	case 10:
		return fmt.Sprintf("for j := 0; j < %d; j++ {\n%s\n}", 1+g.IntN(4), inner(s.without().looks("j")))
	case 11:
		return fmt.Sprintf("{\np := &%s\n*p += %s\n}", w, e)
	case 12:
		return fmt.Sprintf("switch {\ncase %s:\n%s\ncase %s:\n%s\n}", g.cond(s), inner(s.noBreak()), g.cond(s), inner(s.noBreak()))
	case 13, 14, 15:
		if len(s.exits) > 0 {
			return "if " + g.cond(s) + " {\n" + pick(g, s.exits...) + "\n}"
		}
		return "hits.Add(1)"
	case 16:
		return fmt.Sprintf("{\nys := []int{%s, %s}\nzs := ys[:1]\nzs = append(zs, %s)\n%s += ys[1]\n}", e, g.expr(s, 0), g.expr(s, 0), w)
	case 17:
		return fmt.Sprintf("{\nm := map[int]int{%s: 1}\nn := m\nn[%s]++\n%s += len(m)\n}", e, g.expr(s, 0), w)
	case 18:
		return fmt.Sprintf("%s += apply(%s, %s)", w, g.function(s), g.expr(s, 1))
	case 19:
		return fmt.Sprintf("func() {\ndefer func() {\nif r := recover(); r != nil {\n%s--\n}\n}()\n%[1]s += must(%s)\n}()", w, g.expr(s, 0))
	}
	if !s.serial {
		return pick(g, "hits.Add(1)", "out.Note("+e+")", w+" += "+e, "_ = "+e)
	}
	switch g.IntN(8) {
	case 0:
		return w + " += bump(" + e + ")"
	case 1:
		return "calls += " + e
	case 2:
		return "out.Say(" + e + ")"
	case 3:
		return fmt.Sprintf("%s += keep([]int{%s, 1})", w, e)
	case 4:
		return fmt.Sprintf("if %s == 13 {\npanic(%s)\n}", g.expr(s, 1), g.expr(s, 0))
	case 5:
		return fmt.Sprintf("{\na := &acc{n: %s, seen: []int{1, 2}}\nf := a.do\n%s += f(1) + len(slices.Collect(a.all)) + f(2)\n}", e, w)
	case 6:
		return fmt.Sprintf("defer func() { calls += %s }()", pick(g, s.read...))
	}
	return w + " += len(last)"
}

// returns is the scope of a literal, which no exit leaves.
func (s scope) returns() scope { s.exits = nil; return s }

// noBreak is that of a switch, where break means another thing.
func (s scope) noBreak() scope {
	s.exits = slices.DeleteFunc(slices.Clone(s.exits), func(e string) bool { return e == "break" })
	return s
}

// looks is a scope with variables that are not changed.
func (s scope) looks(names ...string) scope {
	s.read = append(slices.Clip(s.read), names...)
	return s
}

// imports are what programs may need.
var imports = []string{"bytes", "cmp", "encoding/json", "errors", "fmt", "io", "maps", "os", "reflect", "runtime", "slices", "sort", "strconv", "strings", "sync", "sync/atomic", "time"}

// program returns the source of a package with some of the forms, and a function
// Run that calls them with inputs of several lengths.
func program(seed uint64, name string, forms []string) string {
	g := &gen{Rand: rand.New(rand.NewPCG(seed, 1))}
	g.busy = pick(g, 0, 20, 35, 50)
	var b, run strings.Builder
	for i, f := range forms {
		b.WriteString(tidy(strings.ReplaceAll(g.fill(f), "@", strconv.Itoa(i))) + "\n\n")
		fmt.Fprintf(&run, "\tfor _, n := range []int{0, 1, 2, 5, 31} {\n\t\txs := out.Data(n)\n\t\tout.Call(n, func() any { return f%d(xs, n) })\n\t\tout.Say(xs, calls, last, hits.Load())\n\t}\n", i)
	}
	body := prelude + "\n" + b.String() + "// Run prints what the functions return.\nfunc Run() {\n" + run.String() + "}\n"
	var head strings.Builder
	fmt.Fprintf(&head, "package %s\n\nimport (\n", name)
	for _, path := range imports {
		if regexp.MustCompile(`\b` + path[strings.LastIndex(path, "/")+1:] + `\.[A-Z]`).MatchString(body) {
			fmt.Fprintf(&head, "\t%q\n", path)
		}
	}
	head.WriteString("\n\t\"generated/out\"\n)\n")
	return head.String() + body
}

// outSource is the package that programs print by.
const outSource = `// Package out prints what programs do.
package out

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

var (
	mu    sync.Mutex
	notes []string
)

// Note may be called by any goroutine: what is noted is printed in no order.
func Note(x int) {
	mu.Lock()
	defer mu.Unlock()
	notes = append(notes, fmt.Sprint(x))
}

// Say prints.
func Say(args ...any) { fmt.Println(args...) }

// Call prints what f returns or panics with.
func Call(n int, f func() any) {
	defer func() {
		if e := recover(); e != nil {
			fmt.Println(n, "panics:", e)
		}
		mu.Lock()
		defer mu.Unlock()
		slices.Sort(notes)
		fmt.Println(strings.Join(notes, " "))
		notes = nil
	}()
	fmt.Println(n, f())
}

// Data returns n numbers.
func Data(n int) []int {
	xs := make([]int, n)
	for i := range xs {
		xs[i] = i*i%23 - 5
	}
	return xs
}
`
