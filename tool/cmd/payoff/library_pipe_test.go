package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/discover"
)

// TestLibraryPipes: the tables about pipelines and pools beside their peers are made
// from the raw results of those records that have them.
func TestLibraryPipes(t *testing.T) {
	dirs, err := filepath.Glob("../../../record/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		for name, text := range pipeTables(t, dir) {
			golden(t, filepath.Join(dir, name), text)
		}
	}
}

// pipeTables are the tables of the pipelines of a record, and of its pools, where it
// has them.
func pipeTables(t *testing.T, dir string) map[string]string {
	tables := map[string]string{}
	if has(dir, "pipe") {
		for _, run := range []string{"pipe", "pipe-long"} {
			tables[run+".md"] = peersTable(t, filepath.Join(dir, run))
		}
		tables["pipe-goals.md"] = strings.Join([]string{rangesTable(t, dir, pipeGoals), addedTable(t, dir),
			metricsTable(t, dir, pipeMetrics), waitsTable(t, filepath.Join(dir, "pipe-waits.txt")), loadsTable(t, dir, pipeUnits)}, "\n")
		tables["pipe-latency.md"] = textTable(t, filepath.Join(dir, "pipe-latency.txt"), "chan-1000", "p50-ns", "p99-ns")
		tables["pipe-waits.md"] = textTable(t, filepath.Join(dir, "pipe-waits.txt"), "serial", "ns/op", "first-ns")
		tables["pipe-allocs.md"] = textTable(t, filepath.Join(dir, "pipe-allocs.txt"), "serial", "allocs/item", "B/item")
	}
	if has(dir, "pool") {
		tables["pool.md"] = peersTable(t, filepath.Join(dir, "pool"))
		tables["pool-goals.md"] = strings.Join([]string{rangesTable(t, dir, poolGoals), sharesTable(t, filepath.Join(dir, "pool-sized.txt")),
			metricsTable(t, dir, poolMetrics), loadsTable(t, dir, poolUnits)}, "\n")
		tables["pool-sized.md"] = textTable(t, filepath.Join(dir, "pool-sized.txt"), "none", "steady-tasks/s", "cold-tasks/s", "workers")
		tables["pool-allocs.md"] = textTable(t, filepath.Join(dir, "pool-allocs.txt"), "serial", "allocs/task", "B/task")
	}
	for name, most := range map[string]float64{"pool-bursts": 1.15, "pool-cold": 1.5} {
		if has(dir, name+".txt") {
			tables[name+".md"] = burstsTable(t, filepath.Join(dir, name+".txt"), most)
		}
	}
	return tables
}

// has reports whether a record has the folder of a run, or a file.
func has(dir, run string) bool {
	_, err := os.Stat(filepath.Join(dir, run))
	return err == nil
}

var pipeGoals = []goalRange{
	{"three stages, no work", "pipe", `^Stages/work=0$`, [2]float64{0.85, 0.9}, [2]float64{1, 1}, nil},
	{"… 95 ns an item", "pipe", `^Stages/work=95$`, [2]float64{0.97, 1.9}, [2]float64{1, 1}, nil},
	{"… 1 µs", "pipe-long", `^Stages/work=1000$`, [2]float64{0.99, 1.95}, [2]float64{1, 1}, nil},
	{"… 10 µs", "pipe-long", `^Stages/work=10000$`, [2]float64{0.99, 1.95}, [2]float64{1, 1}, nil},
	{"a run of 1 item of 17 ns", "pipe", `^Small/n=1$`, [2]float64{}, [2]float64{0, 1}, nil},
	{"… of 10 items", "pipe", `^Small/n=10$`, [2]float64{0, 0.5}, [2]float64{0, 1}, nil},
	{"… of 100", "pipe", `^Small/n=100$`, [2]float64{0, 0.9}, [2]float64{0, 1}, nil},
	{"… of 1,000", "pipe", `^Small/n=1000$`, [2]float64{0, 0.95}, [2]float64{0, 1}, nil},
	{"… of 10,000", "pipe", `^Small/n=10000$`, [2]float64{0, 1.2}, [2]float64{0, 1}, nil},
	{"from a channel, no work", "pipe", `^Chan/work=0$`, [2]float64{0, 1}, [2]float64{0, 1}, nil},
	{"… 95 ns", "pipe", `^Chan/work=95$`, [2]float64{0, 1.3}, [2]float64{0, 1}, nil},
	{"… 1 µs", "pipe-long", `^Chan/work=1000$`, [2]float64{0, 1.9}, [2]float64{0, 1}, nil},
	{"… 95 ns, without a buffer", "pipe", `^Chan/room=0/work=95$`, [2]float64{0, 1}, [2]float64{0, 1}, nil},
	{"1 % of the items a thousand times as heavy", "pipe", `^Skew/`, [2]float64{0, 1.8}, [2]float64{0, 1}, nil},
	{"the article's pipelines, 1,000,000 items", "pipe", `^Article/`, [2]float64{0, 1}, [2]float64{0, 1}, nil},
}

