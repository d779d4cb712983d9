// Package ci writes comparisons for the systems that show them beside a change of
// the code: as Markdown, as GitHub's workflow commands, and as SARIF. It computes
// nothing: what it shows is in the report.
package ci

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/sarif"
)

const (
	// SummaryLimit is what GitHub takes of a step's summary, in bytes: of more it
	// shows nothing. CommentLimit is what it takes of a comment.
	SummaryLimit = 1 << 20
	CommentLimit = 65536
	// annotations are those of one kind that GitHub shows of a step. The last says
	// how many more there are.
	annotations = 10
	results     = 5000 // of SARIF, that GitHub shows
)

// Marker is the first line of the Markdown: a bot finds its comment by it.
const Marker = "<!-- payoff ci -->"

// Markdown writes the report in at most limit bytes: what comes last, rows without
// a difference, is left out first, and it says so.
func Markdown(w io.Writer, doc *report.Doc, limit int) error {
	d := plain.All(*doc)
	x := d.Compared
	t := texts{[]string{x.Old.Commit, x.New.Commit}}
	var head, foot strings.Builder
	fmt.Fprintf(&head, "%s\n### payoff: %s\n", Marker, t.cell(d.Summary))
	if g := x.Gate; g != nil {
		fmt.Fprintf(&head, "\nRules: %s.", t.cell(strings.Join(g.Rules, ", ")))
		if g.Open > 0 {
			fmt.Fprintf(&head, " Open: %d of %d.", g.Open, len(x.Changes))
		}
		if n := len(g.Unconfirmed); n > 0 {
			fmt.Fprintf(&head, " Not confirmed by another machine: %s.", figure.Plural(n, "alert"))
		}
		head.WriteString("\n")
	}
	for _, c := range []struct {
		what string
		all  []report.Unmatched
	}{{"Gone", x.Gone}, {"Added", x.Added}} {
		if n := len(c.all); n > 0 {
			fmt.Fprintf(&foot, "\n%s: %s", c.what, figure.Plural(n, "benchmark"))
			for _, u := range c.all[:min(n, annotations)] {
				fmt.Fprintf(&foot, ", %s", t.cell(u.Benchmark))
			}
			foot.WriteString(".\n")
		}
	}
	if n := len(x.Same); n > 0 {
		fmt.Fprintf(&foot, "\nNot measured: %s whose code is the same: %s.\n", figure.Plural(n, "package"), t.cell(some(x.Same)))
	}
	for _, p := range d.Problems[:min(len(d.Problems), annotations)] {
		fmt.Fprintf(&foot, "\n- %s\n", t.cell(p.String()))
	}
	for _, s := range d.Warnings[:min(len(d.Warnings), annotations)] {
		fmt.Fprintf(&foot, "\n- warning: %s\n", t.cell(s))
	}
	if d.Environment.UsableCPUs > 0 { // nothing was measured on it
		fmt.Fprintf(&foot, "\n%s\n", t.cell(d.Machine()))
	}
	const tableHead = "\n| | benchmark | time | interval | old | new |\n|---|---|---:|---|---:|---:|\n"
	const more = "\nand %d more rows\n"
	left := limit - head.Len() - foot.Len() - len(tableHead) - len(more) - 20
	var rows strings.Builder
	n := 0
	for i := range x.Changes {
		c := &x.Changes[i]
		row := fmt.Sprintf("| %s | %s at %d | %s | %s | %s | %s |\n", sign[c.Word], t.cell(c.Package+" "+strings.TrimPrefix(c.Benchmark, "Benchmark")), c.Procs, report.Percent(c.More.Value), c.Span(), nanoseconds(c.OldNs), nanoseconds(c.NewNs))
		if rows.Len()+len(row) > left {
			break
		}
		rows.WriteString(row)
		n++
	}
	out := head.String()
	if n > 0 {
		out += tableHead + rows.String()
	}
	if rest := len(x.Changes) - n; rest > 0 {
		out += fmt.Sprintf(more, rest)
	}
	out += foot.String()
	if len(out) > limit { // a summary or a warning alone is longer
		out = strings.ToValidUTF8(out[:limit], "")
	}
	_, err := io.WriteString(w, out)
	return err
}

// some names the first of many.
func some(all []string) string {
	s := strings.Join(all[:min(len(all), annotations)], ", ")
	if rest := len(all) - annotations; rest > 0 {
		s += fmt.Sprintf(" and %d more", rest)
	}
	return s
}

var sign = map[report.ChangeWord]string{
	report.Slower: "🔴 slower", report.Faster: "🟢 faster", report.NoDifference: "no difference", report.CannotSay: "❔ cannot say",
}

func nanoseconds(ns *float64) string {
	if ns == nil {
		return "?"
	}
	return figure.Time(*ns)
}

// markdown escapes what Markdown, or GitHub that shows it, makes something of: HTML,
// emphasis, code, cells; links and what reads like an address; mentions and references
// to issues and commits; mathematics. A reader sees what was there, and copies a character more,
// which has no width, out of addresses, mentions and references.
var markdown = strings.NewReplacer("\\", "\\\\", "|", "\\|", "<", "&lt;", ">", "&gt;", "&", "&amp;", "`", "\\`", "*", "\\*", "_", "\\_", "~", "\\~", "[", "\\[", "]", "\\]", "\n", " ", "\r", " ",
	"@", "@&#8203;", "#", "#&#8203;", "://", ":&#8203;//", "www.", "www&#8203;.", "$", "<span>$</span>")

