package articles

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gopayoff/payoff/gallery"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

func TestStatus(t *testing.T) {
	then := func(direction string, speed float64, procs, base int) Then {
		return Then{Direction: direction, Speed: speed, Procs: procs, BaseProcs: base}
	}
	now := func(word judge.Word, speed, low, high Number, procs, base int) Today {
		return Today{Verdict: word, Speed: speed, Low: low, High: high, Procs: procs, BaseProcs: base}
	}
	for _, tt := range []struct {
		name string
		then Then
		now  Today
		want gallery.Status
	}{
		{"as much", then("pays", 4, 8, 8), now(judge.Pays, 4, 3.9, 4.1, 2, 2), gallery.Holds},
		{"more", then("pays", 4, 8, 8), now(judge.Pays, 9, 8, 10, 2, 2), gallery.Holds},
		{"half in logarithms", then("pays", 4, 8, 8), now(judge.Pays, 2, 1.9, 2.1, 2, 2), gallery.Holds},
		{"less than half", then("pays", 4, 8, 8), now(judge.Pays, 1.99, 1.9, 2.1, 2, 2), gallery.Weaker},
		{"even now", then("pays", 4, 8, 8), now(judge.Even, 1, 0.99, 1.01, 2, 2), gallery.NoLonger},
		{"opposite", then("pays", 4, 8, 8), now(judge.Loses, 0.25, 0.2, 0.3, 2, 2), gallery.NoLonger},
		{"too noisy", then("pays", 4, 8, 8), now(judge.CannotSay, 2, 0.9, 5, 2, 2), gallery.CannotSay},
		{"loses", then("loses", 0.25, 1, 1), now(judge.Loses, 0.5, 0.49, 0.51, 1, 1), gallery.Holds},
		{"loses by less", then("loses", 0.25, 1, 1), now(judge.Loses, 0.6, 0.59, 0.61, 1, 1), gallery.Weaker},
		{"loses no longer", then("loses", 0.25, 1, 1), now(judge.Pays, 4, 3.9, 4.1, 1, 1), gallery.NoLonger},
		{"direction only", then("pays", 0, 8, 8), now(judge.Pays, 1.04, 1.03, 1.05, 2, 2), gallery.Holds},
		{"direction only, gone", then("pays", 0, 8, 8), now(judge.Even, 1, 0.99, 1.01, 2, 2), gallery.NoLonger},
		{"direction only, noisy", then("loses", 0, 8, 8), now(judge.CannotSay, 1, 0.5, 2, 2, 2), gallery.CannotSay},
		{"even", then("even", 0.98, 8, 8), now(judge.Even, 1, 0.98, 1.02, 2, 2), gallery.Holds},
		{"even within what is even in articles", then("even", 0.98, 8, 8), now(judge.Pays, 1.04, 1.035, 1.049, 2, 2), gallery.Holds},
		{"even, of which too little is known", then("even", 0, 8, 8), now(judge.CannotSay, 1, 0.9, 1.1, 2, 2), gallery.CannotSay},
		{"even on the border", then("even", 0, 8, 8), now(judge.Pays, 1.06, 1.04, 1.08, 2, 2), gallery.CannotSay},
		{"even no longer", then("even", 0, 8, 8), now(judge.Pays, 1.5, 1.4, 1.6, 2, 2), gallery.NoLonger},
		{"even no longer, down", then("even", 0, 8, 8), now(judge.Loses, 0.5, 0.4, 0.6, 2, 2), gallery.NoLonger},
		{"no faster: even", then("even|loses", 0.98, 8, 8), now(judge.Even, 1, 0.98, 1.02, 2, 2), gallery.Holds},
		{"no faster: slower", then("even|loses", 0.98, 8, 8), now(judge.Loses, 0.5, 0.4, 0.6, 2, 2), gallery.Holds},
		{"no faster: noisy, and no faster", then("even|loses", 0.98, 8, 8), now(judge.CannotSay, 0.9, 0.7, 1.04, 2, 2), gallery.Holds},
		{"no faster: noisy", then("even|loses", 0, 8, 8), now(judge.CannotSay, 1, 0.7, 1.4, 2, 2), gallery.CannotSay},
		{"no faster: faster", then("even|loses", 0, 8, 1), now(judge.Pays, 1.5, 1.4, 1.6, 2, 1), gallery.NoLonger},
		{"no slower: faster", then("even|pays", 0, 8, 8), now(judge.Pays, 1.5, 1.4, 1.6, 2, 2), gallery.Holds},
		{"no slower: slower", then("even|pays", 0, 8, 8), now(judge.Loses, 0.5, 0.4, 0.6, 2, 2), gallery.NoLonger},
		{"scales as well for each doubling", then("pays", 8, 8, 1), now(judge.Pays, 2, 1.9, 2.1, 2, 1), gallery.Holds},
		{"scales half as well", then("pays", 8, 8, 1), now(judge.Pays, 1.5, 1.45, 1.55, 2, 1), gallery.Holds},
		{"scales less", then("pays", 8, 8, 1), now(judge.Pays, 1.3, 1.25, 1.35, 2, 1), gallery.Weaker},
		{"loses to one processor", then("loses", 0.5, 8, 1), now(judge.Loses, 0.9, 0.85, 0.95, 2, 1), gallery.Weaker},
		{"does not scale", then("even", 1, 8, 1), now(judge.Pays, 1.9, 1.8, 2, 2, 1), gallery.NoLonger},
		{"nothing to scale over", then("pays", 8, 8, 1), now(judge.Pays, 1, 1, 1, 1, 1), gallery.CannotSay},
	} {
		got, why := Status(tt.then, tt.now)
		if got != tt.want || (why != "") != (got == gallery.CannotSay) {
			t.Errorf("%s: Status = %s (%q), want %s", tt.name, got, why, tt.want)
		}
	}
}

