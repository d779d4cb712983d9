package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
)

// hints returns what of the machine has changed something in this report, and
// what to do about it. What else there is to say of the machine, payoff machine
// says: a warning in every report is read in none.
func (d *Doc) hints() []string {
	open := len(d.open()) > 0
	unsteady := slices.ContainsFunc(d.Packages, func(p Package) bool {
		return Number(p.Control.Low) > 1 || Number(p.Control.High) < 1
	})
	most := 0
	for _, p := range d.Packages {
		most = max(most, slices.Max(append([]int{0}, p.Procs...)))
	}
	said := []string{}
	for _, h := range machine.Advice(d.Environment, d.Capacity) {
		changed := false
		switch h.Topic {
		case machine.OneProcessor:
			changed = true
		case machine.Limit:
			changed = float64(most) > d.Environment.Quota
		case machine.Short:
			changed = open
		case machine.Clock:
			changed = open || unsteady
		case machine.Threads:
			changed = slices.ContainsFunc(d.Comparisons, func(c Comparison) bool {
				return c.Kind == measure.Scaling && c.Procs > d.Environment.PhysicalCores && c.Verdict != judge.Pays
			})
		}
		if changed {
			said = append(said, h.Text)
		}
	}
	over := map[int]bool{}
	for _, p := range d.Packages {
		for _, n := range p.Procs {
			if d.beyond(n) && d.Environment.UsableCPUs > 1 { // of one, the advice has said it
				over[n] = true
			}
		}
	}
	for _, n := range slices.Sorted(maps.Keys(over)) {
		said = append(said, fmt.Sprintf("GOMAXPROCS=%d is more than the %d processors that can be used here: its figures are of threads that take turns, and say nothing of %d processors", n, d.Environment.UsableCPUs, n))
	}
	if s := repeated(d.Packages); open && s != "" {
		said = append(said, s)
	}
	return said
}

// much is the share of samples taken again that costs verdicts.
const much = 0.1

// repeated says of which packages much of the budget went into samples that others
// disturbed, or "".
func repeated(packages []Package) string {
	var of []string
	dropped := map[string]int{}
	n, all := 0, 0
	for _, p := range packages {
		own := 0
		for _, k := range p.Dropped {
			own += k
		}
		if p.End != measure.Budget || own == 0 || float64(own) < much*float64(own+p.Samples) {
			continue
		}
		of = append(of, p.Package)
		n, all = n+own, all+own+p.Samples
		for reason, k := range p.Dropped {
			dropped[reason] += k
		}
	}
	if n == 0 {
		return ""
	}
	var why []string
	for _, reason := range slices.Sorted(maps.Keys(dropped)) {
		why = append(why, fmt.Sprintf("%s %d", reason, dropped[reason]))
	}
	return fmt.Sprintf("%s: %d of %d samples were disturbed and taken again (%s), which the open verdicts lack: stop what else is running, or raise -budget", SomeOf(of), n, all, strings.Join(why, ", "))
}

// mostly is the share of a loss from which on it calls for more evidence.
const mostly = 0.5

// What could not be had of a machine matters if it is one of these: for the
// measuring, or as what a rule asks for.
var (
	measuring = []string{"whether another payoff measured meanwhile"}
	used      = []string{"physical cores", "cache line"}
)

// lacks returns what could not be had and would have been used: by the
// measuring, and, where causes were sought, by their rules. Counters of the
// processor are one more evidence: they are missed where the rest does not do.
func (d *Doc) lacks(in Input) []string {
	var missing []string
	explained := d.explained()
	for _, m := range in.Env.Missing {
		if what, _, _ := strings.Cut(m, ":"); slices.Contains(measuring, what) || explained && slices.Contains(used, what) {
			missing = append(missing, m)
		}
	}
	if explained {
		missing = append(missing, in.Prices.Missing...)
	}
	unexplained := slices.ContainsFunc(d.Comparisons, func(c Comparison) bool { return c.Explained && Number(c.Unexplained) >= mostly })
	for _, s := range in.Series {
		for _, m := range s.Missing {
			if d.pages || unexplained || !strings.HasPrefix(m, "hardware counters:") {
				missing = append(missing, m)
			}
		}
	}
	return unique(missing)
}
