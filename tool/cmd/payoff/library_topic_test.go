package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestLibraryTopics: the tables about subject matching beside its peers are made from
// the raw results of those records that have them.
func TestLibraryTopics(t *testing.T) {
	dirs, err := filepath.Glob("../../../record/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		for name, text := range topicTables(t, dir) {
			golden(t, filepath.Join(dir, name), text)
		}
	}
}

// topicTables are the tables of subject matching of a record, where it has them.
func topicTables(t *testing.T, dir string) map[string]string {
	if !has(dir, "topic.txt") {
		return nil
	}
	match := readText(t, filepath.Join(dir, "topic.txt"), []string{"ns/op"})
	memory := readText(t, filepath.Join(dir, "topic-memory.txt"), []string{"B/sub"})
	return map[string]string{
		"topic.md":       cellsTable(match, "ns/op", topicPeers),
		"topic-goals.md": fastestTable(t, match, topicGoals) + "\n" + mostTable(t, memory, "B/sub", 100),
	}
}

// topicPeers are what nats-server has for it.
var topicPeers = []string{"nats-cache", "nats-l1", "nats-nocache", "nats-gsl"}

// A topicGoal is how many times as fast as the fastest of its peers ours has to be in
// all cells of a range.
type topicGoal struct {
	what  string
	cells string // a regexp on the name behind the variant, with the number of processors
	peers []string
	want  float64
}

var topicGoals = []topicGoal{
	{"10 % and 50 % writes, 1,000 subscriptions", `^set=devices/subs=1000/.*/mix=(90|50)/goroutines=1-`, topicPeers, 2},
	{"… 100,000", `^set=devices/subs=100000/.*/mix=(90|50)/goroutines=1-`, topicPeers, 2},
	{"… 1,000,000", `^set=devices/subs=1000000/.*/mix=(90|50)/goroutines=1-`, topicPeers, 2},
	{"… 100,000, by 2 to 16 goroutines", `^set=devices/subs=100000/.*/mix=(90|50)/goroutines=(2|4|8|16)-`, topicPeers, 2},
	{"… 1,000 of sixty shapes", `^set=many/subs=1000/.*/mix=(90|50)/`, topicPeers, 2},
	{"… 100,000 of sixty shapes", `^set=many/subs=100000/.*/mix=(90|50)/`, topicPeers, 2},
	{"more subjects than a cache has, no or 1 % writes, 1,000 subscriptions", `^set=devices/subs=1000/subjects=uni/mix=(100|99)/goroutines=1-`, topicPeers, 2},
	{"… 100,000", `^set=devices/subs=100000/subjects=uni/mix=(100|99)/goroutines=1-`, topicPeers, 2},
	{"… 1,000,000", `^set=devices/subs=1000000/subjects=uni/mix=(100|99)/goroutines=1-`, topicPeers, 2},
	{"… 100,000, by 2 to 16 goroutines", `^set=devices/subs=100000/subjects=uni/mix=(100|99)/goroutines=(2|4|8|16)-`, topicPeers, 2},
	{"… 1,000 of sixty shapes", `^set=many/subs=1000/subjects=uni/mix=(100|99)/`, topicPeers, 2},
	{"… 100,000 of sixty shapes", `^set=many/subs=100000/subjects=uni/mix=(100|99)/`, topicPeers, 2},
	{"few subjects, read only, against the shared cache, one processor", `/subjects=hot/mix=100/.*-1$`, topicPeers[:1], 1},
	{"… two, by 2 to 16 goroutines", `/subjects=hot/mix=100/goroutines=(2|4|8|16)-2$`, topicPeers[:1], 3},
	{"… against a cache for each goroutine", `/subjects=hot/mix=100/goroutines=(2|4|8|16)-2$`, []string{"nats-l1"}, 1},
	{"few subjects, 1 % writes", `^set=devices/.*/subjects=hot/mix=99/`, topicPeers, 1},
	{"… of sixty shapes", `^set=many/.*/subjects=hot/mix=99/`, topicPeers, 1},
}

// fastestTable has a row for each goal, with how often it is met and the cell that is
// farthest from it.
func fastestTable(t *testing.T, x metrics, goals []topicGoal) string {
	var b strings.Builder
	fmt.Fprintln(&b, "| goal | over the fastest peer | met in | lowest | of | against | |")
	fmt.Fprintln(&b, "| --- | ---: | ---: | --- | --- | --- | --- |")
	for _, g := range goals {
		cells := regexp.MustCompile(g.cells)
		all, reached := 0, 0
		var lowest []float64
		cell, against := "", ""
		for _, name := range x.names {
			_, rest, ok := strings.Cut(name, "variant=payoff/")
			if !ok || !cells.MatchString(rest) {
				continue
			}
			peer := fastest(x, name, "ns/op", g.peers)
			if peer == "" {
				t.Errorf("no peer beside %s", name)
				continue
			}
			r := ratios(x.of(variantOf(name, peer), "ns/op"), x.of(name, "ns/op"))
			all++
			if center(r) >= g.want {
				reached++
			}
			if lowest == nil || center(r) < center(lowest) {
				lowest, cell, against = r, rest, peer
			}
		}
		if all == 0 {
			t.Errorf("%s: no cell matches %s", g.what, g.cells)
			continue
		}
		fmt.Fprintf(&b, "| %s | %g | %d of %d | %s | %s | %s | %s |\n", g.what, g.want, reached, all, times(lowest), cell, against, met(reached == all))
	}
	return b.String()
}

// variantOf returns the name of the benchmark with another variant than ours.
func variantOf(name, variant string) string {
	return strings.Replace(name, "variant=payoff/", "variant="+variant+"/", 1)
}

