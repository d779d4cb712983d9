package explain

import (
	"fmt"
	"math"
	"path/filepath"

	"golang.org/x/perf/benchunit"

	"github.com/gopayoff/payoff/tool/internal/exectrace"
)

func say(format string, args ...any) Line { return Line{Text: fmt.Sprintf(format, args...)} }

// at points a line of evidence at a place.
func (l Line) at(s exectrace.Site) Line {
	l.Site = s
	return l
}

// ns writes a time.
func ns(x float64) string { return benchunit.Scale(x/1e9, benchunit.Decimal) + "s" }

// count writes how many: 3, 0.25, 60k.
func count(x float64) string {
	if x < 1000 {
		return fmt.Sprintf("%.3g", x)
	}
	return benchunit.Scale(x, benchunit.Decimal)
}

func percent(x float64) string {
	if x > 0 && x < 0.01 {
		return "under 1%"
	}
	return fmt.Sprintf("%.0f%%", 100*x)
}

// batch is how much work must be joined for a price to be a tenth of it: the
// number of items, of which each carries work.
func batch(price, work float64) float64 {
	return math.Ceil(10 * price / work)
}

// place writes a position with the last two elements of its path.
func place(file string, line int) string {
	return fmt.Sprintf("%s:%d", filepath.Base(file), line)
}
