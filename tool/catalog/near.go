package catalog

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/gopayoff/payoff/tool/internal/spell"
)

// Near returns the slugs that slug may have meant, the likeliest first, at
// most three. They are those spelt alike, and those whose title or mechanism
// has it as a word, so that "json" and "amdahl" find their cause.
func Near(slug string) []string {
	word := strings.ToLower(strings.TrimSpace(slug))
	query := strings.Join(words(word), "")
	if query == "" {
		return nil
	}
	type hit struct {
		slug string
		off  int
	}
	var hits []hit
	for _, c := range causes {
		off := spell.Distance(query, c.Slug)
		limit := min(max(2, len(query)/3), len(query)-1)
		switch {
		case off <= limit:
		case len(query) >= 3 && strings.Contains(c.Slug, query), strings.Contains(query, c.Slug):
			off = limit
		case slices.Contains(words(c.Title), word):
			off = limit + 1
		case slices.Contains(words(c.What), word):
			off = limit + 2
		default:
			continue
		}
		hits = append(hits, hit{c.Slug, off})
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(a.off, b.off) })
	var near []string
	for _, h := range hits[:min(3, len(hits))] {
		near = append(near, h.slug)
	}
	return near
}

// words returns the words of s in lower case.
func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
