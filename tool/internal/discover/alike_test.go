package discover

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sourceOf reads a package of one test file.
func sourceOf(t *testing.T, code string) []Func {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x_test.go")
	if err := os.WriteFile(file, []byte("package x\n"+code), 0o644); err != nil {
		t.Fatal(err)
	}
	calls := newCallGraph("x")
	funcs, err := benchmarks(file, calls)
	if err != nil {
		t.Fatal(err)
	}
	src := &source{path: "x", fset: calls.fset, files: calls.files}
	for i := range funcs {
		funcs[i].source = src
		funcs[i].addStarts(calls)
	}
	return funcs
}

// fixture is what the programs below use.
const fixture = `
var in, small []int

const size = 64

func inputs(n int) []int { return make([]int, n) }
func sum(xs []int) int { return 0 }
func max(xs []int) int { return 0 }
func encode(xs []int) string { return "" }
func encodePooled(xs []int, f func(string)) { pool.Get() }
func encodeTo(xs []int, f func(string)) { pool.Get() }
func order[T any](xs []T) { }
func orderForked[E any](xs []E) { go order(xs) }
func forked(xs []int, n int) int { done := make(chan int); go func() { done <- 1 }(); return <-done }
func forkedMax(xs []int, n int) int { return forked(xs, n) }
func pooled(xs []int) int { p := pool.Get().([]int); pool.Put(p); return len(p) }

var pool = sync.Pool{New: func() any { return in }}

type set interface { add(int); has(int) bool }
type plainSet struct{ m map[int]bool }
func (s *plainSet) add(i int) {}
func (s *plainSet) has(i int) bool { return false }
func (s *plainSet) each(f func(int)) {}
type lockedSet struct{ mu sync.Mutex }
func (s *lockedSet) add(i int) { s.mu.Lock() }
func (s *lockedSet) has(i int) bool { s.mu.Lock(); return false }
type atomicSet struct{ n atomic.Int64 }
func (s *atomicSet) add(i int) { s.n.Store(1) }
func (s *atomicSet) has(i int) bool { return s.n.Load() > 0 }
func newAtomic() *atomicSet { return new(atomicSet) }
type world struct{}
func (w *world) step() {}
func (w *world) stepRows() { go w.step() }
func (w *world) alive() int { go w.step(); return 0 }

func loop(b *testing.B, f func([]int) int) { xs := inputs(size); for b.Loop() { f(xs) } }
func adds(b *testing.B, s set) { b.RunParallel(func(pb *testing.PB) { for pb.Next() { s.add(1) } }) }
`

