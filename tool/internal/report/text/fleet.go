package text

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/report"
)

// Several writes what machines say that measured the same: a row for each.
func Several(out io.Writer, s *report.Several) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for i, r := range s.Rows {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, plain.Clean(s.Summary[i]))
		fmt.Fprintln(w, "  machine\tprocessors\tverdict\tspeedup\tinterval\tpairs")
		for _, c := range r.Cells {
			v := c.Verdict
			speedup, interval := "?", "?"
			if x := report.Number(v.Ratio); !math.IsNaN(x) {
				speedup = figure.Ratio(x)
			}
			if low, high := report.Number(v.Low), report.Upper(v.Low, v.High); speedup != "?" && !math.IsNaN(low) && !math.IsNaN(high) {
				interval = figure.Ratio(low) + " to " + figure.Ratio(high)
			}
			fmt.Fprintf(w, "  %s\t%d\t%s\t%s\t%s\t%d\n", plain.Clean(s.Name(c)), v.Procs, v.Verdict, speedup, interval, v.Pairs)
		}
	}
	if len(s.Rows) == 0 {
		fmt.Fprintln(w, "nothing was compared")
	}
	fmt.Fprintln(w)
	for _, m := range s.Machines {
		switch {
		case m.Doc != nil:
			fmt.Fprintf(w, "%s\t%s\n", plain.Clean(m.Machine), plain.Clean(m.Doc.Record))
		default:
			fmt.Fprintf(w, "%s\tno report: %s\n", plain.Clean(m.Machine), plain.Clean(m.Err))
		}
	}
	for _, m := range s.Machines {
		if m.Doc != nil {
			fmt.Fprintf(w, "\nnext: %s\n", plain.Shell("payoff", "replay", m.Doc.Record))
			break
		}
	}
	return w.Flush()
}
