package text

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/service"
)

// Service writes what a program that runs spends, and why.
func Service(w io.Writer, doc *service.Doc, o Options) error {
	d := plain.All(*doc)
	t := newWriter(w, o)
	for i, s := range d.Summary {
		if i == 0 {
			t.line(0, span{s, t.bold})
		} else {
			t.say(0, "%s", s)
		}
	}
	t.spent(&d)
	t.operations(&d)
	for i := range d.Causes {
		t.blank()
		t.reason(&d.Causes[i])
	}
	t.waited(&d)
	t.idle(&d)
	if len(d.Lines) > 0 && (t.all || len(d.Causes) == 0) {
		t.blank()
		t.say(0, "lines with most processor time:")
		for _, l := range d.Lines {
			t.say(2, "%4.1f%%  %s", 100*l.Share, l.Place)
		}
	}
	t.blank()
	for _, in := range d.Inputs {
		if t.all || in.Broken != "" {
			t.line(0, span{fmt.Sprintf("read: %s (%s, %s bytes)", in.Name, in.Kind, figure.Count(float64(in.Bytes))), t.faint})
		}
	}
	for _, m := range d.Missing {
		t.line(0, span{"not known here: " + m, t.faint})
	}
	for i, u := range d.Unseen {
		line := "no trace shows " + u.What
		if i == len(d.Unseen)-1 {
			line += ": " + u.Next
		}
		t.line(0, span{line, t.faint})
	}
	if d.Overhead != "" {
		t.say(0, "%s", d.Overhead)
	}
	t.whole("next: " + d.Next)
	return t.err
}

// barred is a share as a bar of so many columns.
func barred(p pen, share float64, columns int) string {
	n := int(math.Round(share * float64(columns)))
	return strings.Repeat(p.full, n)
}

// spent writes the account.
func (t *writer) spent(d *service.Doc) {
	if len(d.Account) == 0 {
		return
	}
	t.blank()
	of := fmt.Sprintf("the time of %s in %s", figure.Plural(d.Procs, "processor"), figure.Time(d.Window))
	if !d.Traced() {
		of = "processor time in " + figure.Time(d.Window)
	}
	t.say(0, "%s:", of)
	small := 0.0
	for _, i := range d.Account {
		if i.Share < 0.005 && !t.all {
			small += i.Share
			continue
		}
		line := fmt.Sprintf("%4.0f%%  %s", 100*i.Share, i.What)
		if t.bars != NoBars {
			line = fmt.Sprintf("%4.0f%%  %-20s  %s", 100*i.Share, barred(pens[t.bars], i.Share, 20), i.What)
		}
		t.say(0, "%s", line)
	}
	if small > 0 {
		t.say(0, "%4.1f%%  less than half a per cent each", 100*small)
	}
}

var counted = map[exectrace.Work]string{
	exectrace.Calls: "calls", exectrace.Tasks: "tasks of runtime/trace", exectrace.Requests: "requests",
	exectrace.Regions: "regions of runtime/trace", exectrace.Items: "items: what a goroutine does between two receives",
}

// operations writes a table of them, and what they do with their time.
func (t *writer) operations(d *service.Doc) {
	if len(d.Operations) == 0 {
		return
	}
	most := 5
	if t.all {
		most = len(d.Operations)
	}
	shown := d.Operations[:min(most, len(d.Operations))]
	t.blank()
	t.say(0, "operations (%s), %.2g at once:", counted[d.Counted], d.InFlight)
	x := table{keys: 1, columns: []column{{head: "operation"}, {head: "n", right: true}, {head: "per second", short: "/s", right: true}, {head: "p50", right: true}, {head: "p99", right: true}, {head: "most", right: true}, {head: "runs", right: true}}}
	for _, p := range shown {
		row := []span{{text: p.Name}}
		for _, s := range []string{fmt.Sprint(p.N), figure.Count(p.Rate), figure.Time(p.P50), figure.Time(p.P99), figure.Time(p.Max), figure.Time(p.Ran)} {
			row = append(row, span{text: s})
		}
		x.rows = append(x.rows, row)
	}
	t.table(x)
	if n := len(d.Operations) - len(shown); n > 0 {
		t.more(n, "operation")
	}
	for _, p := range shown[:min(3, len(shown))] {
		var parts []string
		for _, part := range p.Parts {
			if part.NS > 0.02*p.Mean && len(parts) < 5 {
				parts = append(parts, fmt.Sprintf("%s %.0f%%", part.What, 100*part.NS/p.Mean))
			}
		}
		t.say(2, "%s takes %s on average: %s", p.Name, figure.Time(p.Mean), strings.Join(parts, ", "))
		t.path("one of about p50", p.Path)
		s := p.Slow
		if s == nil || len(s.More) == 0 || s.Mean < 1.5*s.Fast {
			continue
		}
		var more []string
		for _, part := range s.More[:min(3, len(s.More))] {
			more = append(more, fmt.Sprintf("%s more on %s", figure.Time(part.NS), part.What))
		}
		t.say(4, "the slowest %d take %s, the faster half %s: they spend %s", s.N, figure.Time(s.Mean), figure.Time(s.Fast), strings.Join(more, ", "))
		for _, w := range s.Waits[:min(2, len(s.Waits))] {
			if w.At.IsZero() {
				continue
			}
			by := ""
			if !w.By.IsZero() {
				by = ", until " + w.By.String()
			}
			t.say(4, "%s wait there: %s (%s), %s each%s", figure.Count(float64(w.N)), w.At, w.Kind, figure.Time(w.Mean), by)
		}
		t.path("one of about p99", s.Path)
	}
}

