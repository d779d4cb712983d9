package section_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

var (
	fset     = token.NewFileSet()
	packages = importer.ForCompiler(fset, "source", nil) // remembers what it read
)

// index type-checks a file and finds its sections.
func index(t *testing.T, src string) *section.Index {
	t.Helper()
	f, err := parser.ParseFile(fset, "a.go", "package a\n"+src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: packages}
	pkg, err := conf.Check("a", fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	return section.New(uses.New(inspector.New([]*ast.File{f}), info), flow.New(fset, pkg, []*ast.File{f}, info))
}

const decls = `
import ("sync"; "time"; "fmt"; "strings")
var _ = time.Now
var _ = fmt.Sprint
var _ = strings.ToUpper
type S struct {
	mu sync.RWMutex
	n, m int
	list []int
	next *S
	table map[string]*S
	call func()
}
func (s *S) inc() { s.n++ }
func (s *S) get() int { return s.m }
type E struct { sync.Mutex; n int }
`

func TestSections(t *testing.T) {
	for _, test := range []struct{ name, body, want string }{
		{"plain", "s.mu.Lock(); s.n = 1; s.mu.Unlock(); s.m = 2", "1 statement"},
		{"deferred", "s.mu.RLock(); defer s.mu.RUnlock(); s.n = 1; s.m = 2", "read deferred 2 statements"},
		{"deferred second", "s.mu.Lock(); defer println(); defer s.mu.Unlock(); s.n = 1", "deferred 2 statements"},
		{"early", "s.mu.Lock(); if s.n > 0 { s.mu.Unlock(); return }; s.n++; s.mu.Unlock()", "2 statements 1 early"},
		{"twice", "s.mu.Lock(); s.n++; s.mu.Unlock(); s.mu.Lock(); s.mu.Unlock()", "1 statement; 0 statements"},
		{"block", "if s.m > 0 { s.mu.Lock(); s.n++; s.mu.Unlock() }", "1 statement"},
		{"deferred in a block", "if s.m > 0 { s.mu.Lock(); defer s.mu.Unlock(); s.n++ }", "2 others"},
		{"deferred late", "s.mu.Lock(); s.n++; defer s.mu.Unlock()", "2 others"},
		{"unlocked in between", "s.mu.Lock(); defer s.mu.Unlock(); s.mu.Unlock(); s.mu.Lock()", "4 others"},
		{"another's", "s.mu.Lock(); s.next.mu.Lock(); s.mu.Unlock(); s.next.mu.Unlock()", "1 statement; 1 statement"},
		{"other way", "s.mu.Lock(); s.mu.RUnlock()", "2 others"},
		{"tried", "if s.mu.TryLock() { s.mu.Unlock() }", "2 others"},
		{"handed on", "s.mu.Lock(); s.mu.Unlock(); f := s.mu.Lock; f()", "0 statements 1 other"},
		{"unlocked elsewhere", "s.mu.Lock(); func() { s.mu.Unlock() }()", "2 others"},
		{"in a case", "switch { case s.n > 0: s.mu.Lock(); s.n++; s.mu.Unlock() }", "1 statement"},
		{"embedded", "e.Lock(); defer e.Unlock(); e.n++", "deferred 1 statement"},
		{"local", "var mu sync.Mutex; mu.Lock(); s.n++; mu.Unlock()", "1 statement"},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := index(t, decls+"func _(s *S, e *E) {"+test.body+"}")
			var got []string
			plural := func(n int, what string) string {
				if n != 1 {
					what += "s"
				}
				return fmt.Sprint(n, " ", what)
			}
			for _, l := range in.Locks {
				for _, s := range l.Sections {
					says := plural(len(s.Stmts), "statement")
					if s.Deferred {
						says = "deferred " + says
					}
					if s.Read {
						says = "read " + says
					}
					if len(s.Early) > 0 {
						says += fmt.Sprint(" ", len(s.Early), " early")
					}
					got = append(got, says)
				}
				if n := len(l.Others); n > 0 {
					says := plural(n, "other")
					if len(got) > 0 {
						got[len(got)-1] += " " + says
					} else {
						got = append(got, says)
					}
				}
			}
			if got := strings.Join(got, "; "); got != test.want {
				t.Errorf("%s\n\thas %q, want %q", test.body, got, test.want)
			}
		})
	}
}

func TestEffects(t *testing.T) {
	for _, test := range []struct{ body, reads, writes, other string }{
		{"_ = s.n", "n", "", ""},
		{"s.n = s.m", "m", "n", ""},
		{"s.n++", "n", "n", ""},
		{"s.list[0] = 1", "list", "list", ""},
		{"s.list = append(s.list, s.n)", "list n", "list", ""},
		{"s.next.n = 1", "next", "n", ""},
		{"delete(s.table, fmt.Sprint(s.n))", "n table", "table", ""},
		{"p := &s.n; *p = 1", "n", "n", ""},
		{"s.inc()", "n", "n", ""},
		{"_ = s.get()", "m", "", ""},
		{"s.call()", "call", "", "1 unknown"},
		{"_ = strings.ToUpper(fmt.Sprint(s.n))", "n", "", ""},
		{"time.Sleep(1)", "", "", "1 call"},
		{"c := make(chan int); c <- s.n", "n", "", "1 wait"},
		{"func() { s.n = 1 }()", "", "n", ""},
		{"for range make(chan int) { }", "", "", "1 wait"},
		{"var each func(func() bool); for range each { }", "", "", "1 wait"},
		{"for s.n = range 3 { }", "n", "n", ""},
		{"x := s.table[fmt.Sprint(s.m)]; x.n = 1", "m table", "n", ""},
	} {
		in := index(t, decls+"func _(s *S) { s.mu.Lock();"+test.body+"; s.mu.Unlock() }")
		e := in.Effects(in.Locks[0].Sections[0].Stmts...)
		names := func(m map[*types.Var]bool) string {
			var all []string
			for v := range maps.Keys(m) {
				if v.IsField() {
					all = append(all, v.Name())
				}
			}
			slices.Sort(all)
			return strings.Join(all, " ")
		}
		other := ""
		for name, n := range map[string]int{"unknown": len(e.Unknown), "call": len(e.Calls), "wait": len(e.Waits)} {
			if n > 0 {
				other += fmt.Sprint(n, " ", name)
			}
		}
		if r, w := names(e.Reads), names(e.Writes); r != test.reads || w != test.writes || other != test.other {
			t.Errorf("%s\n\treads %q, writes %q, does %q; want %q, %q, %q", test.body, r, w, other, test.reads, test.writes, test.other)
		}
	}
}

// Guarded is what sections write, also through functions that they call, but
// for variables of their own.
func TestGuarded(t *testing.T) {
	in := index(t, decls+`
func _(s *S) { s.mu.Lock(); own := 1; own++; s.inc(); s.mu.Unlock() }
func _() {
	var mu sync.Mutex
	total := 0
	go func() { mu.Lock(); total++; mu.Unlock() }()
}`)
	var got []string
	for _, l := range in.Locks {
		for v := range in.Guarded(l) {
			got = append(got, v.Name())
		}
	}
	if want := []string{"n", "total"}; !slices.Equal(got, want) {
		t.Errorf("the locks guard %q, want %q", got, want)
	}
}
