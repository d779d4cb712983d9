package stack

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// framed is a stack of functions on the lines that their names end in: main.f@7. Its
// files are named after packages.
func framed(stack string) (out []source.Place) {
	for _, s := range strings.Fields(stack) {
		fn, at, _ := strings.Cut(s, "@")
		f := source.Place{Func: fn, File: "/src/" + packageOf(fn) + ".go"}
		fmt.Sscan(at, &f.Line)
		out = append(out, f)
	}
	return out
}

// The user's nearest frame, the one to show, and its callers: each line once,
// without those that are not to be shown.
func TestShown(t *testing.T) {
	user := func(fn, _ string) bool { return !strings.HasPrefix(fn, "runtime.") && !strings.HasPrefix(fn, "sync.") }
	place := func(fn, file string) bool { return strings.HasPrefix(fn, "main.") && file == "/src/main.go" }
	for _, tt := range []struct {
		stack          string
		nearest, shown int
		callers        string
		plain          string // without a choice of what is shown
	}{
		{"runtime.f@1 main.a@2 main.b@3", 1, 1, "main.b@3", "main.b@3"},
		{"main.a@2 main.b@3", 0, 0, "main.b@3", "main.b@3"},
		{"runtime.f@1 dep.g@2 dep.h@3 main.a@4 dep.i@5 main.b@6", 1, 3, "main.b@6", "dep.h@3 main.a@4 dep.i@5 main.b@6"},
		{"dep.g@2 runtime.f@3 sync.h@4", 0, 0, "", ""},
		{"runtime.f@1 sync.g@2", -1, -1, "", ""},
		{"main.a@4 main.a@4 main.b@5 main.a@4 main.b@5 main.c@6", 0, 0, "main.b@5 main.c@6", "main.b@5 main.c@6"},
		{"main.a@4 runtime.f@9 main.a.func1@4 main.b@7", 0, 0, "main.b@7", "main.b@7"}, // one line of two functions
	} {
		s := framed(tt.stack)
		r := NewReader(user, place)
		for range 2 { // what is remembered is the same
			nearest, shown := r.Mine(s)
			if nearest != tt.nearest || shown != tt.shown {
				t.Errorf("%s: Mine = %d, %d, want %d, %d", tt.stack, nearest, shown, tt.nearest, tt.shown)
			}
			if got := names(r.Callers(s, shown)); got != tt.callers {
				t.Errorf("%s: Callers = %s, want %s", tt.stack, got, tt.callers)
			}
		}
		all := NewReader(user, nil)
		nearest, shown := all.Mine(s)
		if nearest != tt.nearest || shown != nearest {
			t.Errorf("%s: without a choice Mine = %d, %d, want %d twice", tt.stack, nearest, shown, tt.nearest)
		}
		if got := names(all.Callers(s, shown)); got != tt.plain {
			t.Errorf("%s: without a choice Callers = %s, want %s", tt.stack, got, tt.plain)
		}
		want := s
		if tt.nearest >= 0 {
			want = s[:tt.nearest]
		}
		if got := names(Below(s, tt.nearest)); got != names(want) {
			t.Errorf("%s: Below = %s, want %s", tt.stack, got, names(want))
		}
	}
	if got := NewReader(user, place).Callers(framed("main.a@1 main.b@2"), -1); got != nil {
		t.Errorf("callers %v of none", got)
	}
	// The same function in two files is the user's in one.
	r := NewReader(func(_, file string) bool { return file == "/m/x.go" }, nil)
	two := []source.Place{{Func: "f", File: "/lib/x.go", Line: 1}, {Func: "f", File: "/m/x.go", Line: 1}, {File: "/m/x.go", Line: 1}}
	if nearest, _ := r.Mine(two); nearest != 1 {
		t.Errorf("Mine = %d, want 1: that of the user's file", nearest)
	}
	if nearest, _ := r.Mine(two[2:]); nearest != -1 {
		t.Errorf("Mine = %d of a frame without a function, want -1", nearest)
	}
}

func names(stack []source.Place) string {
	var out []string
	for _, f := range stack {
		out = append(out, fmt.Sprintf("%s@%d", f.Func, f.Line))
	}
	return strings.Join(out, " ")
}

