package text

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/catalog"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/report"
)

// causes writes why, for the comparisons of a table: at the most processors in
// full, at fewer in a line.
func (t *writer) causes(cs []*report.Comparison) {
	list := slices.DeleteFunc(slices.Clone(cs), func(c *report.Comparison) bool { return !c.Explained })
	if len(list) == 0 {
		return
	}
	slices.SortStableFunc(list, func(a, b *report.Comparison) int {
		if a.Name != b.Name {
			return 0
		}
		return b.Procs - a.Procs
	})
	t.blank()
	full := map[string]bool{}
	percentages := false
	single := map[int][]string{}   // benchmarks of one goroutine, by processors
	alike := map[string][]string{} // names of those that are said to lose for the same, in the same words
	for _, c := range list {
		alike[saidOf(c)] = append(alike[saidOf(c)], fmt.Sprintf("%s at %d", named(c), c.Procs))
	}
	for _, c := range list {
		if len(c.Page.Sides) == 0 && len(c.Causes) == 1 && c.Causes[0].Slug == catalog.Serial.Slug {
			single[c.Procs] = append(single[c.Procs], short(c))
			continue
		}
		of := alike[saidOf(c)]
		if of == nil {
			continue // said with another
		}
		head := []span{{"why ", nil}, {named(c), t.bold}, {fmt.Sprintf(" at %d: ", c.Procs), nil}}
		if len(of) > 1 {
			head = []span{{"why ", nil}, {t.several(of), t.bold}, {": ", nil}}
			alike[saidOf(c)] = nil
		}
		if len(c.Causes) == 0 {
			switch {
			case c.Unexplained != nil:
				t.line(2, append(head, span{nothing(c) + "; payoff why shows the evidence", nil})...)
			case len(c.Known) > 0:
				t.line(2, append(head, span{tooLittle(c), nil})...)
				percentages = true
			default:
				continue // nothing to explain
			}
			t.known(c)
			continue
		}
		t.line(2, append(head, span{shares(c), nil})...)
		percentages = true
		if c.Causes[0].Tie {
			t.say(6, "this evidence does not tell which of those with \"or\" between them takes most")
		}
		if !full[c.Name] {
			full[c.Name] = true
			cause := c.Causes[0]
			key := cause.Price + cause.Do
			if of := t.advised[key]; of != "" {
				cause.Price, cause.Do = "", "as for "+of
			} else {
				t.advised[key] = fmt.Sprintf("%s at %d", named(c), c.Procs)
			}
			t.cause(cause, 4, 0)
		}
	}
	for _, procs := range slices.Sorted(maps.Keys(single)) {
		t.say(2, "why %s at %d: no goroutine is started in the timed region: one processor is all it can use (serial)", t.several(single[procs]), procs)
	}
	if !percentages || t.shares {
		return
	}
	t.shares = true
	t.line(2, span{"percentages are shares of the lost processor time: processors × time, less the base's CPU time", t.faint})
}

// named is how a comparison is called beneath its table.
func named(c *report.Comparison) string {
	if c.Kind == measure.Variant {
		return c.Variant
	}
	return short(c)
}

// saidOf is all that is said of why a comparison loses, as a key.
func saidOf(c *report.Comparison) string {
	var b strings.Builder
	b.WriteString(shares(c))
	if len(c.Causes) == 0 {
		fmt.Fprintf(&b, "%t %v %v", c.Unexplained != nil, report.Number(c.Lost), report.Number(c.Page.Available))
		for _, e := range c.Known {
			fmt.Fprintf(&b, "|%s|%s", e.Place, e.Text)
		}
		return b.String()
	}
	for _, x := range c.Causes[:1] {
		fmt.Fprintf(&b, "|%s|%s|%s", x.Slug, x.Price, x.Do)
		for _, e := range x.Evidence {
			fmt.Fprintf(&b, "|%s|%s", e.Place, e.Text)
		}
	}
	return b.String()
}

// shares writes all causes of a comparison in a line.
func shares(c *report.Comparison) string {
	var b strings.Builder
	for i, x := range c.Causes {
		switch {
		case i > 0 && x.Tie:
			b.WriteString(" or ")
		case i > 0:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%.0f%% %s (%s)", 100*x.Share, lower(x.Title), x.Slug)
	}
	if u := report.Number(c.Unexplained); u >= 0.1 {
		fmt.Fprintf(&b, ", %.0f%% unexplained", 100*u)
	}
	return b.String()
}

// tooLittle says why causes of a loss were not sought.
func tooLittle(c *report.Comparison) string {
	return fmt.Sprintf("%.2g%% of the processor time is lost: causes are sought from a tenth on", 100*report.Number(c.Lost)/max(report.Number(c.Page.Available), 1))
}

// nothing says that no cause was found, or that there is too little evidence to
// find one.
func nothing(c *report.Comparison) string {
	if len(c.Page.Sides) > 0 && c.Page.Sides[0].Samples != nil && explain.Few(*c.Page.Sides[0].Samples) {
		return fmt.Sprintf("%s of processor time cannot explain it: a larger -budget takes more", figure.Plural(*c.Page.Sides[0].Samples, "sample"))
	}
	return "nothing here explains it"
}

// known writes what is known of a loss without a cause.
func (t *writer) known(c *report.Comparison) {
	for _, e := range c.Known {
		t.evidence(e)
	}
}

// cause writes the evidence on one cause, at most so many pieces of it.
func (t *writer) cause(c report.Cause, evidence, places int) {
	for _, e := range c.Evidence[:min(evidence, len(c.Evidence))] {
		t.evidence(e)
	}
	for _, p := range c.Places[:min(places, len(c.Places))] {
		if p.File != "" && p.NS >= c.NS/20 {
			t.say(6, "%s: %s of it are lost here", p.Place, figure.Time(p.NS))
		}
	}
	if c.Price != "" {
		t.say(6, "%s", c.Price)
	}
	t.say(6, "do: %s", c.Do)
}

// evidence puts the place first, as compilers do, so that terminals and editors
// can follow it.
func (t *writer) evidence(e report.Evidence) {
	if e.File == "" {
		t.say(6, "%s", e.Text)
	} else {
		t.say(6, "%s: %s", e.Place, e.Text)
	}
}

// lower makes a title part of a sentence; RWMutex and IO stay.
func lower(title string) string {
	first, _, _ := strings.Cut(title, " ")
	if len(first) > 1 && strings.ToUpper(first[:2]) == first[:2] {
		return title
	}
	return strings.ToLower(title[:1]) + title[1:]
}