// TestAlikeFunctions: benchmarks whose code agrees but for what is called, or for the type
// whose methods are, do one job.
func TestAlikeFunctions(t *testing.T) {
	for _, tt := range []struct{ what, code, want string }{
		{"one starts goroutines", `
func BenchmarkLine(b *testing.B) { for b.Loop() { sum(in) } }
func BenchmarkFork(b *testing.B) { for b.Loop() { forked(in, 4) } }`, "Line<Fork"},
		{"through a helper", `
func BenchmarkLine(b *testing.B) { loop(b, sum) }
func BenchmarkTank(b *testing.B) { loop(b, pooled) }
func BenchmarkFork(b *testing.B) { loop(b, func(xs []int) int { return forked(xs, 2) }) }`, "Line<Tank,Fork"},
		{"at several counts", `
func BenchmarkLine(b *testing.B) { for b.Loop() { sum(in) } }
func BenchmarkFork(b *testing.B) { for _, n := range []int{1, 8} { b.Run(fmt.Sprintf("workers=%d", n), func(b *testing.B) { for b.Loop() { forked(in, n) } }) } }`, "Line<Fork/workers=1,Fork/workers=8"},
		{"names tell jobs apart", `
func BenchmarkSum(b *testing.B) { for b.Loop() { sum(in) } }
func BenchmarkMax(b *testing.B) { for b.Loop() { max(in) } }
func BenchmarkMaxFork(b *testing.B) { for b.Loop() { forkedMax(in, 2) } }
func BenchmarkSumFork(b *testing.B) { for b.Loop() { forked(in, 2) } }`, "Sum<SumFork Max<MaxFork"},
		{"another result", `
func BenchmarkText(b *testing.B) { for b.Loop() { encode(in) } }
func BenchmarkFork(b *testing.B) { for b.Loop() { forked(in, 2) } }`, "Text Fork"},
		{"another input", `
func BenchmarkLine(b *testing.B) { for b.Loop() { sum(small) } }
func BenchmarkFork(b *testing.B) { for b.Loop() { forked(in, 2) } }`, "Line Fork"},
		{"no goroutine, no lock, no pool", `
func BenchmarkSum(b *testing.B) { for b.Loop() { sum(in) } }
func BenchmarkMax(b *testing.B) { for b.Loop() { max(in) } }`, "Sum Max"},
		{"a part of the other", `
func BenchmarkFork(b *testing.B) { xs := inputs(size); for b.Loop() { forked(xs, 4) } }
func BenchmarkAlloc(b *testing.B) { for b.Loop() { inputs(4) } }`, "Fork Alloc"},
		{"types with one method", `
func BenchmarkSafeAdd(b *testing.B) { var s lockedSet; for b.Loop() { s.add(size) } }
func BenchmarkAdd(b *testing.B) { var s plainSet; for b.Loop() { s.add(size) } }
func BenchmarkSafeHas(b *testing.B) { var s lockedSet; for b.Loop() { s.has(size) } }
func BenchmarkHas(b *testing.B) { var s plainSet; for b.Loop() { s.has(size) } }`, "Add<SafeAdd Has<SafeHas"},
		{"a lock before atomics", `
func BenchmarkAtomicAdd(b *testing.B) { adds(b, newAtomic()) }
func BenchmarkMutexAdd(b *testing.B) { adds(b, new(lockedSet)) }`, "MutexAdd<AtomicAdd"},
		{"two methods of one type", `
func BenchmarkStep(b *testing.B) { var w world; for b.Loop() { w.step() } }
func BenchmarkStepRows(b *testing.B) { var w world; for b.Loop() { w.stepRows() } }
func BenchmarkAlive(b *testing.B) { var w world; for b.Loop() { w.alive() } }`, "Step<StepRows Alive"},
		{"what a result is kept in is no input", `
var kept int
func BenchmarkLine(b *testing.B) { for b.Loop() { kept = sum(in) } }
func BenchmarkFork(b *testing.B) { for b.Loop() { forked(in, 4) } }`, "Line<Fork"},
		{"versions", `
func sumV1(xs []int) int { return 0 }
func sumV2(xs []int) int { return 0 }
func BenchmarkSumV1(b *testing.B) { for b.Loop() { sumV1(in) } }
func BenchmarkSumV2(b *testing.B) { for b.Loop() { sumV2(in) } }`, "SumV1<SumV2"},
		{"sizes", `
func BenchmarkSum1(b *testing.B) { for b.Loop() { sum(in[:1]) } }
func BenchmarkForkSum2(b *testing.B) { for b.Loop() { forked(in[:2], 2) } }`, "Sum1 ForkSum2"},
		{"what was", `
func BenchmarkOldMax(b *testing.B) { for b.Loop() { sum(in) } }
func BenchmarkNewMax(b *testing.B) { for b.Loop() { max(in) } }`, "OldMax<NewMax"},
		{"alone", `
func BenchmarkTricky(b *testing.B) { for b.Loop() { max(in) } }
func BenchmarkAlone(b *testing.B) { for b.Loop() { sum(in) } }`, "Alone<Tricky"},
		{"line by line", `
func BenchmarkTricky(b *testing.B) { for b.Loop() { max(in) } }
func BenchmarkLineByLine(b *testing.B) { for b.Loop() { sum(in) } }`, "LineByLine<Tricky"},
		{"a channel or a type of one's own", `
type ring struct{ n atomic.Int64 }
func newRing(n int) *ring { return new(ring) }
func (r *ring) push(int) { r.n.Store(1) }
func (r *ring) pop() int { return int(r.n.Load()) }
func BenchmarkRing(b *testing.B) { for b.Loop() { r := newRing(8); go func() { for i := range size { r.push(i) } }(); for range size { r.pop() } } }
func BenchmarkChan(b *testing.B) { for b.Loop() { c := make(chan int, 8); go func() { for i := range size { c <- i } }(); for range size { <-c } } }`, "Chan<Ring"},
		{"in line", `
func BenchmarkCountAtomic(b *testing.B) { var n atomic.Int64; b.RunParallel(func(pb *testing.PB) { for pb.Next() { n.Add(1) } }) }
func BenchmarkCountMutex(b *testing.B) { var mu sync.Mutex; n := 0; b.RunParallel(func(pb *testing.PB) { for pb.Next() { mu.Lock(); n++; mu.Unlock() } }) }`, "CountMutex<CountAtomic"},
		{"cases told by words, of other sizes", `
func BenchmarkLine_Tiny(b *testing.B) { xs := inputs(16); for b.Loop() { sum(xs) } }
func BenchmarkLine_Page(b *testing.B) { xs := inputs(600); for b.Loop() { sum(xs) } }
func BenchmarkFork_Tiny(b *testing.B) { xs := inputs(16); for b.Loop() { forked(xs, 2) } }
func BenchmarkFork_Page(b *testing.B) { xs := inputs(600); for b.Loop() { forked(xs, 2) } }`, "Line_Tiny<Fork_Tiny Line_Page<Fork_Page"},
		{"a size, and another number", `
func BenchmarkSum256(b *testing.B) { xs := inputs(256); for b.Loop() { sum(xs) } }
func BenchmarkSum1024(b *testing.B) { xs := inputs(1024); for b.Loop() { sum(xs) } }
func BenchmarkSum256_2P(b *testing.B) { xs := inputs(256); for b.Loop() { forked(xs, 2) } }
func BenchmarkSum1024_2P(b *testing.B) { xs := inputs(1024); for b.Loop() { forked(xs, 2) } }`, "Sum256<Sum256_2P Sum1024<Sum1024_2P"},
		{"code that does not show what names say", `
func both() (set, set) { return new(lockedSet), newAtomic() }
func BenchmarkMutexAdd(b *testing.B) { s, _ := both(); adds(b, s) }
func BenchmarkAtomicAdd(b *testing.B) { _, s := both(); adds(b, s) }`, "MutexAdd<AtomicAdd"},
		{"a result of a parameter's type", `
type memo[T any] struct{ mu sync.Mutex; f func([]int) T }
func (m *memo[T]) get(xs []int) T { m.mu.Lock(); return m.f(xs) }
func BenchmarkSumDirect(b *testing.B) { loop(b, sum) }
func BenchmarkSumMemo(b *testing.B) { m := &memo[int]{f: sum}; loop(b, m.get) }`, "SumDirect<SumMemo"},
		{"without a pool", `
func BenchmarkSumPool(b *testing.B) { for b.Loop() { pooled(in) } }
func BenchmarkSumNoPool(b *testing.B) { for b.Loop() { sum(in) } }`, "SumNoPool<SumPool"},
		{"the same in parallel", `
func BenchmarkSum(b *testing.B) { for b.Loop() { sum(in) } }
func BenchmarkAll(b *testing.B) { b.RunParallel(func(pb *testing.PB) { for pb.Next() { sum(in) } }) }`, "Sum All"},
		{"few of many", `
func BenchmarkLine(b *testing.B) { for b.Loop() { sum(in) } }
func BenchmarkFork(b *testing.B) { for b.Loop() { forked(in, 4) } }
func BenchmarkText(b *testing.B) { for b.Loop() { encode(in) } }
func BenchmarkTextAgain(b *testing.B) { for b.Loop() { encode(small) } }
func BenchmarkTextOnce(b *testing.B) { for b.Loop() { encode(small[:1]) } }`, "Line Fork Text TextAgain TextOnce"},
	} {
		funcs := sourceOf(t, fixture+tt.code)
		var names []string
		for _, f := range funcs {
			if f.runs {
				names = append(names, f.Name+"/workers=1", f.Name+"/workers=8")
			} else {
				names = append(names, f.Name)
			}
		}
		families, problems := Pair("x", names, Hints{Funcs: funcs})
		if got := draw(families); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.what, got, tt.want)
		}
		for _, p := range problems {
			if !p.Note || !strings.Contains(p.Next, "-base ") {
				t.Errorf("%s: %+v, want a note with -base", tt.what, p)
			}
		}
	}
}