// path writes where an operation was from its begin to its end. A path of one leg says
// no more than the parts do.
func (t *writer) path(of string, legs []service.Leg) {
	total := 0.0
	for _, l := range legs {
		total += l.NS
	}
	if len(legs) < 2 {
		return
	}
	t.say(4, "%s, in order:", of)
	small := 0.0
	for _, l := range legs {
		if l.NS < 0.03*total && !t.all {
			small += l.NS
			continue
		}
		t.say(6, "%s  %s", figure.Time(l.NS), l)
	}
	if small > 0 {
		t.say(6, "%s  less than 3%% each", figure.Time(small))
	}
}

// reason writes a cause with its evidence.
func (t *writer) reason(c *service.Cause) {
	bounds := ""
	if c.High > 0 {
		bounds = fmt.Sprintf(" [%.0f%%, %.0f%%]", 100*c.Low, 100*c.High)
	}
	t.line(0, span{fmt.Sprintf("%.0f%%%s ", 100*c.Share, bounds), nil}, span{lower(c.Title), t.bold}, span{fmt.Sprintf(" (%s): without it at most %sx the operations", c.Slug, figure.Ratio(c.AtMost)), nil})
	for _, e := range c.Evidence {
		if e.Place.IsZero() {
			t.say(2, "%s", e.Text)
		} else {
			t.say(2, "%s: %s", e.Place, e.Text)
		}
	}
	for _, l := range c.Lines {
		t.say(2, "%.0f%% at %s", 100*l.Share, l.Place)
	}
	if c.Price != "" {
		t.say(2, "%s", c.Price)
	}
	t.line(2, span{"do: ", t.bold}, span{c.Do, nil})
}

// waited writes which locks others waited for, and what waits for ever.
func (t *writer) waited(d *service.Doc) {
	if len(d.Holds) > 0 {
		t.blank()
		t.say(0, "locks that goroutines waited for:")
	}
	for _, h := range d.Holds {
		switch {
		case h.From == string(service.Mutex):
			t.say(2, "%s in %d waits, by the mutex profile since the program began: given back at %s", figure.Time(h.NS), h.N, h.Give)
		default:
			t.say(2, "%s in %d waits at %s: given back at %s", figure.Time(h.NS), h.N, h.Wait, h.Give)
		}
	}
	if len(d.Leaks) > 0 {
		t.blank()
		t.say(0, "goroutines that wait for what nothing will bring:")
	}
	for _, l := range d.Leaks {
		t.say(2, "%d in %s at %s, begun at %s", l.N, l.Call, l.Waits, l.Began)
	}
}

// idle writes where goroutines wait while there is nothing to do.
func (t *writer) idle(d *service.Doc) {
	if len(d.Waits) == 0 {
		return
	}
	t.blank()
	t.say(0, "where goroutines wait meanwhile:")
	for _, w := range d.Waits {
		t.say(2, "%s at once, %s each time: %s at %s", figure.Count(float64(w.N)*w.Mean/d.Window), figure.Time(w.Mean), w.Kind, w.At)
	}
	if d.Waits[0].Kind == string(exectrace.Sleep) {
		t.say(2, "one that sleeps until something is there finds it late: a channel wakes it at once")
	}
}

// Services writes what two documents of one program differ by.
func Services(w io.Writer, diff *service.Difference, o Options) error {
	d := plain.All(*diff)
	t := newWriter(w, o)
	switch {
	case len(d.Operations) > 0:
		p := d.Operations[0]
		t.line(0, span{fmt.Sprintf("%s: p50 %s, was %s; p99 %s, was %s; %s per second, was %s", p.Name, took(p.New.P50), took(p.Old.P50), took(p.New.P99), took(p.Old.P99), figure.Count(p.New.Rate), figure.Count(p.Old.Rate)), t.bold})
	case len(d.Account) > 0:
		t.line(0, span{fmt.Sprintf("%s: %.0f%% of the processors' time, was %.0f%%", d.Account[0].What, 100*d.Account[0].New, 100*d.Account[0].Old), t.bold})
	}
	t.say(0, "old: %s, %s of %s; new: %s, %s of %s", d.Old.Name, figure.Time(d.Old.Window), figure.Plural(d.Old.Procs, "processor"), d.New.Name, figure.Time(d.New.Window), figure.Plural(d.New.Procs, "processor"))
	for _, c := range d.Causes {
		apart := ""
		if c.Apart {
			apart = ", beyond what windows differ by"
		}
		t.say(2, "%s: %.0f%%, was %.0f%%%s", c.What, 100*c.New, 100*c.Old, apart)
	}
	t.blank()
	t.say(0, "the processors' time, new and old:")
	for _, x := range d.Account {
		if max(x.Old, x.New) >= 0.005 || t.all {
			t.say(2, "%3.0f%%  %3.0f%%  %s", 100*x.New, 100*x.Old, x.What)
		}
	}
	if len(d.Operations) > 1 {
		t.blank()
		for _, p := range d.Operations[1:] {
			t.say(2, "%s: p50 %s, was %s; p99 %s, was %s", p.Name, took(p.New.P50), took(p.Old.P50), took(p.New.P99), took(p.Old.P99))
		}
	}
	t.blank()
	t.say(0, "two observations, not a verdict: nothing is known of what else differed, the load above all")
	t.whole("next: payoff trace -bench op_test.go FILES, and then payoff compare of the two commits")
	return t.err
}

// took is a time, or that there is none.
func took(ns float64) string {
	if ns == 0 {
		return "none"
	}
	return figure.Time(ns)
}
