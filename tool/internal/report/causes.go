package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/measure"
)

// causes writes why, for the comparisons of a table: at the most processors in
// full, at fewer in a line.
func (t *text) causes(d *Doc, in func(*Comparison) bool) {
	full := map[string]bool{}
	var list []*Comparison
	for i := range d.Comparisons {
		if c := &d.Comparisons[i]; in(c) && c.Explained {
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		return
	}
	slices.SortStableFunc(list, func(a, b *Comparison) int {
		if a.Name != b.Name {
			return 0
		}
		return b.Procs - a.Procs
	})
	t.line("")
	single := map[int][]string{} // benchmarks of one goroutine, by processors
	for _, c := range list {
		if len(c.Page.Sides) == 0 && len(c.Causes) == 1 && c.Causes[0].Slug == "serial" {
			single[c.Procs] = append(single[c.Procs], strings.TrimPrefix(c.Name, "Benchmark"))
			continue
		}
		name := strings.TrimPrefix(c.Name, "Benchmark")
		if c.Kind == measure.Variant {
			name = c.Variant
		}
		head := fmt.Sprintf("  why %s at %d: ", t.bold.Sprint(name), c.Procs)
		if len(c.Causes) == 0 {
			switch {
			case c.Unexplained != nil:
				t.line(head + "nothing here explains it; payoff why shows the evidence")
			case len(c.Known) > 0:
				t.line(head + tooLittle(c))
			default:
				continue // nothing to explain
			}
			t.known(c)
			continue
		}
		for i, x := range c.Causes {
			if i > 0 && x.Tie {
				head += " or "
			} else if i > 0 {
				head += ", "
			}
			head += fmt.Sprintf("%.0f%% %s (%s)", 100*x.Share, lower(x.Title), x.Slug)
		}
		if u := num(c.Unexplained); u >= 0.1 {
			head += fmt.Sprintf(", %.0f%% unexplained", 100*u)
		}
		t.line(head)
		if c.Causes[0].Tie {
			t.line("      which of those with an or between them takes most, this evidence does not tell")
		}
		if full[c.Name] {
			continue
		}
		full[c.Name] = true
		t.cause(c.Causes[0], 4)
	}
	for _, procs := range slices.Sorted(maps.Keys(single)) {
		t.line(fmt.Sprintf("  why %s at %d: no goroutine is started in the timed region: one processor is all it can use (serial)", several(single[procs]), procs))
	}
	t.line(t.faint.Sprint("  percentages are shares of the lost processor time: processors × time, less the base's CPU time"))
}

// tooLittle says why causes of a loss were not sought.
func tooLittle(c *Comparison) string {
	return fmt.Sprintf("%.2g%% of the processor time is lost: causes are sought from a tenth on", 100*num(c.Lost)/max(num(c.Page.Available), 1))
}

// known writes what is known of a loss without a cause.
func (t *text) known(c *Comparison) {
	for _, e := range c.Known {
		t.line("      " + e.String())
	}
}

// several joins names, the first few of many.
func several(names []string) string {
	if len(names) > 4 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:3], ", "), len(names)-3)
	}
	return strings.Join(names, ", ")
}

// cause writes the evidence on one cause, at most so many lines of it.
func (t *text) cause(c Cause, most int) {
	for i, e := range c.Evidence {
		if i == most {
			break
		}
		t.line("      " + e.String())
	}
	if c.Price != "" {
		t.line("      " + c.Price)
	}
	t.line("      do: " + c.Do)
}

// String puts the place first, as compilers do, so that terminals and editors
// can follow it.
func (e Evidence) String() string {
	if e.File == "" {
		return e.Text
	}
	return fmt.Sprintf("%v: %s", e.Place, e.Text)
}

// lower makes a title part of a sentence; RWMutex and IO stay.
func lower(title string) string {
	first, _, _ := strings.Cut(title, " ")
	if len(first) > 1 && strings.ToUpper(first[:2]) == first[:2] {
		return title
	}
	return strings.ToLower(title[:1]) + title[1:]
}
