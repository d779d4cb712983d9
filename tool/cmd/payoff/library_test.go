package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchunit"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
	"github.com/gopayoff/payoff/tool/internal/store"
)

// TestLibrary: the tables about the library's blocks beside their peers are
// made from the raw results of the record, with the present rule.
func TestLibrary(t *testing.T) {
	dirs, err := filepath.Glob("../../../record/*/queue")
	if err != nil {
		t.Fatal(err)
	}
	if len(dirs) == 0 {
		t.Fatal("no record of the queues beside their peers")
	}
	for _, d := range dirs {
		dir := filepath.Dir(d)
		tables := map[string]string{"goals.md": goalsTable(t, dir)}
		for _, run := range []string{"queue", "twostage", "counter", "histogram", "recycle",
			"par-fork", "par-body", "par-merge", "par-loops", "par-sort", "par-long"} {
			tables[run+".md"] = peersTable(t, filepath.Join(dir, run))
		}
		wanted := parGoals
		if filepath.Base(dir) >= shapes {
			wanted = slices.Concat(parGoals, shapeGoals)
		}
		tables["par-goals.md"] = rangesTable(t, dir, wanted)
		tables["par-server.md"] = textTable(t, filepath.Join(dir, "par-server.txt"), "serial", "ns/op", "p50-ns", "p99-ns")
		tables["par-layout.md"] = textTable(t, filepath.Join(dir, "par-layout.txt"), "serial", "ns/op")
		tables["par-first.md"] = textTable(t, filepath.Join(dir, "par-first.txt"), "serial", "ns/op", "cpu-ns/wall-s", "goroutines")
		if filepath.Base(dir) >= shapes {
			tables["par-seldom.md"] = textTable(t, filepath.Join(dir, "par-seldom.txt"), "serial", "ns/op")
		}
		tables["hog.md"] = textTable(t, filepath.Join(dir, "hog.txt"), "chan", "ns/op")
		tables["busy.md"] = textTable(t, filepath.Join(dir, "busy.txt"), "chan", "ns/op")
		tables["busy-long.md"] = textTable(t, filepath.Join(dir, "busy-long.txt"), "chan", "ns/op")
		tables["sparse.md"] = textTable(t, filepath.Join(dir, "sparse.txt"), "chan", "p50-ns", "p99-ns", "cpu-ns/op")
		tables["idle.md"] = textTable(t, filepath.Join(dir, "idle.txt"), "chan", "cpu-ns/wall-s")
		if made(dir) >= waits {
			tables["longest.md"] = textTable(t, filepath.Join(dir, "longest.txt"), "chan", "p99-ns", "longest-ns")
			tables["burst.md"] = textTable(t, filepath.Join(dir, "burst.txt"), "chan", "first-ns", "second-ns")
		}
		for name, text := range tables {
			golden(t, filepath.Join(dir, name), text)
		}
	}
}

// TestUsual: likewise the tables of small and usual calls.
func TestUsual(t *testing.T) {
	dirs, err := filepath.Glob("../../../record/*/usual")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		for name, families := range usual {
			golden(t, dir+"-"+name+".md", peersTable(t, dir, families...))
		}
	}
}

// usual are the families of peers/usual, by the package whose README has them.
var usual = map[string][]string{
	"par":     {"Sort", "SortPointers"},
	"pool":    {"Group", "Do"},
	"queue":   {"Ten", "Try", "Working", "Four"},
	"pipe":    {"Items", "CSV"},
	"snapmap": {"Changes", "Reads"},
	"recycle": {"Slices"},
}

// made returns the date of a record.
func made(dir string) string { return filepath.Base(dir)[:len("2026-11-22")] }

// waits is since when records have the benchmarks in which senders compute or
// many goroutines wait.
const waits = "2026-11-22"

// golden holds a file to text, or writes it.
func golden(t *testing.T, file, text string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if old, err := os.ReadFile(file); err != nil || string(old) != text {
		t.Errorf("%s is not what the raw results give (%v):\n%s\nwrite it with go test ./tool/cmd/payoff -run 'Figures|Library|Splices' -update", file, err, text)
	}
}

