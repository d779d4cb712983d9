// Package claims holds a measured gallery case against its want.json: the
// verdicts that a measurement must reach there, and, where a cause was planted,
// the causes it must name.
//
// The format is described in the gallery's package comment.
package claims

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A Want is a case's want.json. An experiment has no cause, names its own
// processors, and may have a parameter other than n, or none.
type Want struct {
	Kind        string  `json:"kind"`
	Case        string  `json:"case"`
	Cause       string  `json:"cause"`
	Source      string  `json:"source"`
	Procs       []int   `json:"procs"`
	Param       string  `json:"param"`
	Comparisons []Claim `json:"comparisons"` // against the base of the case
	Pairs       []Claim `json:"pairs"`       // of one variant against another
}

// A Claim is one verdict that must be reached. Alternatives in Verdict and
// Cause are parted by |; an empty N claims it at every size.
type Claim struct {
	Variant string `json:"variant"`
	Base    string `json:"base"`
	Procs   int    `json:"procs"`
	N       string `json:"n"`
	Verdict string `json:"verdict"`
	Cause   string `json:"cause,omitempty"`
}

// Load reads a want.json strictly.
func Load(file string) (Want, error) {
	var w Want
	data, err := os.ReadFile(file)
	if err != nil {
		return w, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&w); err != nil {
		return w, fmt.Errorf("%s: %w", file, err)
	}
	if w.Procs == nil {
		w.Procs = []int{1, 2}
	}
	return w, nil
}

// A Check is a claim at one size beside what was measured.
type Check struct {
	Claim
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

// Check holds the claims against a measured series and what was found on it. A
// claim that no family of the series has the variants and processors for is an
// error: it would never be tested.
func (w Want) Check(s *measure.Series, findings []explain.Finding, rule stats.Rule, bounds stats.Bounds) ([]Check, error) {
	var out []Check
	for _, c := range slices.Concat(w.Comparisons, w.Pairs) {
		found := false
		for f, fam := range s.Families {
			v, b := member(fam, c.Variant), member(fam, c.Base)
			if v < 0 || b < 0 || c.N != "" && !slices.Contains(strings.Split(fam.Name, "/"), cmp.Or(w.Param, "n")+"="+c.N) || !slices.Contains(s.Procs, c.Procs) {
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
			out = append(out, k)
		}
		if !found {
			return out, fmt.Errorf("claim %s against %s at %s=%q and %d processors: nothing like it was measured", c.Variant, c.Base, cmp.Or(w.Param, "n"), c.N, c.Procs)
		}
	}
	return out, nil
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
