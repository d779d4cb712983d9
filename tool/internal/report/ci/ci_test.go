package ci_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/report/ci"
	"github.com/gopayoff/payoff/tool/internal/sarif"
)

func many(n int) *report.Doc {
	x, low, high := 0.2, 0.15, 0.25
	d := &report.Doc{Summary: "Failed: a | b <script>\n::error::injected 10%", Compared: &report.Compared{Gate: &report.Gate{Rules: []string{"loses:10%"}}}}
	for i := range n {
		d.Compared.Changes = append(d.Compared.Changes, report.Change{Package: "m", Benchmark: fmt.Sprintf("BenchmarkA/<img|n=%d", i), Procs: 2, Word: report.Slower,
			More: report.Interval{Value: &x, Low: &low, High: &high}, OldNs: &x, NewNs: &x, File: "m/m_test.go", Line: 7})
		d.Compared.Gate.Failed = append(d.Compared.Gate.Failed, fmt.Sprintf("fails %d %%", i))
	}
	return d
}

// Of more than a system takes it shows nothing: rows are left out, and counted.
func TestMarkdown(t *testing.T) {
	for _, limit := range []int{ci.CommentLimit, ci.SummaryLimit} {
		var b bytes.Buffer
		if err := ci.Markdown(&b, many(20_000), limit); err != nil {
			t.Fatal(err)
		}
		if b.Len() > limit || b.Len() < limit-500 {
			t.Errorf("%d bytes, want at most %d and not much less", b.Len(), limit)
		}
		if !strings.Contains(b.String(), "more rows\n") {
			t.Error("rows are left out, and nothing says so")
		}
	}
	var b bytes.Buffer
	if err := ci.Markdown(&b, many(3), ci.CommentLimit); err != nil {
		t.Fatal(err)
	}
	s := b.String()
	if !strings.HasPrefix(s, ci.Marker+"\n") || strings.Contains(s, "<script") || strings.Contains(s, "<img") || strings.Contains(s, "more rows") {
		t.Errorf("%s", s)
	}
	for line := range strings.Lines(s) {
		if n := strings.Count(strings.ReplaceAll(line, "\\|", ""), "|"); strings.HasPrefix(line, "|") && n != 7 {
			t.Errorf("%d bars in %q, want 7: a name ends its cell", n, line)
		}
	}
	b.Reset()
	if err := ci.Markdown(&b, many(3), 10); err != nil || b.Len() > 10 {
		t.Errorf("%d bytes of 10, %v", b.Len(), err)
	}
}

// GitHub shows ten annotations of a kind: the last says how many there are.
func TestGitHub(t *testing.T) {
	for n, lines := range map[int]int{0: 1, 3: 4, 9: 10, 10: 10, 500: 10} {
		var b bytes.Buffer
		if err := ci.GitHub(&b, many(n)); err != nil {
			t.Fatal(err)
		}
		s := b.String()
		if got := strings.Count(s, "\n"); got != lines {
			t.Errorf("%d failures make %d lines, want %d", n, got, lines)
		}
		if strings.Contains(s, "\n::error::injected") || n > 0 && !strings.Contains(s, "injected 10%25") {
			t.Errorf("what is no command is one: %s", s)
		}
		if more := fmt.Sprintf("and %d more", n-8); n > 9 && !strings.Contains(s, more) {
			t.Errorf("%d failures: no %q", n, more)
		}
	}
}

func TestSARIF(t *testing.T) {
	var b bytes.Buffer
	if err := ci.SARIF(&b, many(6000)); err != nil {
		t.Fatal(err)
	}
	var log struct {
		Version string
		Runs    []struct {
			Results []struct {
				RuleID    string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine int }
					}
				}
				PartialFingerprints map[string]string
			}
		}
	}
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 || len(log.Runs[0].Results) != 5000 {
		t.Fatalf("version %q, %d runs", log.Version, len(log.Runs))
	}
	r := log.Runs[0].Results[1]
	if at := r.Locations[0].PhysicalLocation; r.RuleID != "slower" || at.ArtifactLocation.URI != "m/m_test.go" || at.Region.StartLine != 7 || r.PartialFingerprints["benchmark/v1"] == log.Runs[0].Results[0].PartialFingerprints["benchmark/v1"] {
		t.Errorf("result %+v", r)
	}
}

