package text

import (
	"slices"
	"strings"
	"unicode"
)

// A table is rows under a head. What is too wide for the terminal is written as
// several tables, each with the columns that name its rows: no row is ever
// broken.
type table struct {
	columns []column
	keys    int      // the first columns, which name a row; the very first is its name
	once    bool     // a name is not repeated from row to row
	rows    [][]span // of as many spans as there are columns
}

type column struct {
	head  string
	short string // a long head where there is little room
	right bool   // numbers stand to the right
	tied  bool   // stays beside the column before it
}

const (
	margin = 2  // the indent of tables
	gap    = 2  // between two columns
	name   = 12 // columns that a name may always take
)

func (t *writer) table(x table) {
	all := make([]int, len(x.columns))
	for i := range all {
		all[i] = i
	}
	if widths := x.widths(); t.width == 0 || sum(widths, all) <= t.width {
		t.band(x, all, widths)
		return
	}
	x = x.shortened()
	widths := x.widths()
	names := widths[0]
	widths[0] = min(names, name)
	for i, cols := range x.bands(widths, t.width) {
		band := x
		if i > 0 {
			t.blank()
			band = x.filled(cols[x.keys:])
		}
		w := slices.Clone(widths)
		w[0] = min(names, max(w[0], w[0]+t.width-sum(w, cols)))
		t.band(band, cols, w)
	}
}

// band writes some columns of a table. A name that is wider than its column
// has a line of its own.
func (t *writer) band(x table, cols []int, widths []int) {
	var head []span
	for _, c := range x.columns {
		head = append(head, span{c.head, t.faint})
	}
	last := ""
	for i, r := range append([][]span{head}, x.rows...) {
		cells := slices.Clone(r)
		wide := columns(r[0].text) > widths[0]
		if wide && r[0].text != last {
			t.put(margin, r[:1])
		}
		if wide || x.once && r[0].text == last && i > 0 {
			cells[0].text = ""
		}
		last = r[0].text
		var b strings.Builder
		b.WriteString(strings.Repeat(" ", margin))
		for i, c := range cols {
			if i > 0 {
				b.WriteString(strings.Repeat(" ", gap))
			}
			pad := strings.Repeat(" ", widths[c]-columns(cells[c].text))
			if x.columns[c].right {
				b.WriteString(pad + cells[c].String())
			} else {
				b.WriteString(cells[c].String() + pad)
			}
		}
		t.whole(b.String())
	}
}

// widths are those of the columns.
func (x table) widths() []int {
	var out []int
	for i, c := range x.columns {
		w := columns(c.head)
		for _, r := range x.rows {
			w = max(w, columns(r[i].text))
		}
		out = append(out, w)
	}
	return out
}

// sum is the width of a table with some columns.
func sum(widths, cols []int) int {
	n := margin + gap*(len(cols)-1)
	for _, c := range cols {
		n += widths[c]
	}
	return n
}

// bands divides the columns among tables, as many to each as fit.
func (x table) bands(widths []int, width int) [][]int {
	var keys []int
	for i := range x.keys {
		keys = append(keys, i)
	}
	var out [][]int
	now := slices.Clone(keys)
	for i := x.keys; i < len(x.columns); {
		part := []int{i}
		for i++; i < len(x.columns) && x.columns[i].tied; i++ {
			part = append(part, i)
		}
		if len(now) > len(keys) && sum(widths, slices.Concat(now, part)) > width {
			out, now = append(out, now), slices.Clone(keys)
		}
		now = append(now, part...)
	}
	return append(out, now)
}

// filled is x with the rows that have something in some of cols.
func (x table) filled(cols []int) table {
	x.rows = slices.DeleteFunc(slices.Clone(x.rows), func(r []span) bool {
		return !slices.ContainsFunc(cols, func(c int) bool { return r[c].text != "" })
	})
	return x
}

// shortened is x with short heads, and with names that lack what all begin
// with: that becomes the head.
func (x table) shortened() table {
	x.columns = slices.Clone(x.columns)
	for i, c := range x.columns {
		if c.short != "" && columns(c.head) > name {
			x.columns[i].head = c.short
		}
	}
	var names []string
	for _, r := range x.rows {
		names = append(names, r[0].text)
	}
	if len(names) == 0 {
		return x
	}
	prefix := common(names)
	if prefix == "" {
		return x
	}
	x.columns[0].head = prefix + "…"
	x.rows = slices.Clone(x.rows)
	for i, r := range x.rows {
		x.rows[i] = slices.Clone(r)
		x.rows[i][0].text = "…" + strings.TrimPrefix(r[0].text, prefix)
	}
	return x
}

// common is what all names begin with, whole words; "" where that is not worth
// leaving out.
func common(names []string) string {
	// Of all names the first and the last in order have the least in common.
	first, last := []rune(slices.Min(names)), []rune(slices.Max(names))
	end := 0
	for i := 0; i < min(len(first), len(last))-1 && first[i] == last[i]; i++ {
		if between(first[i], first[i+1]) && between(last[i], last[i+1]) {
			end = i + 1
		}
	}
	if end < 4 || slices.Equal(first, last) {
		return ""
	}
	return string(first[:end])
}

// between reports whether a word ends with a and another begins with b, in
// names like readAll, read_all, read/all and read=all.
func between(a, b rune) bool {
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	return !word(a) && word(b) || unicode.IsLower(a) && unicode.IsUpper(b)
}
