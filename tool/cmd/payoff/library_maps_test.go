package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// TestLibraryMaps: the tables about maps beside their peers are made from the raw
// results of those records that have them.
func TestLibraryMaps(t *testing.T) {
	dirs, err := filepath.Glob("../../../record/*/maps")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		dir = filepath.Dir(dir)
		for name, text := range mapTables(t, dir) {
			golden(t, filepath.Join(dir, name), text)
		}
	}
	pages, err := filepath.Glob("../../../record/*/maps-pages*/run.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range pages {
		golden(t, filepath.Dir(file)+".md", peersTable(t, filepath.Dir(file)))
	}
}

func mapTables(t *testing.T, dir string) map[string]string {
	file := func(name string) string { return filepath.Join(dir, name) }
	return map[string]string{
		"maps.md":         peersTable(t, file("maps")),
		"maps-fill.md":    peersTable(t, file("maps-fill")),
		"maps-million.md": textTable(t, file("maps-million.txt"), "snapmap", "ns/op"),
		"maps-take.md":    textTable(t, file("maps-take.txt"), "snapmap", "take-ns", "first-ns", "next-ns"),
		"maps-article.md": textTable(t, file("maps-article.txt"), "none", "views/s", "Mstores/s", "alone-Mstores/s", "kept", "take-p50-ns", "take-p99.9-ns", "take-max-ns"),
		"maps-memory.md":  textTable(t, file("maps-memory.txt"), "snapmap", "B/entry"),
		"maps-diff.md":    textTable(t, file("maps-diff.txt"), "snapmap", "ns/op"),
		"map-goals.md":    strings.Join([]string{speedsTable(t, dir, speedGoals), figuresTable(t, dir, figureGoals), aheadTable(t, dir, "mutex", "snapmap")}, "\n"),
	}
}

// A speedGoal is how many times as fast one map has to be as another, in all families
// of benchmarks that match.
type speedGoal struct {
	what       string
	family     string // a regexp
	ours, peer string
	want       float64
}

// allCells matches what all maps are measured in.
const allCells = `^(Mix|Fill|Range)/`

var speedGoals = []speedGoal{
	{"reads", `^Mix/.*/reads=100$`, "snapmap", "syncmap", 2},
	{"", `^Mix/.*/reads=100$`, "snapmap", "workiva", 10},
	{"", `^Mix/.*/reads=100$`, "snapmap", "xsync", 0.95},
	{"writes, words and pointers", `^Mix/.*/value=(int|pointer)/.*/reads=0$`, "snapmap", "syncmap", 2},
	{"", `^Mix/.*/value=(int|pointer)/.*/reads=0$`, "snapmap", "workiva", 7},
	{"", `^Mix/.*/value=(int|pointer)/.*/reads=0$`, "snapmap", "xsync", 1},
	{"writes, others", `^Mix/.*/value=struct/.*/reads=0$`, "snapmap", "syncmap", 2},
	{"", `^Mix/.*/value=struct/.*/reads=0$`, "snapmap", "workiva", 7},
	{"", `^Mix/.*/value=struct/.*/reads=0$`, "snapmap", "xsync", 0.9},
	{"range", `^Range/`, "snapmap", "syncmap", 5},
	{"", `^Range/`, "snapmap", "xsync", 2},
	{"ctrie, in every cell", allCells, "ctrie", "workiva", 2},
}

// hasMap reports whether a record is of a map: the ctrie came later than snapmap.
func hasMap(t *testing.T, dir, name string) bool {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "maps-memory.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(data), "/variant="+name+"/")
}

// A cell is how one map did against another in one family at one number of processors.
type cell struct {
	name  string
	procs int
	stats.Estimate
}

