package lint

import (
	"fmt"
	"io"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// Text writes the report for people and editors: the answer, a line for each
// finding, the next command. Files are named from dir.
func (r *Report) Text(w io.Writer, dir string) error {
	var b strings.Builder
	fmt.Fprintln(&b, r.answer())
	for _, f := range r.Findings {
		at := source.Place{File: f.File, Line: f.Line}.Near(dir)
		fmt.Fprintf(&b, "%s:%d:%d: %s\n", plain.Clean(at.File), f.Line, f.Column, f.says())
	}
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "left out: %s\n", plain.Clean(p.String()))
	}
	if r.Next != "" {
		fmt.Fprintf(&b, "next: %s\n", plain.Clean(r.Next))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// says is a finding in a line.
func (f Finding) says() string {
	s := f.Check + ": " + plain.Clean(f.Message)
	switch {
	case f.Grade == "":
		return s
	case f.Evidence == "":
		return s + " [" + f.Grade + "]"
	}
	return s + " [" + f.Grade + "] (" + plain.Clean(f.Evidence) + ")"
}

// Count is how many findings have one of the grades.
func (r *Report) Count(grades ...string) (n int) {
	for _, f := range r.Findings {
		for _, g := range grades {
			if f.Grade == g {
				n++
			}
		}
	}
	return n
}

// answer is the first line.
func (r *Report) answer() string {
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	add(r.Count(shape.Confirmed), "confirmed by a faster edit")
	add(r.Count(shape.Suspected), "suspected by evidence")
	add(r.Count(shape.Hint), plural(r.Count(shape.Hint), "hint", "hints")+" by the shape alone")
	add(r.Count(""), plural(r.Count(""), "comment", "comments")+" of no use")
	s := "nothing found"
	if len(parts) > 0 {
		s = strings.Join(parts, ", ")
	}
	s += fmt.Sprintf(" in %d %s", len(r.Packages), plural(len(r.Packages), "package", "packages"))
	if r.Hidden > 0 {
		s += fmt.Sprintf("; %d %s without evidence hidden (-hints)", r.Hidden, plural(r.Hidden, "hint", "hints"))
	}
	if len(r.Runs) == 0 {
		return s + "; no recorded run of them"
	}
	return s + "; evidence of " + plain.Clean(strings.Join(r.Runs, ", "))
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
