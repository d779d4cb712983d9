// Package a formats and encodes at run time.
package a

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

type id int

func text(n int, s string, i id) (out []string) {
	out = append(out, fmt.Sprintf("%d", n))            // want "fmt.Sprintf parses its format"
	out = append(out, fmt.Sprintf("%s:%d", s, i))      // want "fmt.Sprintf"
	out = append(out, fmt.Sprintf("%v%%%q", s, s)[1:]) // want "fmt.Sprintf"
	if fmt.Sprint(n) == s {                            // want "fmt.Sprint"
		return nil
	}
	return out
}

// Names that the edit needs mean something else.
func shadowed(n uint8, strconv string) string {
	return fmt.Sprintf("%d%s", n, strconv) // want "fmt.Sprintf"
}

func buffer(buf []byte, n int, s string) []byte {
	buf = append(buf, fmt.Sprintf("%s=%d\n", s, n)...) // want "fmt.Sprintf"
	return append(buf, fmt.Sprintf("%5d", n)...)       // want "fmt.Sprintf" // refuse "typed: its format has flags, widths"
}

func writes(sb *strings.Builder, w *bufio.Writer, f io.Writer, n int) (b bytes.Buffer, err error) {
	sb.WriteString(fmt.Sprintf("%d,", n))          // want "fmt.Sprintf"
	b.WriteString(fmt.Sprintf("%d,%t", n, n > 0))  // want "fmt.Sprintf"
	fmt.Fprintf(w, "%d %s\n", n, sb)               // want "fmt.Fprintf" // refuse "typed: sb is not formatted by strconv: its type has methods"
	fmt.Fprintf(w, "%d %x\n", n, n)                // want "fmt.Fprintf"
	fmt.Fprintf(&b, "%c", 'x')                     // want "fmt.Fprintf"
	_, err = f.Write([]byte(fmt.Sprintf("%d", n))) // want "fmt.Sprintf"
	return b, err
}

type event struct {
	Name string
	Size int
	At   *event
}

func encode(events []event) (n int) {
	for _, e := range events {
		data, _ := json.Marshal(e) // want "json.Marshal walks the type of its argument, which it gets as a copy" // refuse "typed: an encoder"
		n += len(data)
	}
	for i := range events {
		data, _ := json.Marshal(events[i]) // want "json.Marshal" // refuse "typed: an encoder"
		n += len(data)
	}
	return n
}
