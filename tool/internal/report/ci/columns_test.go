package ci_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/report/ci"
)

// distinct is a comparison in which no two figures are the same.
func distinct() *report.Doc {
	x := func(v float64) *float64 { return &v }
	return &report.Doc{Summary: "Failed: 1 slower", Payoff: "v7", Environment: machine.Env{CPU: "A CPU", UsableCPUs: 9, Go: "go1.26.8"},
		Problems: []problem.Problem{{Package: "q", Reason: "does not compile", Next: "mend it"}}, Warnings: []string{"noisy"},
		Compared: &report.Compared{
			Old: discover.Code{Name: "main", Commit: "0123456789abcdef"}, New: discover.Code{Name: "HEAD"},
			Changes: []report.Change{
				{Package: "m", Benchmark: "BenchmarkA", Procs: 16, Word: report.Slower, More: report.Interval{Value: x(0.25), Low: x(0.2), High: x(0.3)}, OldNs: x(1000), NewNs: x(1250), File: "m/a_test.go", Line: 7},
				{Package: "m", Benchmark: "BenchmarkB", Procs: 9, Word: report.CannotSay, More: report.Interval{Value: x(0.05)}, OldNs: x(3000)},
				{Package: "m", Benchmark: "BenchmarkC", Procs: 8, Word: report.Faster, More: report.Interval{Value: x(-0.5), Low: x(-0.6), High: x(-0.4)}, OldNs: x(4000), NewNs: x(2000), File: "m/c_test.go", Line: 9},
				{Package: "m", Benchmark: "BenchmarkD", Procs: 3, Word: report.NoDifference, More: report.Interval{Value: x(0.01), Low: x(-0.01), High: x(0.02)}, OldNs: x(100), NewNs: x(101)},
				{Package: "m", Benchmark: "BenchmarkE", Procs: 1, Word: report.Slower, More: report.Interval{Value: x(1), Low: x(0.9), High: x(1.1)}, OldNs: x(5), NewNs: x(10)},
				{Package: "m", Benchmark: "BenchmarkF", Procs: 1, Word: report.Slower, More: report.Interval{Value: x(1), Low: x(0.9), High: x(1.1)}, OldNs: x(6), NewNs: x(12), File: "m/f_test.go"},
			},
			Gone: []report.Unmatched{{Package: "m", Benchmark: "BenchmarkOld"}}, Added: []report.Unmatched{{Package: "m", Benchmark: "BenchmarkNew"}, {Package: "m", Benchmark: "BenchmarkNewer"}},
			Gate: &report.Gate{Rules: []string{"loses:10%", "gone"}, Failed: []string{"loses:10%: A", "gone: Old"}, Open: 1},
		}}
}

// Each figure stands in the column that is named for it.
func TestMarkdownColumns(t *testing.T) {
	const want = `<!-- payoff ci -->
### payoff: Failed: 1 slower

Rules: loses:10%, gone. Open: 1 of 6.

| | benchmark | time | interval | old | new |
|---|---|---:|---|---:|---:|
| 🔴 slower | m A at 16 | +25.0 % | [+20.0 %, +30.0 %] | 1.000µs | 1.250µs |
| ❔ cannot say | m B at 9 | +5.0 % | [?, ?] | 3.000µs | ? |
| 🟢 faster | m C at 8 | -50.0 % | [-60.0 %, -40.0 %] | 4.000µs | 2.000µs |
| no difference | m D at 3 | +1.0 % | [-1.0 %, +2.0 %] | 100.0ns | 101.0ns |
| 🔴 slower | m E at 1 | +100.0 % | [+90.0 %, +110.0 %] | 5.000ns | 10.00ns |
| 🔴 slower | m F at 1 | +100.0 % | [+90.0 %, +110.0 %] | 6.000ns | 12.00ns |

Gone: 1 benchmark, BenchmarkOld.

Added: 2 benchmarks, BenchmarkNew, BenchmarkNewer.

- q: does not compile: mend it

- warning: noisy

`
	var b bytes.Buffer
	d := distinct()
	if err := ci.Markdown(&b, d, ci.CommentLimit); err != nil {
		t.Fatal(err)
	}
	got, rest, _ := strings.Cut(b.String(), d.Machine())
	if got != want || rest != "\n" {
		t.Errorf("got\n%s\nand %q, want\n%s", got, rest, want)
	}
	// As many rows as fit stand whole, the others are counted; each row is as long as it is.
	whole := b.Len()
	for limit := whole + 30; limit > whole-300; limit-- {
		b.Reset()
		if err := ci.Markdown(&b, d, limit); err != nil {
			t.Fatal(err)
		}
		rows := strings.Count(b.String(), " at ")
		said := strings.Contains(b.String(), fmt.Sprintf("\nand %d more rows\n", 6-rows))
		if b.Len() > limit || said != (rows < 6) || limit > whole+60 && rows < 6 || rows == 0 && strings.Contains(b.String(), "| benchmark |") || !strings.HasSuffix(b.String(), d.Machine()+"\n") {
			t.Fatalf("limit %d: %d bytes, %d rows, said %t:\n%s", limit, b.Len(), rows, said, b.String())
		}
	}
	// Of many names ten are there.
	for range 20 {
		d.Compared.Gone = append(d.Compared.Gone, report.Unmatched{Benchmark: "BenchmarkMore"})
		d.Problems, d.Warnings = append(d.Problems, problem.Problem{Reason: "another"}), append(d.Warnings, "once more")
	}
	d.Compared.Gate.Open = 0
	b.Reset()
	if err := ci.Markdown(&b, d, ci.CommentLimit); err != nil {
		t.Fatal(err)
	}
	s := b.String()
	if !strings.Contains(s, "Gone: 21 benchmarks, ") || strings.Count(s, "BenchmarkMore") != 9 || strings.Count(s, "another") != 9 || strings.Count(s, "once more") != 9 || strings.Contains(s, "Open:") {
		t.Errorf("%s", s)
	}
	d.Compared.Gate, d.Compared.Gone, d.Compared.Added = nil, nil, nil
	b.Reset()
	if err := ci.Markdown(&b, d, ci.CommentLimit); err != nil || strings.Contains(b.String(), "Rules:") || strings.Contains(b.String(), "Gone:") || strings.Contains(b.String(), "Added:") {
		t.Errorf("without rules, and nothing gone or added: %v\n%s", err, b.String())
	}
}

