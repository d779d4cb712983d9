package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/predict"
)

// A Predicted is what a model says of one benchmark on more processors than were measured.
type Predicted struct {
	Package string  `json:"package"`
	Name    string  `json:"name"` // full name of the benchmark
	Procs   int     `json:"procs"`
	Value   float64 `json:"value"` // times as fast as at 1
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
}

// tight is the largest High/Low of a band that a run tells of.
const tight = 1.5

// predicted are the points whose bands are tight.
func predicted(all []predict.Prediction) (list []Predicted) {
	for _, p := range all {
		for _, x := range p.Points {
			if x.Wide == "" && x.Low > 0 && x.High <= tight*x.Low && !math.IsInf(x.High, 0) {
				list = append(list, Predicted{p.Package, p.Benchmark, x.Procs, x.Value, x.Low, x.High})
			}
		}
	}
	return list
}

// Foreseen says in a line what a model predicts for the most processors that it does for,
// "" where it does for none.
func (d *Doc) Foreseen() string {
	most := 0
	for _, x := range d.Predicted {
		most = max(most, x.Procs)
	}
	var said []string
	for _, x := range d.Predicted {
		if x.Procs == most {
			said = append(said, fmt.Sprintf("%s %s [%s, %s]", strings.TrimPrefix(x.Name, "Benchmark"), figure.Ratio(x.Value), figure.Ratio(x.Low), figure.Ratio(x.High)))
		}
	}
	if len(said) == 0 {
		return ""
	}
	if more := len(said) - 3; more > 0 {
		said = append(said[:3], fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("by a model, speedup against 1 at %d processors: %s; payoff predict says why", most, strings.Join(said, ", "))
}
