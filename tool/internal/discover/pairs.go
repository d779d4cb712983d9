package discover

import (
	"fmt"
	"slices"
	"strings"
)

const (
	mostPairs    = 10 // lines of [Pairs]
	mostVariants = 6  // named in one
)

// Pairs says in words what is compared with what, a line each for families that
// differ in their sizes only: "Sum: packed and channel against serial, 3 sizes".
// Of many the last line counts the rest.
func Pairs(families []Family) []string {
	type line struct {
		text  string
		sizes int
	}
	var lines []line
	for _, f := range families {
		if f.Base < 0 {
			continue
		}
		text := f.words()
		if i := slices.IndexFunc(lines, func(l line) bool { return l.text == text }); i >= 0 {
			lines[i].sizes++
		} else {
			lines = append(lines, line{text, 1})
		}
	}
	var out []string
	for i, l := range lines {
		if i == mostPairs-1 && len(lines) > mostPairs {
			return append(out, fmt.Sprintf("and %d more", len(lines)-i))
		}
		if l.sizes > 1 {
			l.text += fmt.Sprintf(", %d sizes", l.sizes)
		}
		out = append(out, l.text)
	}
	return out
}

func (f *Family) words() string {
	var variants []string
	for i, m := range f.Members {
		switch {
		case i == f.Base:
		case len(variants) == mostVariants && len(f.Members) > mostVariants+2:
			variants = append(variants, fmt.Sprintf("%d more", len(f.Members)-1-mostVariants))
		case len(variants) <= mostVariants:
			variants = append(variants, m.Variant)
		}
	}
	base := f.Members[f.Base].Variant
	s := join(variants) + " against " + base
	group := strings.TrimSuffix(strings.NewReplacer("/=/", "/", "=/", "=…/").Replace(f.Group+"/"), "/")
	if rest, ok := strings.CutPrefix(group, base); ok && (rest == "" || rest[0] == '/') {
		if rest == "" {
			return s
		}
		return s + " " + rest // functions: the family has no name but the base's
	}
	return group + ": " + s
}
