package discover

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/gocmd/gocmdtest"
)

// TestBaseWords: each word makes a base, however it is written, as the value of
// variant= and inside a name; no other does.
func TestBaseWords(t *testing.T) {
	for _, word := range []string{"serial", "sequential", "seq", "single", "naive", "baseline", "base"} {
		title := strings.ToUpper(word[:1]) + word[1:]
		for _, value := range []string{word, title, strings.ToUpper(word)} {
			names := []string{"BenchmarkS/variant=pool/n=1", "BenchmarkS/variant=" + value + "/n=1", "BenchmarkS/variant=chan/n=1"}
			f := Families(names, Hints{})
			if want := "S/variant=" + value + "/n=1<S/variant=pool/n=1,S/variant=chan/n=1"; draw(f) != want {
				t.Errorf("variant=%s: %s, want %s", value, draw(f), want)
			}
			if len(f) == 1 && (f[0].Base != 0 || f[0].Members[0].Variant != value || f[0].Members[1].Variant != "pool" || f[0].Name != "S/n=1") {
				t.Errorf("variant=%s: %+v", value, f[0])
			}
		}
		for _, names := range [][2]string{{"Sum" + title, "SumParallel"}, {title + "Sum", "ParallelSum"}, {"Sum/" + word, "Sum/parallel"}, {"sum_" + word + "_big", "sum_parallel_big"}} {
			if got, want := draw(Families([]string{"Benchmark" + names[1], "Benchmark" + names[0]}, Hints{})), names[0]+"<"+names[1]; got != want {
				t.Errorf("%v: %s, want %s", names, got, want)
			}
		}
	}
	for _, value := range []string{"serially", "based", "1", "", "a serial"} {
		if f := Families([]string{"BenchmarkS/variant=" + value, "BenchmarkS/variant=x"}, Hints{}); len(f) != 1 || f[0].Base != -1 {
			t.Errorf("variant=%s: %+v, want no base", value, f)
		}
	}
	// Beside a variant without a word of concurrency the weak ones mean something else.
	for word, want := range map[string]string{"Serial": "SumSerial<SumOther", "Sequential": "SumSequential<SumOther", "Seq": "SumSeq SumOther", "Single": "SumSingle SumOther", "Naive": "SumNaive<SumOther", "Baseline": "SumBaseline<SumOther", "Base": "SumBase SumOther"} {
		if got := draw(Families([]string{"BenchmarkSum" + word, "BenchmarkSumOther"}, Hints{})); got != want {
			t.Errorf("Sum%s beside SumOther: %s, want %s", word, got, want)
		}
	}
	for _, word := range concurrencyWords {
		names := []string{"BenchmarkSumSeq", "BenchmarkSum" + strings.ToUpper(word[:1]) + word[1:]}
		if f := Families(names, Hints{}); len(f) != 1 {
			t.Errorf("Seq beside %s: %s, want one family", word, draw(f))
		}
	}
}

// TestKeyedApart: what variant= compares has the rest of the name in common; a
// base with which nothing is compared is none; the families come in the order of
// their bases.
func TestKeyedApart(t *testing.T) {
	for _, tt := range []struct{ names, want string }{
		{"A/variant=x/n=1 A/variant=serial/n=2 A/variant=serial/n=1 A/variant=x/n=2", "A/variant=serial/n=2<A/variant=x/n=2 A/variant=serial/n=1<A/variant=x/n=1"},
		{"A/variant=x B/variant=serial", "A/variant=x B/variant=serial"},
		{"A/n=1/variant=x A/variant=serial/n=1", "A/n=1/variant=x A/variant=serial/n=1"},
		{"Z A/variant=x A/variant=serial", "Z A/variant=serial<A/variant=x"},
		{"A/variant=serial A/variant=x A/variant=SEQ A/variant=y", "A/variant=serial<A/variant=x,A/variant=SEQ,A/variant=y"},
	} {
		var names []string
		for n := range strings.FieldsSeq(tt.names) {
			names = append(names, "Benchmark"+n)
		}
		families := Families(names, Hints{})
		if got := draw(families); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.names, got, tt.want)
		}
		if lines := strings.Join(Pairs(families), "; "); (lines == "") != !strings.Contains(tt.want, "<") || strings.Contains(lines, "  ") {
			t.Errorf("%s: pairs %q, want those of %s", tt.names, lines, tt.want)
		}
	}
}

