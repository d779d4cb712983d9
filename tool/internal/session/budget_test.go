package session

import (
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
	"github.com/gopayoff/payoff/tool/internal/store"
)

// Where the budget was too short for a full look, the note says which would do.
func TestShortBudget(t *testing.T) {
	for _, tt := range []struct {
		pairs int
		needs time.Duration
		want  string
	}{
		{2, 4*time.Minute + 3*time.Second, "-budget to 5m, "},
		{2, 71 * time.Second, "-budget to 1m20s, "},
		{2, 0, ""},                // time does not decide it
		{12, 3 * time.Minute, ""}, // it had its look: the next command says what to do
	} {
		s := &measure.Series{Package: "example.com/m", Procs: []int{1}, End: measure.Budget, Budget: time.Minute, Needs: tt.needs,
			Families: discover.Families([]string{"BenchmarkX/variant=serial", "BenchmarkX/variant=b"}, discover.Hints{})}
		for i := range tt.pairs {
			for j, m := range s.Families[0].Members {
				s.Add(measure.Cell{Bench: m.Bench, Procs: 1}, measure.Sample{Round: int32(i + 1), N: 10, Wall: 100 + float64(i*(1-2*j))})
			}
		}
		p := &session{run: store.Run{Rule: stats.DefaultRule, Bounds: stats.DefaultBounds, Asked: &cmdline.Asked{}}}
		p.take(s)
		said := ""
		for _, x := range p.tooShort() {
			said += x.String()
		}
		if (said == "") != (tt.want == "") || !strings.Contains(said, tt.want) || said != "" && !strings.Contains(said, "before 1 of 1 comparisons had a full look") {
			t.Errorf("%d pairs, needs %v: %q, want %q", tt.pairs, tt.needs, said, tt.want)
		}
	}
}