// series has fast at half the time of slow with a ripple; both halve with two
// processors.
func series(procs ...int) *measure.Series {
	var names []string
	for _, n := range []string{"8", "80"} {
		for _, v := range []string{"slow", "fast"} {
			names = append(names, "BenchmarkS/variant="+v+"/n="+n)
		}
	}
	s := &measure.Series{Package: gallery.Module + "/grain", Procs: procs, Families: discover.Families(names, discover.Hints{}), Samples: map[measure.Cell][]measure.Sample{}}
	for round := range 12 {
		ripple := 1 + 0.005*math.Sin(float64(round))
		for i, name := range names {
			for _, p := range procs {
				s.Add(measure.Cell{Bench: name, Procs: p}, measure.Sample{Round: int32(round + 1), N: 1, Wall: []float64{4000, 2000}[i%2] * ripple / float64(p), Bytes: 96, Allocs: 1})
			}
		}
	}
	return s
}

func run(s *measure.Series) Run {
	return Run{Name: "r", Rule: stats.DefaultRule, Bounds: stats.DefaultBounds, Series: s}
}

func TestFigure(t *testing.T) {
	r := run(series(1, 2))
	c := gallery.Case{Name: "grain"}
	for _, tt := range []struct {
		line    gallery.Line
		value   float64
		procs   int
		missing string
	}{
		{gallery.Line{Procs: 1, Unit: "ns/op", Variant: "slow", At: "n=8"}, 4000, 1, ""},
		{gallery.Line{Procs: 8, Unit: "ns/op", Variant: "slow", At: "n=8"}, 2000, 2, ""},
		{gallery.Line{Procs: 1, Unit: "ms", Variant: "fast", At: "S/n=80"}, 0.002, 1, ""},
		{gallery.Line{Procs: 1, Unit: "ns/op", Variant: "slow", At: "n=8", Times: 1000}, 4, 1, ""},
		{gallery.Line{Procs: 1, Unit: "B/op", Variant: "slow", At: "n=8", Times: 2}, 48, 1, ""},
		{gallery.Line{Procs: 1, Unit: "allocs/op", Variant: "slow", At: "n=8"}, 1, 1, ""},
		{gallery.Line{Procs: 1, Unit: "ns/op", Why: "A picture."}, 0, 0, "A picture."},
		{gallery.Line{Procs: 1, Unit: "ns/op", Variant: "slow"}, 0, 0, "several benchmarks are there"},
		{gallery.Line{Procs: 1, Unit: "ns/op", Variant: "none", At: "n=8"}, 0, 0, "not measured"},
		{gallery.Line{Procs: 1, Unit: "%", Func: "f", Variant: "slow", At: "n=8"}, 0, 0, "no profile was kept"},
	} {
		got := r.figure(c, tt.line)
		if got.Missing != tt.missing || (got.Now != nil) != (tt.missing == "") || got.Now != nil && (math.Abs(got.Now.Value/tt.value-1) > 0.01 || got.Now.Procs != tt.procs) {
			t.Errorf("%+v: %+v %q, want %v at %d, %q", tt.line, got.Now, got.Missing, tt.value, tt.procs, tt.missing)
		}
	}
	if got := run(series(2)).figure(c, gallery.Line{Procs: 1, Unit: "ns/op", Variant: "slow", At: "n=8"}); got.Now != nil || !strings.Contains(got.Missing, "1 processor") {
		t.Errorf("at fewer processors than measured: %+v", got)
	}
}

