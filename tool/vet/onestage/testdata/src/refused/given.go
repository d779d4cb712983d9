package refused

import (
	"bytes"
	"strings"
)

var common = strings.NewReader("abc")

// What it reads is the library's, and others have it.
func readers(in <-chan int) (n int) {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the stage calls r.ReadByte"
			r := strings.NewReader("a")
			if v == 0 {
				r = common
			}
			b, _ := r.ReadByte()
			out <- work(v) + int(b)
		}
		close(out)
	}()
	for v := range out {
		n += v
	}
	return n
}

// What it writes to may be another one's.
func write(b *bytes.Buffer, x int) int {
	if b == nil {
		b = bytes.NewBuffer(nil)
	}
	b.WriteByte(byte(x))
	return b.Len()
}

func writes(in <-chan int, b *bytes.Buffer) (n int) {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the stage calls write, which calls b.WriteByte"
			out <- work(v) + write(b, v)
		}
		close(out)
	}()
	for v := range out {
		n += v
	}
	return n
}

// What a loop goes over was there before.
func ranges(in <-chan int, shared []*bytes.Buffer) (n int) {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the stage calls b.WriteByte"
			for _, b := range shared {
				if b == nil {
					b = bytes.NewBufferString("")
				}
				b.WriteByte(byte(v))
			}
			out <- work(v)
		}
		close(out)
	}()
	for v := range out {
		n += v
	}
	return n
}

// So was what a variable begins with.
func begins(in <-chan int, shared *bytes.Buffer) (n int) {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine" // refuse "workers: the stage calls b.WriteByte"
			var b = shared
			if v > 5 {
				b = bytes.NewBufferString("")
			}
			b.WriteByte(byte(v))
			out <- work(v)
		}
		close(out)
	}()
	for v := range out {
		n += v
	}
	return n
}