// TestAlikeRows: sub-benchmarks are told apart by elements of a table, cases and literals.
func TestAlikeRows(t *testing.T) {
	for _, tt := range []struct{ what, code, names, want string }{
		{"functions in a table", `
func BenchmarkX(b *testing.B) {
	for _, c := range []struct{ name string; f func([]int) int }{{"tank", pooled}, {"line", sum}, {"other", max}} {
		b.Run(c.name, func(b *testing.B) { for b.Loop() { c.f(in) } })
	}
}`, "X/tank X/line X/other", "X/line<X/tank,X/other"},
		{"types in a table, at several counts", `
func BenchmarkX(b *testing.B) {
	for _, n := range []int{1, 4} {
		for _, c := range []struct{ name string; make func() set }{{"locked", func() set { return new(lockedSet) }}, {"own", func() set { return newAtomic() }}} {
			b.Run(fmt.Sprintf("impl=%s/goroutines=%d", c.name, n), func(b *testing.B) { s := c.make(); for b.Loop() { s.add(n) } })
		}
	}
}`, "X/impl=locked/goroutines=1 X/impl=own/goroutines=1 X/impl=locked/goroutines=4 X/impl=own/goroutines=4", "X/impl=locked/goroutines=1<X/impl=own/goroutines=1 X/impl=locked/goroutines=4<X/impl=own/goroutines=4"},
		{"a map, and cases", `
func sets() map[string]set { return map[string]set{"fresh": new(plainSet), "own": newAtomic()} }
func BenchmarkX(b *testing.B) {
	for _, name := range []string{"fresh", "own"} {
		s := sets()[name]
		for _, c := range []struct{ name string; xs []int }{{"short", in[:1]}, {"long", in}} {
			b.Run(name+"/"+c.name, func(b *testing.B) { for b.Loop() { s.add(len(c.xs)) } })
		}
	}
}`, "X/fresh/short X/fresh/long X/own/short X/own/long", "X/fresh/short<X/own/short X/fresh/long<X/own/long"},
		{"another result, and a name that says how", `
func BenchmarkEncode(b *testing.B) { b.Run("New", func(b *testing.B) { for b.Loop() { encode(in) } }); b.Run("Tank", func(b *testing.B) { for b.Loop() { encodePooled(in, nil) } }) }`, "Encode/New Encode/Tank", "Encode/New<Encode/Tank"},
		{"another result, and a name that does not", `
func BenchmarkEncode(b *testing.B) { b.Run("New", func(b *testing.B) { for b.Loop() { encode(in) } }); b.Run("Tank", func(b *testing.B) { for b.Loop() { encodeTo(in, nil) } }) }`, "Encode/New Encode/Tank", "Encode/New Encode/Tank"},
		{"slices of two type parameters", `
func BenchmarkOrder(b *testing.B) { for _, x := range []struct{ name string; f func([]int) }{{"line", order[int]}, {"fork", orderForked[int]}} { b.Run(x.name, func(b *testing.B) { for b.Loop() { x.f(in) } }) } }`, "Order/line Order/fork", "Order/line<Order/fork"},
		{"cases alone", `
func BenchmarkX(b *testing.B) {
	for _, c := range []struct{ name string; xs []int }{{"short", inputs(1)}, {"long", inputs(size)}} {
		b.Run(c.name, func(b *testing.B) { for b.Loop() { forked(c.xs, 2) } })
	}
}`, "X/short X/long", "X/short X/long"},
		{"a switch", `
func BenchmarkX(b *testing.B) {
	for _, kind := range []string{"line", "fork"} {
		b.Run(kind, func(b *testing.B) {
			for b.Loop() { switch kind { case "line": sum(in); case "fork": forked(in, 2) } }
		})
	}
}`, "X/fork X/line", "X/line<X/fork"},
		{"literals", `
func BenchmarkX(b *testing.B) {
	for _, n := range []int{10, 20} {
		b.Run(fmt.Sprintf("n=%d/line", n), func(b *testing.B) { for b.Loop() { sum(in[:n]) } })
		b.Run(fmt.Sprintf("n=%d/fork", n), func(b *testing.B) { for b.Loop() { forked(in[:n], 2) } })
		b.Run(fmt.Sprintf("n=%d/text", n), func(b *testing.B) { for b.Loop() { encode(in[:n]) } })
	}
}`, "X/n=10/line X/n=10/fork X/n=10/text X/n=20/line X/n=20/fork X/n=20/text", "X/n=10/line<X/n=10/fork X/n=10/text X/n=20/line<X/n=20/fork X/n=20/text"},
		{"a helper that takes the name", `
func BenchmarkX(b *testing.B) {
	run := func(name string, f func([]int) int) { b.Run(name, func(b *testing.B) { for b.Loop() { f(in) } }) }
	run("fork", func(xs []int) int { return forked(xs, 2) })
	run("line", sum)
}`, "X/fork X/line", "X/line<X/fork"},
		{"words that say how", `
type sim struct{ workers int }
func newSim(n int) *sim { return &sim{n} }
func (s *sim) step() { for range s.workers { go sum(in) } }
func BenchmarkX(b *testing.B) {
	b.Run("parallel", func(b *testing.B) { s := newSim(4); for b.Loop() { s.step() } })
	b.Run("inline", func(b *testing.B) { s := &sim{}; for b.Loop() { s.step() } })
}`, "X/parallel X/inline", "X/inline<X/parallel"},
		{"a number of workers alone", `
func BenchmarkLine(b *testing.B) { for b.Loop() { sum(in) } }
func BenchmarkFork(b *testing.B) { for _, n := range []int{1, 2} { b.Run(fmt.Sprint(n), func(b *testing.B) { for b.Loop() { forked(in, n) } }) } }`, "Line Fork/1 Fork/2", "Line<Fork/1,Fork/2"},
		{"sizes in the same element", `
func BenchmarkX(b *testing.B) {
	for _, n := range []int{8, 16} {
		for name, f := range map[string]func([]int) int{"line": sum, "tank": pooled} {
			b.Run(fmt.Sprintf("%s-%d", name, n), func(b *testing.B) { for b.Loop() { f(in[:n]) } })
		}
	}
}`, "X/tank-8 X/line-8 X/line-16 X/tank-16", "X/line-8<X/tank-8 X/line-16<X/tank-16"},
		{"of several elements the one that starts goroutines", `
func BenchmarkX(b *testing.B) {
	for _, c := range []struct{ name string; s set }{{"own", newAtomic()}, {"locked", new(lockedSet)}} {
		b.Run(c.name, func(b *testing.B) {
			b.Run("line", func(b *testing.B) { for b.Loop() { c.s.add(1) } })
			b.Run("fork", func(b *testing.B) { for b.Loop() { go c.s.add(1) } })
		})
	}
}`, "X/own/line X/own/fork X/locked/line X/locked/fork", "X/own/line<X/own/fork X/locked/line<X/locked/fork"},
	} {
		var names []string
		for n := range strings.FieldsSeq(tt.names) {
			names = append(names, "Benchmark"+n)
		}
		if got := draw(Families(names, Hints{Funcs: sourceOf(t, fixture+tt.code)})); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.what, got, tt.want)
		}
	}
}

