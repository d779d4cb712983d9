package report

import (
	"strings"

	"github.com/gopayoff/payoff/tool/internal/judge"
)

// Word is the verdict as it is shown: with a question mark where the figures
// are in doubt.
func (c *Comparison) Word() string {
	if c.said() == inDoubt {
		return string(c.Verdict) + "?"
	}
	return string(c.Verdict)
}

// inDoubt takes the place of a doubted verdict in the headline, which no figure
// in doubt carries.
const inDoubt judge.Word = "in doubt"

// said is the verdict as far as the headline relies on it.
func (c *Comparison) said() judge.Word {
	if len(c.Doubts) > 0 && c.Verdict != judge.CannotSay {
		return inDoubt
	}
	return c.Verdict
}

// doubts names the kinds of doubts.
func (c *Comparison) doubts() string {
	var kinds []string
	for _, d := range c.Doubts {
		kinds = append(kinds, string(d.Kind))
	}
	return strings.Join(unique(kinds), ", ")
}
