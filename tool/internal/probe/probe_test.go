package probe

import (
	"bytes"
	"go/parser"
	"go/token"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// goroot is that of the go command, or of this test.
func goroot(t *testing.T) string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skipf("no go command, and with it no source of package testing: %v", err)
	}
	return strings.TrimSpace(string(out))
}

func source(t *testing.T) []byte {
	src, err := os.ReadFile(filepath.Join(goroot(t), "src", "testing", "benchmark.go"))
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// method returns the body of a method of B.
func method(t *testing.T, src []byte, name string) string {
	t.Helper()
	m := regexp.MustCompile(`(?ms)^func \(b \*B\) ` + name + `\(.*?^}`).Find(src)
	if m == nil {
		t.Fatalf("no method %s", name)
	}
	return string(m)
}

// TestPatch holds the patched testing package of this toolchain to each hook
// at its place: one that is missing or late makes figures wrong, not absent.
func TestPatch(t *testing.T) {
	src := source(t)
	out, err := Patch(src)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "benchmark.go", out, 0); err != nil {
		t.Fatalf("the patched file does not parse: %v", err)
	}
	for _, tt := range []struct{ method, want string }{
		{"StartTimer", `b\.payoffStart\(\);? *b\.start = `},
		{"ResetTimer", `\{ b\.payoffReset\(\); `},
		{"ResetTimer", `b\.payoffStart\(\); b\.start = `},
		{"StopTimer", `b\.duration \+= [^\n]*; b\.payoffStop\(\)`},
		{"runN", `\{ defer b\.payoffRan\(\); `},
		{"runN", `b\.payoffBegin\(\); b\.ResetTimer\(\)`},
		{"launch", `b\.payoffDone\(\); b\.result = `},
		{"launch", `b\.payoffRamp\(\); b\.runN\(b\.benchTime\.n\)`},
		{"RunParallel", `b\.payoff\.parallel = true; `},
	} {
		if got := method(t, out, tt.method); !regexp.MustCompile(tt.want).MatchString(got) {
			t.Errorf("no %s in\n%s", tt.want, got)
		}
	}
	// The timer's memory statistics are read outside of what the hooks measure.
	if got := method(t, out, "StartTimer"); strings.Index(got, "ReadMemStats") > strings.Index(got, "payoffStart") {
		t.Errorf("memory statistics after the hook:\n%s", got)
	}
	if got := method(t, out, "StopTimer"); strings.Index(got, "ReadMemStats") < strings.Index(got, "payoffStop") {
		t.Errorf("memory statistics before the hook:\n%s", got)
	}
	if n := bytes.Count(out, []byte("\tpayoff payoffState\n")); n != 1 {
		t.Errorf("%d fields, want 1", n)
	}
	// Positions in goroutine dumps stay right but for the field.
	if added := bytes.Count(out, []byte("\n")) - bytes.Count(src, []byte("\n")); added != 2 {
		t.Errorf("%d lines were added, want 2", added)
	}
}

// Each damage to the shape of testing is refused by name.
func TestPatchRefuses(t *testing.T) {
	src := string(source(t))
	for _, tt := range []struct{ old, new, want string }{
		{"type B struct", "type C struct", "no type B struct"},
		{"func (b *B) StartTimer()", "func (b *B) Start()", "no b.start = in B.StartTimer"},
		{"func (b *B) ResetTimer()", "func (b B) ResetTimer()", "no b.start = in B.ResetTimer"},
		{"b.duration += ", "b.elapsed += ", "no b.duration += in B.StopTimer"},
		{"\tb.ResetTimer()\n\tb.StartTimer()", "\tb.restart()", "no b.ResetTimer() in B.runN"},
		{"b.result = ", "b.results = ", "no b.result = in B.launch"},
		{"b.runN(b.benchTime.n)", "b.runAll()", "no b.runN(b.benchTime.n) in B.launch"},
	} {
		if !strings.Contains(src, tt.old) {
			t.Errorf("this toolchain has no %q to damage", tt.old)
			continue
		}
		out, err := Patch([]byte(strings.ReplaceAll(src, tt.old, tt.new)))
		if err == nil || !strings.Contains(err.Error(), tt.want) || out != nil {
			t.Errorf("Patch without %q = %d bytes, %v; want an error with %q", tt.old, len(out), err, tt.want)
		}
	}
	if _, err := Patch([]byte("package testing\n\nfunc {")); err == nil {
		t.Error("Patch of a broken file = nil error")
	}
	if _, err := Patch([]byte("package testing\n")); err == nil || strings.Count(err.Error(), "no ") != 8 {
		t.Errorf("Patch of an empty file = %v, want all eight places named", err)
	}
}

