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