// TestVariantNames: a key that all share goes, unless the values are numbers.
func TestVariantNames(t *testing.T) {
	for _, tt := range []struct {
		names, base string
		want        []string
		name, group string
		params      []Param
	}{
		{"S/impl=serial/n=8 S/impl=pool/n=8", "impl=serial", []string{"serial", "pool"}, "S/n=8", "S/n=", []Param{{"n", 8}}},
		{"S/w=1 S/w=2", "w=1", []string{"w=1", "w=2"}, "S", "S", nil},
		{"S/variant=1 S/variant=2", "variant=1", []string{"1", "2"}, "S", "S", nil},
		{"S/impl=serial S/mode=pool", "impl=serial", []string{"impl=serial", "mode=pool"}, "S", "S", nil},
		{"S/impl=serial S/impl=2", "impl=serial", []string{"impl=serial", "impl=2"}, "S", "S", nil},
		{"SumSerial/10k/x SumPool/10k/x", "", []string{"SumSerial", "SumPool"}, "SumSerial/10k/x", "SumSerial/=/x", []Param{{"", 10_000}}},
		{"1/variant=serial 1/variant=x", "", []string{"serial", "x"}, "1", "1", nil}, // the function is no size
	} {
		var names []string
		for n := range strings.FieldsSeq(tt.names) {
			names = append(names, "Benchmark"+n)
		}
		h := Hints{}
		if tt.base != "" {
			h.Base = regexp.MustCompile(tt.base + "(/|$)")
		}
		f := Families(names, h)[0]
		var got []string
		for _, m := range f.Members {
			got = append(got, m.Variant)
		}
		if !slices.Equal(got, tt.want) || f.Name != tt.name || f.Group != tt.group || !slices.Equal(f.Params, tt.params) {
			t.Errorf("%s: variants %q of %q in %q by %v, want %q, %q, %q, %v", tt.names, got, f.Name, f.Group, f.Params, tt.want, tt.name, tt.group, tt.params)
		}
	}
}

// TestMarkedSides: a marked function is the base of its file alone; a marked
// sub-benchmark that of its siblings, at whatever depth.
func TestMarkedSides(t *testing.T) {
	funcs := []Func{{Name: "BenchmarkA", Pos: "a_test.go:3", Base: true}, {Name: "BenchmarkB", Pos: "a_test.go:9"}, {Name: "BenchmarkC", Pos: "c_test.go:3"}, {Name: "BenchmarkD", Pos: "d_test.go:3", BaseSubs: []string{"one"}}}
	names := []string{"BenchmarkB", "BenchmarkC", "BenchmarkA", "BenchmarkD/n=1/two", "BenchmarkD/n=1/one", "BenchmarkD/n=2/one", "BenchmarkD/n=2/two"}
	if got, want := draw(Families(names, Hints{Funcs: funcs})), "C A<B D/n=1/one<D/n=1/two D/n=2/one<D/n=2/two"; got != want {
		t.Errorf("families %s, want %s", got, want)
	}
}

