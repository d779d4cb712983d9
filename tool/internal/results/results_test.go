package results_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/gocmd/gocmdtest"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/results"
)

// A watched is a function in two forms, what the test and the benchmark do with it, and
// what is to be said of it.
type watched struct {
	old, new    string
	test, bench string
	// differs, perhaps and left begin what is said of it, "" if that is not said.
	differs, perhaps, left string
}

var functions = map[string]watched{
	"Evens": { // a boundary that the test does not see
		old:  "func Evens(xs []int) (n int) {\n\tfor i := 0; i < len(xs); i++ {\n\t\tif xs[i]%2 == 0 {\n\t\t\tn++\n\t\t}\n\t}\n\treturn n\n}",
		new:  "func Evens(xs []int) (n int) {\n\tfor i := 0; i < len(xs)&^1; i++ {\n\t\tif xs[i]%2 == 0 {\n\t\t\tn++\n\t\t}\n\t}\n\treturn n\n}",
		test: "if Evens([]int{1, 2, 3, 4}) != 2 {\n\t\tt.Error(1)\n\t}", bench: "Evens(make([]int, 1001))",
		differs: "p.Evens([0 0 0 0 0 0 0 0 0 0 0 0 … 1001 in all]): was: 1001; is: 1000",
	},
	"Twice": { // the order is another
		old:  "func Twice(xs []int) (out []int) {\n\tfor _, x := range xs {\n\t\tout = append(out, 2*x)\n\t}\n\treturn out\n}",
		new:  "func Twice(xs []int) (out []int) {\n\tfor i := range xs {\n\t\tout = append(out, 2*xs[len(xs)-1-i])\n\t}\n\treturn out\n}",
		test: "Twice([]int{1, 2})", differs: "p.Twice([1 2]): was: [2 4]; is: [4 2]",
	},
	"Count": { // updates are lost
		old:  "func Count(n int) int {\n\tvar mu sync.Mutex\n\tc := 0\n\tvar wg sync.WaitGroup\n\tfor i := 0; i < n; i++ {\n\t\twg.Add(1)\n\t\tgo func() {\n\t\t\tdefer wg.Done()\n\t\t\tmu.Lock()\n\t\t\tc++\n\t\t\tmu.Unlock()\n\t\t}()\n\t}\n\twg.Wait()\n\treturn c\n}",
		new:  "func Count(n int) int {\n\tvar c atomic.Int64\n\tvar wg sync.WaitGroup\n\tfor i := 0; i < n; i++ {\n\t\twg.Add(1)\n\t\tgo func() {\n\t\t\tdefer wg.Done()\n\t\t\tx := c.Load()\n\t\t\truntime.Gosched()\n\t\t\tc.Store(x + 1)\n\t\t}()\n\t}\n\twg.Wait()\n\treturn int(c.Load())\n}",
		test: "Count(50)", differs: "p.Count(50): was: 50; is: ",
	},
	"Fill": { // what it is given is left as something else
		old:  "func Fill(dst []int) {\n\tfor i := range dst {\n\t\tdst[i] = i\n\t}\n}",
		new:  "func Fill(dst []int) {\n\tfor i := range dst[1:] {\n\t\tdst[i] = i\n\t}\n}",
		test: "Fill(make([]int, 3))", differs: "p.Fill([0 0 0]) leaves: was: [0 1 2]; is: [0 1 0]",
	},
	"At": { // one form panics
		old:  "func At(xs []int, i int) int {\n\tif i < len(xs) {\n\t\treturn xs[i]\n\t}\n\treturn 0\n}",
		new:  "func At(xs []int, i int) int {\n\tif i <= len(xs) {\n\t\treturn xs[i]\n\t}\n\treturn 0\n}",
		test: "func() {\n\t\tdefer func() { recover() }()\n\t\tAt([]int{5}, 1)\n\t}()", differs: "p.At([5], 1): was: 0; is: it panics",
	},
	"Check": { // an error is another
		old:  "func Check(n int) error {\n\tif n < 0 {\n\t\treturn errors.New(\"below 0\")\n\t}\n\treturn nil\n}",
		new:  "func Check(n int) error {\n\tif n < 0 {\n\t\treturn errors.New(\"negative\")\n\t}\n\treturn nil\n}",
		test: "Check(-1)", differs: `p.Check(-1): was: error "below 0"; is: error "negative"`,
	},
	"Mean": { // no number is no number
		old:  "func Mean(xs []float64) float64 {\n\ts := 0.0\n\tfor _, x := range xs {\n\t\ts += x\n\t}\n\treturn s / float64(len(xs))\n}",
		new:  "func Mean(xs []float64) (s float64) {\n\tfor _, x := range xs {\n\t\ts += x\n\t}\n\treturn s / float64(len(xs))\n}",
		test: "Mean(nil)",
	},
	"Zero": { // the sign of zero
		old: "func Zero(x float64) float64 { return x * 0 }", new: "func Zero(x float64) float64 { return 0 }",
		test: "Zero(-1)", differs: "p.Zero(-1): was: -0; is: 0",
	},
	"Any": { // left to chance
		old:  "func Any(m map[int]int) int {\n\tfor k := range m {\n\t\treturn k\n\t}\n\treturn 0\n}",
		new:  "func Any(m map[int]int) int {\n\tfor k, v := range m {\n\t\treturn k + 0*v\n\t}\n\treturn 0\n}",
		test: "for i := 0; i < 50; i++ {\n\t\tAny(map[int]int{1: 1, 2: 2, 3: 3, 4: 4})\n\t}", left: "p.Any: the code as it is does not come to the same each time",
	},
	"Values": { // in an order left to chance, one is missing
		old:  "func Values(m map[int]int) (out []int) {\n\tfor _, v := range m {\n\t\tout = append(out, v)\n\t}\n\treturn out\n}",
		new:  "func Values(m map[int]int) (out []int) {\n\tfor k, v := range m {\n\t\tif k != 8 {\n\t\t\tout = append(out, v)\n\t\t}\n\t}\n\treturn out\n}",
		test: "for i := 0; i < 20; i++ {\n\t\tValues(map[int]int{1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8})\n\t}", differs: "p.Values(map[1:1 2:2 3:3 4:4 5:5 6:6 7:7 8:8]): was: [",
	},
	"Stack.Pop": { // the receiver is left as something else
		old:  "type Stack struct{ xs []int }\n\nfunc (s *Stack) Pop() int {\n\tx := s.xs[len(s.xs)-1]\n\ts.xs = s.xs[:len(s.xs)-1]\n\treturn x\n}",
		new:  "type Stack struct{ xs []int }\n\nfunc (s *Stack) Pop() int {\n\treturn s.xs[len(s.xs)-1]\n}",
		test: "(&Stack{[]int{1, 2}}).Pop()", differs: "p.Stack.Pop(&{xs:[1 2]}) leaves: was: &{xs:[1]}; is: &{xs:[1 2]}",
	},
	"Meter.Add": { // by several goroutines at once
		old:  "type Meter struct {\n\tmu sync.Mutex\n\tn  int\n}\n\nfunc (m *Meter) Add(n int) int {\n\tm.mu.Lock()\n\tdefer m.mu.Unlock()\n\tm.n += n\n\treturn m.n\n}",
		new:  "type Meter struct {\n\tmu sync.Mutex\n\tn  int\n}\n\nfunc (m *Meter) Add(n int) int {\n\tm.mu.Lock()\n\tm.n += n\n\tr := m.n\n\tm.mu.Unlock()\n\truntime.Gosched()\n\treturn r\n}",
		test: "var m Meter\n\tvar wg sync.WaitGroup\n\tfor i := 0; i < 8; i++ {\n\t\twg.Add(1)\n\t\tgo func() {\n\t\t\tdefer wg.Done()\n\t\t\tfor k := 0; k < 2000; k++ {\n\t\t\t\tm.Add(1)\n\t\t\t}\n\t\t}()\n\t}\n\twg.Wait()",
	},
	"Apply": { // what a function does cannot be read
		old:  "func Apply(xs []int, f func(int) int) (s int) {\n\tfor _, x := range xs {\n\t\ts += f(x)\n\t}\n\treturn s\n}",
		new:  "func Apply(xs []int, f func(int) int) (s int) {\n\tfor _, x := range xs[1:] {\n\t\ts += f(x)\n\t}\n\treturn s\n}",
		test: "Apply([]int{1, 2}, func(x int) int { return x })", perhaps: "p.Apply([1 2], a func): was: 3; is: 2 (",
	},
	"Clip": { // no test sees it
		old: "func Clip(n int) int {\n\tif n > 1_000_000 {\n\t\treturn 1_000_000\n\t}\n\treturn n\n}", new: "func Clip(n int) int {\n\tif n < 990_000 {\n\t\treturn 1\n\t}\n\treturn n\n}",
		test: "Clip(1_000_000)", perhaps: "p.Clip(",
	},
	"Sum": {
		old:  "func Sum(xs []int) (s int) {\n\tfor _, x := range xs {\n\t\ts += x\n\t}\n\treturn s\n}",
		new:  "func Sum(xs []int) (s int) {\n\tfor i := len(xs) - 1; i >= 0; i-- {\n\t\ts += xs[i]\n\t}\n\treturn s\n}",
		test: "Sum([]int{1, 2, 3})", bench: "Sum(make([]int, 100))",
	},
	"Next": { // by what it did before
		old: "var last int\n\nfunc Next() int {\n\tlast++\n\treturn last\n}", new: "var last int\n\nfunc Next() int {\n\tlast += 1\n\treturn last\n}",
		test: "Next()\n\tNext()", bench: "Next()",
	},
	"Few": { // what it uses changes
		old: "const limit = 10\n\nfunc Few(n int) bool { return n < limit }", new: "const limit = 11\n\nfunc Few(n int) bool { return n < limit }",
		test: "Few(10)", differs: "p.Few(10): was: false; is: true",
	},
	"Guard": {
		old: "func Guard() (ok bool) {\n\trecover()\n\treturn true\n}", new: "func Guard() (ok bool) {\n\treturn recover() == nil\n}",
		test: "Guard()", left: "p.Guard: it calls recover",
	},
	"Lonely": {
		old: "func Lonely() int { return 1 }", new: "func Lonely() int { return 2 }", left: "p.Lonely: no test and no benchmark calls it",
	},
	"Most": { // generic
		old:  "func Most[T int | string](xs ...T) (m T) {\n\tfor _, x := range xs {\n\t\tif x > m {\n\t\t\tm = x\n\t\t}\n\t}\n\treturn m\n}",
		new:  "func Most[T int | string](xs ...T) (m T) {\n\tfor _, x := range xs {\n\t\tif x < m {\n\t\t\tm = x\n\t\t}\n\t}\n\treturn m\n}",
		test: "Most(\"a\", \"b\")", differs: `p.Most(["a" "b"]): was: "b"; is: ""`,
	},
	"Sort": { // it calls itself, on parts, at once
		old:  "func Sort(xs []int) {\n\tsort.Ints(xs)\n}",
		new:  "func Sort(xs []int) {\n\tif len(xs) < 2 {\n\t\treturn\n\t}\n\tp := xs[0]\n\ti, j := 0, len(xs)-1\n\tfor k := 1; k <= j; {\n\t\tif xs[k] < p {\n\t\t\txs[i], xs[k] = xs[k], xs[i]\n\t\t\ti++\n\t\t\tk++\n\t\t} else {\n\t\t\txs[k], xs[j] = xs[j], xs[k]\n\t\t\tj--\n\t\t}\n\t}\n\tdone := make(chan bool)\n\tgo func() {\n\t\tSort(xs[:i])\n\t\tclose(done)\n\t}()\n\tSort(xs[i+1:])\n\t<-done\n}",
		test: "Sort([]int{3, 1, 2, 9, 4, 8, 5})", bench: "Sort([]int{6, 5, 4, 3, 2, 1})",
	},
	"Crew.Sum": { // what the edit changes is not compared, what uses it is
		old:  "type Crew struct{ n int }\n\nfunc NewCrew() *Crew { return &Crew{n: 4} }\n\nfunc (c *Crew) Sum(xs []int) (sum int) {\n\tfor i := range c.n {\n\t\tfor _, x := range xs[len(xs)*i/c.n : len(xs)*(i+1)/c.n] {\n\t\t\tsum += x\n\t\t}\n\t}\n\treturn sum\n}",
		new:  "type Crew struct{ n int }\n\nfunc NewCrew() *Crew { return &Crew{n: 8} }\n\nfunc (c *Crew) Sum(xs []int) (sum int) {\n\tfor i := range c.n {\n\t\tfor _, x := range xs[len(xs)*i/c.n : len(xs)*(i+1)/c.n] {\n\t\t\tsum += x\n\t\t}\n\t}\n\treturn sum\n}",
		test: "NewCrew().Sum([]int{1, 2, 3, 4, 5})",
	},
	"Crew.Part": { // it shows there
		old:  "func (c *Crew) Part(xs []int) int { return len(xs) / c.n }",
		new:  "func (c *Crew) Part(xs []int) int { return len(xs) / c.n }",
		test: "NewCrew().Part(make([]int, 8))", differs: "p.Crew.Part(&{n:",
	},
	"Zip": { // the process dies of it
		old: "func Zip(n int) int {\n\treturn n\n}", new: "func Zip(n int) int {\n\tdone := make(chan bool)\n\tgo func() {\n\t\tif n == 7 {\n\t\t\tpanic(n)\n\t\t}\n\t\tclose(done)\n\t}()\n\t<-done\n\treturn n\n}",
		bench: "Zip(7)", differs: "p.Zip(7): was: 7; is: the process ends: panic: 7",
	},
}

