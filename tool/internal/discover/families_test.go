package discover

import (
	"os"
	"path/filepath"

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
		{names: "Resize Resize_workerpool_×2 Resize_workerpool_×4 Rotate", want: "Resize<Resize_workerpool_×2,Resize_workerpool_×4 Rotate"},
		{names: "Thumb/plain Thumb/threadpool_×4", want: "Thumb/plain Thumb/threadpool_×4"}, // without their source
		{names: "Thumb/serial Thumb/threadpool_×4", want: "Thumb/serial<Thumb/threadpool_×4"},
		{names: "A B", want: "A B"},
		{names: "A B C", base: "A$", vs: "B|C", want: "A<B,C"},
		{names: "K/v=a/n=1 K/v=b/n=1 L/v=a/n=1 L/v=b/n=1", base: "v=a", vs: "v=b", want: "K/v=a/n=1<K/v=b/n=1 L/v=a/n=1<L/v=b/n=1"},
		{names: "K/v=a K/v=b K/v=c", base: "v=b", want: "K/v=b<K/v=a,K/v=c"},
		{names: "K/v=a/e=x K/v=b/e=x K/v=a/e=y K/v=b/e=y", base: "v=a(/|$)", want: "K/v=a/e=x<K/v=b/e=x K/v=a/e=y<K/v=b/e=y"},
		{names: "K/x Deep/a/b", base: "K/x", vs: "Deep", want: "K/x<Deep/a/b"},
		{names: "A", base: "Nothing", want: "A"},
		// Several bases: a variant goes to the one that shares most of its name.
		{names: "SumSerial SumParallel SortSerial SortParallel SortChannel", base: "Serial$",
			want: "SumSerial<SumParallel SortSerial<SortParallel,SortChannel"},
		{names: "SumSerial SumParallel SumBigSerial SumBigParallel", base: "Serial$",
			want: "SumSerial<SumParallel SumBigSerial<SumBigParallel"},
		{names: "SumBigSerial SumBigParallel SumSerial SumParallel", base: "Serial$",
			want: "SumBigSerial<SumBigParallel SumSerial<SumParallel"},
		{names: "SumSerial/100 SumParallel/100 SortSerial/100 SortParallel/100 SumSerial/200 SumParallel/200", base: "Serial/",
			want: "SumSerial/100<SumParallel/100 SortSerial/100<SortParallel/100 SumSerial/200<SumParallel/200"},
		{names: "Serial/100 Parallel/100 Serial/200 Parallel/200", base: "Serial/", want: "Serial/100<Parallel/100 Serial/200<Parallel/200"},
		{names: "SumSerial SumParallel SortSerial SortParallel Other", base: "Serial$", want: "SumSerial<SumParallel SortSerial<SortParallel Other"},
		{names: "SumSerial/1 SumParallel/1 SortSerial/1 SortParallel/1 Other/1", base: "Serial/", want: "SumSerial/1<SumParallel/1 SortSerial/1<SortParallel/1 Other/1"},
		{names: "SumSerial SumParallel SortSerial SortChannel", base: "Serial$", vs: "Parallel$", want: "SumSerial<SumParallel SortSerial SortChannel"},
		{names: "SumSerial SumParallel SortParallel", base: "SumSerial", want: "SumSerial<SumParallel SortParallel"},
		{names: "SumSerial SumParallel SortParallel", base: "SumSerial", vs: "Parallel", want: "SumSerial<SumParallel,SortParallel"},
		{names: "Loop Spread Other", base: "Loop", want: "Loop<Spread,Other"},
		// The expression reaches over elements: the one with the base word counts, or the last that is no size.
		{names: "Sum/serial/100 Sum/packed/100 Sum/serial/200", base: "Sum/serial/100$", want: "Sum/serial/100<Sum/packed/100 Sum/serial/200"},
		{names: "Sum/one/100 Sum/many/100 Sum/one/200", base: "Sum/one/100$", want: "Sum/one/100<Sum/many/100 Sum/one/200"},
		{names: "Sum/w=1 Sum/w=2", base: "w=1", want: "Sum/w=1<Sum/w=2"},
		// It is left open to which base a variant belongs.
		{names: "SumSerial SumNaive SumParallel", base: "Serial|Naive", want: ""},
		{names: "Sum/serial Sum/naive Sum/parallel", base: "serial|naive", want: ""},
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

// What a person should know of the pairs, as "note" or "stop" with the sentence.
func TestPairProblems(t *testing.T) {
	for _, tt := range []struct{ names, base, vs, want string }{
		{names: "SumSerial SumParallel"},
		{names: "SumSerial SumParallel", base: "Serial"},
		{names: "SumSerial SumNaive SumParallel SumChannel", base: "Serial|Naive",
			want: `stop p: -base "Serial|Naive" matches BenchmarkSumSerial and BenchmarkSumNaive, and BenchmarkSumParallel and BenchmarkSumChannel could belong to each: give one of them, like -base '^BenchmarkSumSerial$'`},
		{names: "Sum/serial/1 Sum/naive/1 Sum/split/1 Sum/serial/2 Sum/naive/2 Sum/split/2", base: "serial|naive",
			want: `stop p: -base "serial|naive" matches BenchmarkSum/serial/1 and BenchmarkSum/naive/1, and BenchmarkSum/split/1 and BenchmarkSum/split/2 could belong to each: give one of them, like -base /serial/`},
		{names: "Sum/serial'a Sum/naive'a Sum/split", base: "serial|naive",
			want: `stop p: -base "serial|naive" matches BenchmarkSum/serial'a and BenchmarkSum/naive'a, and BenchmarkSum/split could belong to each: give one of them, like -base '/serial'\''a$'`},
		{names: "SumSerial SumParallel SortSerial Other", base: "Serial",
			want: `note p: -base "Serial" leaves BenchmarkSortSerial and BenchmarkOther without a partner: match a base whose name is the same but for the variant`},
		{names: "SumSerial SumParallel Other", base: "SumSerial",
			want: `note p: -base "SumSerial" leaves BenchmarkOther without a partner: -vs compares what it matches all the same`},
		{names: "A B C", base: "X", want: `stop p: -base "X" matches none of BenchmarkA, BenchmarkB and BenchmarkC: match one of them, like -base '^BenchmarkA$'`},
		{names: "A/variant=x/n=5 B", base: "X", want: `stop p: -base "X" matches none of BenchmarkA/variant=x/n=5 and BenchmarkB: match one of them, like -base '^BenchmarkA/variant=x/n=5$'`},
		{names: "A B C", base: ".", want: `stop p: -base "." matches all of BenchmarkA, BenchmarkB and BenchmarkC: match the base alone, like -base '^BenchmarkA$'`},
		{names: "A", base: "A", want: `stop p: -base "A" matches BenchmarkA, and there is no other: let -bench match what it is to be compared with`},
		{names: "E/0 M/1 M/2", base: "E/0", want: `stop p: -base "E/0" matches BenchmarkE/0, and no other name is the same but for the variant: BenchmarkM/1 and BenchmarkM/2: name what is compared with it, like -vs '^BenchmarkM/1$'`},
		{names: "E/0 E/1 M/2 M/3", base: "E/", want: `stop p: -base "E/" matches BenchmarkE/0 and BenchmarkE/1, and no other name is the same as one of them but for the variant: BenchmarkM/2 and BenchmarkM/3: match one base alone, like -base '^BenchmarkE/0$', and name what is compared with it by -vs`},
		{names: "A B", base: "A", vs: "X", want: `stop p: -vs "X" matches none of BenchmarkB: match one of them, like -vs '^BenchmarkB$'`},
		// Without flags the first base is taken, and the other one is said.
		{names: "SumSerial SumNaive SumParallel SumChannel",
			want: `note p: BenchmarkSumSerial is taken as the base, BenchmarkSumNaive could be it as well: -base '^BenchmarkSumNaive$' takes the other, also for payoff replay`},
		{names: "Sum/serial/1 Sum/naive/1 Sum/go/1 Sum/serial/2 Sum/naive/2 Sum/go/2",
			want: `note p: BenchmarkSum/serial/1 is taken as the base, BenchmarkSum/naive/1 could be it as well: -base /naive/ takes the other, also for payoff replay`},
		{names: "Sum/variant=serial Sum/variant=naive Sum/variant=packed",
			want: `note p: BenchmarkSum/variant=serial is taken as the base, BenchmarkSum/variant=naive could be it as well: -base '/variant=naive$' takes the other, also for payoff replay`},
		{names: "SumSerial SumNaive Other"},
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
		families, problems := Pair("p", names, h)
		var got []string
		for _, p := range problems {
			word := "stop "
			if p.Note {
				word = "note "
			}
			got = append(got, word+p.String())
			if !p.Pairs {
				t.Errorf("%v is not marked as one about pairs", p)
			}
		}
		if s := strings.Join(got, "; "); s != tt.want {
			t.Errorf("Pair(%s, base=%q, vs=%q)\n says %s\n want %s", tt.names, tt.base, tt.vs, s, tt.want)
		}
		if refused := strings.Contains(tt.want, "could belong"); (len(families) == 0) != refused {
			t.Errorf("Pair(%s, base=%q): families %s, want some: %v", tt.names, tt.base, draw(families), !refused)
		}
	}
}

func TestPairs(t *testing.T) {
	many := ""
	for i := range 12 {
		many += fmt.Sprintf("Job%cSerial Job%cParallel ", 'A'+i, 'A'+i)
	}
	for _, tt := range []struct{ names, base, vs, want string }{
		{names: "A B", want: ""},
		{names: "SumSerial SumParallel SumChannel Other", want: "SumParallel and SumChannel against SumSerial"},
		{names: "SumSerial/8 SumParallel/8 SumSerial/9 SumParallel/9", want: "SumParallel against SumSerial, 2 sizes"},
		{names: "Sum/variant=serial/n=1 Sum/variant=go/n=1 Sum/variant=serial/n=2 Sum/variant=go/n=2", want: "Sum/n=…: go against serial, 2 sizes"},
		{names: "Sum/impl=serial Sum/impl=go", want: "Sum: go against serial"},
		{names: "Sum/w=1 Sum/w=2", base: "w=1", want: "Sum: w=2 against w=1"},
		{names: "K/x Deep/a/b K/y", base: "K/x", vs: "Deep|K", want: "K/y and Deep/a/b against K/x"},
		{names: "S/serial S/a S/b S/c S/d S/e S/f S/g", base: "serial", want: "S: a, b, c, d, e, f and g against serial"},
		{names: "S/serial S/a S/b S/c S/d S/e S/f S/g S/h", base: "serial", want: "S: a, b, c, d, e, f and 2 more against serial"},
		{names: many, want: "JobAParallel against JobASerial; JobBParallel against JobBSerial; JobCParallel against JobCSerial; JobDParallel against JobDSerial; JobEParallel against JobESerial; JobFParallel against JobFSerial; JobGParallel against JobGSerial; JobHParallel against JobHSerial; JobIParallel against JobISerial; and 3 more"},
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
		if got := strings.Join(Pairs(Families(names, h)), "; "); got != tt.want {
			t.Errorf("Pairs(%s, base=%q) =\n %s, want\n %s", tt.names, tt.base, got, tt.want)
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
		families, problems := Pair("p", names, h)
		if len(families) == 0 && len(problems) > 0 {
			return // refused
		}
		for _, fam := range families {
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

// TestPlain: a name to which the others add words of concurrency is their base.
func TestPlain(t *testing.T) {
	for _, tt := range []struct{ names, want string }{
		{"Next NextConcurrent", "Next<NextConcurrent"},
		{"LongestGoroutines Longest", "Longest<LongestGoroutines"},
		{"Sum SumWithWorkers", "Sum<SumWithWorkers"},
		{"Sum ParallelSum", "Sum<ParallelSum"},
		{"Sum SumParallel SumParallelPooled", "Sum<SumParallel,SumParallelPooled"},
		{"Get/n=1 Get/n=10 GetParallel/n=1 GetParallel/n=10", "Get/n=1<GetParallel/n=1 Get/n=10<GetParallel/n=10"},
		{"Map/get Map/getSharded Map/set", "Map/get<Map/getSharded Map/set"},
		{"Sum SumFast", "Sum SumFast"},                 // no word of concurrency
		{"Sum SumFastParallel", "Sum SumFastParallel"}, // nor only such
		{"Mutex MutexParallel", "Mutex MutexParallel"}, // no plain form
		{"Sum Product ProductParallel", "Sum Product<ProductParallel"},
		{"Sum/n=1 SumParallel", "Sum/n=1 SumParallel"}, // another depth
		{"Execute1Worker Execute2Workers Execute16Workers", "Execute1Worker<Execute2Workers,Execute16Workers"},
		{"RunOneWorker RunAllWorkers", "RunOneWorker<RunAllWorkers"},
		{"SumOneCore SumTwoCores SumManyCores", "SumOneCore<SumTwoCores,SumManyCores"},
		{"ReadOneFile ReadAllFiles", "ReadOneFile ReadAllFiles"},
		{"Sum/workers=1/n=10 Sum/workers=4/n=10 Sum/workers=1/n=20 Sum/workers=4/n=20", "Sum/workers=1/n=10<Sum/workers=4/n=10 Sum/workers=1/n=20<Sum/workers=4/n=20"},
		{"Sum/workers=2 Sum/workers=4", "Sum/workers=2 Sum/workers=4"}, // none is alone
		{"Get_1_Shard Get_16_Shard Set_16_Shard", "Get_1_Shard<Get_16_Shard Set_16_Shard"},
		{"Store StoreSingle", "Store StoreSingle"}, // of one value?
		{"Write WriteWith1Shard", "Write WriteWith1Shard"},
		{"Encode_8x8 Parallel_8x8", "Encode_8x8<Parallel_8x8"},
		{"Encode_8x8 Decode_8x8 Parallel_8x8", "Encode_8x8 Decode_8x8 Parallel_8x8"}, // of which?
		{"Hooks/Single Hooks/Multi", "Hooks/Single Hooks/Multi"},
		{"Sum5M Sum5M_2Cores", "Sum5M<Sum5M_2Cores"},
		{"Sum/1 Sum/4", "Sum/1 Sum/4"}, // a size
		{"Sum/size=1 Sum/size=4 Sum/1KB Sum/4KB Sum/n=1 Sum/n=10", "Sum/size=1 Sum/size=4 Sum/1KB Sum/4KB Sum/n=1 Sum/n=10"},
		{"Read1 Read4 Read1Session Read4Sessions Read/width=1 Read/width=4", "Read1 Read4 Read1Session Read4Sessions Read/width=1 Read/width=4"}, // without their source
		{"Read1Reader Read4Readers", "Read1Reader<Read4Readers"},
		{"Reader1 Reader4", "Reader1 Reader4"},
		{"Sum/workers=min Sum/workers=max", "Sum/workers=min<Sum/workers=max"},
		{"Sum/goroutines=1 Sum/goroutines=N", "Sum/goroutines=1<Sum/goroutines=N"},
		{"Sum/shards=1 Sum/shards=all", "Sum/shards=1<Sum/shards=all"},
		{"Sum/level=1 Sum/level=max", "Sum/level=1 Sum/level=max"},
		{"ScanThreadsOnePass ScanThreadsTwoPass", "ScanThreadsOnePass ScanThreadsTwoPass"}, // of passes
		{"Sum/parallel_one Sum/parallel_all", "Sum/parallel_one Sum/parallel_all"},
		{"Pairs/j1 Pairs/jmax", "Pairs/j1<Pairs/jmax"},
		{"Build/j=1 Build/j=4", "Build/j=1<Build/j=4"},
		{"Build/procs1/n=9 Build/procsmax/n=9", "Build/procs1/n=9<Build/procsmax/n=9"},
		{"Build/i=1 Build/i=4 Build/p=1 Build/p=4", "Build/i=1 Build/i=4 Build/p=1 Build/p=4"},
		{"J1 Jn J4", "J1 Jn J4"}, // Bessel functions
		{"QuoteOneByOne QuoteAll LatticePrice", "QuoteOneByOne<QuoteAll LatticePrice"},
		{"OneByOne All", "OneByOne<All"},
		{"Copy/line-by-line Copy/bulk Copy/batch", "Copy/line-by-line<Copy/bulk,Copy/batch"},
		{"Crawl/one_by_one Crawl/fetch Crawl/together", "Crawl/one_by_one<Crawl/together Crawl/fetch"},
		{"QuoteOneByTwo QuoteAll", "QuoteOneByTwo QuoteAll"},
		{"QuoteOne QuoteAll", "QuoteOne QuoteAll"},
		{"Mark/alone Mark/team", "Mark/alone<Mark/team"},
		{"LoadMember LoadTeam Load", "LoadMember LoadTeam Load"},
		{"Map/get Map/parallel", "Map/get Map/parallel"}, // of what?
		{"Sums/baseline Sums/pooled", "Sums/baseline<Sums/pooled"},
		{"DispatchBaseline DispatchBus", "DispatchBaseline<DispatchBus"},
		{"EagerStart LazyStart EagerStop LazyStop", "EagerStart<LazyStart EagerStop<LazyStop"},
		{"Insert100_each Insert100_batch Insert1000_each", "Insert100_each<Insert100_batch Insert1000_each"},
		{"Resolve_direct Resolve_coalesced", "Resolve_direct<Resolve_coalesced"},
		{"SendNaive SendWithTimeout SendCured", "SendNaive<SendWithTimeout,SendCured"},
	} {
		names := strings.Fields(tt.names)
		for i := range names {
			names[i] = "Benchmark" + names[i]
		}
		if got := draw(Families(names, Hints{})); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.names, got, tt.want)
		}
	}
}

// TestDeeds: a benchmark that starts goroutines (*) has one for its base that starts none
// and does the same job, by what their names have in common.
func TestDeeds(t *testing.T) {
	for _, tt := range []struct{ names, want string }{
		{"Draw/mode=lines Draw/mode=halves* Draw/mode=pixels*", "Draw/mode=lines<Draw/mode=halves,Draw/mode=pixels"},
		{"Encode/block=512/own Encode/block=512/split1* Encode/block=64/own Encode/block=64/split1*", "Encode/block=512/own<Encode/block=512/split1 Encode/block=64/own<Encode/block=64/split1"},
		{"Next/narrow/loop Next/narrow/rows* Next/wide/loop Next/wide/bands=2*", "Next/narrow/loop<Next/narrow/rows Next/wide/loop<Next/wide/bands=2"},
		{"Sort/small/split Sort/large/split*", "Sort/small/split Sort/large/split"}, // serial below a threshold
		{"Sort/n=10/split Sort/n=1000/split*", "Sort/n=10/split Sort/n=1000/split"}, // likewise
		{"Sum/one Sum/two Sum/three*", "Sum/one Sum/two Sum/three"},                 // which of them?
		{"Map Sum/1 Sum/2 Sum/one Sum/two Sum/three*", "Map Sum/1 Sum/2 Sum/one Sum/two Sum/three"},
		{"Sum/loop Sum/unrolled Sum/three*", "Sum/loop<Sum/three Sum/unrolled"},
		{"Run/Inline Run/Stages/deep* Run/Stages/wide* Run/Late*", "Run/Inline<Run/Late,Run/Stages/deep,Run/Stages/wide"},
		{"Run/one Run/two Run/Stages/deep*", "Run/one Run/two Run/Stages/deep"},
		{"Mul/naive Mul/tiled Mul/cells* Mul/tiled-2threads*", "Mul/naive<Mul/cells Mul/tiled<Mul/tiled-2threads"},
	} {
		var names []string
		starts := map[string]bool{}
		for _, n := range strings.Fields(tt.names) {
			n, goes := strings.CutSuffix("Benchmark"+n, "*")
			names = append(names, n)
			starts[n] = goes
		}
		families, problems := Pair("p", names, Hints{Starts: starts})
		if got := draw(families); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.names, got, tt.want)
		}
		for _, p := range problems {
			if !p.Note || !strings.Contains(p.Reason, "is taken as the base") {
				t.Errorf("%s: %+v, want notes on bases", tt.names, p)
			}
		}
	}
}

// TestSource: where no name tells, the one of several sub-benchmarks that starts no
// goroutine is the base of those that do, and that is said.
func TestSource(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x_test.go")
	src := `package x

import "testing"

func split(n int) { done := make(chan bool); go func() { close(done) }(); <-done }

func indirectly(n int) { split(n) }

func BenchmarkSum(b *testing.B) {
	b.Run("loop", func(b *testing.B) { for range b.N { sum() } })
	b.Run("halves", func(b *testing.B) { for range b.N { indirectly(2) } })
	b.Run("group", func(b *testing.B) { for range b.N { var g errgroup.Group; g.Go(sum) } })
}

func BenchmarkTwo(b *testing.B) {
	b.Run("loop", func(b *testing.B) {})
	b.Run("unrolled", func(b *testing.B) {})
	b.Run("split", func(b *testing.B) { split(1) })
}

func BenchmarkAll(b *testing.B) {
	b.Run("get", func(b *testing.B) { b.RunParallel(nil) })
	b.Run("set", func(b *testing.B) { b.RunParallel(nil) })
}
`
	if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	calls := newCallGraph("x")
	funcs, err := benchmarks(file, calls)
	if err != nil {
		t.Fatal(err)
	}
	for i := range funcs {
		funcs[i].addStarts(calls)
	}
	if got := fmt.Sprint(funcs[0].Subs, funcs[0].Starts, funcs[1].Starts, funcs[2].Starts); got != "[loop halves group] [halves group] [split] [get set]" {
		t.Errorf("sub-benchmarks and those that start goroutines: %s", got)
	}
	names := strings.Fields("BenchmarkSum/loop/n=1 BenchmarkSum/halves/n=1 BenchmarkSum/group/n=1 BenchmarkSum/loop/n=2 BenchmarkSum/halves/n=2 BenchmarkTwo/loop BenchmarkTwo/unrolled BenchmarkTwo/split BenchmarkAll/get BenchmarkAll/set")
	families, problems := Pair("p", names, Hints{Funcs: funcs})
	want := "Sum/loop/n=1<Sum/halves/n=1,Sum/group/n=1 Sum/loop/n=2<Sum/halves/n=2 Two/loop<Two/split Two/unrolled All/get All/set"
	if got := draw(families); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if len(problems) != 2 || !problems[0].Note || !strings.Contains(problems[0].Reason, "BenchmarkSum/loop/n=1 is taken as the base") || !strings.Contains(problems[0].Next, "-base /halves/") {
		t.Errorf("problems %+v", problems)
	}
	// A name that says more comes first.
	families, problems = Pair("p", []string{"BenchmarkSum/loop", "BenchmarkSum/halves"}, Hints{Funcs: funcs, Base: regexp.MustCompile("halves")})
	if got := draw(families); got != "Sum/halves<Sum/loop" || len(problems) != 0 {
		t.Errorf("with -base: %s, %v", got, problems)
	}
}
