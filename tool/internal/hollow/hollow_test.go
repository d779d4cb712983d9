package hollow

import (
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/patch"
)

// Each kind of sign is found, at its line, beside changes that look like it and have
// none.
func TestSigns(t *testing.T) {
	const tests = "package p\n\nimport \"testing\"\n\nconst size = 100\n\nfunc helper() int { return 1 }\n\nfunc TestA(t *testing.T) {\n\tif helper() != 1 {\n\t\tt.Error(1)\n\t}\n}\n\nfunc BenchmarkA(b *testing.B) {\n\tfor b.Loop() {\n\t\thelper()\n\t}\n}\n"
	in := func(s, old, new string) string {
		if !strings.Contains(s, old) {
			t.Fatalf("%q is not in %q", old, s)
		}
		return strings.Replace(s, old, new, 1)
	}
	code := func(s string) string { return "package p\n\n" + s }
	for _, tt := range []struct {
		name, file, before, after string
		want                      string // "line: kind: says", one a line; "" for none
	}{
		{"a test is removed", "p_test.go", tests, tests[:strings.Index(tests, "func TestA")] + tests[strings.Index(tests, "func BenchmarkA"):], "9: judged by: TestA is removed"},
		{"a benchmark is edited", "p_test.go", tests, in(tests, "\t\thelper()\n\t}\n}", "\t\t_ = 1\n\t}\n}"), "15: judged by: BenchmarkA is edited"},
		{"a test is skipped", "p_test.go", tests, in(tests, "\tif helper", "\tt.Skip()\n\tif helper"), "9: judged by: TestA is skipped, or in more cases than before"},
		{"a test checks less", "p_test.go", tests, in(tests, "t.Error(1)", "_ = 1"), "9: judged by: TestA checks less"},
		{"a helper", "p_test.go", tests, in(tests, "return 1", "return 2"), "7: judged by: helper, of the tests, is edited"},
		{"a size", "p_test.go", tests, in(tests, "100", "1"), "5: judged by: size, of the tests, is edited"},
		{"a new test", "p_test.go", tests, tests + "\nfunc TestB(t *testing.T) {}\n", ""},
		{"a new benchmark file", "q_test.go", "", tests, ""},
		{"words of a test file", "p_test.go", tests, in(tests, "func helper", "// helper helps.\nfunc helper"), ""},
		{"TestMain", "m_test.go", "", "package p\n\nimport \"testing\"\n\nfunc TestMain(m *testing.M) { m.Run() }\n", "5: moved: TestMain is new: what it does is done before any benchmark"},
		{"GOGC in a test", "m_test.go", "", "package p\n\nimport \"runtime/debug\"\n\nfunc f() { debug.SetGCPercent(-1) }\n", "5: settings: it sets GOGC"},

		{"GOGC", "p.go", code("func f() {}\n"), "package p\n\nimport d \"runtime/debug\"\n\nfunc f() { d.SetGCPercent(-1) }\n", "5: settings: it sets GOGC"},
		{"the memory limit", "p.go", code("func f() {}\n"), "package p\n\nimport \"runtime/debug\"\n\nfunc f() { debug.SetMemoryLimit(1 << 40) }\n", "5: settings: it sets the memory limit"},
		{"GOMAXPROCS", "p.go", code("func f() {}\n"), "package p\n\nimport \"runtime\"\n\nfunc f() { runtime.GOMAXPROCS(1) }\n", "5: settings: it sets GOMAXPROCS"},
		{"GOMAXPROCS is asked", "p.go", code("func f() {}\n"), "package p\n\nimport \"runtime\"\n\nfunc f() { runtime.GOMAXPROCS(0) }\n", ""},
		{"GOMAXPROCS as before", "p.go", "package p\n\nimport \"runtime\"\n\nfunc f() { runtime.GOMAXPROCS(1) }\n", "package p\n\nimport \"runtime\"\n\n// f sets it.\nfunc f() { runtime.GOMAXPROCS(1) }\n", ""},
		{"the environment", "p.go", code("func f() {}\n"), "package p\n\nimport \"os\"\n\nfunc f() { os.Setenv(\"GOGC\", \"off\") }\n", "5: settings: it sets GOGC"},
		{"another variable", "p.go", code("func f() {}\n"), "package p\n\nimport \"os\"\n\nfunc f() { os.Setenv(\"HOME\", \"\") }\n", ""},
		{"//go:debug", "p.go", code("func f() {}\n"), "//go:debug asyncpreemptoff=1\npackage p\n\nfunc f() {}\n", "1: settings: it sets asyncpreemptoff=1 for the whole program"},
		{"godebug in go.mod", "go.mod", "module m\n\ngo 1.22\n", "module m\n\ngo 1.22\n\ngodebug (\n\tasyncpreemptoff=1\n)\n", "6: settings: the module's godebug line is another: asyncpreemptoff=1"},
		{"the language in go.mod", "go.mod", "module m\n\ngo 1.22\n", "module m\n\ngo 1.23\n", "3: settings: the module's go line is another: go 1.23"},
		{"a requirement", "go.mod", "module m\n\ngo 1.22\n", "module m\n\ngo 1.22\n\nrequire example.com/x v1.0.0\n", ""},

		{"a constraint", "p.go", code("func f() {}\n"), "//go:build !race\n\npackage p\n\nfunc f() {}\n", "1: build: it is built only where !race"},
		{"a constraint is gone", "p.go", "//go:build !race\n\npackage p\n", "package p\n", "1: build: it is no longer built only where !race"},
		{"a platform by name", "p_linux.go", "", code("func f() {}\n"), "1: build: by its name it is built for linux alone"},
		{"a name with a line", "fast_path.go", "", code("func f() {}\n"), ""},

		{"under test", "p.go", code("func f() {}\n"), "package p\n\nimport \"testing\"\n\nfunc f() bool { return testing.Testing() }\n", "5: asks: it asks whether it is under test"},
		{"by a flag", "p.go", code("func f() {}\n"), "package p\n\nimport \"flag\"\n\nfunc f() bool { return flag.Lookup(\"test.bench\") != nil }\n", "5: asks: it asks whether it is under test"},
		{"who calls", "p.go", code("func f() {}\n"), "package p\n\nimport \"runtime\"\n\nfunc f() { runtime.Caller(1) }\n", "5: asks: it asks which function calls"},

		{"recover", "p.go", code("func f() {}\n"), code("func f() {\n\tdefer func() { recover() }()\n}\n"), "4: swallows: recover ends a panic here, and nothing panics again"},
		{"it panics again", "p.go", code("func f() {}\n"), code("func f() {\n\tdefer func() {\n\t\tif e := recover(); e != nil {\n\t\t\tpanic(e)\n\t\t}\n\t}()\n}\n"), ""},

		{"sync.Once", "p.go", code("func f() {}\n"), "package p\n\nimport \"sync\"\n\nvar o sync.Once\n\nfunc f() { o.Do(func() {}) }\n", "5: moved: what sync.Once guards is done once: the later operations of a benchmark do not pay it"},
		{"OnceValue", "p.go", code("func f() {}\n"), "package p\n\nimport \"sync\"\n\nfunc g() int { return 1 }\n\nvar f = sync.OnceValue(g)\n", "7: moved: the value of f is computed before any benchmark\n7: moved: what it does is done once: the later operations of a benchmark do not pay it"},
		{"init", "p.go", code("func f() {}\n"), code("func f() {}\n\nfunc init() { f() }\n"), "5: moved: init is another: what it does is done before any benchmark"},
		{"a table", "p.go", code("func f() int { return 1 }\n"), code("var t = f()\n\nfunc f() int { return 1 }\n"), "3: moved: the value of t is computed before any benchmark"},
		{"a table by a literal", "p.go", code("func f() {}\n"), code("var t = func() []int { return make([]int, 9) }()\n\nfunc f() {}\n"), "3: moved: the value of t is computed before any benchmark"},
		{"an error", "p.go", code("func f() {}\n"), "package p\n\nimport \"errors\"\n\nvar ErrX = errors.New(\"x\")\n", ""},
		{"a function", "p.go", code("func f() {}\n"), code("var g = func() int { return h() }\n\nfunc h() int { return 1 }\n"), ""},
		{"a cache", "p.go", code("func f(n int) int { return n }\n"), code("var known = map[int]int{}\n\nfunc f(n int) int {\n\tknown[n] = n\n\treturn known[n]\n}\n"), "3: keeps: known keeps what one call leaves there for the next"},
		{"a cache by methods", "p.go", code("func f(n int) int { return n }\n"), "package p\n\nimport \"sync\"\n\nvar known sync.Map\n\nfunc f(n int) { known.Store(n, n) }\n", "5: keeps: known keeps what one call leaves there for the next"},
		{"a pool", "p.go", code("func f(n int) int { return n }\n"), "package p\n\nimport \"sync\"\n\nvar known sync.Pool\n\nfunc f(n int) { known.Put(n) }\n", ""},
		{"a local of that name", "p.go", code("func f(n int) int { return n }\n"), code("var table = []int{1, 2}\n\nfunc f(n int) int { return table[n] }\n"), ""},

		{"does not parse", "p.go", code("func f() {}\n"), "package p\n\nfunc", ""},
		{"no Go", "p.s", "", "runtime.GOMAXPROCS(1)\n", ""},
	} {
		c := patch.Change{File: "/src/" + tt.file, Before: tt.before, After: tt.after, New: tt.before == ""}
		var got []string
		for _, s := range Signs([]patch.Change{c}) {
			got = append(got, s.String())
		}
		if text := strings.Join(got, "\n"); text != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, text, tt.want)
		}
	}
}

