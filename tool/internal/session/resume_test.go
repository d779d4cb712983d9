package session

import (
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/measure"
)

// A package is done when it has had the budget itself: one that was not come to
// before the run was interrupted again is still to have it.
func TestOver(t *testing.T) {
	s := &session{plan: Plan{Budget: time.Minute}}
	for _, tt := range []struct {
		series measure.Series
		want   bool
	}{
		{measure.Series{End: measure.Decided}, true},
		{measure.Series{End: measure.Exhausted}, true},
		{measure.Series{End: measure.Decided, Missing: []string{cutShort}}, false},
		{measure.Series{End: measure.Interrupted, Budget: time.Hour}, false},
		{measure.Series{End: measure.Budget, Budget: time.Second}, false},
		{measure.Series{End: measure.Budget, Budget: time.Minute}, true},
		{measure.Series{End: measure.Budget, Budget: time.Hour}, true},
	} {
		if got := s.over(&tt.series); got != tt.want {
			t.Errorf("over(end %q, budget %v, missing %q) = %v, want %v", tt.series.End, tt.series.Budget, tt.series.Missing, got, tt.want)
		}
	}
}