// cells compare two maps wherever both were measured: in the runs, and with 1,000,000
// keys in the results of go test, where a ratio is of medians, with the lowest and the
// highest of the rounds.
func cells(t *testing.T, dir, ours, peer string, family *regexp.Regexp) (all []cell) {
	for _, run := range []string{"maps", "maps-fill"} {
		p := loadPeers(t, filepath.Join(dir, run))
		for _, s := range p.series {
			for i, f := range s.Families {
				index := func(name string) int {
					return slices.IndexFunc(f.Members, func(m discover.Member) bool { return m.Variant == name })
				}
				a, b := index(ours), index(peer)
				if a < 0 || b < 0 || !family.MatchString(f.Name) {
					continue
				}
				for _, procs := range s.Procs {
					// Two that were never sampled in one round have no ratio.
					if v, ok := p.compare(s, i, a, b, procs); ok && !math.IsNaN(v.Ratio) {
						all = append(all, cell{f.Name, procs, v.Estimate})
					}
				}
			}
		}
	}
	const unit = "ns/op"
	x := readText(t, filepath.Join(dir, "maps-million.txt"), []string{unit})
	for _, name := range x.names {
		theirs := strings.Replace(name, "/variant="+ours+"/", "/variant="+peer+"/", 1)
		plain := strings.Replace(name, "/variant="+ours, "", 1)
		procs := int(plain[len(plain)-1] - '0')
		plain = plain[:len(plain)-len("-1")]
		own, other := x.of(name, unit), x.of(theirs, unit)
		if theirs == name || !family.MatchString(plain) || len(own) == 0 || len(other) == 0 {
			continue
		}
		c := cell{plain, procs, stats.Estimate{Ratio: center(other) / center(own), Low: math.Inf(1), High: math.Inf(-1)}}
		for i := range min(len(own), len(other)) {
			r := other[i] / own[i]
			c.Low, c.High = min(c.Low, r), max(c.High, r)
		}
		all = append(all, c)
	}
	return all
}

// speedsTable has a row for each goal and number of processors.
func speedsTable(t *testing.T, dir string, goals []speedGoal) string {
	var b strings.Builder
	fmt.Fprintln(&b, "| goal | over | GOMAXPROCS | wanted | met in | plainly missed in | mean | lowest | |")
	fmt.Fprintln(&b, "| --- | --- | ---: | ---: | --- | ---: | ---: | --- | --- |")
	what := ""
	for _, g := range goals {
		if g.what != "" {
			what = g.what
		}
		if !hasMap(t, dir, g.ours) {
			continue
		}
		all := cells(t, dir, g.ours, g.peer, regexp.MustCompile(g.family))
		if len(all) == 0 {
			t.Errorf("%s: no family in which %s stands beside %s matches %s", dir, g.ours, g.peer, g.family)
		}
		for _, procs := range []int{1, 2} {
			n, good, missed, logs := 0, 0, 0, 0.0
			var lowest cell
			for _, c := range all {
				if c.procs != procs {
					continue
				}
				n++
				logs += math.Log(c.Ratio)
				if c.Ratio >= g.want {
					good++
				}
				if c.High < g.want {
					missed++
				}
				if n == 1 || c.Ratio < lowest.Ratio {
					lowest = c
				}
			}
			if n > 0 {
				fmt.Fprintf(&b, "| %s | %s | %d | %g | %d of %d | %d | %.2f× | %s %s | %s |\n", what, g.peer, procs, g.want, good, n, missed,
					math.Exp(logs/float64(n)), ratio(lowest.Estimate), lowest.name, met(good == n))
			}
		}
	}
	return b.String()
}

// A figureGoal is what a map has to reach in a figure, or in what a figure of another
// is in terms of its own.
type figureGoal struct {
	what, file, unit string
	bench            string // a regexp
	ours, peer       string // peer "": the figure itself
	want             float64
	most             bool // at most want, not at least
}

var figureGoals = []figureGoal{
	{"memory, int to int", "maps-memory.txt", "B/entry", `/key=int/value=int/n=10{4,}-`, "snapmap", "", 35, true},
	{"taking a snapshot", "maps-take.txt", "take-ns", "", "snapmap", "", 300, true},
	{"the first store after it", "maps-take.txt", "first-ns", `/n=10{4,}-`, "snapmap", "workiva", 10, false},
	{"", "maps-take.txt", "first-ns", `/n=10{4,}-`, "snapmap", "btree", 2, false},
	{"views of 10,000 keys, 100 writers", "maps-article.txt", "views/s", `/n=10000-`, "snapmap", "", 5000, false},
	{"what writers keep of their speed", "maps-article.txt", "kept", `/n=10000-`, "snapmap", "", 0.7, false},
	{"taking a view among them", "maps-article.txt", "take-p99.9-ns", `/n=10000-`, "snapmap", "", 20e6, true},
	{"100 changes of 1,000,000 keys", "maps-diff.txt", "ns/op", "", "snapmap", "", 1e6, true},
	{"ctrie: views of 10,000 keys, 100 writers", "maps-article.txt", "views/s", `/n=10000-`, "ctrie", "", 300, false},
	{"ctrie: memory", "maps-memory.txt", "B/entry", "", "ctrie", "workiva", 1, false},
}

