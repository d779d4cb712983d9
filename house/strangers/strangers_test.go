package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestContradiction(t *testing.T) {
	for _, tt := range []struct {
		verdict           string
		ratio, low, high  float64
		hand, least, most float64
		want              string
	}{
		{"pays", 2, 1.8, 2.2, 1.9, 1.7, 2.1, ""},
		{"pays", 2, 1.8, 2.2, 0.8, 0.7, 0.99, "another side"},
		{"pays", 2, 1.8, 2.2, 0.8, 0.7, 1.01, "another ratio"},
		{"loses", 0.5, 0.4, 0.6, 1.2, 1.01, 1.3, "another side"},
		{"loses", 0.5, 0.4, 0.6, 0.66, 0.56, 0.7, "another ratio"}, // 0.5 is under 0.56/1.1, 0.66 just not over 0.6×1.1
		{"loses", 0.5, 0.4, 0.6, 0.65, 0.56, 0.7, ""},
		{"loses", 0.52, 0.4, 0.6, 0.7, 0.56, 0.8, ""},
		{"cannot say", 2, 0.5, 4, 0.1, 0.1, 0.1, ""},
		{"even", 1, 0.97, 1.03, math.NaN(), math.NaN(), math.NaN(), ""},
	} {
		if tt.hand == 0.66 {
			tt.hand = 0.661
		}
		r := row{Verdict: tt.verdict, Ratio: &tt.ratio, Low: &tt.low, High: &tt.high, Hand: tt.hand, Least: tt.least, Most: tt.most}
		if got := contradiction(r); got != tt.want {
			t.Errorf("%s %v [%v, %v] beside %v [%v, %v]: %q, want %q", tt.verdict, tt.ratio, tt.low, tt.high, tt.hand, tt.least, tt.most, got, tt.want)
		}
	}
	if got := contradiction(row{Verdict: "pays", Hand: 0.5, Least: 0.5, Most: 0.5}); got != "" {
		t.Errorf("without a ratio: %q", got)
	}
}

