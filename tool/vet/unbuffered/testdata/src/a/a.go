package a

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
)

func record(buf []byte, i int) []byte {
	return binary.LittleEndian.AppendUint64(buf[:0], uint64(i))
}

// The error of each write is returned, and so is that of the flush.
func writeAll(w io.Writer, n int) error {
	buf := make([]byte, 0, 8)
	for i := range n {
		buf = record(buf, i)
		if _, err := w.Write(buf); err != nil { // want "each write to w is a call of the system where that is a file"
			return err
		}
	}
	return nil
}

// All that can be read is read.
func readAll(r io.Reader) (sum int) {
	buf := make([]byte, 8)
	for {
		if _, err := io.ReadFull(r, buf); err != nil { // want "each read of r is a call of the system where"
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
		n += must(io.WriteString(w, l)) + len(l) // want "each write to w"
	}
	return n
}

// Each goroutine has a file of its own.
func apart(fs []*os.File, data []byte) int {
	sums := make([]int, len(fs))
	var wg sync.WaitGroup
	for w := range fs {
		wg.Go(func() {
			for i := range data {
				n, err := fs[w].Write(data[i : i+1]) // want "each write to fs.w. is"
				if err != nil {
					return
				}
				sums[w] += n
			}
		})
	}
	wg.Wait()
	return sums[0]
}

// The loop has other ends than an error, and one error that it knows more of.
func some(f *os.File, rows map[string]int) (err error) {
	for name, n := range rows {
		if n < 0 {
			return errors.New("negative")
		}
		if n > 1000 {
			panic(name)
		}
		if n == 10 {
			continue
		}
		if _, err = fmt.Fprintf(f, "%s %d\n", name, n); err != nil { // want "each write to f"
			return fmt.Errorf("row %s: %w", name, err)
		}
		if n == 11 {
			break
		}
	}
	return f.Close()
}

// The error ends the loop and is looked at after it.
func stopped(f *os.File, rows []string) error {
	var err error
	for _, r := range rows {
		if _, err = f.WriteString(r); err != nil { // want "each write to f"
			break
		}
	}
	if err == nil {
		err = f.Sync()
	}
	return err
}

// Nobody looks at errors.
func forgotten(f *os.File, rows [][]string) {
	for _, r := range rows {
		for _, c := range r {
			fmt.Fprint(f, c) // want "each write to f"
			f.WriteString("\n")
		}
	}
}

// A function writes what belongs together.
func pair(w io.Writer, a, b int) error {
	if _, err := fmt.Fprintln(w, a); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, b)
	return err
}

func pairs(w io.Writer, n int) error {
	for i := range n {
		if err := pair(w, i, 2*i); err != nil { // want "each write to w"
			return err
		}
	}
	return nil
}

// The file is made and closed here: nobody reads on.
func first(name string, n int) (sum int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var b [1]byte
	for range n {
		if _, err := f.Read(b[:]); err != nil { // want "each read of f"
			return sum, err
		}
		sum += int(b[0])
	}
	return sum, nil
}

// A server reads requests and answers them. Only the requests have a buffer.
func serve(c net.Conn) error {
	var q [8]byte
	for {
		if _, err := io.ReadFull(c, q[:]); err != nil { // want "each read of c"
			return err
		}
		if _, err := c.Write(q[:]); err != nil { // want "each write to c" // refuse "buffer: each write to c may be a datagram"
			return err
		}
	}
}

// Records at places of a file.
func sum(f *os.File, lo, hi int) (sum int, err error) {
	buf := make([]byte, 16)
	for i := lo; i < hi; i++ {
		if _, err := f.ReadAt(buf, int64(i*16)); err != nil { // want "each read at a place of f"
			return sum, err
		}
		sum += int(binary.LittleEndian.Uint64(buf[8:]))
	}
	return sum, nil
}

// Pieces of one slice, from several goroutines.
func pieces(f *os.File, buf []byte, parts int) []error {
	errs := make([]error, parts)
	var wg sync.WaitGroup
	for w := range parts {
		wg.Go(func() {
			lo, hi := w*len(buf)/16/parts, (w+1)*len(buf)/16/parts
			for i := lo; i < hi; i++ {
				piece := buf[i*16 : i*16+16]
				if _, err := f.ReadAt(piece, 64+int64(i*16)); err != nil { // want "each read at a place of f"
					errs[w] = err
					return
				}
				piece[0]++
			}
		})
	}
	wg.Wait()
	return errs
}

func table(f *os.File, rows []byte, n int) int {
	for i := range n {
		if _, err := f.ReadAt(rows[8*i:8*(i+1)], int64(i)*8); err != nil { // want "each read at a place of f"
			return i
		}
	}
	return n
}

// What is computed byte by byte goes out byte by byte.
func rendered(fs []*os.File, data []byte) int {
	ns := make([]int, len(fs))
	var wg sync.WaitGroup
	for w := range fs {
		wg.Go(func() {
			part := data[w*len(data)/len(fs) : (w+1)*len(data)/len(fs)]
			for i := range part {
				part[i] = dither(i) + part[i]>>1
				n, err := fs[w].Write(part[i : i+1]) // want "each write to fs.w."
				if err != nil {
					return
				}
				ns[w] += n
			}
		})
	}
	wg.Wait()
	return ns[0]
}

func dither(i int) byte {
	x := uint(i)
	for range 3 {
		x ^= x << 2
	}
	return byte(x % 251)
}

// Cells of three bytes, through a function that may get anything.
func cells(w io.Writer, buf []byte) (err error) {
	for i := range len(buf) / 3 {
		b := byte(i)
		buf[i*3], buf[3*i+2] = b, b+buf[i*3+1]
		_, err = w.Write(buf[3*i : 3*(i+1)]) // want "each write to w"
		if err != nil {
			return err
		}
	}
	return nil
}

func bytewise(w io.Writer, text []byte) error {
	for _, b := range text {
		if _, err := w.Write([]byte{b}); err != nil { // want "each write to w"
			return err
		}
	}
	return nil
}

func unasked(w io.Writer, text []byte) {
	for i := 0; i < len(text); i++ {
		w.Write([]byte{text[i]}) // want "each write to w"
	}
}

// Through the two ends of a pipe, in which a goroutine has one.
func piped(n int) int {
	r, w := io.Pipe()
	go func() {
		for i := range n {
			if _, err := fmt.Fprintf(w, "%07d\n", i); err != nil { // want "each write to w waits for a reader"
				w.CloseWithError(err)
				return
			}
		}
		w.Close()
	}()
	return readAll(r)
}

// Nothing follows the loop.
func fill(f *os.File, size int) error {
	for i := 0; ; i++ {
		if i == size {
			return nil
		}
		if _, err := f.WriteString("x"); err != nil { // want "each write to f"
			return err
		}
	}
}
