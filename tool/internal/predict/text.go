package predict

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// Text writes a prediction for people.
func (p *Prediction) Text(w io.Writer) error {
	name := strings.TrimPrefix(p.Benchmark, "Benchmark")
	fmt.Fprintf(w, "%s: %s\n", name, p.headline())
	for _, x := range p.Measured {
		fmt.Fprintf(w, "  measured at %d: %s [%s, %s]\n", x.Procs, figure.Ratio(x.Value), figure.Ratio(x.Low), figure.Ratio(x.High))
	}
	if p.Refused != "" {
		_, err := fmt.Fprintf(w, "  next: %s\n", p.Next)
		return err
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(tw, "  processors\tspeedup\tband\n")
	for _, x := range p.Points {
		if x.Wide != "" {
			fmt.Fprintf(tw, "  %d\tcannot say\t[%s, %s]: %s\n", x.Procs, figure.Ratio(x.Low), figure.Ratio(x.High), x.Wide)
			continue
		}
		fmt.Fprintf(tw, "  %d\t%s\t[%s, %s]\n", x.Procs, figure.Ratio(x.Value), figure.Ratio(x.Low), figure.Ratio(x.High))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	if k := p.Knee; k != nil {
		fmt.Fprintf(w, "  knee: from %d processors on more of them add a tenth at most; what is computed up to %s has %.0f %% of the time of the longest chain at %d", k.Procs, at(k.At), 100*k.Share, p.Points[len(p.Points)-1].Procs)
		if k.Waits {
			fmt.Fprint(w, ", in stretches shorter than a wake")
		}
		fmt.Fprintln(w)
	}
	for _, c := range p.Cures {
		fmt.Fprintf(w, "  %s at %s: %s → %s [%s, %s] at %d processors\n", c.Does, at(c.At), figure.Ratio(c.From.Value), figure.Ratio(c.To.Value), figure.Ratio(c.To.Low), figure.Ratio(c.To.High), c.Procs)
	}
	return nil
}

// at is a place as people read it.
func at(p source.Place) string {
	switch {
	case p == source.Place{}:
		return "a place that the traces do not tell"
	case p.File == "":
		return p.Func
	}
	return fmt.Sprintf("%s:%d", filepath.Base(p.File), p.Line)
}

// headline is the answer in a line.
func (p *Prediction) headline() string {
	if p.Refused != "" {
		return "cannot say: " + p.Refused
	}
	if x, ok := p.Furthest(); ok {
		return fmt.Sprintf("about %s times as fast at %d processors as at 1 [%s, %s], by a model", figure.Ratio(x.Value), x.Procs, figure.Ratio(x.Low), figure.Ratio(x.High))
	}
	return "nothing was asked for"
}

// Furthest is the point of the most processors whose band is of use.
func (p *Prediction) Furthest() (x Point, ok bool) {
	for _, y := range p.Points {
		if y.Wide == "" {
			x, ok = y, true
		}
	}
	return x, ok
}