// An annotation is an error where a rule is broken, a warning where nothing was judged.
func TestGitHubKinds(t *testing.T) {
	for _, tt := range []struct {
		name string
		gate *report.Gate
		want string
	}{
		{"passed", &report.Gate{}, "::notice title=payoff::Failed: 1 slower\n"},
		{"no rules", nil, "::notice title=payoff::Failed: 1 slower\n"},
		{"broken", &report.Gate{Failed: []string{"loses: A", "gone: 10 % of B\n::error::"}}, "::error title=payoff::Failed: 1 slower\n::error title=payoff::loses: A\n::error title=payoff::gone: 10 %25 of B\\n::error::\n"},
		{"not judged", &report.Gate{Failed: []string{"loses: A"}, Refused: "too noisy"}, "::warning title=payoff::Failed: 1 slower\n::error title=payoff::loses: A\n"},
	} {
		d := distinct()
		d.Compared.Gate = tt.gate
		var b bytes.Buffer
		if err := ci.GitHub(&b, d); err != nil || b.String() != tt.want {
			t.Errorf("%s: %v\n%swant\n%s", tt.name, err, b.String(), tt.want)
		}
	}
}

// A result is of what is slower, at its line, or without a place.
func TestSARIFResults(t *testing.T) {
	var b bytes.Buffer
	if err := ci.SARIF(&b, distinct()); err != nil {
		t.Fatal(err)
	}
	var log struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Name, Version string }
			}
			Results []json.RawMessage
		}
	}
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range log.Runs[0].Results {
		var c bytes.Buffer
		if err := json.Compact(&c, r); err != nil {
			t.Fatal(err)
		}
		got = append(got, c.String())
	}
	result := func(bench string, procs int, more, span, at string) string {
		return fmt.Sprintf(`{"ruleId":"slower","ruleIndex":0,"level":"warning","message":{"text":"%s takes %s %s at GOMAXPROCS=%d than in main (0123456789ab)"},%s"partialFingerprints":{"benchmark/v1":"m %s-%d"}}`, bench, more, span, procs, at, bench, procs)
	}
	at := func(file string, line int) string {
		return fmt.Sprintf(`"locations":[{"physicalLocation":{"artifactLocation":{"uri":"%s"},"region":{"startLine":%d,"startColumn":1,"endLine":%d,"endColumn":2}}}],`, file, line, line)
	}
	want := []string{
		result("BenchmarkA", 16, "+25.0 %", "[+20.0 %, +30.0 %]", at("m/a_test.go", 7)),
		result("BenchmarkE", 1, "+100.0 %", "[+90.0 %, +110.0 %]", ""),
		result("BenchmarkF", 1, "+100.0 %", "[+90.0 %, +110.0 %]", at("m/f_test.go", 1)), // a line that is not known is the first
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") || log.Runs[0].Tool.Driver.Name != "payoff" || log.Runs[0].Tool.Driver.Version != "v7" {
		t.Errorf("results of %+v:\n%s\nwant\n%s", log.Runs[0].Tool, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// full has no room for one of the writes.
type full struct{ at, n int }

var errFull = errors.New("no space")

func (f *full) Write(b []byte) (int, error) {
	if f.n++; f.n == f.at+1 {
		return 0, errFull
	}
	return len(b), nil
}

// What cannot be written is an error, whichever line it is.
func TestFull(t *testing.T) {
	for _, tt := range []struct{ failures, lines int }{{1, 2}, {2, 3}, {9, 10}, {500, 10}} {
		for at := range tt.lines + 1 {
			if err := ci.GitHub(&full{at: at}, many(tt.failures)); errors.Is(err, errFull) != (at < tt.lines) {
				t.Errorf("%d failures, no room for line %d: %v", tt.failures, at, err)
			}
		}
	}
	var b bytes.Buffer
	if err := ci.GitHub(&b, many(9)); err != nil || strings.Contains(b.String(), " more") || !strings.Contains(b.String(), "fails 8 ") {
		t.Errorf("nine failures, which all have room: %v\n%s", err, b.String())
	}
	if err := ci.Markdown(&full{}, many(1), 1000); !errors.Is(err, errFull) {
		t.Errorf("Markdown: %v", err)
	}
	if err := ci.SARIF(&full{}, many(1)); !errors.Is(err, errFull) {
		t.Errorf("SARIF: %v", err)
	}
}
