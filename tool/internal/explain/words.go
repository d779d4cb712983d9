package explain

import (
	"fmt"
	"math"
	"regexp"

	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/source"
)

func say(format string, args ...any) Line { return Line{Text: fmt.Sprintf(format, args...)} }

// at points a line of evidence at a place.
func (l Line) at(s source.Place) Line {
	l.Site = s
	return l
}

// ns writes a time.
func ns(x float64) string {
	if math.Abs(x) < 1e-3 {
		return "0s"
	}
	return figure.Time(x)
}

// often writes how many times in an operation.
func often(x float64) string {
	if x > 0 && x < 0.5 {
		return "once in " + figure.Count(1/x) + " operations"
	}
	if n := figure.Count(x); n != "1" {
		return n + " times per operation"
	}
	return "once per operation"
}

// each begins a sentence about every one of x.
func each(x float64, noun string) string {
	if n := figure.Count(x); n != "1" {
		return "each of " + n + " " + noun + "s"
	}
	return "each " + noun
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

var longPlace = regexp.MustCompile(`(?:[A-Za-z]:)?(?:[^ :(][^ :]*)?[/\\]([^ :/\\]+:\d+)`)

// shorten leaves of positions in a text the last element of the path.
func shorten(text string) string { return longPlace.ReplaceAllString(text, "$1") }

// there says what the base has beside it; nothing of a program that runs, which has none.
func (f *facts) there(what string) string {
	if f.running {
		return ""
	}
	return "; in " + f.baseName() + " " + what
}

func (f *facts) baseName() string {
	if f.self {
		return "itself on one processor"
	}
	if f.v.Kind == measure.Variant && f.v.Base != "" {
		return f.v.Base
	}
	return "the base"
}
