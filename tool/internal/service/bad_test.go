package service

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/record"
)

// bytesOf is a source in memory.
func bytesOf(name string, data []byte) Source {
	return Source{Name: name, Size: int64(len(data)), Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
}

// unzippedOf is what a compressed file of testdata holds.
func unzippedOf(t *testing.T, name string) []byte {
	t.Helper()
	data, err := record.Profile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// written is a profile of other types than those that tell anything.
func written(t *testing.T, types ...string) []byte {
	t.Helper()
	p := &profile.Profile{PeriodType: &profile.ValueType{Type: "space", Unit: "bytes"}, Period: 1}
	for _, x := range types {
		name, unit, _ := strings.Cut(x, "/")
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: name, Unit: unit})
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestBad: each input that tells nothing is named, with the next step.
func TestBad(t *testing.T) {
	trace := unzippedOf(t, "quiet.trace.gz")
	old := slices.Concat([]byte("go 1.19 trace\x00\x00\x00"), trace[16:])
	next := slices.Concat([]byte("go 1.99 trace\x00\x00\x00"), trace[16:])
	for _, tt := range []struct {
		name string
		data []byte
		want string
	}{
		{"nothing", nil, "0 bytes"},
		{"a text", []byte("goroutine profile: total 7\n1 @ 0x43e\n"), "give that of goroutines that wait for ever"},
		{"a short text", []byte("x"), "neither"},
		{"an older trace", old, "record it with Go 1.22 or newer"},
		{"a trace of a release to come", next, "a Go this tool knows"},
		{"the head of a trace", trace[:16], "no events"},
		{"a heap profile", written(t, "alloc_space/bytes", "inuse_space/bytes"), "give one of cpu, mutex, block"},
	} {
		d, err := Explain([]Source{bytesOf("in", tt.data)}, Options{})
		if d != nil || err == nil || !strings.Contains(err.Error(), "in: ") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want no report and an error that says %q", tt.name, err, tt.want)
		}
	}
}

// TestNoTrace: a profile alone tells what processors did while they ran, and that the
// rest is missing.
func TestNoTrace(t *testing.T) {
	d, err := Explain([]Source{file("cache.pprof")}, Options{})
	if !errors.Is(err, ErrNoTrace) || d == nil || len(d.Account) == 0 {
		t.Fatalf("Explain: %v, %v; want an account and %v", d, err, ErrNoTrace)
	}
	adds(t, d)
}

// TestCut: of a trace that is cut off or damaged counts what is whole, and the report
// says so.
func TestCut(t *testing.T) {
	trace := unzippedOf(t, "cache.trace.gz")
	whole, err := Explain([]Source{bytesOf("whole", trace)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	broken := slices.Clone(trace)
	for i := len(broken) / 2; i < len(broken)/2+400; i++ {
		broken[i] ^= 0x5a
	}
	zipped, err := os.ReadFile("testdata/cache.trace.gz")
	if err != nil {
		t.Fatal(err)
	}
	rotten := slices.Clone(zipped)
	rotten[len(rotten)/2] ^= 0x5a
	for name, data := range map[string][]byte{"cut": trace[:len(trace)*2/3], "damaged": broken, "cut while it was compressed": zipped[:len(zipped)*2/3], "damaged since": rotten} {
		d, err := Explain([]Source{bytesOf(name, data)}, Options{})
		if err != nil { // what is left may be nothing, which is said
			if !strings.Contains(err.Error(), "record it again") {
				t.Errorf("%s: %v, want it to say what to do", name, err)
			}
			continue
		}
		if d.Window > whole.Window || d.Inputs[0].Broken == "" || len(d.Missing) == 0 {
			t.Errorf("%s: %v of %v, broken %q; want a part, and that it is one", name, d.Window, whole.Window, d.Inputs[0].Broken)
		}
		adds(t, d)
	}
}

// TestPooled: two traces of a service are one with the operations of both.
func TestPooled(t *testing.T) {
	one, err := Explain([]Source{file("cache.trace.gz"), file("cache.pprof")}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	two, err := Explain([]Source{file("cache.trace.gz"), file("cache.pprof"), file("cache.trace.gz"), file("cache.pprof")}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	adds(t, two)
	a, b := one.Operations[0], two.Operations[0]
	if two.Windows != 2 || b.N != 2*a.N || a.P50 != b.P50 || a.P99 != b.P99 {
		t.Errorf("twice the same: %d windows, %d operations, p50 %v, p99 %v; want 2, %d, %v, %v", two.Windows, b.N, b.P50, b.P99, 2*a.N, a.P50, a.P99)
	}
	if x, y := one.Causes[0], two.Causes[0]; x.Slug != y.Slug || math.Abs(x.Share-y.Share) > 0.05 { // twice the samples make small shares sure
		t.Errorf("twice the same: %s %v, want %s %v", y.Slug, y.Share, x.Slug, x.Share)
	}
}

// TestNamed: a function that the user names has calls, by -op.
func TestNamed(t *testing.T) {
	d, err := Explain([]Source{file("pool.trace.gz")}, Options{Func: "database/sql.(*DB).ExecContext"})
	if err != nil {
		t.Fatal(err)
	}
	if d.Counted != exectrace.Calls || len(d.Operations) != 1 || d.Operations[0].N < 20 || d.Operations[0].Name != "database/sql.(*DB).ExecContext" {
		t.Errorf("%s %+v, want calls of database/sql.(*DB).ExecContext", d.Counted, d.Operations)
	}
	requests, err := Explain([]Source{file("pool.trace.gz")}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c, r := d.Operations[0].Mean, requests.Operations[0].Mean; c > r*1.2 || c < r/2 {
		t.Errorf("a call takes %v, and the request around it %v", c, r)
	}
}

// TestBenchmark: the benchmark of an operation is a file that can be compiled, by its
// syntax, with a serial form beside the parallel one.
func TestBenchmark(t *testing.T) {
	for _, tt := range []struct {
		work exectrace.Work
		fn   string
		want []string // in the file; none: an error
	}{
		{exectrace.Requests, "example.com/shop/v2.(*API).get", []string{"package shop\n", "new(API).get", "func BenchmarkAPIGet(", "variant=serial", "SetParallelism(3)"}},
		{exectrace.Requests, "main.index", []string{"package main\n", "http.HandlerFunc(index)"}},
		{exectrace.Requests, "main.main.func1", []string{"package main\n", "has no name", "b.Skip"}},
		{exectrace.Items, "example.com/a-b.worker", []string{"package a_b\n", "_ = worker", "b.Skip"}},
		{exectrace.Requests, "", nil},
	} {
		d := &Doc{Procs: 2, Counted: tt.work, Operations: []Operation{{Name: tt.fn, Rate: 1000, Mean: 5e6, N: 10}}}
		d.Operations[0].Place.Func = tt.fn
		text, err := d.Benchmark("payoff trace")
		if len(tt.want) == 0 {
			if err == nil {
				t.Errorf("%q: %s, want an error", tt.fn, text)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", tt.fn, err)
			continue
		}
		for _, w := range tt.want {
			if !strings.Contains(text, w) {
				t.Errorf("%q: %s\nwant %q in it", tt.fn, text, w)
			}
		}
		f, err := parser.ParseFile(token.NewFileSet(), "op_test.go", text, parser.ParseComments)
		if err != nil {
			t.Errorf("%q: %v", tt.fn, err)
			continue
		}
		for _, imp := range f.Imports { // one that is not used does not compile
			name := imp.Path.Value[strings.LastIndexByte(imp.Path.Value, '/')+1:]
			used := false
			ast.Inspect(f, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if x, ok := s.X.(*ast.Ident); ok && x.Name == strings.Trim(name, `"`) {
						used = true
					}
				}
				return true
			})
			if !used {
				t.Errorf("%q: %s is imported and not used", tt.fn, imp.Path.Value)
			}
		}
	}
}