var (
	issue  = regexp.MustCompile(`(?i)\b(gh)-(\d)`)                // GH-1 is one of GitHub's
	gitlab = regexp.MustCompile(`(!|&amp;|%)(\d)|(\\~|%)([\w"])`) // !1, &1, %1, ~name, %name are of GitLab
	word   = regexp.MustCompile(`[0-9A-Za-z]{7,}`)                // may be a commit
	block  = regexp.MustCompile(`^\s*(\d*)([-+=.)])`)             // begins a list, a line or a heading
)

// texts makes text of names and messages, which may hold anything. commits are those that
// the report is of: they may be links.
type texts struct{ commits []string }

func (t texts) cell(s string) string {
	s = issue.ReplaceAllString(markdown.Replace(s), "${1}-&#8203;${2}")
	s = gitlab.ReplaceAllString(s, "${1}${3}&#8203;${2}${4}")
	s = word.ReplaceAllStringFunc(s, t.uncommitted)
	return block.ReplaceAllString(s, `${1}\${2}`)
}

// uncommitted divides what may be the hash of a commit, of which seven digits are enough
// to become a link. A number is left alone, as in n=1000000, unless it is as long as a
// hash.
func (t texts) uncommitted(w string) string {
	hash := strings.ToLower(w)
	if strings.Trim(hash, "0123456789abcdef") != "" || strings.Trim(hash, "0123456789") == "" && len(hash) < 40 {
		return w
	}
	for _, c := range t.commits {
		if strings.HasPrefix(c, hash) {
			return w
		}
	}
	const most = 6 // digits that are no commit
	var parts []string
	for ; len(w) > most; w = w[most:] {
		parts = append(parts, w[:most])
	}
	return strings.Join(append(parts, w), "&#8203;")
}

// GitHub writes workflow commands: an annotation for what broke a rule, and one
// for why nothing was judged.
func GitHub(w io.Writer, doc *report.Doc) error {
	d := plain.All(*doc)
	g := d.Compared.Gate
	if g == nil {
		g = &report.Gate{}
	}
	kind := "notice"
	switch {
	case g.Refused != "":
		kind = "warning"
	case len(g.Failed) > 0:
		kind = "error"
	}
	if _, err := fmt.Fprintf(w, "::%s title=payoff::%s\n", kind, data(d.Summary)); err != nil {
		return err
	}
	failed := g.Failed
	room := annotations - 1 // the summary is one
	if len(failed) > room {
		failed = failed[:room-1]
	}
	for _, s := range failed {
		if _, err := fmt.Fprintf(w, "::error title=payoff::%s\n", data(s)); err != nil {
			return err
		}
	}
	if rest := len(g.Failed) - len(failed); rest > 0 {
		_, err := fmt.Fprintf(w, "::error title=payoff::and %d more: the summary of the step has them\n", rest)
		return err
	}
	return nil
}

var command = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")

// data is text as the value of a workflow command.
func data(s string) string { return command.Replace(s) }

// SARIF writes a result for each benchmark that is slower. What could not be judged
// or measured stands among the notifications: no results alone would read as if all
// were well.
func SARIF(w io.Writer, doc *report.Doc) error {
	d := plain.All(*doc)
	all := []sarif.Result{}
	for i := range d.Compared.Changes {
		c := &d.Compared.Changes[i]
		if c.Word != report.Slower || len(all) == results {
			continue
		}
		result := sarif.Result{
			RuleID: "slower", Level: "warning",
			Message:      sarif.Text(fmt.Sprintf("%s takes %s %s at GOMAXPROCS=%d than in %s", c.Benchmark, report.Percent(c.More.Value), c.Span(), c.Procs, report.Said(d.Compared.Old))),
			Fingerprints: map[string]string{"benchmark/v1": fmt.Sprintf("%s %s-%d", c.Package, c.Benchmark, c.Procs)},
		}
		if file := doc.Compared.Changes[i].File; file != "" { // as it is, not as it is shown
			line := max(c.Line, 1)
			result.Locations = []sarif.Location{{Physical: sarif.Physical{Artifact: sarif.Relative(file), Region: sarif.Region{StartLine: line, StartColumn: 1, EndLine: line, EndColumn: 2}}}}
		}
		all = append(all, result)
	}
	told := []sarif.Notification{{Level: "note", Message: sarif.Text(d.Summary)}}
	if g := d.Compared.Gate; g != nil && g.Refused != "" {
		told[0].Level = "warning"
	}
	for _, p := range d.Problems[:min(len(d.Problems), results)] {
		level := "error"
		if p.Note {
			level = "note"
		}
		told = append(told, sarif.Notification{Level: level, Message: sarif.Text(p.String())})
	}
	rule := sarif.Rule{
		ID: "slower", Short: sarif.Message{Text: "A benchmark is slower"},
		Full: sarif.Message{Text: "A benchmark takes longer than before, by interleaved pairs of both states of the code."},
		Help: sarif.Message{Text: "payoff compare measures both again, payoff run says why."},
	}
	return sarif.Write(w, sarif.Run{
		Tool:        sarif.Tool{Driver: sarif.Driver{Name: "payoff", Version: d.Payoff, Rules: []sarif.Rule{rule}}},
		Invocations: []sarif.Invocation{{Successful: !d.Failed(), Notifications: told}},
		Results:     all,
	})
}
