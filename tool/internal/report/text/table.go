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
	long   = 12 // a head with more columns is replaced by a short one where there is little room
)

func (t *writer) table(x table) {
	x, bands, widths := t.plan(x)
	for i, cols := range bands {
		if i == 0 {
			t.band(x, cols, widths[i])
		} else if rest := x.filled(cols[x.keys:]); len(rest.rows) > 0 {
			t.blank()
			t.band(rest, cols, widths[i])
		}
	}
}

// plan divides a table into bands of columns that fit, each with its widths. Where
// there are several, heads and names are short.
func (t *writer) plan(x table) (_ table, bands, widths [][]int) {
	keys, parts := x.parts()
	all := slices.Concat(keys, slices.Concat(parts...))
	if w := x.widths(); t.width == 0 || sum(w, all) <= t.width {
		return x, [][]int{all}, [][]int{w}
	}
	x = x.shortened()
	for i := 0; i < len(parts); {
		w, cols := x.widths(), slices.Concat(keys, parts[i])
		w[0] = 0
		w[0] = x.fitting(t.width - sum(w, cols)) // names get what the first part leaves
		for i++; i < len(parts) && sum(w, slices.Concat(cols, parts[i])) <= t.width; i++ {
			cols = slices.Concat(cols, parts[i])
		}
		bands, widths = append(bands, cols), append(widths, w)
	}
	return x, bands, widths
}

// parts are the columns that name rows, and the others with those tied to them.
func (x table) parts() (keys []int, parts [][]int) {
	for i, c := range x.columns {
		switch {
		case i < x.keys:
			keys = append(keys, i)
		case c.tied:
			parts[len(parts)-1] = append(parts[len(parts)-1], i)
		default:
			parts = append(parts, []int{i})
		}
	}
	return keys, parts
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
		if wide || x.once && r[0].text == last && i > 1 {
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

// fitting is the width of a column for the names that are no wider than most.
func (x table) fitting(most int) int {
	width := 0
	for _, r := range append(x.rows, []span{{text: x.columns[0].head}}) {
		if n := columns(r[0].text); n <= most {
			width = max(width, n)
		}
	}
	return width
}

// sum is the width of a table with some columns.
func sum(widths, cols []int) int {
	n := margin + gap*(len(cols)-1)
	for _, c := range cols {
		n += widths[c]
	}
	return n
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
		if c.short != "" && columns(c.head) > long {
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