// TestQuiet: words of concurrency tell nothing of what is known to start no goroutine and
// to share nothing.
func TestQuiet(t *testing.T) {
	const lines = `
func cross(a, b int) bool { return a != b }
func BenchmarkLines(b *testing.B) { for b.Loop() { cross(1, 2) } }
func BenchmarkLinesParallel(b *testing.B) { for b.Loop() { cross(1, 1) } }
func BenchmarkLinesAcross(b *testing.B) { for b.Loop() { cross(2, 1) } }`
	const serial = `
func parse(s string) int { return len(s) }
func BenchmarkParseSerial(b *testing.B) { for b.Loop() { parse("P-1") } }
func BenchmarkParseBatch(b *testing.B) { for b.Loop() { parse("B-1") } }`
	const naive = `
func BenchmarkFindNaive(b *testing.B) { for b.Loop() { naive("x") } }
func BenchmarkFindIndexed(b *testing.B) { for b.Loop() { indexed("y", 1) } }
func naive(s string) []int { return nil }
func indexed(s string, n int) bool { return true }`
	for _, tt := range []struct{ what, code, want string }{
		{"a word of geometry", lines, "Lines LinesParallel LinesAcross"},
		{"a number", serial, "ParseSerial ParseBatch"},
		{"both names say it", strings.ReplaceAll(lines, "Lines(", "LinesSerial("), "LinesSerial<LinesParallel LinesAcross"},
		{"nor does a number before a word", strings.NewReplacer("LinesParallel", "1Reader", "LinesAcross", "4Readers").Replace(lines), "Lines 1Reader 4Readers"},
		{"but it does where they share", strings.NewReplacer("LinesParallel", "1Reader", "LinesAcross", "4Readers", "a != b }", "mu.Lock(); return a != b }\nvar mu sync.Mutex").Replace(lines), "Lines 1Reader<4Readers"},
		{"what is naive is so without goroutines", naive, "FindNaive<FindIndexed"},
		{"others may start some", "\nimport \"example.com/geo\"\n" + lines, "Lines<LinesParallel LinesAcross"},
		{"so may others of a module without a dot", "\nimport \"geo/fast\"\n" + lines, "Lines<LinesParallel LinesAcross"},
		{"and C", "\nimport \"C\"\n" + lines, "Lines<LinesParallel LinesAcross"},
		{"the standard library starts none", "\nimport \"math/big\"\n" + lines, "Lines LinesParallel LinesAcross"},
		{"it starts some", strings.Replace(lines, "cross(1, 1)", "go cross(1, 1)", 1), "Lines<LinesParallel LinesAcross"},
		{"it runs at once", strings.Replace(lines, "for b.Loop() { cross(1, 1) }", "b.RunParallel(func(pb *testing.PB) { for pb.Next() { cross(1, 1) } })", 1), "Lines<LinesParallel LinesAcross"},
		{"it shares", strings.Replace(lines, "a != b }", "mu.Lock(); return a != b }\nvar mu sync.Mutex", 1), "Lines<LinesParallel LinesAcross"},
	} {
		funcs := sourceOf(t, tt.code)
		var names []string
		for _, f := range funcs {
			names = append(names, f.Name)
		}
		if got := draw(Families(names, Hints{Funcs: funcs})); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.what, got, tt.want)
		}
	}
}