// A loaded run is one of a package of peers.
type peersRun struct {
	run    store.Run
	series []*measure.Series
}

func loadPeers(t *testing.T, dir string) peersRun {
	run, all := load(t, dir)
	return peersRun{run, all}
}

// compare sets one variant of a family against another.
func (p peersRun) compare(s *measure.Series, family, new, base, procs int) (judge.Verdict, bool) {
	m := s.Families[family].Members
	c := measure.Comparison{
		Kind: measure.Variant, Family: family, Member: new,
		New:  measure.Cell{Bench: m[new].Bench, Procs: procs},
		Base: measure.Cell{Bench: m[base].Bench, Procs: procs},
	}
	if len(s.Samples[c.New]) == 0 || len(s.Samples[c.Base]) == 0 {
		return judge.Verdict{}, false
	}
	return judge.Compare(s, c, stats.DefaultRule, p.run.Bounds), true
}

// peersTable has a row for each variant: time per operation and the speed of
// the variant over that of the base, at each number of processors. It is of the benchmarks
// with these names, or of all.
func peersTable(t *testing.T, dir string, only ...string) string {
	p := loadPeers(t, dir)
	var b strings.Builder
	for _, s := range p.series {
		for i, f := range s.Families {
			name, _, _ := strings.Cut(f.Name, "/")
			if f.Base < 0 || only != nil && !slices.Contains(only, name) {
				continue
			}
			fmt.Fprintf(&b, "\n| %s |", f.Name)
			for _, procs := range s.Procs {
				fmt.Fprintf(&b, " GOMAXPROCS=%d |", procs)
			}
			b.WriteString("\n| --- |" + strings.Repeat(" --- |", len(s.Procs)) + "\n")
			for j, m := range f.Members {
				fmt.Fprintf(&b, "| %s |", m.Variant)
				for _, procs := range s.Procs {
					switch v, ok := p.compare(s, i, j, f.Base, procs); {
					case !ok:
						b.WriteString(" no figure |")
					case j == f.Base:
						fmt.Fprintf(&b, " %s |", nanoseconds(v.Wall))
					default:
						fmt.Fprintf(&b, " %s, %s |", nanoseconds(v.Wall), ratio(v.Estimate))
					}
				}
				b.WriteString("\n")
			}
		}
	}
	return strings.TrimLeft(b.String(), "\n")
}

func nanoseconds(v float64) string { return fmt.Sprintf("%.3g ns", v) }

func ratio(e stats.Estimate) string {
	return fmt.Sprintf("%.2f× [%.2f, %.2f]", e.Ratio, e.Low, e.High)
}

// A goal is what a block has to reach in a family of benchmarks: so many times
// the speed of the base at 1 and 2 processors, and of the best peer.
type goal struct {
	what, run, family string
	ours              string
	base              [2]float64 // 0: none
	peer              [2]float64
	peers             []string // nil: all that are neither ours nor the base
}