var poolGoals = []goalRange{
	{"tasks of no work, one by one", "pool", `^Task/work=0$`, [2]float64{}, [2]float64{0, 3}, nil},
	{"… of 100 ns", "pool", `^Task/work=100$`, [2]float64{}, [2]float64{0, 2}, nil},
	{"… of 1 µs", "pool", `^Task/work=1000$`, [2]float64{}, [2]float64{0, 1.2}, nil},
	{"… of 10 µs", "pool", `^Task/work=10000$`, [2]float64{}, [2]float64{0, 1}, nil},
	{"all tasks at once, against the chunked loop", "pool", `^All/`, [2]float64{}, [2]float64{0, 0.95}, []string{"chunked"}},
	{"… against all others", "pool", `^All/`, [2]float64{}, [2]float64{0, 1}, []string{"atomic", "conc-map", "lo"}},
	{"the article's pools, against the best of their sizes", "pool", `^Article/`, [2]float64{}, [2]float64{0, 0.95}, nil},
}

// addedTable says how many nanoseconds a run of one item adds to the serial code.
func addedTable(t *testing.T, dir string) string {
	const family, wanted = "Small/n=1", 150.0
	p := loadPeers(t, filepath.Join(dir, "pipe"))
	var b strings.Builder
	fmt.Fprintln(&b, "| benchmark | GOMAXPROCS | serial | payoff | added | wanted | |")
	fmt.Fprintln(&b, "| --- | ---: | ---: | ---: | ---: | ---: | --- |")
	found := false
	for _, s := range p.series {
		for i, f := range s.Families {
			ours := slices.IndexFunc(f.Members, func(m discover.Member) bool { return m.Variant == "payoff" })
			if f.Name != family || f.Base < 0 || ours < 0 {
				continue
			}
			found = true
			for _, procs := range s.Procs {
				v, ok := p.compare(s, i, ours, f.Base, procs)
				if !ok {
					t.Errorf("%s at %d: no figure", family, procs)
					continue
				}
				added := v.Wall - v.BaseWall
				fmt.Fprintf(&b, "| %s | %d | %s | %s | %s | ≤ %s | %s |\n", f.Name, procs, nanoseconds(v.BaseWall), nanoseconds(v.Wall),
					nanoseconds(added), nanoseconds(wanted), met(added <= wanted))
			}
		}
	}
	if !found {
		t.Errorf("%s: no %s in the run pipe", dir, family)
	}
	return b.String()
}

// A loadUnit is how many items, or tasks, an op of a family has.
type loadUnit struct {
	run, family, of string
	n               float64
}

