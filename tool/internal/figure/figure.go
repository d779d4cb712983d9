// Package figure writes figures for people: ratios, times, counts.
package figure

import (
	"fmt"
	"math"
	"strconv"

	"golang.org/x/perf/benchunit"
)

// Ratio writes three significant digits: 0.0142, 1.03, 27.4, 340.
func Ratio(r float64) string {
	switch {
	case math.IsInf(r, 1):
		return "∞"
	case r == 0:
		return "0"
	case r >= 1000:
		return fmt.Sprintf("%.0f", r)
	case r >= 0.995:
		r = digits(r, 3) // 99.95 has as many as 100
		return fmt.Sprintf("%.*f", max(0, 2-int(math.Floor(math.Log10(r)))), r)
	}
	return fmt.Sprintf("%.3g", r)
}

// Time writes ns nanoseconds: 263.9µs, 8.040ms.
func Time(ns float64) string {
	if ns == 0 {
		return "0s"
	}
	return benchunit.Scale(ns/1e9, benchunit.Decimal) + "s"
}

// Count writes how many: 3, 0.25, 10000, 1.200M.
func Count(x float64) string {
	switch {
	case x < 1000:
		return fmt.Sprintf("%.3g", x)
	case x < 1e6:
		return fmt.Sprintf("%.0f", digits(x, 4))
	}
	return benchunit.Scale(x, benchunit.Decimal)
}

// About writes an estimated size in three significant digits: 3440, 0.5.
func About(x float64) string { return Size(digits(x, 3)) }

// Size writes a size as it is typed: 4096, 0.5.
func Size(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// digits rounds x to n significant digits.
func digits(x float64, n int) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', n, 64), 64)
	if err != nil {
		return x
	}
	return r
}

// Plural writes n of a noun: 1 processor, 2 processors.
func Plural(n int, noun string) string { return plural(fmt.Sprint(n), noun) }

// Plurals is Plural for a count that is no whole number: 0.25 waits, 10000 waits.
func Plurals(x float64, noun string) string { return plural(Count(x), noun) }

func plural(n, noun string) string {
	if n == "1" {
		return "1 " + noun
	}
	return n + " " + noun + "s"
}
