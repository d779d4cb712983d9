package text

import (
	"fmt"
	"io"
	"strings"

	"github.com/fatih/color"

	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/report"
)

// Compare writes what became of benchmarks from one state of the code to another.
func Compare(w io.Writer, doc *report.Doc, o Options) error {
	d := plain.All(*doc)
	x := d.Compared
	t := newWriter(w, o)
	t.line(0, span{d.Summary, t.bold})
	for _, p := range d.Packages {
		t.changes(x, p)
	}
	if len(x.Same) > 0 {
		t.blank()
		t.say(0, "not measured: %s whose code is the same: %s", figure.Plural(len(x.Same), "package"), t.several(x.Same))
	}
	t.unmatched("not in the new code any more", x.Gone)
	t.unmatched("new, with nothing to compare with", x.Added)
	if x.Gate != nil && len(x.Gate.Failed) > 0 {
		t.blank()
		for _, s := range few(x.Gate.Failed, t.all) {
			t.line(0, span{"fails: ", t.word[judge.Loses]}, span{s, nil})
		}
		t.more(len(x.Gate.Failed)-len(few(x.Gate.Failed, t.all)), "failure")
	}
	if x.Gate != nil && len(x.Gate.Unconfirmed) > 0 {
		t.blank()
		for _, s := range few(x.Gate.Unconfirmed, t.all) {
			t.say(0, "not confirmed: %s", s)
		}
		t.more(len(x.Gate.Unconfirmed)-len(few(x.Gate.Unconfirmed, t.all)), "alert")
	}
	t.problems(&d)
	t.warnings(&d)
	t.blank()
	return t.end(&d)
}

// changes writes the benchmarks of a package as a table.
func (t *writer) changes(x *report.Compared, p report.Package) {
	rows := table{columns: []column{{head: "benchmark"}, {head: "procs", right: true}, {head: ""}, {head: "time", right: true}, {head: "interval", tied: true}, {head: "old", right: true}, {head: "new", right: true, tied: true}}, keys: 2}
	style := map[report.ChangeWord]*color.Color{report.Faster: t.word[judge.Pays], report.Slower: t.word[judge.Loses], report.CannotSay: t.word[judge.CannotSay]}
	var why []string
	var of []*report.Comparison
	same := 0
	for i := range x.Changes {
		c := &x.Changes[i]
		if c.Package != p.Package {
			continue
		}
		word := string(c.Word)
		if c.Word == report.NoDifference {
			word = fmt.Sprintf("no difference within %.3g %%", 100*c.Within)
			if same++; same > most && !t.all {
				continue
			}
		}
		rows.rows = append(rows.rows, []span{{strings.TrimPrefix(c.Benchmark, "Benchmark"), nil}, {fmt.Sprint(c.Procs), nil}, {word, style[c.Word]},
			{report.Percent(c.More.Value), nil}, {c.Span(), nil}, {seconds(c.OldNs), nil}, {seconds(c.NewNs), nil}})
		of = append(of, c.Times())
		if c.Why != "" {
			why = append(why, c.Name()+": "+c.Why)
		}
	}
	if len(rows.rows) == 0 {
		return
	}
	t.blank()
	t.say(0, "%s", p.Package)
	t.table(t.pictured(rows, p, of, nil))
	if same > most && !t.all {
		t.say(margin, "and %d more without a difference", same-most)
	}
	for _, s := range few(why, t.all) {
		t.say(margin, "%s", s)
	}
	t.more(len(why)-len(few(why, t.all)), "reason")
}

// most are the rows without a difference that are shown where not all are.
const most = 20

func (t *writer) unmatched(what string, all []report.Unmatched) {
	if len(all) == 0 {
		return
	}
	var names []string
	for _, u := range all {
		names = append(names, u.Package+" "+u.Benchmark)
	}
	t.blank()
	t.say(0, "%s: %s", what, t.several(names))
}
