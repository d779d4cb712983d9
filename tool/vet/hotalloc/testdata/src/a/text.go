package a

import (
	"bytes"
	"io"
	"strings"
)

func join(words []string) string {
	s := ""
	for i, w := range words {
		if i > 0 {
			s += ", " // want "s is copied whenever something is added to it"
		}
		s = s + w
	}
	if s == "" {
		return "none"
	}
	return s
}

func started(words []string) (n int) {
	var strings = "words:"
	for _, w := range words {
		strings += w + " " // want "strings is copied"
		n += len(strings)
	}
	return n
}

func copies(b []byte, words []string) []byte {
	for _, w := range words {
		b = append(b, []byte(w)...) // want "copies what is only read"
	}
	return b
}

func writes(w io.Writer, b *bytes.Buffer, words []string, sep string) {
	for _, x := range words {
		b.Write([]byte(x))   // want "copies what is only read"
		w.Write([]byte(sep)) // want "copies what is only read"
	}
}

func searches(lines [][]byte, word []byte) (n int) {
	for _, l := range lines {
		if strings.HasPrefix(string(l), "#") { // want "copies what is only read"
			continue
		}
		if strings.Contains(string(l), string(word)) { // want "copies what is only read"
			n += strings.IndexByte(string(l), 'a') // want "copies what is only read"
		}
	}
	return n
}