// What is taken away has no sign of its own, and a test that moves to another file of
// the folder is not removed.
func TestSignsOfMoves(t *testing.T) {
	const a = "package p\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n"
	gone := patch.Change{File: "/src/a_test.go", Before: a, Gone: true}
	for _, tt := range []struct {
		name string
		new  patch.Change
		want int
	}{
		{"to a file of the folder", patch.Change{File: "/src/b_test.go", After: a, New: true}, 0},
		{"to another folder", patch.Change{File: "/src/q/b_test.go", After: a, New: true}, 1},
	} {
		if got := Signs([]patch.Change{gone, tt.new}); len(got) != tt.want {
			t.Errorf("%s: %v, want %d signs", tt.name, got, tt.want)
		}
	}
	once := patch.Change{File: "/src/p.go", Before: "package p\n\nimport \"runtime\"\n\nfunc init() { runtime.GOMAXPROCS(1) }\n", After: "package p\n"}
	if got := Signs([]patch.Change{once}); len(got) > 0 {
		t.Errorf("an init that goes: %v, want none", got)
	}
	// A variable in one file, written in another.
	both := []patch.Change{
		{File: "/src/v.go", After: "package p\n\nvar last int\n", New: true},
		{File: "/src/p.go", Before: "package p\n\nfunc f(n int) {}\n", After: "package p\n\nfunc f(n int) { last = n }\n"},
	}
	if got := Signs(both); len(got) != 1 || got[0].Kind != Keeps || !slices.ContainsFunc(both, func(c patch.Change) bool { return c.File == got[0].File && c.New }) {
		t.Errorf("%v, want that last keeps what a call leaves", got)
	}
}