func TestConclusion(t *testing.T) {
	c := gallery.Case{Name: "grain", Then: gallery.Then{Lines: []gallery.Line{
		{Name: "S", Procs: 8, Value: 3, Unit: "ms", Variant: "slow", At: "n=8"}, {Name: "F", Procs: 8, Value: 1, Unit: "ms", Variant: "fast", At: "n=8"}}}}
	for _, tt := range []struct {
		name   string
		x      gallery.Conclusion
		status gallery.Status
		speed  float64
		why    string
	}{
		{"pays", gallery.Conclusion{Variant: "fast", Base: "slow", Procs: 8, At: "n=8"}, gallery.Holds, 2, ""},
		{"everywhere", gallery.Conclusion{Variant: "fast", Base: "slow", Procs: 8, Direction: "pays"}, gallery.Holds, 2, ""},
		{"weaker", gallery.Conclusion{Variant: "fast", Base: "slow", Procs: 8, Speed: 5, Why: map[gallery.Status]string{gallery.Weaker: "So."}}, gallery.Weaker, 2, "So."},
		{"scales", gallery.Conclusion{Variant: "fast", Base: "fast", Procs: 8, BaseProcs: 1, At: "n=8", Speed: 7}, gallery.Holds, 2, ""},
		{"nowhere", gallery.Conclusion{Variant: "fast", Base: "slow", Procs: 8, At: "n=9", Direction: "pays"}, gallery.CannotSay, 0, "not measured"},
		{"across", gallery.Conclusion{Variant: "fast", Base: "slow", Procs: 8, BaseProcs: 1, At: "n=8", Speed: 7}, gallery.Holds, 4, ""},
	} {
		got := run(series(1, 2)).conclusion(c, tt.x)
		if got.Status != tt.status || got.Why != tt.why || (got.Now != nil) != (tt.speed != 0) || got.Now != nil && math.Abs(float64(got.Now.Speed)/tt.speed-1) > 0.02 {
			t.Errorf("%s: %+v, now %+v; want %s at %v, %q", tt.name, got, got.Now, tt.status, tt.speed, tt.why)
		}
	}
	beyond := series(1, 2, 64)
	beyond.Usable = 2
	if got := run(beyond).conclusion(c, gallery.Conclusion{Variant: "fast", Base: "slow", Procs: 64, At: "n=8", Direction: "pays"}); got.Now == nil || got.Now.Procs != 2 {
		t.Errorf("more processors than the machine has: %+v", got.Now)
	}
	if got := run(series(1)).conclusion(c, gallery.Conclusion{Variant: "fast", Base: "fast", Procs: 8, BaseProcs: 1, At: "n=8", Speed: 7}); got.Status != gallery.CannotSay || !strings.Contains(got.Why, "one number of processors") {
		t.Errorf("scaling on one processor: %+v", got)
	}
	if got := run(series(1, 2)).conclusion(c, gallery.Conclusion{Variant: "fast", Base: "slow", Procs: 8, At: "n=8"}); got.Then.NS != 1e6 || got.Then.BaseNS != 3e6 || got.Then.Speed != 3 {
		t.Errorf("then = %+v, want 1ms, 3ms, 3", got.Then)
	}
}

