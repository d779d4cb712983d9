package articles

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gopayoff/payoff/gallery"
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/plain"
)

// Text writes a page for a terminal: the answer, then what became of each
// conclusion, then the next command.
func (p *Page) Text(w io.Writer) error {
	page := plain.All(*p)
	var b strings.Builder
	fmt.Fprintln(&b, page.Summary)
	for _, a := range page.Articles {
		fmt.Fprintf(&b, "\n%s\n", a.About.Heading())
		name := ""
		for _, c := range a.Conclusions {
			if c.Case != name {
				name = c.Case
				fmt.Fprintf(&b, "\n  %s\n", name)
				if c.Scale != "" {
					fmt.Fprintf(&b, "    (%s)\n", c.Scale)
				}
			}
			fmt.Fprintf(&b, "    %-15s  %s\n", c.Status, c.Says)
			fmt.Fprintf(&b, "      then  %s\n", c.Then.text(c.Variant, c.Base))
			if c.Now != nil {
				fmt.Fprintf(&b, "      now   %s\n", c.Now.text(c.Variant, c.Base))
			}
			if c.Why != "" {
				fmt.Fprintf(&b, "      why   %s\n", c.Why)
			}
		}
	}
	if len(page.Problems) > 0 {
		fmt.Fprintln(&b)
	}
	for _, problem := range page.Problems {
		fmt.Fprintf(&b, "warning: %s\n", problem)
	}
	if page.Next != "" {
		fmt.Fprintf(&b, "\nnext: %s\n", page.Next)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// text is like: ring 80.90ns, channel 512.0ns at 1 processor: 6.33.
func (t Then) text(variant, base string) string {
	s := sides(variant, base, t.NS, t.BaseNS, t.Procs, t.BaseProcs)
	if t.Speed == 0 {
		return s + ": " + t.words()
	}
	return s + ": " + figure.Ratio(t.Speed)
}

// words are the direction, or its alternatives.
func (t Then) words() string { return strings.ReplaceAll(t.Direction, "|", " or ") }

func (t Today) text(variant, base string) string {
	s := sides(variant, base, t.NS, t.BaseNS, t.Procs, t.BaseProcs)
	if t.NS == 0 {
		return s
	}
	return s + ": " + t.speed()
}

// speed is like: 5.20 [4.91, 5.48].
func (t Today) speed() string {
	return fmt.Sprintf("%s [%s, %s]", figure.Ratio(float64(t.Speed)), figure.Ratio(float64(t.Low)), figure.Ratio(float64(t.High)))
}

func sides(variant, base string, ns, baseNS float64, procs, baseProcs int) string {
	side := func(name string, ns float64) string {
		if ns == 0 {
			return name
		}
		return strings.TrimSpace(name + " " + figure.Time(ns))
	}
	if procs != baseProcs {
		at := " at " + figure.Plural(procs, "processor")
		if variant == base {
			base = ""
		}
		return side(variant, ns) + at + "," + strings.TrimRight(" "+side(base, baseNS), " ") + " at " + strconv.Itoa(baseProcs)
	}
	return side(variant, ns) + ", " + side(base, baseNS) + " at " + figure.Plural(procs, "processor")
}

// Markdown writes a page as a document.
func (p *Page) Markdown(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "%s\n", p.Summary); err != nil {
		return err
	}
	for _, a := range p.Articles {
		if _, err := fmt.Fprintf(w, "\n## %s\n\n", a.About.Heading()); err != nil {
			return err
		}
		if err := a.Markdown(w, Links{
			Case: func(name string) string { return "https://pkg.go.dev/" + gallery.Module + "/" + name },
			Run:  func(run string) string { return run },
		}); err != nil {
			return err
		}
	}
	return nil
}

// Links say what a document shows of a case, as the address of its name, and of a
// run.
type Links struct{ Case, Run func(name string) string }

// Markdown writes an article's lines and conclusions as tables.
func (a Article) Markdown(w io.Writer, link Links) error {
	var b strings.Builder
	cell := func(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
	fmt.Fprintln(&b, "| Line | Its figure | Case | Variant | Today, same benchmark | Processors | Run |")
	fmt.Fprintln(&b, "| --- | ---: | --- | --- | ---: | ---: | --- |")
	for _, f := range a.Figures {
		variant, name := f.Variant, f.Name
		if f.At != "" {
			variant += " at " + f.At
		}
		if f.Func != "" {
			name += ", " + f.Func
		}
		now, procs, run := f.Missing, "", ""
		if f.Now != nil {
			now, procs, run = quantity(f.Now.Value, f.Unit), strconv.Itoa(f.Now.Procs), link.Run(f.Now.Run)
		}
		if variant == "" {
			variant = "–"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", cell(name), quantity(f.Value, f.Unit), link.of(f.Case), variant, cell(now), procs, run)
	}
	if len(a.Figures) > 0 {
		fmt.Fprintln(&b)
	} else {
		b.Reset()
	}
	name := ""
	for _, c := range a.Conclusions {
		if c.Case != name && c.Scale != "" {
			fmt.Fprintf(&b, "`%s`: %s.\n\n", c.Case, c.Scale)
		}
		name = c.Case
	}
	fmt.Fprintln(&b, "| Case | It concludes | Then | Today, interval | Status |")
	fmt.Fprintln(&b, "| --- | --- | ---: | ---: | --- |")
	for _, c := range a.Conclusions {
		then := c.Then.words()
		if c.Then.Speed != 0 {
			then = figure.Ratio(c.Then.Speed)
		}
		now := "–"
		if c.Now != nil && c.Now.NS != 0 {
			now = c.Now.speed() + atProcs(c.Now.Procs, c.Now.BaseProcs)
		}
		status := "**" + string(c.Status) + "**"
		if c.Why != "" {
			status += ": " + cell(c.Why)
		}
		fmt.Fprintf(&b, "| %s | %s | %s%s | %s | %s |\n", link.of(c.Case), cell(c.Says), then, atProcs(c.Then.Procs, c.Then.BaseProcs), now, status)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (l Links) of(name string) string { return fmt.Sprintf("[`%s`](%s)", name, l.Case(name)) }

// atProcs is like: at 2, or: at 8 against 1.
func atProcs(procs, base int) string {
	if procs != base {
		return fmt.Sprintf(" at %d against %d", procs, base)
	}
	return fmt.Sprintf(" at %d", procs)
}

// quantity writes a figure in its unit; times are scaled.
func quantity(v float64, unit string) string {
	switch size := gallery.Units[unit]; {
	case size > 0:
		return figure.Time(v * size)
	case unit == "%":
		return strconv.FormatFloat(v, 'f', 1, 64) + " %"
	}
	return figure.Count(v) + " " + unit
}
