// Package values formats values of all kinds; its tests know what fmt makes of them.
package values

import (
	"bytes"
	"fmt"
	"strings"
)

type number int8

func texts(i int, u uint16, n number, f float64, g float32, s string, b []byte, r rune, t bool) []string {
	return []string{
		fmt.Sprintf("%d|%v|%x|", i, i, i),            // want "fmt.Sprintf"
		fmt.Sprintf("%d|%v|%x|", u, u, u),            // want "fmt.Sprintf"
		fmt.Sprintf("%d|%v|%x|", n, n, n),            // want "fmt.Sprintf"
		fmt.Sprintf("%v|%g|%f|%e", f, f, f, f),       // want "fmt.Sprintf"
		fmt.Sprintf("%v|%.0f|%.3e|%.5g", f, f, f, f), // want "fmt.Sprintf"
		fmt.Sprintf("%v|%g|%f|%e", g, g, g, g),       // want "fmt.Sprintf"
		fmt.Sprintf("%s|%v|%q", s, s, s),             // want "fmt.Sprintf"
		fmt.Sprintf("%s|%x", b, b),                   // want "fmt.Sprintf"
		fmt.Sprintf("%c|%d", r, r),                   // want "fmt.Sprintf"
		fmt.Sprintf("%t|%v", t, t),                   // want "fmt.Sprintf"
		fmt.Sprint(f),                                // want "fmt.Sprint"
		fmt.Sprint(s),                                // want "fmt.Sprint"
	}
}

func appended(buf []byte, i int, u uint16, n number, f float64, s string, r rune, t bool) []byte {
	buf = append(buf, fmt.Sprintf("%d|%v|%x|", i, i, i)...)       // want "fmt.Sprintf"
	buf = append(buf, fmt.Sprintf("%d|%v|%x|", u, n, n)...)       // want "fmt.Sprintf"
	buf = append(buf, fmt.Sprintf("%v|%.2f", f, f)...)            // want "fmt.Sprintf"
	return append(buf, fmt.Sprintf("%s|%q|%c|%t", s, s, r, t)...) // want "fmt.Sprintf"
}

func written(i int, f float64, s string, r rune, t bool) string {
	var b bytes.Buffer
	var sb strings.Builder
	fmt.Fprintf(&b, "%d|%v|%s|%q|%c|%t|", i, f, s, s, r, t)             // want "fmt.Fprintf"
	sb.WriteString(fmt.Sprintf("%d|%v|%s|%q|%c|%t|", i, f, s, s, r, t)) // want "fmt.Sprintf"
	return b.String() + sb.String()
}

// Others see what lies behind the buffer's length.
func seen(s string) (out, full []byte) {
	full = []byte("abcd")
	out = append(full[:1], fmt.Sprintf("%s%s", s, "yyyy")...) // want "fmt.Sprintf"
	return out, full
}

func again(rows []string, i int) (all string) {
	buf := make([]byte, 0, 4)
	for _, r := range rows {
		buf = append(buf[:0], fmt.Sprintf("%s:%d;", r, i)...) // want "fmt.Sprintf"
		all += string(buf)
	}
	return all
}

// The first byte is read before it is overwritten.
func over(n int) string {
	buf := []byte{'a', 'b'}
	buf = append(buf[:0], fmt.Sprintf("%d%d", n, buf[0])...) // want "fmt.Sprintf"
	return string(buf)
}

type pair struct{ n int }

// The arguments come before the write, whatever they do.
func panics(b *bytes.Buffer, sb *strings.Builder, xs []int, p *pair) {
	defer func() { recover() }()
	for i := range 3 {
		fmt.Fprintf(b, "%s=%d;", "k", xs[i])               // want "fmt.Fprintf"
		sb.WriteString(fmt.Sprintf("%d/%d,", i, 10/(1-i))) // want "fmt.Sprintf"
	}
	fmt.Fprintf(b, "n=%d", p.n) // want "fmt.Fprintf"
}

func (p *pair) next() int { p.n++; return p.n }

func (p pair) get() int { return p.n }

func beside(p *pair) string {
	return fmt.Sprintf("%d %d %d", p.next(), p.n, p.get()) // want "fmt.Sprintf"
}

func fill(b *bytes.Buffer) int {
	b.WriteString("zz")
	return 7
}

// The argument is written before the text is.
func filled() string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%d", fill(&b)) // want "fmt.Fprintf"
	return b.String()
}

type sink struct{ *bytes.Buffer }

func (s sink) self() sink { return s }

// What is returned has no address, and needs none.
func sunk(n []int) string {
	s := sink{new(bytes.Buffer)}
	s.self().Write([]byte(fmt.Sprintf("%v", n))) // want "fmt.Sprintf" // refuse "typed: n is not formatted"
	return s.String()
}