// Where an operation here is several of the article's, both its times are divided.
func TestTimesOfOne(t *testing.T) {
	for _, times := range []int{0, 1, 4} {
		c := gallery.Case{Name: "grain", Then: gallery.Then{Lines: []gallery.Line{
			{Name: "S", Procs: 8, Value: 3, Unit: "ms", Variant: "slow", At: "n=8", Times: times}, {Name: "F", Procs: 8, Value: 1, Unit: "ms", Variant: "fast", At: "n=8", Times: times}}}}
		got := run(series(1, 2, 4)).conclusion(c, gallery.Conclusion{Variant: "fast", Base: "slow", Procs: 4, BaseProcs: 2, At: "n=8"})
		if n := got.Now; n == nil || math.Abs(n.NS*float64(max(1, times))/500-1) > 0.02 || math.Abs(n.BaseNS*float64(max(1, times))/2000-1) > 0.02 || n.Procs != 4 || n.BaseProcs != 2 {
			t.Errorf("%d times: now %+v, want %v and %v", times, n, 500/max(1, times), 2000/max(1, times))
		}
	}
	// The worst of several benchmarks counts, wherever it stands.
	order := []gallery.Status{gallery.Holds, gallery.Weaker, gallery.CannotSay, gallery.NoLonger}
	for i, a := range order {
		for j, b := range order {
			if got := worse(a, b); got != (i > j) {
				t.Errorf("%s is worse than %s: %t, want %t", a, b, got, i > j)
			}
		}
	}
	// Processors: the most that were measured, that are there and that are not more.
	for _, tt := range []struct {
		procs           []int
		usable, n, want int
	}{
		{[]int{1, 2, 4}, 0, 4, 4}, {[]int{1, 2, 4}, 0, 3, 2}, {[]int{4, 2, 1}, 0, 8, 4}, {[]int{1, 2, 4}, 2, 4, 2}, {[]int{1, 2, 4}, 64, 4, 4}, {[]int{2, 4}, 0, 1, 0}, {nil, 4, 4, 0},
	} {
		r := Run{Series: &measure.Series{Procs: tt.procs, Usable: tt.usable}}
		if got := r.nearest(tt.n); got != tt.want {
			t.Errorf("of %v on %d, the nearest to %d: %d, want %d", tt.procs, tt.usable, tt.n, got, tt.want)
		}
	}
}