// figuresTable has a row for each benchmark of a goal's map, with medians.
func figuresTable(t *testing.T, dir string, goals []figureGoal) string {
	var b strings.Builder
	fmt.Fprintln(&b, "| goal | benchmark-GOMAXPROCS | unit | figure | other | wanted | |")
	fmt.Fprintln(&b, "| --- | --- | --- | --- | --- | ---: | --- |")
	what := ""
	for _, g := range goals {
		if g.what != "" {
			what = g.what
		}
		if !hasMap(t, dir, g.ours) {
			continue
		}
		bench := regexp.MustCompile(g.bench)
		x := readText(t, filepath.Join(dir, g.file), []string{g.unit})
		found := false
		for _, name := range x.names {
			own := x.of(name, g.unit)
			if !strings.Contains(name, "variant="+g.ours+"/") || len(own) == 0 || !bench.MatchString(name) {
				continue
			}
			figure, other, sign := center(own), "", "≥"
			if g.most {
				sign = "≤"
			}
			if g.peer != "" {
				theirs := x.of(strings.Replace(name, "variant="+g.ours, "variant="+g.peer, 1), g.unit)
				if len(theirs) == 0 {
					continue // not all are measured with 1,000,000 keys
				}
				figure = center(theirs) / center(own)
				other = fmt.Sprintf("%s %s, %.2f×", spread(theirs), g.peer, figure)
			}
			found = true
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s %g | %s |\n", what, name, g.unit, spread(own), other, sign, g.want,
				met(figure == g.want || (figure < g.want) == g.most))
		}
		if !found {
			t.Errorf("%s: no benchmark of %s in %s", g.file, g.ours, g.unit)
		}
	}
	return b.String()
}

// aheadTable has all cells of reads and stores in which one map is faster than ours.
func aheadTable(t *testing.T, dir, peer, ours string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| where %s is faster than %s | GOMAXPROCS | |\n| --- | ---: | --- |\n", peer, ours)
	all := cells(t, dir, peer, ours, regexp.MustCompile(`^Mix/`))
	n := 0
	for _, c := range all {
		if c.Ratio > 1 {
			n++
			fmt.Fprintf(&b, "| %s | %d | %s |\n", c.name, c.procs, ratio(c.Estimate))
		}
	}
	fmt.Fprintf(&b, "| %d of %d | | |\n", n, len(all))
	return b.String()
}

// What the tables of figures say of made results: which goals are met, and by what.
func TestMapTables(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("take.txt", `
BenchmarkTake/variant=workiva/n=10000-2 100 1 ns/op 2000 first-ns 200 take-ns
BenchmarkTake/variant=snapmap/n=10000-2 100 1 ns/op 201 first-ns 299 take-ns
BenchmarkTake/variant=workiva/n=100-2 100 1 ns/op 2000 first-ns 200 take-ns
BenchmarkTake/variant=snapmap/n=100-2 100 1 ns/op 100 first-ns 301 take-ns
BenchmarkTake/variant=snapmap/n=1000000-2 100 1 ns/op 100 first-ns 300 take-ns
`)
	write("maps-memory.txt", "BenchmarkMemory/variant=snapmap/n=1-2 1 1 ns/op 1 B/entry")
	got := figuresTable(t, dir, []figureGoal{
		{"take", "take.txt", "take-ns", "", "snapmap", "", 300, true},
		{"first", "take.txt", "first-ns", "", "snapmap", "workiva", 10, false},
		{"of none", "take.txt", "first-ns", "", "ctrie", "workiva", 10, false},
	})
	for _, want := range []string{
		"| take | Take/variant=snapmap/n=10000-2 | take-ns | 299 [299, 299] |  | ≤ 300 | met |\n",
		"| take | Take/variant=snapmap/n=100-2 | take-ns | 301 [301, 301] |  | ≤ 300 | short |\n",
		"| take | Take/variant=snapmap/n=1000000-2 | take-ns | 300 [300, 300] |  | ≤ 300 | met |\n",
		"| first | Take/variant=snapmap/n=10000-2 | first-ns | 201 [201, 201] | 2000 [2000, 2000] workiva, 9.95× | ≥ 10 | short |\n",
		"| first | Take/variant=snapmap/n=100-2 | first-ns | 100 [100, 100] | 2000 [2000, 2000] workiva, 20.00× | ≥ 10 | met |\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("figuresTable =\n%s\nwant a row\n%s", got, want)
		}
	}
	if n := strings.Count(got, "\n"); n != 2+5 {
		t.Errorf("figuresTable has %d lines, want 7:\n%s", n, got)
	}
}