// TestGraph: the place where GOMAXPROCS is set, from a benchmark, from what it
// calls and from the start of the process.
func TestGraph(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"nowhere", "func BenchmarkX() { other() }; func other() {}", ""},
		{"itself", "func BenchmarkX() {\nruntime.GOMAXPROCS(2) }", "x.go:2"},
		{"what it calls", "func BenchmarkX() { a() }; func a() { b() }\nfunc b() {\nruntime.GOMAXPROCS(n()) }", "x.go:3"},
		{"what it calls of the package, from outside", "func BenchmarkX() { x.A() }; func A() {\nruntime.GOMAXPROCS(4) }", "x.go:2"},
		{"of another package", "func BenchmarkX() { y.A() }; func A() {\nruntime.GOMAXPROCS(4) }", ""},
		{"TestMain", "func BenchmarkX() {}\nfunc TestMain() {\nruntime.GOMAXPROCS(3) }", "x.go:3"},
		{"what TestMain calls", "func BenchmarkX() {}\nfunc TestMain() { setup() }\nfunc setup() {\nruntime.GOMAXPROCS(3) }", "x.go:4"},
		{"init", "func BenchmarkX() {}\nfunc init() {\nruntime.GOMAXPROCS(3) }", "x.go:3"},
		{"its own before TestMain's", "func TestMain() { runtime.GOMAXPROCS(3) }\nfunc BenchmarkX() {\nruntime.GOMAXPROCS(2) }", "x.go:3"},
		{"the first of two", "func BenchmarkX() {\nruntime.GOMAXPROCS(2)\nruntime.GOMAXPROCS(3) }", "x.go:2"},
		{"another benchmark", "func BenchmarkX() {}\nfunc BenchmarkY() { runtime.GOMAXPROCS(2) }", ""},
		{"a method", "func BenchmarkX() { a() }\nfunc (T) a() { runtime.GOMAXPROCS(2) }", ""},
		{"asks with 0", "func BenchmarkX() { runtime.GOMAXPROCS(0) }", ""},
		{"asks with -1", "func BenchmarkX() { runtime.GOMAXPROCS(-1) }", ""},
		{"another function of runtime", "func BenchmarkX() { runtime.GC(1) }", ""},
		{"another package's", "func BenchmarkX() { mine.GOMAXPROCS(2) }", ""},
		{"calls in a circle", "func BenchmarkX() { a() }; func a() { b() }; func b() { a() }", ""},
	} {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "x.go", "package x; "+tt.src, 0)
		if err != nil {
			t.Fatal(err)
		}
		g := newCallGraph("x")
		g.add(fset, f)
		if got := g.setsProcs("BenchmarkX"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	// Of several files, and of one that does not parse nothing.
	dir := t.TempDir()
	for name, src := range map[string]string{"a.go": "package x\n\nfunc a() { b() }\n", "b.go": "package x\n\nfunc b() { runtime.GOMAXPROCS(2) }\n", "c.go": "package x\n\nfunc c( {\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	g := newCallGraph("x")
	for _, name := range []string{"a.go", "b.go", "c.go", "none.go"} {
		g.addFile(filepath.Join(dir, name))
	}
	if got, want := g.setsProcs("a"), filepath.Join(dir, "b.go")+":3"; got != want {
		t.Errorf("over two files: %q, want %q", got, want)
	}
}

// TestBenchmarkShape: the names and the shapes that go test runs.
func TestBenchmarkShape(t *testing.T) {
	for src, want := range map[string]bool{
		"func BenchmarkA(b *testing.B) {}": true, "func Benchmark(b *testing.B) {}": true, "func BenchmarkÄ(b *testing.B) {}": true, "func Benchmark1(b *testing.B) {}": true, "func Benchmark_a(b *testing.B) {}": true,
		"func BenchmarkA(*testing.B) {}": true, "func BenchmarkA(b *B) {}": true,
		"func Benchmarka(b *testing.B) {}": false, "func Benchmarkä(b *testing.B) {}": false, "func ABenchmark(b *testing.B) {}": false, "func TestA(b *testing.B) {}": false,
		"func BenchmarkA(b testing.B) {}": false, "func BenchmarkA(b *testing.T) {}": false, "func BenchmarkA(b *T) {}": false, "func BenchmarkA(a, b *testing.B) {}": false, "func BenchmarkA(b *testing.B, n int) {}": false,
		"func BenchmarkA() {}": false, "func BenchmarkA(b *testing.B) int { return 1 }": false, "func BenchmarkA[T any](b *testing.B) {}": false, "func BenchmarkA(b *[]int) {}": false,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x; "+src, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := isBenchmark(f.Decls[0].(*ast.FuncDecl)); got != want {
			t.Errorf("%s: %t, want %t", src, got, want)
		}
	}
}

