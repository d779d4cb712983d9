package tune_test

import (
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/tune"
)

// record makes one of three values, 1 to 3, of which 2 is the present one, with
// the times of each at 1 and 2 processors in the comparison, and of 1 (or 3) and 2
// once more. jitter is how far a time may be off.
func record(compare, confirm [2][3]float64, jitter float64) *tune.Record {
	r := &tune.Record{Constant: tune.Constant{Name: "n", Package: "m", Present: 2}, Procs: []int{1, 2}, Margin: 0.03, Alpha: 0.05, Compared: []int{0, 1}}
	for v := range int64(3) {
		r.Trials = append(r.Trials, tune.Trial{Value: v + 1, Text: r.Constant.Text(v + 1)})
	}
	for i, p := range r.Procs {
		r.Cells = append(r.Cells, tune.Cell{Package: "m", Bench: "BenchmarkX", Procs: p})
		for phase, walls := range map[tune.Phase][3]float64{tune.Search: compare[i], tune.Compare: compare[i], tune.Confirm: confirm[i]} {
			for round := range 24 {
				for v, wall := range walls {
					if wall > 0 {
						// Of two values the ratios lie evenly around theirs.
						off := 1 + jitter*float64((round*(v+1))%5-2)/2
						r.Samples = append(r.Samples, tune.Sample{Phase: phase, Round: int32(round), Cell: i, Value: v, Wall: wall * off})
					}
				}
			}
		}
	}
	return r
}

func TestWords(t *testing.T) {
	type walls = [2][3]float64
	for _, test := range []struct {
		name             string
		compare, confirm walls
		jitter           float64
		tests            map[string]string
		word             tune.Word
		value            int64
		serves           bool
		why, headline    string
	}{
		{"faster", walls{{100, 120, 130}, {100, 120, 130}}, walls{{100, 118}, {100, 115}}, 0.01, nil, tune.Better, 1, true, "", "n = 1 is faster than 2: 1.18 times"},
		{"faster at one", walls{{100, 101, 130}, {100, 120, 130}}, walls{{100, 100}, {100, 115}}, 0.01, nil, tune.Better, 1, true, "", "n = 1 is faster than 2: 1.15 times"},
		{"all alike", walls{{100, 101, 100}, {100, 100, 101}}, walls{}, 0.01, nil, tune.Still, 2, true, "", "n moves nothing: all values from 1 to 3 are within "},
		{"in the flat region", walls{{100, 101, 130}, {100, 100, 130}}, walls{}, 0.01, nil, tune.Keep, 2, true, "", "keep n = 2: it lies in the flat region, within "},
		{"the best compromise", walls{{100, 110, 150}, {150, 110, 100}}, walls{}, 0.01, nil, tune.Keep, 2, false, "", "keep n = 2: no value serves GOMAXPROCS 1 and 2 alike"},
		{"not measured once more", walls{{100, 120, 130}, {100, 120, 130}}, walls{}, 0.01, nil, tune.CannotSay, 1, true, "the gain was not measured once more", "cannot say"},
		{"a small gain once more", walls{{100, 106, 130}, {100, 106, 130}}, walls{{100, 102}, {100, 102}}, 0.001, nil, tune.Keep, 2, false, "measured once more, 1 gains less than 3 %", "keep n = 2: measured once more"},
		{"a gain that is noise", walls{{100, 120, 130}, {100, 120, 130}}, walls{{100, 105}, {100, 104}}, 0.6, nil, tune.CannotSay, 1, true, "measured once more, the gain was not confirmed", "cannot say"},
		{"a trade", walls{{100, 110, 150}, {100, 150, 150}}, walls{{110, 100}, {100, 150}}, 0.01, nil, tune.Trade, 1, true, "", "no value of n serves all GOMAXPROCS"},
		{"the tests fail", walls{{100, 120, 130}, {100, 120, 130}}, walls{}, 0.01, map[string]string{"1": "TestX fails"}, tune.CannotSay, 2, false, "the tests fail with every value that seems faster", "cannot say"},
	} {
		r := record(test.compare, test.confirm, test.jitter)
		r.Tests = test.tests
		res := tune.Judge(r)
		if res.Word != test.word || res.Value != test.value || res.Serves != test.serves || res.Why != test.why {
			t.Errorf("%s: %s %d, serves %v, %q, want %s %d, %v, %q\n%+v", test.name, res.Word, res.Value, res.Serves, res.Why, test.word, test.value, test.serves, test.why, res.At)
		}
		told := tune.Told{Result: res, Present: "2"}
		if h := told.Headline(); !strings.HasPrefix(h, test.headline) {
			t.Errorf("%s: %q, want %q", test.name, h, test.headline)
		}
	}
}