// The share of a function is what it took itself, over all profiles of the cell.
func TestShare(t *testing.T) {
	dir := t.TempDir()
	evidence := filepath.Join(dir, "01-grain", "evidence")
	if err := os.MkdirAll(evidence, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name string, ns map[string]int64) {
		p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}}}
		caller := &profile.Function{ID: 99, Name: "g"}
		for fn, x := range ns {
			f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: fn}
			l := &profile.Location{ID: f.ID, Line: []profile.Line{{Function: f}, {Function: caller}}}
			p.Function, p.Location = append(p.Function, f), append(p.Location, l)
			p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{l}, Value: []int64{1, x}})
		}
		p.Function = append(p.Function, caller)
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(evidence, name), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("001-BenchmarkS_variant=slow_n=8-2.cpu.pprof", map[string]int64{"f": 30, "h": 70})
	write("002-BenchmarkS_variant=slow_n=8-2.cpu.pprof", map[string]int64{"f": 50, "h": 50})
	write("003-BenchmarkS_variant=slow_n=8-1.cpu.pprof", map[string]int64{"h": 50})
	r := run(series(1, 2))
	r.Dir = dir
	for _, tt := range []struct {
		procs int
		fn    string
		want  float64
	}{{2, "f", 40}, {2, "h", 60}, {2, "g", 0}, {1, "f", 0}, {1, "h", 100}} {
		got := r.figure(gallery.Case{}, gallery.Line{Procs: tt.procs, Unit: "%", Func: tt.fn, Variant: "slow", At: "n=8"})
		if got.Now == nil || got.Now.Value != tt.want {
			t.Errorf("share of %s at %d = %+v %s, want %v", tt.fn, tt.procs, got.Now, got.Missing, tt.want)
		}
	}
	if err := os.WriteFile(filepath.Join(evidence, "004-BenchmarkS_variant=slow_n=8-1.cpu.pprof"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, missing := r.share(measure.Cell{Bench: "BenchmarkS/variant=slow/n=8", Procs: 1}, "f"); !strings.HasPrefix(missing, "004-") {
		t.Errorf("of a damaged profile: %q", missing)
	}
}

func page() *Page {
	p := &Page{Next: "payoff x", Articles: []Article{{
		About: gallery.Article{Title: "T", Author: "A", Year: 2015},
		Figures: []Figure{
			{Case: "grain", Line: gallery.Line{Name: "BenchmarkS-8", Procs: 8, Value: 3, Unit: "ms", Variant: "slow", At: "n=8"}, Now: &Now{Value: 2, Procs: 2, Run: "r"}},
			{Case: "grain", Line: gallery.Line{Name: "P", Procs: 8, Value: 25.94, Unit: "%", Func: "f"}, Missing: "A | B."},
		},
		Conclusions: []Conclusion{
			{Case: "grain", Scale: "8 of 80", Says: "It pays.", Variant: "fast", Base: "slow", Status: gallery.Weaker, Why: "So.",
				Then: Then{Direction: "pays", Speed: 3, NS: 1e6, BaseNS: 3e6, Procs: 8, BaseProcs: 8},
				Now:  &Today{Speed: 1.5, Low: 1.4, High: 1.6, NS: 2e6, BaseNS: 3e6, Procs: 2, BaseProcs: 2}},
			{Case: "grain", Says: "It scales.", Variant: "fast", Base: "fast", Status: gallery.CannotSay,
				Then: Then{Direction: "pays", Procs: 8, BaseProcs: 1},
				Now:  &Today{Speed: 1.5, Low: 0, High: Number(math.Inf(1)), NS: 2e6, BaseNS: 3e6, Procs: 2, BaseProcs: 1}},
		},
	}}}
	p.Summary = p.summary(1)
	return p
}

func TestText(t *testing.T) {
	var b strings.Builder
	if err := page().Text(&b); err != nil {
		t.Fatal(err)
	}
	const want = `of 2 conclusions of 1 article 0 hold, 1 holds weaker, 1 cannot be told

T (A, 2015)

  grain
    (8 of 80)
    holds weaker     It pays.
      then  fast 1.000ms, slow 3.000ms at 8 processors: 3.00
      now   fast 2.000ms, slow 3.000ms at 2 processors: 1.50 [1.40, 1.60]
      why   So.
    cannot say       It scales.
      then  fast at 8 processors, at 1: pays
      now   fast 2.000ms at 2 processors, 3.000ms at 1: 1.50 [0, ∞]

next: payoff x
`
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}

func TestMarkdown(t *testing.T) {
	var b strings.Builder
	if err := page().Articles[0].Markdown(&b, Links{
		Case: func(name string) string { return "../gallery/" + name + "/doc.go" },
		Run:  func(run string) string { return "[" + run + "](x)" },
	}); err != nil {
		t.Fatal(err)
	}
	grain := "[`grain`](../gallery/grain/doc.go)"
	want := fmt.Sprintf(`| Line | Its figure | Case | Variant | Today, same benchmark | Processors | Run |
| --- | ---: | --- | --- | ---: | ---: | --- |
| BenchmarkS-8 | 3.000ms | %[1]s | slow at n=8 | 2.000ms | 2 | [r](x) |
| P, f | 25.9 %% | %[1]s | – | A \| B. |  |  |

`+"`grain`: 8 of 80."+`

| Case | It concludes | Then | Today, interval | Status |
| --- | --- | ---: | ---: | --- |
| %[1]s | It pays. | 3.00 at 8 | 1.50 [1.40, 1.60] at 2 | **holds weaker**: So. |
| %[1]s | It scales. | pays at 8 against 1 | 1.50 [0, ∞] at 2 against 1 | **cannot say** |
`, grain)
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}

// A page is JSON also where an interval has no upper end, and docs/gallery.md has
// every field.
func TestJSON(t *testing.T) {
	p := page()
	p.Articles[0].Conclusions[0].Now.High = Number(math.Inf(1))
	data, err := json.Marshal(p)
	if err != nil || !strings.Contains(string(data), `"high":null`) {
		t.Errorf("%v: %s", err, data)
	}
	doc, err := os.ReadFile("../../../docs/gallery.md")
	if err != nil {
		t.Skip(err) // of a downloaded module
	}
	for _, m := range regexp.MustCompile(`"(\w+)":`).FindAllStringSubmatch(string(data), -1) {
		if !strings.Contains(string(doc), "`"+m[1]+"`") {
			t.Errorf("docs/gallery.md does not have the field %s", m[1])
		}
	}
}