// TestNothing: where nothing was compared, every form says so, and is whole.
func TestNothing(t *testing.T) {
	rule, err := report.ParseRule("loses:10%")
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]*report.Doc{
		"nothing to compare: all is the same": report.Unchanged("v1", "nothing to compare: all is the same", []report.Rule{rule}),
		"Not judged: too noisy":               {Summary: "Not judged: too noisy", Compared: &report.Compared{Gate: &report.Gate{Refused: "too noisy"}}, Problems: []problem.Problem{{Package: "m", Reason: "cannot be built", Next: "mend it"}}},
	} {
		var b, md, gh bytes.Buffer
		if err := errors.Join(ci.SARIF(&b, d), ci.Markdown(&md, d, ci.CommentLimit), ci.GitHub(&gh, d)); err != nil {
			t.Fatal(err)
		}
		var log struct {
			Runs []struct {
				Results     []any
				Invocations []struct {
					ExecutionSuccessful        bool
					ToolExecutionNotifications []struct {
						Level   string
						Message struct{ Text string }
					}
				}
			}
		}
		if err := json.Unmarshal(b.Bytes(), &log); err != nil {
			t.Fatal(err)
		}
		run := log.Runs[0]
		told := run.Invocations[0].ToolExecutionNotifications
		level, failed := "note", len(d.Problems) > 0
		if d.Compared.Gate.Refused != "" {
			level = "warning"
		}
		if run.Results == nil || len(run.Results) != 0 || run.Invocations[0].ExecutionSuccessful == failed || len(told) != 1+len(d.Problems) || told[0].Level != level || !strings.Contains(told[0].Message.Text, name) || failed && told[1].Level != "error" {
			t.Errorf("%s: SARIF %s", name, b.String())
		}
		if !strings.Contains(md.String(), name) || strings.Contains(md.String(), "measured on") || !strings.Contains(gh.String(), name) {
			t.Errorf("%s: Markdown %s\nGitHub %s", name, md.String(), gh.String())
		}
	}
}