// TestMarkedLines: a mark counts above a function, and on the line of a b.Run or
// just above it.
func TestMarkedLines(t *testing.T) {
	src := `package x

// BenchmarkA is the base.
//
//payoff:base
func BenchmarkA(b *testing.B) {}

func (T) BenchmarkM(b *testing.B) {}

func BenchmarkB(b *testing.B) {
	//payoff:base
	b.Run("above it", f)
	b.Run("same line", f) //payoff:base
	b.Run("below", f)

	b.Run("none", f)
	//payoff:base

	b.Run("two above", f)
	b.Skip("skip") //payoff:base
	b.Run(name, f) //payoff:base
	run("x") //payoff:base
}
`
	file := filepath.Join(t.TempDir(), "x_test.go")
	if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	funcs, err := benchmarks(file, newCallGraph("x"))
	if err != nil || len(funcs) != 2 {
		t.Fatalf("%+v, %v, want A and B", funcs, err)
	}
	if a := funcs[0]; !a.Base || a.Name != "BenchmarkA" || a.Pos != file+":6" || len(a.BaseSubs) > 0 {
		t.Errorf("%+v, want the base, at line 6", a)
	}
	if b := funcs[1]; b.Base || !slices.Equal(b.BaseSubs, []string{"above_it", "same_line", "below"}) {
		t.Errorf("%+v, want the three runs with a mark beside or above", b)
	}
	if _, err := benchmarks(filepath.Join(t.TempDir(), "none_test.go"), newCallGraph("x")); err == nil {
		t.Error("a file that is not there: no error")
	}
}

func TestRewrite(t *testing.T) {
	for name, want := range map[string]string{"a b\tc": "a_b_c", "ä": "ä", "\x01": `\x01`, "\u200b": `\u200b`, "a/b": "a/b"} {
		if got := rewrite(name); got != want {
			t.Errorf("rewrite(%q) = %q, want %q", name, got, want)
		}
	}
}

