package main

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Sizes in pixels, before the page scales the picture.
const (
	fontSize = 16
	advance  = 9.6 // of a character; lines are stretched to it, whatever the font
	leading  = 20
	margin   = 18
)

// Moments of a scene, in seconds from its begin.
const (
	typing = 0.5 // the command is typed from here
	typed  = 1.5 // to here
	said   = 2.1 // the first part appears
	pause  = 2.0 // from one part to the next
	rest   = 5.0 // for which the whole stands
)

// length is for how many seconds a scene is shown.
func (s scene) length() float64 { return said + pause*float64(len(s.parts)-1) + rest }

// colors are those of the two schemes: the terminal, its text, and classes of text.
const colors = `:root{--back:#f6f8fa;--edge:#d0d7de;--text:#1f2328;--faint:#59636e;--good:#116329;--bad:#a40e26}
@media (prefers-color-scheme:dark){:root{--back:#14171a;--edge:#3d444d;--text:#e6e9ec;--faint:#9198a1;--good:#6fd598;--bad:#ff8a80}}
text{font:16px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:var(--text);white-space:pre}
.b{font-weight:bold}.f{fill:var(--faint)}.g{fill:var(--good)}.r{fill:var(--bad)}
`

// draw is the scenes as a picture, one after the other, again and again. A part that
// is not animated shows how the last scene ends.
func draw(scenes []scene) []byte {
	var whole float64
	for _, s := range scenes {
		whole += s.length()
	}
	var style, body bytes.Buffer
	// appear animates what is seen from one moment to another only.
	appear := func(class string, from, to float64, last bool) {
		fmt.Fprintf(&style, ".%[1]s{animation:%[1]s %[2]gs step-end infinite;opacity:%[3]d}@keyframes %[1]s{0%%{opacity:0}%[4]s{opacity:1}", class, whole, digit(last), percent(from/whole))
		if to < whole {
			fmt.Fprintf(&style, "%s{opacity:0}", percent(to/whole))
		}
		style.WriteString("}\n")
	}
	begin := 0.0
	for i, s := range scenes {
		end, last := begin+s.length(), i == len(scenes)-1
		class := fmt.Sprintf("s%d", i)
		appear(class, begin, end, last)
		fmt.Fprintf(&body, "<g class=\"%s\">\n", class)
		y := margin + fontSize - 2
		line(&body, "$ "+s.command, y)
		cover(&style, &body, class+"c", s.command, y, begin, whole)
		for j, part := range s.parts {
			class := fmt.Sprintf("s%dp%d", i, j)
			appear(class, begin+said+pause*float64(j), end, last)
			fmt.Fprintf(&body, "<g class=\"%s\">\n", class)
			if j > 0 {
				y += leading
			}
			for _, l := range part {
				y += leading
				line(&body, l, y)
			}
			body.WriteString("</g>\n")
		}
		body.WriteString("</g>\n")
		begin = end
	}
	width, height := 2*margin+columns*advance, 2*margin+rows*leading
	var svg bytes.Buffer
	fmt.Fprintf(&svg, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %d" width="%[1]g" height="%[2]d" role="img" xml:space="preserve">
<title>%s in a terminal</title>
<style>
%s%s@media (prefers-reduced-motion:reduce){*{animation:none!important}}
</style>
<rect x=".5" y=".5" width="%g" height="%d" rx="8" fill="var(--back)" stroke="var(--edge)"/>
%s</svg>
`, width, height, commands(scenes), colors, &style, width-1, height-1, &body)
	return svg.Bytes()
}

// cover hides a command and, from left to right, shows it as if it were typed.
func cover(style, body *bytes.Buffer, class, command string, y int, begin, whole float64) {
	n := utf8.RuneCountInString(command)
	at := func(seconds float64) string { return percent((begin + seconds) / whole) }
	fmt.Fprintf(style, ".%[1]s{animation:%[1]s %[2]gs step-end infinite;opacity:0}@keyframes %[1]s{0%%,%[3]s{opacity:1;transform:none;animation-timing-function:steps(%d)}%s{opacity:1;transform:translateX(%gpx)}%s{opacity:0}}\n",
		class, whole, at(typing), n, at(typed), float64(n)*advance, at(said))
	x := margin + 2*advance
	fmt.Fprintf(body, "<g class=\"%s\"><rect x=\"%g\" y=\"%d\" width=\"%g\" height=\"%d\" fill=\"var(--back)\"/><rect x=\"%[2]g\" y=\"%[3]d\" width=\"%[6]g\" height=\"%[5]d\" fill=\"var(--faint)\"/></g>\n",
		class, x, y-fontSize, float64(n+1)*advance, leading+2, advance)
}

// line writes a line of text.
func line(body *bytes.Buffer, l string, y int) {
	in := indent(l)
	l = l[in:]
	fmt.Fprintf(body, "<text x=\"%.1f\" y=\"%d\" textLength=\"%.1f\">%s</text>\n", margin+float64(in)*advance, y, float64(utf8.RuneCountInString(l))*advance, colored(l))
}

// marked are words of a report that have a color, and lines that begin so.
var marked = regexp.MustCompile(`\b(loses|does not pay|pays|CONFIRMED)\b`)

// colored is a line with the colors of its words.
func colored(l string) string {
	text := html.EscapeString(l)
	switch {
	case strings.HasPrefix(l, "$ "):
		return `<tspan class="f">$</tspan><tspan class="b">` + text[1:] + `</tspan>`
	case strings.HasPrefix(l, "+ "):
		return `<tspan class="g">` + text + `</tspan>`
	case strings.HasPrefix(l, "- "):
		return `<tspan class="r">` + text + `</tspan>`
	case strings.HasPrefix(l, "variant "), strings.HasPrefix(l, "next: "):
		return `<tspan class="f">` + text + `</tspan>`
	}
	return marked.ReplaceAllStringFunc(text, func(w string) string {
		class := "g"
		if w == "loses" || w == "does not pay" {
			class = "r"
		}
		return `<tspan class="b ` + class + `">` + w + `</tspan>`
	})
}

// commands are those of the scenes, in words.
func commands(scenes []scene) string {
	var all []string
	for _, s := range scenes {
		all = append(all, s.command)
	}
	return html.EscapeString(strings.Join(all, ", then "))
}

func percent(part float64) string { return fmt.Sprintf("%.2f%%", 100*part) }

func digit(b bool) int {
	if b {
		return 1
	}
	return 0
}
