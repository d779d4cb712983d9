package discover

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// draw writes families as "base<v1,v2" and loners as "name".
func draw(fs []Family) string {
	var out []string
	for _, f := range fs {
		var names []string
		for i, m := range f.Members {
			if i != f.Base {
				names = append(names, strings.TrimPrefix(m.Bench, "Benchmark"))
			}
		}
		s := strings.Join(names, ",")
		if f.Base >= 0 {
			s = strings.TrimPrefix(f.Members[f.Base].Bench, "Benchmark") + "<" + s
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestFamilies(t *testing.T) {
	for _, tt := range []struct {
		names, base, vs, want string
	}{
		{names: "Sum/variant=serial Sum/variant=packed Sum/variant=channel",
			want: "Sum/variant=serial<Sum/variant=packed,Sum/variant=channel"},
		{names: "S/variant=a/n=1 S/variant=sequential/n=1 S/variant=a/n=2 S/variant=sequential/n=2",
			want: "S/variant=sequential/n=1<S/variant=a/n=1 S/variant=sequential/n=2<S/variant=a/n=2"},
		{names: "S/variant=a S/variant=b", want: "S/variant=a,S/variant=b"},
		{names: "SerialSum ConcurrentSum ChannelSum Other", want: "SerialSum<ConcurrentSum,ChannelSum Other"},
		{names: "CPUSequential CPUPipeline CPUFanBuffer IOSequential IOFan",
			want: "CPUSequential<CPUPipeline,CPUFanBuffer IOSequential<IOFan"},
		{names: "_sequentialMergesort _parallelMergesortV1", want: "_sequentialMergesort<_parallelMergesortV1"},
		{names: "SumSerial Sum", want: "SumSerial<Sum"},
		{names: "Sum/serial/100 Sum/parallel/100 Sum/serial/200 Sum/parallel/200",
			want: "Sum/serial/100<Sum/parallel/100 Sum/serial/200<Sum/parallel/200"},
		{names: "Serial Parallel Unrelated", want: "Serial<Parallel Unrelated"},
		// Words with other meanings stay apart unless concurrency is named.
		{names: "GenericNoMatch SingleMatch", want: "GenericNoMatch SingleMatch"},
		{names: "SplitSeq Split FieldsSeq Fields", want: "SplitSeq Split FieldsSeq Fields"},
		{names: "SplitSeqMultiByte SplitMultiByte", want: "SplitSeqMultiByte SplitMultiByte"},
		{names: "MapSingle MapGoroutines", want: "MapSingle<MapGoroutines"},
		{names: "A B", want: "A B"},
		{names: "A B C", base: "A$", vs: "B|C", want: "A<B,C"},
		{names: "K/v=a/n=1 K/v=b/n=1 L/v=a/n=1 L/v=b/n=1", base: "v=a", vs: "v=b", want: "K/v=a/n=1<K/v=b/n=1 L/v=a/n=1<L/v=b/n=1"},
		{names: "K/v=a K/v=b K/v=c", base: "v=b", want: "K/v=b<K/v=a,K/v=c"},
		{names: "K/x Deep/a/b", base: "K/x", vs: "Deep", want: "K/x<Deep/a/b"},
		{names: "A", base: "Nothing", want: "A"},
	} {
		var names []string
		for n := range strings.FieldsSeq(tt.names) {
			names = append(names, "Benchmark"+n)
		}
		h := Hints{}
		if tt.base != "" {
			h.Base = regexp.MustCompile(tt.base)
		}
		if tt.vs != "" {
			h.Vs = regexp.MustCompile(tt.vs)
		}
		if got := draw(Families(names, h)); got != tt.want {
			t.Errorf("Families(%s, base=%q, vs=%q)\n got %s\nwant %s", tt.names, tt.base, tt.vs, got, tt.want)
		}
	}
}

func TestMarks(t *testing.T) {
	funcs, err := benchmarks("testdata/marked_test.go.txt", newCallGraph("marked"))
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"BenchmarkLoop", "BenchmarkSpread", "BenchmarkTable/one", "BenchmarkTable/many"}
	got := draw(Families(names, Hints{Funcs: funcs}))
	if want := "Loop<Spread Table/one<Table/many"; got != want {
		t.Errorf("Families = %s, want %s", got, want)
	}
	for _, f := range funcs {
		if f.Name == "Benchmarked" || f.Name == "BenchmarkTwo" {
			t.Errorf("%s is no benchmark", f.Name)
		}
	}
}

func TestParams(t *testing.T) {
	f := Families([]string{"BenchmarkSort/variant=x/n=10k/dist=random/8"}, Hints{})[0]
	if got, want := fmt.Sprintf("%v %s", f.Params, f.Group), "[{n 10000} { 8}] Sort/n=/dist=random/="; got != want {
		t.Errorf("params and group = %s, want %s", got, want)
	}
}

func TestPattern(t *testing.T) {
	for _, tt := range []struct{ expr, name, want string }{
		{".", "BenchmarkA", "^BenchmarkA$"},
		{"A/x", "BenchmarkA", "^BenchmarkA$/x"},
		{"A/x|B", "BenchmarkB", "^BenchmarkB$"},
		{"A/x|A/y", "BenchmarkA", "^BenchmarkA$/x|^BenchmarkA$/y"},
		{"A|(B|C)/[/|]", "BenchmarkC", "^BenchmarkC$/[/|]"},
		{"A", "BenchmarkB", ""},
	} {
		s, err := newSelection(tt.expr)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.pattern(tt.name); got != tt.want {
			t.Errorf("selection %q: pattern(%s) = %q, want %q", tt.expr, tt.name, got, tt.want)
		}
	}
	if _, err := newSelection("a("); err == nil {
		t.Error("newSelection(a() = nil error")
	}
}

func TestProcs(t *testing.T) {
	for _, tt := range []struct {
		list   string
		usable int
		want   string
	}{
		{"", 1, "[1]"}, {"", 2, "[1 2]"}, {"", 6, "[1 2 4 6]"}, {"", 8, "[1 2 4 8]"},
		{"8, 2,2", 4, "[1 2 8]"}, {"0", 4, "[]"}, {"two", 4, "[]"}, {"1,,2", 4, "[]"},
	} {
		got, err := Procs(tt.list, tt.usable)
		if fmt.Sprint(got) != tt.want || (err != nil) != (tt.want == "[]") {
			t.Errorf("Procs(%q, %d) = %v, %v, want %s", tt.list, tt.usable, got, err, tt.want)
		}
	}
}

func FuzzFamilies(f *testing.F) {
	f.Add("BenchmarkSerial/a\nBenchmarkX//", "")
	f.Add("BenchmarkA/variant=serial/n=1\nBenchmarkA/variant=/n=1", "A/")
	f.Fuzz(func(t *testing.T, list, base string) {
		names := slices.Compact(slices.Sorted(slices.Values(strings.Split(list, "\n"))))
		h := Hints{}
		if re, err := regexp.Compile(base); err == nil && base != "" {
			h.Base = re
		}
		seen := map[string]int{}
		for _, fam := range Families(names, h) {
			if fam.Base >= len(fam.Members) || len(fam.Members) == 0 {
				t.Fatalf("family %+v has no such base", fam)
			}
			for _, m := range fam.Members {
				seen[m.Bench]++
			}
		}
		for _, n := range names {
			if seen[n] != 1 {
				t.Fatalf("%q is in %d families, want 1", n, seen[n])
			}
		}
	})
}
