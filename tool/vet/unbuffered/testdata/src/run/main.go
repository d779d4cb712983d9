package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// A full takes so many bytes.
type full struct {
	left int
	got  []byte
}

var errFull = errors.New("full")

func (f *full) Write(p []byte) (int, error) {
	n := min(f.left, len(p))
	f.left -= n
	f.got = append(f.got, p[:n]...)
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

func write(w io.Writer, n int) error {
	for i := range n {
		if _, err := io.WriteString(w, fmt.Sprint(i%10)); err != nil {
			return err
		}
	}
	return nil
}

func read(r io.Reader) (sum uint64, err error) {
	var b [8]byte
	for {
		if _, err := io.ReadFull(r, b[:]); err != nil {
			return sum, err
		}
		sum += binary.LittleEndian.Uint64(b[:])
	}
}

func places(f *os.File, size, step, n int) {
	b := make([]byte, size)
	for i := range n {
		k, err := f.ReadAt(b, int64(i*step))
		if i%97 == 0 || err != nil {
			fmt.Println(k, err, b[:min(k, 3)])
		}
		if i%13 == 0 {
			_, err = f.ReadAt(b[:1], int64((n-i)*step-10))
			fmt.Println(err, b[0])
		}
	}
}

func pieces(f *os.File, lo, hi int) (sum int, err error) {
	buf := make([]byte, 12_000)
	for i := lo; i < hi; i++ {
		piece := buf[i*8+4 : i*8+12]
		if _, err := f.ReadAt(piece, int64((i-lo)*8)); err != nil {
			return sum + int(piece[3]), fmt.Errorf("piece %d: %w", i, err)
		}
		sum += int(piece[0])
	}
	return sum, nil
}

func cells(w io.Writer, buf []byte) error {
	for i := range len(buf) / 3 {
		buf[i*3], buf[i*3+2] = byte(i), byte(i/2)
		if _, err := w.Write(buf[3*i : 3*i+3]); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	for _, left := range []int{0, 1, 5, 7, 20_000} {
		for _, n := range []int{0, 1, 2, 3, 7, 499} {
			f := &full{left: left}
			err := cells(f, make([]byte, n))
			fmt.Println(err, f.got)
		}
	}
	for _, left := range []int{0, 1, 5, 4095, 4096, 4097, 20_000} {
		for _, n := range []int{0, 1, 5, 4096, 5_000, 10_000} {
			f := &full{left: left}
			err := write(f, n)
			fmt.Println(err, len(f.got))
		}
	}
	f, err := os.CreateTemp("", "unbuffered")
	if err != nil {
		panic(err)
	}
	defer os.Remove(f.Name())
	for i := range 1100 {
		if err := binary.Write(f, binary.LittleEndian, uint64(i)); err != nil {
			panic(err)
		}
	}
	for _, cut := range []int64{0, 3} {
		f.Truncate(1100*8 - cut)
		f.Seek(0, 0)
		fmt.Println(read(f))
		fmt.Println(pieces(f, 0, 1000))
		fmt.Println(pieces(f, 7, 1101))
		fmt.Println(pieces(f, 9, 1110))
		fmt.Println(pieces(f, 9, -3))
		places(f, 8, 8, 1101)
		places(f, 5000, 100, 90)
		places(f, 3, 4090, 4)
	}
}
