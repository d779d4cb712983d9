package flow

import (
	"fmt"
	"go/ast"
	"go/types"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

// indexes reads packages, with what those of them say that others import, as
// another process would read it.
func indexes(t testing.TB, assembly map[string]*Summary, patterns ...string) (map[*packages.Package]*Index, []*packages.Package) {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, assembly, pkgs, true), pkgs
}

func read(t testing.TB, assembly map[string]*Summary, pkgs []*packages.Package, written bool) map[*packages.Package]*Index {
	t.Helper()
	a := *Analyzer
	if assembly != nil {
		a.Run = func(pass *analysis.Pass) (any, error) { return index(pass, assembly), nil }
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{&a}, pkgs, &checker.Options{SanityCheck: written})
	if err != nil {
		t.Fatal(err)
	}
	all := map[*packages.Package]*Index{}
	for _, act := range graph.Roots {
		if act.Err != nil {
			t.Fatalf("%v: %v", act.Package, act.Err)
		}
		x := act.Result.(*Index)
		if x.ready(); x.solver.broke != nil {
			t.Fatalf("%v: the SSA form cannot be made: %v", act.Package, x.solver.broke)
		}
		all[act.Package] = x
	}
	return all
}

// value matches the names of values that have none in the source.
var value = regexp.MustCompile(`^t[0-9]+$`)

// words say an effect on one root, as the comments of testdata do.
func words(e Effect, on Root) string {
	name := e.Name
	if name == "" {
		name = "elements"
	}
	switch e.Kind {
	case Write:
		return "changes " + name + " of " + place(on)
	case Sync:
		return "changes " + place(on) + " atomically"
	case Call:
		name = place(on)
		if e.Name != "" {
			name = strings.ReplaceAll(e.Name, "|", " or ") + " of " + name
		}
		return "calls " + name
	}
	if value.MatchString(e.Name) {
		e.Name = "a value"
	}
	return e.String()
}

// place names a root.
func place(r Root) string {
	i, captured, level, ok := r.operand()
	s := fmt.Sprintf("parameter %d", i)
	switch {
	case r == Anywhere:
		return "anything"
	case r == Globals:
		return "variables of packages"
	case !ok:
		return "new memory"
	case captured:
		s = fmt.Sprintf("captured variable %d", i)
	}
	if level > 0 {
		s = "what " + s + " leads to"
	}
	return s
}

// places names a set of roots.
func places(s Roots) string {
	var all []string
	for r := range s.All() {
		all = append(all, place(r))
	}
	return strings.Join(all, ", ")
}

// Each function of testdata does what its comment says, no less and no more. What
// package b does is written down for package a, or asked of its index.
func TestFlow(t *testing.T) {
	all, pkgs := indexes(t, nil, "./testdata/src/a", "./testdata/src/b")
	does(t, all, pkgs)
	does(t, read(t, nil, pkgs, false), pkgs)
}

func does(t *testing.T, all map[*packages.Package]*Index, pkgs []*packages.Package) {
	t.Helper()
	tested := 0
	for _, p := range pkgs {
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				d, ok := d.(*ast.FuncDecl)
				if !ok || d.Doc == nil {
					continue
				}
				fn := p.TypesInfo.Defs[d.Name].(*types.Func)
				s := all[p].Func(fn)
				if s == nil {
					t.Errorf("%s: nothing is known", fn.Name())
					continue
				}
				for _, c := range d.Doc.List {
					what, wants, _ := strings.Cut(strings.TrimPrefix(c.Text, "// "), ": ")
					var got []string
					switch what {
					case "does":
						for _, e := range s.Effects {
							for at := range e.On.All() {
								if e.Kind&Changes != 0 {
									got = append(got, words(e, at))
								}
							}
						}
					case "returns":
						got = []string{places(s.Results[0].Is)}
					case "fails":
						if got = []string{"never"}; s.Effects.First(Panic) != nil {
							got[0] = "perhaps"
						}
					default:
						continue
					}
					tested++
					want := strings.Split(wants, "; ")
					if wants == "nothing" {
						want = nil
					}
					slices.Sort(got)
					slices.Sort(want)
					if got = slices.Compact(got); !slices.Equal(got, want) {
						t.Errorf("%s %s\n got %q,\nwant %q", fn.Name(), what, got, want)
					}
				}
			}
		}
	}
	if tested < 50 {
		t.Errorf("%d comments of testdata are held to, want all of more than 50", tested)
	}
}

// Fields that are not told apart are still changed.
func TestMost(t *testing.T) {
	var all Effects
	for i := range 3 * most {
		v := types.NewField(0, nil, "f", types.Typ[types.Int], false)
		all.add(Effect{Kind: Write, On: Set(Param(i % 3)), v: v, Name: "f"})
	}
	var got Roots
	for _, e := range all {
		got = got.Or(e.On)
	}
	if want := Set(Param(0), Param(1), Param(2)); got != want || len(all) > most+2 {
		t.Errorf("%d effects on %v, want at most %d on %v", len(all), got, most+2, want)
	}
	if last := all[len(all)-1]; last.Var() != nil || last.On != Set(Param(0), Param(1), Param(2)) {
		t.Errorf("the last is on %v of %v, want all of them on no field", last.On, last.Var())
	}
}