var goals = []goal{
	{"SPSC, one by one", "queue", "SPSC/elem=int64", "payoff-spsc", [2]float64{3.5, 4}, [2]float64{0, 1}, nil},
	{"", "queue", "SPSC/elem=item64", "payoff-spsc", [2]float64{3.5, 4}, [2]float64{0, 1}, nil},
	{"SPSC, batches of 64", "queue", "Batch/elem=int64", "payoff-batch", [2]float64{15, 20}, [2]float64{1, 1}, []string{"chan-slices"}},
	{"", "queue", "Batch/elem=item64", "payoff-batch", [2]float64{15, 20}, [2]float64{1, 1}, []string{"chan-slices"}},
	{"SPSC, views of 64", "queue", "Batch/elem=int64", "payoff-views", [2]float64{15, 20}, [2]float64{1, 1}, []string{"chan-slices"}},
	{"", "queue", "Batch/elem=item64", "payoff-views", [2]float64{15, 20}, [2]float64{1, 1}, []string{"chan-slices"}},
	{"MPSC, 100 × 1", "queue", "MPSC/elem=int64/producers=100/consumers=1", "payoff-mpsc", [2]float64{2, 4}, [2]float64{1.2, 1.2}, nil},
	{"", "queue", "MPSC/elem=item64/producers=100/consumers=1", "payoff-mpsc", [2]float64{2, 4}, [2]float64{1.2, 1.2}, nil},
	{"MPMC, 2 × 2", "queue", "MPMC/elem=int64/producers=2/consumers=2", "payoff-mpmc", [2]float64{1.3, 2}, [2]float64{0, 1.2}, nil},
	{"", "queue", "MPMC/elem=item64/producers=2/consumers=2", "payoff-mpmc", [2]float64{1.3, 2}, [2]float64{0, 1.2}, nil},
	{"MPMC, 1 × 100", "queue", "MPMC/elem=int64/producers=1/consumers=100", "payoff-mpmc", [2]float64{1.3, 2}, [2]float64{0, 1.2}, nil},
	{"", "queue", "MPMC/elem=item64/producers=1/consumers=100", "payoff-mpmc", [2]float64{1.3, 2}, [2]float64{0, 1.2}, nil},
	{"MPMC, 100 × 1", "queue", "MPMC/elem=int64/producers=100/consumers=1", "payoff-mpmc", [2]float64{1.3, 2}, [2]float64{0, 1.2}, nil},
	{"", "queue", "MPMC/elem=item64/producers=100/consumers=1", "payoff-mpmc", [2]float64{1.3, 2}, [2]float64{0, 1.2}, nil},
	{"MPMC, 100 × 100", "queue", "MPMC/elem=int64/producers=100/consumers=100", "payoff-mpmc", [2]float64{1.3, 1.5}, [2]float64{1, 1}, nil},
	{"", "queue", "MPMC/elem=item64/producers=100/consumers=100", "payoff-mpmc", [2]float64{1.3, 1.5}, [2]float64{1, 1}, nil},
	{"ping-pong over two SPSC", "queue", "PingPong/elem=int64", "payoff-spsc", [2]float64{0.95, 0.95}, [2]float64{1.3, 1.3}, nil},
	{"ping-pong over two MPSC", "queue", "PingPong/elem=int64", "payoff-mpsc", [2]float64{0.95, 0.95}, [2]float64{1.3, 1.3}, nil},
	{"ping-pong over two MPMC", "queue", "PingPong/elem=int64", "payoff-mpmc", [2]float64{0.95, 0.95}, [2]float64{1.3, 1.3}, nil},
	{"two stages of 47 ns over an SPSC, against the serial loop", "twostage", "TwoStage/work=47", "payoff-spsc", [2]float64{0, 1.4}, [2]float64{}, nil},
	{"counter.Int, uncontended", "counter", "Add/goroutines=1", "payoff", [2]float64{0.9, 0.9}, [2]float64{1, 1}, []string{"xsync"}},
	{"counter.Int, contended", "counter", "Add/goroutines=2", "payoff", [2]float64{0, 3}, [2]float64{0, 1}, []string{"xsync"}},
	{"recycle.Pool, the article's struct", "recycle", "Struct/goroutines=1", "payoff", [2]float64{5, 5}, [2]float64{1, 1}, []string{"syncpool"}},
	{"", "recycle", "Struct/goroutines=2", "payoff", [2]float64{5, 5}, [2]float64{1, 1}, []string{"syncpool"}},
	{"", "recycle", "Struct/goroutines=64", "payoff", [2]float64{5, 5}, [2]float64{1, 1}, []string{"syncpool"}},
}