// TestMarkdownOfNames: a name, wherever it stands, is shown as it is, and makes no
// link, reference, mention, mathematics, mark or block.
func TestMarkdownOfNames(t *testing.T) {
	raw := map[string]*regexp.Regexp{
		"an address":  regexp.MustCompile(`(?i)[a-z]://|www\.|[a-z0-9]@[a-z0-9]`),
		"a link":      regexp.MustCompile(`(^|[^\\])\[[^+?]`),
		"a reference": regexp.MustCompile(`(?i)(^|[^&])#\d|\bgh-\d`),
		"a commit":    regexp.MustCompile(`(?i)(^|[^0-9a-z])(([0-9a-f]{6,}[a-f]|[a-f][0-9a-f]{6,}|[0-9]{40})[0-9a-f]*)([^0-9a-z]|$)`),
		"of GitLab":   regexp.MustCompile(`(!|&amp;|%)\d|(~|%)[a-zA-Z"]`),
		"a mention":   regexp.MustCompile(`@[A-Za-z]`),
		"mathematics": regexp.MustCompile(`\$([^<]|$)`),
		"code":        regexp.MustCompile("(^|[^\\\\])`"),
		"emphasis":    regexp.MustCompile(`(^|[^\\])[*_~]`),
		"HTML":        regexp.MustCompile(`<[^/s!]|<s[^p]`),
		"a block":     regexp.MustCompile(`^([-+=]|\d+[.)]|#+ |>|    |\s*\[[^\]]*\]:)`),
	}
	shown := strings.NewReplacer("&#8203;", "", "<span>", "", "</span>", "", `\\`, `\`, `\`, "")
	for _, name := range []string{
		"https://host.example/x", "HTTP://host", "www.host.example", "someone@host.example", "[text](https://host)", "![](https://host/x.png)", "[x]: https://host",
		"#1", "owner/repo#12", "GH-7", "a gh-26 b", "@someone", "owner@0123456", "owner/repo@0123456789abcdef0123456789abcdef01234567", "0123456789abcdef0123456789abcdef01234567", "x/DEADBEEF", "a_deadbee b", "1234567890123456789012345678901234567890", "!12", "a!1", "&12", "~label", "%v1", "100%1", "$x^2$", "$`x`$", "$$x$$", "`code`", "``` x", "*x* _y_ ~~z~~", "<img src=x>", "&lt;b&gt;",
		"# title", "- item", "+ item", "1. item", "12) item", "=====", "---", "> quote", "~~~", "| a | b |", `\# \[x\]`, "[x] task",
	} {
		x := 0.5
		d := &report.Doc{Summary: name, Warnings: []string{name}, Problems: []problem.Problem{{Package: name, Reason: "fails", Next: "mend it"}}, Environment: machine.Env{CPU: name, UsableCPUs: 1},
			Compared: &report.Compared{Same: []string{name}, Gone: []report.Unmatched{{Benchmark: name}}, Gate: &report.Gate{Rules: []string{name}},
				Changes: []report.Change{{Package: name, Benchmark: name, Procs: 1, Word: report.Slower, More: report.Interval{Value: &x, Low: &x, High: &x}}}}}
		var b bytes.Buffer
		if err := ci.Markdown(&b, d, ci.CommentLimit); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			own := strings.HasPrefix(line, "### ") || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "<!--") || strings.HasPrefix(line, "- warning") // begin as they are meant to
			line = strings.TrimPrefix(line, "- ")
			for what, re := range raw {
				if strings.HasPrefix(line, "<!--") || own && what == "a block" || strings.HasPrefix(line, "|") && strings.HasSuffix(strings.TrimSpace(line), "---:|") {
					continue
				}
				if re.MatchString(line) {
					t.Errorf("of %q there is %s in %q", name, what, line)
				}
			}
		}
		if n := strings.Count(html.UnescapeString(shown.Replace(b.String())), strings.TrimSpace(name)); n < 7 {
			t.Errorf("%q is shown %d times as it is, want 7 or more:\n%s", name, n, &b)
		}
	}
}

// TestSARIFOfNames: a file's URI is escaped, and leads to the file however it is called.
func TestSARIFOfNames(t *testing.T) {
	for name, want := range map[string]string{"m/a b#?.go": "m/a%20b%23%3F.go", "a:b.go": "./a:b.go", "m/\x1b\n%.go": "m/%1B%0A%25.go"} {
		d := many(1)
		d.Compared.Changes[0].File, d.Compared.Changes[0].Benchmark = name, "BenchmarkA/[x](https://host)"
		var b bytes.Buffer
		if err := ci.SARIF(&b, d); err != nil {
			t.Fatal(err)
		}
		var log sarif.Log
		if err := json.Unmarshal(b.Bytes(), &log); err != nil {
			t.Fatal(err)
		}
		r := log.Runs[0].Results[0]
		if got := r.Locations[0].Physical.Artifact.URI; got != want {
			t.Errorf("the URI of %q is %q, want %q", name, got, want)
		}
		if strings.Contains(r.Message.Text, "](") {
			t.Errorf("the message %q has a link", r.Message.Text)
		}
	}
}

// TestMarkdownOfCommits: the commits that are compared may be links, others and numbers
// stay as they are: no link, and nothing in them that a reader would copy.
func TestMarkdownOfCommits(t *testing.T) {
	d := distinct()
	d.Compared.New.Commit = "fedcba9876543210"
	d.Summary = "HEAD (fedcba9876543210) against main (0123456789ab): 1 slower"
	d.Warnings = []string{"not fedcba98765432101, nor a123456", "n=1000000 and 10000000/x, but abcdef", "feedback, Facade01 and defaced"}
	var b bytes.Buffer
	if err := ci.Markdown(&b, d, ci.CommentLimit); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"HEAD (fedcba9876543210) against main (0123456789ab): 1 slower\n",
		"not fedcba&#8203;987654&#8203;32101, nor a12345&#8203;6\n",
		"n=1000000 and 10000000/x, but abcdef\n",
		"feedback, Facade&#8203;01 and deface&#8203;d\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
}