// TestAlikeOutside: an external test names the package that it tests.
func TestAlikeOutside(t *testing.T) {
	dir := t.TempDir()
	calls := newCallGraph("x")
	for name, code := range map[string]string{"x.go": "package x\n" + strings.NewReplacer("sum", "Sum", "forked", "Forked").Replace(fixture), "x_test.go": `package x_test

import (
	"testing"

	"m/x"
)

var in []int

func BenchmarkFork(b *testing.B) { for b.Loop() { x.Forked(in, 2) } }
func BenchmarkLine(b *testing.B) { for b.Loop() { x.Sum(in) } }
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(code), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	funcs, err := benchmarks(filepath.Join(dir, "x_test.go"), calls)
	if err != nil {
		t.Fatal(err)
	}
	calls.addFile(filepath.Join(dir, "x.go"))
	src := &source{path: "m/x", fset: calls.fset, files: calls.files}
	for i := range funcs {
		funcs[i].source = src
	}
	if got := draw(Families([]string{"BenchmarkFork", "BenchmarkLine"}, Hints{Funcs: funcs})); got != "Line<Fork" {
		t.Error(got)
	}
}

// TestAlikeSeen: what is of other packages is told by whether it was seen to start
// goroutines.
func TestAlikeSeen(t *testing.T) {
	funcs := sourceOf(t, fixture+`
func BenchmarkQuick(b *testing.B) { for b.Loop() { other.Quick(in) } }
func BenchmarkLine(b *testing.B) { for b.Loop() { other.Line(in) } }`)
	names := []string{"BenchmarkQuick", "BenchmarkLine"}
	if got := draw(Families(names, Hints{Funcs: funcs})); got != "Quick Line" {
		t.Errorf("not seen: %s", got)
	}
	if got := draw(Families(names, Hints{Funcs: funcs, Starts: map[string]bool{"BenchmarkQuick": true}})); got != "Line<Quick" {
		t.Errorf("seen: %s", got)
	}
}