// waitGoals are those of records since waits.
var waitGoals = []goal{
	{"MPSC, 100 senders that compute for 30 ns", "queue", "Senders/work=30", "payoff-mpsc", [2]float64{1, 1}, [2]float64{1, 1}, allPeers},
	{"… for 100 ns", "queue", "Senders/work=100", "payoff-mpsc", [2]float64{1, 1}, [2]float64{1, 1}, allPeers},
	{"… for 2 µs, through a buffer of 16", "queue", "SmallBuffer/work=2000/capacity=16", "payoff-mpsc", [2]float64{0.9, 1}, [2]float64{}, nil},
	{"", "queue", "SmallBuffer/work=2000/capacity=16", "payoff-mpmc", [2]float64{0.9, 1}, [2]float64{}, nil},
	{"three stages of 10 µs", "queue", "Stages/work=10000", "payoff-spsc", [2]float64{0, 1}, [2]float64{0, 1}, allPeers},
}

// allPeers are the peers where a serial loop is measured as well.
var allPeers = []string{"mutexring", "workiva", "lscq", "xsync-mpmc", "xsync-spsc", "xsync-umpsc"}

// goalsTable sets what was to be reached beside what was.
func goalsTable(t *testing.T, dir string) string {
	var b strings.Builder
	fmt.Fprintln(&b, "| goal | benchmark | GOMAXPROCS | over the base | wanted | over the best peer | wanted | |")
	fmt.Fprintln(&b, "| --- | --- | ---: | --- | --- | --- | --- | --- |")
	runs := map[string]peersRun{}
	wanted := goals
	if made(dir) >= waits {
		wanted = slices.Concat(goals, waitGoals)
	}
	for _, g := range wanted {
		p, ok := runs[g.run]
		if !ok {
			p = loadPeers(t, filepath.Join(dir, g.run))
			runs[g.run] = p
		}
		found := false
		for _, s := range p.series {
			for i, f := range s.Families {
				if f.Name != g.family {
					continue
				}
				found = true
				for k, procs := range s.Procs {
					if k < 2 && (g.base[k] > 0 || g.peer[k] > 0) {
						g.row(t, &b, p, s, i, k, procs)
					}
				}
			}
		}
		if !found {
			t.Errorf("%s: no %s in the run %s", dir, g.family, g.run)
		}
	}
	return b.String()
}

func (g goal) row(t *testing.T, b *strings.Builder, p peersRun, s *measure.Series, family, k, procs int) {
	f := s.Families[family]
	ours := slices.IndexFunc(f.Members, func(m discover.Member) bool { return m.Variant == g.ours })
	if ours < 0 {
		t.Fatalf("no variant %s in %s", g.ours, f.Name)
	}
	overBase, ok := p.compare(s, family, ours, f.Base, procs)
	if !ok {
		t.Fatalf("%s at %d: no figure", f.Name, procs)
	}
	// The best peer is the one whose ratio to ours is the highest.
	var overPeer judge.Verdict
	peer := ""
	for j, m := range f.Members {
		is := g.peers == nil && j != f.Base && !strings.HasPrefix(m.Variant, "payoff") || slices.Contains(g.peers, m.Variant)
		if !is || g.peer[k] == 0 {
			continue
		}
		if v, ok := p.compare(s, family, ours, j, procs); ok && (peer == "" || v.Ratio < overPeer.Ratio) {
			overPeer, peer = v, m.Variant
		}
	}
	met := "met"
	cell := func(v judge.Verdict, want float64, suffix string) (string, string) {
		if want == 0 {
			return "", ""
		}
		if v.Ratio < want {
			met = "short"
		}
		return ratio(v.Estimate) + suffix, fmt.Sprintf("%g", want)
	}
	got, want := cell(overBase, g.base[k], "")
	gotPeer, wantPeer := cell(overPeer, g.peer[k], " "+peer)
	fmt.Fprintf(b, "| %s | %s | %d | %s | %s | %s | %s | %s |\n", g.what, f.Name, procs, got, want, gotPeer, wantPeer, met)
}

