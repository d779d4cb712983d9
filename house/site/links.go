package main

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

const forge = "https://github.com/gopayoff/payoff/"

var (
	// link is one of Markdown: what stands before the target, the target, the end.
	link   = regexp.MustCompile(`(\]\()([^)\s]+)(\))`)
	fenced = regexp.MustCompile("(?ms)^```.*?^```$")
	splice = regexp.MustCompile(`(?m)^<!--.*-->\n?`)
)

// relink returns the text of a file as a page: links to files that are pages lead
// there, those to others to the forge. Comments go.
func relink(text, file, page string, pages map[string]string) string {
	return outside(fenced, splice.ReplaceAllString(text, ""), func(s string) string {
		return link.ReplaceAllStringFunc(s, func(l string) string {
			m := link.FindStringSubmatch(l)
			return m[1] + target(m[2], file, page, pages) + m[3]
		})
	})
}

// target is where a link of a file leads from its page.
func target(to, file, page string, pages map[string]string) string {
	if strings.Contains(to, "://") || strings.HasPrefix(to, "#") || strings.HasPrefix(to, "mailto:") {
		return to
	}
	to, anchor, _ := strings.Cut(to, "#")
	if anchor != "" {
		anchor = "#" + anchor
	}
	at := path.Join(path.Dir(file), to)
	if p, ok := pages[at]; ok {
		return relative(page, p) + anchor
	}
	if p, ok := pages[path.Join(at, "README.md")]; ok {
		return relative(page, p) + anchor
	}
	if img, ok := strings.CutPrefix(at, "docs/img/"); ok {
		return relative(page, "img/"+img)
	}
	if path.Ext(at) == "" {
		return forge + "tree/main/" + at + anchor
	}
	return forge + "blob/main/" + at + anchor
}

// relative is the way from one page to another.
func relative(from, to string) string {
	up := strings.Repeat("../", strings.Count(from, "/"))
	return up + to
}

// broken are the links between pages that lead to none, in order.
func (t tree) broken() (broken []string) {
	for _, page := range slices.Sorted(maps.Keys(t)) {
		outside(fenced, t[page], func(s string) string {
			for _, m := range link.FindAllStringSubmatch(s, -1) {
				to, _, _ := strings.Cut(m[2], "#")
				if to == "" || strings.Contains(to, ":") || path.Ext(to) != ".md" {
					continue
				}
				if _, ok := t[path.Join(path.Dir(page), to)]; !ok {
					broken = append(broken, fmt.Sprintf("%s: %s", page, m[2]))
				}
			}
			return s
		})
	}
	return broken
}

// outside applies f to what matches of a pattern leave.
func outside(pattern *regexp.Regexp, text string, f func(string) string) string {
	var b strings.Builder
	last := 0
	for _, m := range pattern.FindAllStringIndex(text, -1) {
		b.WriteString(f(text[last:m[0]]))
		b.WriteString(text[m[0]:m[1]])
		last = m[1]
	}
	b.WriteString(f(text[last:]))
	return b.String()
}
