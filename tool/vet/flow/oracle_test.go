package flow

import (
	"fmt"
	"go/types"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/gopayoff/payoff/internal/stress"
)

// The head of a program whose functions move pointers about. It calls each with
// objects whose places it knows, and prints which of them were changed and where
// the result lies: a and b are the arguments, A and B what these lead to, g what
// global leads to, n what is new.
const head = `package main

import (
	"fmt"
	"slices"
	"sync"
)

type T struct {
	n    int
	next *T
	list []*T
}

func (t *T) inc() { t.n++ }
func (t *T) each(yield func(*T) bool) {
	for _, u := range t.list {
		if !yield(u) {
			return
		}
	}
}

type incer interface{ inc() }

var global *T

func apply(f func(*T), t *T)      { f(t) }
func twice(f func(*T), a, b *T)   { f(a); f(b) }
func maker(t *T) func() *T        { return func() *T { return t } }
func setter(t *T) func(*T)        { return func(u *T) { t.next = u } }
func generic[E any](s []E, e E)   { s[0] = e }
func has(s []*T) bool             { return len(s) > 0 }

var _ = slices.Clone[[]int]
var _ sync.WaitGroup

func object(id *int, depth int, all map[*T]byte, place byte) *T {
	*id++
	t := &T{n: *id}
	all[t] = place
	if depth > 0 {
		behind := place
		if place == 'a' || place == 'b' {
			behind = place - 'a' + 'A'
		}
		t.next = object(id, depth-1, all, behind)
		t.list = make([]*T, 2, 2)
		for i := range t.list {
			t.list[i] = object(id, depth-1, all, behind)
		}
	}
	return t
}

func try(k int, f func(a, b *T) *T) {
	for round := range 4 {
		id := round
		all := map[*T]byte{}
		a, b := object(&id, 2, all, 'a'), object(&id, 2, all, 'b')
		global = object(&id, 2, all, 'g')
		was := map[*T]T{}
		lists := map[*T][]*T{}
		for t := range all {
			was[t], lists[t] = *t, slices.Clone(t.list)
		}
		old := global
		res := f(a, b)
		changed := map[byte]bool{}
		for t, place := range all {
			w := was[t]
			if t.n != w.n || t.next != w.next || len(t.list) != len(w.list) || len(w.list) > 0 && &t.list[0] != &w.list[0] {
				changed[place] = true
			}
			if !slices.Equal(w.list, lists[t]) { // elements lie behind
				if place == 'a' || place == 'b' {
					place = place - 'a' + 'A'
				}
				changed[place] = true
			}
		}
		if global != old {
			changed['g'] = true
		}
		place := byte('n')
		if p, ok := all[res]; ok {
			place = p
		}
		var is []byte
		for _, c := range []byte("abABg") {
			if changed[c] {
				is = append(is, c)
			}
		}
		fmt.Printf("%d %s %c\n", k, append(is, '.'), place)
	}
}
`

// A writer writes functions at random.
type writer struct {
	*rand.Rand
	b     strings.Builder
	depth int
	done  int // functions that may be called
}

func (w *writer) v() string { return []string{"a", "b", "x", "y"}[w.IntN(4)] }

func (w *writer) statement() {
	x, y, z := w.v(), w.v(), w.v()
	line := func(format string, args ...any) { fmt.Fprintf(&w.b, format+"\n", args...) }
	switch w.IntN(36) {
	case 0:
		line("%s = &T{next: %s}", x, y)
	case 1, 2:
		line("%s = %s", x, y)
	case 3, 4:
		line("if %s.next != nil { %s = %s.next }", x, y, x)
	case 5:
		line("%s.next = %s", x, y)
	case 6, 7:
		line("%s.n++", x)
	case 8:
		line("if has(%s.list) { %s = %s.list[0] }", x, y, x)
	case 9:
		line("if has(%s.list) { %s.list[len(%s.list)-1] = %s }", x, x, x, y)
	case 10:
		line("%s.list = append(%s.list, %s)", x, y, z)
	case 11:
		line("%s.list = append([]*T{%s}, %s.list...)", x, y, z)
	case 12:
		line("copy(%s.list, %s.list)", x, y)
	case 13:
		line("func() { %s.n++ }()", x)
	case 14:
		line("apply(func(t *T) { t.n++; %s = t }, %s)", x, y)
	case 15:
		line("apply(func(t *T) { %s.next = t }, %s)", x, y)
	case 16:
		line("{ m := map[int]*T{1: %s}; m[2] = %s; %s = m[%d] }", x, y, z, 1+w.IntN(2))
	case 17:
		line("global = %s", x)
	case 18:
		line("%s = global", x)
	case 19:
		line("{ var i incer = %s; i.inc() }", x)
	case 20:
		line("{ f := %s.inc; f() }", x)
	case 21:
		line("{ c := make(chan *T, 1); c <- %s; %s = <-c }", x, y)
	case 22:
		line("{ var wg sync.WaitGroup; wg.Go(func() { %s.n++; %s = %s }); wg.Wait() }", x, y, z)
	case 23:
		line("defer func() { %s.n++ }()", x)
	case 24:
		line("%s = maker(%s)()", x, y)
	case 25:
		line("setter(%s)(%s)", x, y)
	case 26:
		line("twice(setter(%s), %s, %s)", x, y, z)
	case 27:
		line("if has(%s.list) { generic(%s.list, %s) }", x, x, y)
	case 28:
		line("{ s := []*T{%s, %s}; slices.Reverse(s); %s = s[0] }", x, y, z)
	case 29:
		line("slices.SortFunc(%s.list, func(p, q *T) int { p.n++; return p.n - q.n })", x)
	case 30:
		line("for _, t := range slices.Collect(%s.each) { t.n++; %s = t }", x, y)
	case 31:
		line("for t := range %s.each { t.next = %s }", x, y)
	case 32:
		line("{ p := &%s; *p = %s; (*p).n++ }", x, y)
	case 33:
		if w.done > 0 {
			line("%s = f%d(%s, %s)", x, w.IntN(w.done), y, z)
		}
	default:
		if w.depth++; w.depth < 3 {
			line("if %s.n%%2 == 0 {", x)
			w.statement()
			line("} else {")
			w.statement()
			line("}")
		}
		w.depth--
	}
}

