package hotcode

import (
	"strings"

	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// As many lines of source as a set holds, and as many bytes of each.
const (
	mostText = 16
	longText = 200
)

// text is the source of the hottest lines.
func (f *Files) text(set *evidence.Set) (all []evidence.Text) {
	for _, l := range set.CPU.Lines[:min(mostText, len(set.CPU.Lines))] {
		lines := f.of(l.File).lines
		if l.Line < 1 || l.Line > len(lines) {
			continue
		}
		t := strings.ReplaceAll(strings.ToValidUTF8(strings.TrimSpace(lines[l.Line-1]), "�"), "\t", " ")
		if len(t) > longText {
			t = strings.ToValidUTF8(t[:longText], "") + "…"
		}
		all = append(all, evidence.Text{Place: source.Place{File: l.File, Line: l.Line}, Text: t})
	}
	return all
}