// fastest returns the peer with the lowest median, or "".
func fastest(x metrics, name, unit string, peers []string) (peer string) {
	var best float64
	for _, p := range peers {
		if own := x.of(variantOf(name, p), unit); len(own) > 0 && (peer == "" || center(own) < best) {
			peer, best = p, center(own)
		}
	}
	return peer
}

// ratios divides samples of the same rounds.
func ratios(x, by []float64) []float64 {
	var r []float64
	for i := range min(len(x), len(by)) {
		r = append(r, x[i]/by[i])
	}
	return r
}

// times is a median ratio with the least and the most.
func times(r []float64) string {
	return fmt.Sprintf("%.2f× [%.2f, %.2f]", center(r), slices.Min(r), slices.Max(r))
}

// cellsTable has a row for each cell in which ours was measured, with the medians of
// all variants, and ours over the fastest of the peers.
func cellsTable(x metrics, unit string, peers []string) string {
	var variants []string
	for _, name := range x.names {
		_, rest, _ := strings.Cut(name, "variant=")
		if v, _, ok := strings.Cut(rest, "/"); ok && !slices.Contains(variants, v) {
			variants = append(variants, v)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| %s, GOMAXPROCS last | rounds | %s | over the fastest peer |\n| --- | ---: |%s --- |\n", unit, strings.Join(variants, " | "), strings.Repeat(" ---: |", len(variants)))
	for _, name := range x.names {
		_, rest, ok := strings.Cut(name, "variant=payoff/")
		if !ok {
			continue
		}
		fmt.Fprintf(&b, "| %s | %d |", rest, len(x.of(name, unit)))
		for _, v := range variants {
			if own := x.of(variantOf(name, v), unit); len(own) > 0 {
				fmt.Fprintf(&b, " %.4g", center(own))
			}
			b.WriteString(" |")
		}
		if peer := fastest(x, name, unit, peers); peer != "" {
			fmt.Fprintf(&b, " %s %s", times(ratios(x.of(variantOf(name, peer), unit), x.of(name, unit))), peer)
		}
		b.WriteString(" |\n")
	}
	return b.String()
}

// mostTable holds ours to a limit, beside the peers.
func mostTable(t *testing.T, x metrics, unit string, most float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s, GOMAXPROCS last | payoff | wanted | %s | |\n| --- | ---: | ---: |%s --- |\n", unit, strings.Join(topicPeers, " | "), strings.Repeat(" ---: |", len(topicPeers)))
	found := false
	for _, name := range x.names {
		_, rest, ok := strings.Cut(name, "variant=payoff/")
		if !ok {
			continue
		}
		found = true
		own := center(x.of(name, unit))
		fmt.Fprintf(&b, "| %s | %.4g | ≤ %g |", rest, own, most)
		for _, p := range topicPeers {
			if theirs := x.of(variantOf(name, p), unit); len(theirs) > 0 {
				fmt.Fprintf(&b, " %.4g", center(theirs))
			}
			b.WriteString(" |")
		}
		fmt.Fprintf(&b, " %s |\n", met(own <= most))
	}
	if !found {
		t.Errorf("no figure of ours in %s", unit)
	}
	return b.String()
}

// What the tables say of made results: which goals are met, and by what.
func TestTopicTables(t *testing.T) {
	if got := topicTables(t, t.TempDir()); len(got) > 0 {
		t.Errorf("topicTables of nothing = %v", got)
	}
	file := filepath.Join(t.TempDir(), "topic.txt")
	if err := os.WriteFile(file, []byte(`
BenchmarkMatch/variant=nats-cache/set=a/mix=90 1 300 ns/op
BenchmarkMatch/variant=nats-gsl/set=a/mix=90 1 210 ns/op
BenchmarkMatch/variant=payoff/set=a/mix=90 1 100 ns/op
BenchmarkMatch/variant=nats-cache/set=a/mix=90 1 300 ns/op
BenchmarkMatch/variant=nats-gsl/set=a/mix=90 1 230 ns/op
BenchmarkMatch/variant=payoff/set=a/mix=90 1 100 ns/op
BenchmarkMatch/variant=nats-cache/set=a/mix=90-2 1 150 ns/op
BenchmarkMatch/variant=nats-gsl/set=a/mix=90-2 1 190 ns/op
BenchmarkMatch/variant=payoff/set=a/mix=90-2 1 100 ns/op
BenchmarkMemory/variant=nats-gsl/subs=9 1 2 ns/op 500 B/sub
BenchmarkMemory/variant=payoff/subs=9 1 2 ns/op 101 B/sub
`), 0o644); err != nil {
		t.Fatal(err)
	}
	match := readText(t, file, []string{"ns/op"})
	got := fastestTable(t, match, []topicGoal{
		{"writes", `mix=90-`, topicPeers, 2},
		{"one", `mix=90-1`, topicPeers, 2},
	}) + cellsTable(match, "ns/op", topicPeers) + mostTable(t, readText(t, file, []string{"B/sub"}), "B/sub", 100)
	for _, want := range []string{
		"| writes | 2 | 1 of 2 | 1.50× [1.50, 1.50] | set=a/mix=90-2 | nats-cache | short |\n",
		"| one | 2 | 1 of 1 | 2.20× [2.10, 2.30] | set=a/mix=90-1 | nats-gsl | met |\n",
		"| set=a/mix=90-1 | 2 | 300 | 220 | 100 | 2.20× [2.10, 2.30] nats-gsl |\n",
		"| subs=9-1 | 101 | ≤ 100 | | | | 500 | short |\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("tables =\n%s\nwant a row\n%s", got, want)
		}
	}
}