func (w *writer) function(k int) {
	fmt.Fprintf(&w.b, "\nfunc f%d(a, b *T) *T {\nx, y := a, b\n", k)
	for range 2 + w.IntN(6) {
		w.statement()
	}
	fmt.Fprintf(&w.b, "_, _ = x, y\nreturn %s\n}\n", w.v())
	w.done = k + 1
}

// What functions do when they run, flow says of them: which of the objects that
// they can reach they change, and where their results lie.
func TestOracle(t *testing.T) {
	seed := stress.Seed(t)
	n := 150
	if stress.Long() {
		n = 1000
	}
	w := &writer{Rand: rand.New(rand.NewPCG(seed, 1))}
	w.b.WriteString(head)
	for k := range n {
		w.function(k)
	}
	w.b.WriteString("\nfunc main() {\n")
	for k := range n {
		fmt.Fprintf(&w.b, "try(%d, f%d)\n", k, k)
	}
	w.b.WriteString("}\n")
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module generated\n\ngo 1.25\n", "main.go": w.b.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	env := append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule, Dir: dir, Env: env}, ".")
	if err != nil || len(pkgs[0].Errors) > 0 {
		t.Fatal(err, pkgs[0].Errors)
	}
	cmd := exec.Command("go", "run", ".")
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go run: %v\n%s", err, out)
	}
	x := read(t, nil, pkgs, true)[pkgs[0]]
	roots := map[rune]Root{'a': Param(0), 'A': Param(0).Behind(), 'b': Param(1), 'B': Param(1).Behind(), 'g': Globals, 'n': Fresh}
	changes, said, wrong := 0, 0, map[int]bool{}
	for line := range strings.Lines(string(out)) {
		var k int
		var changed, is string
		if _, err := fmt.Sscan(line, &k, &changed, &is); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		s := x.Func(pkgs[0].Types.Scope().Lookup(fmt.Sprint("f", k)).(*types.Func))
		var writes Roots
		for _, e := range s.Effects {
			if e.Kind == Write {
				writes = writes.Or(e.On)
			}
		}
		for _, c := range strings.TrimSuffix(changed, ".") {
			changes++
			if !writes.Has(roots[c]) && !writes.Has(Anywhere) {
				wrong[k] = true
				t.Errorf("f%d changes %c (%v); flow: %v", k, c, roots[c], writes)
			}
		}
		if at := s.Results[0].Is; !at.Has(roots[rune(is[0])]) && !at.Has(Anywhere) {
			wrong[k] = true
			t.Errorf("f%d returns %s (%v); flow: %v", k, is, roots[rune(is[0])], at)
		}
		if !writes.Has(Anywhere) {
			said++
		}
	}
	for k := range wrong {
		_, after, _ := strings.Cut(w.b.String(), fmt.Sprintf("\nfunc f%d(", k))
		text, _, _ := strings.Cut(after, "\n}\n")
		t.Logf("func f%d(%s\n}", k, text)
	}
	t.Logf("%d functions: %d changes seen, %d of %d calls with memory that is known", n, changes, said, 4*n)
	if changes < n || said < n {
		t.Errorf("%d changes, %d calls with memory that is known: want at least %d of each", changes, said, n)
	}
}
