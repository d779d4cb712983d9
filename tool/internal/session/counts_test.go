package session

import (
	"slices"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/measure"
)

// Cases have processors of their own, as far as there are so many; what is asked
// for comes first.
func TestCounts(t *testing.T) {
	s := &session{
		plan:    Plan{Gallery: &Gallery{Procs: map[string][]int{"a": {1, 2}, "b": {1}, "c": {4, 8}, "d": {16}}}},
		targets: []discover.Target{{Package: "a"}, {Package: "b"}, {Package: "c"}},
	}
	for _, tt := range []struct {
		usable     int
		a, b, c, u []int
	}{
		{8, []int{1, 2}, []int{1}, []int{4, 8}, []int{1, 2, 4, 8}},
		{4, []int{1, 2}, []int{1}, []int{4}, []int{1, 2, 4}},
		{1, []int{1}, []int{1}, []int{1}, []int{1}},
	} {
		got, err := s.counts(tt.usable)
		if err != nil || !slices.Equal(got.of("a"), tt.a) || !slices.Equal(got.of("b"), tt.b) || !slices.Equal(got.of("c"), tt.c) || !slices.Equal(got.union(), tt.u) {
			t.Errorf("counts of %d processors = %+v, %v; want %v %v %v, in all %v", tt.usable, got, err, tt.a, tt.b, tt.c, tt.u)
		}
	}
	s.plan.Procs = []int{2}
	if got, err := s.counts(8); err != nil || !slices.Equal(got.of("a"), []int{2}) || !slices.Equal(got.union(), []int{2}) {
		t.Errorf("with -procs 2: %+v, %v", got, err)
	}
	s.plan = Plan{}
	s.before = []*measure.Series{{Procs: []int{1, 4}}}
	if got, err := s.counts(8); err != nil || !slices.Equal(got.of("a"), []int{1, 4}) {
		t.Errorf("of a run that goes on: %+v, %v", got, err)
	}
	s.before = nil
	if got, err := s.counts(4); err != nil || !slices.Equal(got.of("a"), []int{1, 2, 4}) {
		t.Errorf("by default: %+v, %v", got, err)
	}
}
