package text

import (
	"fmt"
	"io"
	"strings"

	"github.com/fatih/color"
	"github.com/mattn/go-runewidth"

	"github.com/gopayoff/payoff/tool/internal/judge"
)

// A writer writes lines for a terminal, and keeps the first error.
type writer struct {
	w     io.Writer
	err   error
	width int  // columns, 0 for any number
	all   bool // long lists in full
	bars  Bars
	// advised has for what each piece of advice stands in the text already.
	advised map[string]string
	// shares says that what percentages are shares of stands there, and apart that the
	// margins of packages do not: they are the same, and are said in the end.
	shares, apart bool
	baseless      []string // packages of whose benchmarks none has a base, though one may be it

	bold, faint *color.Color
	word        map[judge.Word]*color.Color
}

func newWriter(w io.Writer, o Options) *writer {
	style := func(a color.Attribute) *color.Color {
		c := color.New(a)
		if o.Colours {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
		return c
	}
	t := &writer{w: w, all: o.All, bars: o.Bars, advised: map[string]string{}, bold: style(color.Bold), faint: style(color.Faint), word: map[judge.Word]*color.Color{
		judge.Pays: style(color.FgGreen), judge.Loses: style(color.FgRed), judge.CannotSay: style(color.FgYellow),
	}}
	if o.Width > 0 {
		t.width = max(o.Width, 70) // what a table may take
	}
	return t
}

// A span is text in one style, nil for none.
type span struct {
	text  string
	style *color.Color
}

func (s span) String() string {
	if s.style == nil || s.text == "" {
		return s.text
	}
	return s.style.Sprint(s.text)
}

// hanging is how much further than its first line the others of a paragraph
// are indented.
const hanging = 2

// say writes a paragraph without style.
func (t *writer) say(indent int, format string, args ...any) {
	t.line(indent, span{fmt.Sprintf(format, args...), nil})
}

// line writes spans as a paragraph. It breaks between words; a word that is
// wider than the terminal stays whole, so that it can be copied.
func (t *writer) line(indent int, spans ...span) {
	var lines [][]span
	var now []span // the line being filled, with its words and blanks
	at := indent   // columns that it takes
	for _, w := range words(spans) {
		n := 0
		for _, s := range w {
			n += columns(s.text)
		}
		if len(now) > 0 && w[0].text != " " && t.width > 0 && at+n > t.width {
			lines = append(lines, now)
			now, at = nil, indent+hanging
		}
		if len(now) == 0 && len(lines) > 0 && w[0].text == " " {
			continue
		}
		now = append(now, w...)
		at += n
	}
	for i, l := range append(lines, now) {
		pad := indent
		if i > 0 {
			pad += hanging
		}
		t.put(pad, l)
	}
}

// put writes one line, neighbours of one style as one.
func (t *writer) put(indent int, spans []span) {
	var b strings.Builder
	b.WriteString(strings.Repeat(" ", indent))
	for i := 0; i < len(spans); {
		s := spans[i]
		for i++; i < len(spans) && spans[i].style == s.style; i++ {
			s.text += spans[i].text
		}
		if i == len(spans) {
			s.text = strings.TrimRight(s.text, " ")
		}
		b.WriteString(s.String())
	}
	t.whole(b.String())
}

// whole writes a line that is not broken: a row of a table, a command.
func (t *writer) whole(s string) {
	if t.err == nil {
		_, t.err = fmt.Fprintln(t.w, strings.TrimRight(s, " "))
	}
}

func (t *writer) blank() { t.whole("") }

// words splits spans before and after each blank. A word may be of several
// styles.
func words(spans []span) [][]span {
	var out [][]span
	glue := false // the last word goes on
	for _, s := range spans {
		for i, part := range strings.Split(s.text, " ") {
			if i > 0 {
				out, glue = append(out, []span{{" ", s.style}}), false
			}
			switch {
			case part == "":
			case glue:
				out[len(out)-1] = append(out[len(out)-1], span{part, s.style})
			default:
				out, glue = append(out, []span{{part, s.style}}), true
			}
		}
	}
	return out
}

// columns is how many columns of a terminal s takes. The signs that are wide
// only beside East Asian writing (×, µ, ∞) count as one.
func columns(s string) int {
	return (&runewidth.Condition{}).StringWidth(s)
}
