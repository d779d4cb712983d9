// Package catalog holds every cause payoff can name: why concurrency does not
// pay, or pays less than it could.
//
// It is data and the only home of these words: reports, payoff explain and the
// docs take them from here, by slug. The slug is also the name of the cause's
// case in the gallery and of its analyzer, where there are such. It decides
// nothing: which cause explains a measurement is found elsewhere. Looking one
// up costs a walk over the list.
//
// Each cause is a variable, for programs that mean a certain one; [All] and
// [Find] are for those that do not.
package catalog

import (
	"cmp"
	"slices"
	"strings"
)

// A Cause is why concurrency does not pay, or pays less than it could.
type Cause struct {
	// Slug is the name of the cause: lower-case letters, never changed.
	Slug string `json:"slug"`

	// Part is the part of the catalogue that it stands in: what the time goes
	// to, "memory", "goroutines", "division", "code" or "machine".
	Part string `json:"part"`

	// Title says it in a few words, as a heading.
	Title string `json:"title"`

	// What is the mechanism.
	What string `json:"what"`

	// Looks tells how a run shows it: the factors (cores in use, overhead at
	// one processor, inflation beyond one), the CPU profile, the trace.
	Looks string `json:"looks"`

	// Evidence is what a run has to show before it names the cause, one line
	// each.
	Evidence []string `json:"evidence"`

	// Before and After are complete declarations, formatted, that need the
	// standard library alone. Before has the disease, After does the same
	// without; After may use what Before declares.
	Before string `json:"before"`
	After  string `json:"after"`

	// Do is the advice in one sentence, an imperative without full stop.
	Do string `json:"do"`

	// Wrong says when the advice does not hold.
	Wrong string `json:"wrong"`

	// Cures names what helps: names of the standard library and of payoff's
	// own packages, with their package.
	Cures []string `json:"cures"`

	// See lists sources: articles, issues, papers, documentation.
	See []string `json:"see"`
}

// parts are the parts of the catalogue in its order: what a write to memory
// costs, what goroutines cost each other, how the work is divided, what the
// code does besides, what the machine does.
var parts = []string{"memory", "goroutines", "division", "code", "machine"}

// causes is the catalogue, sorted by part and slug.
var causes []Cause

// enter puts a cause into the catalogue. Each cause is a variable made by enter
// in a file of its own; nothing else in this package has to name it.
func enter(c Cause) Cause {
	i, _ := slices.BinarySearchFunc(causes, c, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(slices.Index(parts, a.Part), slices.Index(parts, b.Part)), strings.Compare(a.Slug, b.Slug))
	})
	causes = slices.Insert(causes, i, c)
	return c
}

// All returns the causes in the order of the catalogue. The slice is the
// caller's; the slices in its elements are shared, and callers must not write
// to them.
func All() []Cause { return slices.Clone(causes) }

// Find returns the cause with the slug and reports whether there is one.
func Find(slug string) (Cause, bool) {
	for _, c := range causes {
		if c.Slug == slug {
			return c, true
		}
	}
	return Cause{}, false
}

// prose joins the lines of a paragraph.
func prose(s string) string { return strings.Join(strings.Fields(s), " ") }

// source drops the line breaks that set code off from its quotes.
func source(s string) string { return strings.Trim(s, "\n") + "\n" }