var pipeUnits = []loadUnit{
	{"pipe", "Stages/work=0", "item", 100_000},
	{"pipe", "Stages/work=95", "item", 100_000},
	{"pipe-long", "Stages/work=1000", "item", 100_000},
	{"pipe-long", "Stages/work=10000", "item", 100_000},
	{"pipe", "Small/n=10000", "item", 10_000},
	{"pipe", "Chan/work=0", "item", 100_000},
	{"pipe", "Chan/room=0/work=95", "item", 100_000},
	{"pipe", "Skew/work=95", "item", 10_000},
	{"pipe", "Article/n=1000000", "item", 1_000_000},
}

var poolUnits = []loadUnit{
	{"pool", "Task/work=0", "task", 10_000},
	{"pool", "Task/work=100", "task", 10_000},
	{"pool", "Task/work=1000", "task", 10_000},
	{"pool", "Task/work=10000", "task", 10_000},
	{"pool", "Article/kind=cpu", "task", 100},
}

// loadsTable says what the serial loop and ours really took for an item: names of
// loads are round numbers.
func loadsTable(t *testing.T, dir string, units []loadUnit) string {
	var b strings.Builder
	fmt.Fprintln(&b, "| benchmark | GOMAXPROCS | serial | payoff | |")
	fmt.Fprintln(&b, "| --- | ---: | ---: | ---: | --- |")
	runs := map[string]peersRun{}
	for _, u := range units {
		p, ok := runs[u.run]
		if !ok {
			p = loadPeers(t, filepath.Join(dir, u.run))
			runs[u.run] = p
		}
		found := false
		for _, s := range p.series {
			for i, f := range s.Families {
				ours := slices.IndexFunc(f.Members, func(m discover.Member) bool { return m.Variant == "payoff" })
				if f.Name != u.family || f.Base < 0 || ours < 0 {
					continue
				}
				for _, procs := range s.Procs {
					if v, ok := p.compare(s, i, ours, f.Base, procs); ok {
						found = true
						fmt.Fprintf(&b, "| %s | %d | %s | %s | each %s |\n", f.Name, procs, nanoseconds(v.BaseWall/u.n), nanoseconds(v.Wall/u.n), u.of)
					}
				}
			}
		}
		if !found {
			t.Errorf("%s: no figure of %s in the run %s", dir, u.family, u.run)
		}
	}
	return b.String()
}

// waitsTable sets ours beside the best of the peers with each of the sizes that were
// picked for them, for each load: its first run, and one that knows from others how many
// wait. The best has the lowest median.
func waitsTable(t *testing.T, file string) string {
	const unit, first = "ns/op", "first-ns"
	const wantLater, wantFirst = 0.95, 0.85
	x := readText(t, file, []string{unit, first})
	type row struct{ load, size string }
	type best struct {
		peer string
		ns   float64
	}
	var rows []row
	bests := map[row]best{}
	for _, name := range x.names {
		variant, load, ok := strings.Cut(strings.TrimPrefix(name, "Waits/variant="), "/load=")
		dash := strings.LastIndex(variant, "-")
		if !ok || dash < 0 {
			continue // serial, ours
		}
		if _, err := strconv.Atoi(variant[dash+1:]); err != nil {
			continue
		}
		r := row{load, variant[dash+1:]}
		m, known := bests[r]
		if !known {
			rows = append(rows, r)
		}
		if own := center(x.of(name, unit)); !known || own < m.ns {
			bests[r] = best{variant, own}
		}
	}
	var b strings.Builder
	fmt.Fprintln(&b, "| load-GOMAXPROCS | best peer of its size | takes | payoff, later | over it | wanted | payoff, first | over it | wanted | |")
	fmt.Fprintln(&b, "| --- | --- | ---: | --- | ---: | ---: | --- | ---: | ---: | --- |")
	for _, r := range rows {
		ours := "Waits/variant=payoff/load=" + r.load
		l, f := x.of(ours, unit), x.of(ours, first)
		if len(l) == 0 || len(f) == 0 {
			t.Errorf("%s: no figure of ours under %s", file, r.load)
			continue
		}
		later, cold := bests[r].ns/center(l), bests[r].ns/center(f)
		fmt.Fprintf(&b, "| %s | %s | %.3g ms | %s ms | %.2f× | %g | %s ms | %.2f× | %g | %s |\n", r.load, bests[r].peer, bests[r].ns/1e6,
			spread(scaled(l, 1e-6)), later, wantLater, spread(scaled(f, 1e-6)), cold, wantFirst, met(later >= wantLater && cold >= wantFirst))
	}
	if len(rows) == 0 {
		t.Errorf("%s: no peers with a size", file)
	}
	return b.String()
}