// textTable has the medians of units in a file of Go benchmark results, with
// the least and the most, and how many times as much the base's median is.
func textTable(t *testing.T, file, base string, units ...string) string {
	x := readText(t, file, units)
	var b strings.Builder
	fmt.Fprintf(&b, "| benchmark-GOMAXPROCS | runs | %s |\n| --- | ---: |%s\n", strings.Join(units, " | "), strings.Repeat(" --- |", len(units)))
	for _, name := range x.names {
		fmt.Fprintf(&b, "| %s |", name)
		variant, _, _ := strings.Cut(name[strings.Index(name, "variant=")+len("variant="):], "/")
		variant = strings.TrimSuffix(strings.TrimSuffix(variant, "-1"), "-2")
		for i, u := range units {
			own := x.of(name, u)
			if i == 0 {
				fmt.Fprintf(&b, " %d |", len(own))
			}
			if len(own) == 0 {
				b.WriteString(" |")
				continue
			}
			fmt.Fprintf(&b, " %.4g [%.4g, %.4g]", center(own), slices.Min(own), slices.Max(own))
			if theirs := x.of(strings.Replace(name, "variant="+variant, "variant="+base, 1), u); variant != base && len(theirs) > 0 {
				fmt.Fprintf(&b, ", %.2f×", center(theirs)/center(own))
			}
			b.WriteString(" |")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// metrics are what a file of Go benchmark results has of some units.
type metrics struct {
	names   []string // with the number of processors, in the order of the file
	samples map[[2]string][]float64
}

// of returns the samples of a benchmark in a unit.
func (x metrics) of(name, unit string) []float64 { return x.samples[[2]string{name, unit}] }

func readText(t *testing.T, file string, units []string) metrics {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	x := metrics{samples: map[[2]string][]float64{}}
	for r := benchfmt.NewReader(bytes.NewReader(data), file); r.Scan(); {
		res, ok := r.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		name := string(res.Name.Full())
		if !strings.HasSuffix(name, "-2") {
			name += "-1" // go test leaves it out
		}
		if !slices.Contains(x.names, name) {
			x.names = append(x.names, name)
		}
		for _, u := range units {
			// Results come in base units: sec for ns.
			one, tidy := benchunit.Tidy(1, u)
			if v, ok := res.Value(tidy); ok {
				k := [2]string{name, u}
				x.samples[k] = append(x.samples[k], v/one)
			}
		}
	}
	return x
}

// center is the median of samples.
func center(x []float64) float64 {
	return benchmath.AssumeNothing.Summary(benchmath.NewSample(x, &benchmath.DefaultThresholds), 0.95).Center
}

// A goalRange is what a block has to reach in all families of a range: so many
// times the speed of the base at 1 and 2 processors, and of each peer.
type goalRange struct {
	what, run string
	family    string // a regexp
	base      [2]float64
	peer      [2]float64
	peers     []string // nil: all that are neither ours nor the base
}

// longer matches families of benchmarks that take at least so long.
const (
	halfMicro = `^(For/work=1/n=10{3,}|For/work=10/n=10{2,}|For/work=100/n=10+|For/work=10{3,}/|Reduce/n=10{3,}|Map/n=10+)`
	quarterMs = `^(For/work=1/n=10{6,}|For/work=10/n=10{5,}|For/work=100/n=10{4,}|For/work=1000/n=10{3,}|For/work=10{6}/n=10|Reduce/n=10{6,}|Map/n=10{4,})`
)

var parGoals = []goalRange{
	{"recursions, 10 ns and more for each fork", "par-body", `/work=(10|50|200|1000)/total=10{3,}$`, [2]float64{0.97, 0.97}, [2]float64{}, nil},
	{"… of 100 µs", "par-body", `/work=(10|50|200|1000)/total=100000$`, [2]float64{0, 1.3}, [2]float64{}, nil},
	{"… of 1 ms and more", "par-body", `/work=(10|50|200|1000)/total=10{6,}$`, [2]float64{0, 1.75}, [2]float64{}, nil},
	{"recursions, 2.5 ns for each fork", "par-body", `/work=2.5/total=10{3,}$`, [2]float64{0.9, 0.9}, [2]float64{}, nil},
	{"tree sum and fib, 1.3 to 3.5 ns for each fork", "par-fork", `^(Tree/n=(1023|[0-9]{4,})|Fib/n=(20|25|30|35))$`, [2]float64{0.9, 0.9}, [2]float64{}, nil},
	{"… of 50 to 500 µs", "par-fork", `^(Tree/n=(16383|65535)|Fib/n=25)$`, [2]float64{0, 1.3}, [2]float64{}, nil},
	{"… of 1 ms and more", "par-fork", `^(Tree/n=[0-9]{6,}|Fib/n=(30|35))$`, [2]float64{0, 1.75}, [2]float64{}, nil},
	{"quicksort, walk of a file tree", "par-fork", `^(Quicksort|Walk)/`, [2]float64{0.97, 0.97}, [2]float64{}, nil},
	{"… quicksort of 500 µs", "par-fork", `^Quicksort/n=10000$`, [2]float64{0, 1.3}, [2]float64{}, nil},
	{"… of 1 ms and more", "par-fork", `^(Quicksort|Walk)/n=10{5,}$`, [2]float64{0, 1.75}, [2]float64{}, nil},
	{"n-queens, argument of 20 bytes", "par-fork", `^Queens/`, [2]float64{0.95, 0.95}, [2]float64{}, nil},
	{"… 10 queens, 300 µs", "par-fork", `^Queens/n=10$`, [2]float64{0, 1.3}, [2]float64{}, nil},
	{"… 12 queens, 7 ms", "par-fork", `^Queens/n=12$`, [2]float64{0, 1.75}, [2]float64{}, nil},
	{"the article's merge sort; peers are all thresholds", "par-merge", `^Merge/`, [2]float64{0.95, 0}, [2]float64{0, 1}, nil},
	{"loops of 0.5 µs and more", "par-loops", halfMicro, [2]float64{0.97, 0.97}, [2]float64{}, nil},
	{"loops of 250 µs and more", "par-loops", quarterMs, [2]float64{0, 1.7}, [2]float64{}, nil},
	{"loops with one element 1000 times as long", "par-loops", `^ForSkew/`, [2]float64{}, [2]float64{0, 1}, nil},
	{"sort of ints, all orders and sizes", "par-sort", `^Sort/elem=int64/`, [2]float64{1, 1}, [2]float64{1, 1}, nil},
	{"sorts in processes of 400 ms: ints, random, 1M", "par-long", `^Sort/elem=int64/order=random/n=1000000$`, [2]float64{2.5, 5}, [2]float64{1, 1}, nil},
	{"… float64, 1M", "par-long", `^Sort/elem=float64/order=random/n=1000000$`, [2]float64{1, 3}, [2]float64{1, 1}, nil},
	{"… strings, 1M", "par-long", `^Sort/elem=string/order=random/n=1000000$`, [2]float64{1, 2}, [2]float64{1, 1}, nil},
	{"… SortFunc, structs of 32 bytes, 1M", "par-long", `^SortFunc/elem=struct32/.*/n=1000000$`, [2]float64{1, 2}, [2]float64{1, 1}, nil},
	{"… SortStableFunc, structs of 32 bytes, 1M", "par-long", `^SortStableFunc/.*/n=1000000$`, [2]float64{1, 3.4}, [2]float64{}, nil},
}

// shapes is since when records have sorts of strings of common shapes, and of
// structs by a string and by what is none of their fields; and loops that come
// seldom, or are cheap and dear in turn.
const shapes = "2026-11-22"

// shapeGoals are those of records since shapes.
var shapeGoals = []goalRange{
	{"cheap and dear loops through one function", "par-loops", `^MixedCalls/`, [2]float64{0.97, 1.2}, [2]float64{0, 1}, nil},
	{"words of 200 lines and more, counted into maps", "par-loops", `^Words/n=20{2,}$`, [2]float64{0.95, 0.95}, [2]float64{}, nil},
	{"… of 20,000 and more", "par-loops", `^Words/n=20{4,}$`, [2]float64{0, 1.5}, [2]float64{0, 0.9}, nil},
	{"… strings of common shapes: URLs, paths, compounds, 1M", "par-long", `^Sort/elem=string/order=(url|path|compound)/n=1000000$`, [2]float64{1, 2.5}, [2]float64{1, 1}, nil},
	{"… SortFunc, structs of 40 bytes by a string, 1M", "par-long", `^SortFunc/elem=struct40/.*/n=1000000$`, [2]float64{1, 3.3}, [2]float64{1, 1}, nil},
	{"… SortFunc, points by their distance, 1M", "par-long", `^SortFunc/elem=point/.*/n=1000000$`, [2]float64{1, 1.75}, [2]float64{1, 1}, nil},
}

// rangesTable has a row for each goal, with how often it is met and the family
// that is farthest from it.
func rangesTable(t *testing.T, dir string, wanted []goalRange) string {
	var b strings.Builder
	fmt.Fprintln(&b, "| goal | GOMAXPROCS | over serial code | met in | plainly missed in | lowest | over each peer | met in | plainly missed in | lowest |")
	fmt.Fprintln(&b, "| --- | ---: | ---: | --- | ---: | --- | ---: | --- | ---: | --- |")
	runs := map[string]peersRun{}
	for _, g := range wanted {
		p, ok := runs[g.run]
		if !ok {
			p = loadPeers(t, filepath.Join(dir, g.run))
			runs[g.run] = p
		}
		for k, procs := range []int{1, 2} {
			if g.base[k] == 0 && g.peer[k] == 0 {
				continue
			}
			base := g.tally(t, p, procs, g.base[k], true)
			peer := g.tally(t, p, procs, g.peer[k], false)
			fmt.Fprintf(&b, "| %s | %d | %s | %s |\n", g.what, procs, base, peer)
		}
	}
	return b.String()
}

// tally compares payoff with the base, or with the strongest peer, in each family.
// A goal is plainly missed where the whole interval lies below it.
func (g goalRange) tally(t *testing.T, p peersRun, procs int, want float64, base bool) string {
	if want == 0 {
		return " | | | "
	}
	family := regexp.MustCompile(g.family)
	met, missed, all, lowest, which := 0, 0, 0, judge.Verdict{}, ""
	for _, s := range p.series {
		for i, f := range s.Families {
			ours := slices.IndexFunc(f.Members, func(m discover.Member) bool { return m.Variant == "payoff" })
			if !family.MatchString(f.Name) || f.Base < 0 || ours < 0 {
				continue
			}
			worst, name := judge.Verdict{}, ""
			for j, m := range f.Members {
				if base != (j == f.Base) || strings.HasPrefix(m.Variant, "payoff") ||
					!base && g.peers != nil && !slices.Contains(g.peers, m.Variant) {
					continue
				}
				// Two that were never sampled in one round have no ratio.
				if v, ok := p.compare(s, i, ours, j, procs); ok && !math.IsNaN(v.Ratio) && (name == "" || v.Ratio < worst.Ratio) {
					worst, name = v, m.Variant
				}
			}
			if name == "" {
				continue
			}
			all++
			if worst.Ratio >= want {
				met++
			}
			if worst.High < want {
				missed++
			}
			if which == "" || worst.Ratio < lowest.Ratio {
				lowest, which = worst, f.Name
				if !base {
					which += " (" + name + ")"
				}
			}
		}
	}
	if all == 0 {
		if base {
			t.Errorf("%s: no family of %s matches %s", g.what, g.run, g.family)
		}
		return " | | | "
	}
	return fmt.Sprintf("%g | %d of %d | %d | %s %s", want, met, all, missed, ratio(lowest.Estimate), which)
}
