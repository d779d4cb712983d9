package quiet

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strings"
)

// What has a buffer, or is one.
func buffered(f *os.File, lines []string) (uint32, error) {
	w := bufio.NewWriter(f)
	var b bytes.Buffer
	var s strings.Builder
	h := crc32.NewIEEE()
	for _, l := range lines {
		fmt.Fprintln(w, l)
		b.WriteString(l)
		s.WriteString(l)
		io.WriteString(h, l)
	}
	write(w, lines)
	write(&b, lines)
	return h.Sum32(), w.Flush()
}

func write(w io.Writer, lines []string) {
	for _, l := range lines {
		io.WriteString(w, l)
	}
}

// Once, and a file for each.
func once(f *os.File, names []string) error {
	if _, err := f.Write([]byte("head")); err != nil {
		return err
	}
	for _, n := range names {
		g, err := os.Create(n)
		if err != nil {
			return err
		}
		if _, err := g.WriteString(n); err != nil {
			return err
		}
		if err := g.Close(); err != nil {
			return err
		}
	}
	return nil
}
