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
	}
}
