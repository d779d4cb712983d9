// Package claims holds a measured gallery case against its want.json: the
// verdicts that a measurement must reach there, and, where a cause was planted,
// the causes it must name.
//
// The format is described in the gallery's package comment.
package claims

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/gopayoff/payoff/gallery"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A Check is a claim at one family of benchmarks beside what was measured.
type Check struct {
	gallery.Claim
	Family string
	Got    judge.Verdict
	OK     bool
	// Causes are the slugs found, most first; nil if nobody looked, as where
	// it plainly pays. CauseOK is whether they are right: the first is one of
	// the claim's, and the cause of the case is named nowhere but where it is
	// claimed.
	Causes  []string
	CauseOK bool
}

// Unmeasured is a claim that no family of a series has the variants and the
// processors for: it was not tested.
type Unmeasured struct{ gallery.Claim }

func (u Unmeasured) Error() string {
	at := u.At
	if at == "" {
		at = "any place"
	}
	return fmt.Sprintf("claim %s against %s at %s and %d processors: nothing like it was measured", u.Variant, u.Base, at, u.Procs)
}

// Held holds the claims of a case against a measured series and what was found
// on it. The second result are the claims it could not hold.
func Held(w gallery.Want, s *measure.Series, findings []explain.Finding, rule stats.Rule, bounds stats.Bounds) (checks []Check, not []Unmeasured) {
	for _, c := range slices.Concat(w.Comparisons, w.Pairs) {
		found := false
		for f, fam := range s.Families {
			v, b := member(fam, c.Variant), member(fam, c.Base)
			if v < 0 || b < 0 || !gallery.At(c.At, fam.Name) || !slices.Contains(s.Procs, c.Procs) {
				continue
			}
			found = true
			got := judge.Compare(s, measure.Comparison{
				Kind: measure.Variant, Family: f, Member: v,
				New:  measure.Cell{Bench: fam.Members[v].Bench, Procs: c.Procs},
				Base: measure.Cell{Bench: fam.Members[b].Bench, Procs: c.Procs},
			}, rule, bounds)
			got.Base = c.Base
			k := Check{Claim: c, Family: fam.Name, Got: got, OK: slices.Contains(strings.Split(c.Verdict, "|"), string(got.Word)), CauseOK: true}
			if i := slices.IndexFunc(findings, func(f explain.Finding) bool {
				return f.Verdict.Kind == measure.Variant && f.Verdict.New == got.New && f.Verdict.BaseCell == got.BaseCell
			}); i >= 0 {
				k.explained(findings[i], w.Cause)
			}
			checks = append(checks, k)
		}
		if !found {
			not = append(not, Unmeasured{c})
		}
	}
	return checks, not
}

func (k *Check) explained(f explain.Finding, disease string) {
	k.Causes = []string{}
	for _, c := range f.Causes {
		k.Causes = append(k.Causes, c.Slug)
	}
	want := strings.Split(k.Cause, "|")
	if !slices.Contains(want, disease) && slices.Contains(k.Causes, disease) {
		k.CauseOK = false
	}
	if k.Cause != "" && (len(k.Causes) == 0 || !slices.Contains(want, k.Causes[0])) {
		k.CauseOK = false
	}
}

func member(f discover.Family, variant string) int {
	return slices.IndexFunc(f.Members, func(m discover.Member) bool { return m.Variant == variant })
}

// A Case is a case of the gallery with its checks.
type Case struct {
	Name   string
	Checks []Check
}

// Write says how many claims hold, and lists those that do not, or all of them. It
// returns how many do not.
func Write(out io.Writer, cases []Case, all bool) (wrong int, err error) {
	total := 0
	var rows [][]any
	for _, x := range cases {
		for _, k := range x.Checks {
			total++
			mark := "holds"
			if !k.OK || !k.CauseOK {
				wrong++
				mark = "FAILS"
			}
			if all || mark == "FAILS" {
				rows = append(rows, []any{mark, x.Name, k.Family, k.Variant, k.Base, k.Procs, k.Verdict, k.Got.Word, k.Got.Ratio, k.Got.Low, k.Got.High, k.Got.Pairs, cmp.Or(k.Cause, "-"), k.found()})
			}
		}
	}
	fmt.Fprintf(out, "%d of %d claims hold\n", total-wrong, total)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if len(rows) > 0 {
		fmt.Fprintln(w, "\nclaim\tcase\tbenchmark\tvariant\tagainst\tprocs\twanted\tmeasured\tratio\tpairs\tcause\tfound")
	}
	for _, r := range plain.All(rows) {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\t%.3g [%.3g, %.3g]\t%d\t%s\t%s\n", r...)
	}
	return wrong, w.Flush()
}

// found are the causes found in words.
func (k Check) found() string {
	switch {
	case k.Causes == nil:
		return "-" // nobody looked
	case len(k.Causes) == 0:
		return "none"
	}
	return strings.Join(k.Causes, ", ")
}