// TestNumber: what is a size, with each unit.
func TestNumber(t *testing.T) {
	for s, want := range map[string]float64{"0": 0, "8": 8, "1000": 1000, "1e6": 1e6, "1.5": 1.5, "10k": 10_000, "4K": 4096, "1M": 1e6, "2G": 2e9, "1_000": 1000, "1_0k": 10_000} {
		if got, err := number(s); err != nil || got != want {
			t.Errorf("number(%q) = %v, %v, want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "k", "K", "_", "Inf", "NaN", "-1", "+1", ".5", "x1", "1x", "1kk", "1e999", "1e308G", ":1", "/1"} {
		if got, err := number(s); err == nil && !math.IsNaN(got) {
			t.Errorf("number(%q) = %v, want an error", s, got)
		}
	}
	for e, want := range map[string]bool{"8": true, "n=8": true, "n=x": false, "x": false, "a=b=8": false, "": false, "n=": false} {
		if got := isSize(e); got != want {
			t.Errorf("isSize(%q) = %t, want %t", e, got, want)
		}
	}
}

func TestSplitWords(t *testing.T) {
	for s, want := range map[string]string{
		"SumSerial": "sum serial", "CPUFanBuffer": "cpu fan buffer", "parallelMergesortV1": "parallel mergesort v 1", "sum_serial-2x": "sum serial 2 x", "HTTP": "http", "aB": "a b", "AB": "ab", "ABc": "a bc", "Sum8x8": "sum 8 x 8", "": "", "__": "", "10k": "10 k", "x10": "x 10",
	} {
		if got := strings.Join(words(s), " "); got != want {
			t.Errorf("words(%q) = %q, want %q", s, got, want)
		}
	}
	for _, tt := range []struct {
		s, part string
		want    bool
	}{{"a b c", "b c", true}, {"a b c", "a", true}, {"a b c", "c", true}, {"a b c", "a c", false}, {"a b c", "a b c", true}, {"a b", "a b c", false}, {"a", "", true}, {"", "", true}} {
		if got := contains(strings.Fields(tt.s), strings.Fields(tt.part)); got != tt.want {
			t.Errorf("contains(%q, %q) = %t, want %t", tt.s, tt.part, got, tt.want)
		}
	}
	for _, tt := range []struct{ s, before, after string }{{"a:b:c", "a:b", "c"}, {"a", "a", ""}, {":a", "", "a"}, {"a:", "a", ""}} {
		if before, after := cutLast(tt.s, ":"); before != tt.before || after != tt.after {
			t.Errorf("cutLast(%q) = %q, %q, want %q, %q", tt.s, before, after, tt.before, tt.after)
		}
	}
}

// TestSelectionCuts: an expression is cut at | and / outside brackets, as go test does.
func TestSelectionCuts(t *testing.T) {
	for _, tt := range []struct {
		s    string
		sep  byte
		want []string
	}{
		{"a/b/c", '/', []string{"a", "b", "c"}}, {"a|b", '|', []string{"a", "b"}}, {"(a|b)|c", '|', []string{"(a|b)", "c"}}, {"[a|b]|c", '|', []string{"[a|b]", "c"}},
		{`a\|b|c`, '|', []string{`a\|b`, "c"}}, {`[\]|]|c`, '|', []string{`[\]|]`, "c"}}, {"((a)|b)|c", '|', []string{"((a)|b)", "c"}}, {"[(]|c", '|', []string{"[(]", "c"}}, {"a|", '|', []string{"a", ""}}, {"", '|', []string{""}}, {`a\`, '|', []string{`a\`}},
	} {
		if got := split(tt.s, tt.sep); !slices.Equal(got, tt.want) {
			t.Errorf("split(%q, %c) = %q, want %q", tt.s, tt.sep, got, tt.want)
		}
	}
}

// TestCodes: what both states have is compared, old as the base; the rest is gone
// or added.
func TestCodes(t *testing.T) {
	families, gone, added := Codes([]string{"BenchmarkA/n=1", "BenchmarkB", "BenchmarkC"}, []string{"BenchmarkD", "BenchmarkC", "BenchmarkA/n=1"})
	if !slices.Equal(gone, []string{"BenchmarkB"}) || !slices.Equal(added, []string{"BenchmarkD"}) || len(families) != 2 {
		t.Fatalf("%d families, gone %q, added %q", len(families), gone, added)
	}
	f := families[1]
	if f.Name != "A/n=1" || f.Group != "A/n=" || len(f.Params) != 1 || !f.Codes || f.Base != 0 || !slices.Equal(f.Members, []Member{{"BenchmarkA/n=1/code=old", "old"}, {"BenchmarkA/n=1/code=new", "new"}}) {
		t.Errorf("%+v", f)
	}
	for _, tt := range []struct{ name, bench, code string }{{"BenchmarkA/code=old", "BenchmarkA", "old"}, {"BenchmarkA", "BenchmarkA", ""}, {"BenchmarkA/code=x/code=new", "BenchmarkA/code=x", "new"}} {
		if bench, code := CutCode(tt.name); bench != tt.bench || code != tt.code {
			t.Errorf("CutCode(%q) = %q, %q, want %q, %q", tt.name, bench, code, tt.bench, tt.code)
		}
	}
	if (&Compared{}).Apart() || !(&Compared{Old: Code{Run: "r"}}).Apart() || (&Compared{New: Code{Run: "r"}}).Apart() {
		t.Error("two states are apart where the old one has a run of its own, and not else")
	}
}

// TestPairsMost: ten lines, of more the tenth counts the rest; six variants, of
// more than eight the seventh.
func TestPairsMost(t *testing.T) {
	for n, want := range map[int]string{9: "JobIParallel against JobISerial", 10: "JobJParallel against JobJSerial", 11: "and 2 more", 12: "and 3 more"} {
		var names []string
		for i := range n {
			names = append(names, fmt.Sprintf("BenchmarkJob%cSerial", 'A'+i), fmt.Sprintf("BenchmarkJob%cParallel", 'A'+i))
		}
		got := Pairs(Families(names, Hints{}))
		if got[len(got)-1] != want || len(got) != min(n, 10) {
			t.Errorf("%d pairs: %d lines that end with %q, want %q", n, len(got), got[len(got)-1], want)
		}
	}
	for n, want := range map[int]string{1: "a", 2: "a and b", 6: "a, b, c, d, e and f", 7: "a, b, c, d, e, f and g", 8: "a, b, c, d, e, f and 2 more", 9: "a, b, c, d, e, f and 3 more"} {
		names := []string{"BenchmarkS/serial"}
		for i := range n {
			names = append(names, fmt.Sprintf("BenchmarkS/%c", 'a'+i))
		}
		got := Pairs(Families(names, Hints{Base: regexp.MustCompile("serial")}))
		if len(got) != 1 || got[0] != "S: "+want+" against serial" {
			t.Errorf("%d variants: %q, want %q", n, got, want)
		}
	}
	five := []string{"a", "b", "c", "d", "e", "f"}
	for n, want := range map[int]string{0: "", 1: "a", 4: "a, b, c and d", 5: "a, b, c, d and e", 6: "a, b, c, d and 2 more"} {
		which := []int{0, 1, 2, 3, 4, 5}[:n]
		if got := list(five, which); got != want {
			t.Errorf("list of %d = %q, want %q", n, got, want)
		}
	}
}

// TestChoose: an expression that matches the element of a name and no longer one.
func TestChoose(t *testing.T) {
	for _, tt := range []struct {
		name       string
		elem       int
		want       string
		match, not string
	}{
		{"BenchmarkA", 0, "^BenchmarkA$", "BenchmarkA", "BenchmarkAB"}, {"BenchmarkA/x", 0, "^BenchmarkA/", "BenchmarkA/y", "BenchmarkAB/x"},
		{"BenchmarkA/x.1", 1, `/x\.1$`, "BenchmarkB/x.1", "BenchmarkA/x21"}, {"BenchmarkA/x/8", 1, "/x/", "BenchmarkA/x/9", "BenchmarkA/xy/8"},
	} {
		got := choose(tt.name, tt.elem)
		if re := regexp.MustCompile(got); got != tt.want || !re.MatchString(tt.match) || re.MatchString(tt.not) {
			t.Errorf("choose(%q, %d) = %q, want %q", tt.name, tt.elem, got, tt.want)
		}
	}
}

// TestShare: how much of its name a benchmark shares with a base, no word twice, and how
// much of the base it lacks beside what tells the base.
func TestShare(t *testing.T) {
	for _, tt := range []struct {
		base            string
		elem            int
		free, v         string
		shared, missing int
		ok              bool
	}{
		{"SumSerial", 0, "Serial", "SumParallel", 1, 0, true}, {"SumFastSerial", 0, "Serial", "SumParallel", 1, 1, true}, {"SumFastSerial", 0, "FastSerial", "SumParallel", 1, 0, true},
		{"SerialSum", 0, "Serial", "ParallelSum", 1, 0, true}, {"SumSerialBig", 0, "Serial", "SumBig", 2, 0, true}, {"SumSerial", 0, "Serial", "Max", 0, 1, true},
		{"GoGo", 0, "", "Go", 1, 1, true}, {"Go", 0, "", "GoGo", 1, 0, true}, {"SumSumSum", 0, "", "SumSum", 2, 1, true},
		{"A/serial", 1, "serial", "A/pool", 1, 0, true}, {"A/serial/8", 1, "serial", "A/pool/8", 1, 0, true}, {"A/old_serial", 1, "serial", "A/old_pool", 2, 0, true},
		{"A/serial", 1, "serial", "B/pool", 0, 0, false}, {"A/serial/8", 1, "serial", "A/pool/9", 0, 0, false}, {"A/serial/8", 1, "serial", "A/pool", 0, 0, false}, {"A/serial", 1, "serial", "A", 0, 0, false},
	} {
		g := &grouper{names: []string{"Benchmark" + tt.base, "Benchmark" + tt.v}}
		if shared, missing, ok := g.share(named{0, tt.elem, tt.free}, 1); shared != tt.shared || missing != tt.missing || ok != tt.ok {
			t.Errorf("%s shares with %s, free %q: %d, lacks %d, %t; want %d, %d, %t", tt.v, tt.base, tt.free, shared, missing, ok, tt.shared, tt.missing, tt.ok)
		}
	}
}

// TestSeveralBases: what -vs matches goes to its own of several bases, or to none; of the
// bases of a variant those that share less are no rivals of the one that shares most.
func TestSeveralBases(t *testing.T) {
	for _, tt := range []struct {
		names, base, vs string
		want            string
		said            []string
	}{
		{"A/serial B/serial A/x Other", "serial", "A/x|Other", "A/serial<A/x B/serial Other", []string{`-base "serial" leaves BenchmarkB/serial and BenchmarkOther without a partner: match a base whose name is the same but for the variant`}},
		{"A/serial A/x Other", "serial", "A/x|Other", "A/serial<A/x,Other", nil},
		{"A/serial A/x Other", "serial", "", "A/serial<A/x Other", []string{`-base "serial" leaves BenchmarkOther without a partner: -vs compares what it matches all the same`}},
		{"SumSerial SumSequential SumFastSerial SumFastParallel", "", "", "SumSerial SumSequential SumFastSerial<SumFastParallel", nil},
		{"SumSerial SumSequential SumParallel", "", "", "SumSerial<SumParallel SumSequential", []string{"BenchmarkSumSerial is taken as the base, BenchmarkSumSequential could be it as well: "}},
	} {
		var names []string
		for n := range strings.FieldsSeq(tt.names) {
			names = append(names, "Benchmark"+n)
		}
		var h Hints
		if tt.base != "" {
			h.Base = regexp.MustCompile(tt.base)
		}
		if tt.vs != "" {
			h.Vs = regexp.MustCompile(tt.vs)
		}
		families, problems := Pair("p", names, h)
		if got := draw(families); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.names, got, tt.want)
		}
		ok := len(problems) == len(tt.said)
		for i := range min(len(problems), len(tt.said)) {
			ok = ok && problems[i].Note && strings.HasPrefix(problems[i].String(), "p: "+tt.said[i])
		}
		if !ok {
			t.Errorf("%s: problems %v, want %q", tt.names, problems, tt.said)
		}
	}
}

// TestTargets: packages with benchmarks that match, in files of the package and beside it;
// what is wrong with others is told, and where nothing is left it is an error.
func TestTargets(t *testing.T) {
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	dir := t.TempDir()
	bench := func(pkg string, names ...string) string {
		s := "package " + pkg + "\n\nimport \"testing\"\n"
		for _, n := range names {
			s += "\nfunc Benchmark" + n + "(b *testing.B) {}\n"
		}
		return s
	}
	for name, text := range map[string]string{
		"go.mod":       "module m\n\ngo 1.22\n",
		"a/a.go":       "package a\n\nimport \"runtime\"\n\nfunc init() { runtime.GOMAXPROCS(2) }\n",
		"a/in_test.go": bench("a", "Sum", "Max"), "a/out_test.go": bench("a_test", "SumOut"),
		"b/b_test.go": bench("b", "Max"), "c/c.go": "package c\n",
		"d/a_test.go": bench("d", "Sum"), "d/d_test.go": "package d\n\nfunc (\n", "e/e_test.go": bench("e", "Sum") + "\nfunc (\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tc := gocmdtest.Find(t, dir)
	for _, tt := range []struct{ patterns, bench, targets, problems, err string }{
		{"./...", "Sum/x", "m/a: ^BenchmarkSum$/x ^BenchmarkSumOut$/x", "m/d m/e", ""},
		{"./a ./b ./c", "Max|Out", "m/a: ^BenchmarkMax$ ^BenchmarkSumOut$; m/b: ^BenchmarkMax$", "", ""},
		{"./b ./c", "Sum", "", "", `./b ./c: no benchmark matches -bench "Sum": go test -list=Benchmark ./b ./c shows what there is`},
		{"./c", ".", "", "", "./c: no benchmarks: write func BenchmarkX"},
		{"./c", "(", "", "", `-bench "("`},
	} {
		targets, problems, err := Targets(t.Context(), tc, strings.Fields(tt.patterns), tt.bench)
		if (err == nil) != (tt.err == "") || err != nil && !strings.HasPrefix(err.Error(), tt.err) {
			t.Errorf("%s, -bench %s: %v, want %q", tt.patterns, tt.bench, err, tt.err)
		}
		var got, wrong []string
		for _, x := range targets {
			s := x.Package + ":"
			for _, f := range x.Funcs {
				s += " " + f.Pattern
				if sets := filepath.Join(dir, "a", "a.go") + ":5"; (x.Package == "m/a") != (f.SetsProcs != "") || f.SetsProcs != "" && !strings.HasSuffix(f.SetsProcs, filepath.Join("a", "a.go")+":5") {
					t.Errorf("%s of %s sets GOMAXPROCS at %q, want %q", f.Name, x.Package, f.SetsProcs, sets)
				}
			}
			if filepath.Base(x.Dir) != filepath.Base(x.Package) {
				t.Errorf("%s is in %s", x.Package, x.Dir)
			}
			got = append(got, s)
		}
		for _, p := range problems {
			wrong = append(wrong, p.Package)
			if p.Note || p.Next == "" || strings.Contains(p.Reason, "\n") {
				t.Errorf("%s: %+v", tt.patterns, p)
			}
		}
		if strings.Join(got, "; ") != tt.targets || strings.Join(wrong, " ") != tt.problems {
			t.Errorf("%s, -bench %s: %q, problems of %q, want %q and %q", tt.patterns, tt.bench, got, wrong, tt.targets, tt.problems)
		}
	}
}
