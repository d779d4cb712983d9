package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/judge"
)

// Word is the verdict as it is shown: with a question mark where the figures
// are in doubt.
func (c *Comparison) Word() string {
	if len(c.Doubts) > 0 && c.Verdict != judge.CannotSay {
		return string(c.Verdict) + "?"
	}
	return string(c.Verdict)
}

// doubted says which of the comparisons that an answer rests on are in doubt.
func doubted(cs []*Comparison) string {
	var in []*Comparison
	for _, c := range cs {
		if len(c.Doubts) > 0 {
			in = append(in, c)
		}
	}
	switch len(in) {
	case 0:
		return ""
	case 1:
		var kinds []string
		for _, d := range in[0].Doubts {
			if s := string(d.Kind); !slices.Contains(kinds, s) {
				kinds = append(kinds, s)
			}
		}
		return fmt.Sprintf("; in doubt: %s (%s)", strings.TrimPrefix(in[0].Name, "Benchmark"), strings.Join(kinds, ", "))
	}
	return fmt.Sprintf("; %d of %s are in doubt", len(in), figure.Plural(len(cs), "comparison"))
}
