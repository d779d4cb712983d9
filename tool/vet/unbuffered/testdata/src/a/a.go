package a

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
)

func record(buf []byte, i int) []byte {
	return binary.LittleEndian.AppendUint64(buf[:0], uint64(i))
}

// The error of each write is returned, and so is that of the flush.
func writeAll(w io.Writer, n int) error {
	buf := make([]byte, 0, 8)
	for i := range n {
		buf = record(buf, i)
		if _, err := w.Write(buf); err != nil { // want "each write to w may be"
			return err
		}
	}
	return nil
}

// All that can be read is read.
func readAll(r io.Reader) (sum int) {
	buf := make([]byte, 8)
	for {
		if _, err := io.ReadFull(r, buf); err != nil { // want "each read of r may be"
			return sum
		}
		sum += int(binary.LittleEndian.Uint64(buf))
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func audit(w io.Writer, lines []string) (n int) {
	for _, l := range lines {
		n += must(io.WriteString(w, l)) + len(l) // want "each write to w may be"
	}
	return n
}

// Nobody looks at errors.
func forgotten(f *os.File, rows [][]string) {
	for _, r := range rows {
		for _, c := range r {
			fmt.Fprint(f, c) // want "each write to f may be"
			f.WriteString("\n")
		}
	}
}

// Cells of three bytes, through a function that may get anything.
func cells(w io.Writer, buf []byte) (err error) {
	for i := range len(buf) / 3 {
		b := byte(i)
		buf[i*3], buf[3*i+2] = b, b+buf[i*3+1]
		_, err = w.Write(buf[3*i : 3*(i+1)]) // want "each write to w may be"
		if err != nil {
			return err
		}
	}
	return nil
}

func bytewise(w io.Writer, text []byte) error {
	for _, b := range text {
		if _, err := w.Write([]byte{b}); err != nil { // want "each write to w may be"
			return err
		}
	}
	return nil
}

func unasked(w io.Writer, text []byte) {
	for i := 0; i < len(text); i++ {
		w.Write([]byte{text[i]}) // want "each write to w may be"
	}
}

// One that the loop knows more of.
func some(f *os.File, rows map[string]int) (err error) {
	for name, n := range rows {
		if n == 10 {
			continue
		}
		if _, err = fmt.Fprintf(f, "%s %d\n", name, n); err != nil { // want "each write to f may be"
			return fmt.Errorf("rows: %w", err)
		}
	}
	return f.Close()
}

// Through the two ends of a pipe.
func piped(n int) int {
	r, w := io.Pipe()
	go func() { w.CloseWithError(writeAll(w, n)) }()
	return readAll(r)
}

// A field is like a parameter, where no goroutine comes to it.
type journal struct {
	f   *os.File
	out io.Writer
}

func (j *journal) add(lines []string) error {
	for _, l := range lines {
		if _, err := fmt.Fprintln(j.f, l); err != nil { // want "each write to j.f may be"
			return err
		}
	}
	for _, l := range lines {
		io.WriteString(j.out, l) // want "each write to j.out may be"
	}
	return nil
}