// What comes of each function is compared, and said where it is another: also where the
// tests pass.
func TestResults(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	var names []string
	for name := range functions {
		names = append(names, name)
	}
	slices.Sort(names)
	const head = "// Package p has functions.\npackage p\n\nimport (\n\t\"errors\"\n\t\"runtime\"\n\t\"sort\"\n\t\"sync\"\n\t\"sync/atomic\"\n)\n\nvar _, _, _, _, _ = errors.New, sort.Ints, runtime.Gosched, sync.NewCond, atomic.AddInt32\n"
	old, new, test := head, head, "package p\n\nimport (\n\t\"sync\"\n\t\"testing\"\n)\n\nvar _ sync.Mutex\n"
	for _, name := range names {
		f := functions[name]
		id := strings.ReplaceAll(name, ".", "")
		old += "\n" + f.old + "\n"
		new += "\n" + f.new + "\n"
		if f.test != "" {
			test += "\nfunc Test" + id + "(t *testing.T) {\n\t" + f.test + "\n}\n"
		}
		if f.bench != "" {
			test += "\nfunc Benchmark" + id + "(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\t" + f.bench + "\n\t}\n}\n"
		}
	}
	dir, tc := gocmdtest.Module(t, map[string]string{"go.mod": "module example.com/p\n\ngo 1.22\n", "p.go": old, "p_test.go": test})
	file := filepath.Join(dir, "p.go")
	plan, err := results.Make([]results.Pair{{Path: "example.com/p", Old: map[string][]byte{file: []byte(old)}, New: map[string][]byte{file: []byte(new)}, Told: []string{"NewCrew", "Crew.n"}}},
		overlay.Overlay{file: []byte(new)}, "example.com/p", dir)
	if err != nil {
		t.Fatal(err)
	}
	// Where others have the processors, a goroutine of an earlier test may still be at
	// work beside a call, which is left out then: the next run has it.
	var r *results.Result
	for range 3 {
		r, err = plan.Run(t.Context(), results.Lab{Host: &machine{tc: tc, dir: t.TempDir()}, Package: "example.com/p", Dir: dir, Name: "p", Procs: 2, Benches: []string{"Benchmark.*"}, Limit: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(r.Left, func(s string) bool {
			name, why, _ := strings.Cut(strings.TrimPrefix(s, "p."), ": ")
			return strings.HasPrefix(why, "other goroutines are at work") && functions[name].left == "" && name != "Meter.Add"
		}) {
			break
		}
	}
	all := func(what string, said []string, want func(watched) string) {
		for _, name := range names {
			var got []string
			for _, s := range said {
				if strings.HasPrefix(s, "p."+name+"(") || strings.HasPrefix(s, "p."+name+":") {
					got = append(got, s)
				}
			}
			if w := want(functions[name]); w == "" && len(got) > 0 || w != "" && (len(got) != 1 || !strings.HasPrefix(got[0], w)) {
				t.Errorf("%s, %s: %q, want %q", name, what, got, w)
			}
		}
	}
	all("differs", r.Differs, func(w watched) string { return w.differs })
	r.Left = slices.DeleteFunc(r.Left, func(s string) bool { return strings.HasPrefix(s, "p.Meter.Add: ") }) // by chance no call has another beside it
	all("left", r.Left, func(w watched) string { return w.left })
	all("perhaps", r.Perhaps, func(w watched) string { return w.perhaps })
	if few := len(functions) - 4; r.Compared < few || r.Compared > few+1 || r.Inputs < r.Compared || r.Made < 10 { // without Any, Guard, Lonely, and perhaps Meter.Add
		t.Errorf("%d functions, %d inputs, %d made, want %d functions with one each at least", r.Compared, r.Inputs, r.Made, len(functions)-4)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != old {
		t.Errorf("the file was written: %v", err)
	}
}

// A machine is a host that builds and runs one program after the other.
type machine struct {
	host.Host
	tc   *gocmd.Toolchain
	dir  string
	n    int
	runs string // folder of the package
}

func (m *machine) Build(ctx context.Context, s host.Source) (host.Binary, error) {
	m.n++
	dir := filepath.Join(m.dir, fmt.Sprint(m.n))
	if err := os.Mkdir(dir, 0o755); err != nil {
		return host.Binary{}, err
	}
	index, err := s.Change.Write(dir)
	if err != nil {
		return host.Binary{}, err
	}
	m.runs = s.Dir
	file := filepath.Join(dir, "test.exe")
	return host.Binary{ID: file}, m.tc.BuildTest(ctx, s.Package, file, index, 0)
}

func (m *machine) Run(ctx context.Context, j host.Job) (o host.Outcome, err error) {
	m.n++
	dir := filepath.Join(m.dir, fmt.Sprint(m.n))
	if err := os.Mkdir(dir, 0o755); err != nil {
		return o, err
	}
	cmd := exec.CommandContext(ctx, j.Binary, j.Args...)
	cmd.Dir = m.runs
	cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", j.Procs))
	for _, e := range j.Env {
		cmd.Env = append(cmd.Env, strings.ReplaceAll(e, host.Folder, dir))
	}
	o.Output, _ = cmd.CombinedOutput() // the exit code says more
	o.Exit = cmd.ProcessState.ExitCode()
	if i := bytes.Index(o.Output, []byte("panic: ")); i >= 0 {
		line, _, _ := bytes.Cut(o.Output[i:], []byte("\n"))
		o.Death = string(line)
	}
	data, err := os.ReadFile(filepath.Join(dir, "results"))
	o.Files = map[string][]byte{"results": data}
	return o, err
}

// Goroutines that only the changed form leaves behind are found, by the leak profile of
// the runtime or without; what was left before, and what goes on for good, is none.
func TestLeaks(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	const head = "package p\n\nimport \"sync\"\n\nvar once sync.Once\n\n"
	const (
		plain   = "func First(n int) int {\n\tc := make(chan int, n)\n\tfor i := 0; i < n; i++ {\n\t\tgo func() { c <- 1 }()\n\t}\n\treturn <-c\n}\n"
		leaks   = "func First(n int) int {\n\tc := make(chan int)\n\tfor i := 0; i < n; i++ {\n\t\tgo func() { c <- 1 }()\n\t}\n\treturn <-c\n}\n"
		other   = "func First(n int) int {\n\tm := n\n\tc := make(chan int)\n\tfor i := 0; i < m; i++ {\n\t\tgo func() { c <- 1 }()\n\t}\n\treturn <-c\n}\n"
		lasting = "func First(n int) int {\n\tonce.Do(func() { go func() { select {} }() })\n\treturn 1\n}\n"
	)
	for _, test := range []struct {
		name, old, new string
		want           string
	}{
		{"leaks", plain, leaks, "12 goroutines more are left behind by 8 iterations than by 2, at p.First.func1; it was 0"},
		{"as before", leaks, other, ""},
		{"no more", leaks, plain, ""},
		{"one for good", plain, lasting, ""},
	} {
		for _, experiment := range []string{"", "goroutineleakprofile"} {
			old, new := head+test.old, head+test.new
			dir, tc := gocmdtest.Module(t, map[string]string{"go.mod": "module example.com/p\n\ngo 1.22\n", "p.go": old,
				"p_test.go": "package p_test\n\nimport (\n\t\"testing\"\n\n\t\"example.com/p\"\n)\n\nfunc BenchmarkFirst(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tp.First(3)\n\t}\n}\n"})
			if experiment != "" {
				if test.name != "leaks" || !stress.Long() { // it compiles the standard library
					continue
				}
				t.Setenv("GOEXPERIMENT", experiment)
				if exec.Command("go", "version").Run() != nil {
					continue // it is none any more, or none yet
				}
			}
			file := filepath.Join(dir, "p.go")
			plan, err := results.Make([]results.Pair{{Path: "example.com/p", Old: map[string][]byte{file: []byte(old)}, New: map[string][]byte{file: []byte(new)}}},
				overlay.Overlay{file: []byte(new)}, "example.com/p", dir)
			if err != nil {
				t.Fatal(err)
			}
			r, err := plan.Run(t.Context(), results.Lab{Host: &machine{tc: tc, dir: t.TempDir()}, Package: "example.com/p", Dir: dir, Name: "p_test", Procs: 2, Benches: []string{"BenchmarkFirst"}, Limit: time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			if r.Leaks != test.want {
				t.Errorf("%s, GOEXPERIMENT=%s: %q, want %q", test.name, experiment, r.Leaks, test.want)
			}
			os.Unsetenv("GOEXPERIMENT")
		}
	}
}
