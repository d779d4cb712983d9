package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/urfave/cli/v3"

	"github.com/gopayoff/payoff/tool/catalog"
	"github.com/gopayoff/payoff/tool/internal/mcp"
	"github.com/gopayoff/payoff/tool/vet"
)

func explainCommand(stdout io.Writer) *cli.Command {
	return &cli.Command{
		Name:      "explain",
		Usage:     "say what a cause is, how it looks and what cures it",
		ArgsUsage: "[flags] [slug ...]",
		Description: `Explain prints entries of the catalogue of causes: why concurrency does not pay,
or pays less than it could. Without a slug it lists them.`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "write the causes as a JSON array"},
		},
		Action: func(_ context.Context, c *cli.Command) error {
			causes := catalog.All()
			if c.Args().Present() {
				var err error
				if causes, err = findCauses(c.Args().Slice()); err != nil {
					return err
				}
			}
			switch {
			case c.Bool("json"):
				e := json.NewEncoder(stdout)
				e.SetEscapeHTML(false)
				e.SetIndent("", "  ")
				return e.Encode(curable(causes))
			case c.Args().Present():
				return explainCauses(stdout, causes)
			}
			return listCauses(stdout, causes)
		},
	}
}

// curable are causes with the edits that are tried against them.
func curable(causes []catalog.Cause) []mcp.Cause {
	all := []mcp.Cause{}
	for _, c := range causes {
		all = append(all, mcp.Cause{Cause: c, Edits: vet.Cures(c.Slug)})
	}
	return all
}

// findCauses returns the causes with the slugs, all or none.
func findCauses(slugs []string) ([]catalog.Cause, error) {
	var causes []catalog.Cause
	for _, slug := range slugs {
		c, ok := catalog.Find(slug)
		if !ok {
			if near := catalog.Near(slug); len(near) > 0 {
				return nil, fmt.Errorf("no cause %q: did you mean %s? payoff explain lists them", slug, strings.Join(near, " or "))
			}
			return nil, fmt.Errorf("no cause %q: payoff explain lists them", slug)
		}
		causes = append(causes, c)
	}
	return causes, nil
}

func listCauses(out io.Writer, causes []catalog.Cause) error {
	fmt.Fprintf(out, "%d causes for which concurrency does not pay, or pays less than it could:\n\n", len(causes))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, c := range causes {
		fmt.Fprintf(w, "  %s\t%s\n", c.Slug, c.Title)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\nnext: payoff explain %s\n", causes[0].Slug)
	return err
}

func explainCauses(out io.Writer, causes []catalog.Cause) error {
	var b strings.Builder
	for _, c := range causes {
		fmt.Fprintf(&b, "%s: %s\n\n", c.Slug, c.Title)
		b.WriteString(wrap(c.What, "  ", "  "))
		section := func(heading, text string) { fmt.Fprintf(&b, "\n%s\n%s", heading, text) }
		section("How it looks", wrap(c.Looks, "  ", "  "))
		section("Evidence payoff wants to see", items(c.Evidence))
		section("Before", indent(c.Before))
		section("After", indent(c.After))
		section("What to do", wrap(c.Do+".", "  ", "  "))
		section("When that is wrong", wrap(c.Wrong, "  ", "  "))
		section("What helps (names such as par and queue are packages of payoff, some still to come)", wrap(strings.Join(c.Cures, ", "), "  ", "  "))
		for i, x := range vet.Cures(c.Slug) {
			if i == 0 {
				b.WriteString("\nWhat payoff fix tries\n")
			}
			b.WriteString(wrap(x.Check+": "+x.Title, "  ", "  "))
			b.WriteString(paragraphs(x.Edits))
		}
		section("Sources", items(c.See))
		b.WriteString("\n")
	}
	b.WriteString("next: payoff run ./...\n")
	_, err := io.WriteString(out, b.String())
	return err
}

// width is what a line of prose fills.
const width = 80

// wrap breaks text into lines, of which the first begins with first and the
// others with rest. A word that is too long for a line stands alone on it.
func wrap(text, first, rest string) string {
	var b strings.Builder
	line, empty := first, true
	for word := range strings.FieldsSeq(text) {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			b.WriteString(line + "\n")
			line, empty = rest, true
		}
		if !empty {
			line += " "
		}
		line, empty = line+word, false
	}
	b.WriteString(line + "\n")
	return b.String()
}

func items(list []string) string {
	var b strings.Builder
	for _, s := range list {
		b.WriteString(wrap(s, "  - ", "    "))
	}
	return b.String()
}

// paragraphs writes text that has blank lines and list items.
func paragraphs(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if item, ok := strings.CutPrefix(line, "- "); ok {
			b.WriteString(wrap(item, "    - ", "      "))
			continue
		}
		b.WriteString(wrap(line, "    ", "    "))
	}
	return b.String()
}

// indent moves code to the right.
func indent(code string) string {
	var b strings.Builder
	for line := range strings.Lines(code) {
		line = strings.ReplaceAll(line, "\t", "    ")
		if line != "\n" {
			b.WriteString("    ")
		}
		b.WriteString(line)
	}
	return b.String()
}
