package gather

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/padding"
)

// TestTryApart: all that met is moved apart first, and a part of it only where that
// bought nothing and it is of two kinds; what bought something is what is kept, and
// what it does not move is said to have won nothing.
func TestTryApart(t *testing.T) {
	const both, singles, elements = "ab cd", "ab", "cd" // what a part moves, a letter each
	for _, tt := range []struct {
		name  string
		moves map[padding.Part]string
		low   map[string]float64 // of the trial of what moves; 0: it fails
		tried string             // what was tried, in order
		pad   string             // what the trial that is kept moved; "-": none is
		left  string
		err   string
	}{
		{"nothing can be moved", map[padding.Part]string{}, nil, "", "-", "", ""},
		{"all of it buys", map[padding.Part]string{padding.All: both}, map[string]float64{both: 1.01}, both, both, "", ""},
		{"the fields buy", map[padding.Part]string{padding.All: both, padding.Singles: singles}, map[string]float64{both: 1, singles: 1.01}, both + ", " + singles, singles, "c d", ""},
		{"the elements buy", map[padding.Part]string{padding.All: both, padding.Singles: singles, padding.Elements: elements}, map[string]float64{both: 0.5, singles: 0.9, elements: 1.5}, both + ", " + singles + ", " + elements, elements, "a b", ""},
		{"neither buys", map[padding.Part]string{padding.All: both, padding.Singles: singles, padding.Elements: elements}, map[string]float64{both: 0.5, singles: 1, elements: 1}, both + ", " + singles + ", " + elements, both, "", ""},
		{"all are fields", map[padding.Part]string{padding.All: singles, padding.Singles: singles}, map[string]float64{singles: 0.9}, singles, singles, "", ""},
		{"all are elements", map[padding.Part]string{padding.All: elements}, map[string]float64{elements: 0.9}, elements, elements, "", ""},
		{"it cannot be edited", map[padding.Part]string{padding.All: "!"}, nil, "", "-", "", "no edit"},
		{"the trial fails", map[padding.Part]string{padding.All: both}, nil, both, "-", "", "no trial"},
		{"the fields cannot be edited", map[padding.Part]string{padding.All: both, padding.Singles: "!"}, map[string]float64{both: 0.9}, both, both, "", "no edit"},
		{"the trial of the fields fails", map[padding.Part]string{padding.All: both, padding.Singles: singles}, map[string]float64{both: 0.9}, both + ", " + singles, both, "", "no trial"},
	} {
		notes := func(letters string) (all []edit.Note) {
			for _, l := range strings.ReplaceAll(letters, " ", "") {
				all = append(all, edit.Note{What: string(l), Says: "has room"})
			}
			return all
		}
		whats := func(all []edit.Note) string {
			var out []string
			for _, n := range all {
				out = append(out, n.What)
			}
			return strings.Join(out, " ")
		}
		stays := edit.Note{What: "e", Says: "it comes from elsewhere"}
		var tried []string
		x := &evidence.Sharing{}
		err := tryApart(x, func(p padding.Part) (*edit.Draft, error) {
			if tt.moves[p] == "!" {
				return nil, errors.New("no edit")
			}
			e := &edit.Draft{Does: notes(tt.moves[p])}
			if p == padding.All {
				e.Leaves = []edit.Note{stays}
			}
			return e, nil
		}, func(e *edit.Draft) (*evidence.Trial, error) {
			name := ""
			for _, s := range []string{both, singles, elements} {
				if slices.Equal(e.Does, notes(s)) {
					name = s
				}
			}
			tried = append(tried, name)
			if tt.low[name] == 0 {
				return nil, errors.New("no trial")
			}
			return &evidence.Trial{Does: e.Does, Low: tt.low[name]}, nil
		})
		said := ""
		if err != nil {
			said = err.Error()
		}
		pad := "-"
		if x.Pad != nil {
			pad = whats(x.Pad.Does)
		}
		left := ""
		if tt.moves[padding.All] != "!" {
			if len(x.Leaves) == 0 || x.Leaves[0] != stays {
				t.Errorf("%s: leaves %+v, want first what could not be moved", tt.name, x.Leaves)
				continue
			}
			left = whats(x.Leaves[1:])
		}
		want := tt.pad
		if want != "-" {
			want = whats(notes(want))
		}
		if said != tt.err || strings.Join(tried, ", ") != tt.tried || pad != want || left != tt.left {
			t.Errorf("%s: tried %q, kept %q, left %q, %q; want %q, %q, %q, %q", tt.name, tried, pad, left, said, tt.tried, want, tt.left, tt.err)
		}
		for _, n := range x.Leaves[min(1, len(x.Leaves)):] {
			if n.Says != "with it as well nothing was won" {
				t.Errorf("%s: %s stays since %q", tt.name, n.What, n.Says)
			}
		}
	}
}