// burstsTable has a row for each kind of burst: how long errgroup takes for one, and how
// many times as long each of ours.
func burstsTable(t *testing.T, file string, most float64) string {
	const base = "errgroup"
	unit := "burst-ns"
	if strings.HasSuffix(file, "-cold.txt") {
		unit = "cold-ns"
	}
	x := readText(t, file, []string{unit})
	var loads, ours []string
	for _, name := range x.names {
		_, rest, _ := strings.Cut(name, "variant=")
		variant, load, _ := strings.Cut(rest, "/")
		if !slices.Contains(loads, load) {
			loads = append(loads, load)
		}
		if variant != base && !slices.Contains(ours, variant) {
			ours = append(ours, variant)
		}
	}
	of := func(variant, load string) []float64 {
		family, _, _ := strings.Cut(x.names[0], "/")
		return x.of(family+"/variant="+variant+"/"+load, unit)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| burst-GOMAXPROCS | %s | %s | wanted | |\n", base, strings.Join(ours, " | "))
	fmt.Fprintf(&b, "| --- | ---: |%s ---: | --- |\n", strings.Repeat(" ---: |", len(ours)))
	for _, load := range loads {
		fmt.Fprintf(&b, "| %s | %.3g ms |", load, center(of(base, load))/1e6)
		all := true
		for _, v := range ours {
			ratio := center(of(v, load)) / center(of(base, load))
			all = all && ratio <= most
			fmt.Fprintf(&b, " %.2f |", ratio)
		}
		fmt.Fprintf(&b, " ≤ %g | %s |\n", most, met(all))
	}
	return b.String()
}

func scaled(x []float64, by float64) []float64 {
	y := slices.Clone(x)
	for i := range y {
		y[i] *= by
	}
	return y
}

func met(ok bool) string {
	if ok {
		return "met"
	}
	return "short"
}

// A metricGoal is the most that a figure of ours may be: so many times that of
// another variant, and so much more.
type metricGoal struct {
	file, unit string
	ours       string // the benchmark's name holds variant=ours/
	than       string // another variant; "": none
	times, add float64
}

var pipeMetrics = []metricGoal{
	{"pipe-latency.txt", "p50-ns", "payoff", "chan-1000", 1, 2000},
	{"pipe-latency.txt", "p99-ns", "payoff", "chan-1000", 2, 0},
	{"pipe-allocs.txt", "allocs/item", "payoff", "", 0, 0.005},
}

var poolMetrics = []metricGoal{
	{"pool-allocs.txt", "allocs/task", "payoff-kept", "", 0, 0.005},
}

// metricsTable has a row for each benchmark of ours in the goals' files, with
// medians.
func metricsTable(t *testing.T, dir string, goals []metricGoal) string {
	var b strings.Builder
	fmt.Fprintln(&b, "| benchmark-GOMAXPROCS | unit | payoff | other | wanted | |")
	fmt.Fprintln(&b, "| --- | --- | --- | --- | ---: | --- |")
	for _, g := range goals {
		x := readText(t, filepath.Join(dir, g.file), []string{g.unit})
		found := false
		for _, name := range x.names {
			own := x.of(name, g.unit)
			if !strings.Contains(name, "variant="+g.ours+"/") || len(own) == 0 {
				continue
			}
			found = true
			other, most := "", g.add
			if g.than != "" {
				theirs := x.of(strings.Replace(name, "variant="+g.ours, "variant="+g.than, 1), g.unit)
				if len(theirs) == 0 {
					t.Errorf("%s: no %s beside %s", g.file, g.than, name)
					continue
				}
				other = spread(theirs) + " " + g.than
				most += g.times * center(theirs)
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | ≤ %.4g | %s |\n", name, g.unit, spread(own), other, most, met(center(own) <= most))
		}
		if !found {
			t.Errorf("%s: no benchmark of %s in %s", g.file, g.ours, g.unit)
		}
	}
	return b.String()
}

// spread is a median with the least and the most.
func spread(x []float64) string {
	return fmt.Sprintf("%.4g [%.4g, %.4g]", center(x), slices.Min(x), slices.Max(x))
}

// sharesTable sets the pool that sizes itself beside the best of the fixed sizes,
// for each load. The best is the highest of the medians.
func sharesTable(t *testing.T, file string) string {
	const steady, cold, workers = "steady-tasks/s", "cold-tasks/s", "workers"
	const wantSteady, wantCold = 0.95, 0.85
	x := readText(t, file, []string{steady, cold, workers})
	type best struct {
		size  int
		tasks float64
	}
	bests := map[string]best{} // by load
	for _, name := range x.names {
		_, rest, ok := strings.Cut(name, "variant=fixed-")
		size, load, okToo := strings.Cut(rest, "/")
		if !ok || !okToo {
			continue
		}
		n, err := strconv.Atoi(size)
		if err != nil {
			t.Errorf("%s: %s: %v", file, name, err)
			continue
		}
		if own := x.of(name, steady); len(own) > 0 && center(own) > bests[load].tasks {
			bests[load] = best{n, center(own)}
		}
	}
	var b strings.Builder
	fmt.Fprintln(&b, "| load-GOMAXPROCS | best size | its tasks/s | share, steady | wanted | share, from cold | wanted | workers at the end | |")
	fmt.Fprintln(&b, "| --- | ---: | ---: | --- | ---: | --- | ---: | --- | --- |")
	rows := 0
	for _, name := range x.names {
		_, load, ok := strings.Cut(name, "variant=payoff/")
		if !ok {
			continue
		}
		s, c, w := x.of(name, steady), x.of(name, cold), x.of(name, workers)
		m := bests[load]
		if m.size == 0 || len(s) == 0 || len(c) == 0 {
			t.Errorf("%s: %s: no figure, or none of a fixed size", file, name)
			continue
		}
		rows++
		atEnd := ""
		if len(w) > 0 {
			atEnd = spread(w)
		}
		fmt.Fprintf(&b, "| %s | %d | %.4g | %s | %g | %s | %g | %s | %s |\n", strings.TrimPrefix(load, "load="), m.size, m.tasks,
			share(s, m.tasks), wantSteady, share(c, m.tasks), wantCold, atEnd,
			met(center(s) >= wantSteady*m.tasks && center(c) >= wantCold*m.tasks))
	}
	if rows == 0 {
		t.Errorf("%s: no pool that sizes itself", file)
	}
	return b.String()
}

// share is spread in parts of whole.
func share(x []float64, whole float64) string {
	return fmt.Sprintf("%.2f [%.2f, %.2f]", center(x)/whole, slices.Min(x)/whole, slices.Max(x)/whole)
}

// A record without runs of pipelines and pools has no tables of them, and one with
// them has all.
func TestPipeTablesNone(t *testing.T) {
	if got := pipeTables(t, t.TempDir()); len(got) > 0 {
		t.Errorf("pipeTables of nothing = %v", got)
	}
}

// What the tables of metrics say of made results: which goals are met, and by what.
func TestPipeTables(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("pool-sized.txt", `
BenchmarkSized/variant=fixed-1/load=cpu-2 1 1 ns/op 100 steady-tasks/s 1 workers
BenchmarkSized/variant=fixed-2/load=cpu-2 1 1 ns/op 200 steady-tasks/s 2 workers
BenchmarkSized/variant=fixed-4/load=cpu-2 1 1 ns/op 190 steady-tasks/s 4 workers
BenchmarkSized/variant=payoff/load=cpu-2 1 1 ns/op 180 cold-tasks/s 196 steady-tasks/s 2 workers
BenchmarkSized/variant=fixed-1/load=io1-10ms-2 1 1 ns/op 10 steady-tasks/s 1 workers
BenchmarkSized/variant=fixed-1024/load=io1-10ms-2 1 1 ns/op 1000 steady-tasks/s 1024 workers
BenchmarkSized/variant=payoff/load=io1-10ms-2 1 1 ns/op 840 cold-tasks/s 990 steady-tasks/s 900 workers
BenchmarkSized/variant=payoff/load=io1-10ms-2 1 1 ns/op 820 cold-tasks/s 970 steady-tasks/s 900 workers
BenchmarkSized/variant=payoff/load=io1-10ms-2 1 1 ns/op 900 cold-tasks/s 980 steady-tasks/s 901 workers
`)
	got := sharesTable(t, filepath.Join(dir, "pool-sized.txt"))
	for _, want := range []string{
		"| cpu-2 | 2 | 200 | 0.98 [0.98, 0.98] | 0.95 | 0.90 [0.90, 0.90] | 0.85 | 2 [2, 2] | met |\n",
		"| io1-10ms-2 | 1024 | 1000 | 0.98 [0.97, 0.99] | 0.95 | 0.84 [0.82, 0.90] | 0.85 | 900 [900, 901] | short |\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("sharesTable =\n%s\nwant a row\n%s", got, want)
		}
	}

	write("pipe-waits.txt", `
BenchmarkWaits/variant=serial/load=io-2 1 11000000000 ns/op
BenchmarkWaits/variant=payoff/load=io-2 1 40000000 ns/op 80000000 first-ns
BenchmarkWaits/variant=rill-16/load=io-2 1 200000000 ns/op
BenchmarkWaits/variant=conc-map-16/load=io-2 1 160000000 ns/op
BenchmarkWaits/variant=rill-512/load=io-2 1 40000000 ns/op
`)
	got = waitsTable(t, filepath.Join(dir, "pipe-waits.txt"))
	for _, want := range []string{
		"| io-2 | conc-map-16 | 160 ms | 40 [40, 40] ms | 4.00× | 0.95 | 80 [80, 80] ms | 2.00× | 0.85 | met |\n",
		"| io-2 | rill-512 | 40 ms | 40 [40, 40] ms | 1.00× | 0.95 | 80 [80, 80] ms | 0.50× | 0.85 | short |\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("waitsTable =\n%s\nwant a row\n%s", got, want)
		}
	}

	write("pipe-latency.txt", `
BenchmarkLatency/variant=chan-1000/period=5ms/burst=1-2 100 5000000 ns/op 1500 p50-ns 9000 p99-ns
BenchmarkLatency/variant=payoff/period=5ms/burst=1-2 100 5000000 ns/op 3500 p50-ns 18001 p99-ns
`)
	write("pipe-allocs.txt", `
BenchmarkAllocs/variant=payoff/work=95-2 100 5000000 ns/op 0.0001 allocs/item 0.1 B/item
`)
	got = metricsTable(t, dir, pipeMetrics)
	for _, want := range []string{
		"| Latency/variant=payoff/period=5ms/burst=1-2 | p50-ns | 3500 [3500, 3500] | 1500 [1500, 1500] chan-1000 | ≤ 3500 | met |\n",
		"| p99-ns | 1.8e+04 [1.8e+04, 1.8e+04] | 9000 [9000, 9000] chan-1000 | ≤ 1.8e+04 | short |\n",
		"| Allocs/variant=payoff/work=95-2 | allocs/item | 0.0001 [0.0001, 0.0001] |  | ≤ 0.005 | met |\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("metricsTable =\n%s\nwant a row\n%s", got, want)
		}
	}
}