func TestPatchMain(t *testing.T) {
	src, err := os.ReadFile(filepath.Join(goroot(t), "src", "testing", "testing.go"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := PatchMain(src)
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`func MainStart\(deps [^\n]*\{ payoffCollect\(deps\); \n`).Match(out) {
		t.Error("no payoffCollect(deps) at the start of MainStart")
	}
	for _, damaged := range []string{"package testing", "package testing\nfunc MainStart(d testDeps) *M { return nil }", "func"} {
		if out, err := PatchMain([]byte(damaged)); err == nil {
			t.Errorf("PatchMain(%q) = %q, want an error", damaged, out)
		}
	}
}

func TestOverlay(t *testing.T) {
	root := goroot(t)
	for goos, usage := range map[string]string{"linux": "Getrusage", "android": "Getrusage", "darwin": "Getrusage", "freebsd": "Getrusage", "windows": "GetProcessTimes", "plan9": "payoffHasUsage    = false"} {
		o, err := Overlay(root, goos)
		if err != nil {
			t.Fatal(err)
		}
		if len(o) != 6 {
			t.Errorf("%s: %d files, want 6", goos, len(o))
		}
		for path, content := range o {
			if !strings.HasPrefix(path, filepath.Join(root, "src", "testing")) {
				t.Errorf("%s: %s is not of package testing", goos, path)
			}
			if _, err := parser.ParseFile(token.NewFileSet(), path, content, 0); err != nil {
				t.Error(err)
			}
			if count := goos == "linux" || goos == "android"; filepath.Base(path) == "payoff_counters.go" && bytes.Contains(content, []byte("SYS_PERF_EVENT_OPEN")) != count {
				t.Errorf("%s: it counts by perf_event_open: %t, want %t", goos, !count, count)
			}
			if filepath.Base(path) == "payoff_usage.go" && !bytes.Contains(content, []byte(usage)) {
				t.Errorf("%s: no %s in\n%s", goos, usage, content)
			}
		}
	}
	if _, err := Overlay(t.TempDir(), "linux"); err == nil {
		t.Error("Overlay of an empty GOROOT = nil error")
	}
}

const told = "begin\t\"BenchmarkA\"\n" +
	"result\t\"BenchmarkA/x=\\\"y\\\"\"\tprocs=2\tn=100\tns=5000\tx:\"a=b/op\"=1.5\tx:\"inf\"=+Inf\n" +
	"skip\t\"BenchmarkB\"\nfail\t\"BenchmarkC\"\nend\t\"Main\"\n"

func TestParse(t *testing.T) {
	want := []Event{
		{Kind: Begin, Name: "BenchmarkA"},
		{Kind: Result, Name: `BenchmarkA/x="y"`, Value: map[string]int64{"procs": 2, "n": 100, "ns": 5000}, Extra: map[string]float64{"a=b/op": 1.5, "inf": math.Inf(1)}},
		{Kind: Skip, Name: "BenchmarkB"},
		{Kind: Fail, Name: "BenchmarkC"},
		{Kind: End, Name: "Main"},
	}
	got, err := Parse([]byte(told))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Parse = %+v, %v; want %+v", got, err, want)
	}
	// A process killed while it writes leaves part of a line, wherever.
	for i := range told {
		whole := strings.Count(told[:i], "\n")
		got, err := Parse([]byte(told[:i]))
		if err != nil || len(got) != whole || whole > 0 && !reflect.DeepEqual(got, want[:whole]) {
			t.Errorf("Parse of %q = %+v, %v; want the first %d events", told[:i], got, err, whole)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, line := range []string{"", "begin", "begin\tBenchmarkA", "other\t\"BenchmarkA\"", "result\t\"B\"", "result\t\"B\"\tn", "result\t\"B\"\tn=x", "result\t\"B\"\tx:\"u\"", "result\t\"B\"\tx:u=1", "result\t\"B\"\tx:\"u\"=one"} {
		got, err := Parse([]byte("begin\t\"BenchmarkA\"\n" + line + "\n"))
		if err == nil || len(got) != 1 {
			t.Errorf("Parse of %q = %+v, %v; want the event before it and an error", line, got, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(told))
	f.Add([]byte("result\t\"B\"\tx:\"=\"=1\t=5\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		events, err := Parse(data)
		if whole := bytes.Count(data, []byte("\n")); err == nil && len(events) != whole {
			t.Errorf("%d events of %d lines", len(events), whole)
		}
		for _, e := range events {
			if (e.Kind == Result) != (e.Value != nil) {
				t.Errorf("event %+v: want values with results only", e)
			}
		}
		// Cutting off the last line takes nothing but its event.
		if i := bytes.LastIndexByte(bytes.TrimSuffix(data, []byte("\n")), '\n'); err == nil && i >= 0 {
			if cut, err := Parse(data[:i+1]); err != nil || len(cut) != bytes.Count(data[:i+1], []byte("\n")) {
				t.Errorf("without its last line: %d events, %v", len(cut), err)
			}
		}
	})
}
