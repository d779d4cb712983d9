package text

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/tune"
)

// Tune writes what tuning came to.
func Tune(w io.Writer, doc *tune.Doc, o Options) error {
	d := plain.All(*doc)
	t := newWriter(w, o)
	t.line(0, span{d.Summary, t.bold})
	for i := range d.Results {
		t.blank()
		t.tuned(&d.Results[i])
	}
	for _, p := range d.Problems {
		t.blank()
		if p.Note {
			t.say(0, "note: %s", p)
		} else {
			t.line(0, span{"problem: ", t.word[judge.Loses]}, span{p.String(), nil})
		}
	}
	if d.Patch != "" {
		t.blank()
		for _, line := range strings.Split(strings.TrimRight(doc.Patch, "\n"), "\n") {
			t.whole(plain.Clean(line))
		}
	}
	t.blank()
	if len(d.Missing) > 0 {
		t.line(0, span{"not known here: " + strings.Join(d.Missing, "; "), t.faint})
	}
	if d.Record != "" {
		t.whole("raw results: " + d.Record)
	}
	t.whole("next: " + d.Next)
	return t.err
}

// tuned writes what was found out about one constant.
func (t *writer) tuned(r *tune.Told) {
	c := &r.Constant
	t.say(0, "%s: %s = %s at %s", c.Package, c.Name, r.Present, c.Place)
	if len(r.At) > 0 {
		t.regions(r)
		t.serves(r)
		t.blank()
		t.curve(r)
		t.blank()
	}
	for _, q := range r.Still {
		t.say(2, "%s does not move %s: the largest difference seen is %s", c.Name, q.Bench, tune.Percent(q.Most))
	}
	for _, e := range r.Slower {
		t.line(2, span{"slower: ", t.word[judge.Loses]}, span{fmt.Sprintf("%s at %d under %s: %s", e.Bench, e.Procs, r.Text, e.Regret), nil})
	}
	if len(r.Unreached) > 0 {
		t.say(2, "%s is not reached by %s", c.Name, t.several(r.Unreached))
	}
	if r.Unknown != "" {
		t.say(2, "which benchmarks reach %s is not known (%s): all were measured", c.Name, r.Unknown)
	}
	if c.Assigned.File != "" && r.Word == tune.Still {
		t.say(2, "%s gets another value at %s: what it begins with may not be what counts", c.Name, c.Assigned)
	}
	for _, x := range r.Out {
		t.say(2, "%s was left out: %s", x.Text, x.Out)
	}
	if r.Tested {
		t.say(2, "the tests pass with %s, also under the race detector", r.Text)
	}
	t.line(2, span{fmt.Sprintf("%s in %s of the code, %.0f s", figure.Plural(r.Samples, "sample"), figure.Plural(r.Layouts, "layout"), r.Seconds), t.faint})
}

// serves says whether one value is as good as the best at every GOMAXPROCS, and
// how far from that the one is that comes closest.
func (t *writer) serves(r *tune.Told) {
	if len(r.At) < 2 || r.Word == tune.Still || r.Word == tune.CannotSay {
		return
	}
	t.blank()
	if r.Serves {
		t.say(2, "one value serves all: %s", r.Constant.Show(r.Value))
		return
	}
	var worst []string
	for _, a := range r.At {
		for _, p := range a.Curve {
			if p.Value == r.Value && p.High != 0 {
				worst = append(worst, fmt.Sprintf("%s at %d", tune.Percent(p.High-1), a.Procs))
			}
		}
	}
	t.say(2, "no value lies in all flat regions; %s comes closest: slower than the best by at most %s", r.Constant.Show(r.Value), strings.Join(worst, ", "))
}

// regions writes a line for each GOMAXPROCS.
func (t *writer) regions(r *tune.Told) {
	c := &r.Constant
	confirmed := slices.ContainsFunc(r.At, func(a tune.At) bool { return a.Gain != nil })
	x := table{columns: []column{{head: "GOMAXPROCS", right: true}, {head: "best", right: true}, {head: "flat region"}, {head: "within", right: true}, {head: "price of " + c.Show(c.Present)}}, keys: 1}
	if confirmed {
		x.columns = append(x.columns, column{head: fmt.Sprintf("%s against %s, once more", c.Show(c.Present), c.Show(r.Rival)), short: "once more"})
	}
	for _, a := range r.At {
		price := ""
		if a.Rounds > 0 {
			price = a.Price.String()
		}
		row := []span{{fmt.Sprint(a.Procs), nil}, {c.Show(a.Best), nil}, {a.Runs(c.Show), nil}, {tune.Percent(a.Within), nil}, {price, nil}}
		if confirmed {
			gain := ""
			if a.Gain != nil {
				gain = a.Gain.String()
			}
			row = append(row, span{gain, nil})
		}
		x.rows = append(x.rows, row)
	}
	t.table(x)
}

// curve writes the regret of every value.
func (t *writer) curve(r *tune.Told) {
	c := &r.Constant
	t.say(2, "time of each value over that of the best, with its interval; those with a * are in the flat region")
	x := table{columns: []column{{head: "value", right: true}}, keys: 1}
	var values []int64
	for _, a := range r.At {
		x.columns = append(x.columns, column{head: fmt.Sprintf("at %d", a.Procs)})
		for _, p := range a.Curve {
			if !slices.Contains(values, p.Value) {
				values = append(values, p.Value)
			}
		}
	}
	x.columns = append(x.columns, column{})
	slices.Sort(values)
	for _, v := range values {
		row := []span{{c.Show(v), nil}}
		for _, a := range r.At {
			cell := ""
			if i := slices.IndexFunc(a.Curve, func(p tune.Regret) bool { return p.Value == v }); i >= 0 {
				p := a.Curve[i]
				cell = p.String()
				switch {
				case slices.Contains(a.Flat, v):
					cell += " *"
				case p.Dropped > 0:
					cell = fmt.Sprintf("%s after %s", figure.Ratio(p.Ratio), figure.Plural(p.Dropped, "round"))
				}
			}
			row = append(row, span{cell, nil})
		}
		note := ""
		switch {
		case v == c.Present:
			note = "present"
		case v == r.Value && r.Word == tune.Better:
			note = "recommended"
		}
		x.rows = append(x.rows, append(row, span{note, nil}))
	}
	t.table(x)
}
