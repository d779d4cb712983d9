package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// A change is what the release changes in a file.
type change struct {
	name  string
	lines []string // that go, after a minus, and that come, after a plus
}

var hunk = regexp.MustCompile(`^(---|\+\+\+|@@|index |new file|deleted file|\\) ?`)

// changesOf reads what git diff -U0 says.
func changesOf(diff string) []*change {
	var changes []*change
	for line := range strings.Lines(diff) {
		line = strings.TrimSuffix(line, "\n")
		if names, ok := strings.CutPrefix(line, "diff --git "); ok {
			_, name, _ := strings.Cut(names, " b/")
			changes = append(changes, &change{name: name})
		} else if !hunk.MatchString(line) && len(changes) > 0 {
			c := changes[len(changes)-1]
			c.lines = append(c.lines, line)
		}
	}
	return slices.DeleteFunc(changes, func(c *change) bool { return c.name == changelogName })
}

// print says what the release does.
func (p *plan) print(out io.Writer) {
	what := "release"
	if p.rehearsal {
		what = "rehearsal of"
	}
	fmt.Fprintf(out, "%s %s\n\ntags, in this order, at one commit:\n", what, p.version)
	for _, m := range p.modules {
		if m.packed != nil {
			fmt.Fprintf(out, "  %-18s %-41s zip %s, %d files\n", m.tag(p.version), m.path, size(m.packed.size), m.packed.files)
		}
	}
	if len(p.changes) > 0 {
		fmt.Fprintln(out, "\nthe commit changes:")
	}
	for _, c := range p.changes {
		fmt.Fprintf(out, "  %s\n", c.name)
		for _, line := range c.lines {
			fmt.Fprintf(out, "    %s\n", line)
		}
	}
	switch {
	case p.patch == "":
		fmt.Fprintln(out, "\nthe tree is ready: nothing has to be changed")
	case p.section == "":
		fmt.Fprintf(out, "\n%s: nothing stands under Unreleased\n", changelogName)
	case p.rehearsal:
		fmt.Fprintf(out, "\n%s: %s takes %d lines from Unreleased\n", changelogName, p.version, strings.Count(p.section, "\n")+1)
	default:
		fmt.Fprintf(out, "\n%s has of %s:\n\n%s\n", changelogName, p.version, p.section)
	}
}

// printNext says how the release is made.
func (p *plan) printNext(out io.Writer, o options) {
	if p.rehearsal {
		return
	}
	var tags []string
	for _, m := range p.modules {
		if m.packed != nil {
			tags = append(tags, m.tag(p.version))
		}
	}
	fmt.Fprintln(out, "\nnext:")
	switch {
	case p.patch != "" && o.patch == "":
		fmt.Fprintf(out, "  go run ./house/release -patch ../release.patch %s   # and apply it\n", p.version)
		return
	case p.patch != "":
		fmt.Fprintf(out, "  git apply --index %s && git commit -m 'release %s'\n  go run ./house/release %[2]s\n", o.patch, p.version)
		return
	}
	for _, t := range tags {
		fmt.Fprintf(out, "  git tag %s\n", t)
	}
	fmt.Fprintf(out, "  git push --atomic origin HEAD %s\n", strings.Join(tags, " "))
}

func size(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KB", (n+1<<9)>>10)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}
