package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/plain"
)

// Several are the reports of machines that measured the same, beside each other. No
// sample of one is compared with one of another: each has verdicts of its own.
type Several struct {
	Summary  []string   `json:"summary"` // a line for each comparison
	Rows     []Row      `json:"rows"`
	Machines []Measured `json:"machines"`
}

// A Measured is the report of one machine.
type Measured struct {
	Kind    string `json:"kind"`
	Machine string `json:"machine"`       // in words
	Err     string `json:"err,omitempty"` // why it ended before its time
	Doc     *Doc   `json:"report"`        // nil where there is none
}

// A Row is what the machines say of one variant, each at as many processors as it has.
type Row struct {
	Package   string `json:"package"`
	Benchmark string `json:"benchmark"` // with the variant
	Base      string `json:"base"`
	Cells     []Cell `json:"cells"` // of those that measured it, in the order of the machines
	Pays      int    `json:"pays"`
	Not       string `json:"not,omitempty"` // in words, which machines it does not pay on
}

// A Cell is the verdict of one machine.
type Cell struct {
	Kind       string      `json:"kind"`
	Processors int         `json:"processors"` // of the machine
	Verdict    *Comparison `json:"verdict"`
}

// Sum makes rows and summary of the machines' reports.
func (s *Several) Sum() {
	s.Rows, s.Summary = nil, nil
	for _, m := range s.Machines {
		if m.Doc == nil {
			continue
		}
		for i := range m.Doc.Comparisons {
			c := &m.Doc.Comparisons[i]
			if c.Kind == measure.Variant {
				s.add(m, c)
			}
		}
	}
	for i := range s.Rows {
		r := &s.Rows[i]
		r.Pays, r.Not = s.split(r.Cells)
		line := fmt.Sprintf("%s pays on %d of %s against %s", r.Benchmark, r.Pays, figure.Plural(len(r.Cells), "machine"), r.Base)
		if r.Not != "" {
			line += ": not on " + r.Not
		}
		s.Summary = append(s.Summary, line)
	}
}

// add takes a comparison into the row of its variant. Of those of a machine that of the
// most processors counts.
func (s *Several) add(m Measured, c *Comparison) {
	i := slices.IndexFunc(s.Rows, func(r Row) bool { return r.Package == c.Package && r.Benchmark == c.Name && r.Base == c.BaseName })
	if i < 0 {
		i = len(s.Rows)
		s.Rows = append(s.Rows, Row{Package: c.Package, Benchmark: c.Name, Base: c.BaseName})
	}
	r := &s.Rows[i]
	cell := Cell{m.Kind, m.Doc.Environment.UsableCPUs, c}
	if n := len(r.Cells); n > 0 && r.Cells[n-1].Kind == m.Kind {
		if c.Procs > r.Cells[n-1].Verdict.Procs {
			r.Cells[n-1] = cell
		}
		return
	}
	r.Cells = append(r.Cells, cell)
}

// split counts where it pays, and finds words for where it does not: what those machines
// have in common that no other has, or else their names.
func (s *Several) split(cells []Cell) (pays int, not string) {
	var yes, no []Cell
	for _, c := range cells {
		if c.Verdict.Verdict == judge.Pays {
			yes = append(yes, c)
		} else {
			no = append(no, c)
		}
	}
	if len(no) == 0 || len(yes) == 0 {
		return len(yes), ""
	}
	procs := func(of []Cell, pick func(...int) int) int {
		all := make([]int, len(of))
		for i, c := range of {
			all[i] = c.Processors
		}
		return pick(all...)
	}
	most := func(all ...int) int { return slices.Max(all) }
	least := func(all ...int) int { return slices.Min(all) }
	switch {
	case procs(no, most) < procs(yes, least) && procs(no, most) == procs(no, least):
		return len(yes), fmt.Sprintf("%d-processor machines", procs(no, most))
	case procs(no, most) < procs(yes, least):
		return len(yes), fmt.Sprintf("machines of up to %s", figure.Plural(procs(no, most), "processor"))
	case procs(no, least) > procs(yes, most):
		return len(yes), fmt.Sprintf("machines of %s or more", figure.Plural(procs(no, least), "processor"))
	}
	var names []string
	archs := map[string]bool{}
	for _, c := range no {
		names = append(names, s.name(c.Kind))
		archs[s.arch(c.Kind)] = true
	}
	for _, c := range yes {
		delete(archs, s.arch(c.Kind))
	}
	if len(archs) == 1 && !slices.ContainsFunc(no, func(c Cell) bool { return !archs[s.arch(c.Kind)] }) {
		for a := range archs {
			return len(yes), a
		}
	}
	return len(yes), strings.Join(names, ", ")
}

func (s *Several) of(kind string) Measured {
	return s.Machines[slices.IndexFunc(s.Machines, func(m Measured) bool { return m.Kind == kind })]
}

func (s *Several) name(kind string) string { return cmp.Or(s.of(kind).Machine, kind) }
func (s *Several) arch(kind string) string { return s.of(kind).Doc.Environment.Arch }

// Name is the machine of a cell in words.
func (s *Several) Name(c Cell) string { return s.name(c.Kind) }

// Loses reports whether anything loses on any machine.
func (s *Several) Loses() bool {
	return slices.ContainsFunc(s.Machines, func(m Measured) bool { return m.Doc != nil && m.Doc.Loses() })
}

// JSON writes all as JSON.
func (s *Several) JSON(w io.Writer) error { return plain.JSON(w, s) }