// A sample's frames are its locations with what was inlined there, innermost first;
// code without symbols is a frame without a name.
func TestOf(t *testing.T) {
	fn := func(name, file string) *profile.Function {
		return &profile.Function{Name: name, SystemName: "sys." + name, Filename: file}
	}
	s := &profile.Sample{Location: []*profile.Location{
		{Line: []profile.Line{{Function: fn("a", "a.go"), Line: 1, Column: 9}, {Function: fn("b", "b.go"), Line: 2}}}, {}, {Line: []profile.Line{{Line: 3}}}, {Line: []profile.Line{{Function: fn("c", "c.go"), Line: 4}}},
	}}
	want := []source.Place{{Func: "first"}, {File: "a.go", Line: 1, Func: "a"}, {File: "b.go", Line: 2, Func: "b"}, {}, {Line: 3}, {File: "c.go", Line: 4, Func: "c"}}
	got := Of(s, []source.Place{{Func: "first"}})
	if fmt.Sprint(got) != fmt.Sprint(want) || len(got) != len(want) || got[4].Line != 3 || got[5] != want[5] || got[1] != want[1] {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Whose a function is, by its package and its file.
func TestWhose(t *testing.T) {
	for _, tt := range []struct {
		fn, file string
		user     bool
		pkg      string
	}{
		{"main.f", "/m/x.go", true, "main"},
		{"example.com/a.b/c.(*T[example.com/d.E]).f", "/m/x.go", true, "example.com/a.b/c"},
		{"net/http.(*conn).serve", "/usr/local/go/src/net/http/server.go", false, "net/http"},
		{"net/http.f", `C:\go\src\net\http\server.go`, false, "net/http"},
		{"net/http.f", `C:\m\net\http\x.go`, true, "net/http"},
		{"net/http.f", "/m/net/http/x.go", true, "net/http"},
		{"net/http.f", "/m/src/my/http/x.go", true, "net/http"},
		{"net/http.f", "net/http/server.go", false, "net/http"},
		{"net/http.f", "", false, "net/http"},
		{"sort.Test", "/usr/local/go/src/sort/sort_test.go", true, "sort"},
		{"main.main", "_testmain.go", false, "main"},
		{"main.f", "/tmp/_cgo_gotypes.go", false, "main"},
		{"_.f.func1", "/m/x.go", true, "_"},
		{"_/m.f.func1", "/usr/local/go/src/slices/sort.go", false, "_/m"},
		{"_.f.func1", "x.go", true, "_"},
		{"_.f.func1", "slices/sort.go", false, "_"},
		{"memmove", "/usr/local/go/src/runtime/memmove.s", false, ""},
		{"type:.eq.main.T", "<autogenerated>", false, ""},
		{"type..eq.main.T", "<autogenerated>", false, ""},
		{"go:main.inittasks", "", false, ""},
		{"main.(*T).f[a.b/c.D]", "/m/x.go", true, "main"},
		{"a/b", "/m/x.go", false, ""},
		{"time.Sleep", "/usr/local/go/src/runtime/time.go", false, "time"},
	} {
		if user, pkg := IsUser(tt.fn, tt.file), packageOf(tt.fn); user != tt.user || pkg != tt.pkg {
			t.Errorf("%s of %s: the user's %t, of package %q; want %t, %q", tt.fn, tt.file, user, pkg, tt.user, tt.pkg)
		}
	}
	for fn, want := range map[string][2]bool{ // of the system, common
		"runtime.main": {false, true}, "runtime.bgsweep": {true, true}, "runtime/trace.Start.func1": {true, false}, "main.f": {false, false}, "sync.(*WaitGroup).Go.func1": {false, true},
		"internal/sync.f": {false, true}, "testing.(*B).launch": {false, true}, "testingx.f": {false, false}, "runtimex.f": {false, false},
	} {
		if got := [2]bool{System(fn), Common(fn)}; got != want {
			t.Errorf("%s: of the system and common %v, want %v", fn, got, want)
		}
	}
	for f, want := range map[source.Place]bool{
		{Func: "testing.(*B).payoffStop", File: "/go/src/testing/payoff_probe.go"}: true, {Func: "testing.f", File: `C:\go\payoff_probe.go`}: true, {Func: "testing.f", File: "payoff_probe.go"}: true,
		{Func: "main.f", File: "/m/payoff_probe.go"}: false, {Func: "testing.f", File: "/go/src/testing/benchmark.go"}: false, {Func: "testing.f", File: "/payoff_x/benchmark.go"}: false,
	} {
		if got := Probe(f); got != want {
			t.Errorf("%+v is the probe's: %t, want %t", f, got, want)
		}
	}
}

// Mechanisms where two meet, and those of stacks without a frame of the user's.
func TestMeetings(t *testing.T) {
	for stack, want := range map[string]Category{
		"runtime.mallocgc main.new sync.(*Pool).Get main.f":                                                                     PoolMiss,
		"runtime.mallocgc main.new main.g sync.(*Pool).Get main.f":                                                              PoolMiss,
		"runtime.lock2 runtime.lock runtime.(*mheap).alloc runtime.mallocgc main.new sync.(*Pool).Get main.f":                   PoolMiss,
		"runtime.mallocgc main.new sync.(*Once).Do main.f":                                                                      Alloc,
		"runtime.mapassign main.new sync.(*Pool).Get main.f":                                                                    Map,
		"main.Less sort.insertionSort sort.Sort main.f":                                                                         Sort,
		"runtime.mallocgc main.Less sort.insertionSort sort.Sort main.f":                                                        Alloc,
		"runtime.gcAssistAlloc runtime.mallocgc main.new sync.(*Pool).Get main.f":                                               GC,
		"internal/runtime/syscall.Syscall6 syscall.write internal/poll.(*FD).Write net.(*netFD).Write net.(*conn).Write main.f": Net,
		"internal/runtime/syscall.Syscall6 syscall.write internal/poll.(*FD).Write net/http.(*conn).serve main.f":               Net,
		"internal/runtime/syscall.Syscall6 syscall.write internal/poll.(*FD).Write os.(*File).Write main.f":                     Syscall,
		"runtime.gcBgMarkWorker":                          GC,
		"runtime.bgsweep":                                 Sweep,
		"runtime.sweepone runtime.bgsweep runtime.goexit": Sweep,
	} {
		s := framed(stack)
		r := NewReader(func(fn, _ string) bool { return strings.HasPrefix(fn, "main.") }, nil)
		nearest, _ := r.Mine(s)
		for range 2 {
			if got := r.Mechanism(s, nearest); got != want {
				t.Errorf("%s: %s, want %s", stack, got, want)
			}
		}
	}
}
