package report

import (
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/predict"
)

// TestForeseen: a line tells of the most processors whose bands are tight, and of no other.
func TestForeseen(t *testing.T) {
	point := func(procs int, value, low, high float64, wide string) predict.Point {
		return predict.Point{Procs: procs, Value: value, Low: low, High: high, Wide: wide}
	}
	for _, test := range []struct {
		points []predict.Point
		want   string
	}{
		{nil, ""},
		{[]predict.Point{point(4, 3, 1.9, 3.9, "")}, ""},
		{[]predict.Point{point(4, 3, 2.9, 3.1, "something")}, ""},
		{[]predict.Point{point(4, 3, 2.9, 3.1, ""), point(8, 5, 4.5, 5.5, ""), point(16, 8, 4, 9, "")}, "by a model, speedup against 1 at 8 processors: Sum/variant=parts 5.00 [4.50, 5.50]; payoff predict says why"},
	} {
		d := New(Input{Predictions: []predict.Prediction{{Package: "p", Benchmark: "BenchmarkSum/variant=parts", Points: test.points}}})
		if got := d.Foreseen(); got != test.want {
			t.Errorf("Foreseen() of %v = %q, want %q", test.points, got, test.want)
		}
	}
	var many []predict.Prediction
	for _, name := range []string{"A", "B", "C", "D", "E"} {
		many = append(many, predict.Prediction{Benchmark: name, Points: []predict.Point{point(4, 3, 2.9, 3.1, "")}})
	}
	if got := New(Input{Predictions: many}).Foreseen(); !strings.Contains(got, "C 3.00 [2.90, 3.10], 2 more;") {
		t.Errorf("Foreseen() of five = %q, want three and how many more", got)
	}
}
