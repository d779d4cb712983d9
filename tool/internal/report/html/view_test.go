package html

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

func number(x float64) *float64 { return &x }

// made is a report in which no two figures are the same, so that each can be told
// from all others on its page.
func made() *report.Doc {
	at := func(line int) source.Place { return source.Place{File: "x.go", Line: line, Func: "m.f"} }
	return &report.Doc{
		Summary: "What it says.", Payoff: "v0", Record: "rec", Next: "payoff next", Packages: []report.Package{{Package: "m"}, {Package: "n"}},
		Problems: []problem.Problem{{Package: "m", Reason: "does not end"}}, Warnings: []string{"a warning"}, Missing: []string{"a lack"},
		Comparisons: []report.Comparison{
			{Package: "m", Benchmark: "Sum/n=8", Name: "BenchmarkSum/variant=par/n=8", BaseName: "BenchmarkSum/variant=ser/n=8", Variant: "par", Base: "ser", Kind: measure.Variant, Procs: 16, BaseProcs: 16, Verdict: judge.Pays, Pairs: 12,
				Ratio: number(2), Low: number(1.5), High: number(3), Wall: number(1000), BaseWall: number(2000)},
			{Package: "m", Benchmark: "Sum/n=8", Name: "BenchmarkSum/variant=chan/n=8", BaseName: "BenchmarkSum/variant=ser/n=8", Variant: "chan", Base: "ser", Kind: measure.Variant, Procs: 16, BaseProcs: 16, Verdict: judge.Loses, Pairs: 12,
				Ratio: number(0.25), Low: number(0.2), High: number(0.3), Wall: number(8000), BaseWall: number(2000), Why: "because", Explained: true,
				Causes: []report.Cause{
					{Slug: "handoff", Title: "Hand-offs", Share: 0.625, Do: "Batch", Evidence: []report.Evidence{{Text: "blocks often", Place: at(7)}, {Text: "and waits"}}},
					{Slug: "lock", Title: "A lock", Share: 0.25, Do: "Split", Evidence: []report.Evidence{{Text: "not shown"}}},
					{Slug: "gc", Title: "Garbage", Share: 0.0625, Do: "Reuse"}, {Slug: "alloc", Title: "Fourth", Share: 0.03, Do: "Less"},
				},
				Page: report.Page{Lines: []report.Line{{Place: at(7), Share: 0.5, Text: "ch <- x"}, {Place: source.Place{File: "x.go", Line: 9, Func: "m.g"}, Share: 0.375}}}},
			{Package: "m", Benchmark: "Sum/n=8", Name: "BenchmarkSum/variant=chan/n=8", BaseName: "BenchmarkSum/variant=chan/n=8", Variant: "chan", Base: "chan", Kind: measure.Scaling, Procs: 16, BaseProcs: 1, Verdict: judge.Even, Pairs: 12,
				Ratio: number(1.01), Low: number(0.99), High: number(1.03), Wall: number(8000), BaseWall: number(8080)},
			{Package: "n", Benchmark: "BenchmarkAlone", Name: "BenchmarkAlone", BaseName: "BenchmarkAlone", Kind: measure.Scaling, Procs: 9, BaseProcs: 3, Verdict: judge.Even, Pairs: 5,
				Ratio: number(1.25), Low: number(1.125), Wall: number(64), BaseWall: number(80)},
			{Package: "n", Benchmark: "Open", Name: "BenchmarkOpen/variant=par", BaseName: "BenchmarkOpen/variant=ser", Variant: "par", Base: "ser", Kind: measure.Variant, Procs: 9, BaseProcs: 9, Verdict: judge.CannotSay,
				Ratio: number(7), Low: number(6), High: number(8)},
			{Package: "n", Benchmark: "Fast", Name: "BenchmarkFast/variant=par", BaseName: "BenchmarkFast/variant=ser", Variant: "par", Base: "ser", Kind: measure.Variant, Procs: 9, BaseProcs: 9, Verdict: judge.Pays, Pairs: 3,
				Ratio: number(5), Low: number(4), High: number(6), Wall: number(10), BaseWall: number(50)},
		},
		Fixes: []report.Fixes{{Package: "m", Findings: []report.FixFinding{{
			Grade: "SUSPECTED", Finding: edit.Finding{Check: "chanperitem", Message: "one item each", Place: at(7), Evidence: "by handoff"},
			Fixes: []report.Fix{
				{Edit: edit.Edit{ID: "a", Name: "batch", Value: 64, Says: "Hand over 64"}, Word: verify.NoGain, Why: "as slow", Checks: []string{"build", "vet"}, Diff: "--- a/x.go\n+++ b/x.go\n@@ -7 +7 @@\n-ch <- x\n+ch <- xs\n same\n",
					Gains: []report.FixGain{{Name: "Sum", Procs: 16, Ratio: report.Interval{Value: number(1.125), Low: number(0.75), High: number(1.5)}}, {Name: "Sum", Procs: 1}}},
				{Edit: edit.Edit{ID: "b", Name: "serial", Says: "Call it"}, Word: verify.Fails},
			},
			Refused: []edit.Refusal{{Name: "merge", Why: "two senders"}},
		}}}},
	}
}