// A set of roots has what was put in.
func TestRoots(t *testing.T) {
	s := Set(Anywhere, Param(3), Param(3).Behind(), Captured(2), 100)
	var got []Root
	for r := range s.All() {
		got = append(got, r)
	}
	if want := []Root{Anywhere, Param(3), Param(3).Behind(), Captured(2), 100}; !slices.Equal(got, want) {
		t.Errorf("Set(%v).All() = %v", want, got)
	}
	if got, want := s.outside(), Set(Anywhere, Fresh, Param(3), Param(3).Behind(), Captured(2)); got != want {
		t.Errorf("outside = %v, want %v", got, want)
	}
	for i, at := range map[int]Root{0: Param(0), 7: Param(7), 11: Param(90), 3: Captured(3)} {
		if got, captured, level, ok := at.Behind().operand(); got != i || captured != (i == 3) || level != 1 || !ok {
			t.Errorf("(%d).Behind() is of operand %d, captured %t, level %d, %t", at, got, captured, level, ok)
		}
	}
}

// What a call does is seen where it stands: literals among its operands are for
// the caller to read, other functions are not.
func TestCall(t *testing.T) {
	all, pkgs := indexes(t, nil, "./testdata/src/a")
	want := map[string]string{
		"slices.Collect(t.each)":                                    "changes n",
		"sort.Slice(s, func(i, j int) bool { return s[i] < s[j] })": "changes memory",
		"slices.Sorted(maps.Keys(m))":                               "reads memory",
		"maps.Keys(m)":                                              "",
		"fmt.Sprint(n, s)":                                          "",
		"fmt.Sprint(v)":                                             "calls Error or Format or GoString or String",
		"b.String()":                                                "",
	}
	got := map[string]string{}
	for _, f := range pkgs[0].Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok {
				name := types.ExprString(c)
				if _, ok := want[name]; ok {
					got[name] = all[pkgs[0]].Pure(c)
				} else if strings.HasPrefix(name, "sort.Slice(") {
					got["sort.Slice(s, func(i, j int) bool { return s[i] < s[j] })"] = all[pkgs[0]].Pure(c)
				}
			}
			return true
		})
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("Pure says\n%q, want\n%q", got, want)
	}
}

// What a statement does is what the comment behind it says, but for what it reads.
func TestWithin(t *testing.T) {
	all, pkgs := indexes(t, nil, "./testdata/src/a", "./testdata/src/b")
	p := pkgs[slices.IndexFunc(pkgs, func(p *packages.Package) bool { return strings.HasSuffix(p.PkgPath, "/a") })]
	x, tested := all[p], 0
	for _, f := range p.Syntax {
		said := map[int]string{}
		for _, g := range f.Comments {
			said[p.Fset.Position(g.Pos()).Line] = strings.TrimSpace(g.Text())
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Name.Name != "within" {
				continue
			}
			for _, st := range fn.Body.List {
				tested++
				var got []string
				for _, e := range x.Within(st) {
					for at := range e.On.All() {
						if e.Kind != Read {
							got = append(got, words(e, at))
						}
					}
				}
				slices.Sort(got)
				if got, want := strings.Join(slices.Compact(got), "; "), said[p.Fset.Position(st.Pos()).Line]; got != want {
					t.Errorf("%s: %q, want %q", p.Fset.Position(st.Pos()), got, want)
				}
			}
			last := fn.Body.List[len(fn.Body.List)-1].(*ast.ForStmt)
			if got := x.Within(last, last.Body).First(Changes); got != nil {
				t.Errorf("a loop but for its body %s, want nothing", got)
			}
		}
	}
	if tested < 12 {
		t.Errorf("%d statements, want at least 12", tested)
	}
	if e := x.Within(p.Syntax[0].Name).First(Unknown); e == nil {
		t.Error("of what is no code something is known")
	}
}

// What a call returns is its own where the function makes it and keeps it nowhere.
func TestMade(t *testing.T) {
	all, pkgs := indexes(t, nil, "./testdata/src/a")
	f := pkgs[0].Syntax[0] // a.go
	said := map[int]string{}
	for _, g := range f.Comments {
		said[pkgs[0].Fset.Position(g.Pos()).Line] = g.Text()
	}
	tested := 0
	ast.Inspect(f, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Rhs) != 1 {
			return true
		}
		call, ok := a.Rhs[0].(*ast.CallExpr)
		want, made := said[pkgs[0].Fset.Position(a.Pos()).Line], false
		if made = strings.HasPrefix(want, "made"); !ok || !made && !strings.HasPrefix(want, "given") {
			return true
		}
		tested++
		if got := all[pkgs[0]].Made(call); got != made {
			t.Errorf("Made(%s) = %t, want %t", types.ExprString(call), got, made)
		}
		return true
	})
	if tested != 8 {
		t.Errorf("%d calls, want 8", tested)
	}
}