// TestRatio: by the rounds that both have.
func TestRatio(t *testing.T) {
	median, least, most := ratio(map[int]float64{0: 100, 1: 200, 2: 300, 3: 90}, map[int]float64{0: 50, 1: 50, 2: 100, 9: 1})
	if median != 3 || least != 2 || most != 4 {
		t.Errorf("%v [%v, %v], want 3 [2, 4]", median, least, most)
	}
	if median, _, _ := ratio(map[int]float64{0: 1, 1: 4}, map[int]float64{0: 1, 1: 1}); median != 2.5 {
		t.Errorf("of two rounds %v, want 2.5", median)
	}
	if median, _, _ := ratio(map[int]float64{0: 1}, nil); !math.IsNaN(median) {
		t.Errorf("of none %v", median)
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	text := `{"bench":"BenchmarkX/a","procs":1,"round":0,"ns":10}
{"bench":"BenchmarkX/a","procs":2,"round":1,"ns":20}
`
	if err := os.WriteFile(filepath.Join(dir, "hand.jsonl"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	by, err := read(dir)
	if err != nil || by["BenchmarkX/a-1"][0] != 10 || by["BenchmarkX/a-2"][1] != 20 {
		t.Errorf("%v, %v", by, err)
	}
	got, err := results([]byte("goos: linux\nBenchmarkX/a-b-2  \t 100\t  12.5 ns/op\t 3 B/op\nBenchmarkY-2 \t 1 \t 1e+09 ns/op\n"), 2)
	if err != nil || len(got) != 2 || got["BenchmarkX/a-b"] != 12.5 || got["BenchmarkY"] != 1e9 {
		t.Errorf("results %v, %v", got, err)
	}
}

// TestAlone: a sub-benchmark runs without its siblings, whatever is in its name.
func TestAlone(t *testing.T) {
	if got, want := alone("BenchmarkMap/*sync.Map/n=1"), `^BenchmarkMap$/^\*sync\.Map$/^n=1$`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestExpected: pairs are found by package and names, and verdicts held against the
// writer's.
func TestExpected(t *testing.T) {
	at := func(pkg, base, name, verdict string, procs int) row {
		return row{stranger: stranger{Module: "example.com/" + pkg, Package: "."}, Kind: "variant", Name: "Benchmark" + name, BaseName: "Benchmark" + base, Procs: procs, BaseProcs: procs, Verdict: verdict, Causes: []cause{{"lock", 0.6}}}
	}
	rows := []row{at("a", "X", "XPar", "pays", 2), at("a", "X", "XPar", "loses", 1), at("a", "X", "XPool", "even", 2), at("a", "X", "XChan", "loses", 2), at("a", "X", "XFan", "cannot say", 2), at("b", "Y", "YPar", "pays", 2), at("b", "X", "XLost", "pays", 2)}
	var answers []answer
	if err := json.Unmarshal([]byte(`[{"package":"a","pairs":[{"base":"BenchmarkX","new":"BenchmarkXPar","pays":"yes","cause":"healthy"},
		{"base":"BenchmarkX","new":"BenchmarkXPool","pays":"no","cause":"few workers"},{"base":"BenchmarkX","new":"BenchmarkXChan","pays":"yes"},
		{"base":"BenchmarkX","new":"BenchmarkXFan","pays":"no"},{"base":"BenchmarkX","new":"BenchmarkXLost","pays":"no"}]},
		{"package":"b","pairs":[{"base":"BenchmarkY","new":"BenchmarkYPar","pays":"unsure"}]}]`), &answers); err != nil {
		t.Fatal(err)
	}
	got := expected(rows, answers)
	for _, want := range []string{"Of 6 pairs that the writers of the packages make 5 are compared; of 4 verdicts on them at two processors 3 are theirs.",
		"| a | XPool | X | no: few workers | even | lock 60 % |\n", "| a | XLost | X | no:  | not compared |  |\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nlacks %s", got, want)
		}
	}
	if got := expected(rows, nil); got != "" {
		t.Errorf("without answers: %s", got)
	}
}

// TestReasons: one class for each reason, whatever its figures and benchmarks.
func TestReasons(t *testing.T) {
	open := func(why string) row { return row{Verdict: "cannot say", Why: why} }
	got := reasons([]row{open("5 pairs; 10 are needed"), open("not measured"), open("3 pairs; 10 are needed"), {Verdict: "pays"},
		open("it depends on b.N (BenchmarkX-2, 3.5 ns in samples of 9): a larger -budget")})
	if want := "| N pairs; N are needed | 2 |\n| it depends on b.N: a larger -budget | 1 |\n| not measured | 1 |\n\n"; !strings.HasSuffix(got, want) {
		t.Errorf("%s\nlacks %s", got, want)
	}
	if got := reasons([]row{{Verdict: "pays"}}); got != "" {
		t.Errorf("of none: %q", got)
	}
}

// TestMarkdown: what contradicts comes first, and the first line counts.
func TestMarkdown(t *testing.T) {
	x := 2.0
	rows := []row{
		{stranger: stranger{Module: "m", Package: "."}, Kind: "scaling", Name: "BenchmarkA", BaseName: "BenchmarkA", Procs: 2, BaseProcs: 1, Verdict: "cannot say", Hand: math.NaN()},
		{stranger: stranger{Module: "m", Package: "p"}, Kind: "variant", Name: "BenchmarkB", BaseName: "BenchmarkA", Procs: 2, BaseProcs: 2, Verdict: "pays", Ratio: &x, Low: &x, Hand: 0.5, Least: 0.4, Most: 0.6, Causes: []cause{{"lock", 0.6}, {"grain", 0.2}}, Contradicts: "another side"},
	}
	got := markdown(rows, []reading{{Row: "m/p B at 2 against A", Right: false, Why: "no lock"}})
	want := []string{"2 comparisons, 1 of them measured by hand as well; 1 contradict; payoff cannot say in 1. 1 first causes were read beside source and profile; 0 are right.", "| m/p | B at 2 | A | pays | 2 [2, ?] | 0.5 [0.4, 0.6] | lock 60 %, grain 20 % | no: no lock | another side |\n| m | A at 2 | itself at 1 | cannot say | – | – |  |  |  |"}
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("%s\nlacks %s", got, w)
		}
	}
}