var (
	tags   = regexp.MustCompile(`<[^>]*>`)
	blanks = regexp.MustCompile(`\s+`)
	cards  = regexp.MustCompile(`(?s)<article class="card[^>]*>.*?</article>`)
	rows   = regexp.MustCompile(`(?s)<tr[^>]*>.*?</tr>`)
	cells  = regexp.MustCompile(`(?s)<t[hd][^>]*>.*?</t[hd]>`)
)

func words(markup string) string {
	return strings.TrimSpace(blanks.ReplaceAllString(html.UnescapeString(tags.ReplaceAllString(markup, " ")), " "))
}

func page1(t *testing.T, d *report.Doc, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, d, o); err != nil {
		t.Fatal(err)
	}
	body := b.String()[strings.Index(b.String(), "<body>"):]
	return body[:strings.Index(body, "<script")]
}

// Each figure stands in the column that is named for it: the variant's time before the
// base's, the ratio with its interval.
func TestColumns(t *testing.T) {
	body := page1(t, made(), Options{})
	var got []string
	for _, row := range rows.FindAllString(body, -1) {
		var line []string
		for _, c := range cells.FindAllString(row, -1) {
			line = append(line, words(c))
		}
		got = append(got, strings.Join(line, " | "))
	}
	want := []string{
		"verdict | ratio, from 1/8 to 8 | benchmark | procs | besides | cause | edit",
		"▲ pays | 2.00× | Sum/n=8 m | 16 | 1 loses | 62 % Hand-offs | batch 64: no gain",
		"? cannot say | – | Open n | 9 |  |  | ",
		"● even | 1.25× | Alone n | 9 |  |  | ",
		"▲ pays | 5.00× | Fast n | 9 |  |  | ",
		"verdict | ratio | interval | compared | procs | time/op | base",
		"▲ pays | 2.00× | [1.50, 3.00] | par against ser | 16 | 1.000µs | 2.000µs",
		"▼ loses | 0.25× | [0.2, 0.3] | chan against ser | 16 | 8.000µs | 2.000µs",
		"line | share | source",
		"x.go:7 | 50 % | ch <- x",
		"x.go:9 | 38 % | ",
		"verdict | ratio | interval | compared | procs | time/op | base",
		"? cannot say | – |  | par against ser | 9 | – | –",
		"verdict | ratio | interval | compared | procs | time/op | base",
		"● even | 1.25× | [1.12, ∞] | against itself at 3 | 9 | 64.00ns | 80.00ns",
		"verdict | ratio | interval | compared | procs | time/op | base",
		"▲ pays | 5.00× | [4.00, 6.00] | par against ser | 9 | 10.00ns | 50.00ns",
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("rows:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// A card says first what pays, as the first line of the report does, then the worst, its three largest causes with the evidence and advice of
// the first, edits with what they gain, and what the script needs to find it.
func TestCards(t *testing.T) {
	body := page1(t, made(), Options{})
	all := cards.FindAllString(body, -1)
	if len(all) != 4 {
		t.Fatalf("%d cards, want 4", len(all))
	}
	for i, want := range []string{
		"Sum/n=8 m ▲ pays 2.00× [1.50, 3.00] par against ser, 16 processors; the worst beside it: ▼ loses 0.25× [0.2, 0.3] chan against ser, 16 processors Causes and figures because 62 % Hand-offs handoff x.go:7 : blocks often and waits Do: Batch 25 % A lock lock 6 % Garbage gc " +
			"Edit: batch 64 at x.go:7: no gain Hand over 64 Sum at 16: 1.12× [0.75, 1.50] Sum at 1: not known --- a/x.go +++ b/x.go @@ -7 +7 @@ -ch <- x +ch <- xs same verdict",
		"Open n ? cannot say – par against ser, 9 processors Causes and figures verdict",
		"Alone n ● even 1.25× [1.12, ∞] against itself at 3, 9 processors Causes and figures verdict",
		"Fast n ▲ pays 5.00× [4.00, 6.00] par against ser, 9 processors Causes and figures verdict",
	} {
		if got := words(all[i]); !strings.HasPrefix(got, want) {
			t.Errorf("card %d:\n got %s\nwant %s", i, got, want)
		}
	}
	for i, want := range []string{
		`<article class="card loses" id="card0" data-verdict="loses" data-text="a lock fourth garbage hand-offs sum/n=8 alloc chan gc handoff lock m par" data-evident="1" data-of="0,1,2">`,
		`<article class="card cannot-say" id="card1" data-verdict="cannot-say" data-text="open n par" data-of="4">`,
		`<article class="card even" id="card2" data-verdict="even" data-text=" alone n" data-of="3">`,
	} {
		if got := tags.FindString(all[i]); got != want {
			t.Errorf("card %d:\n got %s\nwant %s", i, got, want)
		}
	}
	for _, want := range []string{
		`<span class="head">--- a/x.go`, `<span class="head">+++ b/x.go`, `<span class="head">@@ -7 &#43;7 @@`, `<span class="gone">-ch &lt;- x`, `<span class="added">&#43;ch &lt;- xs`, `<span> same`,
	} {
		if !strings.Contains(body, want) && !strings.Contains(body, strings.ReplaceAll(want, "+++", "&#43;&#43;&#43;")) {
			t.Errorf("the diff lacks %q", want)
		}
	}
	// The filter counts cards by verdict, in the order of their weight.
	filter := words(body[strings.Index(body, "<form"):strings.Index(body, "</form>")])
	if want := "Find Verdict ▼ loses 1 ? cannot say 1 ● even 1 ▲ pays 1"; filter != want {
		t.Errorf("filter %q, want %q", filter, want)
	}
	head := words(body[strings.Index(body, "<header"):strings.Index(body, "</header>")])
	for _, want := range []string{"What it says.", "payoff v0"} {
		if !strings.Contains(head, want) {
			t.Errorf("the head %q lacks %q", head, want)
		}
	}
	// What is noted of several packages is there once.
	noted := made()
	for _, pkg := range []string{"m", "n"} {
		noted.Problems = append(noted.Problems, problem.Problem{Package: pkg, Reason: "too short", Next: "give more", Note: true})
	}
	if s := words(page1(t, noted, Options{})); strings.Count(s, "too short") != 1 || !strings.Contains(s, "note: m, n: too short: give more") {
		t.Errorf("a note of two packages is not there once: %s", s)
	}
	// Doubts are many lines on a small screen: verdicts and ratios stand before them.
	from := strings.Index(body, `<section id="doubts"`)
	doubts := words(body[from : from+strings.Index(body[from:], "</section>")])
	if want := "problem: m: does not end: warning: a warning not known: a lack"; doubts != want || from < strings.Index(body, `<table id="overview"`) || from > strings.Index(body, "<form") {
		t.Errorf("doubts %q, want %q between the table of all and the cards", doubts, want)
	}
	edits := words(body[strings.Index(body, `<section id="edits"`):strings.LastIndex(body, "</section>")])
	if want := "Edits SUSPECTED x.go:7: one item each chanperitem by handoff batch 64: no gain Hand over 64 as slow Sum at 16: 1.12× [0.75, 1.50] Sum at 1: not known passed: build, vet"; !strings.HasPrefix(edits, want) || !strings.HasSuffix(edits, "serial: fails Call it refused: merge: two senders") {
		t.Errorf("edits:\n got %s\nwant %s", edits, want)
	}
	foot := words(body[strings.Index(body, "<footer"):])
	for _, want := range []string{"raw results: rec", "next: payoff next"} {
		if !strings.Contains(foot, want) {
			t.Errorf("the foot %q lacks %q", foot, want)
		}
	}
}

// Of two states of the code verdicts are changes, and what only one of them has is
// named with which.
func TestChanges(t *testing.T) {
	d := made()
	d.Compared = &report.Compared{Gone: []report.Unmatched{{Package: "m", Benchmark: "BenchmarkOld"}}, Added: []report.Unmatched{{Package: "n", Benchmark: "BenchmarkNew"}}, Gate: &report.Gate{Failed: []string{"loses:10%: Sum"}}}
	body := page1(t, d, Options{Home: "/?a&b"})
	text := words(body)
	for _, want := range []string{
		"fails: loses:10%: Sum", "not in the new code any more: m BenchmarkOld", "new, with nothing to compare with: n BenchmarkNew",
		"▼ slower 1 ? cannot say 1 ● no difference 1 ▲ faster 1", "▼ slower 0.25×",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q: %s", want, text)
		}
	}
	for _, not := range []string{"pays", "loses 0.25"} {
		if strings.Contains(text, not) {
			t.Errorf("the page has %q", not)
		}
	}
	if !strings.HasPrefix(body, "<body>\n<nav><a href=\"/?a&amp;b\">all runs</a></nav>\n") {
		t.Errorf("the page begins with %.80q, want the way home", body)
	}
	if alone := page1(t, d, Options{}); strings.Contains(alone, "<nav>") {
		t.Error("a page that stands alone has a way home")
	}
}

// What the page holds for its script is the report, the samples for benchstat, and the
// strips, each where the script looks for it.
func TestHeld(t *testing.T) {
	d := made()
	var b bytes.Buffer
	strips := []report.Strip{{Package: "m", Name: "B", Procs: 8, Points: []report.Dot{{Round: 3, NS: 7, Dropped: true}}}}
	if err := Write(&b, d, Options{Bench: []byte("BenchmarkX 1 2 ns/op\n"), Strips: strips}); err != nil {
		t.Fatal(err)
	}
	held := func(id string) string {
		_, rest, ok := strings.Cut(b.String(), `<script type="application/octet-stream" id="`+id+`">`)
		data, _, _ := strings.Cut(rest, "</script>")
		raw, err := base64.StdEncoding.DecodeString(data)
		if err != nil || !ok {
			t.Fatal(id, ok, err)
		}
		z, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	back := &report.Doc{}
	if err := json.Unmarshal([]byte(held("doc")), back); err != nil || len(back.Comparisons) != 6 || *back.Comparisons[1].Wall != 8000 || *back.Comparisons[1].BaseWall != 2000 {
		t.Errorf("the report: %+v, %v", back, err)
	}
	if got := held("bench"); got != "BenchmarkX 1 2 ns/op\n" {
		t.Errorf("the samples: %q", got)
	}
	if got, want := held("more"), `{"strips":[{"package":"m","name":"B","procs":8,"points":[{"round":3,"ns":7,"dropped":true}]}],"sizes":null}`+"\n"; got != want && got != strings.Replace(want, "null", "[]", 1) {
		t.Errorf("the strips: %s, want %s", got, want)
	}
	if !strings.Contains(b.String(), "<title>payoff: What it says.</title>") {
		t.Error("the page has no title")
	}
}

// A name has as many bytes as there is room for.
func TestCut(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"", ""}, {strings.Repeat("x", 300), strings.Repeat("x", 300)}, {strings.Repeat("x", 301), strings.Repeat("x", 300) + "…"}, {"x" + strings.Repeat("é", 150), "x" + strings.Repeat("é", 149) + "…"},
	} {
		if got := cut(tt.name); got != tt.want {
			t.Errorf("cut(%d bytes) = %d bytes, want %d", len(tt.name), len(got), len(tt.want))
		}
	}
}

// full is a writer that has room for so much.
type full struct{ left int }

var errFull = errors.New("no space")

func (f *full) Write(b []byte) (int, error) {
	if len(b) > f.left {
		return 0, errFull
	}
	f.left -= len(b)
	return len(b), nil
}

// A page that is not written whole is an error.
func TestWriteFails(t *testing.T) {
	var whole bytes.Buffer
	if err := Write(&whole, made(), Options{}); err != nil {
		t.Fatal(err)
	}
	for _, room := range []int{0, 100, 5000, whole.Len() - 1} {
		if err := Write(&full{room}, made(), Options{}); !errors.Is(err, errFull) {
			t.Errorf("with room for %d of %d bytes: %v", room, whole.Len(), err)
		}
	}
}

// What cannot be written as JSON is an error, and no page with a hole.
func TestUnwritable(t *testing.T) {
	d := made()
	d.Seconds = math.NaN()
	var b bytes.Buffer
	if err := Write(&b, d, Options{}); err == nil || b.Len() > 0 {
		t.Errorf("%v, %d bytes of a report that is no JSON", err, b.Len())
	}
	if err := Write(&b, made(), Options{Strips: []report.Strip{{Points: []report.Dot{{NS: math.NaN()}}}}}); err == nil || b.Len() > 0 {
		t.Errorf("%v, %d bytes with strips that are no JSON", err, b.Len())
	}
}

// The page may run its own script and use its own style, and nothing else.
func TestPolicy(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, made(), Options{}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	between := func(from, to string) string {
		i := strings.LastIndex(text, from)
		got, _, ok := strings.Cut(text[i+len(from):], to)
		if i < 0 || !ok {
			t.Fatalf("the page has no %s…%s", from, to)
		}
		return got
	}
	sum := func(s string) string {
		h := sha256.Sum256([]byte(s))
		return "'sha256-" + base64.StdEncoding.EncodeToString(h[:]) + "'"
	}
	policy := between(`<meta http-equiv="Content-Security-Policy" content="`, `">`)
	want := "default-src 'none'; script-src " + sum(between("<script>", "</script>")) + "; style-src " + sum(between("<style>", "</style>")) + " " + sum(plotStyle) + " "
	if !strings.HasPrefix(policy, want) || !strings.HasSuffix(policy, "'; base-uri 'none'; form-action 'none'") || strings.Count(policy, "'sha256-") != 4 {
		t.Errorf("policy %s\nwant %s…", policy, want)
	}
	if !strings.HasPrefix(text, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=") || !strings.HasSuffix(text, "</script>\n</body>\n</html>\n") {
		t.Errorf("the page begins with %.80q and ends in %q", text, text[len(text)-30:])
	}
	if style := flameStyle(); !strings.Contains(style, ".d3-flame-graph") || strings.Contains(style, "`") {
		t.Errorf("the style of flame graphs is %.80q", style)
	}
}

// TestCounts: cards of one verdict are counted together, each in its place.
func TestCounts(t *testing.T) {
	d := made()
	for i := range d.Comparisons {
		if d.Comparisons[i].Verdict == judge.Even {
			d.Comparisons[i].Verdict = judge.Pays
		}
	}
	got := ""
	for _, c := range newView(d, d).Verdicts {
		got += fmt.Sprintf("%s %d, ", c.Word, c.N)
	}
	if want := "loses 1, cannot say 1, pays 2, "; got != want {
		t.Errorf("counted %s want %s", got, want)
	}
}

// TestOverview: of many families the cards are closed, and all stand in a table, which
// draws each ratio with its interval, and has the edit that gains most.
func TestOverview(t *testing.T) {
	d := made()
	d.Comparisons = d.Comparisons[:2]
	if body := page1(t, d, Options{}); strings.Contains(body, `id="overview"`) || strings.Count(body, `<details class="more" open>`) != 1 {
		t.Error("one family has a table of all, or a closed card")
	} else if strings.Count(body, `<section id="doubts"`) != 1 || strings.Index(body, `<section id="doubts"`) < strings.Index(body, "</main>") {
		t.Error("the doubts do not stand behind the only card")
	}
	d = made()
	fix := &d.Fixes[0].Findings[0].Fixes[0]
	fix.Word = verify.Kept
	body := page1(t, d, Options{})
	for _, want := range []string{
		`<rect x="60" y="4" width="20" height="6"/><path d="M60 0v14M71.7 7H91.7"/>`, // 2 is a third of the way to 8
		`<td data-sort="1.125">batch 64 1.12×</td>`, `<td data-sort="0"></td>`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the table lacks %s:\n%s", want, body[strings.Index(body, `<table id="overview"`):strings.Index(body, "<form")])
		}
	}
	for i := range few {
		c := d.Comparisons[5]
		c.Benchmark = fmt.Sprint("More", i)
		c.Name, c.BaseName = "Benchmark"+c.Benchmark+"/variant=par", "Benchmark"+c.Benchmark+"/variant=ser"
		d.Comparisons = append(d.Comparisons, c)
	}
	body = page1(t, d, Options{})
	if rows, closed := strings.Count(body[:strings.Index(body, "<form")], "<tr"), strings.Count(body, `<details class="more">`); rows != few+5 || closed != few+4 {
		t.Errorf("%d rows and %d closed cards of %d families", rows, closed, few+4)
	}
}

// TestBar: what is beyond the scale ends at its edge, and what is not known is not drawn.
func TestBar(t *testing.T) {
	for _, tt := range []struct {
		ratio, low, high float64
		want             bar
	}{{1, 0.5, 2, bar{60, 0, 40, 80}}, {100, 8, 1000, bar{60, 60, 120, 120}}, {0.001, 0, 0.25, bar{0, 60, 0, 20}}} {
		got := row{Comparison: &report.Comparison{Pairs: 3, Ratio: &tt.ratio, Low: &tt.low, High: &tt.high}}.Bar()
		if got == nil || *got != tt.want {
			t.Errorf("%v [%v, %v]: %v, want %v", tt.ratio, tt.low, tt.high, got, tt.want)
		}
	}
	if got := (row{Comparison: &report.Comparison{Pairs: 3}}).Bar(); got != nil {
		t.Errorf("a ratio that is not known is %v", got)
	}
	if got := (row{Comparison: &report.Comparison{Ratio: number(2)}}).Bar(); got != nil {
		t.Errorf("a ratio without pairs is %v", got)
	}
}
